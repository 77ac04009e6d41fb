/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/event.h"

#include "kernel/compute_model.h"
#include "sim/build.h"
#include "sim/gradients.h"
#include "sim/layout.h"
#include "sim/stage.h"

#include <math.h>

static unsigned at_least_one(unsigned n)
{
    return n > 1 ? n : 1;
}

static struct ry_event_task task(unsigned device, enum ry_lane lane,
                                 enum ry_task_kind kind, double work_s)
{
    struct ry_event_task t = {
        .device = device, .lane = lane, .kind = kind, .work_s = work_s};
    for (int k = 0; k < RY_TASK_DEPS; k++)
        t.dep[k] = RY_NO_TASK;
    return t;
}

static size_t add_after(struct ry_timeline *t, struct ry_event_task one, size_t a,
                        size_t b)
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
        const int which = i + 1 == p ? RY_STAGE_LAST
                          : i == 0   ? RY_STAGE_FIRST
                                     : RY_STAGE_MIDDLE;
        const struct ry_stage_time t =
            ry_stage_time_at(in, &in->stages->at[which], scale);
        out->forward_s[i] = t.forward_s + send;
        out->backward_s[i] = t.backward_s + send;
        out->weight_s[i] = t.weight_s;
    }
    return RY_OK;
}

/** Traffic of data parallelism beside compute: how both slow each other. */
static void set_slow(const struct ry_step_inputs *in, struct ry_timeline *t)
{
    const struct ry_compute_model *model = in->machine->compute;
    const int beside = in->layout->beside;
    t->compute_slow =
        0.7 * model->beside[beside].tensor + 0.3 * model->beside[beside].memory;
    t->comm_slow =
        0.7 * model->beside[beside].comm + 0.3 * model->beside[beside].comm_memory;
}

static size_t add_rest(const struct ry_step_inputs *in, struct ry_timeline *t,
                       unsigned device, size_t after)
{
    return add_after(t,
                     task(device, RY_LANE_COMPUTE, RY_TASK_OPTIMIZER, ry_step_rest_s(in)),
                     after, RY_NO_TASK);
}

/** The compute task of a device that is @p n of a kind from its end (or its start). */
static size_t nth(const struct ry_timeline *t, size_t tasks, unsigned device,
                  enum ry_task_kind kind, unsigned n, bool from_end)
{
    for (size_t k = 0; k < tasks; k++) {
        const size_t i = from_end ? tasks - 1 - k : k;
        if (t->task[i].device == device && t->task[i].kind == kind && n-- == 0)
            return i;
    }
    return RY_NO_TASK;
}

/** The compute task of a device before (or after) task @p i in stream order. */
static size_t neighbour(const struct ry_timeline *t, size_t tasks, size_t i, bool before)
{
    for (size_t k = i; before ? k-- > 0 : ++k < tasks;)
        if (t->task[k].device == t->task[i].device && t->task[k].lane == t->task[i].lane)
            return k;
    return RY_NO_TASK;
}

/** Parameter gathers: the first bucket before all compute, the rest behind forwards. */
static void add_gathers(const struct ry_step_inputs *in, struct ry_timeline *t,
                        size_t tasks, unsigned device, unsigned window)
{
    const struct ry_layout_cost *l = in->layout;
    const bool overlap = in->strategy->dp_overlap;
    const double tail = overlap ? ry_tail_frac(in->strategy, l) : 1;
    const size_t first = nth(t, tasks, device, RY_TASK_FORWARD, 0, false);
    const size_t last = nth(t, tasks, device, RY_TASK_FORWARD, window - 1, false);
    if (!(l->gather_s > 0) || first == RY_NO_TASK)
        return;
    size_t g =
        add_after(t, task(device, RY_LANE_GATHER, RY_TASK_GATHER, tail * l->gather_s),
                  RY_NO_TASK, RY_NO_TASK);
    t->task[first].dep[2] = g;
    if (!(tail < 1))
        return;
    g = add_after(t,
                  task(device, RY_LANE_GATHER, RY_TASK_GATHER, (1 - tail) * l->gather_s),
                  g, RY_NO_TASK);
    const size_t next = last == RY_NO_TASK ? last : neighbour(t, tasks, last, false);
    if (next != RY_NO_TASK)
        t->task[next].dep[3] = g;
}

