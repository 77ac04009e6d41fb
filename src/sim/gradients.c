/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/gradients.h"

#include <math.h>

/** Ranks of a data-parallel group, for dense and expert parameters. */
struct dp_groups {
    struct ry_group dense, experts, shard, shard_experts, replica;
    bool replicated; /**< HSDP */
};

static struct dp_groups place(const struct ry_build *b)
{
    const struct ry_strategy *s = b->strategy;
    const double ranks = ry_degree(s->dp) * b->cp;
    const double expert_ranks = fmax(ranks * b->tp / (b->ep * b->etp), 1);
    const double shard =
        s->shard_ranks > 0 && s->shard_ranks < ranks ? s->shard_ranks : ranks;
    struct dp_groups g = {
        .dense = ry_group_place(b->net, (size_t)ranks, (size_t)b->tp),
        .experts = ry_group_place(b->net, (size_t)expert_ranks, (size_t)(b->ep * b->etp)),
        .shard = ry_group_place(b->net, (size_t)shard, (size_t)b->tp),
        .shard_experts = ry_group_place(b->net, (size_t)fmin(shard, expert_ranks),
                                        (size_t)(b->ep * b->etp)),
        .replica =
            ry_group_place(b->net, (size_t)(ranks / shard), (size_t)(b->tp * shard)),
        .replicated = shard < ranks,
    };
    return g;
}

/** Only sockets copy through the host; a slow NIC still moves the data by itself. */
static int beside_of(const struct ry_net *net, const struct ry_group *group)
{
    if (group->ranks <= group->per_domain)
        return net->domain.limit == RY_NET_LIMIT_HOST ? RY_BESIDE_PCIE : RY_BESIDE_NVLINK;
    return net->fabric.gpu_bytes_per_s > 0 ? RY_BESIDE_SOCKET : RY_BESIDE_NIC;
}

/** Sum over pieces of @p piece bytes of a collective of @p bytes. */
static double in_pieces_s(const struct ry_build *b, enum ry_coll coll,
                          const struct ry_group *group, double bytes, double piece)
{
    if (!(bytes > 0) || group->ranks <= 1)
        return 0;
    const double n = fmax(bytes / piece, 1);
    return n * (coll == RY_COLL_ALL_REDUCE
                    ? ry_all_reduce_s(b->net, group, bytes / n)
                    : ry_collective_s(b->net, coll, group, bytes / n));
}

static void reduce_megatron(const struct ry_build *b, const struct dp_groups *g,
                            int worst, struct ry_layout_cost *l)
{
    const struct ry_strategy *s = b->strategy;
    const double ranks = (double)g->dense.ranks;
    const double bucket =
        fmax(40e6, 1e6 * ranks); /* Megatron-Core's default, parameters */
    const double dense = l->trained[worst], experts = l->trained_experts[worst];
    const double rb = b->reduce_bytes;
    const double pb = b->traits->fp8_gather && ry_precision_bytes(b->inner) < 2
                          ? 1
                          : ry_parameter_bytes(b->traits, b->strategy);
    const enum ry_coll first =
        s->zero_stage > 0 ? RY_COLL_REDUCE_SCATTER : RY_COLL_ALL_REDUCE;
    l->reduce_s = in_pieces_s(b, first, &g->dense, rb * dense, rb * bucket) +
                  in_pieces_s(b, first, &g->experts, rb * experts, rb * bucket);
    if (s->zero_stage > 0)
        l->gather_s =
            in_pieces_s(b, RY_COLL_ALL_GATHER, &g->dense, pb * dense, pb * bucket) +
            in_pieces_s(b, RY_COLL_ALL_GATHER, &g->experts, pb * experts, pb * bucket);
    l->tail_frac = fmin(bucket / fmax(dense + experts, 1), 1);
    l->tail_of_chunk = true;
}

double ry_tail_frac(const struct ry_strategy *s, const struct ry_layout_cost *l)
{
    return l->tail_of_chunk ? fmin(l->tail_frac, 1 / ry_degree(s->vpp)) : l->tail_frac;
}

