/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/pick.h"

#include "search/costs.h"

#include <math.h>
#include <stdlib.h>

/* A shape that can be cut, and its bound. */
struct ranked {
    double least_s;
    size_t shape;
};

struct ry_picker {
    struct ry_search_cache *cache;
    size_t n;
    struct ranked *order; /* [n] by bound, then as in the space */
    double gpus_least;    /* of any shape */
    uint64_t indivisible; /* of shapes that no option can cut */
    uint64_t first_indivisible_index;
};

/* Of the shapes of a space few numbers of GPUs are in use. */
enum { LEASTS_MOST = 32 };

struct known_least {
    double gpus;
    struct ry_aim_least least;
};

/* A search under way. */
struct hunt {
    struct ry_search_cache *cache;
    const struct ry_search_problem *problem;
    const struct ry_aim *aim;
    bool bounded; /* false: look at everything */
    struct ry_pick *pick;
    size_t leasts_n;
    struct known_least leasts[LEASTS_MOST]; /* [leasts_n] in the order of use */
};

static int by_bound(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->least_s < y->least_s || x->least_s > y->least_s)
        return x->least_s < y->least_s ? -1 : 1;
    return x->shape < y->shape ? -1 : x->shape > y->shape;
}

static double shape_gpus(const struct ry_space_shape *shape)
{
    return (double)shape->tp * shape->pp * shape->dp * shape->cp;
}

static void leave_out(struct ry_picker *picker, const struct ry_space *space, size_t s)
{
    const struct ry_space_shape *shape = &space->shapes[s];
    const size_t options = space->classes[shape->class].n;

    if (options > 0 && picker->indivisible == 0)
        picker->first_indivisible_index = shape->first;
    picker->indivisible += options;
}

struct ry_picker *ry_picker_create(struct ry_arena *arena,
                                   const struct ry_search_problem *problem)
{
    const struct ry_space *space = problem->space;
    struct ry_picker *picker = RY_NEW(arena, struct ry_picker, 1);

    if (!picker)
        return NULL;
    picker->cache = ry_search_cache_create(arena, problem);
    picker->order = RY_NEW(arena, struct ranked, space->shapes_n + 1);
    picker->gpus_least = (double)INFINITY;
    if (!picker->cache || !picker->order)
        return NULL;
    for (size_t s = 0; s < space->shapes_n; s++) {
        if (!ry_costs_cut(picker->cache, s)) {
            leave_out(picker, space, s);
            continue;
        }
        picker->gpus_least = fmin(picker->gpus_least, shape_gpus(&space->shapes[s]));
        picker->order[picker->n++] =
            (struct ranked){ry_costs_least_s(picker->cache, s), s};
    }
    qsort(picker->order, picker->n, sizeof(picker->order[0]), by_bound);
    return picker;
}

const struct ry_search_problem *ry_picker_problem(const struct ry_picker *picker)
{
    return ry_costs_problem(picker->cache);
}

static struct ry_aim_least least_on(struct hunt *h, double gpus)
{
    for (size_t i = 0; i < h->leasts_n; i++)
        if (h->leasts[i].gpus >= gpus && h->leasts[i].gpus <= gpus)
            return h->leasts[i].least;
    const struct ry_aim_least least = h->aim->least(h->aim->ctx, gpus);
    if (h->leasts_n < LEASTS_MOST)
        h->leasts[h->leasts_n++] = (struct known_least){gpus, least};
    return least;
}

/* The least figure of steps of so many seconds on so many GPUs. */
static double least_figure(struct hunt *h, double gpus, double least_s)
{
    if (!h->aim)
        return least_s;
    const struct ry_aim_least least = least_on(h, gpus);
    return least_s > least.longest_s ? (double)INFINITY
                                     : least.per_s * least_s * (1.0 - RY_BOUND_ROUNDING);
}

static bool excluded(const struct hunt *h, double least)
{
    return h->bounded && h->pick->found && least > h->pick->figure;
}

static void prune(struct hunt *h, uint64_t n, double least)
{
    h->pick->pruned += n;
    h->pick->pruned_least = fmin(h->pick->pruned_least, least);
}

static void keep_if_best(struct hunt *h, const struct ry_look *look, uint64_t index,
                         double time_s)
{
    struct ry_pick *pick = h->pick;
    double figure = time_s;

    if (h->aim) {
        struct ry_step step;
        ry_step_combine(&look->in, &step);
        figure = h->aim->figure(h->aim->ctx, &look->strategy, &step);
    }
    if (!isfinite(figure) || (pick->found && figure > pick->figure) ||
        (pick->found && figure >= pick->figure && index > pick->best.index))
        return;
    pick->found = true;
    pick->figure = figure;
    pick->best = (struct ry_search_found){.index = index, .step_time_s = time_s};
}

/* An option that fits: bounded by its own recomputation, then by its time. */
static void time_option(struct hunt *h, struct ry_look *look, uint64_t index)
{
    const double gpus = ry_strategy_gpus(&look->strategy);

    if (h->bounded && h->pick->found) {
        const double least =
            least_figure(h, gpus, ry_step_least_s(&look->in, RY_BOUND_STRATEGY));
        if (excluded(h, least)) {
            prune(h, 1, least);
            return;
        }
    }
    const double time_s = ry_costs_time_s(h->cache, look);
    h->pick->evaluated++;
    if (h->aim && excluded(h, least_figure(h, gpus, time_s)))
        return;
    keep_if_best(h, look, index, time_s);
}

