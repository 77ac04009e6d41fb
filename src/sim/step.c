/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/step.h"

#include "kernel/compute_model.h"
#include "sim/build.h"
#include "sim/layout.h"

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

/** What one stage does for one micro-batch, split as the breakdown is. */
struct stage_time {
    double part_s[RY_PARTS];
    double hidden_s[RY_PARTS];
    double forward_s, backward_s; /**< their sum is the sum of part_s */
    double weight_s;
    double tensor_s, attention_s, memory_s; /**< load, for the clock */
    double window_s;              /**< backward compute that can hide traffic */
};

/** The passes of one stage: layers alone, ends alone. */
struct stage_passes {
    struct ry_pass forward, backward, again, ends_forward, ends_backward;
};

static struct stage_passes stage_passes(const struct ry_step_inputs *in, int which)
{
    const struct ry_strategy *s = in->strategy;
    const struct ry_shape_cost *c = in->shape;
    const struct ry_stage stage = ry_stage_of(in->arch, s, in->layout, which);
    const double layers = stage.dense + stage.moe;
    const double share = s->recompute == RY_RECOMPUTE_LAYERS && layers > 0
                             ? fmin(s->recompute_layers / layers, 1)
                             : 1;
    struct stage_passes p = {0};
    ry_pass_add(&p.forward, &c->dense.forward, stage.dense);
    ry_pass_add(&p.forward, &c->moe.forward, stage.moe);
    ry_pass_add(&p.backward, &c->dense.backward, stage.dense);
    ry_pass_add(&p.backward, &c->moe.backward, stage.moe);
    ry_pass_add(&p.again, &c->dense.again[s->recompute], share * stage.dense);
    ry_pass_add(&p.again, &c->moe.again[s->recompute], share * stage.moe);
    if (stage.embedding) {
        ry_pass_add(&p.ends_forward, &c->embedding.forward, 1);
        ry_pass_add(&p.ends_backward, &c->embedding.backward, 1);
    }
    if (stage.head) {
        ry_pass_add(&p.ends_forward, &c->head.forward, 1);
        ry_pass_add(&p.ends_backward, &c->head.backward, 1);
        ry_pass_add(&p.ends_forward, &c->mtp.forward, 1);
        ry_pass_add(&p.ends_backward, &c->mtp.backward, 1);
    }
    return p;
}

static void at_clock(struct ry_pass *p, double scale)
{
    p->gemm_s *= scale;
    p->weight_s *= scale;
    p->attention_s *= scale;
}

static double gpu_s(const struct ry_pass *p)
{
    return p->gemm_s + p->attention_s + p->memory_s;
}

static void add_traffic(struct stage_time *t, const struct ry_pass *p)
{
    t->part_s[RY_PART_TP] += p->tp_s;
    t->part_s[RY_PART_CP] += p->cp_s;
    t->part_s[RY_PART_EP] += p->ep_s;
    t->hidden_s[RY_PART_TP] += p->tp_hidden_s;
    t->hidden_s[RY_PART_CP] += p->cp_hidden_s;
    t->hidden_s[RY_PART_EP] += p->ep_hidden_s;
}

/** Collectives that run beside products slow them: their hidden seconds cost a share. */
static double slowdown_s(const struct ry_step_inputs *in, double hidden_s)
{
    const double slow = in->machine->compute->beside[RY_BESIDE_NVLINK].tensor - 1;
    return hidden_s * fmax(slow, 0) * in->traits->hidden_slowdown;
}

