/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/judge.h"

#include <math.h>

static const double low_share = 0.80;
static const double bad_share = 0.50;
static const double degraded_share = 0.10;
/* Timers and printed digits: so much over the wire rate is still the wire rate. */
static const double over_wire = 1.02;
/* A rate is that of k NICs when it is so near. */
static const double near_nics = 0.10;
/* NCCL over sockets: 2.2 to 3.2 GB/s a GPU measured on H200, up to about 6 published. */
static const double socket_bytes_per_s = 3.5e9;
/* Through the host, PCIe gen5: 28.7 GB/s all_reduce measured; gen4 21. */
static const double host_bytes_per_s = 32e9;
static const double small_bytes = 65536.0;

const char *ry_verdict_name(enum ry_verdict verdict)
{
    switch (verdict) {
    case RY_VERDICT_GOOD:
        return "good";
    case RY_VERDICT_LOW:
        return "low";
    case RY_VERDICT_BAD:
        return "bad";
    case RY_VERDICT_DEGRADED:
        return "badly degraded";
    case RY_VERDICT_IMPOSSIBLE:
        return "impossible";
    }
    return "";
}

const char *ry_cause_text(enum ry_cause cause)
{
    switch (cause) {
    case RY_CAUSE_NONE:
        return "";
    case RY_CAUSE_ONE_NIC:
        return "the rate of one NIC: the others are not used (NCCL_IB_HCA, PCIe "
               "placement, NCCL's topology search)";
    case RY_CAUSE_SOME_NICS:
        return "the rate of fewer NICs than there are: some are missing, down or not "
               "chosen";
    case RY_CAUSE_HALF:
        return "about half of the usable rate: PCIe access control (ACS) on, GPUDirect "
               "RDMA "
               "off, or NICs behind another root port";
    case RY_CAUSE_SOCKETS:
        return "the rate of plain TCP: NCCL fell back from RDMA to sockets";
    case RY_CAUSE_HOST:
        return "the rate of copies through the host: GPU peer access or NVLink is not "
               "used";
    case RY_CAUSE_NVLS_OFF:
        return "the rate of the NVLink ring: switch reduction (NVLS) is off or not "
               "supported by driver and fabric manager";
    case RY_CAUSE_START_UP:
        return "small sizes start slowly: host launch, CPU frequency or binding, or the "
               "network's latency";
    case RY_CAUSE_SPIKES:
        return "single sizes are far slower than their neighbours: another job, "
               "throttling, or interrupts";
    case RY_CAUSE_FALLS:
        return "large sizes are slower than middle ones: a change of algorithm, memory "
               "registration, or congestion";
    case RY_CAUSE_UNKNOWN:
        return "no known cause fits the figure: look at NCCL_DEBUG=INFO";
    }
    return "";
}

static double busbw(const struct ry_coll_run *run, const struct ry_link_point *point)
{
    return ry_coll_bus_factor(run->coll, run->ranks) * point->bytes / point->time_s;
}

/* Of the row that is best for its size: spikes and small sizes do not count. */
static size_t best_row(const struct ry_coll_run *run)
{
    size_t best = 0;

    for (size_t i = 1; i < run->n; i++)
        if (busbw(run, &run->points[i]) > busbw(run, &run->points[best]))
            best = i;
    return best;
}

/* Whether less than a third of the sizes take three times what the run is like. */
static bool has_spikes(const struct ry_net *net, const struct ry_group *group,
                       const struct ry_coll_run *run, double slow_times)
{
    size_t spikes = 0;

    for (size_t i = 0; i < run->n; i++) {
        const double expected_s =
            ry_collective_s(net, run->coll, group, run->points[i].bytes);
        spikes += run->points[i].time_s > 3.0 * expected_s * fmax(slow_times, 1.0);
    }
    return spikes > 0 && spikes * 3 < run->n;
}

static bool falls(const struct ry_coll_run *run, double best_busbw)
{
    size_t largest = 0;

    for (size_t i = 1; i < run->n; i++)
        if (run->points[i].bytes > run->points[largest].bytes)
            largest = i;
    return busbw(run, &run->points[largest]) < 0.8 * best_busbw;
}

/* What one NIC would have to carry for that figure. */
static double nic_rate(const struct ry_net *net, const struct ry_group *group,
                       const struct ry_coll_run *run,
                       const struct ry_judgement *judgement)
{
    const double sent = ry_coll_sent_bytes(run->coll, group, judgement->bytes);
    const double nics = net->fabric.nics_per_domain;

    return nics > 0.0 ? sent / judgement->time_s / nics : 0.0;
}

static bool about(double value, double other, double share)
{
    return fabs(value / other - 1.0) <= share;
}

/* How many NICs of a node the figure speaks for: bound with k of them. */
static size_t nics_like(const struct ry_net *net, const struct ry_group *group,
                        const struct ry_coll_run *run, double measured)
{
    struct ry_net fewer = *net;
    const size_t nics = (size_t)net->fabric.nics_per_domain;

    for (size_t k = 1; k < nics && k <= 64; k++) {
        fewer.fabric.nics_per_domain = (double)k;
        const double peak =
            ry_collective_peak(&fewer, run->coll, group).busbw_bytes_per_s;
        if (about(measured, peak, near_nics))
            return k;
        if (peak > measured * 1.2)
            break;
    }
    return 0;
}