static void look_at_shape(struct hunt *h, size_t s)
{
    const struct ry_space *space = h->problem->space;
    const struct ry_space_shape *shape = &space->shapes[s];
    struct ry_look look;

    if (!ry_costs_cut(h->cache, s))
        return;
    ry_costs_load(h->cache, s);
    for (size_t o = 0; o < space->classes[shape->class].n; o++) {
        const uint64_t index = shape->first + o;
        switch (ry_costs_look(h->cache, s, o, &look)) {
        case RY_LOOK_UNCUT:
            ry_tally_indivisible(&h->pick->tally, index);
            break;
        case RY_LOOK_TOO_LARGE:
            ry_tally_too_large(&h->pick->tally, look.missing_bytes, index);
            break;
        case RY_LOOK_FITS:
            time_option(h, &look, index);
        }
    }
}

static struct ry_pick nothing_yet(const struct ry_picker *picker)
{
    struct ry_pick pick = {.pruned_least = (double)INFINITY};

    if (picker->indivisible > 0) {
        ry_tally_indivisible(&pick.tally, picker->first_indivisible_index);
        pick.tally.indivisible = picker->indivisible;
    }
    return pick;
}

static void add_up(struct ry_pick *pick)
{
    pick->indivisible = pick->tally.indivisible;
    pick->too_large = pick->tally.too_large;
    pick->tally.evaluated = pick->evaluated;
}

/* All shapes from the i-th on. */
static void prune_rest(struct hunt *h, const struct ry_picker *picker, size_t i)
{
    const struct ry_space *space = h->problem->space;

    for (; i < picker->n; i++) {
        const struct ry_space_shape *shape = &space->shapes[picker->order[i].shape];
        prune(h, space->classes[shape->class].n,
              least_figure(h, picker->gpus_least, picker->order[i].least_s));
    }
}

/* A strategy that is known to fit excludes others from the start. */
static void begin_with(struct hunt *h, const struct ry_search_found *known)
{
    struct ry_strategy strategy;
    struct ry_step step;

    if (ry_search_step(h->problem, known->index, &strategy, &step, NULL) != RY_OK)
        return;
    const double figure =
        h->aim ? h->aim->figure(h->aim->ctx, &strategy, &step) : known->step_time_s;
    if (!isfinite(figure))
        return;
    h->pick->found = true;
    h->pick->best = *known;
    h->pick->figure = figure * (1.0 + RY_BOUND_ROUNDING); /* its own place is nearer */
}

void ry_pick(struct ry_picker *picker, const struct ry_aim *aim,
             const struct ry_search_found *known, struct ry_pick *pick)
{
    const struct ry_search_problem *problem = ry_costs_problem(picker->cache);
    const struct ry_space *space = problem->space;
    struct hunt h = {.cache = picker->cache,
                     .problem = problem,
                     .aim = aim,
                     .bounded = true,
                     .pick = pick};

    *pick = nothing_yet(picker);
    if (known)
        begin_with(&h, known);
    for (size_t i = 0; i < picker->n; i++) {
        const struct ranked *at = &picker->order[i];
        const struct ry_space_shape *shape = &space->shapes[at->shape];
        if (excluded(&h, least_figure(&h, picker->gpus_least, at->least_s))) {
            prune_rest(&h, picker, i);
            break;
        }
        const double least = least_figure(&h, shape_gpus(shape), at->least_s);
        if (excluded(&h, least))
            prune(&h, space->classes[shape->class].n, least);
        else
            look_at_shape(&h, at->shape);
    }
    add_up(pick);
}

/* The fastest of what a shape added, or INFINITY. */
static double fastest_of(struct hunt *h, size_t s)
{
    struct ry_pick alone = {.pruned_least = (double)INFINITY};
    struct hunt of_shape = {.cache = h->cache, .problem = h->problem, .pick = &alone};

    look_at_shape(&of_shape, s);
    return alone.found ? alone.figure : (double)INFINITY;
}

void ry_pick_prove(struct ry_picker *picker, const struct ry_aim *aim,
                   const struct ry_pick *pick, struct ry_proof *proof)
{
    struct ry_pick all = nothing_yet(picker);
    struct hunt h = {.cache = picker->cache,
                     .problem = ry_costs_problem(picker->cache),
                     .aim = aim,
                     .pick = &all};

    *proof = (struct ry_proof){0};
    for (size_t i = 0; i < picker->n; i++) {
        const struct ranked *at = &picker->order[i];
        const double fastest_s = fastest_of(&h, at->shape);
        proof->below_bound += fastest_s < at->least_s;
        proof->tightest_frac = fmax(proof->tightest_frac, at->least_s / fastest_s);
        look_at_shape(&h, at->shape);
    }
    proof->evaluated = all.evaluated;
    proof->same =
        all.found == pick->found && (!all.found || all.best.index == pick->best.index);
}
