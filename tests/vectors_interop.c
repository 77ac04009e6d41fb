/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of interop_golden. */
#include "base/names.h"
#include "reference/interop.h"
#include "topology/hostlist.h"
#include "topology/slurm.h"
#include "vectors.h"

#include <stdio.h>

enum { KEY_BYTES = 256, LEAVES_MOST = 4096 };

static void put_names(struct vec *v, const char *key, const struct ry_names *names)
{
    cJSON *list = cJSON_CreateArray();

    for (size_t i = 0; i < names->n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(names->at[i]));
    vec_put_item(v, key, list);
}

static void put_lines(struct vec *v, enum ry_err err, const struct ry_names *lines)
{
    if (err != RY_OK)
        vec_fail(v, "%s", ry_err_text(err));
    else
        put_names(v, "lines", lines);
}

static void fold(struct vec *v)
{
    const cJSON *hosts = vec_item(v, "hosts");
    const cJSON *item = NULL;
    const char **names =
        RY_NEW(v->arena, const char *, (size_t)cJSON_GetArraySize(hosts) + 1);
    size_t n = 0;

    cJSON_ArrayForEach (item, hosts) {
        names[n] = cJSON_GetStringValue(item);
        if (names[n])
            n++;
    }
    vec_put_text(v, "text", ry_hostlist_fold(v->arena, names, n, vec_flag(v, "sorted")));
}

static void expand(struct vec *v)
{
    struct ry_names hosts = {0};
    struct ry_diag diag = {0};

    if (ry_hostlist_expand(v->arena, vec_text(v, "text"), &hosts, &diag) != RY_OK)
        vec_fail(v, "%s", diag.text);
    else
        put_names(v, "hosts", &hosts);
}

static size_t leaves_of(struct vec *v, struct ry_slurm_leaf leaves[])
{
    const cJSON *item = NULL;
    size_t n = 0;

    cJSON_ArrayForEach (item, vec_item(v, "leaves")) {
        const char *nodes = cJSON_GetStringValue(item);
        if (nodes && n < LEAVES_MOST)
            leaves[n++] = (struct ry_slurm_leaf){item->string, nodes};
    }
    return n;
}

static void tree(struct vec *v)
{
    struct ry_names lines = {0};

    if (vec_has(v, "pods")) {
        put_lines(v,
                  ry_slurm_pods(v->arena, vec_count(v, "pods"),
                                vec_count(v, "leaves_per_pod"),
                                vec_count(v, "nodes_per_leaf"), &lines, NULL),
                  &lines);
        return;
    }
    struct ry_slurm_leaf *leaves = RY_NEW(v->arena, struct ry_slurm_leaf, LEAVES_MOST);
    const size_t n = leaves_of(v, leaves);
    put_lines(
        v,
        ry_slurm_tree(v->arena, leaves, n, vec_text(v, "spines_virtual"), &lines, NULL),
        &lines);
}

static void tree_loaded(struct vec *v)
{
    struct ry_slurm_leaf *leaves = RY_NEW(v->arena, struct ry_slurm_leaf, LEAVES_MOST);
    const size_t n = leaves_of(v, leaves);
    const char *root = vec_text(v, "root");
    struct ry_slurm_loaded loaded = {0};
    char key[KEY_BYTES];

    if (ry_slurm_load(v->arena, leaves, n, &loaded, NULL) != RY_OK) {
        vec_fail(v, "cannot load");
        return;
    }
    cJSON *levels = cJSON_CreateObject();
    for (size_t i = 0; i < n; i++)
        cJSON_AddNumberToObject(levels, leaves[i].name, loaded.leaf_level);
    cJSON_AddNumberToObject(levels, root, loaded.root_level);
    vec_put_item(v, "levels", levels);
    (void)snprintf(key, sizeof(key), "%s_nodes", root);
    vec_put_text(v, key, loaded.root_nodes);
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(key, sizeof(key), "dist_%s_%s", leaves[i].name, root);
        vec_put(v, key, loaded.leaf_root_hops);
        for (size_t k = 0; k < n; k++) {
            (void)snprintf(key, sizeof(key), "dist_%s_%s", leaves[i].name,
                           leaves[k].name);
            vec_put(v, key, i == k ? 0 : loaded.leaf_leaf_hops);
        }
    }
}

static void blocks(struct vec *v)
{
    struct ry_names lines = {0};

    put_lines(v,
              ry_slurm_blocks(v->arena, vec_count(v, "racks"),
                              vec_count(v, "trays_per_rack"), &lines, NULL),
              &lines);
}

static void put_sizes(struct vec *v, const struct ry_block_sizes *sizes)
{
    cJSON *list = cJSON_CreateArray();

    for (size_t i = 0; i < sizes->n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)sizes->at[i]));
    vec_put_item(v, "block_sizes", list);
}

static void blocksizes_valid(struct vec *v)
{
    struct ry_block_sizes sizes = {0};
    const cJSON *item = NULL;

    cJSON_ArrayForEach (item, vec_item(v, "block_sizes")) {
        if (sizes.n < RY_BLOCK_SIZES_MOST)
            sizes.at[sizes.n++] = (size_t)item->valuedouble;
    }
    vec_put_flag(v, "valid", ry_block_sizes_valid(&sizes));
}

static void blocksize_inference(struct vec *v)
{
    const struct ry_block_sizes sizes =
        ry_block_sizes(vec_count(v, "smallest_domain"), vec_count(v, "domains"));
    put_sizes(v, &sizes);
}

