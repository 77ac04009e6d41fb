/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The hardware behind a benchmark, as options say it, a design has it, or the catalog
 * knows it for the GPU that the file names.
 */
#ifndef RY_CLI_NET_INPUT_H
#define RY_CLI_NET_INPUT_H

#include "base/arena.h"
#include "cli/cmd.h"
#include "comm/net_build.h"
#include "design/design.h"

/** Part of a command's options struct; all zero: nothing said. */
struct ry_net_options {
    const char *design;    /**< a design file: it says everything */
    const char *gpu;       /**< a catalog or device name */
    const char *transport; /**< "ib", "roce", "efa", "omni-path", "tcp" */
    double gpus_per_node;
    double nics; /**< a node */
    double nic_bytes_per_s;
    bool pcie; /**< GPUs of a node without NVLink */
    bool sharp, nvls_off;
    const char *model;        /**< a model file of one's own, before the shipped ones */
    const char *fabric_model; /**< by name, instead of by transport; no option sets it */
};

/** Rows of an option table, for the field @p field of the options struct. */
#define RY_OPTS_NET(type, field)                                                         \
    {.kind = RY_OPT_STRING,                                                              \
     .offset = offsetof(type, field.design),                                             \
     .name = "design",                                                                   \
     .value = "FILE",                                                                    \
     .help = "the cluster it ran on: a design file"},                                    \
        {.kind = RY_OPT_STRING,                                                          \
         .offset = offsetof(type, field.gpu),                                            \
         .name = "gpu",                                                                  \
         .value = "NAME",                                                                \
         .help = "GPU, as in the catalog or as the driver names it"},                    \
        {.kind = RY_OPT_NUMBER,                                                          \
         .least = 1,                                                                     \
         .offset = offsetof(type, field.gpus_per_node),                                  \
         .name = "gpus-per-node",                                                        \
         .value = "N",                                                                   \
         .help = "ranks of a node or NVLink domain"},                                    \
        {.kind = RY_OPT_NUMBER,                                                          \
         .above_0 = true,                                                                \
         .offset = offsetof(type, field.nics),                                           \
         .name = "nics",                                                                 \
         .value = "N",                                                                   \
         .help = "NICs of a node for this traffic"},                                     \
        {.kind = RY_OPT_QUANTITY,                                                        \
         .dim = RY_DIM_BYTES_PER_S,                                                      \
         .above_0 = true,                                                                \
         .offset = offsetof(type, field.nic_bytes_per_s),                                \
         .name = "nic-rate",                                                             \
         .value = "RATE",                                                                \
         .help = "line rate of one NIC: 400Gbps"},                                       \
        {.kind = RY_OPT_STRING,                                                          \
         .offset = offsetof(type, field.transport),                                      \
         .name = "transport",                                                            \
         .value = "NAME",                                                                \
         .help = "ib, roce, efa, omni-path or tcp"},                                     \
        {.kind = RY_OPT_STRING,                                                          \
         .offset = offsetof(type, field.model),                                          \
         .name = "model",                                                                \
         .value = "FILE",                                                                \
         .help = "your own model (calibrate fit -o) instead of a shipped one"},          \
        {.kind = RY_OPT_FLAG,                                                            \
         .offset = offsetof(type, field.pcie),                                           \
         .name = "pcie",                                                                 \
         .help = "no NVLink between the GPUs of a node"},                                \
        {.kind = RY_OPT_FLAG,                                                            \
         .offset = offsetof(type, field.sharp),                                          \
         .name = "sharp",                                                                \
         .help = "the InfiniBand switches reduce"},                                      \
    {                                                                                    \
        .kind = RY_OPT_FLAG, .offset = offsetof(type, field.nvls_off),                   \
        .name = "no-nvls", .help = "no reduction in the NVLink switches"                 \
    }

/** What the benchmark itself says. */
struct ry_net_hint {
    const char *gpu;     /**< device name, NULL: not said */
    size_t ranks, nodes; /**< 0 nodes: not said */
};

/** A cluster for one run, and how it was known. */
struct ry_net_known {
    struct ry_net net;
    struct ry_group group; /**< ranks packed into nodes */
    const char *from;      /**< "design x.json", "options", "DGX-H100 assumed" */
    bool assumed;          /**< the node is a guess from the GPU's name */
};

/** All models, read once. */
struct ry_net_source {
    struct ry_arena *arena;
    struct ry_comm_models models;
    const struct ry_comm_model *own; /**< of options->model, NULL: none given */
    const struct ry_catalog *catalog;
};

/** Read models and catalog; mistakes are printed, the diagnostic has no text then. */
RY_MUST_USE enum ry_err ry_net_source_open(struct ry_arena *arena,
                                           const struct ry_net_options *options,
                                           struct ry_net_source *source,
                                           struct ry_diag *diag);

/** The network of a design as ranking has it. */
RY_MUST_USE enum ry_err ry_net_of_design(const struct ry_net_source *source,
                                         const struct ry_design *design,
                                         struct ry_net *net, struct ry_diag *diag);

/**
 * Find the hardware of one run.
 * @return RY_OK; RY_ERR_NOTFOUND when neither options nor file name a known GPU;
 *         RY_ERR_RANGE for hardware that cannot be.
 */
RY_MUST_USE enum ry_err ry_net_input(const struct ry_net_source *source,
                                     const struct ry_net_options *options,
                                     const struct ry_net_hint *hint,
                                     struct ry_net_known *known, struct ry_diag *diag);

#endif
