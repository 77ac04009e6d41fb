/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/step.h"

#include "kernel/compute_model.h"
#include "sim/build.h"
#include "sim/gradients.h"
#include "sim/layout.h"
#include "sim/stage.h"

#include <math.h>

const char *ry_part_key(enum ry_step_part part)
{
    static const char *const keys[] = {
#define X(code, key, text) key,
#include "sim/parts.def"
#undef X
    };
    return part < RY_PARTS ? keys[part] : "";
}

const char *ry_part_text(enum ry_step_part part)
{
    static const char *const texts[] = {
#define X(code, key, text) text,
#include "sim/parts.def"
#undef X
    };
    return part < RY_PARTS ? texts[part] : "";
}

/* ---- data parallel ---- */

struct dp_time {
    double visible_s, hidden_s, slowdown_s;
};

/** Traffic of @p comm_s beside @p window_s of compute. */
static struct dp_time beside(const struct ry_step_inputs *in, double window_s,
                             double comm_s)
{
    struct dp_time d = {0};
    if (!(comm_s > 0))
        return d;
    if (!(window_s > 0)) {
        d.visible_s = comm_s;
        return d;
    }
    const struct ry_overlap o =
        ry_overlap(in->machine->compute, (enum ry_beside)in->layout->beside, window_s,
                   in->traits->window_memory_frac, comm_s);
    d.slowdown_s = fmax(o.compute_s - window_s, 0);
    d.visible_s = fmax(o.both_s - o.compute_s, 0);
    d.hidden_s = fmax(comm_s - d.visible_s, 0);
    return d;
}

static struct dp_time dp_sum(struct dp_time a, struct dp_time b, double scale)
{
    return (struct dp_time){a.visible_s + scale * b.visible_s,
                            a.hidden_s + scale * b.hidden_s,
                            a.slowdown_s + scale * b.slowdown_s};
}

static void at_clock(struct ry_pass *p, double scale)
{
    p->gemm_s *= scale;
    p->weight_s *= scale;
    p->attention_s *= scale;
}

/** FSDP over one micro-batch: each layer beside the next one's gather. */
static struct dp_time fsdp_pass(const struct ry_step_inputs *in, double scale,
                                bool reduce)
{
    const struct ry_layout_cost *l = in->layout;
    const struct ry_stage stage = ry_stage_of(in->arch, in->strategy, l, RY_STAGE_LAST);
    const struct ry_layer_cost *const layers[] = {&in->shape->dense, &in->shape->moe};
    const double counts[] = {stage.dense, stage.moe};
    const bool overlap = in->strategy->dp_overlap;
    const double share = ry_recomputed_share(in->strategy, &stage);
    struct dp_time d = {0};
    for (size_t k = 0; k < 2; k++) {
        if (!(counts[k] > 0))
            continue;
        struct ry_pass f = layers[k]->forward, b = layers[k]->backward;
        ry_pass_add(&b, &layers[k]->again[in->strategy->recompute], share);
        at_clock(&f, scale);
        at_clock(&b, scale);
        const double red = reduce ? l->layer_reduce_s[k] : 0;
        const double back = (in->strategy->reshard_kept ? 0 : l->layer_gather_s[k]) + red;
        const double fs = overlap ? ry_pass_s(&f, false) + l->layer_copy_s[k][0] : 0;
        const double bs = overlap ? ry_pass_s(&b, false) + l->layer_copy_s[k][1] : 0;
        d = dp_sum(d, beside(in, fs, l->layer_gather_s[k]), counts[k]);
        d = dp_sum(d, beside(in, bs, back), counts[k]);
        d.visible_s +=
            counts[k] * (l->layer_copy_s[k][0] +
                         (reduce ? l->layer_copy_s[k][1] : l->layer_copy_s[k][0]));
    }
    const size_t first = stage.dense > 0 ? 0 : 1;
    d.visible_s += l->root_gather_s + l->layer_gather_s[first];
    if (reduce)
        d.visible_s += l->root_reduce_s + l->layer_reduce_s[first];
    return d;
}

static struct dp_time fsdp_time(const struct ry_step_inputs *in, double scale, double m)
{
    const bool each = in->traits->fsdp_reduces_each;
    const struct dp_time last = fsdp_pass(in, scale, true);
    const struct dp_time other = each ? last : fsdp_pass(in, scale, false);
    return dp_sum(last, other, m - 1);
}

