/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/stage.h"

#include "kernel/compute_model.h"
#include "sim/build.h"
#include "sim/layout.h"

#include <math.h>

static double traffic_s(const struct ry_pass *p)
{
    return p->tp_s + p->cp_s + p->ep_s;
}

static void add_side(struct ry_stage_side *side, const struct ry_pass *p)
{
    side->clocked_s += p->gemm_s;
    side->attention_s += p->attention_s;
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
static void sum_passes(const struct ry_step_inputs *in, int which,
                       struct ry_stage_cost *out)
{
    const struct ry_strategy *s = in->strategy;
    const struct ry_shape_cost *c = in->shape;
    const struct ry_stage stage = ry_stage_of(in->arch, s, in->layout, which);
    const double share = ry_recomputed_share(s, &stage);
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
        ry_pass_add(&out->again, &c->mtp.again[s->recompute], 1);
    }
}

static double side_s(const struct ry_stage_side *side, double scale, bool blocking)
{
    /* the model's attention rates are those at the clock of products alone */
    const double gpu = scale * (side->clocked_s + side->attention_s) + side->other_s;
    return (blocking ? gpu + side->host_s : ry_slower_s(gpu, side->host_s)) + side->add_s;
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

struct ry_stage_time ry_stage_time_at(const struct ry_step_inputs *in,
                                      const struct ry_stage_cost *c, double scale)
{
    const bool blocking = in->traits->host_mode == RY_HOST_BLOCKING;
    if (!(c->count > 0))
        return (struct ry_stage_time){0};
    return (struct ry_stage_time){
        .forward_s = side_s(&c->side[0], scale, blocking) + c->slowdown_s / 3,
        .backward_s = side_s(&c->side[1], scale, blocking) + c->slowdown_s * 2 / 3,
        .weight_s = scale * c->weight_s,
    };
}

static double both_s(const struct ry_stage_time *t)
{
    return t->forward_s + t->backward_s;
}

/** Set the times at a clock, and which stage is the slowest. */
static void at_scale(const struct ry_step_inputs *in, double scale,
                     struct ry_stages_cost *out)
{
    out->tensor_scale = scale;
    out->slowest = RY_STAGE_LAST;
    for (int i = 0; i < RY_STAGE_CLASSES; i++)
        out->time[i] = ry_stage_time_at(in, &out->at[i], scale);
    for (int i = 0; i < RY_STAGE_CLASSES; i++)
        if (both_s(&out->time[i]) > both_s(&out->time[out->slowest]))
            out->slowest = i;
}

/**
 * What a GPU of the slowest stage does in a step (traffic streams memory on both ends
 * about half of its time), without the waits for other stages and
 * for gradients: those of a long step outlast the seconds over which a board's power
 * is capped, so they buy no clock for the work before them.
 */
static struct ry_load busy_load(const struct ry_step_inputs *in,
                                const struct ry_stages_cost *st)
{
    const struct ry_stage_cost *c = &st->at[st->slowest];
    const double m = in->layout->micro_batches;
    const double waits = both_s(&st->time[st->slowest]) - c->tensor_s - c->attention_s -
                         c->memory_s - c->traffic_s - c->slowdown_s;
    return (struct ry_load){.tensor_s = m * c->tensor_s,
                            .attention_s = m * c->attention_s,
                            .memory_s =
                                m * (c->memory_s + 0.5 * c->traffic_s + c->slowdown_s) +
                                in->layout->optimizer_s,
                            .comm_s = 0.5 * m * c->traffic_s,
                            .idle_s = m * fmax(waits, 0)};
}

/** One micro-batch of all stages but the slowest, and the weight gradients in it. */
static void sum_others(const struct ry_step_inputs *in, struct ry_stages_cost *st)
{
    const struct ry_layout_cost *l = in->layout;
    st->others_s = -both_s(&st->time[st->slowest]);
    st->others_weight_s = -st->time[st->slowest].weight_s;
    for (int i = 0; i < RY_STAGE_CLASSES; i++) {
        double share = st->at[i].count;
        if (i == RY_STAGE_MIDDLE && l->layers_middle > 0)
            share *= l->layers_middle_mean / l->layers_middle;
        st->others_s += share * both_s(&st->time[i]);
        st->others_weight_s += share * st->time[i].weight_s;
    }
}

/**
 * The busiest GPU runs the slowest stage; with DualPipe half of the micro-batches meet
 * stage i there, half stage pp - 1 - i: two in the middle, or the first and the last.
 */
static void weigh(const struct ry_step_inputs *in, struct ry_stages_cost *st)
{
    const struct ry_stage_time *t = st->time;
    const double ends = both_s(&t[RY_STAGE_FIRST]) + both_s(&t[RY_STAGE_LAST]);
    for (int i = 0; i < RY_STAGE_CLASSES; i++)
        st->weight[i] = i == st->slowest ? 1 : 0;
    if (in->strategy->schedule != RY_SCHEDULE_DUALPIPE || in->strategy->pp <= 1)
        return;
    const bool middle = 2 * both_s(&t[RY_STAGE_MIDDLE]) > ends;
    st->weight[RY_STAGE_MIDDLE] = middle ? 1 : 0;
    st->weight[RY_STAGE_FIRST] = st->weight[RY_STAGE_LAST] = middle ? 0 : 0.5;
}

struct ry_stage_time ry_busiest_time(const struct ry_stages_cost *st)
{
    struct ry_stage_time sum = {0};
    for (int i = 0; i < RY_STAGE_CLASSES; i++) {
        sum.forward_s += st->weight[i] * st->time[i].forward_s;
        sum.backward_s += st->weight[i] * st->time[i].backward_s;
        sum.weight_s += st->weight[i] * st->time[i].weight_s;
    }
    return sum;
}

void ry_stages_cost(const struct ry_step_inputs *in, struct ry_stages_cost *out)
{
    for (int i = 0; i < RY_STAGE_CLASSES; i++)
        out->at[i] = stage_cost(in, i);
    at_scale(in, 1, out);
    const struct ry_load load = busy_load(in, out);
    const struct ry_clock clock =
        ry_clock(in->machine->compute, &load, in->machine->power_cap_w);
    at_scale(in, clock.tensor_scale, out);
    out->power_w = clock.power_w;
    out->busy_s = in->layout->micro_batches * both_s(&out->time[out->slowest]) +
                  in->layout->optimizer_s;
    sum_others(in, out);
    weigh(in, out);
}

double ry_stage_exchange_visible(const struct ry_step_inputs *in)
{
    const struct ry_strategy *s = in->strategy;
    const bool can = s->vpp > 1 || s->schedule == RY_SCHEDULE_DUALPIPE ||
                     in->traits->dp_style == RY_DP_TORCH;
    return s->pp_overlap && can ? in->traits->pp_exposed_frac : 1;
}
