/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos_plan.h"

#include "base/order.h"

#include <math.h>

/* Node ports on a leaf of one plane. */
static size_t leaf_hosts(const struct ry_clos_shape *s, size_t leaf)
{
    if (s->attach != RY_ATTACH_RAILS) {
        const size_t before = leaf * s->leaf_down;
        return before >= s->endpoints ? 0 : ry_least(s->leaf_down, s->endpoints - before);
    }
    const size_t before = leaf / s->rails * s->unit_nodes;
    const size_t nodes =
        before >= s->nodes ? 0 : ry_least(s->unit_nodes, s->nodes - before);
    const size_t rail = leaf % s->rails;
    return nodes * (s->nics / s->rails + (rail < s->nics % s->rails));
}

/* Most node ports on a leaf, and below a pod. */
static void most_hosts(const struct ry_clos_shape *s, size_t *on_leaf, size_t *in_pod)
{
    size_t pod = 0;

    *on_leaf = *in_pod = 0;
    for (size_t leaf = 0; leaf < s->leaves; leaf++) {
        const size_t hosts = leaf_hosts(s, leaf);
        pod = leaf % s->pod_leaves == 0 ? hosts : pod + hosts;
        *on_leaf = hosts > *on_leaf ? hosts : *on_leaf;
        *in_pod = pod > *in_pod ? pod : *in_pod;
    }
}

/* Rate of nodes over rate upwards, below rank 0 (a leaf) and rank 1 (a pod). */
static void set_cuts(const struct ry_topo_spec *spec, const struct ry_clos_shape *s,
                     double cut[RY_RANKS_MOST])
{
    const double up_rate = ry_topo_up_bytes_per_s(spec);
    size_t on_leaf = 0, in_pod = 0;

    most_hosts(s, &on_leaf, &in_pod);
    if (s->leaf_up > 0)
        cut[0] =
            (double)on_leaf * spec->speed_bytes_per_s / ((double)s->leaf_up * up_rate);
    if (s->tiers == 3 && s->pods > 1)
        cut[1] = (double)in_pod * spec->speed_bytes_per_s /
                 ((double)(s->pod_spines * s->spine_up) * up_rate);
}

/* The narrowest cut between halves, where halves are whole leaves or pods. */
static double bisection(const struct ry_topo_spec *spec, const struct ry_clos_shape *s)
{
    const double up_rate = ry_topo_up_bytes_per_s(spec);
    const double hosts =
        (double)(s->endpoints / 2) * spec->speed_bytes_per_s * (double)s->planes;

    if (s->leaf_up == 0)
        return hosts;
    if (s->leaves % 2 != 0 || s->leaves * s->leaf_fill != s->endpoints)
        return 0.0;
    const double leaves =
        (double)(s->leaves / 2 * s->leaf_up) * up_rate * (double)s->planes;
    if (s->tiers == 2)
        return fmin(hosts, leaves);
    if (s->pods % 2 != 0 || s->pods * s->pod_leaves != s->leaves)
        return 0.0;
    return fmin(fmin(hosts, leaves), (double)(s->pods / 2 * s->pod_spines * s->spine_up) *
                                         up_rate * (double)s->planes);
}

static void claim(const struct ry_topo_spec *spec, const struct ry_clos_shape *s,
                  struct ry_fabric *claims)
{
    const bool spread = s->leaf_up == 0 || s->pod_spines >= 2;
    const bool only_one = s->leaves == 1 && s->planes == 1 && s->endpoints > 1;

    claims->planes = s->planes;
    claims->endpoint_ports = s->endpoints * s->planes;
    claims->rails = s->attach == RY_ATTACH_FILL ? 0 : s->rails;
    claims->nic_planes = s->nic_planes;
    claims->balanced = s->pod_spines > 0 && s->leaf_up % s->pod_spines == 0 &&
                       (s->tiers < 3 || s->spine_up % s->spine_cores == 0);
    set_cuts(spec, s, claims->cut);
    claims->bisection_bytes_per_s = bisection(spec, s);
    claims->survives_switch = spread && !only_one;
    claims->survives_link = spread || s->leaf_up >= 2;
    claims->diameter_links = s->leaves == 1 ? 2 : s->pods == 1 ? 4 : 6;
    if (s->endpoints < 2)
        claims->diameter_links = 0;
}

void ry_clos_plan(const struct ry_topo_spec *spec, const struct ry_clos_shape *s,
                  const struct ry_clos_style *style, struct ry_topo_plan *plan)
{
    const double up_rate = ry_topo_up_bytes_per_s(spec);
    const size_t hosts = s->endpoints * s->planes;
    const size_t ups = s->leaves * s->leaf_up * s->planes;
    const size_t spines = s->pods * s->pod_spines * s->planes;
    const size_t core_links = spines * s->spine_up;

    plan->ports_per_node = s->nics * s->nic_planes;
    plan->endpoint_ports = hosts;
    plan->managers = spec->ufm;
    ry_plan_add_tier(plan, style->tier[0], s->leaves * s->planes, s->leaf_radix,
                     hosts + spec->ufm + ups);
    ry_plan_add_level(plan, style->level[0], hosts + spec->ufm, 1,
                      spec->speed_bytes_per_s);
    if (s->pod_spines > 0) {
        ry_plan_add_tier(plan, style->tier[1], spines, s->spine_radix, ups + core_links);
        ry_plan_add_level(plan, style->level[1], ups, spec->links_per_cable, up_rate);
    }
    if (s->tiers == 3) {
        ry_plan_add_tier(plan, style->tier[2], s->pod_spines * s->spine_cores * s->planes,
                         s->core_radix, core_links);
        ry_plan_add_level(plan, style->level[2], core_links, spec->links_per_cable,
                          up_rate);
    }
    claim(spec, s, &plan->claims);
}
