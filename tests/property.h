/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Random cases of property tests, seeded.
 *
 * PROPERTY_SEED and PROPERTY_RUNS (times as many cases) set another run.  A failure names
 * its case, which the same seed makes again.
 */
#ifndef RY_TESTS_PROPERTY_H
#define RY_TESTS_PROPERTY_H

#include "comm/net_build.h"
#include "unit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static size_t case_number;

/* Steele, Lea, Flood 2014: splitmix64. */
static inline uint64_t next(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline size_t below(size_t n)
{
    return (size_t)(next() % n);
}

static inline double between(double low, double high)
{
    return low + (high - low) * (double)(next() >> 11) * 0x1p-53;
}

/* Over decades. */
static inline double scaled(double low, double high)
{
    return exp(between(log(low), log(high)));
}

static inline size_t setting(const char *name, size_t fallback)
{
    const char *text = getenv(name);
    return text ? (size_t)strtoul(text, NULL, 10) : fallback;
}

/* The number of cases, and the seed of one, so that each can be made alone. */
static inline size_t cases(size_t n)
{
    return n * setting("PROPERTY_RUNS", 1);
}

static inline void start_case(size_t i)
{
    case_number = i;
    state = setting("PROPERTY_SEED", 1) * 1000003u + i;
}

#define holds(truth, ...)                                                                \
    do {                                                                                 \
        char why[900];                                                                   \
        (void)snprintf(why, sizeof(why), __VA_ARGS__);                                   \
        ck_assert_msg(truth, "case %zu: %s: %s", case_number, #truth, why);              \
    } while (0)

/* Networks. */

static const struct {
    const char *gpu;
    enum ry_local_link link;
} gpus[] = {
    {"H100-SXM5-80GB", RY_LOCAL_SWITCHED},
    {"A100-SXM4-80GB", RY_LOCAL_SWITCHED},
    {"B200-SXM-180GB", RY_LOCAL_SWITCHED},
    {"H200-SXM-141GB", RY_LOCAL_SWITCHED},
    {"MI300X", RY_LOCAL_MESH},
    {"H100-PCIe-80GB", RY_LOCAL_PCIE},
};

static inline struct ry_net random_net(const struct ry_comm_models *models,
                                       const char **gpu)
{
    static const enum ry_transport transports[] = {RY_TRANSPORT_IB, RY_TRANSPORT_ROCE,
                                                   RY_TRANSPORT_TCP, RY_TRANSPORT_EFA};
    const size_t which = below(sizeof(gpus) / sizeof(gpus[0]));
    struct ry_net_spec spec = {
        .gpu = gpus[which].gpu,
        .link = gpus[which].link,
        .domain_gpus = 8,
        .gpus = 8 * (1 + below(256)),
        .nics_per_domain = (double)((size_t)1 << below(4)),
        .nic_bytes_per_s = scaled(3e9, 1e11),
        .transport = transports[below(4)],
        .nvls_off = below(2) == 0,
        .tiers = below(3),
    };
    struct ry_net net;
    struct ry_diag diag = {0};

    spec.sharp = spec.transport == RY_TRANSPORT_IB && below(4) == 0;
    for (size_t t = 0; t < spec.tiers; t++)
        spec.tier[t] = (struct ry_net_tier){.gpus = t == 0 ? 64 : 512,
                                            .oversubscription = between(1.0, 8.0),
                                            .spread_frac = between(0.4, 1.0),
                                            .send_frac = {between(0.5, 1.0)}};
    const enum ry_err err = ry_net_build(models, &spec, &net, &diag);
    holds(err == RY_OK, "%s: %s", diag.where, diag.text);
    *gpu = spec.gpu;
    return net;
}

static inline void speed_domain(struct ry_net *net, double by)
{
    net->domain.wire_bytes_per_s *= by;
    net->domain.ring_bytes_per_s *= by;
    net->domain.nvls_bytes_per_s *= by;
    net->domain.host_bytes_per_s *= by;
    for (size_t c = 0; c < RY_COLLS; c++)
        for (size_t i = 0; i < net->domain.coll[c].n; i++)
            for (size_t k = 0; k < net->domain.coll[c].at[i].pieces; k++)
                net->domain.coll[c].at[i].piece[k].busbw_bytes_per_s *= by;
}

static inline void speed_nics(struct ry_net *net, double by)
{
    net->fabric.nic_bytes_per_s *= by;
    net->fabric.nic_line_bytes_per_s *= by;
}

/* All that is neither the NICs, nor the domain, nor the uplinks. */
static inline void speed_rest(struct ry_net *net, double by)
{
    net->fabric.pcie_bytes_per_s *= by;
    net->fabric.gpu_bytes_per_s *= by;
    for (size_t a = 0; a < RY_COLL_ALGOS; a++)
        for (size_t p = 0; p < RY_PROTOS; p++)
            for (size_t k = 0; k < 2; k++)
                net->fabric.lines[a].cap_bytes_per_s[p][k] *= by;
}

static inline void speed_uplinks(struct ry_net *net, double by)
{
    for (size_t t = 0; t < net->fabric.tiers; t++)
        net->fabric.tier[t].oversubscription /= by;
}

#endif
