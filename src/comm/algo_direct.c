/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every rank to every other, or to one: NICs and NVLink at the same time. */
#include "comm/algo.h"

static struct ry_line line(const struct ry_across *a, const struct ry_net_lines *lines,
                           enum ry_proto proto)
{
    const struct ry_net_fabric *fabric = &a->net->fabric;
    enum ry_net_limit inside = RY_NET_LIMIT_NONE;
    const double peers = a->coll == RY_COLL_ALL_TO_ALL ? a->span.n - 1.0 : 1.0;
    const double inside_s =
        ry_inside_s(a->net, a->coll, &a->span, a->bytes, RY_RATES_USABLE, &inside);
    const double between_s = ry_between_s(a->net, a->coll, &a->span, a->bytes_per_s,
                                          a->bytes, RY_RATES_USABLE);

    (void)lines;
    (void)proto;
    return (struct ry_line){
        .alpha_s = fabric->send_s + (peers - 1.0) * fabric->message_s,
        .bytes_s = inside_s > between_s ? inside_s : between_s,
        .limit = inside_s > between_s ? inside : a->inter_limit,
    };
}

const struct ry_algo ry_algo_direct = {
    .name = "direct",
    .colls = 1u << RY_COLL_ALL_TO_ALL | 1u << RY_COLL_SENDRECV,
    .protos = 1u << RY_PROTO_SIMPLE,
    .line = line,
};
