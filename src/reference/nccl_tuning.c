/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/nccl_tuning.h"

#include <math.h>

const char *ry_nccl_algo_name(enum ry_nccl_algo algo)
{
    switch (algo) {
    case RY_NCCL_TREE:
        return "Tree";
    case RY_NCCL_RING:
        return "Ring";
    case RY_NCCL_COLLNET_DIRECT:
        return "CollNetDirect";
    case RY_NCCL_COLLNET_CHAIN:
        return "CollNetChain";
    case RY_NCCL_NVLS:
        return "NVLS";
    case RY_NCCL_NVLS_TREE:
        return "NVLSTree";
    case RY_NCCL_PAT:
        return "PAT";
    }
    return "";
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static size_t scale_of(const struct ry_nccl_comm *comm)
{
    return comm->nodes <= 1 ? 0 : comm->nodes == 2 ? 1 : 2;
}

static double per_node(const struct ry_nccl_comm *comm)
{
    return (double)comm->ranks / (double)comm->nodes;
}

static double floor_log2(size_t n)
{
    return floor(log2((double)n) + 1e-12);
}

static bool is_gather(enum ry_coll coll)
{
    return coll == RY_COLL_ALL_GATHER || coll == RY_COLL_REDUCE_SCATTER;
}

static bool available(const struct ry_nccl_comm *comm, enum ry_coll coll,
                      enum ry_nccl_algo algo, enum ry_proto proto)
{
    const bool simple = proto == RY_PROTO_SIMPLE;
    const bool many = comm->nodes > 1;

    if (comm->ranks < 2 || coll == RY_COLL_ALL_TO_ALL || coll == RY_COLL_SENDRECV)
        return false;
    switch (algo) {
    case RY_NCCL_RING:
        return true;
    case RY_NCCL_TREE:
        return coll == RY_COLL_ALL_REDUCE;
    case RY_NCCL_COLLNET_DIRECT:
        return simple && many && comm->collnet && comm->nvswitch &&
               (coll == RY_COLL_ALL_REDUCE || is_gather(coll));
    case RY_NCCL_COLLNET_CHAIN:
        return simple && many && comm->collnet && coll == RY_COLL_ALL_REDUCE;
    case RY_NCCL_NVLS:
        return simple && comm->nvswitch && comm->channels >= 2 &&
               comm->arch >= RY_NCCL_HOPPER && (!many || comm->collnet) &&
               (coll == RY_COLL_ALL_REDUCE || (is_gather(coll) && !many));
    case RY_NCCL_NVLS_TREE:
        return simple && many && comm->nvswitch && comm->channels >= 2 &&
               comm->arch >= RY_NCCL_HOPPER && coll == RY_COLL_ALL_REDUCE;
    case RY_NCCL_PAT:
        return simple && per_node(comm) < 1.5 && is_gather(coll);
    }
    return false;
}

static double nvls_channel(const struct ry_nccl_constants *constants,
                           const struct ry_nccl_comm *comm, enum ry_coll coll,
                           enum ry_nccl_algo algo)
{
    const double ppn = per_node(comm);
    const double channels = (double)comm->channels;
    const bool tree = algo == RY_NCCL_NVLS_TREE;
    double intra = comm->intra_bytes_per_s * constants->nvls_frac[comm->arch] *
                   (channels - 1.0) / channels;
    double inter = comm->inter_bytes_per_s;

    intra *= coll == RY_COLL_ALL_REDUCE ? 2.0 : (ppn - 1.0) / ppn;
    if (comm->nodes <= 1)
        return intra;
    if (tree && comm->nodes <= 2)
        inter *= 2.0;
    const double both = least(intra, inter);
    return tree
               ? least(both, constants->nvls_tree_bytes_per_s[comm->arch][scale_of(comm)])
               : both;
}

static double ring_bus(const struct ry_nccl_constants *constants,
                       const struct ry_nccl_comm *comm, enum ry_proto proto, double bus)
{
    const size_t scale = scale_of(comm);
    const size_t ll_row = comm->nodes <= 1 ? (size_t)comm->arch : comm->amd ? 1 : 0;
    const double channels = (double)comm->channels;

    switch (proto) {
    case RY_PROTO_LL:
        return least(constants->ll_bytes_per_s[ll_row][scale],
                     bus * constants->ring_ll_frac);
    case RY_PROTO_LL128:
        return least(bus * constants->ring_ll128_frac,
                     channels * constants->ring_ll128_bytes_per_s[comm->arch][scale]);
    case RY_PROTO_SIMPLE:
        break;
    }
    return bus;
}

static double tree_bus(const struct ry_nccl_constants *constants,
                       const struct ry_nccl_comm *comm, enum ry_proto proto, double bus)
{
    const size_t scale = scale_of(comm);
    const size_t ll_row = comm->nodes <= 1 ? (size_t)comm->arch : comm->amd ? 1 : 0;
    const double channels = (double)comm->channels;
    double tree = least(bus * constants->tree_frac,
                        channels * constants->tree_bytes_per_s[comm->arch][scale]);

    if (proto == RY_PROTO_LL)
        tree = least(tree * constants->tree_ll_frac,
                     constants->ll_bytes_per_s[ll_row][scale]);
    if (proto == RY_PROTO_LL128)
        tree = least(tree * (comm->nodes <= 1 ? constants->tree_ll128_one_node_frac
                                              : constants->tree_ll128_frac),
                     channels * constants->tree_ll128_bytes_per_s[comm->arch][scale]);
    return comm->plain_tree ? tree * constants->plain_tree_frac : tree;
}

static double collnet_direct_bus(const struct ry_nccl_constants *constants,
                                 const struct ry_nccl_comm *comm, enum ry_coll coll,
                                 double bus)
{
    const double ppn = per_node(comm);

    if (is_gather(coll))
        return ppn * least(comm->intra_bytes_per_s,
                           constants->collnet_gather_frac * comm->inter_bytes_per_s);
    const double heads = ppn / (double)comm->channels;
    const double factor = heads - (heads - 1.0) / 2.0;
    return bus / factor *
           (comm->arch >= RY_NCCL_HOPPER ? constants->collnet_direct_hopper_frac : 1.0);
}

static double bandwidth(const struct ry_nccl_constants *constants,
                        const struct ry_nccl_comm *comm, enum ry_coll coll,
                        enum ry_nccl_algo algo, enum ry_proto proto)
{
    const bool collnet = algo == RY_NCCL_COLLNET_DIRECT || algo == RY_NCCL_COLLNET_CHAIN;
    const double n = (double)comm->ranks;
    const double channel =
        comm->nodes <= 2 || collnet ? comm->intra_bytes_per_s : comm->inter_bytes_per_s;
    const double bus = (double)comm->channels * channel;
    const double by_ring = coll == RY_COLL_ALL_REDUCE ? n / (2.0 * (n - 1.0))
                           : is_gather(coll)          ? n / (n - 1.0)
                                                      : 1.0;

    switch (algo) {
    case RY_NCCL_TREE:
        return 0.5 * tree_bus(constants, comm, proto, bus);
    case RY_NCCL_RING:
        return by_ring * ring_bus(constants, comm, proto, bus);
    case RY_NCCL_COLLNET_DIRECT:
        return (is_gather(coll) ? 1.0 : 0.5) *
               collnet_direct_bus(constants, comm, coll, bus);
    case RY_NCCL_COLLNET_CHAIN:
        return 0.5 * bus;
    case RY_NCCL_NVLS:
    case RY_NCCL_NVLS_TREE:
        return (is_gather(coll) ? 1.0 : by_ring) * (double)comm->channels *
               nvls_channel(constants, comm, coll, algo);
    case RY_NCCL_PAT:
        return bus * constants->pat_frac;
    }
    return 0.0;
}

/* One step between nodes: the algorithm's, the tree's when a node has one rank. */
static double inter_step_s(const struct ry_nccl_constants *constants,
                           const struct ry_nccl_comm *comm, enum ry_nccl_algo algo,
                           enum ry_proto proto)
{
    const bool alone = per_node(comm) < 1.5;
    const bool simple = proto == RY_PROTO_SIMPLE;

    return constants->step_s[RY_NCCL_NET][alone ? RY_NCCL_TREE : algo][proto] +
           comm->inter_latency_s * (simple ? 2.0 : 1.0);
}

static double ring_latency_s(const struct ry_nccl_constants *constants,
                             const struct ry_nccl_comm *comm, enum ry_coll coll,
                             enum ry_proto proto)
{
    const double both = coll == RY_COLL_ALL_REDUCE ? 2.0 : 1.0;
    const double steps = both * ((double)comm->ranks - 1.0);
    const double crossings = constants->ring_counts_last_node && both > 1.5
                                 ? (double)comm->nodes
                                 : (double)comm->nodes - 1.0;
    const double outside = comm->nodes > 1 ? both * crossings : 0.0;
    const double intra_s = constants->step_s[comm->link][RY_NCCL_RING][proto];
    const double inter_s = inter_step_s(constants, comm, RY_NCCL_RING, proto);
    double post_s = comm->nodes > 1
                        ? (comm->amd ? constants->post_amd_s : constants->post_intel_s)
                        : 0.0;

    if (proto == RY_PROTO_SIMPLE)
        post_s *= constants->post_simple_times;
    if (coll == RY_COLL_BROADCAST || coll == RY_COLL_REDUCE)
        return constants->base_s[RY_NCCL_RING][proto] +
               (comm->nodes > 1 ? inter_s : intra_s);
    return constants->base_s[RY_NCCL_RING][proto] +
           (steps - outside) * most(intra_s, post_s) + outside * inter_s;
}

static double latency_s(const struct ry_nccl_constants *constants,
                        const struct ry_nccl_comm *comm, enum ry_coll coll,
                        enum ry_nccl_algo algo, enum ry_proto proto)
{
    const double base_s = constants->base_s[algo][proto];
    const double intra_s = constants->step_s[comm->link][algo][proto];
    const double inter_s = inter_step_s(constants, comm, algo, proto);
    const double hops = comm->nodes > 1 ? floor_log2(comm->nodes) : 0.0;
    const double others = per_node(comm) - 1.0;

    switch (algo) {
    case RY_NCCL_RING:
        return ring_latency_s(constants, comm, coll, proto);
    case RY_NCCL_TREE:
        return base_s + 2.0 * (others * intra_s + hops * inter_s);
    case RY_NCCL_COLLNET_DIRECT:
        return base_s +
               2.0 * (least(1.0, others) * intra_s + others * constants->collnet_rank_s) +
               inter_s;
    case RY_NCCL_COLLNET_CHAIN:
        return base_s + 2.0 * others * intra_s + inter_s;
    case RY_NCCL_NVLS:
        return intra_s + (comm->nodes > 1 ? inter_s : 0.0);
    case RY_NCCL_NVLS_TREE:
        return base_s + intra_s + 2.0 * hops * inter_s;
    case RY_NCCL_PAT:
        return base_s + hops * inter_s / constants->pat_step_divisor +
               constants->pat_rank_s * (double)comm->ranks;
    }
    return 0.0;
}

struct ry_nccl_line ry_nccl_line(const struct ry_nccl_constants *constants,
                                 const struct ry_nccl_comm *comm, enum ry_coll coll,
                                 enum ry_nccl_algo algo, enum ry_proto proto)
{
    if (!available(comm, coll, algo, proto))
        return (struct ry_nccl_line){0};
    return (struct ry_nccl_line){
        .latency_s = latency_s(constants, comm, coll, algo, proto),
        .bytes_per_s = bandwidth(constants, comm, coll, algo, proto),
    };
}

static bool corrected(const struct ry_nccl_comm *comm, enum ry_coll coll,
                      enum ry_nccl_algo algo)
{
    return coll == RY_COLL_ALL_REDUCE &&
           (algo == RY_NCCL_TREE ||
            (algo == RY_NCCL_NVLS_TREE && !comm->amd && comm->arch == RY_NCCL_BLACKWELL));
}

static double correction(const struct ry_nccl_constants *constants, enum ry_proto proto,
                         double bytes)
{
    const double step = floor(log2(bytes / 64.0) + 1e-12);

    if (step < 0.0)
        return constants->tree_correction[proto][0];
    return step < RY_NCCL_CORRECTIONS - 1
               ? constants->tree_correction[proto][(size_t)step]
               : 1.0;
}

double ry_nccl_time_s(const struct ry_nccl_constants *constants,
                      const struct ry_nccl_comm *comm, enum ry_coll coll,
                      struct ry_nccl_choice what, double bytes)
{
    const struct ry_nccl_line line =
        ry_nccl_line(constants, comm, coll, what.algo, what.proto);
    const double grain = bytes / ((double)comm->channels * (double)comm->ranks);
    double latency_s = line.latency_s, rate = line.bytes_per_s;

    if (!(rate > 0.0))
        return HUGE_VAL;
    if (what.algo == RY_NCCL_RING && what.proto == RY_PROTO_SIMPLE &&
        coll == RY_COLL_ALL_REDUCE && comm->nodes > 1 &&
        grain >= constants->plateau_bytes)
        latency_s *=
            comm->arch == RY_NCCL_VOLTA ? constants->plateau_old : constants->plateau;
    if (corrected(comm, coll, what.algo))
        rate *= correction(constants, what.proto, bytes);
    return latency_s + bytes / rate;
}

struct ry_nccl_choice ry_nccl_choose(const struct ry_nccl_constants *constants,
                                     const struct ry_nccl_comm *comm, enum ry_coll coll,
                                     double bytes)
{
    struct ry_nccl_choice best = {.s = HUGE_VAL};

    for (int algo = 0; algo < RY_NCCL_ALGOS; algo++) {
        for (int proto = 0; proto < RY_PROTOS; proto++) {
            struct ry_nccl_choice one = {(enum ry_nccl_algo)algo, (enum ry_proto)proto,
                                         0.0};
            one.s = ry_nccl_time_s(constants, comm, coll, one, bytes);
            if (one.s < best.s)
                best = one;
        }
    }
    return best;
}
