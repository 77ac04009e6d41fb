/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/storage.h"

#include "facility/round.h"

#include <math.h>
#include <stdio.h>

static const char *const tier_names[RY_STORAGE_TIERS] = {
    [RY_STORAGE_GOOD] = "good",
    [RY_STORAGE_BETTER] = "better",
    [RY_STORAGE_BEST] = "best",
};

static double rate(const struct ry_catalog *catalog, const char *name)
{
    const struct ry_rate *row = ry_find_rate(catalog, name);

    return row ? row->value : (double)NAN;
}

static double tier_bytes_per_s(const struct ry_catalog *catalog, size_t tier,
                               const char *figure)
{
    char name[64];

    (void)snprintf(name, sizeof(name), "storage:%s, %s", tier_names[tier], figure);
    return rate(catalog, name) * 1e9; /* GB/s */
}

struct ry_storage_guide ry_storage_guide(const struct ry_catalog *catalog)
{
    struct ry_storage_guide guide = {
        .unit_nodes = rate(catalog, "storage:nodes of a scalable unit"),
        .free_frac = rate(catalog, "storage:share kept free"),
    };

    for (size_t i = 0; i < RY_STORAGE_TIERS; i++)
        guide.tier[i] = (struct ry_storage_rates){
            .node_read_bytes_per_s = tier_bytes_per_s(catalog, i, "read of a node"),
            .node_write_bytes_per_s = tier_bytes_per_s(catalog, i, "write of a node"),
            .unit_read_bytes_per_s =
                tier_bytes_per_s(catalog, i, "read of a scalable unit"),
            .unit_write_bytes_per_s =
                tier_bytes_per_s(catalog, i, "write of a scalable unit"),
            .four_units_write_bytes_per_s =
                tier_bytes_per_s(catalog, i, "write of four scalable units"),
        };
    return guide;
}

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
    return tier_names[tier];
}

struct ry_storage_guidance ry_storage_guidance(const struct ry_storage_guide *guide,
                                               enum ry_storage_tier tier, double nodes)
{
    const struct ry_storage_rates *rates = &guide->tier[tier];
    const double units = ry_count_up(nodes / guide->unit_nodes);
    const double write = units <= 1.0 ? rates->unit_write_bytes_per_s
                                      : rates->four_units_write_bytes_per_s * units / 4.0;

    return (struct ry_storage_guidance){
        .node_read_bytes_per_s = rates->node_read_bytes_per_s,
        .node_write_bytes_per_s = rates->node_write_bytes_per_s,
        .system_read_bytes_per_s = rates->unit_read_bytes_per_s * units,
        .system_write_bytes_per_s = write,
    };
}

static void choose_tier(const struct ry_storage_guide *guide,
                        const struct ry_storage_need *need, struct ry_storage_plan *plan)
{
    for (int i = 0; i < RY_STORAGE_TIERS && !plan->tier_meets; i++) {
        plan->tier = (enum ry_storage_tier)i;
        const struct ry_storage_guidance have =
            ry_storage_guidance(guide, plan->tier, need->nodes);
        plan->tier_meets = have.system_write_bytes_per_s >= plan->write_bytes_per_s &&
                           have.system_read_bytes_per_s >= plan->dataset_read_bytes_per_s;
    }
}

static double fits(double have, double need)
{
    return isnan(have) ? (double)NAN : (double)(have >= need);
}

struct ry_storage_plan ry_storage_plan(const struct ry_storage_guide *guide,
                                       const struct ry_storage_need *need)
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
        .capacity_bytes = (need->checkpoints_kept * bytes + need->dataset_bytes) /
                          (1.0 - guide->free_frac),
    };

    plan.stage_fits_ram =
        fits(need->host_ram_bytes_per_node, plan.stage_ram_bytes_per_node);
    plan.stage_fits_nvme = fits(need->nvme_bytes_per_node, plan.stage_ram_bytes_per_node);
    choose_tier(guide, need, &plan);
    return plan;
}
