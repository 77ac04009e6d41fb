/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/net.h"

#include <assert.h>
#include <math.h>

/* A group seen by its domains: what the formulas count. */
struct span {
    double n;       /* ranks */
    double g;       /* of them in a domain */
    double domains; /* that it spans */
    double share_bytes_per_s; /* what it may send out of a domain: NICs or slots */
    enum ry_net_limit limit;      /* which of the two that is */
};

enum rates { RATES_WIRE, RATES_USABLE };

static double min_of(double a, double b)
{
    return a < b ? a : b;
}

static double max_of(double a, double b)
{
    return a > b ? a : b;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct span span_of(const struct ry_net *net, enum ry_coll coll,
                           const struct ry_group *group, enum rates rates)
{
    const struct ry_net_fabric *fabric = &net->fabric;
    const double nic = rates == RATES_WIRE ? fabric->nic_line_bytes_per_s
                                           : fabric->nic_bytes_per_s;
    const double g = (double)group->per_domain;
    const double nics = fabric->nics_per_domain * nic / (double)group->sharing;
    /* A message has one sender, however many ranks sit beside it. */
    const double senders = coll == RY_COLL_SENDRECV ? 1.0 : g;
    const double cap = fabric->gpu_bytes_per_s;
    const bool copied = cap > 0.0 && cap < fabric->pcie_bytes_per_s;
    const double slots = senders * (copied ? cap : fabric->pcie_bytes_per_s);

    assert(group->ranks >= 1 && group->per_domain >= 1 && group->sharing >= 1);
    return (struct span){
        .n = (double)group->ranks,
        .g = g,
        .domains = ceil((double)group->ranks / g),
        .share_bytes_per_s = min_of(nics, slots),
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
    const size_t ranks = group->per_tier[tier] ? group->per_tier[tier]
                                               : domains * group->per_domain;
    return least(group->ranks, ranks);
}

/* Share of the uplinks that so many flows out of one leaf can use: linear between powers
 * of two. */
static double usable_frac(const struct ry_net_tier *tier, double flows)
{
    int exponent = 0;
    const double part = 2.0 * frexp(max_of(flows, 1.0), &exponent) - 1.0;
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
    const double part = 2.0 * frexp(max_of(stages, 1.0), &exponent) - 1.0;
    const int last = RY_NET_SENDS - 1;

    if (!tier->hashed)
        return min_of(1.0, tier->spread_frac * stages / tier->oversubscription);
    if (exponent > last)
        return tier->send_frac[last];
    const double low = tier->send_frac[exponent - 1];
    return low + part * (tier->send_frac[exponent] - low);
}

/* Part of a domain's rate that gets over a tier: n ranks, g in a domain, some below it. */
static double over_tier(const struct ry_net_tier *tier, enum ry_coll coll, double n,
                        double g, double below)
{
    const double up = 1.0 / tier->oversubscription;

    if (coll == RY_COLL_ALL_TO_ALL)
        return up * usable_frac(tier, tier->down_ports * (n - below)) *
               max_of(n - g, 1.0) / (n - below);
    if (coll == RY_COLL_SENDRECV)
        return send_frac(tier, below);
    return up * usable_frac(tier, tier->down_ports * g / below) * below / g;
}

/*
 * The rate out of a domain that the switch tiers leave.  A ring or tree leaves a subtree
 * once, so the uplinks of all the domains below serve it (and the groups beside it, which
 * each have their share).  Every-to-every traffic crosses with all but the ranks below.
 */
static double tier_rate(const struct ry_net *net, const struct ry_group *group,
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

    group.per_domain = least(group.ranks, fit ? fit : 1);
    group.sharing = gpus / group.per_domain;
    if (net->gpus && net->gpus < gpus)
        group.sharing = net->gpus / group.per_domain;
    if (group.sharing < 1)
        group.sharing = 1;
    for (size_t i = 0; i < net->fabric.tiers; i++) {
        const size_t below = net->fabric.tier[i].gpus / step;
        group.per_tier[i] = least(group.ranks, below ? below : 1);
    }
    return group;
}

/* Inside a domain. */

static const struct ry_coll_piece *piece_at(const struct ry_coll_curve *curve, double bytes)
{
    size_t i = curve->pieces - 1;

    while (i > 0 && curve->piece[i].from_bytes > bytes)
        i--;
    return &curve->piece[i];
}

/* The piece for that many ranks: measured, between two measured, or beyond them. */
static struct ry_coll_piece piece_for(const struct ry_net_domain *domain, enum ry_coll coll,
                                 size_t ranks, double bytes)
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
        piece.busbw_bytes_per_s =
            1.0 / ((1.0 - part) / piece.busbw_bytes_per_s + part / next->busbw_bytes_per_s);
    } else if (at[i].ranks != ranks) {
        const double steps = (double)ranks - (double)at[i].ranks;
        const double times = coll == RY_COLL_ALL_REDUCE ? 2.0 : 1.0;
        piece.alpha_s = max_of(piece.alpha_s + times * steps * domain->step_s,
                               0.5 * piece.alpha_s);
    }
    return piece;
}