static struct stage_time stage_time(const struct ry_step_inputs *in, int which, double scale)
{
    struct stage_passes p = stage_passes(in, which);
    struct ry_pass *const all[] = {&p.forward, &p.backward, &p.again, &p.ends_forward,
                                   &p.ends_backward};
    struct stage_time t = {0};
    for (size_t i = 0; i < 5; i++) {
        at_clock(all[i], scale);
        add_traffic(&t, all[i]);
        t.tensor_s += all[i]->gemm_s;
        t.attention_s += all[i]->attention_s;
        t.memory_s += all[i]->memory_s;
    }
    const bool blocking = in->traits->host_mode == RY_HOST_BLOCKING;
    struct ry_pass forward = p.forward, backward = p.backward;
    ry_pass_add(&forward, &p.ends_forward, 1);
    ry_pass_add(&backward, &p.ends_backward, 1);
    ry_pass_add(&backward, &p.again, 1);
    t.part_s[RY_PART_GEMM] = p.forward.gemm_s + p.backward.gemm_s;
    t.part_s[RY_PART_ATTENTION] = p.forward.attention_s + p.backward.attention_s;
    t.part_s[RY_PART_MEMORY] = p.forward.memory_s + p.backward.memory_s;
    t.part_s[RY_PART_RECOMPUTE] = gpu_s(&p.again);
    t.part_s[RY_PART_HEAD] = gpu_s(&p.ends_forward) + gpu_s(&p.ends_backward);
    t.part_s[RY_PART_SLOWDOWN] = slowdown_s(in, t.hidden_s[RY_PART_TP]);
    t.forward_s = ry_pass_s(&forward, blocking);
    t.backward_s = ry_pass_s(&backward, blocking);
    const double traffic = t.part_s[RY_PART_TP] + t.part_s[RY_PART_CP] + t.part_s[RY_PART_EP];
    t.part_s[RY_PART_HOST] = t.forward_s + t.backward_s -
                             (gpu_s(&forward) + gpu_s(&backward) + traffic);
    t.forward_s += t.part_s[RY_PART_SLOWDOWN] / 3;
    t.backward_s += t.part_s[RY_PART_SLOWDOWN] * 2 / 3;
    t.weight_s = p.backward.weight_s + p.ends_backward.weight_s;
    t.window_s = t.backward_s;
    return t;
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
static struct dp_time dp_time(const struct ry_step_inputs *in, const struct stage_time *t)
{
    const struct ry_layout_cost *l = in->layout;
    struct dp_time d = {.visible_s = l->copy_s};
    if (!in->strategy->dp_overlap) {
        d.visible_s += l->reduce_s + l->gather_s;
        return d;
    }
    const double rest = 1 - l->tail_frac;
    d.visible_s += l->tail_frac * (l->reduce_s + l->gather_s);
    d = dp_sum(d, beside(in, t->window_s, rest * l->reduce_s), 1);
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
                                const struct stage_time stages[RY_STAGES], int slowest)
{
    const struct ry_strategy *s = in->strategy;
    const double pp = degree(s->pp), v = degree(s->vpp);
    const double m = ry_strategy_micro_batches(s);
    struct pipeline p = {0};
    if (pp <= 1)
        return p;
    double sum = 0;
    for (int i = 0; i < RY_STAGES; i++) {
        double count = ry_stage_count(s, i), share = 1;
        if (i == RY_STAGE_MIDDLE && in->layout->layers_middle > 0)
            share = in->layout->layers_middle_mean / in->layout->layers_middle;
        sum += count * share * (stages[i].forward_s + stages[i].backward_s);
    }
    const struct stage_time *t = &stages[slowest];
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

static int slowest_stage(const struct ry_strategy *s, const struct stage_time t[RY_STAGES])
{
    int slowest = RY_STAGE_LAST;
    for (int i = 0; i < RY_STAGES; i++)
        if (ry_stage_count(s, i) > 0 && t[i].forward_s + t[i].backward_s >
                                            t[slowest].forward_s + t[slowest].backward_s)
            slowest = i;
    return slowest;
}

/** Nodes of the cluster, for what grows with them. */
static double jitter_frac(const struct ry_step_inputs *in)
{
    const double per_node = fmax(in->machine->gpus_per_node, 1);
    const double nodes = ry_strategy_gpus(in->strategy) / per_node;
    return nodes > 1 ? in->traits->jitter_frac * log2(nodes) : 0;
}

/** Host copies: gradients down and parameters up, activations down and up. */
static double offload_s(const struct ry_step_inputs *in, double m, const struct stage_time *t)
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

static void finish(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_strategy *s = in->strategy;
    double sum = 0;
    for (int i = 0; i < RY_PART_JITTER; i++)
        sum += out->part_s[i];
    out->part_s[RY_PART_JITTER] = sum * jitter_frac(in);
    out->step_time_s = sum + out->part_s[RY_PART_JITTER];
    out->tokens = (double)s->micro_batch * s->seq * degree(s->dp) * out->micro_batches;
    out->tokens_per_s = out->tokens / out->step_time_s;
}

static void one_pass(const struct ry_step_inputs *in, double scale, struct ry_step *out,
                     struct ry_load *load)
{
    const struct ry_strategy *s = in->strategy;
    const double m = ry_strategy_micro_batches(s);
    struct stage_time stages[RY_STAGES];
    for (int i = 0; i < RY_STAGES; i++)
        if (ry_stage_count(s, i) > 0)
            stages[i] = stage_time(in, i, scale);
        else
            stages[i] = (struct stage_time){0};
    const int slowest = slowest_stage(s, stages);
    const struct stage_time *t = &stages[slowest];
    const struct pipeline p = pipeline(in, stages, slowest);
    const struct dp_time d = s->fsdp ? fsdp_time(in, scale, m) : dp_time(in, t);
    for (int i = 0; i < RY_PARTS; i++) {
        out->part_s[i] = m * t->part_s[i];
        out->hidden_s[i] = m * t->hidden_s[i];
    }
    out->part_s[RY_PART_BUBBLE] = p.bubble_s;
    out->part_s[RY_PART_PP] = p.exchange_s;
    out->part_s[RY_PART_DP] = d.visible_s + in->layout->embedding_s;
    out->hidden_s[RY_PART_DP] = d.hidden_s;
    out->part_s[RY_PART_SLOWDOWN] += d.slowdown_s;
    out->part_s[RY_PART_OPTIMIZER] = in->layout->optimizer_s + in->layout->norm_s;
    out->part_s[RY_PART_OFFLOAD] = offload_s(in, m, t);
    out->part_s[RY_PART_FIXED] = in->traits->step_fixed_s;
    out->micro_batches = m;
    finish(in, out);
    *load = (struct ry_load){.tensor_s = m * t->tensor_s,
                             .attention_s = m * t->attention_s,
                             .memory_s = m * t->memory_s + in->layout->optimizer_s};
    load->comm_s = out->part_s[RY_PART_TP] + out->part_s[RY_PART_CP] +
                   out->part_s[RY_PART_EP] + out->part_s[RY_PART_DP] + p.exchange_s;
    load->idle_s = fmax(out->step_time_s - load->tensor_s - load->attention_s -
                            load->memory_s - load->comm_s,
                        0);
}

void ry_step_combine(const struct ry_step_inputs *in, struct ry_step *out)
{
    struct ry_load load;
    *out = (struct ry_step){0};
    one_pass(in, 1, out, &load);
    const struct ry_clock clock =
        ry_clock(in->machine->compute, &load, in->machine->power_cap_w);
    one_pass(in, clock.tensor_scale, out, &load);
    out->duty_frac = (load.tensor_s + load.attention_s) / out->step_time_s;
    out->power_w = clock.power_w;
    out->model_flop =
        out->tokens * ry_arch_flop_per_token(in->arch, in->strategy->seq, true);
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
    const struct ry_step_inputs in = {machine, arch, traits, strategy, &shape, &layout};
    ry_step_combine(&in, out);
    return RY_OK;
}
