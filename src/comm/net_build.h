/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From what is built (GPU, NICs, transport, switch tiers) to a struct ry_net, by the
 * communication models of models/comm (loaded by io/comm_model.h).
 */
#ifndef RY_COMM_NET_BUILD_H
#define RY_COMM_NET_BUILD_H

#include "base/err.h"
#include "comm/net.h"
#include "design/design.h"

/** What carries traffic between domains. */
enum ry_transport {
    RY_TRANSPORT_NONE,
    RY_TRANSPORT_IB,
    RY_TRANSPORT_ROCE,
    RY_TRANSPORT_EFA,
    RY_TRANSPORT_OPA, /**< Omni-Path: staged through the host */
    RY_TRANSPORT_TCP, /**< plain sockets */
};
enum { RY_TRANSPORTS = RY_TRANSPORT_TCP + 1 };

/** Where a figure of a model is from, best first. */
enum ry_comm_origin {
    RY_COMM_ORIGIN_MEASURED,  /**< fitted to a benchmark file that the model names */
    RY_COMM_ORIGIN_PUBLISHED, /**< fitted to, or read from, a published table */
    RY_COMM_ORIGIN_NCCL,      /**< NCCL's own constants */
    RY_COMM_ORIGIN_SCALED,    /**< from a sibling part */
    RY_COMM_ORIGIN_ASSUMED,
};
enum { RY_COMM_ORIGINS = RY_COMM_ORIGIN_ASSUMED + 1 };

enum { RY_COMM_NAMES_MOST = 12, RY_COMM_MODELS_MOST = 32 };

/** One file of models/comm: inside a domain, or between domains. */
struct ry_comm_model {
    const char *name;
    const char *file;
    const char *summary;
    enum ry_comm_origin origin; /**< of most of it */
    bool between;               /**< false: `domain` counts; true: `fabric` */
    enum ry_local_link link;    /**< of a domain */
    size_t names;
    const char
        *gpu[RY_COMM_NAMES_MOST]; /**< [names] beginnings of GPU names; none: all */
    enum ry_transport transport;  /**< of a fabric */
    double line_bytes_per_s;      /**< of a fabric: the NIC it was taken from */
    double usable_frac;           /**< of a fabric: usable / line rate */
    double pcie_bytes_per_s;      /**< of a domain: usable rate of a GPU's slot */
    struct ry_net_domain domain;
    struct ry_net_fabric fabric;
};

struct ry_comm_models {
    size_t n;
    const struct ry_comm_model *at[RY_COMM_MODELS_MOST];
};

/** What is built.  A rate of 0 or a NULL name means: not given. */
struct ry_net_spec {
    const char *gpu; /**< catalog name, "H100-SXM5-80GB" */
    enum ry_local_link link;
    double wire_bytes_per_s; /**< of its NVLink or PCIe slot, one way; 0: not said */
    size_t gpus;             /**< of the cluster, 0: not said */
    size_t domain_gpus;      /**< GPUs of one domain (a node, or an NVL72 rack) */
    double nics_per_domain;  /**< of the compute network */
    double nic_bytes_per_s;  /**< line rate of one, one direction */
    enum ry_transport transport;
    double pcie_bytes_per_s; /**< of one GPU's slot; 0: by the GPU's model */
    bool sharp;
    bool nvls_off;            /**< NCCL_NVLS_ENABLE=0, or drivers without it */
    const char *domain_model; /**< a model by name instead of by GPU */
    const char *fabric_model;
    size_t tiers;
    struct ry_net_tier tier[RY_TIERS_MOST];
};

/** "ib", "roce", ... as the files spell it. */
const char *ry_transport_name(enum ry_transport transport);

/**
 * Build the network of a spec.
 * A GPU behind NVSwitch or PCIe that no model names takes the one nearest in rate,
 * scaled.
 * @return RY_OK; RY_ERR_NOTFOUND when no model covers the GPU or the transport;
 *         RY_ERR_RANGE for a spec that cannot be (NICs without a rate).
 */
RY_MUST_USE enum ry_err ry_net_build(const struct ry_comm_models *models,
                                     const struct ry_net_spec *spec, struct ry_net *net,
                                     struct ry_diag *diag);

/** As if NVSwitch did not reduce, like nvls_off of the spec; nothing where it does
 * not. */
void ry_net_without_nvls(struct ry_net *net);

/**
 * The transport of a design's fabric: its technology, and what the NIC is called
 * ("EFA v2", "Omni-Path 100") where that says more.  @p nic may be NULL.
 */
enum ry_transport ry_transport_of(enum ry_fabric_technology technology, const char *nic);

#endif
