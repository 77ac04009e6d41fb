/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The switches of the fabric reduce: each domain sends the buffer once. */
#include "comm/algo.h"

#include <math.h>

static bool switches_reduce(const struct ry_across *a)
{
    return a->net->fabric.sharp;
}

static struct ry_line line(const struct ry_across *a, const struct ry_net_lines *lines,
                           enum ry_proto proto)
{
    const struct ry_net_domain *domain = &a->net->domain;
    const bool switched = domain->nvls_bytes_per_s > 0.0 && a->span.g > 1.0;
    const double inside = switched          ? ry_nvls_between(domain, a->span.g)
                          : a->span.g > 1.0 ? 0.5 * domain->ring_bytes_per_s
                                            : HUGE_VAL;
    const double rate = inside < a->bytes_per_s ? inside : a->bytes_per_s;

    return (struct ry_line){
        .alpha_s = lines->intra_step_s[proto] + 2.0 * lines->inter_step_s[proto],
        .bytes_s = a->bytes / rate,
        .limit = a->bytes_per_s < inside ? a->inter_limit
                 : switched              ? RY_NET_LIMIT_NVLS
                                         : domain->limit,
    };
}

const struct ry_algo ry_algo_sharp = {
    .name = "sharp",
    .nccl = "CollnetDirect,CollnetChain",
    .colls = 1u << RY_COLL_ALL_REDUCE,
    .protos = 1u << RY_PROTO_SIMPLE,
    .lines = RY_COLL_ALGO_NVLS_TREE,
    .runs = switches_reduce,
    .line = line,
};
