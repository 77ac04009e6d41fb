/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/event.h"

#include <math.h>

/** Index of every forward, backward and weight task: [stage][chunk][micro-batch]. */
struct grid {
    const struct ry_pipeline_spec *spec;
    struct ry_timeline *t;
    size_t *forward, *backward, *weight;
    unsigned m;
    bool reverse;     /**< stage i sits on device stages - 1 - i */
    bool lane_shared; /**< both directions in one order */
};

static size_t cell(const struct grid *g, unsigned stage, unsigned chunk, unsigned mb)
{
    return ((size_t)stage * g->spec->chunks + chunk) * g->m + mb;
}

size_t ry_pipeline_tasks(const struct ry_pipeline_spec *s)
{
    const size_t each = (size_t)s->stages * s->chunks * s->micro_batches;
    return 3 * each;
}

static struct ry_event_task blank(const struct grid *g, unsigned stage,
                                  enum ry_task_kind kind, unsigned chunk, unsigned mb)
{
    struct ry_event_task task = {
        .device = g->reverse ? g->spec->stages - 1 - stage : stage,
        .kind = kind,
        .chunk = chunk,
        .micro_batch = mb,
        .lane = g->reverse && !g->lane_shared ? RY_LANE_REVERSE : RY_LANE_COMPUTE,
    };
    for (int k = 0; k < RY_TASK_DEPS; k++)
        task.dep[k] = RY_NO_TASK;
    return task;
}

static void add_forward(struct grid *g, unsigned i, unsigned chunk, unsigned mb)
{
    struct ry_event_task f = blank(g, i, RY_TASK_FORWARD, chunk, mb);
    f.work_s = g->spec->forward_s[i] / g->spec->chunks;
    g->forward[cell(g, i, chunk, mb)] = ry_timeline_add(g->t, &f);
}

/** A backward; its weight gradient apart where the schedule moves it. */
static void add_backward(struct grid *g, unsigned i, unsigned chunk, unsigned mb)
{
    const bool split = g->spec->schedule == RY_SCHEDULE_ZERO_BUBBLE ||
                       g->spec->schedule == RY_SCHEDULE_DUALPIPE;
    struct ry_event_task b = blank(g, i, RY_TASK_BACKWARD, chunk, mb);
    const double weight = g->spec->weight_s[i] / g->spec->chunks;
    b.work_s = g->spec->backward_s[i] / g->spec->chunks - (split ? weight : 0);
    const size_t at = ry_timeline_add(g->t, &b);
    g->backward[cell(g, i, chunk, mb)] = at;
    if (!split)
        return;
    struct ry_event_task w = blank(g, i, RY_TASK_WEIGHT, chunk, mb);
    w.lane = RY_LANE_FILLER;
    w.work_s = weight;
    w.dep[0] = at;
    g->weight[cell(g, i, chunk, mb)] = ry_timeline_add(g->t, &w);
}

/** Stage and chunk before (i, chunk) on a micro-batch's way; false at the start. */
static bool before(const struct grid *g, unsigned *i, unsigned *chunk)
{
    if (*i > 0) {
        (*i)--;
        return true;
    }
    if (*chunk == 0)
        return false;
    (*chunk)--;
    *i = g->spec->stages - 1;
    return true;
}

/**
 * Fill in what waits for what, once all tasks have an index.  ZB-H1 keeps the activations
 * of no more micro-batches than 1F1B: a weight gradient frees those of its micro-batch
 * before the forward of the one that comes `stages` later (Qi et al. 2023, sec. 2.1).
 */
static void connect(struct grid *g)
{
    const struct ry_pipeline_spec *s = g->spec;
    for (unsigned i = 0; i < s->stages; i++)
        for (unsigned c = 0; c < s->chunks; c++)
            for (unsigned mb = 0; mb < g->m; mb++) {
                struct ry_event_task *f = &g->t->task[g->forward[cell(g, i, c, mb)]];
                const size_t own = g->backward[cell(g, i, c, mb)];
                g->t->task[own].dep[2] = g->forward[cell(g, i, c, mb)];
                if (s->schedule == RY_SCHEDULE_ZERO_BUBBLE && mb >= s->stages)
                    f->dep[2] = g->weight[cell(g, i, c, mb - s->stages)];
                unsigned pi = i, pc = c;
                if (!before(g, &pi, &pc))
                    continue;
                f->dep[0] = g->forward[cell(g, pi, pc, mb)];
                g->t->task[g->backward[cell(g, pi, pc, mb)]].dep[1] = own;
            }
}

