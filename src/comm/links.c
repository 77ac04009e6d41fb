/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/links.h"

#include "base/order.h"

#include <assert.h>
#include <math.h>

struct ry_span ry_span_of(const struct ry_net *net, enum ry_coll coll,
                          const struct ry_group *group, enum ry_rates rates)
{
    const struct ry_net_fabric *fabric = &net->fabric;
    const double nic =
        rates == RY_RATES_WIRE ? fabric->nic_line_bytes_per_s : fabric->nic_bytes_per_s;
    const double g = (double)group->per_domain;
    const double nics = fabric->nics_per_domain * nic / (double)group->sharing;
    /* A message has one sender, however many ranks sit beside it. */
    const double senders = coll == RY_COLL_SENDRECV ? 1.0 : g;
    const double cap = fabric->gpu_bytes_per_s;
    const bool copied = cap > 0.0 && cap < fabric->pcie_bytes_per_s;
    const double slots = senders * (copied ? cap : fabric->pcie_bytes_per_s);

    assert(group->ranks >= 1 && group->per_domain >= 1 && group->sharing >= 1);
    return (struct ry_span){
        .n = (double)group->ranks,
        .g = g,
        .domains = ceil((double)group->ranks / g),
        .share_bytes_per_s = ry_min(nics, slots),
        .limit = nics <= slots ? RY_NET_LIMIT_NIC
                 : copied      ? RY_NET_LIMIT_HOST
                               : RY_NET_LIMIT_PCIE,
    };
}

static size_t ranks_below(const struct ry_net *net, const struct ry_group *group,
                          size_t tier)
{
    const size_t gpus = net->fabric.tier[tier].gpus;
    const size_t domains = gpus / (net->domain.gpus ? net->domain.gpus : 1);
    const size_t ranks =
        group->per_tier[tier] ? group->per_tier[tier] : domains * group->per_domain;
    return ry_least(group->ranks, ranks);
}

/* Share of the uplinks that so many flows out of one leaf can use: linear between powers
 * of two. */
static double usable_frac(const struct ry_net_tier *tier, double flows)
{
    int exponent = 0;
    const double part = 2.0 * frexp(ry_max(flows, 1.0), &exponent) - 1.0;
    const int last = RY_NET_LOADS - 1;

    if (!tier->hashed)
        return tier->spread_frac;
    if (exponent > last)
        return tier->hashed_frac[last];
    const double low = tier->hashed_frac[exponent - 1];
    return low + part * (tier->hashed_frac[exponent] - low);
}

/* Share of a NIC that a message out of a subtree gets, where one of so many stages below
 * it sends out: linear between halves of the load. */
static double send_frac(const struct ry_net_tier *tier, double stages)
{
    int exponent = 0;
    const double part = 2.0 * frexp(ry_max(stages, 1.0), &exponent) - 1.0;
    const int last = RY_NET_SENDS - 1;

    if (!tier->hashed)
        return ry_min(1.0, tier->spread_frac * stages / tier->oversubscription);
    if (exponent > last)
        return tier->send_frac[last];
    const double low = tier->send_frac[exponent - 1];
    return low + part * (tier->send_frac[exponent] - low);
}

/* Part of a domain's rate that gets over a tier: n ranks, g in a domain, some below
 * it. */
static double over_tier(const struct ry_net_tier *tier, enum ry_coll coll, double n,
                        double g, double below)
{
    const double up = 1.0 / tier->oversubscription;

    if (coll == RY_COLL_ALL_TO_ALL)
        return up * usable_frac(tier, tier->down_ports * (n - below)) *
               ry_max(n - g, 1.0) / (n - below);
    if (coll == RY_COLL_SENDRECV)
        return send_frac(tier, below);
    return up * usable_frac(tier, tier->down_ports * g / below) * below / g;
}

/*
 * The rate out of a domain that the switch tiers leave.  A ring or tree leaves a subtree
 * once, so the uplinks of all the domains below serve it (and the groups beside it, which
 * each have their share).  Every-to-every traffic crosses with all but the ranks below.
 */