static void blocksize_subdomain(struct vec *v)
{
    const struct ry_block_sizes sizes = ry_block_sizes_of_subdomain(
        vec_count(v, "largest_subdomain"), vec_count(v, "largest_domain"));
    put_sizes(v, &sizes);
}

static void ring_valid(struct vec *v)
{
    const size_t nodes = vec_count(v, "ring_nodes");

    vec_put_flag(v, "valid", nodes > 0 && nodes <= RY_SLURM_RING_MOST);
    vec_put(v, "max_nodes", RY_SLURM_RING_MOST);
}

static void switch_name_valid(struct vec *v)
{
    const size_t length = vec_count(v, "length");

    vec_put_flag(v, "valid", length > 0 && length <= RY_SLURM_SWITCH_NAME_MOST);
    vec_put(v, "max", RY_SLURM_SWITCH_NAME_MOST);
}

static void torus3d_order(struct vec *v)
{
    const cJSON *dims = vec_item(v, "dims");
    const char *const names[] = {"x", "y", "z"};
    size_t size[3] = {1, 1, 1};
    size_t at[3] = {0};

    for (size_t i = 0; i < 3; i++) {
        const cJSON *dim = cJSON_GetObjectItemCaseSensitive(dims, names[i]);
        if (dim && dim->valuedouble >= 1.0)
            size[i] = (size_t)dim->valuedouble;
        else
            vec_fail(v, "bad dims");
    }
    ry_torus3d_at(size, vec_count(v, "node_index"), at);
    for (size_t i = 0; i < 3; i++)
        vec_put(v, names[i], (double)at[i]);
}

/* One spine, the rest leaves, one link each: a tree of two tiers. */
static void ibsim_load(struct vec *v)
{
    const size_t switches = vec_count(v, "switches");
    const size_t hosts = vec_count(v, "hosts");
    const struct ry_opensm t = ry_opensm_ftree(
        (struct ry_opensm_input){switches - 1, 1, vec_count_or(v, "radix", 0), hosts, 1});

    VEC_PUT(v, t, switch_records);
    VEC_PUT(v, t, ca_records);
    VEC_PUT(v, t, switch_switch_links);
    vec_put(v, "host_links", (double)hosts);
}

static void opensm_accept(struct vec *v)
{
    const struct ry_opensm t = ry_opensm_ftree((struct ry_opensm_input){
        vec_count(v, "leaves"), vec_count(v, "spines"), vec_count(v, "radix"),
        vec_count(v, "hosts"), vec_count(v, "links_per_pair")});

    vec_put_flag(v, "accepted", t.accepted);
    VEC_PUT(v, t, fat_tree_rank);
    VEC_PUT(v, t, roots);
    VEC_PUT(v, t, leaf_switches);
    VEC_PUT(v, t, switch_records);
    VEC_PUT(v, t, ca_records);
    VEC_PUT(v, t, port_lines);
    VEC_PUT(v, t, switch_switch_links);
}

static void astra(struct vec *v)
{
    const double gpus = vec_num(v, "nvswitch_gpus");
    const double nodes = vec_num(v, "nodes");
    const char *const kinds[] = {"Switch", "Switch"};
    const double counts[] = {gpus, nodes};
    const double rates[] = {vec_num(v, "nvlink_gb_s"), vec_num(v, "nic_gb_s")};

    vec_put_item(v, "topology", cJSON_CreateStringArray(kinds, 2));
    vec_put_item(v, "npus_count", cJSON_CreateDoubleArray(counts, 2));
    vec_put_item(v, "bandwidth", cJSON_CreateDoubleArray(rates, 2));
    vec_put(v, "npus", gpus * nodes);
}

static void simai_lines(struct vec *v)
{
    vec_put(v, "file_lines", (double)ry_simai_lines(vec_count(v, "header_links")));
}

static void simai_id_ranges(struct vec *v)
{
    const char *const names[] = {"gpu", "nvswitch", "asw", "psw"};
    const struct ry_simai_ids ids =
        ry_simai_ids(vec_count(v, "gpus"), vec_count(v, "nvswitches"),
                     vec_count(v, "asw"), vec_count(v, "psw"));

    for (size_t i = 0; i < 4; i++) {
        const double range[] = {(double)ids.first[i], (double)ids.last[i]};
        vec_put_item(v, names[i], cJSON_CreateDoubleArray(range, 2));
    }
}

static void u_height_valid(struct vec *v)
{
    cJSON *valid = cJSON_CreateArray();
    const cJSON *item = NULL;

    cJSON_ArrayForEach (item, vec_item(v, "values"))
        cJSON_AddItemToArray(
            valid, cJSON_CreateBool(ry_netbox_u_height_valid(item->valuedouble)));
    vec_put_item(v, "valid", valid);
}

const struct vec_kind vec_interop_kinds[] = {
    {"slurm_hostlist_fold", fold},
    {"slurm_hostlist_expand", expand},
    {"slurm_topology_tree", tree},
    {"slurm_topology_block", blocks},
    {"slurm_tree_loaded", tree_loaded},
    {"slurm_blocksizes_valid", blocksizes_valid},
    {"slurm_blocksize_inference", blocksize_inference},
    {"slurm_blocksize_inference_subdomain", blocksize_subdomain},
    {"slurm_ring_valid", ring_valid},
    {"slurm_switch_name_valid", switch_name_valid},
    {"slurm_torus3d_order", torus3d_order},
    {"ibsim_load", ibsim_load},
    {"opensm_ftree_accept", opensm_accept},
    {"astra_analytical_network", astra},
    {"simai_lines", simai_lines},
    {"simai_id_ranges", simai_id_ranges},
    {"netbox_u_height_valid", u_height_valid},
    {NULL, NULL},
};
