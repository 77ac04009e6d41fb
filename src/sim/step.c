/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/step.h"

#include "kernel/compute_model.h"
#include "sim/build.h"
#include "sim/layout.h"
#include "sim/stage.h"

#include <math.h>

static double degree(unsigned n)
{
    return n > 1 ? n : 1;
}

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

/* ---- stages ---- */

static double traffic_s(const struct ry_pass *p)
{
    return p->tp_s + p->cp_s + p->ep_s;
}

static void add_side(struct ry_stage_side *side, const struct ry_pass *p)
{
    side->clocked_s += p->gemm_s + p->attention_s;
    side->other_s += p->memory_s + traffic_s(p);
    side->host_s += p->host_s;
    side->add_s += p->host_add_s;
}

/** Collectives that run beside products slow them: their hidden seconds cost a share. */
static double slowdown_s(const struct ry_step_inputs *in, double hidden_s)
{
    const double slow = in->machine->compute->beside[RY_BESIDE_NVLINK].tensor - 1;
    return hidden_s * fmax(slow, 0) * in->traits->hidden_slowdown;
}

/** The passes of one stage: layers alone, ends alone. */
static void sum_passes(const struct ry_step_inputs *in, int which, struct ry_stage_cost *out)
{
    const struct ry_strategy *s = in->strategy;
    const struct ry_shape_cost *c = in->shape;
    const struct ry_stage stage = ry_stage_of(in->arch, s, in->layout, which);
    const double layers = stage.dense + stage.moe;
    const double share = s->recompute == RY_RECOMPUTE_LAYERS && layers > 0
                             ? fmin(s->recompute_layers / layers, 1)
                             : 1;
    ry_pass_add(&out->forward, &c->dense.forward, stage.dense);
    ry_pass_add(&out->forward, &c->moe.forward, stage.moe);
    ry_pass_add(&out->backward, &c->dense.backward, stage.dense);
    ry_pass_add(&out->backward, &c->moe.backward, stage.moe);
    ry_pass_add(&out->again, &c->dense.again[s->recompute], share * stage.dense);
    ry_pass_add(&out->again, &c->moe.again[s->recompute], share * stage.moe);
    if (stage.embedding) {
        ry_pass_add(&out->ends_forward, &c->embedding.forward, 1);
        ry_pass_add(&out->ends_backward, &c->embedding.backward, 1);
    }
    if (stage.head) {
        ry_pass_add(&out->ends_forward, &c->head.forward, 1);
        ry_pass_add(&out->ends_backward, &c->head.backward, 1);
        ry_pass_add(&out->ends_forward, &c->mtp.forward, 1);
        ry_pass_add(&out->ends_backward, &c->mtp.backward, 1);
    }
}

static struct ry_stage_cost stage_cost(const struct ry_step_inputs *in, int which)
{
    struct ry_stage_cost c = {.count = ry_stage_count(in->strategy, which)};
    if (!(c.count > 0))
        return c;
    sum_passes(in, which, &c);
    const struct ry_pass *const passes[] = {&c.forward, &c.ends_forward, &c.backward,
                                            &c.ends_backward, &c.again};
    double hidden = 0;
    for (size_t i = 0; i < 5; i++) {
        add_side(&c.side[i < 2 ? 0 : 1], passes[i]);
        c.tensor_s += passes[i]->gemm_s;
        c.attention_s += passes[i]->attention_s;
        c.memory_s += passes[i]->memory_s;
        c.traffic_s += traffic_s(passes[i]);
        hidden += passes[i]->tp_hidden_s;
    }
    if (in->strategy->tp_overlap)
        c.slowdown_s = slowdown_s(in, hidden);
    c.weight_s = c.backward.weight_s + c.ends_backward.weight_s;
    return c;
}

void ry_stages_cost(const struct ry_step_inputs *in, struct ry_stages_cost *out)
{
    for (int i = 0; i < RY_STAGE_CLASSES; i++)
        out->at[i] = stage_cost(in, i);
}

static double side_s(const struct ry_stage_side *side, double scale, bool blocking)
{
    const double gpu = scale * side->clocked_s + side->other_s;
    return (blocking ? gpu + side->host_s : ry_slower_s(gpu, side->host_s)) + side->add_s;
}