double ry_tier_rate(const struct ry_net *net, const struct ry_group *group,
                    enum ry_coll coll, double share, size_t *binding)
{
    double rate = share;

    *binding = RY_TIERS_MOST;
    for (size_t i = 0; i < net->fabric.tiers; i++) {
        const struct ry_net_tier *tier = &net->fabric.tier[i];
        const double below = (double)ranks_below(net, group, i);
        const double n = (double)group->ranks;
        const double g = (double)group->per_domain;
        if (below < g || below >= n)
            continue;
        const double limited = share * over_tier(tier, coll, n, g, below);
        if (limited < rate) {
            rate = limited;
            *binding = i;
        }
    }
    return rate;
}

/* Reduction in the switch needs a channel for each GPU that owns a NIC: between domains a
 * part of a domain reaches only its share of it (4 of 8 GPUs run the ring: nccl#1411). */
double ry_nvls_between(const struct ry_net_domain *domain, double g)
{
    return domain->nvls_bytes_per_s * (domain->gpus < 8 ? 0.5 : ry_min(1.0, g / 8.0));
}

static double intra_busbw(const struct ry_net_domain *domain, enum ry_coll coll,
                          const struct ry_span *span, enum ry_rates rates,
                          enum ry_net_limit *limit)
{
    const double g = span->g;
    const double ring =
        rates == RY_RATES_WIRE ? domain->wire_bytes_per_s : domain->ring_bytes_per_s;
    const double nvls = rates == RY_RATES_WIRE && domain->nvls_bytes_per_s > 0.0
                            ? domain->wire_bytes_per_s
                        : span->domains > 1.0 ? ry_nvls_between(domain, g)
                                              : domain->nvls_bytes_per_s;

    *limit = domain->limit;
    if (coll != RY_COLL_ALL_REDUCE || g < 3.0 || nvls * 2.0 * (g - 1.0) / g <= ring)
        return ring;
    *limit = RY_NET_LIMIT_NVLS;
    return nvls * 2.0 * (g - 1.0) / g;
}

double ry_inside_s(const struct ry_net *net, enum ry_coll coll,
                   const struct ry_span *span, double bytes, enum ry_rates rates,
                   enum ry_net_limit *limit)
{
    *limit = net->domain.limit;
    if (span->g < 2.0)
        return 0.0;
    const double rate = intra_busbw(&net->domain, coll, span, rates, limit);
    if (coll == RY_COLL_ALL_TO_ALL)
        return bytes * (span->g - 1.0) / span->n / rate;
    if (coll == RY_COLL_SENDRECV && span->domains > 1.0)
        return 0.0;
    if (rates == RY_RATES_USABLE &&
        *limit != RY_NET_LIMIT_NVLS) /* one ring through all */
        return bytes * ry_coll_bus_factor(coll, (size_t)span->n) / rate;
    return bytes * ry_coll_bus_factor(coll, (size_t)span->g) / rate;
}

double ry_between_s(const struct ry_net *net, enum ry_coll coll,
                    const struct ry_span *span, double rate, double bytes,
                    enum ry_rates rates)
{
    const double domains = span->domains;
    const bool two = domains < 2.5;

    switch (coll) {
    case RY_COLL_ALL_REDUCE:
        if (net->fabric.sharp || two)
            return bytes / rate;
        return rates == RY_RATES_WIRE
                   ? 2.0 * bytes * (domains - 1.0) / domains / rate
                   : ry_coll_bus_factor(coll, (size_t)span->n) * bytes / rate;
    case RY_COLL_ALL_GATHER:
    case RY_COLL_REDUCE_SCATTER:
        return rates == RY_RATES_WIRE
                   ? bytes * (domains - 1.0) / domains / rate
                   : ry_coll_bus_factor(coll, (size_t)span->n) * bytes / rate;
    case RY_COLL_ALL_TO_ALL:
        return span->g * bytes * (domains - 1.0) / domains / rate;
    case RY_COLL_BROADCAST:
    case RY_COLL_REDUCE:
    case RY_COLL_SENDRECV:
        return bytes / rate;
    }
    return 0.0;
}
