/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos_shape.h"

#include "base/order.h"
#include "topology/clos.h"

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
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "ratio",
            "%zu ports do not split %g:%g into whole ports; give down= and up=", usable,
            spec->ratio.down, spec->ratio.up);
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

static void attach_rail_only(struct ry_clos_shape *s, size_t nodes_grown,
                             struct need *need)
{
    const size_t per_rail = s->nics / s->rails;

    s->endpoints = s->nodes * per_rail;
    s->planes = s->rails * s->nic_planes;
    s->leaf_fill = ry_least(s->leaf_down, s->endpoints);
    *need = (struct need){ry_div_up(s->endpoints, s->leaf_down),
                          ry_div_up(nodes_grown * per_rail, s->leaf_down), 1};
}

static enum ry_err attach_rails(const struct ry_topo_spec *spec, struct ry_clos_shape *s,
                                size_t nodes_grown, struct need *need,
                                struct ry_diag *diag)
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
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "ufm",
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

static enum ry_err refuse_two_tiers(const struct ry_clos_shape *s,
                                    const struct need *need, struct ry_diag *diag)
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
    s->pod_spines = spec->spines ? spec->spines
                    : spec->policy == RY_SPINES_MIN
                        ? fewest
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
    const struct ry_pods p = ry_clos_pods(
        (struct ry_pods_input){need->leaves_grown, s->leaf_up, s->spine_radix,
                               need->quantum, spec->core_ratio, spec->policy});

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
                             bool one_holds, struct ry_clos_shape *s,
                             struct ry_diag *diag)
{
    struct ry_clos_shape two = *s;

    if (spec->spines > 0 && (spec->tiers == 1 || spec->tiers == 3))
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "spines",
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
    return s->planes *
           (s->leaves + s->pods * s->pod_spines + s->pod_spines * s->spine_cores);
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

/* The ratio in fewer ports of a leaf, where uplinks that are spread evenly take more
 * spines than have the ports. */
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
        if (shape_of(&less, attach, plan, &other, NULL) == RY_OK && other.tiers == 2 &&
            switches_of(&other) < switches_of(shape))
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