static void reduce_torch(const struct ry_build *b, const struct ry_shape_cost *shape,
                         const struct dp_groups *g, int worst, struct ry_layout_cost *l)
{
    const double rb = b->reduce_bytes, bytes = rb * l->trained[worst];
    const double expert_bytes = rb * l->trained_experts[worst];
    const double last = rb * shape->embedding.trained_parameters;
    const double bucket = 25 * 1048576.0;
    l->reduce_s = in_pieces_s(b, RY_COLL_ALL_REDUCE, &g->dense, bytes, bucket) +
                  in_pieces_s(b, RY_COLL_ALL_REDUCE, &g->experts, expert_bytes, bucket);
    const double tail = ry_all_reduce_s(b->net, &g->dense, last);
    l->tail_frac = l->reduce_s > 0 ? fmin(tail / l->reduce_s, 1) : 0;
    const double copied =
        (g->dense.ranks > 1 ? bytes : 0) + (g->experts.ranks > 1 ? expert_bytes : 0);
    if (copied > 0)
        l->copy_s = 2 * ry_stream_s(b->model, RY_STREAM_COPY, 2 * copied);
}

/** Tensors of one layer, one collective each, nothing hidden. */
static void reduce_tensors(const struct ry_build *b, const struct ry_shape_cost *shape,
                           const struct dp_groups *g, int worst, struct ry_layout_cost *l)
{
    const double rb = b->reduce_bytes;
    const double tensors = 5; /* two norms, two projections, router or FFN */
    const double ends =
        shape->embedding.trained_parameters + shape->head.trained_parameters;
    const double rest = l->trained[worst] - ends;
    const double n = tensors * b->arch->layers;
    l->reduce_s =
        2 * ry_all_reduce_s(b->net, &g->dense, rb * ends / 2) +
        in_pieces_s(b, RY_COLL_ALL_REDUCE, &g->dense, rb * rest, rb * rest / n) +
        in_pieces_s(b, RY_COLL_ALL_REDUCE, &g->experts, rb * l->trained_experts[worst],
                    rb * l->trained_experts[worst] / n);
    l->tail_frac = 1;
}

/**
 * Host time of two gathers and a reduction whose buffers are lists, a tensor a rank:
 * three views and a copy a piece to gather, two views to reduce (partition_parameters.py
 * of DeepSpeed 0.3, ProcessGroupNCCL.cpp; 24 and 11 us a piece where timed).
 */
static double lists_s(const struct ry_build *b, double pieces)
{
    const double view = ry_host_issue_s(b->model, RY_HOST_VIEW, RY_EAGER, false);
    const double copy = ry_host_issue_s(b->model, RY_HOST_ELEMENTWISE, RY_EAGER, false);
    return b->traits->gathers_lists ? pieces * (2 * (3 * view + copy) + 2 * view) : 0;
}

/** ZeRO-3 without prefetch (DeepSpeed 2021): every tensor gathered twice, reduced
 * once. */
static void reduce_zero3(const struct ry_build *b, const struct dp_groups *g, int worst,
                         struct ry_layout_cost *l)
{
    const double bytes = 2 * l->trained[worst];
    const double tensors = fmax(b->traits->zero3_tensors, 1) * b->arch->layers;
    const struct ry_coll_time one =
        ry_collective(b->net, RY_COLL_ALL_GATHER, &g->dense, bytes / tensors);
    const double pass = b->traits->zero3_bytes_per_s > 0
                            ? tensors * one.alpha_s + bytes / b->traits->zero3_bytes_per_s
                            : tensors * one.s;
    l->reduce_s = (3 * pass + lists_s(b, tensors * (double)g->dense.ranks)) *
                  ry_strategy_micro_batches(b->strategy);
    l->tail_frac = 1;
}

