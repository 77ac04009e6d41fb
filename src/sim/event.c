/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/event.h"

#include <assert.h>
#include <float.h>
#include <math.h>

const char *ry_task_kind_name(enum ry_task_kind kind)
{
    switch (kind) {
    case RY_TASK_FORWARD:
        return "forward";
    case RY_TASK_BACKWARD:
        return "backward";
    case RY_TASK_WEIGHT:
        return "weight gradient";
    case RY_TASK_PAIR:
        return "forward and backward";
    case RY_TASK_GATHER:
        return "gather";
    case RY_TASK_REDUCE:
        return "reduce";
    case RY_TASK_OPTIMIZER:
        return "optimizer";
    }
    return "";
}

enum ry_err ry_timeline_create(struct ry_arena *arena, unsigned devices, size_t room,
                               struct ry_timeline **timeline, struct ry_diag *diag)
{
    struct ry_timeline *t = RY_NEW(arena, struct ry_timeline, 1);
    if (t != NULL)
        t->task = RY_NEW(arena, struct ry_event_task, room);
    if (t == NULL || t->task == NULL)
        return ry_fail(diag, RY_ERR_NOMEM, "timeline", "%zu tasks", room);
    t->devices = devices;
    t->room = room;
    t->compute_slow = t->comm_slow = 1;
    *timeline = t;
    return RY_OK;
}

size_t ry_timeline_add(struct ry_timeline *t, const struct ry_event_task *task)
{
    assert(t->n < t->room);
    t->task[t->n] = *task;
    t->task[t->n].start_s = t->task[t->n].end_s = -1;
    return t->n++;
}

/** One stream at work: its tasks in order, and what is left of the one that runs. */
struct lane {
    size_t *order; /**< indices of tasks */
    size_t n, next;
    bool busy;
    double left_s; /**< of work, at full speed */
};

struct run {
    struct ry_timeline *t;
    struct lane *lane; /**< [devices][RY_LANES] */
    double now_s;
    size_t done;
};

static struct lane *lane_of(const struct run *r, unsigned device, int stream)
{
    return &r->lane[device * (unsigned)RY_LANES + (unsigned)stream];
}

static enum ry_err make_lanes(struct ry_arena *arena, struct run *r, struct ry_diag *diag)
{
    const size_t lanes = (size_t)r->t->devices * RY_LANES;
    r->lane = RY_NEW(arena, struct lane, lanes);
    size_t *all = RY_NEW(arena, size_t, r->t->n + 1);
    if (r->lane == NULL || all == NULL)
        return ry_fail(diag, RY_ERR_NOMEM, "timeline", "%zu tasks", r->t->n);
    for (size_t i = 0; i < r->t->n; i++)
        lane_of(r, r->t->task[i].device, (int)r->t->task[i].lane)->n++;
    for (size_t k = 0, at = 0; k < lanes; k++) {
        r->lane[k].order = all + at;
        at += r->lane[k].n;
        r->lane[k].n = 0;
    }
    for (size_t i = 0; i < r->t->n; i++) {
        struct lane *l = lane_of(r, r->t->task[i].device, (int)r->t->task[i].lane);
        l->order[l->n++] = i;
    }
    return RY_OK;
}

/** When task @p i may start; infinity while a dependency is not done. */
static double ready_s(const struct ry_timeline *t, size_t i)
{
    double ready = 0;
    for (int k = 0; k < RY_TASK_DEPS; k++) {
        const size_t dep = t->task[i].dep[k];
        if (dep == RY_NO_TASK)
            continue;
        if (t->task[dep].end_s < 0)
            return INFINITY;
        ready = fmax(ready, t->task[dep].end_s + t->task[i].delay_s);
    }
    return ready;
}

/** Start the head of a lane if it may; otherwise say when it could. */
static double try_start(struct run *r, struct lane *l)
{
    if (l->busy || l->next == l->n)
        return INFINITY;
    const size_t i = l->order[l->next];
    const double ready = ready_s(r->t, i);
    if (ready > r->now_s)
        return ready;
    l->busy = true;
    l->left_s = r->t->task[i].work_s;
    r->t->task[i].start_s = r->now_s;
    return INFINITY;
}

static bool computes(const struct run *r, unsigned d)
{
    return lane_of(r, d, RY_LANE_COMPUTE)->busy || lane_of(r, d, RY_LANE_REVERSE)->busy ||
           lane_of(r, d, RY_LANE_FILLER)->busy;
}

static double start_device(struct run *r, unsigned d)
{
    double next = INFINITY;
    for (int s = RY_LANE_COMPUTE; s <= RY_LANE_FILLER; s++)
        if (!computes(r, d))
            next = fmin(next, try_start(r, lane_of(r, d, s)));
    for (int s = RY_LANE_GATHER; s < RY_LANES; s++)
        next = fmin(next, try_start(r, lane_of(r, d, s)));
    return next;
}

static bool communicates(const struct run *r, unsigned d)
{
    return lane_of(r, d, RY_LANE_GATHER)->busy || lane_of(r, d, RY_LANE_REDUCE)->busy;
}

/** Slow-down of a stream of device d now. */
static double slow_of(const struct run *r, unsigned d, int stream)
{
    const bool both =
        lane_of(r, d, RY_LANE_GATHER)->busy && lane_of(r, d, RY_LANE_REDUCE)->busy;
    const double links = stream > RY_LANE_FILLER && both ? 2 : 1; /* which both share */
    if (!computes(r, d) || !communicates(r, d))
        return links;
    return stream <= RY_LANE_FILLER ? r->t->compute_slow : r->t->comm_slow * links;
}

/** Time until the next task ends. */
static double next_end_s(const struct run *r)
{
    double next = INFINITY;
    for (unsigned d = 0; d < r->t->devices; d++)
        for (int s = 0; s < RY_LANES; s++) {
            const struct lane *l = lane_of(r, d, s);
            if (l->busy)
                next = fmin(next, l->left_s * slow_of(r, d, s));
        }
    return next;
}

static void advance(struct run *r, double dt)
{
    for (unsigned d = 0; d < r->t->devices; d++) {
        double slow[RY_LANES];
        for (int s = 0; s < RY_LANES; s++)
            slow[s] = slow_of(r, d, s);
        for (int s = 0; s < RY_LANES; s++) {
            struct lane *l = lane_of(r, d, s);
            if (!l->busy)
                continue;
            l->left_s -= dt / slow[s];
            if (l->left_s > 1e-12)
                continue;
            l->busy = false;
            r->t->task[l->order[l->next]].end_s = r->now_s + dt;
            l->next++;
            r->done++;
        }
    }
    r->now_s += dt;
}

enum ry_err ry_timeline_run(struct ry_arena *arena, struct ry_timeline *t,
                            struct ry_diag *diag)
{
    struct run r = {.t = t};
    RY_TRY(make_lanes(arena, &r, diag));
    while (r.done < t->n) {
        double ready = INFINITY;
        for (unsigned d = 0; d < t->devices; d++)
            ready = fmin(ready, start_device(&r, d));
        const double dt = fmin(next_end_s(&r), ready - r.now_s);
        if (!(dt < DBL_MAX))
            return ry_fail(diag, RY_ERR_DEGENERATE, "timeline",
                           "%zu of %zu tasks wait for each other", t->n - r.done, t->n);
        advance(&r, fmax(dt, 0));
    }
    t->end_s = r.now_s;
    return RY_OK;
}
