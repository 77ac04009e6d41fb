/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/algo.h"

#include "base/order.h"

#include <math.h>

double ry_coll_sent_bytes(enum ry_coll coll, const struct ry_group *group, double bytes)
{
    const double g = (double)group->per_domain;
    const double domains = ceil((double)group->ranks / g);

    if (group->ranks <= group->per_domain)
        return 0.0;
    switch (coll) {
    case RY_COLL_ALL_REDUCE:
    case RY_COLL_ALL_GATHER:
    case RY_COLL_REDUCE_SCATTER:
        return ry_coll_bus_factor(coll, group->ranks) * bytes;
    case RY_COLL_ALL_TO_ALL:
        return g * bytes * (domains - 1.0) / domains;
    case RY_COLL_BROADCAST:
    case RY_COLL_REDUCE:
    case RY_COLL_SENDRECV:
        return bytes;
    }
    return 0.0;
}

struct ry_group ry_group_place(const struct ry_net *net, size_t ranks, size_t stride)
{
    const size_t gpus = net->domain.gpus ? net->domain.gpus : 1;
    const size_t step = stride ? stride : 1;
    const size_t fit = gpus / step;
    struct ry_group group = {.ranks = ranks ? ranks : 1};

    group.per_domain = ry_least(group.ranks, fit ? fit : 1);
    group.sharing = gpus / group.per_domain;
    if (net->gpus && net->gpus < gpus)
        group.sharing = net->gpus / group.per_domain;
    if (group.sharing < 1)
        group.sharing = 1;
    for (size_t i = 0; i < net->fabric.tiers; i++) {
        const size_t below = net->fabric.tier[i].gpus / step;
        group.per_tier[i] = ry_least(group.ranks, below ? below : 1);
    }
    return group;
}

/* Inside a domain. */

static const struct ry_coll_piece *piece_at(const struct ry_coll_curve *curve,
                                            double bytes)
{
    size_t i = curve->pieces - 1;

    while (i > 0 && curve->piece[i].from_bytes > bytes)
        i--;
    return &curve->piece[i];
}

/* The piece for that many ranks: measured, between two measured, or beyond them. */
static struct ry_coll_piece piece_for(const struct ry_net_domain *domain,
                                      enum ry_coll coll, size_t ranks, double bytes)
{
    const size_t n = domain->coll[coll].n;
    const struct ry_coll_curve *at = domain->coll[coll].at;
    size_t i = 0;

    while (i + 1 < n && at[i + 1].ranks <= ranks)
        i++;
    struct ry_coll_piece piece = *piece_at(&at[i], bytes);
    if (at[i].ranks < ranks && i + 1 < n) {
        const struct ry_coll_piece *next = piece_at(&at[i + 1], bytes);
        const double part = ((double)ranks - (double)at[i].ranks) /
                            ((double)at[i + 1].ranks - (double)at[i].ranks);
        piece.alpha_s += part * (next->alpha_s - piece.alpha_s);
        piece.busbw_bytes_per_s = 1.0 / ((1.0 - part) / piece.busbw_bytes_per_s +
                                         part / next->busbw_bytes_per_s);
    } else if (at[i].ranks != ranks) {
        const double steps = (double)ranks - (double)at[i].ranks;
        const double times = coll == RY_COLL_ALL_REDUCE ? 2.0 : 1.0;
        piece.alpha_s =
            ry_max(piece.alpha_s + times * steps * domain->step_s, 0.5 * piece.alpha_s);
    }
    return piece;
}

/* Whether the curves say something about that many ranks, or it is extrapolated. */
static double extrapolated(const struct ry_net_domain *domain, enum ry_coll coll,
                           size_t ranks)
{
    const size_t n = domain->coll[coll].n;
    const double first = (double)domain->coll[coll].at[0].ranks;
    const double last = (double)domain->coll[coll].at[n - 1].ranks;
    const double r = (double)ranks;

    return r < first ? log2(first / r) : r > last ? log2(r / last) : 0.0;
}

static struct ry_coll_time limits(const struct ry_net *net, enum ry_coll coll,
                                  const struct ry_group *group, double bytes,
                                  enum ry_rates rates)
{
    struct ry_coll_time time = {.algo = RY_COLL_ALGO_CURVE, .limit = RY_NET_LIMIT_NONE};