struct ry_stage_time ry_stage_time_at(const struct ry_step_inputs *in,
                                      const struct ry_stage_cost *c, double scale)
{
    const bool blocking = in->traits->host_mode == RY_HOST_BLOCKING;
    return (struct ry_stage_time){
        .forward_s = side_s(&c->side[0], scale, blocking) + c->slowdown_s / 3,
        .backward_s = side_s(&c->side[1], scale, blocking) + c->slowdown_s * 2 / 3,
        .weight_s = scale * c->weight_s,
    };
}

/* ---- data parallel ---- */

struct dp_time {
    double visible_s, hidden_s, slowdown_s;
};

/** Traffic of @p comm_s beside @p window_s of compute. */
static struct dp_time beside(const struct ry_step_inputs *in, double window_s, double comm_s)
{
    struct dp_time d = {0};
    if (!(comm_s > 0))
        return d;
    if (!(window_s > 0)) {
        d.visible_s = comm_s;
        return d;
    }
    const struct ry_overlap o =
        ry_overlap(in->machine->compute, (enum ry_beside)in->layout->beside, window_s, 0.3,
                   comm_s);
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
static struct dp_time fsdp_pass(const struct ry_step_inputs *in, double scale, bool reduce)
{
    const struct ry_layout_cost *l = in->layout;
    const struct ry_stage stage = ry_stage_of(in->arch, in->strategy, l, RY_STAGE_LAST);
    const struct ry_layer_cost *const layers[] = {&in->shape->dense, &in->shape->moe};
    const double counts[] = {stage.dense, stage.moe};
    const bool overlap = in->strategy->dp_overlap;
    struct dp_time d = {0};
    for (size_t k = 0; k < 2; k++) {
        if (!(counts[k] > 0))
            continue;
        struct ry_pass f = layers[k]->forward, b = layers[k]->backward;
        ry_pass_add(&b, &layers[k]->again[in->strategy->recompute], 1);
        at_clock(&f, scale);
        at_clock(&b, scale);
        const double red = reduce ? l->layer_reduce_s[k] : 0;
        const double back = (in->strategy->reshard_kept ? 0 : l->layer_gather_s[k]) + red;
        const double fs = overlap ? ry_pass_s(&f, false) + l->layer_copy_s[k][0] : 0;
        const double bs = overlap ? ry_pass_s(&b, false) + l->layer_copy_s[k][1] : 0;
        d = dp_sum(d, beside(in, fs, l->layer_gather_s[k]), counts[k]);
        d = dp_sum(d, beside(in, bs, back), counts[k]);
        d.visible_s += counts[k] * (l->layer_copy_s[k][0] + (reduce ? l->layer_copy_s[k][1]
                                                                    : l->layer_copy_s[k][0]));
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

/** Gradient reduction behind the last backward, parameter gather behind the next forward. */
static struct dp_time dp_time(const struct ry_step_inputs *in, const struct ry_stage_time *t)
{
    const struct ry_layout_cost *l = in->layout;
    struct dp_time d = {.visible_s = l->copy_s};
    if (!in->strategy->dp_overlap) {
        d.visible_s += l->reduce_s + l->gather_s;
        return d;
    }
    const double rest = 1 - l->tail_frac;
    d.visible_s += l->tail_frac * (l->reduce_s + l->gather_s);
    d = dp_sum(d, beside(in, t->backward_s, rest * l->reduce_s), 1);
    return dp_sum(d, beside(in, t->forward_s, rest * l->gather_s), 1);
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
static struct pipeline pipeline(const struct ry_step_inputs *in,
                                const struct ry_stage_time stages[RY_STAGES], int slowest)
{
    const struct ry_strategy *s = in->strategy;
    const double pp = degree(s->pp), v = degree(s->vpp);
    const double m = in->layout->micro_batches;
    struct pipeline p = {0};
    if (pp <= 1)
        return p;
    double sum = 0;
    for (int i = 0; i < RY_STAGES; i++) {
        double count = in->stages->at[i].count, share = 1;
        if (i == RY_STAGE_MIDDLE && in->layout->layers_middle > 0)
            share = in->layout->layers_middle_mean / in->layout->layers_middle;
        sum += count * share * (stages[i].forward_s + stages[i].backward_s);
    }
    const struct ry_stage_time *t = &stages[slowest];
    const double one = t->forward_s + t->backward_s, others = sum - one;
    const double visible = s->pp_overlap ? in->traits->pp_exposed_frac : 1;
    const double x = 2 * in->layout->send_s * visible;
    switch (s->schedule) {
    case RY_SCHEDULE_1F1B:
    case RY_SCHEDULE_GPIPE:
        p.bubble_s = others / v;
        break;
    case RY_SCHEDULE_ZERO_BUBBLE:
        p.bubble_s = fmax(others - 2 * (pp - 1) * t->weight_s, 0) / v;
        break;
    case RY_SCHEDULE_DUALPIPE:
        p.bubble_s = fmax((pp / 2 - 1) * (one + t->backward_s - 3 * t->weight_s), 0);
        break;
    }
    p.exchange_s = m * x * v + (pp - 1) * x;
    return p;
}

static int slowest_stage(const struct ry_stages_cost *stages,
                         const struct ry_stage_time t[RY_STAGES])
{
    int slowest = RY_STAGE_LAST;
    for (int i = 0; i < RY_STAGES; i++)
        if (stages->at[i].count > 0 && t[i].forward_s + t[i].backward_s >
                                            t[slowest].forward_s + t[slowest].backward_s)
            slowest = i;
    return slowest;
}

/** Host copies: gradients down and parameters up, activations down and up. */
static double offload_s(const struct ry_step_inputs *in, double m, const struct ry_stage_time *t)
{
    const struct ry_strategy *s = in->strategy;
    const double rate = in->machine->pcie_bytes_per_s;
    double total = 0;
    if (s->offload_optimizer_frac > 0 && rate > 0) {
        const struct ry_layout_cost *l = in->layout;
        const double owned = l->trained[RY_STAGE_FIRST] / l->shard;
        total += s->offload_optimizer_frac * owned *
                 (in->traits->gradient_bytes + in->traits->parameter_bytes) / rate;
    }
    if (s->offload_activations_frac > 0 && rate > 0) {
        const double kept = in->shape->dense.kept_bytes[s->recompute] *
                            (in->layout->layers_last + in->layout->layers_first);
        const double moved = s->offload_activations_frac * kept / rate;
        total += m * fmax(2 * moved - 0.8 * (t->forward_s + t->backward_s), 0);
    }
    return total;
}

/** A step at one clock, before it is split into parts. */
struct at_clock_time {
    int slowest;
    struct ry_stage_time stage; /**< the slowest */
    struct pipeline pipeline;
    struct dp_time dp;
    double offload_s;
    double total_s;          /**< with stragglers */
};

static struct at_clock_time time_at(const struct ry_step_inputs *in, double scale)
{
    const struct ry_layout_cost *l = in->layout;
    const double m = l->micro_batches;
    struct ry_stage_time stages[RY_STAGES] = {{0}};
    struct at_clock_time t;
    for (int i = 0; i < RY_STAGES; i++)
        if (in->stages->at[i].count > 0)
            stages[i] = ry_stage_time_at(in, &in->stages->at[i], scale);
    t.slowest = slowest_stage(in->stages, stages);
    t.stage = stages[t.slowest];
    t.pipeline = pipeline(in, stages, t.slowest);
    t.dp = in->strategy->fsdp ? fsdp_time(in, scale, m) : dp_time(in, &t.stage);
    t.offload_s = offload_s(in, m, &t.stage);
    const double sum = m * (t.stage.forward_s + t.stage.backward_s) + t.pipeline.bubble_s +
                       t.pipeline.exchange_s + t.dp.visible_s + t.dp.slowdown_s +
                       l->accumulate_s + l->embedding_s + l->optimizer_s + l->norm_s + t.offload_s +
                       in->traits->step_fixed_s;
    t.total_s = sum * (1 + l->jitter_frac);
    return t;
}

/** What runs, in seconds, of a step that takes @p t. */
static struct ry_load load_of(const struct ry_step_inputs *in, double scale,
                              const struct at_clock_time *t)
{
    const struct ry_stage_cost *c = &in->stages->at[t->slowest];
    const double m = in->layout->micro_batches;
    struct ry_load load = {.tensor_s = m * scale * c->tensor_s,
                           .attention_s = m * scale * c->attention_s,
                           .memory_s = m * c->memory_s + in->layout->optimizer_s};
    load.comm_s = m * c->traffic_s + t->dp.visible_s + in->layout->embedding_s +
                  t->pipeline.exchange_s;
    load.idle_s = fmax(t->total_s - load.tensor_s - load.attention_s - load.memory_s -
                           load.comm_s,
                       0);
    return load;
}

static struct ry_clock clock_of(const struct ry_step_inputs *in)
{
    const struct at_clock_time sustained = time_at(in, 1);
    const struct ry_load load = load_of(in, 1, &sustained);
    return ry_clock(in->machine->compute, &load, in->machine->power_cap_w);
}

double ry_step_tensor_scale(const struct ry_step_inputs *in)
{
    return clock_of(in).tensor_scale;
}

double ry_step_time_s(const struct ry_step_inputs *in)
{
    return time_at(in, clock_of(in).tensor_scale).total_s;
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

/** The slowest stage, m micro-batches of it, by kind of work. */
static void stage_parts(const struct ry_step_inputs *in, double scale,
                        const struct at_clock_time *t, struct ry_step *out)
{
    const struct ry_stage_cost *c = &in->stages->at[t->slowest];
    const struct ry_pass *const passes[] = {&c->forward, &c->backward, &c->again,
                                            &c->ends_forward, &c->ends_backward};
    const double m = in->layout->micro_batches;
    double *part = out->part_s;
    for (size_t i = 0; i < 5; i++)
        add_traffic(passes[i], m, out);
    part[RY_PART_GEMM] = m * scale * (c->forward.gemm_s + c->backward.gemm_s);
    part[RY_PART_ATTENTION] =
        m * scale * (c->forward.attention_s + c->backward.attention_s);
    part[RY_PART_MEMORY] = m * (c->forward.memory_s + c->backward.memory_s);
    part[RY_PART_RECOMPUTE] = m * clocked_gpu_s(&c->again, scale);
    part[RY_PART_HEAD] = m * (clocked_gpu_s(&c->ends_forward, scale) +
                              clocked_gpu_s(&c->ends_backward, scale));
    part[RY_PART_SLOWDOWN] = m * c->slowdown_s;
    double busy = 0;
    for (int i = 0; i < RY_PARTS; i++)
        busy += part[i];
    part[RY_PART_HOST] = fmax(m * (t->stage.forward_s + t->stage.backward_s) - busy, 0);
}

static void other_parts(const struct ry_step_inputs *in, const struct at_clock_time *t,
                        struct ry_step *out)
{
    out->part_s[RY_PART_MEMORY] += in->layout->accumulate_s;
    out->part_s[RY_PART_BUBBLE] = t->pipeline.bubble_s;
    out->part_s[RY_PART_PP] = t->pipeline.exchange_s;
    out->part_s[RY_PART_DP] = t->dp.visible_s + in->layout->embedding_s;
    out->hidden_s[RY_PART_DP] = t->dp.hidden_s;
    out->part_s[RY_PART_SLOWDOWN] += t->dp.slowdown_s;
    out->part_s[RY_PART_OPTIMIZER] = in->layout->optimizer_s + in->layout->norm_s;
    out->part_s[RY_PART_OFFLOAD] = t->offload_s;
    out->part_s[RY_PART_FIXED] = in->traits->step_fixed_s;
    double sum = 0;
    for (int i = 0; i < RY_PART_JITTER; i++)
        sum += out->part_s[i];
    out->part_s[RY_PART_JITTER] = sum * in->layout->jitter_frac;
    out->step_time_s = sum + out->part_s[RY_PART_JITTER];
}

void ry_step_combine(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_strategy *s = in->strategy;
    const struct ry_clock clock = clock_of(in);
    const struct at_clock_time t = time_at(in, clock.tensor_scale);
    const struct ry_load load = load_of(in, clock.tensor_scale, &t);
    *out = (struct ry_step){.micro_batches = in->layout->micro_batches};
    stage_parts(in, clock.tensor_scale, &t, out);
    other_parts(in, &t, out);
    out->tokens = (double)s->micro_batch * s->seq * degree(s->dp) * out->micro_batches;
    out->tokens_per_s = out->tokens / out->step_time_s;
    out->duty_frac = (load.tensor_s + load.attention_s) / out->step_time_s;
    out->power_w = clock.power_w;
    out->model_flop = out->tokens * ry_arch_flop_per_token(in->arch, s->seq, true);
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
    ry_layout_cost(machine, arch, traits, strategy, &shape, &layout);
    struct ry_stages_cost stages;
    struct ry_step_inputs in = {machine, arch, traits, strategy, &shape, &layout, NULL};
    ry_stages_cost(&in, &stages);
    in.stages = &stages;
    ry_step_combine(&in, out);
    return RY_OK;
}
