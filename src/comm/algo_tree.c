/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of domains, a chain of ranks or the NVLink switch inside each.  Two domains each
 * send the buffer once; more send it twice. */
#include "comm/algo.h"

#include <math.h>

/* The tree inside a domain. */
struct inside {
    double bytes_per_s;
    double steps;
    double corrected; /* of the bus: trees lose some at middle sizes */
    enum ry_net_limit limit;
};

static struct ry_line tree(const struct ry_across *a, const struct ry_net_lines *lines,
                           enum ry_proto proto, const struct inside *inside)
{
    const bool two = a->span.domains < 2.5;
    const double outside = (two ? a->net->fabric.tree_frac : 0.5) * a->bytes_per_s;
    const bool slower = inside->bytes_per_s < outside;
    const double bus = 2.0 * (slower ? inside->bytes_per_s : outside);

    return (struct ry_line){
        .alpha_s = lines->base_s[proto] + inside->steps * lines->intra_step_s[proto] +
                   2.0 * log2(a->span.domains) * lines->inter_step_s[proto],
        .bytes_s =
            2.0 * a->bytes / (inside->corrected * ry_bus_rate(a, lines, proto, bus)),
        .limit = slower ? inside->limit : a->inter_limit,
    };
}

/* Between two entries of the table the factor is interpolated in log2 of the size. */
static double correction(const struct ry_net_fabric *fabric, enum ry_proto proto,
                         double bytes)
{
    const double *table = fabric->tree_correction[proto];
    const double at = log2((bytes > 64.0 ? bytes : 64.0) / 64.0);
    const size_t i = at < RY_NET_CORRECTIONS - 1 ? (size_t)at : RY_NET_CORRECTIONS - 1;
    const size_t next = i + 1 < RY_NET_CORRECTIONS ? i + 1 : i;
    const double factor = table[i] + (at - (double)i) * (table[next] - table[i]);

    return i == next ? table[i] : factor;
}

static struct ry_line chained(const struct ry_across *a, const struct ry_net_lines *lines,
                              enum ry_proto proto)
{
    const struct ry_net_domain *domain = &a->net->domain;
    const struct inside inside = {
        .bytes_per_s = a->span.g > 1.0 ? 0.5 * domain->ring_bytes_per_s : HUGE_VAL,
        .steps = 2.0 * (a->span.g - 1.0),
        .corrected = correction(&a->net->fabric, proto, a->bytes),
        .limit = domain->limit,
    };

    return tree(a, lines, proto, &inside);
}

static bool has_switch(const struct ry_across *a)
{
    return a->span.g > 2.0 && a->net->domain.nvls_bytes_per_s > 0.0;
}

static struct ry_line switched(const struct ry_across *a,
                               const struct ry_net_lines *lines, enum ry_proto proto)
{
    const struct inside inside = {
        .bytes_per_s = ry_nvls_between(&a->net->domain, a->span.g),
        .steps = 1.0,
        .corrected = 1.0,
        .limit = RY_NET_LIMIT_NVLS,
    };

    return tree(a, lines, proto, &inside);
}

const struct ry_algo ry_algo_tree = {
    .name = "tree",
    .nccl = "Tree",
    .colls = 1u << RY_COLL_ALL_REDUCE,
    .protos = RY_PROTOS_ALL,
    .lines = RY_COLL_ALGO_TREE,
    .inside_fitted = true,
    .line = chained,
};

const struct ry_algo ry_algo_nvls_tree = {
    .name = "nvls_tree",
    .nccl = "NVLS,NVLSTree",
    .colls = 1u << RY_COLL_ALL_REDUCE,
    .protos = 1u << RY_PROTO_SIMPLE,
    .lines = RY_COLL_ALGO_NVLS_TREE,
    .inside_fitted = true,
    .runs = has_switch,
    .line = switched,
};