/** Gradient reduction behind the last backwards, its last bucket after them. */
static size_t add_reductions(const struct ry_step_inputs *in, struct ry_timeline *t,
                             size_t tasks, unsigned device, unsigned window)
{
    const struct ry_layout_cost *l = in->layout;
    const bool overlap = in->strategy->dp_overlap;
    const double tail = overlap ? ry_tail_frac(in->strategy, l) : 1;
    const size_t last = nth(t, tasks, device, RY_TASK_BACKWARD, 0, true);
    if (!(l->reduce_s > 0) || last == RY_NO_TASK)
        return last;
    if (tail < 1) {
        const size_t from = nth(t, tasks, device, RY_TASK_BACKWARD, window - 1, true);
        const size_t start = from == RY_NO_TASK ? from : neighbour(t, tasks, from, true);
        /* not while that backward still waits for the next stage's */
        const size_t cause = from == RY_NO_TASK ? from : t->task[from].dep[1];
        add_after(t,
                  task(device, RY_LANE_REDUCE, RY_TASK_REDUCE, (1 - tail) * l->reduce_s),
                  start, cause);
    }
    return add_after(t, task(device, RY_LANE_REDUCE, RY_TASK_REDUCE, tail * l->reduce_s),
                     last, RY_NO_TASK);
}

static enum ry_err pipeline_timeline(struct ry_arena *arena,
                                     const struct ry_step_inputs *in,
                                     struct ry_timeline **out, struct ry_diag *diag)
{
    const struct ry_strategy *s = in->strategy;
    struct stage_arrays a;
    RY_TRY(stage_arrays(arena, in, &a, diag));
    const struct ry_pipeline_spec spec = {
        .stages = at_least_one(s->pp),
        .chunks = at_least_one(s->vpp),
        .micro_batches = (unsigned)ceil(ry_strategy_micro_batches(s)),
        .schedule = s->schedule,
        .forward_s = a.forward_s,
        .backward_s = a.backward_s,
        .weight_s = a.weight_s};
    const size_t room = ry_pipeline_tasks(&spec) + 5 * (size_t)spec.stages;
    RY_TRY(ry_timeline_create(arena, spec.stages, room, out, diag));
    RY_TRY(ry_timeline_pipeline(arena, &spec, *out, diag));
    set_slow(in, *out);
    const size_t compute = (*out)->n;
    const double chunks = ry_dp_window(in) * spec.chunks;
    const unsigned window = (unsigned)fmax(floor(chunks + 0.5), 1);
    for (unsigned d = 0; d < spec.stages; d++) {
        add_gathers(in, *out, compute, d, window);
        add_rest(in, *out, d, add_reductions(in, *out, compute, d, window));
    }
    return RY_OK;
}

/* ---- one device, layer by layer: FSDP prefetch, buckets behind backward ---- */

struct layered {
    const struct ry_step_inputs *in;
    struct ry_timeline *t;
    double stretch[2]; /**< of passes by what only a whole stage knows: host, others */
    bool first, last;  /**< micro-batch */
};

static struct ry_pass layer_pass(const struct ry_step_inputs *in, unsigned k,
                                 bool backward)
{
    const bool moe = ry_arch_layer_is_moe(in->arch, k);
    const struct ry_layer_cost *c = moe ? &in->shape->moe : &in->shape->dense;
    struct ry_pass pass = backward ? c->backward : c->forward;
    if (backward)
        ry_pass_add(&pass, &c->again[in->strategy->recompute], 1);
    pass.gemm_s *= in->stages->tensor_scale;
    pass.attention_s *= in->stages->tensor_scale;
    return pass;
}

/** Embedding forward or backward; head and loss forward or backward. */
static double end_s(const struct ry_step_inputs *in, bool head, bool backward)
{
    const struct ry_layer_cost *c = head ? &in->shape->head : &in->shape->embedding;
    struct ry_pass pass = backward ? c->backward : c->forward;
    pass.gemm_s *= in->stages->tensor_scale;
    return ry_pass_s(&pass, false);
}

static void set_stretch(struct layered *x)
{
    const struct ry_step_inputs *in = x->in;
    const struct ry_stage_time whole = ry_busiest_time(in->stages);
    for (int back = 0; back < 2; back++) {
        double sum = end_s(in, false, back) + end_s(in, true, back);
        for (unsigned k = 0; k < in->arch->layers; k++) {
            const struct ry_pass pass = layer_pass(in, k, back);
            sum += ry_pass_s(&pass, false);
        }
        x->stretch[back] = (back ? whole.backward_s : whole.forward_s) / sum;
    }
}

/** Parameters of layer @p k for a pass, not before @p after: one layer ahead. */
static size_t add_gather(const struct layered *x, unsigned k, bool backward, size_t after)
{
    const struct ry_layout_cost *l = x->in->layout;
    const bool fsdp = x->in->strategy->fsdp;
    const double rest = 1 - ry_tail_frac(x->in->strategy, l);
    double work_s = rest * l->gather_s / fmax(x->in->arch->layers, 1);
    if (fsdp)
        work_s = l->layer_gather_s[ry_arch_layer_is_moe(x->in->arch, k)];
    const bool held =
        fsdp ? backward && x->in->strategy->reshard_kept : backward || !x->first;
    if (held || !(work_s > 0))
        return RY_NO_TASK;
    struct ry_event_task g = task(0, RY_LANE_GATHER, RY_TASK_GATHER, work_s);
    g.layer = k;
    return add_after(x->t, g, after, RY_NO_TASK);
}