    if (group->ranks < 2)
        return time;
    const struct ry_span span = ry_span_of(net, coll, group, rates);
    time.s = ry_inside_s(net, coll, &span, bytes, rates, &time.limit);
    if (span.domains > 1.0) {
        const double rate =
            ry_tier_rate(net, group, coll, span.share_bytes_per_s, &time.tier);
        const double inter_s = ry_between_s(net, coll, &span, rate, bytes, rates);
        if (inter_s >= time.s) {
            time.s = inter_s;
            time.limit = time.tier < RY_TIERS_MOST ? RY_NET_LIMIT_TIER : span.limit;
        }
    }
    time.bound_s = time.s;
    time.busbw_bytes_per_s =
        ry_coll_bus_factor(coll, group->ranks) * bytes / ry_max(time.s, 1e-300);
    return time;
}

struct ry_coll_time ry_collective_bound(const struct ry_net *net, enum ry_coll coll,
                                        const struct ry_group *group, double bytes)
{
    return limits(net, coll, group, bytes, RY_RATES_WIRE);
}

struct ry_coll_time ry_collective_peak(const struct ry_net *net, enum ry_coll coll,
                                       const struct ry_group *group)
{
    return limits(net, coll, group, 1e9, RY_RATES_USABLE);
}

static struct ry_coll_time intra_time(const struct ry_net *net, enum ry_coll coll,
                                      const struct ry_group *group, double bytes)
{
    const struct ry_net_domain *domain = &net->domain;
    const struct ry_coll_piece piece = piece_for(domain, coll, group->ranks, bytes);
    const double moved = bytes * ry_coll_bus_factor(coll, group->ranks);
    double rate = piece.busbw_bytes_per_s;

    if (domain->host_bytes_per_s > 0.0)
        rate = ry_min(rate, domain->host_bytes_per_s / (double)group->sharing /
                                (double)group->ranks);
    const double outside = extrapolated(domain, coll, group->ranks);
    return (struct ry_coll_time){
        .s = piece.alpha_s + moved / rate,
        .alpha_s = piece.alpha_s,
        .rel_sigma = hypot(domain->rel_sigma, 0.1 * outside),
        .algo = RY_COLL_ALGO_CURVE,
        .limit = domain->limit,
    };
}

static struct ry_coll_time inter_time(const struct ry_net *net, enum ry_coll coll,
                                      const struct ry_group *group, double bytes)
{
    const struct ry_net_fabric *fabric = &net->fabric;
    struct ry_across a = {.net = net, .coll = coll, .bytes = bytes};
    size_t tier = 0;

    a.span = ry_span_of(net, coll, group, RY_RATES_USABLE);
    /* A message has two ends, however many stages the group has. */
    const double spanned = coll == RY_COLL_SENDRECV ? 2.0 : a.span.domains;
    const double doublings = ry_max(0.0, log2(spanned / 4.0));
    const double loss = 1.0 / (1.0 + fabric->loss_per_doubling * doublings);
    a.bytes_per_s = ry_tier_rate(net, group, coll, a.span.share_bytes_per_s, &tier) *
                    fabric->nic_frac * loss;
    a.inter_limit = tier < RY_TIERS_MOST ? RY_NET_LIMIT_TIER : a.span.limit;
    struct ry_coll_time time = ry_across_time(&a);
    time.tier = tier;
    const double alpha = time.s > 0.0 ? time.alpha_s / time.s : 0.0;
    const double parts =
        hypot(fabric->rel_sigma * (1.0 - alpha), fabric->alpha_sigma * alpha);
    time.rel_sigma = hypot(parts, fabric->sigma_per_doubling * doublings);
    return time;
}

struct ry_coll_time ry_collective(const struct ry_net *net, enum ry_coll coll,
                                  const struct ry_group *group, double bytes)
{
    const double size = ry_max(bytes, 0.0);

    if (group->ranks < 2)
        return (struct ry_coll_time){.limit = RY_NET_LIMIT_NONE};
    struct ry_coll_time time = group->ranks <= group->per_domain
                                   ? intra_time(net, coll, group, size)
                                   : inter_time(net, coll, group, size);
    const struct ry_coll_time bound = limits(net, coll, group, size, RY_RATES_WIRE);
    time.bound_s = bound.s;
    if (bound.s > time.s) {
        time.s = bound.s;
        time.limit = bound.limit;
        time.tier = bound.tier;
    }
    if (time.alpha_s > 0.5 * time.s)
        time.limit = RY_NET_LIMIT_LATENCY;
    time.busbw_bytes_per_s = ry_coll_bus_factor(coll, group->ranks) * size / time.s;
    return time;
}

double ry_collective_s(const struct ry_net *net, enum ry_coll coll,
                       const struct ry_group *group, double bytes)
{
    return ry_collective(net, coll, group, bytes).s;
}
