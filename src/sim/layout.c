/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/layout.h"

#include "sim/build.h"

#include <math.h>

static double degree(unsigned n)
{
    return n > 1 ? n : 1;
}

double ry_stage_count(const struct ry_strategy *s, int which)
{
    const double pp = degree(s->pp);
    if (which == RY_STAGE_MIDDLE)
        return fmax(pp - 2, 0);
    return which == RY_STAGE_LAST || pp > 1 ? 1 : 0;
}

/** Matrix parameters that a token meets in an ordinary (MoE) layer. */
static double layer_products(const struct ry_arch *a)
{
    const struct ry_params p = ry_arch_params(a, a->vocab);
    return p.attention +
           (a->experts > 0 ? a->top_k * p.expert + p.shared + p.router : p.dense_ffn);
}

/**
 * Layers of the stages.  Given ends count; else an even cut; else, where layers + 2
 * divide, embedding and head take a slot each (Megatron's account-for options); else
 * the first stages take one more.
 */
void ry_layout_stages(const struct ry_arch *a, const struct ry_strategy *s,
                      struct ry_layout_cost *out)
{
    const double pp = degree(s->pp), n = a->layers;
    double first = s->first_stage_layers, last = s->last_stage_layers;
    if (pp <= 1) {
        out->layers_first = 0;
        out->layers_last = n;
        out->layers_middle = out->layers_middle_mean = 0;
        return;
    }
    const double cuts = pp * degree(s->vpp);
    if (first <= 0 && last <= 0) {
        if (fmod(n, cuts) == 0)
            first = last = n / pp;
        else if (fmod(n + 2, cuts) == 0)
            first = last = (n + 2) / pp - 1;
        else if (a->mtp_layers > 0) {
            /* Balanced by products: a head is worth `head` layers, and each MTP layer
             * has one too (DeepSeek-V3's published layouts end in "tmL"). */
            const double head = (double)a->hidden * a->vocab / layer_products(a);
            const double end = a->mtp_layers * (1 + head) + head;
            last = fmax(floor((n + end) / pp - end + 0.5), 0);
            first = ceil((n - last) / (pp - 1) - 1e-9);
        } else
            first = ceil(n / pp), last = floor(n / pp);
    } else if (first <= 0)
        first = (n - last) / (pp - 1);
    else if (last <= 0)
        last = (n - first) / (pp - 1);
    if (pp > 2) {
        out->layers_middle_mean = fmax((n - first - last) / (pp - 2), 0);
        out->layers_middle = ceil(out->layers_middle_mean - 1e-9);
    } else {
        last = n - first;
        out->layers_middle = out->layers_middle_mean = 0;
    }
    out->layers_first = first;
    out->layers_last = last;
}

struct ry_stage ry_stage_of(const struct ry_arch *a, const struct ry_strategy *s,
                            const struct ry_layout_cost *l, int which)
{
    const double n = which == RY_STAGE_FIRST    ? l->layers_first
                     : which == RY_STAGE_MIDDLE ? l->layers_middle
                                                : l->layers_last;
    struct ry_stage stage = {.dense = n,
                             .embedding = which == RY_STAGE_FIRST || s->pp <= 1,
                             .head = which == RY_STAGE_LAST};
    if (a->experts > 0) {
        const double period = a->moe_period > 1 ? a->moe_period : 1;
        const double leading = stage.embedding ? fmin(a->dense_layers, n) : 0;
        stage.moe = (n - leading) / period;
        stage.dense = n - stage.moe;
    }
    return stage;
}

double ry_recomputed_share(const struct ry_strategy *s, const struct ry_stage *stage)
{
    const double layers = stage->dense + stage->moe;
    if (s->recompute != RY_RECOMPUTE_LAYERS)
        return 1;
    return layers > 0 ? fmin(s->recompute_layers / layers, 1) : 0;
}

