/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/storage.h"

#include "facility/round.h"

#include <math.h>

/* NVIDIA DGX SuperPOD H100 reference architecture, storage performance guidance:
 * GB/s good/better/best; aggregate writes 7/20/62 for one SU and 30/80/250 for four,
 * reads 15/40/125 for one. */
static const struct {
    const char *name;
    double node_read, node_write, su_read, su_write, four_su_write;
} tiers[] = {
    [RY_STORAGE_GOOD] = {"good", 4e9, 2e9, 15e9, 7e9, 30e9},
    [RY_STORAGE_BETTER] = {"better", 8e9, 4e9, 40e9, 20e9, 80e9},
    [RY_STORAGE_BEST] = {"best", 40e9, 20e9, 125e9, 62e9, 250e9},
};

static const double su_nodes = 32.0;
static const double free_frac = 0.2; /* file systems slow down when fuller */

double ry_checkpoint_bytes(double params, double bytes_per_param)
{
    return params * bytes_per_param;
}

double ry_checkpoint_write_s(double bytes, double bytes_per_s)
{
    return bytes / bytes_per_s;
}

const char *ry_storage_tier_name(enum ry_storage_tier tier)
{
    return tiers[tier].name;
}

struct ry_storage_guidance ry_storage_guidance(enum ry_storage_tier tier, double nodes)
{
    const double units = ry_count_up(nodes / su_nodes);
    const double write =
        units <= 1.0 ? tiers[tier].su_write : tiers[tier].four_su_write * units / 4.0;

    return (struct ry_storage_guidance){
        .node_read_bytes_per_s = tiers[tier].node_read,
        .node_write_bytes_per_s = tiers[tier].node_write,
        .system_read_bytes_per_s = tiers[tier].su_read * units,
        .system_write_bytes_per_s = write,
    };
}

static void choose_tier(const struct ry_storage_need *need, struct ry_storage_plan *plan)
{
    static const enum ry_storage_tier order[] = {RY_STORAGE_GOOD, RY_STORAGE_BETTER,
                                                 RY_STORAGE_BEST};

    for (size_t i = 0; i < 3 && !plan->tier_meets; i++) {
        const struct ry_storage_guidance have =
            ry_storage_guidance(order[i], need->nodes);
        plan->tier = order[i];
        plan->tier_meets = have.system_write_bytes_per_s >= plan->write_bytes_per_s &&
                           have.system_read_bytes_per_s >= plan->dataset_read_bytes_per_s;
    }
}

static double fits(double have, double need)
{
    return isnan(have) ? (double)NAN : (double)(have >= need);
}

struct ry_storage_plan ry_storage_plan(const struct ry_storage_need *need)
{
    const double bytes = ry_checkpoint_bytes(need->params, need->bytes_per_param);
    struct ry_storage_plan plan = {
        .checkpoint_bytes = bytes,
        .checkpoint_bytes_per_node = bytes / need->nodes,
        .write_bytes_per_s = bytes / need->save_limit_s,
        .write_background_bytes_per_s = bytes / need->interval_s,
        .stage_ram_bytes_per_node = 2.0 * bytes / need->nodes,
        .dataset_read_bytes_per_s = need->tokens_per_s * need->bytes_per_token,
        .restore_read_bytes_per_s = bytes / need->save_limit_s,
        .capacity_bytes =
            (need->checkpoints_kept * bytes + need->dataset_bytes) / (1.0 - free_frac),
    };

    plan.stage_fits_ram =
        fits(need->host_ram_bytes_per_node, plan.stage_ram_bytes_per_node);
    plan.stage_fits_nvme = fits(need->nvme_bytes_per_node, plan.stage_ram_bytes_per_node);
    choose_tier(need, &plan);
    return plan;
}
