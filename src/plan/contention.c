/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/contention.h"

#include "base/order.h"

#include <math.h>

/* From this mean load on a bin's binomial is a normal distribution; steps of a part of
 * its standard deviation, so many of them to each side. */
static const double normal_from = 400.0;
static const double step_sigma = 1.0 / 32.0;
static const double sides_sigma = 9.0;

/* Sum over loads of P(fullest = load) * least / max(load + own, least). */
struct sum {
    double links, least, own;
    double below; /* P(fullest < this load) */
    double mean;
};

static void add_load(struct sum *s, double load, double cdf)
{
    const double upto = cdf < 1.0 ? pow(cdf, s->links) : 1.0;

    s->mean += (upto - s->below) * s->least / ry_max(load + s->own, s->least);
    s->below = upto;
}

static void add_binomial(struct sum *s, double balls, double p)
{
    double pmf = exp(balls * log1p(-p));
    double cdf = pmf;

    for (double load = 0.0; load < balls && s->below < 1.0 - 1e-12; load += 1.0) {
        add_load(s, load, cdf);
        pmf *= (balls - load) / (load + 1.0) * p / (1.0 - p);
        cdf += pmf;
    }
}

static void add_normal(struct sum *s, double balls, double p)
{
    const double mean = balls * p;
    const double sigma = sqrt(mean * (1.0 - p));

    for (int k = 0; k * step_sigma < 2.0 * sides_sigma; k++) {
        const double x = k * step_sigma - sides_sigma;
        add_load(s, mean + x * sigma, 0.5 * erfc(-x / sqrt(2.0)));
    }
}

/* Expected least / max(least, own + fullest of `links` bins), where every `bins` of them
 * share `balls`. */
static double of_fullest(double balls, double bins, struct sum s)
{
    if (bins < 1.5)
        return s.least / ry_max(balls + s.own, s.least);
    if (balls / bins < normal_from)
        add_binomial(&s, balls, 1.0 / bins);
    else
        add_normal(&s, balls, 1.0 / bins);
    return s.mean + (1.0 - s.below) * s.least / ry_max(balls + s.own, s.least);
}

static double queue_pairs(const struct ry_design *design)
{
    const double pairs = design->fabric.queue_pairs * design->fabric.connections_per_nic;

    return pairs >= 1.0 ? floor(pairs) : 1.0;
}

static size_t pod_spines(const struct ry_network *n)
{
    return n->pods > 0 ? n->spines / n->pods : n->spines;
}

/* Links both ways that load themselves apart: where a pair of switches has one link, the
 * way up decides the way down for flows to one leaf. */
static double apart(double links, size_t links_a_switch, size_t switches)
{
    const double pair = (double)links_a_switch / (double)(switches > 0 ? switches : 1);

    return links * (2.0 - 1.0 / ry_max(pair, 1.0));
}

static void set_hashed(double pairs, double up, double links, struct ry_net_tier *tier)
{
    const struct sum fullest = {.links = links, .least = pairs};

    tier->hashed = true;
    for (size_t i = 0; i < RY_NET_LOADS; i++) {
        const double flows = exp2((double)i);
        tier->hashed_frac[i] = flows / up * of_fullest(flows * pairs, up, fullest);
    }
}

/* NICs below a leaf to those below another; or below a pod. */
static struct ry_stretch stretch(const struct ry_design *design,
                                 const struct ry_network *n, bool pod)
{
    const size_t spines = pod_spines(n);
    const bool even = design->fabric.rail_optimised && design->nodes < n->leaf_down;
    const size_t most = even ? n->node_links / n->leaves : n->node_links;
    const size_t all = most < n->leaf_down ? most : n->leaf_down;

    return (struct ry_stretch){.leaves = pod ? n->pod_leaves : 1,
                               .leaf_nics = all > 0 ? all : 1,
                               .leaf_up = n->leaf_up,
                               .spines = spines < n->leaf_up ? spines : n->leaf_up,
                               .spine_up = pod ? n->spine_up : 0,
                               .spine_cores = n->spine_cores,
                               .pairs = (size_t)queue_pairs(design)};
}

/* At every load: a half, a quarter, ... of the NICs of each leaf send. */
static enum ry_err set_send(struct ry_arena *arena, struct ry_stretch s,
                            struct ry_net_tier *tier, struct ry_diag *diag)
{
    const size_t nics = s.leaf_nics;

    for (size_t i = 0; i < RY_NET_SENDS; i++) {
        s.leaf_nics = nics >> i;
        tier->send_frac[i] = i > 0 ? tier->send_frac[i - 1] : 1.0;
        if (s.leaf_nics > 0)
            RY_TRY(ry_contention_send(arena, &s, &tier->send_frac[i], diag));
    }
    return RY_OK;
}

static enum ry_err add_leaves(struct ry_arena *arena, const struct ry_design *design,
                              const struct ry_network *n, struct ry_net_tier *tier,
                              struct ry_diag *diag)
{
    const double pairs = queue_pairs(design);
    const double up = (double)n->leaf_up;

    *tier = (struct ry_net_tier){.gpus = n->nodes_per_leaf * design->gpus_per_node,
                                 .oversubscription = n->oversubscription,
                                 .down_ports = (double)n->leaf_down,
                                 .spread_frac = 1.0};
    if (design->fabric.adaptive_routing)
        return RY_OK;
    set_hashed(pairs, up, apart((double)n->leaves * up, n->leaf_up, pod_spines(n)), tier);
    return set_send(arena, stretch(design, n, false), tier, diag);
}

static enum ry_err add_pods(struct ry_arena *arena, const struct ry_design *design,
                            const struct ry_network *n, struct ry_net_tier *tier,
                            struct ry_diag *diag)
{
    const double pairs = queue_pairs(design);
    const double links = (double)n->spine_core_links;
    const double up = links / (double)n->pods;
    const double down = (double)(n->pod_leaves * n->leaf_down);
    const size_t nodes = (design->nodes + n->pods - 1) / n->pods;

    *tier = (struct ry_net_tier){.gpus = nodes * design->gpus_per_node,
                                 .oversubscription = fmax(1.0, down / up),
                                 .down_ports = down,
                                 .spread_frac = 1.0};
    if (design->fabric.adaptive_routing)
        return RY_OK;
    set_hashed(pairs, up, apart(links, n->spine_up, n->spine_cores), tier);
    return set_send(arena, stretch(design, n, true), tier, diag);
}

enum ry_err ry_contention_make(struct ry_arena *arena, const struct ry_design *design,
                               const struct ry_network *network,
                               struct ry_contention *out, struct ry_diag *diag)
{
    *out = (struct ry_contention){.tiers = network->tiers > 1 ? network->tiers - 1 : 0};
    if (network->tiers > 1)
        RY_TRY(add_leaves(arena, design, network, &out->tier[0], diag));
    if (network->tiers > 2)
        RY_TRY(add_pods(arena, design, network, &out->tier[1], diag));
    return RY_OK;
}