/** Parameters of one GPU by stage class. */
static void count_parameters(const struct ry_arch *arch, const struct ry_strategy *s,
                             const struct ry_shape_cost *shape, struct ry_layout_cost *l)
{
    const bool lora = s->task == RY_TASK_LORA;
    for (int i = 0; i < RY_STAGES; i++) {
        const struct ry_stage stage = ry_stage_of(arch, s, l, i);
        const double e = stage.embedding ? 1 : 0;
        const double h = stage.head && !(arch->tied_embeddings && e > 0) ? 1 : 0;
        const double m = stage.head ? 1 : 0;
        l->parameters[i] = stage.dense * shape->dense.parameters +
                           stage.moe * shape->moe.parameters +
                           e * shape->embedding.parameters + h * shape->head.parameters +
                           m * shape->mtp.parameters;
        l->experts[i] =
            stage.moe * shape->moe.expert_parameters + m * shape->mtp.expert_parameters;
        l->trained[i] = lora ? stage.dense * shape->dense.trained_parameters +
                                      stage.moe * shape->moe.trained_parameters
                                : l->parameters[i];
        l->trained_experts[i] =
            lora ? stage.moe * shape->moe.trained_expert_parameters : l->experts[i];
    }
}

/** Ranks of a data-parallel group, for dense and expert parameters. */
struct dp_groups {
    struct ry_group dense, experts, shard, shard_experts, replica;
    bool replicated; /**< HSDP */
};

