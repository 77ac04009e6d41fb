/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/event.h"

#include "kernel/compute_model.h"
#include "sim/build.h"
#include "sim/layout.h"
#include "sim/stage.h"

#include <math.h>

static unsigned at_least_one(unsigned n)
{
    return n > 1 ? n : 1;
}

static struct ry_event_task task(unsigned device, enum ry_lane lane, enum ry_task_kind kind,
                                 double work_s)
{
    struct ry_event_task t = {.device = device, .lane = lane, .kind = kind,
                              .work_s = work_s};
    for (int k = 0; k < RY_TASK_DEPS; k++)
        t.dep[k] = RY_NO_TASK;
    return t;
}

static size_t add_after(struct ry_timeline *t, struct ry_event_task one, size_t a, size_t b)
{
    one.dep[0] = a;
    one.dep[1] = b;
    return ry_timeline_add(t, &one);
}

/* ---- a pipeline, then reduction and optimizer on every stage ---- */

struct stage_arrays {
    double *forward_s, *backward_s, *weight_s;
};

static enum ry_err stage_arrays(struct ry_arena *arena, const struct ry_step_inputs *in,
                                struct stage_arrays *out, struct ry_diag *diag)
{
    const unsigned p = at_least_one(in->strategy->pp);
    const double v = at_least_one(in->strategy->vpp);
    const double scale = in->stages->tensor_scale;
    const double visible = ry_stage_exchange_visible(in);
    const double send = p > 1 ? in->layout->send_s * visible * v : 0;
    out->forward_s = RY_NEW(arena, double, p);
    out->backward_s = RY_NEW(arena, double, p);
    out->weight_s = RY_NEW(arena, double, p);
    if (out->forward_s == NULL || out->backward_s == NULL || out->weight_s == NULL)
        return ry_fail(diag, RY_ERR_NOMEM, "timeline", "%u stages", p);
    for (unsigned i = 0; i < p; i++) {
        const int which = i + 1 == p ? RY_STAGE_LAST : i == 0 ? RY_STAGE_FIRST : RY_STAGE_MIDDLE;
        const struct ry_stage_time t =
            ry_stage_time_at(in, &in->stages->at[which], scale);
        out->forward_s[i] = t.forward_s + send;
        out->backward_s[i] = t.backward_s + send;
        out->weight_s[i] = t.weight_s;
    }
    return RY_OK;
}

static void add_tail(const struct ry_step_inputs *in, struct ry_timeline *t, unsigned device,
                     size_t last)
{
    const struct ry_layout_cost *l = in->layout;
    const size_t r = add_after(
        t, task(device, RY_LANE_REDUCE, RY_TASK_REDUCE, l->reduce_s + l->copy_s), last,
        RY_NO_TASK);
    const size_t o = add_after(
        t, task(device, RY_LANE_COMPUTE, RY_TASK_OPTIMIZER, l->optimizer_s + l->norm_s), r,
        RY_NO_TASK);
    if (l->gather_s > 0)
        add_after(t, task(device, RY_LANE_GATHER, RY_TASK_GATHER, l->gather_s), o,
                  RY_NO_TASK);
}

static enum ry_err pipeline_timeline(struct ry_arena *arena, const struct ry_step_inputs *in,
                                     struct ry_timeline **out, struct ry_diag *diag)
{
    const struct ry_strategy *s = in->strategy;
    struct stage_arrays a;
    RY_TRY(stage_arrays(arena, in, &a, diag));
    const struct ry_pipeline_spec spec = {
        .stages = at_least_one(s->pp), .chunks = at_least_one(s->vpp),
        .micro_batches = (unsigned)ceil(ry_strategy_micro_batches(s)),
        .schedule = s->schedule, .forward_s = a.forward_s, .backward_s = a.backward_s,
        .weight_s = a.weight_s};
    const size_t room = ry_pipeline_tasks(&spec) + 3 * (size_t)spec.stages;
    RY_TRY(ry_timeline_create(arena, spec.stages, room, out, diag));
    RY_TRY(ry_timeline_pipeline(arena, &spec, *out, diag));
    const size_t compute = (*out)->n;
    for (unsigned d = 0; d < spec.stages; d++) {
        size_t last = RY_NO_TASK;
        for (size_t i = 0; i < compute; i++)
            if ((*out)->task[i].device == d)
                last = i;
        add_tail(in, *out, d, last);
    }
    return RY_OK;
}

/* ---- one device, layer by layer: FSDP prefetch, buckets behind backward ---- */

struct layer_times {
    double forward_s, backward_s, gather_s, reduce_s, copy_s[2];
};

static struct layer_times layer_times(const struct ry_step_inputs *in, bool moe, double scale)
{
    const struct ry_layer_cost *c = moe ? &in->shape->moe : &in->shape->dense;
    const struct ry_layout_cost *l = in->layout;
    struct ry_pass f = c->forward, b = c->backward;
    ry_pass_add(&b, &c->again[in->strategy->recompute], 1);
    f.gemm_s *= scale;
    b.gemm_s *= scale;
    const double layers = fmax(in->arch->layers, 1);
    struct layer_times t = {.forward_s = ry_pass_s(&f, false),
                            .backward_s = ry_pass_s(&b, false)};
    if (in->strategy->fsdp) {
        t.gather_s = l->layer_gather_s[moe];
        t.reduce_s = l->layer_reduce_s[moe];
        t.copy_s[0] = l->layer_copy_s[moe][0];
        t.copy_s[1] = l->layer_copy_s[moe][1];
    } else
        t.reduce_s = (1 - l->tail_frac) * l->reduce_s / layers;
    return t;
}