double ry_dp_window(const struct ry_step_inputs *in)
{
    const double v = ry_degree(in->strategy->vpp);
    const double group = fmin(ry_degree(in->strategy->pp), in->layout->micro_batches);
    return v > 1 ? fmax(group * (v - 1) / v, 1) : 1;
}

/** The first stage's second forward has until the last stage's first backward ends. */
static bool waits_for_the_last(const struct ry_step_inputs *in)
{
    const struct ry_strategy *s = in->strategy;
    return s->pp > 1 && s->vpp <= 1 && s->schedule == RY_SCHEDULE_1F1B &&
           in->layout->micro_batches > 1;
}

/** Gradient reduction behind the last backward, parameter gather behind the next
 * forward. */
static struct dp_time dp_time(const struct ry_step_inputs *in,
                              const struct ry_stage_time *t)
{
    const struct ry_layout_cost *l = in->layout;
    struct dp_time d = {.visible_s = l->copy_s};
    if (!in->strategy->dp_overlap) {
        d.visible_s += l->reduce_s + l->gather_s;
        return d;
    }
    const double tail = ry_tail_frac(in->strategy, l);
    const double rest = 1 - tail;
    d.visible_s += tail * (l->reduce_s + l->gather_s);
    const double window = ry_dp_window(in);
    struct dp_time reduce = beside(in, window * t->backward_s, rest * l->reduce_s);
    if (in->strategy->vpp <= 1)
        reduce.slowdown_s *= ry_degree(in->strategy->pp);
    d = dp_sum(d, reduce, 1);
    struct dp_time gather = beside(in, window * t->forward_s, rest * l->gather_s);
    if (waits_for_the_last(in)) {
        const double more = fmin(gather.visible_s, t->backward_s);
        gather.visible_s -= more;
        gather.hidden_s += more;
    }
    return dp_sum(d, gather, 1);
}

/* ---- schedule ---- */

struct pipeline {
    double bubble_s;
    double exchange_s;
};

/**
 * Time beside m micro-batches of the slowest stage.  1F1B and GPipe: one micro-batch of
 * every other stage, divided by the chunks (Narayanan et al. 2021).  Zero bubble: weight
 * gradients fill it (Qi et al. 2023, ZB-H1).  DualPipe: DeepSeek-V3 report, table 2.
 */
static struct pipeline pipeline(const struct ry_step_inputs *in)
{
    const struct ry_strategy *s = in->strategy;
    const struct ry_stage_time t = ry_busiest_time(in->stages);
    const double pp = ry_degree(s->pp), v = ry_degree(s->vpp);
    const double m = in->layout->micro_batches;
    const double one = t.forward_s + t.backward_s, others = in->stages->others_s;
    struct pipeline p = {0};
    if (pp <= 1)
        return p;
    const double visible = ry_stage_exchange_visible(in);
    const double x = 2 * in->layout->send_s * visible;
    switch (s->schedule) {
    case RY_SCHEDULE_1F1B:
    case RY_SCHEDULE_GPIPE:
        p.bubble_s = others / v;
        break;
    case RY_SCHEDULE_ZERO_BUBBLE:
        p.bubble_s = fmax(others - 2 * in->stages->others_weight_s, 0) / v;
        break;
    case RY_SCHEDULE_DUALPIPE:
        p.bubble_s = fmax((pp / 2 - 1) * (one + t.backward_s - 3 * t.weight_s), 0);
        break;
    }
    p.exchange_s = m * x * v + (pp - 1) * x;
    return p;
}

/** Update on the GPU of what is not offloaded, gradient norm and clipping. */
static double optimizer_s(const struct ry_step_inputs *in)
{
    const struct ry_layout_cost *l = in->layout;
    return l->optimizer_s - in->strategy->offload_optimizer_frac * l->update_s;
}