static struct dp_groups place(const struct ry_build *b)
{
    const struct ry_strategy *s = b->strategy;
    const double ranks = degree(s->dp) * b->cp;
    const double expert_ranks = fmax(ranks * b->tp / (b->ep * b->etp), 1);
    const double shard =
        s->shard_ranks > 0 && s->shard_ranks < ranks ? s->shard_ranks : ranks;
    struct dp_groups g = {
        .dense = ry_group_place(b->net, (size_t)ranks, (size_t)b->tp),
        .experts = ry_group_place(b->net, (size_t)expert_ranks, (size_t)(b->ep * b->etp)),
        .shard = ry_group_place(b->net, (size_t)shard, (size_t)b->tp),
        .shard_experts = ry_group_place(b->net, (size_t)fmin(shard, expert_ranks),
                                        (size_t)(b->ep * b->etp)),
        .replica = ry_group_place(b->net, (size_t)(ranks / shard), (size_t)(b->tp * shard)),
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

static void reduce_megatron(const struct ry_build *b, const struct dp_groups *g, int worst,
                            struct ry_layout_cost *l)
{
    const struct ry_strategy *s = b->strategy;
    const double ranks = (double)g->dense.ranks;
    const double bucket = fmax(40e6, 1e6 * ranks); /* Megatron-Core's default, parameters */
    const double dense = l->trained[worst], experts = l->trained_experts[worst];
    const double rb = b->reduce_bytes;
    const double pb = b->traits->fp8_gather && ry_precision_bytes(b->inner) < 2
                          ? 1
                          : ry_parameter_bytes(b->traits, b->strategy);
    const enum ry_coll first = s->zero_stage > 0 ? RY_COLL_REDUCE_SCATTER : RY_COLL_ALL_REDUCE;
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
    return l->tail_of_chunk ? fmin(l->tail_frac, 1 / degree(s->vpp)) : l->tail_frac;
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
    const double copied = (g->dense.ranks > 1 ? bytes : 0) +
                          (g->experts.ranks > 1 ? expert_bytes : 0);
    if (copied > 0)
        l->copy_s = 2 * ry_stream_s(b->model, RY_STREAM_COPY, 2 * copied);
}

/** Tensors of one layer, one collective each, nothing hidden. */
static void reduce_tensors(const struct ry_build *b, const struct ry_shape_cost *shape,
                           const struct dp_groups *g, int worst, struct ry_layout_cost *l)
{
    const double rb = b->reduce_bytes;
    const double tensors = 5; /* two norms, two projections, router or FFN */
    const double ends = shape->embedding.trained_parameters + shape->head.trained_parameters;
    const double rest = l->trained[worst] - ends;
    const double n = tensors * b->arch->layers;
    l->reduce_s = 2 * ry_all_reduce_s(b->net, &g->dense, rb * ends / 2) +
                  in_pieces_s(b, RY_COLL_ALL_REDUCE, &g->dense, rb * rest, rb * rest / n) +
                  in_pieces_s(b, RY_COLL_ALL_REDUCE, &g->experts,
                              rb * l->trained_experts[worst],
                              rb * l->trained_experts[worst] / n);
    l->tail_frac = 1;
}

/**
 * Host time of two gathers and a reduction whose buffers are lists, a tensor a rank: three
 * views and a copy a piece to gather, two views to reduce (partition_parameters.py of
 * DeepSpeed 0.3, ProcessGroupNCCL.cpp; 24 and 11 us a piece where timed).
 */
static double lists_s(const struct ry_build *b, double pieces)
{
    const double view = ry_host_issue_s(b->model, RY_HOST_VIEW, RY_EAGER, false);
    const double copy = ry_host_issue_s(b->model, RY_HOST_ELEMENTWISE, RY_EAGER, false);
    return b->traits->gathers_lists ? pieces * (2 * (3 * view + copy) + 2 * view) : 0;
}

/** ZeRO-3 without prefetch (DeepSpeed 2021): every tensor gathered twice, reduced once. */
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
                      const struct ry_layer_cost *layer, int kind, struct ry_layout_cost *l)
{
    const double pb = ry_parameter_bytes(b->traits, b->strategy);
    const double rb = b->strategy->reduce_fp32 ? 4 : b->reduce_bytes;
    const double dense = layer->parameters, experts = layer->expert_parameters;
    const double td = layer->trained_parameters, te = layer->trained_expert_parameters;
    const struct ry_build *n = b;
    l->layer_gather_s[kind] =
        ry_collective_s(n->net, RY_COLL_ALL_GATHER, &g->shard, pb * dense) +
        (experts > 0 ? ry_collective_s(n->net, RY_COLL_ALL_GATHER, &g->shard_experts,
                                       pb * experts)
                     : 0);
    l->layer_reduce_s[kind] =
        (td > 0 ? ry_collective_s(n->net, RY_COLL_REDUCE_SCATTER, &g->shard, rb * td) : 0) +
        (te > 0 ? ry_collective_s(n->net, RY_COLL_REDUCE_SCATTER, &g->shard_experts, rb * te)
                : 0);
    if (g->replicated && td > 0)
        l->layer_reduce_s[kind] += ry_all_reduce_s(n->net, &g->replica,
                                                   rb * td / (double)g->shard.ranks);
    if (g->shard.ranks <= 1)
        return;
    if (b->traits->flat_parameters) {
        /* Gradients joined (2 + 2 B), cast where reduced in fp32 (2 + rb), and divided by
         * part of the ranks ahead of the sum (2 rb). */
        const double bytes = 4 + (rb > 2 ? 2 + rb : 0) + 2 * rb;
        l->layer_copy_s[kind][1] = ry_stream_s(b->model, RY_STREAM_COPY, bytes * (td + te));
    }
    if (!b->traits->separate_unshard_copies)
        return;
    /* Cast and copy the shard in (6 B a parameter of it), copy whole parameters out
     * (4 B); gradients into one buffer (2 + rb), their shard to fp32. */
    const double w = (double)g->shard.ranks, all = dense + experts;
    const double out = ry_stream_s(b->model, RY_STREAM_COPY, 2 * pb * all);
    const double in = ry_stream_s(b->model, RY_STREAM_CAST, (4 + pb) * all / w);
    const double gradient =
        (td + te) > 0 ? ry_stream_s(b->model, RY_STREAM_CAST, (2 + rb) * (td + te)) +
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
    root.trained_parameters = shape->embedding.trained_parameters +
                              (b->arch->tied_embeddings ? 0 : shape->head.trained_parameters);
    fsdp_unit(b, g, &root, 0, l);
    l->root_gather_s = l->layer_gather_s[0] + l->layer_copy_s[0][0];
    l->root_reduce_s = l->layer_reduce_s[0] + l->layer_copy_s[0][1] - l->layer_copy_s[0][0];
    fsdp_unit(b, g, &shape->dense, 0, l);
    if (shape->moe.parameters > 0)
        fsdp_unit(b, g, &shape->moe, 1, l);
}

/** Update of the states that this GPU owns, gradient norm and clipping. */
static void optimizer(const struct ry_build *b, int worst, struct ry_layout_cost *l)
{
    const struct ry_traits *t = b->traits;
    const double local = l->trained[worst] + l->trained_experts[worst];
    const double owned =
        l->trained[worst] / l->shard + l->trained_experts[worst] / l->expert_shard;
    const enum ry_stream kind =
        t->optimizer_move_bytes <= 28 ? RY_STREAM_ADAM_FUSED : RY_STREAM_OPTIMIZER_MASTER;
    if (!(local > 0))
        return;
    l->update_s = ry_stream_s(b->model, kind, t->optimizer_move_bytes * owned);
    l->optimizer_s = l->update_s;
    if (t->clips_gradients)
        l->optimizer_s += ry_stream_s(b->model, RY_STREAM_GRAD_NORM, b->gradient_bytes * owned) +
                          ry_stream_s(b->model, RY_STREAM_SCALE, 2 * b->gradient_bytes * owned);
    const double all = ry_strategy_gpus(b->strategy);
    const struct ry_group world = ry_group_place(b->net, (size_t)all, 1);
    if (t->clips_gradients)
        l->norm_s = 2 * ry_all_reduce_s(b->net, &world, 8);
}

/** A pass that adds new gradients to old ones: read 2 B, read and write the sum. */
static void accumulate(const struct ry_build *b, int worst, struct ry_layout_cost *l)
{
    const double local = l->trained[worst] + l->trained_experts[worst];
    if (b->traits->fused_gradient_add || !(local > 0))
        return;
    const double bytes = (2 * b->width + 2 * b->gradient_bytes) * local;
    const enum ry_stream kind =
        b->gradient_bytes > 2 ? RY_STREAM_GRAD_ACCUMULATE : RY_STREAM_ADD;
    const double m = ry_strategy_micro_batches(b->strategy);
    l->accumulate_s =
        (b->traits->accumulates_always ? m : m - 1) * ry_stream_s(b->model, kind, bytes);
}

static void exchange(const struct ry_build *b, const struct ry_shape_cost *shape,
                     struct ry_layout_cost *l)
{
    const double pp = degree(b->strategy->pp);
    if (pp <= 1)
        return;
    const double stride = b->tp * b->cp * degree(b->strategy->dp);
    struct ry_group pair = ry_group_place(b->net, (size_t)pp, (size_t)stride);
    const bool whole =
        b->sequence_parallel || b->traits->vocab_replicated || b->traits->whole_sends;
    const double scatter = whole ? 1 : b->tp;
    double forward = ry_collective_s(b->net, RY_COLL_SENDRECV, &pair,
                                     shape->boundary_bytes / scatter);
    if (scatter > 1)
        forward += ry_collective_s(b->net, RY_COLL_ALL_GATHER, &b->tp_group,
                                   shape->boundary_bytes);
    const double backward =
        b->traits->whole_gradient_sends
            ? ry_collective_s(b->net, RY_COLL_SENDRECV, &pair, shape->boundary_bytes)
            : forward;
    l->send_s = (forward + backward) / 2;
    if (b->arch->tied_embeddings) {
        if (pair.per_domain < pair.ranks) /* first and last stage are in two domains */
            pair.per_domain = 1;
        pair.ranks = 2;
        l->embedding_s = ry_all_reduce_s(b->net, &pair,
                                         b->reduce_bytes *
                                             shape->embedding.trained_parameters);
    }
}

/** Upper quantile of the normal distribution (Abramowitz and Stegun 26.2.23, 4.5e-4). */
static double normal_upper(double tail)
{
    const double t = sqrt(-2 * log(tail));
    return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/**
 * GPUs of one type differ in speed, and a synchronous job runs at the pace of its slowest:
 * the expected largest of n normal deviates (Blom 1958).
 */
static double jitter_frac(const struct ry_traits *traits, const struct ry_strategy *strategy)
{
    const double n = ry_strategy_gpus(strategy);
    return n > 1 ? traits->jitter_frac * normal_upper(0.625 / (n + 0.25)) : 0;
}

double ry_expert_ranks(const struct ry_traits *traits, const struct ry_strategy *s)
{
    const double tp = degree(s->tp), etp = s->etp > 0 ? s->etp : traits->etp_follows_tp ? tp : 1;
    return fmax(degree(s->dp) * degree(s->cp) * tp / (degree(s->ep) * etp), 1);
}

/** Ranks that share the states of a parameter, and of an expert's. */
static void count_shards(const struct ry_traits *traits, const struct ry_strategy *s,
                         struct ry_layout_cost *l)
{
    const double ranks = degree(s->dp) * degree(s->cp);
    const double expert_ranks = ry_expert_ranks(traits, s);
    const bool sharded = s->zero_stage > 0 || s->fsdp;
    const double shard = s->shard_ranks > 0 && s->shard_ranks < ranks ? s->shard_ranks : ranks;
    l->shard = sharded ? shard : 1;
    l->expert_shard = sharded ? floor(fmin(shard, expert_ranks)) : 1;
}

void ry_layout_sizes(const struct ry_arch *arch, const struct ry_traits *traits,
                     const struct ry_strategy *strategy, const struct ry_shape_cost *shape,
                     struct ry_layout_cost *l)
{
    *l = (struct ry_layout_cost){0};
    ry_layout_stages(arch, strategy, l);
    count_parameters(arch, strategy, shape, l);
    count_shards(traits, strategy, l);
    l->micro_batches = ry_strategy_micro_batches(strategy);
    for (int i = 0; i < RY_STAGES; i++)
        if (ry_stage_count(strategy, i) > 0)
            l->owned = fmax(l->owned, l->trained[i] / l->shard +
                                          l->trained_experts[i] / l->expert_shard);
}

void ry_layout_times(const struct ry_machine *machine, const struct ry_arch *arch,
                     const struct ry_traits *traits, const struct ry_strategy *strategy,
                     const struct ry_shape_cost *shape, struct ry_layout_cost *l)
{
    struct ry_build b;
    ry_build_init(&b, machine, arch, traits, strategy);
    const struct dp_groups g = place(&b);
    int worst = RY_STAGE_LAST;
    for (int i = 0; i < RY_STAGES; i++)
        if (ry_stage_count(strategy, i) > 0 &&
            l->trained[i] + l->trained_experts[i] >
                l->trained[worst] + l->trained_experts[worst])
            worst = i;
    l->beside = beside_of(b.net, &g.dense);
    if (strategy->fsdp)
        reduce_fsdp(&b, shape, &g, l);
    else if (strategy->zero_stage >= 3)
        reduce_zero3(&b, &g, worst, l);
    else if (traits->dp_style == RY_DP_TORCH)
        reduce_torch(&b, shape, &g, worst, l);
    else if (traits->dp_style == RY_DP_TENSORWISE)
        reduce_tensors(&b, shape, &g, worst, l);
    else
        reduce_megatron(&b, &g, worst, l);
    optimizer(&b, worst, l);
    accumulate(&b, worst, l);
    exchange(&b, shape, l);
    l->jitter_frac = jitter_frac(traits, strategy);
}
