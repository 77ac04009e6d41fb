/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/interop.h"

#include "base/names.h"
#include "topology/hostlist.h"

#include <math.h>
#include <stdint.h>

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "topology.conf", "out of memory");
}

enum ry_err ry_slurm_tree(struct ry_arena *arena, const struct ry_slurm_leaf leaves[],
                          size_t n, const char *top, struct ry_names *lines,
                          struct ry_diag *diag)
{
    const char **names = RY_NEW(arena, const char *, n + 1);

    if (!names || !ry_names_create(arena, n + 1, lines))
        return no_memory(diag);
    for (size_t i = 0; i < n; i++) {
        names[i] = leaves[i].name;
        if (!ry_names_add(lines, ry_strfmt(arena, "SwitchName=%s Nodes=%s",
                                           leaves[i].name, leaves[i].nodes)))
            return no_memory(diag);
    }
    const char *all = ry_hostlist_fold(arena, names, n, false);
    if (!all ||
        !ry_names_add(lines, ry_strfmt(arena, "SwitchName=%s Switches=%s", top, all)))
        return no_memory(diag);
    return RY_OK;
}

enum ry_err ry_slurm_load(struct ry_arena *arena, const struct ry_slurm_leaf leaves[],
                          size_t n, struct ry_slurm_loaded *loaded, struct ry_diag *diag)
{
    const char *all = "";
    struct ry_names nodes = {0};

    for (size_t i = 0; all && i < n; i++)
        all = ry_strfmt(arena, "%s%s%s", all, i > 0 ? "," : "", leaves[i].nodes);
    if (!all)
        return no_memory(diag);
    RY_TRY(ry_hostlist_expand(arena, all, &nodes, diag));
    *loaded = (struct ry_slurm_loaded){
        .leaf_level = 0,
        .root_level = 1,
        .root_nodes = ry_hostlist_fold(arena, nodes.at, nodes.n, false),
        .leaf_leaf_hops = 2,
        .leaf_root_hops = 1,
    };
    return loaded->root_nodes ? RY_OK : no_memory(diag);
}

/* "n[first-last]", or one name, or nothing to fold. */
static const char *span(struct ry_arena *arena, const char *prefix, size_t first,
                        size_t last)
{
    return first == last ? ry_strfmt(arena, "%s%zu", prefix, first)
                         : ry_strfmt(arena, "%s[%zu-%zu]", prefix, first, last);
}

enum ry_err ry_slurm_pods(struct ry_arena *arena, size_t pods, size_t leaves_per_pod,
                          size_t nodes_per_leaf, struct ry_names *lines,
                          struct ry_diag *diag)
{
    const size_t leaves = pods * leaves_per_pod;

    if (pods == 0 || leaves_per_pod == 0 || nodes_per_leaf == 0)
        return ry_fail(diag, RY_ERR_RANGE, "topology.conf", "no pods, leaves or nodes");
    if (!ry_names_create(arena, leaves + pods + 1, lines))
        return no_memory(diag);
    for (size_t i = 0; i < leaves; i++) {
        const char *nodes =
            span(arena, "n", i * nodes_per_leaf + 1, (i + 1) * nodes_per_leaf);
        if (!nodes || !ry_names_add(lines, ry_strfmt(arena, "SwitchName=leaf%zu Nodes=%s",
                                                     i, nodes)))
            return no_memory(diag);
    }
    for (size_t i = 0; i < pods; i++) {
        const char *below =
            span(arena, "leaf", i * leaves_per_pod, (i + 1) * leaves_per_pod - 1);
        if (!below ||
            !ry_names_add(lines,
                          ry_strfmt(arena, "SwitchName=pod%zu Switches=%s", i, below)))
            return no_memory(diag);
    }
    const char *all = span(arena, "pod", 0, pods - 1);
    if (!all ||
        !ry_names_add(lines, ry_strfmt(arena, "SwitchName=core Switches=%s", all)))
        return no_memory(diag);
    return RY_OK;
}

bool ry_block_sizes_valid(const struct ry_block_sizes *sizes)
{
    for (size_t i = 1; i < sizes->n; i++) {
        const size_t times = sizes->at[0] ? sizes->at[i] / sizes->at[0] : 0;
        if (times == 0 || times * sizes->at[0] != sizes->at[i] ||
            (times & (times - 1)) != 0)
            return false;
    }
    return sizes->n > 0 && sizes->at[0] > 0;
}

struct ry_block_sizes ry_block_sizes_of_subdomain(size_t subdomain, size_t domain)
{
    struct ry_block_sizes sizes = {1, {subdomain}};
    size_t size = subdomain;

    while (size > 0 && size < domain && size <= SIZE_MAX / 2)
        size *= 2;
    if (size > subdomain)
        sizes.at[sizes.n++] = size;
    return sizes;
}

void ry_torus3d_at(const size_t dims[3], size_t index, size_t at[3])
{
    at[0] = index % dims[0];
    at[1] = index / dims[0] % dims[1];
    at[2] = index / (dims[0] * dims[1]);
}

bool ry_netbox_u_height_valid(double u)
{
    return u > 0.0 && fmod(u, 0.5) == 0.0;
}

struct ry_opensm ry_opensm_ftree(struct ry_opensm_input in)
{
    const size_t switches = in.leaves + in.spines;
    const size_t hosts_per_leaf = in.leaves ? (in.hosts + in.leaves - 1) / in.leaves : 0;

    return (struct ry_opensm){
        .accepted = in.spines > 0 && in.links_per_pair > 0 &&
                    hosts_per_leaf + in.spines * in.links_per_pair <= in.radix &&
                    in.leaves * in.links_per_pair <= in.radix,
        .fat_tree_rank = 2,
        .roots = in.spines,
        .leaf_switches = in.leaves,
        .switch_records = switches,
        .ca_records = in.hosts,
        .port_lines = in.hosts + switches * in.radix,
        .switch_switch_links = in.leaves * in.spines * in.links_per_pair,
    };
}

size_t ry_simai_lines(size_t links)
{
    return links + 2;
}

struct ry_simai ry_simai(struct ry_simai_input in)
{
    struct ry_simai s = {.nvswitches = in.gpus / in.gpus_per_server};
    const size_t tor_psw = in.asw * in.psw;

    s.other_switches = in.asw + in.psw;
    s.nodes_total = in.gpus + s.nvswitches + s.other_switches;
    s.links = in.gpus + in.gpus * in.tor_links_per_gpu +
              (in.dual_plane ? tor_psw / 2 : tor_psw);
    s.file_lines = ry_simai_lines(s.links);
    return s;
}

struct ry_simai_ids ry_simai_ids(size_t gpus, size_t nvswitches, size_t asw, size_t psw)
{
    const size_t counts[] = {gpus, nvswitches, asw, psw};
    struct ry_simai_ids ids = {{0}, {0}};
    size_t next = 0;

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        ids.first[i] = next;
        next += counts[i];
        ids.last[i] = next - 1;
    }
    return ids;
}
