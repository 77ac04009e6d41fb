/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slurm topology.conf (tree and block) and NVIDIA topograph's model.  A tree has one
 * parent for each switch: spines collapse into one, rail leaves of a unit into one. */
#include "base/names.h"
#include "report/export.h"
#include "topology/slurm.h"

#include <string.h>

/* Host list of the nodes of a group. */
static const char *nodes_of(const struct ry_export_input *in,
                            const struct ry_node_groups *groups, size_t group)
{
    const struct ry_device_class *nodes = &in->graph->classes[0];
    const char **names = RY_NEW(in->arena, const char *, groups->size[group] + 1);
    size_t n = 0;

    for (uint32_t i = 0; names && i < nodes->count; i++)
        if (groups->of[i] == group)
            names[n++] = ry_export_device(in, nodes->first + i);
    return names ? ry_hostlist_fold(in->arena, names, n, false) : NULL;
}

/* Groups of a pod as a host list, "su[0-3]". */
static const char *groups_of(const struct ry_export_input *in,
                             const struct ry_node_groups *groups, size_t pod)
{
    const char **names = RY_NEW(in->arena, const char *, groups->n + 1);
    size_t n = 0;

    for (size_t i = 0; names && i < groups->n; i++)
        if (groups->above[i] == pod)
            names[n++] = ry_strfmt(in->arena, "group%zu", i);
    return names ? ry_hostlist_fold(in->arena, names, n, false) : NULL;
}

static enum ry_err write_tree(const struct ry_export_input *in, FILE *out,
                              struct ry_diag *diag)
{
    struct ry_node_groups groups;

    RY_TRY(ry_graph_groups(in->arena, in->graph, &groups, diag));
    (void)fprintf(out, "# Slurm topology.conf, TopologyPlugin=topology/tree: %s\n",
                  in->name);
    for (size_t i = 0; i < groups.n; i++) {
        const char *nodes = nodes_of(in, &groups, i);
        if (!nodes)
            return ry_export_no_memory(diag);
        (void)fprintf(out, "SwitchName=group%zu Nodes=%s\n", i, nodes);
    }
    for (size_t p = 0; groups.pods > 1 && p < groups.pods; p++)
        (void)fprintf(out, "SwitchName=pod%zu Switches=%s\n", p,
                      groups_of(in, &groups, p));
    if (groups.pods > 1)
        (void)fprintf(out, "SwitchName=core Switches=pod[0-%zu]\n", groups.pods - 1);
    else if (groups.n > 1)
        (void)fprintf(out, "SwitchName=fabric Switches=%s\n", groups_of(in, &groups, 0));
    return RY_OK;
}

const struct ry_export ry_export_slurm_tree = {
    .name = "slurm-tree",
    .summary = "Slurm topology.conf, tree plugin",
    .write = write_tree,
};

/* Trays of a node: hosts of the design; 0 where a GPU is a device by itself.  A text form
 * names no part: from a size on that no one host has, its nodes are taken for racks like
 * the NVL72. */
static size_t trays_of(const struct ry_export_input *in)
{
    enum { TEXT_HOST_GPUS_MOST = 32, TEXT_TRAY_GPUS = 4 };
    const size_t gpus = in->graph->classes[0].gpus;

    if (in->design)
        return gpus / in->design->gpus_per_host;
    return gpus > TEXT_HOST_GPUS_MOST && gpus % TEXT_TRAY_GPUS == 0
               ? gpus / TEXT_TRAY_GPUS
               : 1;
}

static enum ry_err write_lines(const struct ry_names *lines, FILE *out)
{
    for (size_t i = 0; i < lines->n; i++)
        (void)fprintf(out, "%s\n", lines->at[i]);
    return RY_OK;
}

static enum ry_err write_block(const struct ry_export_input *in, FILE *out,
                               struct ry_diag *diag)
{
    const struct ry_device_class *nodes = &in->graph->classes[0];
    struct ry_node_groups groups;
    static const char head[] = "# Slurm topology.conf, TopologyPlugin=topology/block";
    const size_t trays = trays_of(in);
    size_t smallest = SIZE_MAX;

    if (trays > 1) {
        struct ry_names lines;
        (void)fprintf(out, "%s: %s\n", head, in->name);
        RY_TRY(ry_slurm_blocks(in->arena, nodes->count, trays, &lines, diag));
        return write_lines(&lines, out);
    }
    RY_TRY(ry_graph_groups(in->arena, in->graph, &groups, diag));
    (void)fprintf(out, "%s: %s\n", head, in->name);
    for (size_t i = 0; i < groups.n; i++) {
        const char *hosts = nodes_of(in, &groups, i);
        if (!hosts)
            return ry_export_no_memory(diag);
        (void)fprintf(out, "BlockName=group%zu Nodes=%s\n", i, hosts);
        smallest = groups.size[i] < smallest ? groups.size[i] : smallest;
    }
    const struct ry_block_sizes sizes = ry_block_sizes(smallest, groups.n);
    const char *line = ry_block_sizes_line(in->arena, &sizes);
    if (!line)
        return ry_export_no_memory(diag);
    (void)fprintf(out, "%s\n", line);
    return RY_OK;
}

const struct ry_export ry_export_slurm_block = {
    .name = "slurm-block",
    .summary = "Slurm topology.conf, block plugin",
    .write = write_block,
};

/* https://github.com/NVIDIA/topograph: switches, then blocks of nodes. */
static enum ry_err write_topograph(const struct ry_export_input *in, FILE *out,
                                   struct ry_diag *diag)
{
    struct ry_node_groups groups;

    RY_TRY(ry_graph_groups(in->arena, in->graph, &groups, diag));
    (void)fputs("switches:\n  core: {switches: [", out);
    for (size_t i = 0; i < groups.n; i++)
        (void)fprintf(out, "%sgroup%zu", i ? ", " : "", i);
    (void)fputs("]}\nblocks:\n", out);
    for (size_t i = 0; i < groups.n; i++) {
        const char *nodes = nodes_of(in, &groups, i);
        if (!nodes)
            return ry_export_no_memory(diag);
        (void)fprintf(out, "- switch: group%zu\n  nodes: [\"%s\"]\n", i, nodes);
    }
    return RY_OK;
}

const struct ry_export ry_export_topograph = {
    .name = "topograph",
    .summary = "NVIDIA topograph model, YAML",
    .write = write_topograph,
};
