/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/launch.h"

#include "base/names.h"
#include "base/order.h"
#include "io/file.h"
#include "plan/fabric_graph.h"
#include "topology/family.h"
#include "topology/groups.h"
#include "topology/slurm.h"

#include <stdlib.h>
#include <string.h>

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "launch", "out of memory");
}

static enum ry_err check_hosts(struct ry_arena *arena, const struct ry_names *hosts,
                               struct ry_diag *diag)
{
    const char **sorted = RY_NEW(arena, const char *, hosts->n + 1);
    char shown[RY_SHOWN_BYTES];

    if (!sorted)
        return no_memory(diag);
    for (size_t i = 0; i < hosts->n; i++) {
        sorted[i] = hosts->at[i];
        if (!ry_launch_plain(hosts->at[i]) || strpbrk(hosts->at[i], ":/"))
            return ry_fail(diag, RY_ERR_RANGE, "--hosts",
                           "'%s' is no host name: letters, digits, '.', '_', '-'",
                           ry_shown(hosts->at[i], shown));
    }
    qsort(sorted, hosts->n, sizeof(sorted[0]), ry_by_text);
    for (size_t i = 1; i < hosts->n; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return ry_fail(diag, RY_ERR_RANGE, "--hosts", "'%.60s' is there twice",
                           sorted[i]);
    }
    return RY_OK;
}

static enum ry_err given_hosts(struct ry_launch_plan *launch, const char *given, size_t n,
                               struct ry_diag *diag)
{
    RY_TRY(ry_hostlist_expand(launch->arena, given, &launch->hosts, diag));
    if (launch->hosts.n < n)
        return ry_fail(diag, RY_ERR_RANGE, "--hosts", "%zu hosts, the job takes %zu",
                       launch->hosts.n, n);
    launch->hosts.n = n;
    launch->hosts_given = true;
    return check_hosts(launch->arena, &launch->hosts, diag);
}

/* Names of the plan: nodes as the topology has them, trays of racks counted. */
static enum ry_err plan_hosts(struct ry_launch_plan *launch, const struct ry_graph *graph,
                              size_t n, bool trays, struct ry_diag *diag)
{
    launch->hosts = (struct ry_names){n, RY_NEW(launch->arena, const char *, n)};
    for (size_t i = 0; launch->hosts.at && i < n; i++) {
        char name[RY_DEVICE_NAME_BYTES];
        const bool known = !trays && graph && i < graph->classes[0].count;
        launch->hosts.at[i] =
            known
                ? ry_strdup(
                      launch->arena,
                      ry_graph_name(graph, graph->classes[0].first + (uint32_t)i, name))
                : ry_strfmt(launch->arena, trays ? "t%zu" : "node%zu", trays ? i + 1 : i);
        if (!launch->hosts.at[i])
            return no_memory(diag);
    }
    return launch->hosts.at ? RY_OK : no_memory(diag);
}

static enum ry_err add_line(struct ry_launch_plan *launch, const char *line,
                            struct ry_diag *diag)
{
    if (!line)
        return no_memory(diag);
    launch->topology.at[launch->topology.n++] = line;
    return RY_OK;
}

/* Hosts of the job that a group has, folded; NULL: none, or no memory. */
static const char *hosts_of(const struct ry_launch_plan *launch, const uint32_t group[],
                            size_t g)
{
    const char **names = RY_NEW(launch->arena, const char *, launch->hosts.n);
    size_t n = 0;

    for (size_t i = 0; names && i < launch->hosts.n; i++)
        if (group[i] == g)
            names[n++] = launch->hosts.at[i];
    return n > 0 ? ry_hostlist_fold(launch->arena, names, n, false) : NULL;
}

/* "a,b" of "a" and "b"; NULL: no memory. */
static const char *appended(struct ry_arena *arena, const char *list, const char *name,
                            size_t bytes)
{
    return ry_strfmt(arena, "%s%s%.*s", list ? list : "", list ? "," : "", (int)bytes,
                     name);
}

