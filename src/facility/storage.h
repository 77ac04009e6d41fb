/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Storage of a training cluster: checkpoint bytes, bandwidths, tiers, sizing.
 */
#ifndef RY_FACILITY_STORAGE_H
#define RY_FACILITY_STORAGE_H

#include "catalog/parts.h"

/** Bytes of one checkpoint. */
double ry_checkpoint_bytes(double params, double bytes_per_param);
/** Seconds of a write at a rate. */
double ry_checkpoint_write_s(double bytes, double bytes_per_s);

enum ry_storage_tier { RY_STORAGE_GOOD, RY_STORAGE_BETTER, RY_STORAGE_BEST };
enum { RY_STORAGE_TIERS = 3 };

/** "good", "better", "best". */
const char *ry_storage_tier_name(enum ry_storage_tier tier);

/** Bandwidths that a reference architecture asks for: of a node, and of the whole system
 * for one scalable unit of nodes and for four. */
struct ry_storage_rates {
    double node_read_bytes_per_s, node_write_bytes_per_s;
    double unit_read_bytes_per_s, unit_write_bytes_per_s;
    double four_units_write_bytes_per_s;
};

/** The rates "storage:..." of the catalog; NAN where it has no such row. */
struct ry_storage_guide {
    struct ry_storage_rates tier[RY_STORAGE_TIERS];
    double unit_nodes; /**< of a scalable unit */
    double free_frac;  /**< of the capacity, kept free */
};

struct ry_storage_guide ry_storage_guide(const struct ry_catalog *catalog);

struct ry_storage_guidance {
    double node_read_bytes_per_s, node_write_bytes_per_s;
    double system_read_bytes_per_s, system_write_bytes_per_s; /**< for the nodes asked */
};

/**
 * Guidance for @p nodes nodes, rounded up to whole scalable units.  Published for 1 and 4
 * units; others are proportional.
 */
struct ry_storage_guidance ry_storage_guidance(const struct ry_storage_guide *guide,
                                               enum ry_storage_tier tier, double nodes);

/** What a job asks of the storage. */
struct ry_storage_need {
    double nodes, gpus_per_node;
    double params, bytes_per_param; /**< saved state */
    double save_limit_s;            /**< longest stop that a save may cost */
    double interval_s;              /**< between saves */
    double checkpoints_kept;
    double tokens_per_s, bytes_per_token; /**< dataset read rate */
    double dataset_bytes;
    double host_ram_bytes_per_node, nvme_bytes_per_node; /**< what the node has */
};

struct ry_storage_plan {
    double checkpoint_bytes, checkpoint_bytes_per_node;
    double write_bytes_per_s; /**< blocking save: whole checkpoint in save_limit_s */
    double write_background_bytes_per_s; /**< staged save: drained before the next one */
    double stage_ram_bytes_per_node; /**< two copies in host memory for a staged save */
    double dataset_read_bytes_per_s;
    double restore_read_bytes_per_s; /**< read back in save_limit_s, like the write */
    double capacity_bytes;           /**< kept checkpoints and dataset, a share free */
    double stage_fits_ram;           /**< 1, 0, or NaN when the node's RAM is unknown */
    double stage_fits_nvme;
    enum ry_storage_tier tier; /**< lowest tier that meets the blocking save */
    int tier_meets;            /**< 0: not even the best does */
};

/** Sizes from a need; total, no errors: NAN in is NAN out. */
struct ry_storage_plan ry_storage_plan(const struct ry_storage_guide *guide,
                                       const struct ry_storage_need *need);

#endif