/** One layer of a pass; returns its compute task. @p before is the compute before it. */
static size_t add_layer(const struct ry_step_inputs *in, struct ry_timeline *t, unsigned k,
                        bool backward, size_t before)
{
    const struct layer_times x =
        layer_times(in, ry_arch_layer_is_moe(in->arch, k), in->stages->tensor_scale);
    size_t gather = RY_NO_TASK;
    if (x.gather_s > 0 && !(backward && in->strategy->reshard_kept)) {
        struct ry_event_task g = task(0, RY_LANE_GATHER, RY_TASK_GATHER, x.gather_s);
        g.layer = k;
        gather = ry_timeline_add(t, &g);
    }
    struct ry_event_task c =
        task(0, RY_LANE_COMPUTE, backward ? RY_TASK_BACKWARD : RY_TASK_FORWARD,
             backward ? x.backward_s + x.copy_s[1] : x.forward_s + x.copy_s[0]);
    c.layer = k;
    const size_t compute = add_after(t, c, before, gather);
    if (backward && x.reduce_s > 0) {
        struct ry_event_task r = task(0, RY_LANE_REDUCE, RY_TASK_REDUCE, x.reduce_s);
        r.layer = k;
        add_after(t, r, compute, RY_NO_TASK);
    }
    return compute;
}

static enum ry_err layered_timeline(struct ry_arena *arena, const struct ry_step_inputs *in,
                                    struct ry_timeline **out, struct ry_diag *diag)
{
    const struct ry_layout_cost *l = in->layout;
    const unsigned n = in->arch->layers;
    const unsigned m = (unsigned)ceil(ry_strategy_micro_batches(in->strategy));
    const double scale = in->stages->tensor_scale;
    struct ry_pass ef = in->shape->embedding.forward, hf = in->shape->head.forward;
    struct ry_pass eb = in->shape->embedding.backward, hb = in->shape->head.backward;
    hf.gemm_s *= scale;
    hb.gemm_s *= scale;
    RY_TRY(ry_timeline_create(arena, 1, (size_t)m * (6 * (size_t)n + 8) + 8, out, diag));
    struct ry_timeline *t = *out;
    const struct ry_compute_model *model = in->machine->compute;
    t->compute_slow = model->beside[l->beside].tensor;
    t->comm_slow = model->beside[l->beside].comm;
    size_t at = RY_NO_TASK;
    for (unsigned mb = 0; mb < m; mb++) {
        const size_t first = t->n;
        at = add_after(t, task(0, RY_LANE_GATHER, RY_TASK_GATHER, l->root_gather_s), at,
                       RY_NO_TASK);
        at = add_after(t, task(0, RY_LANE_COMPUTE, RY_TASK_FORWARD, ry_pass_s(&ef, false)),
                       at, RY_NO_TASK);
        for (unsigned k = 0; k < n; k++)
            at = add_layer(in, t, k, false, at);
        at = add_after(t,
                       task(0, RY_LANE_COMPUTE, RY_TASK_BACKWARD,
                            ry_pass_s(&hf, false) + ry_pass_s(&hb, false)),
                       at, RY_NO_TASK);
        for (unsigned k = n; k-- > 0;)
            at = add_layer(in, t, k, true, at);
        at = add_after(t, task(0, RY_LANE_COMPUTE, RY_TASK_BACKWARD, ry_pass_s(&eb, false)),
                       at, RY_NO_TASK);
        for (size_t i = first; i < t->n; i++)
            t->task[i].micro_batch = mb;
    }
    const double tail = in->strategy->fsdp ? l->root_reduce_s : l->tail_frac * l->reduce_s;
    at = add_after(t, task(0, RY_LANE_REDUCE, RY_TASK_REDUCE, tail), at, RY_NO_TASK);
    add_after(t, task(0, RY_LANE_COMPUTE, RY_TASK_OPTIMIZER, l->optimizer_s + l->norm_s), at,
              RY_NO_TASK);
    return RY_OK;
}

enum ry_err ry_step_timeline(struct ry_arena *arena, const struct ry_step_inputs *in,
                             struct ry_timeline **timeline, struct ry_diag *diag)
{
    const struct ry_strategy *s = in->strategy;
    const bool layered =
        at_least_one(s->pp) == 1 && (s->fsdp || (s->dp_overlap && s->dp > 1));
    if (layered)
        RY_TRY(layered_timeline(arena, in, timeline, diag));
    else
        RY_TRY(pipeline_timeline(arena, in, timeline, diag));
    return ry_timeline_run(arena, *timeline, diag);
}

enum ry_err ry_step_timeline_of(struct ry_arena *arena, const struct ry_step_inputs *of,
                                struct ry_timeline **timeline, struct ry_diag *diag)
{
    struct ry_step_inputs in = *of;
    struct ry_shape_cost shape;
    struct ry_layout_cost layout;
    struct ry_stages_cost stages;

    ry_shape_cost(of->machine, of->arch, of->traits, of->strategy, &shape);
    ry_layout_sizes(of->arch, of->traits, of->strategy, &shape, &layout);
    ry_layout_times(of->machine, of->arch, of->traits, of->strategy, &shape, &layout);
    in.shape = &shape;
    in.layout = &layout;
    ry_stages_cost(&in, &stages);
    in.stages = &stages;
    return ry_step_timeline(arena, &in, timeline, diag);
}