/** Megatron's order of virtual micro-batches: groups of them through each chunk. */
static void virtual_id(const struct grid *g, unsigned k, unsigned *chunk, unsigned *mb)
{
    const unsigned n = ry_chunk_group(g->spec->stages, g->m), v = g->spec->chunks;
    const unsigned group = k / (n * v), start = group * n;
    const unsigned size = g->m - start < n ? g->m - start : n;
    const unsigned in = k - group * n * v;
    *chunk = in / size;
    *mb = start + in % size;
}

static void add_interleaved(struct grid *g, unsigned i)
{
    const unsigned p = g->spec->stages, v = g->spec->chunks, all = g->m * v;
    const unsigned group = ry_chunk_group(p, g->m);
    unsigned warm = v > 1 ? (p - i - 1) * 2 + (v - 1) * group : p - i - 1;
    if (g->spec->schedule == RY_SCHEDULE_GPIPE || warm > all)
        warm = all;
    for (unsigned k = 0; k < all + warm; k++) {
        unsigned chunk, mb;
        if (k < all) {
            virtual_id(g, k, &chunk, &mb);
            add_forward(g, i, chunk, mb);
        }
        if (k >= warm) {
            virtual_id(g, k - warm, &chunk, &mb);
            add_backward(g, i, v - 1 - chunk, mb);
        }
    }
}

static enum ry_err make_grid(struct ry_arena *arena, struct grid *g, struct ry_diag *diag)
{
    const size_t cells = (size_t)g->spec->stages * g->spec->chunks * g->m;
    g->forward = RY_NEW(arena, size_t, cells + 1);
    g->backward = RY_NEW(arena, size_t, cells + 1);
    g->weight = RY_NEW(arena, size_t, cells + 1);
    if (g->forward == NULL || g->backward == NULL || g->weight == NULL)
        return ry_fail(diag, RY_ERR_NOMEM, "pipeline", "%zu cells", cells);
    return RY_OK;
}

static enum ry_err add_direction(struct ry_arena *arena, struct grid *g,
                                 struct ry_diag *diag)
{
    RY_TRY(make_grid(arena, g, diag));
    for (unsigned i = 0; i < g->spec->stages; i++)
        add_interleaved(g, i);
    connect(g);
    return RY_OK;
}

/* ---- DualPipe ---- */

/** One device: stage `device` of direction 0, stage `stages - 1 - device` of direction
 * 1. */
struct dual {
    struct grid *way[2];
    unsigned device;
    unsigned forwards[2], backwards[2];
    size_t *due; /**< weight gradients put off: direction + 2 x micro-batch */
    size_t put, done;
};

/** The early direction of a device is its phase 0. */
static unsigned way_of(const struct dual *d, unsigned phase)
{
    const unsigned stages = d->way[0]->spec->stages;
    return d->device >= stages / 2 ? 1 - phase : phase;
}

static unsigned stage_of(const struct dual *d, unsigned way)
{
    return way == 0 ? d->device : d->way[0]->spec->stages - 1 - d->device;
}

static void dual_forward(struct dual *d, unsigned phase)
{
    const unsigned way = way_of(d, phase);
    add_forward(d->way[way], stage_of(d, way), 0, d->forwards[way]++);
}

static void dual_backward(struct dual *d, unsigned phase, bool put_off)
{
    const unsigned way = way_of(d, phase), i = stage_of(d, way), mb = d->backwards[way]++;
    struct grid *g = d->way[way];
    struct ry_event_task b = blank(g, i, RY_TASK_BACKWARD, 0, mb);
    b.work_s = g->spec->backward_s[i] - (put_off ? g->spec->weight_s[i] : 0);
    g->backward[cell(g, i, 0, mb)] = ry_timeline_add(g->t, &b);
    if (put_off)
        d->due[d->put++] = way + 2 * (size_t)mb;
}