/* Whether the curves say something about that many ranks, or it is extrapolated. */
static double extrapolated(const struct ry_net_domain *domain, enum ry_coll coll, size_t ranks)
{
    const size_t n = domain->coll[coll].n;
    const double first = (double)domain->coll[coll].at[0].ranks;
    const double last = (double)domain->coll[coll].at[n - 1].ranks;
    const double r = (double)ranks;

    return r < first ? log2(first / r) : r > last ? log2(r / last) : 0.0;
}

/* Reduction in the switch needs a channel for each GPU that owns a NIC: between domains a
 * part of a domain reaches only its share of it (4 of 8 GPUs run the ring: nccl#1411). */
static double nvls_between(const struct ry_net_domain *domain, double g)
{
    return domain->nvls_bytes_per_s *
           (domain->gpus < 8 ? 0.5 : min_of(1.0, g / 8.0));
}

static double intra_busbw(const struct ry_net_domain *domain, enum ry_coll coll,
                          const struct span *span, enum rates rates,
                          enum ry_net_limit *limit)
{
    const double g = span->g;
    const double ring =
        rates == RATES_WIRE ? domain->wire_bytes_per_s : domain->ring_bytes_per_s;
    const double nvls = rates == RATES_WIRE && domain->nvls_bytes_per_s > 0.0
                            ? domain->wire_bytes_per_s
                        : span->domains > 1.0 ? nvls_between(domain, g)
                                              : domain->nvls_bytes_per_s;

    *limit = domain->limit;
    if (coll != RY_COLL_ALL_REDUCE || g < 3.0 || nvls * 2.0 * (g - 1.0) / g <= ring)
        return ring;
    *limit = RY_NET_LIMIT_NVLS;
    return nvls * 2.0 * (g - 1.0) / g;
}

/* Seconds that the links inside the domains need for their part. */
static double intra_bytes_s(const struct ry_net *net, enum ry_coll coll,
                            const struct span *span, double bytes, enum rates rates,
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
    if (rates == RATES_USABLE && *limit != RY_NET_LIMIT_NVLS) /* one ring through all */
        return bytes * ry_coll_bus_factor(coll, (size_t)span->n) / rate;
    return bytes * ry_coll_bus_factor(coll, (size_t)span->g) / rate;
}

/* Seconds that the way between domains needs, at the given rate out of a domain. */
static double inter_bytes_s(const struct ry_net *net, enum ry_coll coll,
                            const struct span *span, double rate, double bytes,
                            enum rates rates)
{
    const double domains = span->domains;
    const bool two = domains < 2.5;

