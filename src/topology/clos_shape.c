/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos_shape.h"

#include "base/order.h"
#include "topology/clos.h"

#include <math.h>

const struct ry_clos_style ry_clos_switches = {
    .tier = {"leaf", "spine", "core"},
    .level = {"node-leaf", "leaf-spine", "spine-core"},
    .kind = RY_DEVICE_SWITCH,
    .trunk_media = RY_MEDIA_FIBRE,
};

/* How much is needed: now, and when it has grown. */
struct need {
    size_t leaves, leaves_grown;
    size_t quantum; /* leaves of a unit stay in one pod */
};

static enum ry_err leaf_ports(const struct ry_topo_spec *spec, struct ry_clos_shape *s,
                              struct ry_diag *diag)
{
    const size_t usable = spec->radix > spec->keep ? spec->radix - spec->keep : 0;
    const struct ry_split split = ry_port_split(usable, spec->ratio);

    if (spec->radix < 2)
        return ry_fail(diag, RY_ERR_RANGE, spec->family->name,
                       "needs radix=PORTS of a switch, 2 or more");
    s->leaf_radix = spec->radix;
    s->leaf_down = spec->down ? spec->down : split.down;
    s->leaf_up = spec->up ? spec->up : split.up;
    if (s->leaf_down == 0 || s->leaf_up == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "ratio",
                       "%zu ports do not split %g:%g into whole ports; give down= and up=",
                       usable, spec->ratio.down, spec->ratio.up);
    if (s->leaf_down + s->leaf_up + spec->keep > s->leaf_radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "leaf",
                       "%zu down, %zu up and %zu kept ports are more than the %zu of a "
                       "switch",
                       s->leaf_down, s->leaf_up, spec->keep, s->leaf_radix);
    return RY_OK;
}

/* Nodes when it has grown to spec->grow GPUs. */
static enum ry_err grown_nodes(const struct ry_topo_spec *spec,
                               const struct ry_topo_plan *plan, size_t *nodes,
                               struct ry_diag *diag)
{
    const size_t per_node = plan->gpus / plan->nodes;

    *nodes = spec->grow ? ry_div_up(spec->grow, per_node) : plan->nodes;
    if (*nodes < plan->nodes)
        return ry_fail(diag, RY_ERR_RANGE, "grow", "%zu is below the %zu GPUs of now",
                       spec->grow, plan->gpus);
    return RY_OK;
}

static void attach_fill(struct ry_clos_shape *s, size_t nodes_grown, struct need *need)
{
    s->endpoints = s->nodes * s->nics;
    s->leaf_fill = ry_least(s->leaf_down, s->endpoints);
    *need = (struct need){ry_div_up(s->endpoints, s->leaf_down),
                          ry_div_up(nodes_grown * s->nics, s->leaf_down), 1};
}

static void attach_rail_only(struct ry_clos_shape *s, size_t nodes_grown, struct need *need)
{
    const size_t per_rail = s->nics / s->rails;

    s->endpoints = s->nodes * per_rail;
    s->planes = s->rails * s->nic_planes;
    s->leaf_fill = ry_least(s->leaf_down, s->endpoints);
    *need = (struct need){ry_div_up(s->endpoints, s->leaf_down),
                          ry_div_up(nodes_grown * per_rail, s->leaf_down), 1};
}

static enum ry_err attach_rails(const struct ry_topo_spec *spec, struct ry_clos_shape *s,
                                size_t nodes_grown, struct need *need, struct ry_diag *diag)
{
    const size_t su_nodes = spec->su_nodes ? spec->su_nodes : s->leaf_down;
    const size_t per_leaf = ry_div_up(s->nics, s->rails);

    if (su_nodes * per_leaf > s->leaf_down)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "su_nodes",
                       "%zu nodes with %zu NICs on each of %zu rails need %zu down ports "
                       "of a leaf, it has %zu",
                       su_nodes, per_leaf, s->rails, su_nodes * per_leaf, s->leaf_down);
    const size_t su = ry_div_up(s->nodes, su_nodes);
    const size_t down = su * s->rails * s->leaf_down * s->planes;
    const size_t used = s->nodes * s->nics * s->planes;
    if (spec->ufm > down - used)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "ufm",
                       "%zu nodes leave %zu of %zu node ports of the leaves, fabric managers "
                       "need %zu: at most %zu nodes in %zu units of %zu",
                       s->nodes, down - used, down, spec->ufm,
                       down > spec->ufm ? (down - spec->ufm) / (s->nics * s->planes) : 0, su,
                       su_nodes);
    s->unit_nodes = su_nodes;
    s->endpoints = s->nodes * s->nics;
    s->leaf_fill = ry_least(su_nodes, s->nodes) * per_leaf;
    *need = (struct need){su * s->rails, ry_div_up(nodes_grown, su_nodes) * s->rails,
                          s->rails};
    return RY_OK;
}

