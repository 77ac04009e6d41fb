/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A design: what is built.  Resolved and checked: names are parts, units are SI,
 * defaults are filled in, and every input remembers where it came from.
 *
 * A design is plain data.  Loading it is io/design_file.h, costing it is plan/.
 */
#ifndef RY_DESIGN_DESIGN_H
#define RY_DESIGN_DESIGN_H

#include "base/arena.h"
#include "base/err.h"
#include "design/terms.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_cable;
struct ry_gpu;
struct ry_nic;
struct ry_node;
struct ry_switch;

/** What carries traffic between nodes. */
enum ry_fabric_technology {
    RY_FABRIC_NONE,       /**< nothing: one node, or one NVLink domain */
    RY_FABRIC_INFINIBAND, /**< RDMA, credit flow control, adaptive routing */
    RY_FABRIC_ROCE,       /**< RDMA over lossless Ethernet */
    RY_FABRIC_TCP,        /**< plain sockets: host-staged copies */
};

/** How the GPUs of a node reach each other. */
enum ry_local_link {
    RY_LOCAL_PCIE,     /**< through host PCIe only */
    RY_LOCAL_BRIDGE,   /**< NVLink bridges between pairs or fours of PCIe cards */
    RY_LOCAL_MESH,     /**< direct links, all to all: Infinity Fabric, Gaudi */
    RY_LOCAL_SWITCHED, /**< NVSwitch, inside a node or a rack */
};

/** The network between nodes. */
struct ry_fabric_inputs {
    enum ry_fabric_technology technology;
    const char *family; /**< a name of topology/families.def: "leaf-spine", ... */
    const struct ry_switch *leaf;  /**< NULL: none */
    const struct ry_switch *spine; /**< also the core; same as leaf unless given */
    size_t tiers;                  /**< 0: as few as hold the ports */
    double oversubscription;       /**< leaf down / up capacity, 1 or more */
    bool rail_optimised;           /**< NIC i of every node of a group on leaf i */
    bool adaptive_routing;         /**< false: static hash (ECMP) */
    double connections_per_nic;    /**< of a ring, hashed apart */
    double queue_pairs;            /**< of a connection, hashed apart */
    bool in_network_reduction;     /**< SHARP: only where given */
    size_t management_ports;       /**< fabric-manager ports taken from leaves */
};

/** A network of its own beside the compute fabric: storage, in-band, out-of-band. */
struct ry_side_fabric {
    const char *name; /**< "storage", "inband", "oob" */
    struct ry_fabric_inputs fabric;
    const struct ry_nic *nic; /**< NULL: no part named, nothing is bought */
    size_t nics_per_node;     /**< ports of a node in it */
    double nic_bytes_per_s;
    bool nics_in_node_price;
};

enum { RY_DESIGN_SIDES_MOST = 3 };

/** A part that the user has already: counted, not bought. */
struct ry_owned {
    const char *part;
    double count;
};

/** Where one figure came from: "facility/pue" <- "catalog rates: pue:..., 2026". */
struct ry_input_origin {
    const char *what;  /**< name of the input */
    const char *value; /**< as it is used, with its unit */
    const char *from;  /**< file and pointer, catalog row with source and date, default */
};

/** How far a figure that the program assumed may be off; what the user states is
 * exact. */
struct ry_input_range {
    const char *what; /**< name of the input, as in the origins */
    size_t offset;    /**< of its double, in struct ry_design */
    double low, high; /**< of the figure, in its unit */
};

enum {
    RY_DESIGN_ORIGINS_MOST = 96,
    RY_DESIGN_OWNED_MOST = 32,
    RY_DESIGN_RANGES_MOST = 16
};

struct ry_design {
    const char *name;
    const char *file;   /**< it was read from, for messages */
    const char *choice; /**< what was chosen of a family: "nodes=32", or "" */
    const struct ry_node *node;
    const struct ry_gpu *gpu;
    size_t nodes;         /**< node parts bought; a rack-scale part counts as one */
    size_t spare_nodes;   /**< of them, not used by the job */
    size_t gpus_per_node; /**< of the node part: 8, or 72 for a rack */
    size_t gpus_per_host; /**< under one operating system: 8, or 4 in an NVL72 tray */
    size_t domain_gpus;   /**< that reach each other without a NIC: 72, 8 */
    enum ry_local_link local_link;
    double gpu_power_cap_w;   /**< of one GPU; its own limit when none is set */
    double host_ram_bytes;    /**< of a host, NAN when unknown */
    const struct ry_nic *nic; /**< NULL: as the node has them, no part named */
    size_t nics_per_node;     /**< of the compute fabric, 0 without */
    bool nics_in_node_price;  /**< they are not bought apart */
    double nic_bytes_per_s;   /**< line rate of one NIC, one direction */
    struct ry_fabric_inputs fabric;
    size_t sides_n;
    struct ry_side_fabric sides[RY_DESIGN_SIDES_MOST]; /**< [sides_n] */
    struct ry_facility_inputs facility;
    struct ry_finance finance;
    struct ry_reliability reliability;
    double storage_usd;               /**< price of storage bought with it, 0 when none */
    double storage_write_bytes_per_s; /**< checkpoints; NAN: not given */
    size_t owned_n;
    struct ry_owned owned[RY_DESIGN_OWNED_MOST];
    size_t origins_n;
    struct ry_input_origin *origins; /**< [origins_n] */
    size_t ranges_n;
    struct ry_input_range *ranges; /**< [ranges_n] of what was assumed; nullable */
};

/** GPUs that work: those of all nodes but the spare ones. */
size_t ry_design_gpus(const struct ry_design *design);

/** By the design's colocation rate, else its construction rate, else one's own room. */
enum ry_place_kind ry_design_place(const struct ry_design *design);

/** @p design with one of its side fabrics in the place of the compute fabric. */
struct ry_design ry_design_side(const struct ry_design *design,
                                const struct ry_side_fabric *side);

/** "InfiniBand", "RoCE", ...  Never NULL. */
const char *ry_fabric_technology_text(enum ry_fabric_technology technology);

/** "NVSwitch", "PCIe", ...  Never NULL. */
const char *ry_local_link_text(enum ry_local_link link);

/**
 * Note where a figure came from; past RY_DESIGN_ORIGINS_MOST nothing is added.
 * The texts are kept, not copied.
 */
void ry_design_origin(struct ry_design *design, const char *what, const char *value,
                      const char *from);

/** Where the figure @p what came from, as ry_design_origin() was told; NULL: it was
 * not. */
const char *ry_design_origin_of(const struct ry_design *design, const char *what);

/** The side fabric of that name, or NULL. */
const struct ry_side_fabric *ry_design_find_side(const struct ry_design *design,
                                                 const char *name);

/** How many of @p part the user owns. */
double ry_design_owned(const struct ry_design *design, const char *part);

/**
 * Check plain data, which a program may fill without a file: nodes and GPUs, spare nodes,
 * a fabric and NICs for several nodes, ranges of oversubscription, PUE, utilisation and
 * years.
 * @return RY_OK or RY_ERR_RANGE with the first contradiction in @p diag.
 */
RY_MUST_USE enum ry_err ry_design_check(const struct ry_design *design,
                                        struct ry_diag *diag);

#endif
