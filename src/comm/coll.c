/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/net.h"

#include <string.h>

static const char *const coll_names[RY_COLLS] = {
    [RY_COLL_ALL_REDUCE] = "all_reduce",
    [RY_COLL_ALL_GATHER] = "all_gather",
    [RY_COLL_REDUCE_SCATTER] = "reduce_scatter",
    [RY_COLL_ALL_TO_ALL] = "all_to_all",
    [RY_COLL_BROADCAST] = "broadcast",
    [RY_COLL_REDUCE] = "reduce",
    [RY_COLL_SENDRECV] = "sendrecv",
};

const char *ry_coll_name(enum ry_coll coll)
{
    return coll_names[coll];
}

/* Letters only, so that "alltoall", "AllToAll" and "all_to_all" are one name. */
static bool same_letters(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += *a == '_';
        b += *b == '_';
        const int lower = *b >= 'A' && *b <= 'Z' ? *b - 'A' + 'a' : *b;
        if (*a != lower)
            return false;
        if (*a == '\0')
            return true;
    }
}

size_t ry_coll_find(const char *name)
{
    size_t i = 0;

    while (i < RY_COLLS && !same_letters(coll_names[i], name))
        i++;
    return i;
}

const char *ry_net_limit_text(enum ry_net_limit limit)
{
    switch (limit) {
    case RY_NET_LIMIT_NONE:
        return "nothing";
    case RY_NET_LIMIT_LATENCY:
        return "latency";
    case RY_NET_LIMIT_NVLINK:
        return "NVLink";
    case RY_NET_LIMIT_NVLS:
        return "NVLink switch reduction";
    case RY_NET_LIMIT_HOST:
        return "PCIe and host memory";
    case RY_NET_LIMIT_PCIE:
        return "the PCIe slot of a GPU";
    case RY_NET_LIMIT_NIC:
        return "the NICs";
    case RY_NET_LIMIT_TIER:
        return "the uplinks of a switch tier";
    }
    return "";
}

double ry_coll_bus_factor(enum ry_coll coll, size_t ranks)
{
    const double n = (double)ranks;

    switch (coll) {
    case RY_COLL_ALL_REDUCE:
        return 2.0 * (n - 1.0) / n;
    case RY_COLL_ALL_GATHER:
    case RY_COLL_REDUCE_SCATTER:
    case RY_COLL_ALL_TO_ALL:
        return (n - 1.0) / n;
    case RY_COLL_BROADCAST:
    case RY_COLL_REDUCE:
    case RY_COLL_SENDRECV:
        return ranks > 1 ? 1.0 : 0.0;
    }
    return 0.0;
}
