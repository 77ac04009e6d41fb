/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/network.h"

#include "topology/clos.h"

#include <math.h>
#include <stdint.h>

static size_t ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* A leaf serves whole rails where a rail fits, else a rail takes whole leaves. */
static size_t count_leaves(const struct ry_network_input *in, size_t down)
{
    const size_t ends = in->nodes * in->rails + in->management_ports;

    if (!in->rail_optimised && !in->rail_only)
        return ceil_div(ends, down);
    const size_t leaves = in->nodes <= down
                              ? ceil_div(in->rails, down / in->nodes)
                              : in->rails * ceil_div(in->nodes, down);
    return most(leaves, ceil_div(ends, down));
}

static enum ry_err one_switch(const struct ry_network_input *in, struct ry_network *out)
{
    *out = (struct ry_network){.tiers = 1,
                               .leaf_down = in->leaf_radix,
                               .leaves = 1,
                               .node_links = in->nodes * in->rails,
                               .nodes_per_leaf = in->nodes,
                               .oversubscription = 1.0};
    return RY_OK;
}

/* Rails that share no switch: a leaf each, up to its radix. */
static enum ry_err rail_only(const struct ry_network_input *in, struct ry_network *out,
                             struct ry_diag *diag)
{
    if (in->nodes > in->leaf_radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "rail-only of %zu nodes on switches of %zu ports: a rail needs a "
                       "port a node on one switch",
                       in->nodes, in->leaf_radix);
    *out = (struct ry_network){.tiers = 1,
                               .leaf_down = in->leaf_radix,
                               .leaves = count_leaves(in, in->leaf_radix),
                               .node_links = in->nodes * in->rails,
                               .nodes_per_leaf = in->nodes,
                               .oversubscription = 1.0};
    return RY_OK;
}

/* Leaves, their used ports and spines that can be cabled. */
struct cabling {
    size_t leaves, down, up, spines;
};

/* Uplinks of leaves with so many down ports, within the asked ratio: the fewest spines,
 * two or more so that one may fail, then the fewest links. */
static struct cabling cable(const struct ry_network_input *in, size_t down)
{
    const size_t from = most((size_t)ry_ceil_div((double)down, in->oversubscription), 1);
    struct cabling best = {count_leaves(in, down), down, 0, SIZE_MAX};

    for (size_t up = from; up + down <= in->leaf_radix; up++) {
        const size_t fewest = most(ceil_div(best.leaves * up, in->spine_radix), 2);
        const size_t spines = ry_balanced_spines(fewest, up);
        if (fewest <= up && spines < best.spines) {
            best.up = up;
            best.spines = spines;
        }
    }
    return best;
}

/* Down ports in use where so many leaves share the ends, in whole nodes if they fit. */
static size_t even_down(const struct ry_network_input *in, size_t leaves, size_t down)
{
    if (in->rail_optimised && in->nodes > down) /* managers take the free ports of units */
        return in->management_ports > 0 ? down
                                        : ceil_div(in->nodes, ceil_div(in->nodes, down));
    if (in->rail_optimised)
        return down / in->nodes * in->nodes;
    const size_t each = ceil_div(in->nodes * in->rails + in->management_ports, leaves);
    const size_t whole = ceil_div(each, in->rails) * in->rails;
    return whole <= down ? whole : each;
}

/* Balanced spines.  A count of uplinks with no fitting divisor (43 and 59 have none) takes a
 * spine for each: then fewer ports in use or a few more leaves take fewer switches. */
static void choose_spines(const struct ry_network_input *in, struct ry_network *out)
{
    const size_t fewest = ceil_div(out->leaves * out->leaf_up, in->spine_radix);
    const size_t plain = ry_balanced_spines(fewest, out->leaf_up);
    struct cabling best = {out->leaves, out->leaf_down, out->leaf_up, plain};

    out->spines = plain;
    if (plain <= 2 * fewest || out->leaves > in->spine_radix)
        return;
    for (size_t leaves = out->leaves; leaves <= out->leaves + out->leaves / 8 + 1; leaves++) {
        const struct cabling c = cable(in, even_down(in, leaves, out->leaf_down));
        if (c.up > 0 && c.leaves <= in->spine_radix &&
            c.leaves + c.spines < best.leaves + best.spines)
            best = c;
    }
    out->leaves = best.leaves;
    out->leaf_down = best.down;
    out->leaf_up = best.up;
    out->spines = best.spines;
}

/* Above the leaves: balanced spines, or spines and half as many cores. */
static enum ry_err add_upper(const struct ry_network_input *in, struct ry_network *out,
                             struct ry_diag *diag)
{
    const size_t up_links = out->leaves * out->leaf_up;

    out->leaf_spine_links = up_links;
    if (out->leaves <= in->spine_radix) {
        out->tiers = 2;
        return RY_OK;
    }
    /* A unit's leaves stay in one pod, as topology/clos_shape.c cables it. */
    const bool units = in->rail_optimised && in->nodes > out->leaf_down;
    const struct ry_pods pods = ry_clos_pods((struct ry_pods_input){
        out->leaves, out->leaf_up, in->spine_radix, units ? in->rails : 1, {1.0, 1.0},
        RY_SPINES_BALANCED});
    if (!pods.fits)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "%zu ports are more than three tiers of %zu-port switches hold "
                       "(%zu)",
                       in->nodes * in->rails, in->spine_radix,
                       in->spine_radix / 2 * in->spine_radix * out->leaf_down);
    out->tiers = 3;
    out->spines = pods.spines;
    out->cores = pods.cores;
    out->spine_core_links = pods.spine_core_links;
    return RY_OK;
}

enum ry_err ry_network_count(const struct ry_network_input *in, struct ry_network *out,
                             struct ry_diag *diag)
{
    const size_t ends = in->nodes * in->rails + in->management_ports;

    *out = (struct ry_network){.oversubscription = 1.0};
    if (in->rails == 0 || in->leaf_radix == 0)
        return RY_OK;
    if (in->rail_only)
        return rail_only(in, out, diag);
    if (ends <= in->leaf_radix && in->tiers < 2)
        return one_switch(in, out);
    const double over = in->oversubscription;
    const size_t up = (size_t)ceil((double)in->leaf_radix / (1.0 + over) - 1e-9);
    out->leaf_up = up > 0 ? up : 1;
    out->leaf_down = (size_t)((double)out->leaf_up * over + 1e-9);
    if (out->leaf_down + out->leaf_up > in->leaf_radix)
        out->leaf_down = in->leaf_radix - out->leaf_up;
    if (out->leaf_down == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "switches of %zu ports leave none for nodes", in->leaf_radix);
    out->leaves = count_leaves(in, out->leaf_down);
    choose_spines(in, out);
    out->node_links = in->nodes * in->rails;
    out->nodes_per_leaf = in->rail_optimised && in->nodes > out->leaf_down
                              ? out->leaf_down
                              : (in->rail_optimised ? in->nodes
                                                    : most(out->leaf_down / in->rails, 1));
    out->oversubscription = (double)out->leaf_down / (double)out->leaf_up;
    RY_TRY(add_upper(in, out, diag));
    if (in->tiers > 0 && in->tiers < out->tiers)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "%zu ports need %zu tiers of %zu-port switches, %zu asked for", ends,
                       out->tiers, in->leaf_radix, in->tiers);
    return RY_OK;
}
