/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every rank to the next, through all domains. */
#include "comm/algo.h"

#include <math.h>

static struct ry_line line(const struct ry_across *a, const struct ry_net_lines *lines,
                           enum ry_proto proto)
{
    const double inside = a->span.g > 1.0 ? a->net->domain.ring_bytes_per_s : HUGE_VAL;
    const double bus = inside < a->bytes_per_s ? inside : a->bytes_per_s;
    const double rounds = a->coll == RY_COLL_ALL_REDUCE ? 2.0 : 1.0;
    const double steps = rounds * (a->span.n - 1.0);
    const double between = a->span.g < 2.0 ? steps : rounds * (a->span.domains - 1.0);

    return (struct ry_line){
        .alpha_s = lines->base_s[proto] + (steps - between) * lines->intra_step_s[proto] +
                   between * lines->inter_step_s[proto],
        .bytes_s = ry_coll_bus_factor(a->coll, (size_t)a->span.n) * a->bytes /
                   ry_bus_rate(a, lines, proto, bus),
        .limit = inside < a->bytes_per_s ? a->net->domain.limit : a->inter_limit,
    };
}

const struct ry_algo ry_algo_ring = {
    .name = "ring",
    .nccl = "Ring",
    .colls = 1u << RY_COLL_ALL_REDUCE | 1u << RY_COLL_ALL_GATHER |
             1u << RY_COLL_REDUCE_SCATTER | 1u << RY_COLL_BROADCAST |
             1u << RY_COLL_REDUCE,
    .protos = RY_PROTOS_ALL,
    .lines = RY_COLL_ALGO_RING,
    .line = line,
};