static enum ry_err refuse_two_tiers(const struct ry_clos_shape *s, const struct need *need,
                                    struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_INFEASIBLE, "tiers=2",
                   "%zu ports a plane need %zu leaves of %zu down ports, but a spine has "
                   "%zu ports, one for each leaf: at most %zu ports (%zu a leaf); take "
                   "three tiers",
                   need->leaves_grown == need->leaves ? s->endpoints
                                                      : need->leaves_grown * s->leaf_down,
                   need->leaves_grown, s->leaf_down, s->spine_radix,
                   s->spine_radix * s->leaf_down, s->leaf_down);
}

static enum ry_err fit_two(const struct ry_topo_spec *spec, const struct need *need,
                           struct ry_clos_shape *s, struct ry_diag *diag)
{
    const size_t links = need->leaves_grown * s->leaf_up;
    const size_t fewest = ry_div_up(links, s->spine_radix);

    s->tiers = 2;
    s->pods = 1;
    s->leaves = need->leaves;
    s->pod_leaves = need->leaves;
    if (need->leaves_grown == 1 && spec->spines > 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "spines",
                       "%zu spines: one leaf holds all %zu ports and needs none",
                       spec->spines, s->endpoints);
    if (need->leaves_grown == 1) {
        s->leaf_up = 0;
        return RY_OK;
    }
    if (fewest > s->leaf_up)
        return refuse_two_tiers(s, need, diag);
    s->pod_spines = spec->spines                        ? spec->spines
                    : spec->policy == RY_SPINES_MIN     ? fewest
                                                        : ry_balanced_spines(fewest, s->leaf_up);
    if (s->pod_spines < fewest || s->pod_spines > s->leaf_up)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "spines",
                       "%zu spines: %zu leaves with %zu uplinks need at least %zu of %zu "
                       "ports, and no more than one for each uplink of a leaf",
                       s->pod_spines, need->leaves_grown, s->leaf_up, fewest,
                       s->spine_radix);
    return RY_OK;
}

static enum ry_err fit_three(const struct ry_topo_spec *spec, const struct need *need,
                             struct ry_clos_shape *s, struct ry_diag *diag)
{
    const struct ry_pods p = ry_clos_pods((struct ry_pods_input){
        need->leaves_grown, s->leaf_up, s->spine_radix, need->quantum, spec->core_ratio,
        spec->policy});

    if (p.pods == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "core_ratio",
                       "%zu ports do not split %g:%g into whole ports", s->spine_radix,
                       spec->core_ratio.down, spec->core_ratio.up);
    if (p.pod_spines > s->leaf_up)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "tiers=3",
                       "no balanced spines for %zu uplinks of a leaf", s->leaf_up);
    if (!p.fits)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "tiers=3",
                       "%zu ports a plane need %zu pods of %zu leaves, but a core switch "
                       "has %zu ports, one for each pod: at most %zu ports; four tiers "
                       "are not built",
                       s->endpoints, p.pods, p.pod_leaves, s->spine_radix,
                       s->spine_radix * p.spine_down_most * s->leaf_down);
    s->tiers = 3;
    s->leaves = need->leaves;
    s->pod_leaves = p.pod_leaves;
    s->pods = ry_div_up(s->leaves, s->pod_leaves);
    s->pod_spines = p.pod_spines;
    s->spine_up = p.spine_up;
    s->core_radix = s->spine_radix;
    s->spine_cores = p.spine_cores;
    return RY_OK;
}

static bool one_switch_holds(const struct ry_topo_spec *spec,
                             const struct ry_clos_shape *s, size_t nodes_grown)
{
    const size_t grown =
        nodes_grown * (s->attach == RY_ATTACH_FILL ? s->nics : s->nics / s->rails);
    return s->attach != RY_ATTACH_RAILS && grown + spec->keep <= spec->radix &&
           s->planes * s->endpoints + spec->ufm <= s->planes * (spec->radix - spec->keep);
}

