/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/layout.h"

#include "sim/build.h"
#include "sim/gradients.h"

#include <math.h>

double ry_stage_count(const struct ry_strategy *s, int which)
{
    const double pp = ry_degree(s->pp);
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
    const double pp = ry_degree(s->pp), n = a->layers;
    double first = s->first_stage_layers, last = s->last_stage_layers;
    if (pp <= 1) {
        out->layers_first = 0;
        out->layers_last = n;
        out->layers_middle = out->layers_middle_mean = 0;
        return;
    }
    const double cuts = pp * ry_degree(s->vpp);
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
        l->optimizer_s +=
            ry_stream_s(b->model, RY_STREAM_GRAD_NORM, b->gradient_bytes * owned) +
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
    const double pp = ry_degree(b->strategy->pp);
    if (pp <= 1)
        return;
    const double stride = b->tp * b->cp * ry_degree(b->strategy->dp);
    struct ry_group pair = ry_group_place(b->net, (size_t)pp, (size_t)stride);
    const bool whole =
        b->sequence_parallel || b->traits->vocab_replicated || b->traits->whole_sends;
    const double scatter = whole ? 1 : b->tp;
    double forward =
        ry_collective_s(b->net, RY_COLL_SENDRECV, &pair, shape->boundary_bytes / scatter);
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
        l->embedding_s = ry_all_reduce_s(
            b->net, &pair, b->reduce_bytes * shape->embedding.trained_parameters);
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
 * GPUs of one type differ in speed, and a synchronous job runs at the pace of its
 * slowest: the expected largest of n normal deviates (Blom 1958).
 */
static double jitter_frac(const struct ry_traits *traits,
                          const struct ry_strategy *strategy)
{
    const double n = ry_strategy_gpus(strategy);
    return n > 1 ? traits->jitter_frac * normal_upper(0.625 / (n + 0.25)) : 0;
}

double ry_expert_ranks(const struct ry_traits *traits, const struct ry_strategy *s)
{
    const double tp = ry_degree(s->tp), etp = s->etp > 0               ? s->etp
                                              : traits->etp_follows_tp ? tp
                                                                       : 1;
    return fmax(ry_degree(s->dp) * ry_degree(s->cp) * tp / (ry_degree(s->ep) * etp), 1);
}

/** Ranks that share the states of a parameter, and of an expert's. */
static void count_shards(const struct ry_traits *traits, const struct ry_strategy *s,
                         struct ry_layout_cost *l)
{
    const double ranks = ry_degree(s->dp) * ry_degree(s->cp);
    const double expert_ranks = ry_expert_ranks(traits, s);
    const bool sharded = s->zero_stage > 0 || s->fsdp;
    const double shard =
        s->shard_ranks > 0 && s->shard_ranks < ranks ? s->shard_ranks : ranks;
    l->shard = sharded ? shard : 1;
    l->expert_shard = sharded ? floor(fmin(shard, expert_ranks)) : 1;
}

void ry_layout_sizes(const struct ry_arch *arch, const struct ry_traits *traits,
                     const struct ry_strategy *strategy,
                     const struct ry_shape_cost *shape, struct ry_layout_cost *l)
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
    int worst = RY_STAGE_LAST;
    for (int i = 0; i < RY_STAGES; i++)
        if (ry_stage_count(strategy, i) > 0 &&
            l->trained[i] + l->trained_experts[i] >
                l->trained[worst] + l->trained_experts[worst])
            worst = i;
    ry_gradients_times(&b, shape, worst, l);
    optimizer(&b, worst, l);
    accumulate(&b, worst, l);
    exchange(&b, shape, l);
    l->jitter_frac = jitter_frac(traits, strategy);
}