/** Host copies: gradients down, update by the node's CPUs, parameters up; activations. */
static double offload_s(const struct ry_step_inputs *in, double m,
                        const struct ry_stage_time *t)
{
    const struct ry_strategy *s = in->strategy;
    const double rate = in->machine->pcie_bytes_per_s;
    double total = 0;
    if (s->offload_optimizer_frac > 0 && rate > 0) {
        const double owned = s->offload_optimizer_frac * in->layout->owned;
        const double moved =
            ry_gradient_bytes(in->traits, s) + ry_parameter_bytes(in->traits, s);
        total += owned * moved / rate +
                 owned * in->machine->gpus_per_node * in->traits->host_update_s;
    }
    if (s->offload_activations_frac > 0 && rate > 0) {
        double kept = 0;
        for (int i = 0; i < RY_STAGES; i++) {
            const struct ry_stage stage = ry_stage_of(in->arch, s, in->layout, i);
            if (in->stages->weight[i] > 0)
                kept += in->stages->weight[i] * ry_stage_kept_bytes(in, &stage);
        }
        const double moved = s->offload_activations_frac * kept / rate;
        total += m * fmax(2 * moved - in->traits->offload_hidden_frac *
                                          (t->forward_s + t->backward_s),
                          0);
    }
    return total;
}

/** A step, before it is split into parts. */
struct step_time {
    struct pipeline pipeline;
    struct dp_time dp;
    double offload_s;
    double total_s; /**< with stragglers */
};

double ry_step_rest_s(const struct ry_step_inputs *in)
{
    const struct ry_layout_cost *l = in->layout;
    const struct ry_stage_time stage = ry_busiest_time(in->stages);
    return l->copy_s + l->accumulate_s + l->embedding_s + optimizer_s(in) + l->norm_s +
           offload_s(in, l->micro_batches, &stage) + in->traits->step_fixed_s;
}

static struct step_time time_of(const struct ry_step_inputs *in)
{
    const struct ry_layout_cost *l = in->layout;
    const struct ry_stages_cost *st = in->stages;
    const struct ry_stage_time stage = ry_busiest_time(st);
    const double m = l->micro_batches;
    struct step_time t;
    t.pipeline = pipeline(in);
    t.dp = in->strategy->fsdp ? fsdp_time(in, st->tensor_scale, m) : dp_time(in, &stage);
    t.offload_s = offload_s(in, m, &stage);
    const double sum = m * (stage.forward_s + stage.backward_s) + t.pipeline.bubble_s +
                       t.pipeline.exchange_s + t.dp.visible_s + t.dp.slowdown_s +
                       l->accumulate_s + l->embedding_s + optimizer_s(in) + l->norm_s +
                       t.offload_s + in->traits->step_fixed_s;
    t.total_s = sum * (1 + l->jitter_frac);
    return t;
}

double ry_step_time_s(const struct ry_step_inputs *in)
{
    return time_of(in).total_s;
}

static double clocked_gpu_s(const struct ry_pass *p, double scale)
{
    return scale * (p->gemm_s + p->attention_s) + p->memory_s;
}

static void add_traffic(const struct ry_pass *p, double m, struct ry_step *out)
{
    out->part_s[RY_PART_TP] += m * p->tp_s;
    out->part_s[RY_PART_CP] += m * p->cp_s;
    out->part_s[RY_PART_EP] += m * p->ep_s;
    out->hidden_s[RY_PART_TP] += m * p->tp_hidden_s;
    out->hidden_s[RY_PART_CP] += m * p->cp_hidden_s;
    out->hidden_s[RY_PART_EP] += m * p->ep_hidden_s;
}

/** @p m micro-batches of one stage, by kind of work. */
static void add_stage(const struct ry_step_inputs *in, const struct ry_stage_cost *c,
                      double m, double *part, struct ry_step *out)
{
    const double scale = in->stages->tensor_scale;
    const struct ry_pass *const passes[] = {&c->forward, &c->backward, &c->again,
                                            &c->ends_forward, &c->ends_backward};
    for (size_t i = 0; i < 5; i++)
        add_traffic(passes[i], m, out);
    part[RY_PART_GEMM] += m * scale * (c->forward.gemm_s + c->backward.gemm_s);
    part[RY_PART_ATTENTION] +=
        m * scale * (c->forward.attention_s + c->backward.attention_s);
    part[RY_PART_MEMORY] += m * (c->forward.memory_s + c->backward.memory_s);
    part[RY_PART_RECOMPUTE] += m * clocked_gpu_s(&c->again, scale);
    part[RY_PART_HEAD] += m * (clocked_gpu_s(&c->ends_forward, scale) +
                               clocked_gpu_s(&c->ends_backward, scale));
    part[RY_PART_SLOWDOWN] += m * c->slowdown_s;
}

