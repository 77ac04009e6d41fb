/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/network.h"

#include "base/order.h"
#include "topology/clos.h"

#include <math.h>

/* A leaf serves whole rails where a rail fits, else a rail takes whole leaves. */
static size_t count_leaves(const struct ry_network_input *in, size_t down)
{
    const size_t ends = in->nodes * in->rails + in->management_ports;

    if (!in->rail_optimised)
        return ry_div_up(ends, down);
    const size_t leaves = in->nodes <= down ? ry_div_up(in->rails, down / in->nodes)
                                            : in->rails * ry_div_up(in->nodes, down);
    return ry_most(leaves, ry_div_up(ends, down));
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

/* Rails that are not joined, two to a switch where all fit so: with more, a node would
 * lose most of its rails with one switch. */
static enum ry_err rail_only(const struct ry_network_input *in, struct ry_network *out,
                             struct ry_diag *diag)
{
    const size_t ends = in->nodes * in->rails + in->management_ports;
    const size_t pairs = in->rails % 2 == 0 ? in->rails / 2 : in->rails;
    const bool two = 2 * in->nodes <= in->leaf_radix && ends <= pairs * in->leaf_radix;
    const size_t leaves = two ? pairs : in->rails;

    if (in->nodes > in->leaf_radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "rail-only of %zu nodes on switches of %zu ports: a rail needs a "
                       "port a node on one switch",
                       in->nodes, in->leaf_radix);
    if (ends > leaves * in->leaf_radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "rail-only of %zu nodes leaves %zu ports of %zu switches free, "
                       "fabric managers need %zu",
                       in->nodes, leaves * (in->leaf_radix - in->nodes), leaves,
                       in->management_ports);
    *out = (struct ry_network){.tiers = 1,
                               .leaf_down = in->leaf_radix,
                               .leaves = leaves,
                               .node_links = in->nodes * in->rails,
                               .nodes_per_leaf = in->nodes,
                               .oversubscription = 1.0};
    return RY_OK;
}

/* Above the leaves: balanced spines, or spines and half as many cores. */
static enum ry_err add_upper(const struct ry_network_input *in, struct ry_network *out,
                             struct ry_diag *diag)
{
    const size_t up_links = out->leaves * out->leaf_up;

    out->leaf_spine_links = up_links;
    out->spines = ry_balanced_spines(ry_div_up(up_links, in->spine_radix), out->leaf_up);
    if (out->leaves <= in->spine_radix) {
        out->tiers = 2;
        return RY_OK;
    }
    /* A unit's leaves stay in one pod, as topology/clos_shape.c cables it. */
    const bool units = in->rail_optimised && in->nodes > out->leaf_down;
    const struct ry_pods pods = ry_clos_pods((struct ry_pods_input){out->leaves,
                                                                    out->leaf_up,
                                                                    in->spine_radix,
                                                                    units ? in->rails : 1,
                                                                    {1.0, 1.0},
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
    out->pods = pods.pods;
    out->pod_leaves = pods.pod_leaves;
    out->spine_up = pods.spine_up;
    out->spine_cores = pods.spine_cores;
    out->spine_core_links = pods.spine_core_links;
    return RY_OK;
}

/* So many ports of a leaf up; down as the ratio says, in the ports that are left. */
static enum ry_err split(const struct ry_network_input *in, size_t up,
                         struct ry_network *out, struct ry_diag *diag)
{
    const size_t down = (size_t)((double)up * in->oversubscription + 1e-9);

    *out = (struct ry_network){.leaf_up = up, .node_links = in->nodes * in->rails};
    out->leaf_down = down + up > in->leaf_radix ? in->leaf_radix - up : down;
    if (out->leaf_down == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "switches of %zu ports leave none for nodes", in->leaf_radix);
    out->leaves = count_leaves(in, out->leaf_down);
    out->nodes_per_leaf =
        in->rail_optimised && in->nodes > out->leaf_down
            ? out->leaf_down
            : (in->rail_optimised ? in->nodes : ry_most(out->leaf_down / in->rails, 1));
    out->oversubscription = (double)out->leaf_down / (double)out->leaf_up;
    RY_TRY(add_upper(in, out, diag));
    if (in->tiers > 0 && in->tiers < out->tiers)
        return ry_fail(diag, RY_ERR_INFEASIBLE, in->name,
                       "%zu ports need %zu tiers of %zu-port switches, %zu asked for",
                       in->nodes * in->rails + in->management_ports, out->tiers,
                       in->leaf_radix, in->tiers);
    return RY_OK;
}

static size_t switches_of(const struct ry_network *n)
{
    return n->leaves + n->spines + n->cores;
}

/* Whether more spines than have the ports are needed to spread uplinks evenly; of pods,
 * whose spines also depend on how leaves fill them, twice as many. */
static bool is_wasteful(const struct ry_network_input *in, const struct ry_network *n)
{
    const size_t down = n->tiers > 2 ? in->spine_radix / 2 : in->spine_radix;
    const size_t fewest = ry_div_up(n->leaf_spine_links, ry_most(down, 1));

    return n->spines > (n->tiers > 2 ? 2 * fewest - 1 : fewest);
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
    const double exact = (double)in->leaf_radix / (1.0 + in->oversubscription);
    const size_t up = ry_most((size_t)ceil(exact - 1e-9), 1);
    enum ry_err err = split(in, up, out, diag);
    if (err == RY_OK && !is_wasteful(in, out))
        return RY_OK;
    for (size_t fewer = up - 1; fewer > 0 && 4 * fewer >= 3 * up; fewer--) {
        struct ry_network other;
        if (split(in, fewer, &other, NULL) != RY_OK ||
            (err == RY_OK && switches_of(&other) >= switches_of(out)))
            continue;
        *out = other;
        err = RY_OK;
    }
    return err;
}

size_t ry_switch_radix(const struct ry_switch *part, double nic_bytes_per_s)
{
    if (!part || !(nic_bytes_per_s > 0.0))
        return 0;
    const double split = floor(part->port_bytes_per_s / nic_bytes_per_s + 1e-9);
    double ports = part->ports * (split > 1.0 ? split : 1.0);
    if (split > 1.0 && ports > part->breakout_ports)
        ports = part->breakout_ports;
    return (size_t)ports;
}
