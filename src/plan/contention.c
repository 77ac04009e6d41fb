/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/contention.h"

#include <math.h>

/* From this mean load on a bin's binomial is a normal distribution; steps of a part of its
 * standard deviation, so many of them to each side. */
static const double normal_from = 400.0;
static const double step_sigma = 1.0 / 32.0;
static const double sides_sigma = 9.0;

static double max_of(double a, double b)
{
    return a > b ? a : b;
}

/* Sum over loads of P(fullest = load) * least / max(load + own, least). */
struct sum {
    double links, least, own;
    double below; /* P(fullest < this load) */
    double mean;
};

static void add_load(struct sum *s, double load, double cdf)
{
    const double upto = cdf < 1.0 ? pow(cdf, s->links) : 1.0;

    s->mean += (upto - s->below) * s->least / max_of(load + s->own, s->least);
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

    for (double x = -sides_sigma; x < sides_sigma; x += step_sigma)
        add_load(s, mean + x * sigma, 0.5 * erfc(-x / sqrt(2.0)));
}

/* Expected least / max(least, own + fullest of `links` bins), where every `bins` of them
 * share `balls`. */
static double of_fullest(double balls, double bins, struct sum s)
{
    if (bins < 1.5)
        return s.least / max_of(balls + s.own, s.least);
    if (balls / bins < normal_from)
        add_binomial(&s, balls, 1.0 / bins);
    else
        add_normal(&s, balls, 1.0 / bins);
    return s.mean + (1.0 - s.below) * s.least / max_of(balls + s.own, s.least);
}

void ry_contention_fill(const struct ry_contention_input *in, struct ry_net_tier *tier)
{
    const double up = (double)in->leaf_up;
    const double pairs = in->queue_pairs >= 1.0 ? floor(in->queue_pairs) : 1.0;
    const double links = (in->tiers > 2 ? 4.0 : 2.0) * (double)in->leaves * up;
    const double all = (double)in->leaf_down * pairs;
    const struct sum fullest = {.links = links, .least = pairs};

    tier->hashed = true;
    tier->down_ports = (double)in->leaf_down;
    for (size_t i = 0; i < RY_NET_LOADS; i++) {
        const double flows = exp2((double)i);
        tier->hashed_frac[i] = flows / up * of_fullest(flows * pairs, up, fullest);
    }
    /* Each pair of a message is on two links with the pairs of all others. */
    tier->send_frac = of_fullest(
        all - 1.0, up, (struct sum){.links = 2.0 * pairs, .least = pairs, .own = 1.0});
}
