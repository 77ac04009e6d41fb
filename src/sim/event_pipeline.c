/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/event.h"

#include <math.h>

/** Index of every forward and backward task: [stage][chunk][micro-batch]. */
struct grid {
    const struct ry_pipeline_spec *spec;
    struct ry_timeline *t;
    size_t *forward, *backward;
    unsigned m;
    bool reverse; /**< stage i sits on device stages - 1 - i */
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
        .lane = g->reverse ? RY_LANE_REVERSE : RY_LANE_COMPUTE,
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
    ry_timeline_add(g->t, &w);
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

/** Fill in what waits for what, once all tasks have an index. */
static void connect(struct grid *g)
{
    const struct ry_pipeline_spec *s = g->spec;
    for (unsigned i = 0; i < s->stages; i++)
        for (unsigned c = 0; c < s->chunks; c++)
            for (unsigned mb = 0; mb < g->m; mb++) {
                struct ry_event_task *f = &g->t->task[g->forward[cell(g, i, c, mb)]];
                const size_t own = g->backward[cell(g, i, c, mb)];
                g->t->task[own].dep[1] = g->forward[cell(g, i, c, mb)];
                unsigned pi = i, pc = c;
                if (!before(g, &pi, &pc))
                    continue;
                f->dep[0] = g->forward[cell(g, pi, pc, mb)];
                g->t->task[g->backward[cell(g, pi, pc, mb)]].dep[0] = own;
            }
}

/** Megatron's order of virtual micro-batches: groups of `stages` through each chunk. */
static void virtual_id(const struct grid *g, unsigned k, unsigned *chunk, unsigned *mb)
{
    const unsigned p = g->spec->stages, v = g->spec->chunks;
    const unsigned group = k / (p * v), start = group * p;
    const unsigned size = g->m - start < p ? g->m - start : p;
    const unsigned in = k - group * p * v;
    *chunk = in / size;
    *mb = start + in % size;
}

static void add_interleaved(struct grid *g, unsigned i)
{
    const unsigned p = g->spec->stages, v = g->spec->chunks, all = g->m * v;
    unsigned warm = v > 1 ? (p - i - 1) * 2 + (v - 1) * p : p - i - 1;
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

static enum ry_err add_direction(struct ry_arena *arena, struct grid *g,
                                 struct ry_diag *diag)
{
    const struct ry_pipeline_spec *spec = g->spec;
    const size_t cells = (size_t)spec->stages * spec->chunks * g->m;
    g->forward = RY_NEW(arena, size_t, cells + 1);
    g->backward = RY_NEW(arena, size_t, cells + 1);
    if (g->forward == NULL || g->backward == NULL)
        return ry_fail(diag, RY_ERR_NOMEM, "pipeline", "%zu cells", cells);
    for (unsigned i = 0; i < spec->stages; i++)
        add_interleaved(g, i);
    connect(g);
    return RY_OK;
}

enum ry_err ry_timeline_pipeline(struct ry_arena *arena, const struct ry_pipeline_spec *spec,
                                 struct ry_timeline *t, struct ry_diag *diag)
{
    struct grid g = {.spec = spec, .t = t, .m = spec->micro_batches};
    if (spec->schedule != RY_SCHEDULE_DUALPIPE)
        return add_direction(arena, &g, diag);
    struct grid back = g;
    back.reverse = true;
    back.m = g.m / 2;
    g.m -= back.m;
    RY_TRY(add_direction(arena, &g, diag));
    return add_direction(arena, &back, diag);
}