/* The groups of a pod that have hosts of the job; NULL: none. */
static const char *groups_of(const struct ry_launch_plan *launch,
                             const struct ry_node_groups *groups, size_t pod)
{
    const char *list = NULL;

    for (size_t i = 0; i < groups->n; i++) {
        const char *name = ry_strfmt(launch->arena, "group%zu", i);
        if (name && groups->above[i] == pod && hosts_of(launch, groups->of, i))
            list = appended(launch->arena, list, name, strlen(name));
    }
    return list;
}

/* A switch over the lines from @p first on, where there is more than one. */
static enum ry_err root_line(struct ry_launch_plan *launch, size_t first,
                             struct ry_diag *diag)
{
    const char *list = NULL;

    if (launch->topology.n - first < 2)
        return RY_OK;
    for (size_t i = first; i < launch->topology.n; i++) {
        const char *name = launch->topology.at[i] + strlen("SwitchName=");
        list = appended(launch->arena, list, name, strcspn(name, " "));
    }
    return add_line(
        launch, ry_strfmt(launch->arena, "SwitchName=fabric Switches=%s", list), diag);
}

/* topology/tree: switches of hosts, pods of switches, one root. */
static enum ry_err tree_lines(struct ry_launch_plan *launch,
                              const struct ry_node_groups *groups, struct ry_diag *diag)
{
    struct ry_arena *arena = launch->arena;
    size_t first = 0;

    for (size_t i = 0; i < groups->n; i++) {
        const char *hosts = hosts_of(launch, groups->of, i);
        if (hosts)
            RY_TRY(add_line(launch,
                            ry_strfmt(arena, "SwitchName=group%zu Nodes=%s", i, hosts),
                            diag));
    }
    if (groups->pods > 1)
        first = launch->topology.n;
    for (size_t p = 0; groups->pods > 1 && p < groups->pods; p++) {
        const char *list = groups_of(launch, groups, p);
        if (list)
            RY_TRY(add_line(launch,
                            ry_strfmt(arena, "SwitchName=pod%zu Switches=%s", p, list),
                            diag));
    }
    return root_line(launch, first, diag);
}

/* topology/block: a block a rack of trays that NVLink joins. */
static enum ry_err block_lines(struct ry_launch_plan *launch, size_t trays,
                               struct ry_diag *diag)
{
    const size_t racks = (launch->hosts.n + trays - 1) / trays;
    uint32_t *rack = RY_NEW(launch->arena, uint32_t, launch->hosts.n);

    if (!rack)
        return no_memory(diag);
    for (size_t i = 0; i < launch->hosts.n; i++)
        rack[i] = (uint32_t)(i / trays);
    for (size_t i = 0; i < racks; i++)
        RY_TRY(add_line(launch,
                        ry_strfmt(launch->arena, "BlockName=rack%zu Nodes=%s", i + 1,
                                  hosts_of(launch, rack, i)),
                        diag));
    const struct ry_block_sizes sizes = ry_block_sizes(trays, racks);
    return add_line(launch, ry_block_sizes_line(launch->arena, &sizes), diag);
}

enum ry_err ry_launch_hosts(struct ry_launch_plan *launch, const char *given,
                            struct ry_diag *diag)
{
    const struct ry_design *design = launch->job.design;
    const size_t n = ry_rank_hosts(design, ry_rank_count(launch->job.strategy));
    const bool trays = design->gpus_per_host < design->gpus_per_node;
    struct ry_topo_specs *specs = RY_NEW(launch->arena, struct ry_topo_specs, 1);
    struct ry_graph *graph = NULL;
    struct ry_node_groups groups = {0};

    if (!specs)
        return no_memory(diag);
    RY_TRY(ry_design_topology(design, specs, diag));
    if (!trays && n > 1)
        RY_TRY(ry_topo_build(launch->arena, specs, &graph, diag));
    RY_TRY(given ? given_hosts(launch, given, n, diag)
                 : plan_hosts(launch, graph, n, trays, diag));
    launch->topology.at = RY_NEW(launch->arena, const char *, 2 * n + 4);
    if (!launch->topology.at)
        return no_memory(diag);
    if (n < 2)
        return RY_OK;
    if (trays)
        return block_lines(launch, design->gpus_per_node / design->gpus_per_host, diag);
    RY_TRY(ry_graph_groups(launch->arena, graph, &groups, diag));
    return tree_lines(launch, &groups, diag);
}