static enum ry_cause cause_inside(const struct ry_net *net,
                                  const struct ry_judgement *judgement)
{
    if (net->domain.limit == RY_NET_LIMIT_NVLINK &&
        judgement->busbw_bytes_per_s < host_bytes_per_s &&
        judgement->peak_busbw_bytes_per_s > 2.0 * host_bytes_per_s)
        return judgement->busbw_bytes_per_s < socket_bytes_per_s ? RY_CAUSE_SOCKETS
                                                                 : RY_CAUSE_HOST;
    if (judgement->limit == RY_NET_LIMIT_NVLS &&
        judgement->busbw_bytes_per_s < 1.05 * net->domain.ring_bytes_per_s &&
        judgement->busbw_bytes_per_s > 0.85 * net->domain.ring_bytes_per_s)
        return RY_CAUSE_NVLS_OFF;
    return RY_CAUSE_UNKNOWN;
}

static enum ry_cause cause_between(const struct ry_net *net, const struct ry_group *group,
                                   const struct ry_coll_run *run,
                                   struct ry_judgement *judgement)
{
    const double node =
        ry_coll_sent_bytes(run->coll, group, judgement->bytes) / judgement->time_s;
    const size_t nics = nics_like(net, group, run, judgement->busbw_bytes_per_s);

    if (nics == 1) {
        judgement->nics_seen = 1.0;
        return RY_CAUSE_ONE_NIC;
    }
    if (about(judgement->busbw_bytes_per_s, 0.5 * judgement->peak_busbw_bytes_per_s, 0.1))
        return RY_CAUSE_HALF;
    if (nics > 1) {
        judgement->nics_seen = (double)nics;
        return RY_CAUSE_SOME_NICS;
    }
    if (node < 3.0 * socket_bytes_per_s &&
        node < (double)group->per_domain * socket_bytes_per_s &&
        net->fabric.nic_bytes_per_s > socket_bytes_per_s)
        return RY_CAUSE_SOCKETS;
    return RY_CAUSE_UNKNOWN;
}

static enum ry_cause cause_of(const struct ry_net *net, const struct ry_group *group,
                              const struct ry_coll_run *run,
                              struct ry_judgement *judgement)
{
    enum ry_cause cause = RY_CAUSE_UNKNOWN;

    if (judgement->bytes <= small_bytes)
        return RY_CAUSE_START_UP;
    cause = group->ranks > group->per_domain ? cause_between(net, group, run, judgement)
                                             : cause_inside(net, judgement);
    if (cause == RY_CAUSE_UNKNOWN && has_spikes(net, group, run, judgement->slow_times))
        return RY_CAUSE_SPIKES;
    return cause;
}

static enum ry_verdict verdict_of(const struct ry_judgement *judgement)
{
    const double share = 1.0 / judgement->slow_times;

    if (judgement->busbw_bytes_per_s > over_wire * judgement->bound_busbw_bytes_per_s)
        return RY_VERDICT_IMPOSSIBLE;
    return share >= low_share        ? RY_VERDICT_GOOD
           : share >= bad_share      ? RY_VERDICT_LOW
           : share >= degraded_share ? RY_VERDICT_BAD
                                     : RY_VERDICT_DEGRADED;
}

struct ry_judgement ry_judge(const struct ry_net *net, const struct ry_group *group,
                             const struct ry_coll_run *run)
{
    const struct ry_link_point *point = &run->points[best_row(run)];
    const struct ry_coll_time expected =
        ry_collective(net, run->coll, group, point->bytes);
    const struct ry_coll_time peak = ry_collective_peak(net, run->coll, group);
    const struct ry_coll_time bound =
        ry_collective_bound(net, run->coll, group, point->bytes);
    struct ry_judgement judgement = {
        .bytes = point->bytes,
        .time_s = point->time_s,
        .busbw_bytes_per_s = busbw(run, point),
        .expected_busbw_bytes_per_s = expected.busbw_bytes_per_s,
        .peak_busbw_bytes_per_s = peak.busbw_bytes_per_s,
        .bound_busbw_bytes_per_s = bound.busbw_bytes_per_s,
        .algo = expected.algo,
        .limit = peak.limit,
        .slow_times = point->time_s / expected.s,
        .gain = 1.0,
    };

    judgement.nic_bytes_per_s = nic_rate(net, group, run, &judgement);
    judgement.verdict = verdict_of(&judgement);
    if (judgement.verdict == RY_VERDICT_IMPOSSIBLE)
        return judgement;
    if (judgement.verdict != RY_VERDICT_GOOD) {
        judgement.cause = cause_of(net, group, run, &judgement);
        judgement.gain = judgement.slow_times;
    } else if (falls(run, judgement.busbw_bytes_per_s)) {
        judgement.verdict = RY_VERDICT_LOW;
        judgement.cause = RY_CAUSE_FALLS;
    }
    return judgement;
}
