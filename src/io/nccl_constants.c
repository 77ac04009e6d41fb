/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_constants.h"

#include "io/json.h"

#include <math.h>
#include <string.h>

static const char *const links[RY_NCCL_LINKS] = {"nvlink", "pci", "net"};
static const char *const archs[RY_NCCL_ARCHS] = {"volta", "ampere", "hopper",
                                                 "blackwell"};
static const char *const protos[RY_PROTOS] = {"LL", "LL128", "Simple"};

/* [n] numbers of a list, times a unit. */
static void read_list(struct ry_json list, size_t n, double unit, double value[])
{
    if (!ry_json_expect(list, RY_JSON_LIST))
        return;
    if (ry_json_size(list) != n)
        ry_json_problem(list, RY_ERR_RANGE, "%zu numbers, %zu wanted", ry_json_size(list),
                        n);
    for (size_t i = 0; i < n; i++)
        value[i] = unit * ry_json_as_number(ry_json_at(list, i), 0.0);
}

static void read_by_algo(struct ry_json object, double value[RY_NCCL_ALGOS][RY_PROTOS])
{
    for (int algo = 0; algo < RY_NCCL_ALGOS; algo++)
        read_list(ry_json_need(object, ry_nccl_algo_name((enum ry_nccl_algo)algo)),
                  RY_PROTOS, 1e-6, value[algo]);
}

static void read_by_arch(struct ry_json root, const char *key,
                         double value[RY_NCCL_ARCHS][RY_NCCL_SCALES])
{
    const struct ry_json object = ry_json_need(root, key);

    for (size_t arch = 0; arch < RY_NCCL_ARCHS; arch++)
        read_list(ry_json_need(object, archs[arch]), RY_NCCL_SCALES, 1e9, value[arch]);
}

struct scalar {
    const char *key;
    double unit;
    size_t offset;
};

#define SCALAR(json_key, si, field)                                                      \
    {                                                                                    \
        json_key, si, offsetof(struct ry_nccl_constants, field)                          \
    }

static const struct scalar scalars[] = {
    SCALAR("ring_ll_frac", 1.0, ring_ll_frac),
    SCALAR("ring_ll128_frac", 1.0, ring_ll128_frac),
    SCALAR("tree_frac", 1.0, tree_frac),
    SCALAR("tree_ll_frac", 1.0, tree_ll_frac),
    SCALAR("tree_ll128_one_node_frac", 1.0, tree_ll128_one_node_frac),
    SCALAR("tree_ll128_frac", 1.0, tree_ll128_frac),
    SCALAR("plain_tree_frac", 1.0, plain_tree_frac),
    SCALAR("pat_frac", 1.0, pat_frac),
    SCALAR("collnet_gather_frac", 1.0, collnet_gather_frac),
    SCALAR("collnet_direct_hopper_frac", 1.0, collnet_direct_hopper_frac),
    SCALAR("plateau", 1.0, plateau),
    SCALAR("plateau_old", 1.0, plateau_old),
    SCALAR("plateau_bytes", 1.0, plateau_bytes),
    SCALAR("post_intel_us", 1e-6, post_intel_s),
    SCALAR("post_amd_us", 1e-6, post_amd_s),
    SCALAR("post_simple_times", 1.0, post_simple_times),
    SCALAR("pat_step_divisor", 1.0, pat_step_divisor),
    SCALAR("pat_rank_us", 1e-6, pat_rank_s),
    SCALAR("collnet_rank_us", 1e-6, collnet_rank_s),
};

static void read_scalars(struct ry_json root, struct ry_nccl_constants *constants)
{
    for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
        const double value = ry_json_as_number(ry_json_need(root, scalars[i].key), 1.0);
        *(double *)((char *)constants + scalars[i].offset) = scalars[i].unit * value;
    }
    constants->ring_counts_last_node = ry_json_bool(root, "ring_counts_last_node", false);
}

static void read_all(struct ry_json root, struct ry_nccl_constants *constants)
{
    const struct ry_json steps = ry_json_need(root, "step_us");
    const struct ry_json nvls = ry_json_need(root, "nvls_frac");
    const struct ry_json trees = ry_json_need(root, "tree_correction");

    read_by_algo(ry_json_need(root, "base_us"), constants->base_s);
    for (size_t link = 0; link < RY_NCCL_LINKS; link++)
        read_by_algo(ry_json_need(steps, links[link]), constants->step_s[link]);
    read_by_arch(root, "ll_cap_gb_per_s", constants->ll_bytes_per_s);
    read_by_arch(root, "ring_ll128_channel_gb_per_s", constants->ring_ll128_bytes_per_s);
    read_by_arch(root, "tree_ll128_channel_gb_per_s", constants->tree_ll128_bytes_per_s);
    read_by_arch(root, "tree_channel_gb_per_s", constants->tree_bytes_per_s);
    read_by_arch(root, "nvls_tree_channel_gb_per_s", constants->nvls_tree_bytes_per_s);
    for (size_t arch = 0; arch < RY_NCCL_ARCHS; arch++)
        constants->nvls_frac[arch] =
            ry_json_as_number(ry_json_need(nvls, archs[arch]), 0.0);
    for (size_t proto = 0; proto < RY_PROTOS; proto++)
        read_list(ry_json_need(trees, protos[proto]), RY_NCCL_CORRECTIONS, 1.0,
                  constants->tree_correction[proto]);
    read_scalars(root, constants);
}

enum ry_err ry_nccl_constants_read(struct ry_arena *arena, const char *path,
                                   struct ry_problems *problems,
                                   struct ry_nccl_constants *constants)
{
    struct ry_nccl_constants read = {0};
    struct ry_json root;

    RY_TRY(ry_json_open(arena, path, problems, &root));
    if (strcmp(ry_json_text(root, "schema", ""), "railyard-nccl/1") != 0)
        ry_json_problem(root, RY_ERR_SYNTAX, "schema is not railyard-nccl/1");
    read_all(root, &read);
    RY_TRY(ry_problems_err(problems, NULL));
    *constants = read;
    return RY_OK;
}