/** FSDP: one layer's gather, reduction and the copies around them. */
static void fsdp_unit(const struct ry_build *b, const struct dp_groups *g,
                      const struct ry_layer_cost *layer, int kind,
                      struct ry_layout_cost *l)
{
    const double pb = ry_parameter_bytes(b->traits, b->strategy);
    const double rb = b->strategy->reduce_fp32 ? 4 : b->reduce_bytes;
    const double dense = layer->parameters, experts = layer->expert_parameters;
    const double td = layer->trained_parameters, te = layer->trained_expert_parameters;
    l->layer_gather_s[kind] =
        ry_collective_s(b->net, RY_COLL_ALL_GATHER, &g->shard, pb * dense) +
        (experts > 0 ? ry_collective_s(b->net, RY_COLL_ALL_GATHER, &g->shard_experts,
                                       pb * experts)
                     : 0);
    l->layer_reduce_s[kind] =
        (td > 0 ? ry_collective_s(b->net, RY_COLL_REDUCE_SCATTER, &g->shard, rb * td)
                : 0) +
        (te > 0
             ? ry_collective_s(b->net, RY_COLL_REDUCE_SCATTER, &g->shard_experts, rb * te)
             : 0);
    if (g->replicated && td > 0)
        l->layer_reduce_s[kind] +=
            ry_all_reduce_s(b->net, &g->replica, rb * td / (double)g->shard.ranks);
    if (g->shard.ranks <= 1)
        return;
    if (b->traits->flat_parameters) {
        /* Gradients joined (2 + 2 B), cast where reduced in fp32 (2 + rb), and divided by
         * part of the ranks ahead of the sum (2 rb). */
        const double bytes = 4 + (rb > 2 ? 2 + rb : 0) + 2 * rb;
        l->layer_copy_s[kind][1] =
            ry_stream_s(b->model, RY_STREAM_COPY, bytes * (td + te));
    }
    if (!b->traits->separate_unshard_copies)
        return;
    /* Cast and copy the shard in (6 B a parameter of it), copy whole parameters out
     * (4 B); gradients into one buffer (2 + rb), their shard to fp32. */
    const double w = (double)g->shard.ranks, all = dense + experts;
    const double out = ry_stream_s(b->model, RY_STREAM_COPY, 2 * pb * all);
    const double in = ry_stream_s(b->model, RY_STREAM_CAST, (4 + pb) * all / w);
    const double gradient =
        (td + te) > 0
            ? ry_stream_s(b->model, RY_STREAM_CAST, (2 + rb) * (td + te)) +
                  ry_stream_s(b->model, RY_STREAM_CAST, (rb + 4) * (td + te) / w)
            : 0;
    l->layer_copy_s[kind][0] = in + out;
    l->layer_copy_s[kind][1] = in + out + gradient;
}

static void reduce_fsdp(const struct ry_build *b, const struct ry_shape_cost *shape,
                        const struct dp_groups *g, struct ry_layout_cost *l)
{
    struct ry_layer_cost root = {0};
    root.parameters = shape->embedding.parameters +
                      (b->arch->tied_embeddings ? 0 : shape->head.parameters);
    root.trained_parameters =
        shape->embedding.trained_parameters +
        (b->arch->tied_embeddings ? 0 : shape->head.trained_parameters);
    fsdp_unit(b, g, &root, 0, l);
    l->root_gather_s = l->layer_gather_s[0] + l->layer_copy_s[0][0];
    l->root_reduce_s =
        l->layer_reduce_s[0] + l->layer_copy_s[0][1] - l->layer_copy_s[0][0];
    fsdp_unit(b, g, &shape->dense, 0, l);
    if (shape->moe.parameters > 0)
        fsdp_unit(b, g, &shape->moe, 1, l);
}

void ry_gradients_times(const struct ry_build *b, const struct ry_shape_cost *shape,
                        int worst, struct ry_layout_cost *l)
{
    const struct dp_groups g = place(b);
    l->beside = beside_of(b->net, &g.dense);
    if (b->strategy->fsdp)
        reduce_fsdp(b, shape, &g, l);
    else if (b->strategy->zero_stage >= 3)
        reduce_zero3(b, &g, worst, l);
    else if (b->traits->dp_style == RY_DP_TORCH)
        reduce_torch(b, shape, &g, worst, l);
    else if (b->traits->dp_style == RY_DP_TENSORWISE)
        reduce_tensors(b, shape, &g, worst, l);
    else
        reduce_megatron(b, &g, worst, l);
}