static enum ry_err fit_one(const struct ry_topo_spec *spec, struct ry_clos_shape *s,
                           bool holds, struct ry_diag *diag)
{
    if (!holds)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "tiers=1",
                       "%zu ports a plane do not fit one switch of %zu ports (%zu kept); "
                       "take two tiers",
                       s->endpoints + spec->ufm, spec->radix, spec->keep);
    s->tiers = 1;
    s->leaves = s->pods = s->pod_leaves = 1;
    s->leaf_down = spec->radix - spec->keep;
    s->leaf_fill = s->endpoints;
    s->leaf_up = 0;
    return RY_OK;
}

static enum ry_err fit_tiers(const struct ry_topo_spec *spec, const struct need *need,
                             bool one_holds, struct ry_clos_shape *s, struct ry_diag *diag)
{
    struct ry_clos_shape two = *s;

    if (spec->spines > 0 && (spec->tiers == 1 || spec->tiers == 3))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "spines",
                       "%zu spines: their number is given for two tiers alone, not tiers=%zu",
                       spec->spines, spec->tiers);
    if (spec->tiers == 1 || (spec->tiers == 0 && spec->spines == 0 && one_holds))
        return fit_one(spec, s, one_holds, diag);
    if (spec->tiers == 3)
        return fit_three(spec, need, s, diag);
    const enum ry_err err = fit_two(spec, need, &two, diag);
    if (err == RY_ERR_INFEASIBLE && spec->tiers == 0 && spec->spines == 0)
        return fit_three(spec, need, s, diag);
    *s = two;
    return err;
}

static enum ry_err shape_of(const struct ry_topo_spec *spec, enum ry_attach attach,
                            const struct ry_topo_plan *plan, struct ry_clos_shape *shape,
                            struct ry_diag *diag)
{
    struct ry_clos_shape s = {
        .attach = attach,
        .nodes = plan->nodes,
        .nics = spec->nics ? spec->nics : plan->gpus / plan->nodes,
        .nic_planes = spec->planes ? spec->planes : 1,
        .spine_radix = spec->spine_radix ? spec->spine_radix : spec->radix,
    };
    struct need need = {0};
    size_t nodes_grown = 0;

    s.planes = s.nic_planes;
    s.rails = spec->rails ? spec->rails : s.nics;
    if (s.rails > s.nics || (attach == RY_ATTACH_RAIL_ONLY && s.nics % s.rails != 0))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "rails",
                       "%zu NICs of a node do not spread evenly over %zu rails", s.nics,
                       s.rails);
    RY_TRY(grown_nodes(spec, plan, &nodes_grown, diag));
    RY_TRY(leaf_ports(spec, &s, diag));
    if (attach == RY_ATTACH_RAILS)
        RY_TRY(attach_rails(spec, &s, nodes_grown, &need, diag));
    else if (attach == RY_ATTACH_RAIL_ONLY)
        attach_rail_only(&s, nodes_grown, &need);
    else
        attach_fill(&s, nodes_grown, &need);
    RY_TRY(fit_tiers(spec, &need, one_switch_holds(spec, &s, nodes_grown), &s, diag));
    if (attach != RY_ATTACH_RAILS &&
        spec->ufm > s.leaves * s.leaf_down * s.planes - s.endpoints * s.planes)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "ufm",
                       "%zu free node ports on leaves are fewer than %zu fabric-manager "
                       "ports",
                       s.leaves * s.leaf_down * s.planes - s.endpoints * s.planes,
                       spec->ufm);
    *shape = s;
    return RY_OK;
}

static size_t switches_of(const struct ry_clos_shape *s)
{
    return s->planes * (s->leaves + s->pods * s->pod_spines + s->pod_spines * s->spine_cores);
}