static void add_reduction(const struct layered *x, unsigned k, size_t after)
{
    const struct ry_layout_cost *l = x->in->layout;
    const double rest = 1 - ry_tail_frac(x->in->strategy, l);
    double work_s = rest * l->reduce_s / fmax(x->in->arch->layers, 1);
    if (x->in->strategy->fsdp)
        work_s = l->layer_reduce_s[ry_arch_layer_is_moe(x->in->arch, k)];
    const bool each = x->in->strategy->fsdp && x->in->traits->fsdp_reduces_each;
    if (!(work_s > 0) || !(each || x->last))
        return;
    struct ry_event_task r = task(0, RY_LANE_REDUCE, RY_TASK_REDUCE, work_s);
    r.layer = k;
    add_after(x->t, r, after, RY_NO_TASK);
}

static double layer_s(const struct layered *x, unsigned k, bool backward)
{
    const struct ry_pass pass = layer_pass(x->in, k, backward);
    const bool moe = ry_arch_layer_is_moe(x->in->arch, k);
    const bool each = x->in->traits->fsdp_reduces_each || x->last;
    const double copy_s =
        x->in->strategy->fsdp ? x->in->layout->layer_copy_s[moe][backward && each] : 0;
    return ry_pass_s(&pass, false) * x->stretch[backward] + copy_s;
}

/** All layers of a pass after task @p at; returns its last compute task. */
static size_t add_layers(const struct layered *x, bool backward, size_t at)
{
    const unsigned n = x->in->arch->layers;
    size_t gather = add_gather(x, backward ? n - 1 : 0, backward, RY_NO_TASK);
    for (unsigned i = 0; i < n; i++) {
        const unsigned k = backward ? n - 1 - i : i;
        const size_t next = i + 1 < n
                                ? add_gather(x, backward ? k - 1 : k + 1, backward, at)
                                : RY_NO_TASK;
        struct ry_event_task c =
            task(0, RY_LANE_COMPUTE, backward ? RY_TASK_BACKWARD : RY_TASK_FORWARD,
                 layer_s(x, k, backward));
        c.layer = k;
        at = add_after(x->t, c, at, gather);
        if (backward)
            add_reduction(x, k, at);
        gather = next;
    }
    return at;
}

static size_t add_compute(const struct layered *x, bool backward, double work_s,
                          size_t at)
{
    return add_after(x->t,
                     task(0, RY_LANE_COMPUTE,
                          backward ? RY_TASK_BACKWARD : RY_TASK_FORWARD,
                          work_s * x->stretch[backward]),
                     at, RY_NO_TASK);
}

static size_t add_micro_batch(const struct layered *x, size_t at)
{
    const struct ry_step_inputs *in = x->in;
    const struct ry_layout_cost *l = in->layout;
    const double root_s = in->strategy->fsdp ? l->root_gather_s
                          : x->first         ? ry_tail_frac(in->strategy, l) * l->gather_s
                                             : 0;
    if (root_s > 0)
        at = add_after(x->t, task(0, RY_LANE_GATHER, RY_TASK_GATHER, root_s), at,
                       RY_NO_TASK);
    at = add_compute(x, false, end_s(in, false, false), at);
    at = add_layers(x, false, at);
    at = add_compute(x, false, end_s(in, true, false), at);
    at = add_compute(x, true, end_s(in, true, true), at);
    at = add_layers(x, true, at);
    return add_compute(x, true, end_s(in, false, true), at);
}

static enum ry_err layered_timeline(struct ry_arena *arena,
                                    const struct ry_step_inputs *in,
                                    struct ry_timeline **out, struct ry_diag *diag)
{
    const struct ry_layout_cost *l = in->layout;
    const size_t n = in->arch->layers;
    const unsigned m = (unsigned)ceil(ry_strategy_micro_batches(in->strategy));
    RY_TRY(ry_timeline_create(arena, 1, (size_t)m * (6 * n + 8) + 8, out, diag));
    struct layered x = {.in = in, .t = *out};
    set_slow(in, *out);
    set_stretch(&x);
    size_t at = RY_NO_TASK;
    for (unsigned mb = 0; mb < m; mb++) {
        const size_t first = x.t->n;
        x.first = mb == 0;
        x.last = mb + 1 == m;
        at = add_micro_batch(&x, at);
        for (size_t i = first; i < x.t->n; i++)
            x.t->task[i].micro_batch = mb;
    }
    const double tail_s = in->strategy->fsdp
                              ? l->root_reduce_s
                              : ry_tail_frac(in->strategy, l) * l->reduce_s;
    if (tail_s > 0)
        at = add_after(x.t, task(0, RY_LANE_REDUCE, RY_TASK_REDUCE, tail_s), at,
                       RY_NO_TASK);
    add_rest(in, x.t, 0, at);
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