/** The busiest GPU's stage, m micro-batches of it. */
static void stage_parts(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_stages_cost *st = in->stages;
    const struct ry_stage_time t = ry_busiest_time(st);
    const double m = in->layout->micro_batches;
    for (int i = 0; i < RY_STAGE_CLASSES; i++)
        if (st->weight[i] > 0)
            add_stage(in, &st->at[i], m * st->weight[i], out->part_s, out);
    double busy = 0;
    for (int i = 0; i < RY_PARTS; i++)
        busy += out->part_s[i];
    out->part_s[RY_PART_HOST] = fmax(m * (t.forward_s + t.backward_s) - busy, 0);
}

static void other_parts(const struct ry_step_inputs *in, const struct step_time *t,
                        struct ry_step *out)
{
    out->part_s[RY_PART_MEMORY] += in->layout->accumulate_s;
    out->part_s[RY_PART_BUBBLE] = t->pipeline.bubble_s;
    out->part_s[RY_PART_PP] = t->pipeline.exchange_s;
    out->part_s[RY_PART_DP] = t->dp.visible_s + in->layout->embedding_s;
    out->hidden_s[RY_PART_DP] = t->dp.hidden_s;
    out->part_s[RY_PART_SLOWDOWN] += t->dp.slowdown_s;
    out->part_s[RY_PART_OPTIMIZER] = optimizer_s(in) + in->layout->norm_s;
    out->part_s[RY_PART_OFFLOAD] = t->offload_s;
    out->part_s[RY_PART_FIXED] = in->traits->step_fixed_s;
    double sum = 0;
    for (int i = 0; i < RY_PART_JITTER; i++)
        sum += out->part_s[i];
    out->part_s[RY_PART_JITTER] = sum * in->layout->jitter_frac;
    out->step_time_s = sum + out->part_s[RY_PART_JITTER];
}

/** Seconds in which tensor cores of the slowest stage work. */
static double duty_s(const struct ry_step_inputs *in)
{
    const struct ry_stages_cost *st = in->stages;
    const struct ry_stage_cost *c = &st->at[st->slowest];
    return in->layout->micro_batches * st->tensor_scale * (c->tensor_s + c->attention_s);
}

/** Board power over a step: what the busy time draws, idle for the rest. */
static double mean_w(const struct ry_step_inputs *in, double step_s)
{
    const struct ry_stages_cost *st = in->stages;
    const double busy_s = fmin(st->busy_s, step_s);
    const double idle_w = in->machine->compute->idle_w;
    return (st->power_w * busy_s + idle_w * (step_s - busy_s)) / step_s;
}

void ry_step_combine(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_strategy *s = in->strategy;
    const struct step_time t = time_of(in);
    *out = (struct ry_step){.micro_batches = in->layout->micro_batches};
    stage_parts(in, out);
    other_parts(in, &t, out);
    out->tokens = (double)s->micro_batch * s->seq * ry_degree(s->dp) * out->micro_batches;
    out->tokens_per_s = out->tokens / out->step_time_s;
    out->duty_frac = duty_s(in) / out->step_time_s;
    out->power_w = mean_w(in, out->step_time_s);
    const bool packed =
        s->packed_sequence_tokens > 0 && s->packed_sequence_tokens < s->seq;
    out->model_flop =
        out->tokens * ry_arch_flop_per_token(
                          in->arch, packed ? s->packed_sequence_tokens : s->seq, true);
    ry_step_interval(in, out);
    ry_step_memory(in, out);
}

enum ry_err ry_step_predict(const struct ry_machine *machine, const struct ry_arch *arch,
                            const struct ry_traits *traits,
                            const struct ry_strategy *strategy, struct ry_step *out,
                            struct ry_diag *diag)
{
    struct ry_shape_cost shape;
    struct ry_layout_cost layout;
    RY_TRY(ry_arch_check(arch, diag));
    RY_TRY(ry_strategy_check(strategy, arch, diag));
    ry_shape_cost(machine, arch, traits, strategy, &shape);
    ry_layout_sizes(arch, traits, strategy, &shape, &layout);
    ry_layout_times(machine, arch, traits, strategy, &shape, &layout);
    struct ry_stages_cost stages;
    struct ry_step_inputs in = {machine, arch, traits, strategy, &shape, &layout, NULL};
    ry_stages_cost(&in, &stages);
    in.stages = &stages;
    ry_step_combine(&in, out);
    return RY_OK;
}