static size_t divisor(size_t a, size_t b)
{
    while (b > 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The ratio in fewer ports of a leaf, where uplinks that are spread evenly take more spines
 * than have the ports. */
static void take_fewer(const struct ry_topo_spec *spec, enum ry_attach attach,
                       const struct ry_topo_plan *plan, struct ry_clos_shape *shape)
{
    const size_t most = divisor(shape->leaf_down, shape->leaf_up);
    const size_t down = shape->leaf_down / most;
    const size_t up = shape->leaf_up / most;
    struct ry_topo_spec less = *spec;

    for (size_t m = most - 1; m > 0 && 4 * m >= 3 * most; m--) {
        struct ry_clos_shape other;
        less.down = down * m;
        less.up = up * m;
        if (shape_of(&less, attach, plan, &other, NULL) == RY_OK &&
            other.tiers == 2 && switches_of(&other) < switches_of(shape))
            *shape = other;
    }
}

enum ry_err ry_clos_shape(const struct ry_topo_spec *spec, enum ry_attach attach,
                          const struct ry_topo_plan *plan, struct ry_clos_shape *shape,
                          struct ry_diag *diag)
{
    RY_TRY(shape_of(spec, attach, plan, shape, diag));
    if (shape->tiers == 2 && spec->down == 0 && spec->up == 0 && spec->spines == 0 &&
        spec->su_nodes == 0 && spec->grow == 0 &&
        shape->pod_spines > ry_div_up(shape->leaves * shape->leaf_up, shape->spine_radix))
        take_fewer(spec, attach, plan, shape);
    return RY_OK;
}

/* Node ports on a leaf of one plane. */
static size_t leaf_hosts(const struct ry_clos_shape *s, size_t leaf)
{
    if (s->attach != RY_ATTACH_RAILS) {
        const size_t before = leaf * s->leaf_down;
        return before >= s->endpoints ? 0 : ry_least(s->leaf_down, s->endpoints - before);
    }
    const size_t before = leaf / s->rails * s->unit_nodes;
    const size_t nodes = before >= s->nodes ? 0 : ry_least(s->unit_nodes, s->nodes - before);
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
    const double up_rate =
        spec->up_bytes_per_s > 0.0 ? spec->up_bytes_per_s : spec->speed_bytes_per_s;
    size_t on_leaf = 0;
    size_t in_pod = 0;

    most_hosts(s, &on_leaf, &in_pod);
    if (s->leaf_up > 0)
        cut[0] = (double)on_leaf * spec->speed_bytes_per_s / ((double)s->leaf_up * up_rate);
    if (s->tiers == 3 && s->pods > 1)
        cut[1] = (double)in_pod * spec->speed_bytes_per_s /
                 ((double)(s->pod_spines * s->spine_up) * up_rate);
}

/* The narrowest cut between halves, where halves are whole leaves or pods. */
static double bisection(const struct ry_topo_spec *spec, const struct ry_clos_shape *s)
{
    const double up_rate =
        spec->up_bytes_per_s > 0.0 ? spec->up_bytes_per_s : spec->speed_bytes_per_s;
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
    const double up_rate =
        spec->up_bytes_per_s > 0.0 ? spec->up_bytes_per_s : spec->speed_bytes_per_s;
    const size_t hosts = s->endpoints * s->planes;
    const size_t ups = s->leaves * s->leaf_up * s->planes;
    const size_t spines = s->pods * s->pod_spines * s->planes;
    const size_t core_links = spines * s->spine_up;

    plan->ports_per_node = s->nics * s->nic_planes;
    plan->endpoint_ports = hosts;
    plan->managers = spec->ufm;
    ry_plan_add_tier(plan, style->tier[0], s->leaves * s->planes, s->leaf_radix,
                     hosts + spec->ufm + ups);
    ry_plan_add_level(plan, style->level[0], hosts + spec->ufm, 1, spec->speed_bytes_per_s);
    if (s->pod_spines > 0) {
        ry_plan_add_tier(plan, style->tier[1], spines, s->spine_radix, ups + core_links);
        ry_plan_add_level(plan, style->level[1], ups, spec->links_per_cable, up_rate);
    }
    if (s->tiers == 3) {
        ry_plan_add_tier(plan, style->tier[2], s->pod_spines * s->spine_cores * s->planes,
                         s->core_radix, core_links);
        ry_plan_add_level(plan, style->level[2], core_links, spec->links_per_cable, up_rate);
    }
    claim(spec, s, &plan->claims);
}

/* Building. */

struct built {
    const struct ry_clos_shape *s;
    const struct ry_build *build;
    struct ry_graph *graph;
    uint32_t first_leaf, first_spine, first_core;
};

static uint16_t add_class(struct built *b, const struct ry_clos_style *style, int tier)
{
    const size_t cage = b->build->spec->cage;

    return ry_graph_class(b->graph, &(struct ry_device_class){
                                        .kind = style->kind,
                                        .name = ry_class_name(b->graph, b->build,
                                                              style->tier[tier]),
                                        .fabric = b->build->spec->fabric,
                                        .tier = (uint16_t)(tier + 1),
                                        .ports_per_cage = (uint16_t)(cage ? cage : 1),
                                    });
}

static double up_rate_of(const struct ry_topo_spec *spec)
{
    return spec->up_bytes_per_s > 0.0 ? spec->up_bytes_per_s : spec->speed_bytes_per_s;
}

static void add_leaves(struct built *b, const struct ry_clos_style *style)
{
    const struct ry_clos_shape *s = b->s;
    const uint16_t of = add_class(b, style, 0);

    b->first_leaf = (uint32_t)b->graph->n_devices;
    for (size_t i = 0; i < s->planes * s->leaves; i++) {
        const size_t leaf = i % s->leaves;
        const uint32_t device = ry_graph_device(
            b->graph, &(struct ry_new_device){
                          .of = of,
                          .plane = (uint16_t)(i / s->leaves),
                          .unit = (uint32_t)(leaf / s->pod_leaves),
                          .ports = (uint32_t)s->leaf_radix,
                          .bytes_per_s = b->build->spec->speed_bytes_per_s,
                      });
        ry_graph_set_rate(b->graph, device, (uint32_t)(s->leaf_radix - s->leaf_up),
                          (uint32_t)s->leaf_up, up_rate_of(b->build->spec));
    }
}

static uint32_t add_switches(struct built *b, const struct ry_clos_style *style, int tier)
{
    const struct ry_clos_shape *s = b->s;
    const size_t per_plane = tier == 1 ? s->pods * s->pod_spines
                                       : s->pod_spines * s->spine_cores;
    const uint16_t of = add_class(b, style, tier);
    const uint32_t first = (uint32_t)b->graph->n_devices;

    for (size_t i = 0; i < s->planes * per_plane; i++)
        (void)ry_graph_device(
            b->graph,
            &(struct ry_new_device){
                .of = of,
                .plane = (uint16_t)(i / per_plane),
                .unit = tier == 1 ? (uint32_t)(i % per_plane / s->pod_spines) : 0,
                .ports = (uint32_t)(tier == 1 ? s->spine_radix : s->core_radix),
                .bytes_per_s = up_rate_of(b->build->spec),
            });
    return first;
}

/* Plane, leaf and down port of port j of a node. */
struct place {
    size_t plane, leaf, slot;
};

static struct place place_of(const struct ry_clos_shape *s, size_t node, size_t j)
{
    const size_t nic = j / s->nic_planes;
    const size_t nic_plane = j % s->nic_planes;
    const size_t endpoint = node * s->nics + nic;

    if (s->attach == RY_ATTACH_FILL)
        return (struct place){nic_plane, endpoint / s->leaf_down, endpoint % s->leaf_down};
    if (s->attach == RY_ATTACH_RAIL_ONLY) {
        const size_t at = node * (s->nics / s->rails) + nic / s->rails;
        return (struct place){nic % s->rails * s->nic_planes + nic_plane,
                              at / s->leaf_down, at % s->leaf_down};
    }
    const size_t per_leaf = ry_div_up(s->nics, s->rails);
    return (struct place){nic_plane, node / s->unit_nodes * s->rails + nic % s->rails,
                          node % s->unit_nodes * per_leaf + nic / s->rails};
}

static uint16_t add_level(struct built *b, const struct ry_clos_style *style, int rank)
{
    const struct ry_topo_spec *spec = b->build->spec;
    const size_t per_cable = rank > 0 && spec->links_per_cable ? spec->links_per_cable : 1;

    return ry_graph_level(
        b->graph, &(struct ry_level){
                      .name = style->level[rank],
                      .fabric = spec->fabric,
                      .media = rank == 0 ? spec->media : style->trunk_media,
                      .rank = (uint16_t)rank,
                      .fabric_index = b->build->fabric_index,
                      .links_per_cable = (uint16_t)per_cable,
                  });
}

static void join_nodes(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;
    const size_t per_node = b->build->plan->ports_per_node;

    for (size_t node = 0; node < s->nodes; node++) {
        for (size_t j = 0; j < per_node; j++) {
            const struct place at = place_of(s, node, j);
            const uint32_t leaf = b->first_leaf + (uint32_t)(at.plane * s->leaves + at.leaf);
            ry_graph_join(b->graph, level,
                          ry_graph_port(b->graph, b->build->first_node + (uint32_t)node,
                                        b->build->first_node_port + j),
                          ry_graph_port(b->graph, leaf, at.slot));
        }
    }
}

/* Fabric managers take free node ports, from the last leaf on, one a leaf in turn. */
static void join_managers(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;
    const uint32_t leaves = (uint32_t)(s->leaves * s->planes);
    const size_t n = b->build->spec->ufm;

    if (n == 0)
        return;
    const uint16_t of = ry_graph_class(
        b->graph, &(struct ry_device_class){.kind = RY_DEVICE_MANAGER,
                                            .name = ry_class_name(b->graph, b->build, "ufm"),
                                            .fabric = b->build->spec->fabric,
                                            .ports_per_cage = 1});
    for (size_t i = 0, leaf = 0; i < n; leaf++) {
        const uint32_t at = b->first_leaf + leaves - 1 - (uint32_t)(leaf % leaves);
        size_t slot = s->leaf_down;
        while (slot > 0 &&
               b->graph->ports[ry_graph_port(b->graph, at, slot - 1)].cable != RY_NONE)
            slot--;
        if (slot == 0)
            continue;
        const uint32_t manager = ry_graph_device(
            b->graph, &(struct ry_new_device){
                          .of = of, .ports = 1,
                          .bytes_per_s = b->build->spec->speed_bytes_per_s});
        ry_graph_join(b->graph, level, ry_graph_port(b->graph, manager, 0),
                      ry_graph_port(b->graph, at, slot - 1));
        i++;
    }
}

/* Uplinks go round the spines, so that every spine gets its share of every leaf. */
static void join_spines(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;

    for (size_t i = 0; i < s->planes * s->leaves; i++) {
        const size_t plane = i / s->leaves;
        const size_t pod = i % s->leaves / s->pod_leaves;
        const size_t in_pod = i % s->leaves % s->pod_leaves;
        const size_t spines = (plane * s->pods + pod) * s->pod_spines;
        for (size_t u = 0; u < s->leaf_up; u++) {
            const size_t k = in_pod * s->leaf_up + u;
            ry_graph_join(
                b->graph, level,
                ry_graph_port(b->graph, b->first_leaf + (uint32_t)i,
                              s->leaf_radix - s->leaf_up + u),
                ry_graph_port(b->graph,
                              b->first_spine + (uint32_t)(spines + k % s->pod_spines),
                              k / s->pod_spines));
        }
    }
}

static void join_cores(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;
    const size_t spines = s->pods * s->pod_spines;

    for (size_t i = 0; i < s->planes * spines; i++) {
        const size_t plane = i / spines;
        const size_t pod = i % spines / s->pod_spines;
        const size_t index = i % s->pod_spines;
        const size_t cores = (plane * s->pod_spines + index) * s->spine_cores;
        for (size_t u = 0; u < s->spine_up; u++) {
            const size_t k = pod * s->spine_up + u;
            ry_graph_join(
                b->graph, level,
                ry_graph_port(b->graph, b->first_spine + (uint32_t)i,
                              s->spine_radix - s->spine_up + u),
                ry_graph_port(b->graph,
                              b->first_core + (uint32_t)(cores + k % s->spine_cores),
                              k / s->spine_cores));
        }
    }
}

static void set_units(struct built *b)
{
    const struct ry_clos_shape *s = b->s;

    if (b->build->fabric_index > 0 || s->attach != RY_ATTACH_RAILS)
        return;
    for (size_t node = 0; node < s->nodes; node++)
        b->graph->devices[b->build->first_node + node].unit =
            (uint32_t)(node / s->unit_nodes);
}

enum ry_err ry_clos_build(struct ry_graph *graph, const struct ry_build *build,
                          const struct ry_clos_shape *shape,
                          const struct ry_clos_style *style, struct ry_diag *diag)
{
    struct built b = {.s = shape, .build = build, .graph = graph};

    (void)diag;
    add_leaves(&b, style);
    if (shape->pod_spines > 0)
        b.first_spine = add_switches(&b, style, 1);
    if (shape->tiers == 3)
        b.first_core = add_switches(&b, style, 2);
    set_units(&b);
    const uint16_t access = add_level(&b, style, 0);
    join_nodes(&b, access);
    join_managers(&b, access);
    if (shape->pod_spines > 0)
        join_spines(&b, add_level(&b, style, 1));
    if (shape->tiers == 3)
        join_cores(&b, add_level(&b, style, 2));
    return RY_OK;
}