    switch (coll) {
    case RY_COLL_ALL_REDUCE:
        if (net->fabric.sharp || two)
            return bytes / rate;
        return rates == RATES_WIRE
                   ? 2.0 * bytes * (domains - 1.0) / domains / rate
                   : ry_coll_bus_factor(coll, (size_t)span->n) * bytes / rate;
    case RY_COLL_ALL_GATHER:
    case RY_COLL_REDUCE_SCATTER:
        return rates == RATES_WIRE
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

static struct ry_coll_time limits(const struct ry_net *net, enum ry_coll coll,
                                  const struct ry_group *group, double bytes,
                                  enum rates rates)
{
    struct ry_coll_time time = {.algo = RY_COLL_ALGO_CURVE, .limit = RY_NET_LIMIT_NONE};

    if (group->ranks < 2)
        return time;
    const struct span span = span_of(net, coll, group, rates);
    time.s = intra_bytes_s(net, coll, &span, bytes, rates, &time.limit);
    if (span.domains > 1.0) {
        const double rate =
            tier_rate(net, group, coll, span.share_bytes_per_s, &time.tier);
        const double inter_s = inter_bytes_s(net, coll, &span, rate, bytes, rates);
        if (inter_s >= time.s) {
            time.s = inter_s;
            time.limit = time.tier < RY_TIERS_MOST ? RY_NET_LIMIT_TIER : span.limit;
        }
    }
    time.bound_s = time.s;
    time.busbw_bytes_per_s =
        ry_coll_bus_factor(coll, group->ranks) * bytes / max_of(time.s, 1e-300);
    return time;
}

struct ry_coll_time ry_collective_bound(const struct ry_net *net, enum ry_coll coll,
                                        const struct ry_group *group, double bytes)
{
    return limits(net, coll, group, bytes, RATES_WIRE);
}

struct ry_coll_time ry_collective_peak(const struct ry_net *net, enum ry_coll coll,
                                       const struct ry_group *group)
{
    return limits(net, coll, group, 1e9, RATES_USABLE);
}

static struct ry_coll_time intra_time(const struct ry_net *net, enum ry_coll coll,
                                      const struct ry_group *group, double bytes)
{
    const struct ry_net_domain *domain = &net->domain;
    const struct ry_coll_piece piece = piece_for(domain, coll, group->ranks, bytes);
    const double moved = bytes * ry_coll_bus_factor(coll, group->ranks);
    double rate = piece.busbw_bytes_per_s;

    if (domain->host_bytes_per_s > 0.0)
        rate = min_of(rate, domain->host_bytes_per_s / (double)group->sharing /
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

/* Across domains: lines, one an algorithm and protocol. */

/* What the lines of one group share. */
struct across {
    const struct ry_net *net;
    enum ry_coll coll;
    struct span span;
    double rate;  /* out of a domain, tiers, transport and losses counted */
    double bytes;
    enum ry_net_limit inter_limit;
};

struct line {
    double alpha_s;
    double bytes_s;
    enum ry_net_limit limit;
};

/* Steps of a ring, and how many of them leave a domain. */
static void ring_steps(const struct across *a, double *steps, double *outside)
{
    const bool both = a->coll == RY_COLL_ALL_REDUCE;

    *steps = (both ? 2.0 : 1.0) * (a->span.n - 1.0);
    *outside = (both ? 2.0 : 1.0) * (a->span.domains - 1.0);
    if (a->span.g < 2.0)
        *outside = *steps;
}

/* What a protocol makes of a bus. */
static double bus_rate(const struct across *a, const struct ry_net_lines *lines,
                       enum ry_proto proto, double bus)
{
    const double cap = lines->cap_bytes_per_s[proto][a->span.domains > 2.5];
    const double rate = bus * lines->rate_frac[proto];

    return cap > 0.0 ? min_of(rate, cap) : rate;
}

/* Between two entries of the table the factor is interpolated in log2 of the size. */
static double correction(const struct ry_net_fabric *fabric, enum ry_proto proto,
                         double bytes)
{
    const double *table = fabric->tree_correction[proto];
    const double at = log2(max_of(bytes, 64.0) / 64.0);
    const size_t i = at < RY_NET_CORRECTIONS - 1 ? (size_t)at : RY_NET_CORRECTIONS - 1;
    const size_t next = i + 1 < RY_NET_CORRECTIONS ? i + 1 : i;
    const double factor = table[i] + (at - (double)i) * (table[next] - table[i]);

    return i == next ? table[i] : factor;
}

static struct line ring_line(const struct across *a, enum ry_proto proto)
{
    const struct ry_net_lines *ring = &a->net->fabric.ring;
    const double factor = ry_coll_bus_factor(a->coll, (size_t)a->span.n);
    const double inside = a->span.g > 1.0 ? a->net->domain.ring_bytes_per_s : HUGE_VAL;
    double steps = 0.0;
    double outside = 0.0;

    ring_steps(a, &steps, &outside);
    return (struct line){
        .alpha_s = ring->base_s[proto] +
                   (steps - outside) * ring->intra_step_s[proto] +
                   outside * ring->inter_step_s[proto],
        .bytes_s = factor * a->bytes /
                   bus_rate(a, ring, proto, min_of(inside, a->rate)),
        .limit = inside < a->rate ? a->net->domain.limit : a->inter_limit,
    };
}

/* Only all_reduce.  Two domains each send the buffer once; more send it twice. */
static struct line tree_line(const struct across *a, const struct ry_net_lines *tree,
                             enum ry_proto proto, bool nvls)
{
    const struct ry_net_domain *domain = &a->net->domain;
    const bool two = a->span.domains < 2.5;
    const double inside =
        nvls ? nvls_between(domain, a->span.g)
             : (a->span.g > 1.0 ? 0.5 * domain->ring_bytes_per_s : HUGE_VAL);
    const double outside = (two ? a->net->fabric.tree_frac : 0.5) * a->rate;
    const double chain = nvls ? 1.0 : 2.0 * (a->span.g - 1.0);

    const double bus = 2.0 * min_of(inside, outside);
    const double corrected = nvls ? 1.0 : correction(&a->net->fabric, proto, a->bytes);
    return (struct line){
        .alpha_s = tree->base_s[proto] + chain * tree->intra_step_s[proto] +
                   2.0 * log2(a->span.domains) * tree->inter_step_s[proto],
        .bytes_s = 2.0 * a->bytes / (corrected * bus_rate(a, tree, proto, bus)),
        .limit = inside < outside ? (nvls ? RY_NET_LIMIT_NVLS : domain->limit)
                                  : a->inter_limit,
    };
}

static struct line sharp_line(const struct across *a)
{
    const struct ry_net_domain *domain = &a->net->domain;
    const struct ry_net_lines *nvls = &a->net->fabric.nvls_tree;
    const bool switched = domain->nvls_bytes_per_s > 0.0 && a->span.g > 1.0;
    const double inside = switched            ? nvls_between(domain, a->span.g)
                          : a->span.g > 1.0 ? 0.5 * domain->ring_bytes_per_s
                                              : HUGE_VAL;
    return (struct line){
        .alpha_s = nvls->intra_step_s[RY_PROTO_SIMPLE] +
                   2.0 * nvls->inter_step_s[RY_PROTO_SIMPLE],
        .bytes_s = a->bytes / min_of(inside, a->rate),
        .limit = a->rate < inside ? a->inter_limit
                 : switched       ? RY_NET_LIMIT_NVLS
                                  : domain->limit,
    };
}

static void keep_faster(struct ry_coll_time *best, const struct line *line,
                        enum ry_coll_algo algo)
{
    const double s = line->alpha_s + line->bytes_s;

    if (s >= best->s)
        return;
    best->s = s;
    best->alpha_s = line->alpha_s;
    best->algo = algo;
    best->limit = line->limit;
}

/* Every rank to every other, or to one: NICs and NVLink at the same time. */
static struct line direct_line(const struct across *a)
{
    const struct ry_net_fabric *fabric = &a->net->fabric;
    enum ry_net_limit inside = RY_NET_LIMIT_NONE;
    const double peers = a->coll == RY_COLL_ALL_TO_ALL ? a->span.n - 1.0 : 1.0;
    const double intra_s =
        intra_bytes_s(a->net, a->coll, &a->span, a->bytes, RATES_USABLE, &inside);
    const double inter_s =
        inter_bytes_s(a->net, a->coll, &a->span, a->rate, a->bytes, RATES_USABLE);

    return (struct line){
        .alpha_s = fabric->send_s + (peers - 1.0) * fabric->message_s,
        .bytes_s = max_of(intra_s, inter_s),
        .limit = intra_s > inter_s ? inside : a->inter_limit,
    };
}

static struct ry_coll_time across_time(const struct across *a)
{
    const struct ry_net_fabric *fabric = &a->net->fabric;
    struct ry_coll_time best = {.s = INFINITY};

    if (a->coll == RY_COLL_ALL_TO_ALL || a->coll == RY_COLL_SENDRECV) {
        const struct line line = direct_line(a);
        keep_faster(&best, &line, RY_COLL_ALGO_DIRECT);
        return best;
    }
    for (int proto = 0; proto < RY_PROTOS; proto++) {
        if (fabric->ring.rate_frac[proto] > 0.0) {
            const struct line line = ring_line(a, (enum ry_proto)proto);
            keep_faster(&best, &line, RY_COLL_ALGO_RING);
        }
        if (a->coll == RY_COLL_ALL_REDUCE && fabric->tree.rate_frac[proto] > 0.0) {
            const struct line line = tree_line(a, &fabric->tree, (enum ry_proto)proto,
                                               false);
            keep_faster(&best, &line, RY_COLL_ALGO_TREE);
        }
    }
    if (a->coll == RY_COLL_ALL_REDUCE && a->span.g > 2.0 &&
        a->net->domain.nvls_bytes_per_s > 0.0 &&
        fabric->nvls_tree.rate_frac[RY_PROTO_SIMPLE] > 0.0) {
        const struct line line =
            tree_line(a, &fabric->nvls_tree, RY_PROTO_SIMPLE, true);
        keep_faster(&best, &line, RY_COLL_ALGO_NVLS_TREE);
    }
    if (a->coll == RY_COLL_ALL_REDUCE && fabric->sharp) {
        const struct line line = sharp_line(a);
        keep_faster(&best, &line, RY_COLL_ALGO_SHARP);
    }
    return best;
}

static struct ry_coll_time inter_time(const struct ry_net *net, enum ry_coll coll,
                                      const struct ry_group *group, double bytes)
{
    const struct ry_net_fabric *fabric = &net->fabric;
    struct across a = {.net = net, .coll = coll, .bytes = bytes};
    size_t tier = 0;

    a.span = span_of(net, coll, group, RATES_USABLE);
    const double doublings = max_of(0.0, log2(a.span.domains / 4.0));
    const double loss = 1.0 / (1.0 + fabric->loss_per_doubling * doublings);
    a.rate = tier_rate(net, group, coll, a.span.share_bytes_per_s, &tier) *
             fabric->nic_frac * loss;
    a.inter_limit = tier < RY_TIERS_MOST ? RY_NET_LIMIT_TIER : a.span.limit;
    struct ry_coll_time time = across_time(&a);
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
    const double size = max_of(bytes, 0.0);

    if (group->ranks < 2)
        return (struct ry_coll_time){.limit = RY_NET_LIMIT_NONE};
    struct ry_coll_time time = group->ranks <= group->per_domain
                                   ? intra_time(net, coll, group, size)
                                   : inter_time(net, coll, group, size);
    const struct ry_coll_time bound = limits(net, coll, group, size, RATES_WIRE);
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
