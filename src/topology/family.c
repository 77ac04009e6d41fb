/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/family.h"

#include "base/names.h"

#include <string.h>

#define X(symbol) extern const struct ry_family symbol;
#include "topology/families.def"
#undef X

static const struct ry_family *const families[] = {
#define X(symbol) &symbol,
#include "topology/families.def"
#undef X
};

const struct ry_family *ry_family_at(size_t i)
{
    return i < sizeof(families) / sizeof(families[0]) ? families[i] : NULL;
}

static char folded(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

static bool same(const char *a, const char *b)
{
    if (!a)
        return false;
    while (*a != '\0' && folded(*a) == folded(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

const struct ry_family *ry_family_find(const char *name)
{
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
        if (same(families[i]->name, name) || same(families[i]->alias, name))
            return families[i];
    return NULL;
}

enum ry_err ry_topo_no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "topology", "out of memory");
}

enum ry_err ry_topo_plan(const struct ry_topo_spec *spec, struct ry_topo_plan *plan,
                         struct ry_diag *diag)
{
    struct ry_topo_plan made = {0};

    RY_TRY(spec->family->plan(spec, &made, diag));
    made.claims.name = spec->fabric;
    made.claims.family = spec->family->name;
    for (size_t i = 0; i < made.tiers; i++)
        made.switches += made.tier[i].switches;
    for (size_t i = 0; i < made.levels; i++)
        made.links += made.level[i].links;
    *plan = made;
    return RY_OK;
}

enum ry_err ry_plan_nodes(const struct ry_topo_spec *spec, struct ry_topo_plan *plan,
                          struct ry_diag *diag)
{
    const size_t per_node = spec->gpus_per_node ? spec->gpus_per_node : 1;

    if (spec->nodes == 0 && spec->gpus == 0)
        return ry_fail(diag, RY_ERR_RANGE, spec->family->name, "needs nodes=N or gpus=N");
    plan->nodes = spec->nodes ? spec->nodes : spec->gpus / per_node;
    plan->gpus = plan->nodes * per_node;
    if (spec->gpus && plan->gpus != spec->gpus)
        return ry_fail(diag, RY_ERR_RANGE, spec->family->name,
                       "gpus=%zu is not nodes times %zu GPUs a node", spec->gpus,
                       per_node);
    return RY_OK;
}

void ry_plan_add_tier(struct ry_topo_plan *plan, const char *name, size_t switches,
                      size_t radix, size_t used)
{
    plan->tier[plan->tiers++] =
        (struct ry_plan_tier){name, switches, radix, used, switches * radix - used};
}

void ry_plan_add_level(struct ry_topo_plan *plan, const char *name, size_t links,
                       size_t links_per_cable, double bytes_per_s)
{
    const size_t per = links_per_cable ? links_per_cable : 1;

    plan->level[plan->levels++] =
        (struct ry_plan_level){name, links, (links + per - 1) / per, bytes_per_s};
}

const char *ry_class_name(struct ry_graph *graph, const struct ry_build *build,
                          const char *name)
{
    const char *made = strcmp(build->spec->fabric, "compute") == 0
                           ? name
                           : ry_strfmt(graph->arena, "%s-%s", build->spec->fabric, name);
    return made ? made : name;
}

/* Later fabrics attach to the nodes of the first. */
static enum ry_err share_nodes(struct ry_topo_specs *specs, struct ry_topo_plan plans[],
                               struct ry_diag *diag)
{
    for (size_t i = 0; i < specs->n; i++) {
        struct ry_topo_spec *spec = &specs->at[i];
        if (i > 0 && spec->nodes == 0 && spec->gpus == 0 && plans[0].nodes > 0) {
            spec->nodes = plans[0].nodes;
            if (spec->gpus_per_node == 0)
                spec->gpus_per_node = plans[0].gpus / plans[0].nodes;
        }
        RY_TRY(ry_topo_plan(spec, &plans[i], diag));
        if (i > 0 && (spec->family->nodes_route || specs->at[0].family->nodes_route ||
                      spec->family->node_kind != specs->at[0].family->node_kind))
            return ry_fail(diag, RY_ERR_INFEASIBLE, spec->fabric,
                           "'%s' and '%s' do not share nodes", specs->at[0].family->name,
                           spec->family->name);
        if (plans[i].nodes != plans[0].nodes)
            return ry_fail(diag, RY_ERR_RANGE, spec->fabric,
                           "%zu nodes, but fabric '%s' has %zu", plans[i].nodes,
                           specs->at[0].fabric, plans[0].nodes);
    }
    return RY_OK;
}

/* A port takes 16 bytes, a link 24: some 2 GiB at most. */
enum { PORTS_MOST = 1 << 26 };

/* Room for everything that the plans count, nodes' ports included. */
static enum ry_err reserve(struct ry_graph *graph, const struct ry_topo_plan plans[],
                           size_t n, struct ry_diag *diag)
{
    size_t devices = plans[0].nodes;
    size_t ports = 0, links = 0;

    for (size_t i = 0; i < n; i++) {
        devices += plans[i].switches + plans[i].managers;
        ports += plans[0].nodes * plans[i].ports_per_node + plans[i].managers;
        links += plans[i].links;
        for (size_t t = 0; t < plans[i].tiers; t++)
            ports += plans[i].tier[t].switches * plans[i].tier[t].radix;
    }
    if (ports > PORTS_MOST || devices > PORTS_MOST || links > PORTS_MOST / 2)
        return ry_fail(diag, RY_ERR_RANGE, "topology",
                       "%zu devices with %zu ports and %zu links are above %d ports",
                       devices, ports, links, PORTS_MOST);
    return ry_graph_reserve(graph, devices, ports, links) ? RY_OK
                                                          : ry_topo_no_memory(diag);
}

static void add_nodes(struct ry_graph *graph, const struct ry_topo_specs *specs,
                      const struct ry_topo_plan plans[])
{
    const struct ry_family *family = specs->at[0].family;
    uint32_t ports = 0;

    for (size_t i = 0; i < specs->n; i++)
        ports += (uint32_t)plans[i].ports_per_node;
    const uint16_t of = ry_graph_class(
        graph,
        &(struct ry_device_class){
            .kind = family->node_kind,
            .name = family->node_kind == RY_DEVICE_GPU ? "gpu" : "node",
            .fabric = "",
            .tier = family->nodes_route,
            .ports_per_cage = (uint16_t)(specs->at[0].cage ? specs->at[0].cage : 1),
            .gpus = (uint32_t)(plans[0].gpus / plans[0].nodes),
        });
    for (size_t n = 0; n < plans[0].nodes; n++) {
        const uint32_t node = ry_graph_device(
            graph, &(struct ry_new_device){.of = of, .unit = 0, .ports = ports});
        uint32_t first = 0;
        for (size_t i = 0; i < specs->n; i++) {
            ry_graph_set_rate(graph, node, first, (uint32_t)plans[i].ports_per_node,
                              specs->at[i].speed_bytes_per_s);
            first += (uint32_t)plans[i].ports_per_node;
        }
    }
}

enum ry_err ry_topo_build(struct ry_arena *arena, const struct ry_topo_specs *given,
                          struct ry_graph **out, struct ry_diag *diag)
{
    struct ry_graph *graph = ry_graph_create(arena);
    struct ry_topo_specs *specs = RY_NEW(arena, struct ry_topo_specs, 1);
    struct ry_topo_plan *plans = RY_NEW(arena, struct ry_topo_plan, RY_FABRICS_MOST);
    size_t first_port = 0;

    if (!graph || !specs || !plans)
        return ry_topo_no_memory(diag);
    *specs = *given;
    RY_TRY(share_nodes(specs, plans, diag));
    if (plans[0].nodes == 0)
        return ry_fail(diag, RY_ERR_RANGE, "topology", "no nodes");
    RY_TRY(reserve(graph, plans, specs->n, diag));
    add_nodes(graph, specs, plans);
    for (size_t i = 0; i < specs->n; i++) {
        const struct ry_build build = {&specs->at[i], &plans[i], first_port, 0,
                                       (uint16_t)i};
        RY_TRY(specs->at[i].family->build(graph, &build, diag));
        plans[i].claims.first_node_port = first_port;
        graph->fabrics[graph->n_fabrics++] = plans[i].claims;
        first_port += plans[i].ports_per_node;
    }
    *out = graph;
    return RY_OK;
}