/** A forward and a backward that start and end together (overlapped communication). */
static void dual_pair(struct dual *d, unsigned forward, unsigned backward)
{
    const unsigned f = way_of(d, forward), b = way_of(d, backward);
    const unsigned i = stage_of(d, f), k = stage_of(d, b);
    const unsigned ahead = d->forwards[f]++, mb = d->backwards[b]++;
    struct ry_event_task pair = blank(d->way[b], k, RY_TASK_PAIR, 0, mb);
    pair.work_s = d->way[f]->spec->forward_s[i] + d->way[b]->spec->backward_s[k];
    const size_t at = ry_timeline_add(d->way[b]->t, &pair);
    d->way[f]->forward[cell(d->way[f], i, 0, ahead)] = at;
    d->way[b]->backward[cell(d->way[b], k, 0, mb)] = at;
}

static void dual_weight(struct dual *d)
{
    if (d->done == d->put)
        return;
    const size_t due = d->due[d->done++];
    const unsigned way = (unsigned)(due % 2), i = stage_of(d, way);
    struct ry_event_task w =
        blank(d->way[way], i, RY_TASK_WEIGHT, 0, (unsigned)(due / 2));
    w.work_s = d->way[way]->spec->weight_s[i];
    ry_timeline_add(d->way[way]->t, &w);
}

/** The eight steps of a rank in DeepSeek's dualpipe.py, `half` micro-batches a
 * direction. */
static void dual_device(struct dual *d, unsigned half)
{
    const unsigned stages = d->way[0]->spec->stages;
    const unsigned rank = d->device < stages / 2 ? d->device : stages - 1 - d->device;
    const unsigned inner = stages / 2 - rank - 1;
    for (unsigned k = 0; k < 2 * inner; k++)
        dual_forward(d, 0);
    for (unsigned k = 0; k <= rank; k++)
        dual_forward(d, 0), dual_forward(d, 1);
    for (unsigned k = 0; k < inner; k++)
        dual_backward(d, 1, true), dual_weight(d), dual_forward(d, 1);
    for (unsigned k = 0; k < half - stages + rank + 1; k++)
        dual_pair(d, 0, 1), dual_pair(d, 1, 0);
    for (unsigned k = 0; k < inner; k++)
        dual_backward(d, 1, false), dual_pair(d, 1, 0);
    bool put_off = false;
    for (unsigned k = 0; k <= rank; k++) {
        put_off = put_off || (k == (rank + 1) / 2 && rank % 2 == 1);
        dual_backward(d, 1, put_off);
        put_off = put_off || (k == (rank + 1) / 2 && rank % 2 == 0);
        dual_backward(d, 0, put_off);
    }
    for (unsigned k = 0; k < inner; k++)
        dual_weight(d), dual_backward(d, 0, true);
    while (d->done < d->put)
        dual_weight(d);
}

static enum ry_err add_dual(struct ry_arena *arena, struct grid way[2],
                            struct ry_diag *diag)
{
    const unsigned stages = way[0].spec->stages, half = way[0].m;
    for (unsigned w = 0; w < 2; w++)
        RY_TRY(make_grid(arena, &way[w], diag));
    for (unsigned i = 0; i < stages; i++) {
        struct dual d = {.way = {&way[0], &way[1]},
                         .device = i,
                         .due = RY_NEW(arena, size_t, 2 * (size_t)half + 1)};
        if (d.due == NULL)
            return ry_fail(diag, RY_ERR_NOMEM, "pipeline", "%u micro-batches", half);
        dual_device(&d, half);
    }
    connect(&way[0]);
    connect(&way[1]);
    return RY_OK;
}

/** What DualPipe asks for: even stages, and twice as many micro-batches as stages. */
static bool dual_fits(const struct ry_pipeline_spec *spec)
{
    return spec->chunks == 1 && spec->stages % 2 == 0 && spec->micro_batches % 2 == 0 &&
           spec->micro_batches >= 2 * spec->stages;
}

enum ry_err ry_timeline_pipeline(struct ry_arena *arena,
                                 const struct ry_pipeline_spec *spec,
                                 struct ry_timeline *t, struct ry_diag *diag)
{
    struct grid way[2] = {{.spec = spec, .t = t, .m = spec->micro_batches}};
    if (spec->schedule != RY_SCHEDULE_DUALPIPE)
        return add_direction(arena, &way[0], diag);
    way[1] = way[0];
    way[1].reverse = true;
    way[1].m = way[0].m / 2;
    way[0].m -= way[1].m;
    if (dual_fits(spec)) {
        way[1].lane_shared = true;
        return add_dual(arena, way, diag);
    }
    RY_TRY(add_direction(arena, &way[0], diag));
    return add_direction(arena, &way[1], diag);
}
