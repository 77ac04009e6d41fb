/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/search.h"

#include "search/variants.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Slots of the direct-mapped caches; a clash computes again. */
enum { SHAPE_SLOTS = 256, LAYOUT_SLOTS = 2048, STAGES_SLOTS = 1024 };

struct shape_slot {
    uint64_t key; /* 0: empty */
    struct ry_shape_cost cost;
};

struct layout_slot {
    uint64_t key; /* 0: empty */
    struct ry_layout_cost cost;
};

struct stages_slot {
    uint64_t key; /* 0: empty */
    struct ry_stages_cost cost;
};

/* Whether a strategy fits, and by how much not. */
struct fit {
    bool known, fits;
    double missing_bytes;
};

/* Sub-results of the shape at hand, by variant. */
struct current {
    struct ry_shape_cost *shape;    /* [most shape variants] */
    struct ry_layout_cost *layout;  /* [most layout variants] */
    bool *layout_timed;
    struct ry_stages_cost *stages;  /* [most stages variants] */
    bool *stages_known;
    bool *cut;                      /* [most cut variants] */
    struct fit *fit;                /* [most memory variants] */
};

struct ry_search_cache {
    struct ry_search_problem problem;
    struct ry_variant_list variants[RY_SPACE_CLASSES][RY_VARIANTS];
    struct shape_slot *shapes;   /* [SHAPE_SLOTS] */
    struct layout_slot *layouts; /* [LAYOUT_SLOTS] */
    struct stages_slot *stages;  /* [STAGES_SLOTS] */
    struct current now;
};

static bool make_room(struct ry_arena *arena, const size_t most[RY_VARIANTS],
                      struct current *now)
{
    now->shape = RY_NEW(arena, struct ry_shape_cost, most[RY_VARIANT_SHAPE]);
    now->layout = RY_NEW(arena, struct ry_layout_cost, most[RY_VARIANT_LAYOUT]);
    now->layout_timed = RY_NEW(arena, bool, most[RY_VARIANT_LAYOUT]);
    now->stages = RY_NEW(arena, struct ry_stages_cost, most[RY_VARIANT_STAGES]);
    now->stages_known = RY_NEW(arena, bool, most[RY_VARIANT_STAGES]);
    now->cut = RY_NEW(arena, bool, most[RY_VARIANT_CUT]);
    now->fit = RY_NEW(arena, struct fit, most[RY_VARIANT_MEMORY]);
    return now->shape && now->layout && now->layout_timed && now->stages && now->stages_known && now->cut &&
           now->fit;
}

struct ry_search_cache *ry_search_cache_create(struct ry_arena *arena,
                                               const struct ry_search_problem *problem)
{
    struct ry_search_cache *cache = RY_NEW(arena, struct ry_search_cache, 1);
    size_t most[RY_VARIANTS] = {1, 1, 1, 1, 1};

    if (!cache)
        return NULL;
    cache->problem = *problem;
    for (size_t c = 0; c < RY_SPACE_CLASSES; c++) {
        const struct ry_space_class *class = &problem->space->classes[c];
        struct ry_variant_list *lists = cache->variants[c];
        if (class->n > 0 && !ry_variants_find(arena, class, lists))
            return NULL;
        for (size_t k = 0; k < RY_VARIANTS; k++)
            most[k] = lists[k].n > most[k] ? lists[k].n : most[k];
    }
    cache->shapes = RY_NEW(arena, struct shape_slot, SHAPE_SLOTS);
    cache->layouts = RY_NEW(arena, struct layout_slot, LAYOUT_SLOTS);
    cache->stages = RY_NEW(arena, struct stages_slot, STAGES_SLOTS);
    if (!cache->shapes || !cache->layouts || !cache->stages || !make_room(arena, most, &cache->now))
        return NULL;
    return cache;
}

/* One more number of a key, in a mixed radix wide enough for every degree. */
static uint64_t with(uint64_t key, uint64_t number)
{
    return (key ^ number) * 0x9e3779b97f4a7c15U + (number << 7) + (key >> 29);
}

static uint64_t shape_key(const struct ry_strategy *s)
{
    const unsigned flags = (s->sequence_parallel ? 1U : 0U) | (s->tp_overlap ? 2U : 0U) |
                           (s->ep_overlap ? 4U : 0U) | ((unsigned)s->cp_kind << 3);
    const unsigned numbers[] = {s->tp, s->cp, s->ep, s->etp, s->micro_batch, flags};
    uint64_t key = 1;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        key = with(key, numbers[i]);
    return key | 1;
}

/* Chunks matter only by the layers that they leave on a stage. */
static uint64_t layout_key(const struct ry_strategy *s, const struct ry_layout_cost *l)
{
    const unsigned numbers[] = {s->pp,
                                s->dp,
                                s->zero_stage,
                                s->fsdp,
                                s->shard_ranks,
                                (unsigned)l->layers_first,
                                (unsigned)l->layers_middle,
                                (unsigned)l->layers_last};
    uint64_t key = shape_key(s);

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        key = with(key, numbers[i]);
    return key | 1;
}

static void load_shape(struct ry_search_cache *cache, const struct ry_strategy *strategy,
                       struct ry_shape_cost *cost)
{
    const struct ry_search_problem *p = &cache->problem;
    const uint64_t key = shape_key(strategy);
    struct shape_slot *slot = &cache->shapes[(key >> 32) % SHAPE_SLOTS];

    if (slot->key != key) {
        ry_shape_cost(p->machine, p->arch, p->traits, strategy, &slot->cost);
        slot->key = key;
    }
    *cost = slot->cost;
}

/* Fill in the times of a layout that has its sizes. */
static void load_times(struct ry_search_cache *cache, const struct ry_step_inputs *in,
                       struct ry_layout_cost *layout)
{
    const struct ry_search_problem *p = &cache->problem;
    const uint64_t key = layout_key(in->strategy, layout);
    struct layout_slot *slot = &cache->layouts[(key >> 32) % LAYOUT_SLOTS];

    if (slot->key != key) {
        ry_layout_times(p->machine, p->arch, p->traits, in->strategy, in->shape, layout);
        slot->key = key;
        slot->cost = *layout;
    }
    *layout = slot->cost;
}

static void load_stages(struct ry_search_cache *cache, const struct ry_step_inputs *in,
                        struct ry_stages_cost *stages)
{
    const struct ry_strategy *s = in->strategy;
    const uint64_t key =
        with(with(layout_key(s, in->layout), s->recompute), s->recompute_layers) | 1;
    struct stages_slot *slot = &cache->stages[(key >> 32) % STAGES_SLOTS];

    if (slot->key != key) {
        ry_stages_cost(in, &slot->cost);
        slot->key = key;
    }
    *stages = slot->cost;
}

/* A shape that no option can cut has no costs. */
static bool load_cuts(struct ry_search_cache *cache, size_t s,
                      const struct ry_variant_list *cuts)
{
    bool any = false;

    for (size_t v = 0; v < cuts->n; v++) {
        const struct ry_strategy strategy =
            ry_space_strategy(cache->problem.space, s, cuts->option[v]);
        cache->now.cut[v] =
            ry_strategy_check(&strategy, cache->problem.arch, NULL) == RY_OK;
        any = any || cache->now.cut[v];
    }
    return any;
}

static void load_costs(struct ry_search_cache *cache, size_t s,
                       const struct ry_variant_list lists[RY_VARIANTS])
{
    const struct ry_variant_list *shapes = &lists[RY_VARIANT_SHAPE];
    const struct ry_variant_list *layouts = &lists[RY_VARIANT_LAYOUT];
    const struct ry_variant_list *cuts = &lists[RY_VARIANT_CUT];
    const struct ry_space *space = cache->problem.space;

    for (size_t v = 0; v < shapes->n; v++) {
        const struct ry_strategy strategy =
            ry_space_strategy(space, s, shapes->option[v]);
        if (cache->now.cut[cuts->of[shapes->option[v]]])
            load_shape(cache, &strategy, &cache->now.shape[v]);
    }
    for (size_t v = 0; v < layouts->n; v++) {
        const size_t o = layouts->option[v];
        const struct ry_strategy strategy = ry_space_strategy(space, s, o);
        if (cache->now.cut[cuts->of[o]])
            ry_layout_sizes(cache->problem.arch, cache->problem.traits, &strategy,
                            &cache->now.shape[shapes->of[o]], &cache->now.layout[v]);
    }
    for (size_t v = 0; v < layouts->n; v++)
        cache->now.layout_timed[v] = false;
    for (size_t v = 0; v < lists[RY_VARIANT_STAGES].n; v++)
        cache->now.stages_known[v] = false;
    for (size_t v = 0; v < lists[RY_VARIANT_MEMORY].n; v++)
        cache->now.fit[v].known = false;
}

static bool better(struct ry_search_found a, struct ry_search_found b)
{
    return a.step_time_s < b.step_time_s ||
           (a.step_time_s <= b.step_time_s && a.index < b.index);
}

static void keep(struct ry_search_tally *tally, struct ry_search_found found)
{
    size_t i = tally->best_n;

    if (i == RY_SEARCH_KEPT) {
        if (!better(found, tally->best[i - 1]))
            return;
        i--;
    } else {
        tally->best_n++;
    }
    for (; i > 0 && better(found, tally->best[i - 1]); i--)
        tally->best[i] = tally->best[i - 1];
    tally->best[i] = found;
}

static void nearest_missing(struct ry_search_tally *tally, double missing_bytes,
                            uint64_t index)
{
    const bool less = tally->too_large == 0 ||
                      missing_bytes < tally->least_missing_bytes ||
                      (missing_bytes <= tally->least_missing_bytes &&
                       index < tally->least_missing_index);

    if (less) {
        tally->least_missing_bytes = missing_bytes;
        tally->least_missing_index = index;
    }
}

static void keep_missing(struct ry_search_tally *tally, double missing_bytes,
                         uint64_t index)
{
    nearest_missing(tally, missing_bytes, index);
    tally->too_large++;
}

static void keep_indivisible(struct ry_search_tally *tally, uint64_t index)
{
    if (tally->indivisible++ == 0 || index < tally->first_indivisible_index)
        tally->first_indivisible_index = index;
}

static void find_fit(struct fit *fit, const struct ry_step_inputs *in)
{
    struct ry_step step;

    ry_step_memory(in, &step);
    *fit = (struct fit){.known = true,
                        .fits = step.fits,
                        .missing_bytes = step.peak_bytes - step.usable_bytes};
}

static void time_option(struct ry_search_cache *cache, const size_t of[RY_VARIANTS],
                        struct ry_step_inputs *in, uint64_t index,
                        struct ry_search_tally *tally)
{
    struct current *now = &cache->now;
    const size_t layout = of[RY_VARIANT_LAYOUT];
    const size_t stages = of[RY_VARIANT_STAGES];

    if (!now->layout_timed[layout]) {
        load_times(cache, in, &now->layout[layout]);
        now->layout_timed[layout] = true;
    }
    if (!now->stages_known[stages]) {
        load_stages(cache, in, &now->stages[stages]);
        now->stages_known[stages] = true;
    }
    in->stages = &now->stages[stages];
    tally->evaluated++;
    keep(tally, (struct ry_search_found){.index = index,
                                         .step_time_s = ry_step_time_s(in)});
}

static void evaluate_shape(struct ry_search_cache *cache, size_t s,
                           struct ry_search_tally *tally)
{
    const struct ry_search_problem *p = &cache->problem;
    const struct ry_space_shape *shape = &p->space->shapes[s];
    const struct ry_variant_list *lists = cache->variants[shape->class];
    const size_t options = p->space->classes[shape->class].n;
    struct current *now = &cache->now;
    struct ry_strategy strategy;
    struct ry_step_inputs in = {.machine = p->machine,
                                .arch = p->arch,
                                .traits = p->traits,
                                .strategy = &strategy};

    if (load_cuts(cache, s, &lists[RY_VARIANT_CUT]))
        load_costs(cache, s, lists);
    for (size_t o = 0; o < options; o++) {
        const uint64_t index = shape->first + o;
        size_t of[RY_VARIANTS];
        for (size_t k = 0; k < RY_VARIANTS; k++)
            of[k] = lists[k].of[o];
        struct fit *fit = &now->fit[of[RY_VARIANT_MEMORY]];
        if (!now->cut[of[RY_VARIANT_CUT]]) {
            keep_indivisible(tally, index);
            continue;
        }
        if (fit->known && !fit->fits) {
            tally->too_large++;
            continue;
        }
        strategy = ry_space_strategy(p->space, s, o);
        in.shape = &now->shape[of[RY_VARIANT_SHAPE]];
        in.layout = &now->layout[of[RY_VARIANT_LAYOUT]];
        if (!fit->known)
            find_fit(fit, &in);
        if (fit->fits)
            time_option(cache, of, &in, index, tally);
        else
            keep_missing(tally, fit->missing_bytes, index);
    }
}

void ry_search_evaluate(struct ry_search_cache *cache, size_t first, size_t last,
                        struct ry_search_tally *tally)
{
    assert(first <= last && last <= cache->problem.space->shapes_n);
    for (size_t s = first; s < last; s++)
        evaluate_shape(cache, s, tally);
}

void ry_search_merge(struct ry_search_tally *tally, const struct ry_search_tally *other)
{
    if (other->too_large > 0)
        nearest_missing(tally, other->least_missing_bytes, other->least_missing_index);
    if (other->indivisible > 0 &&
        (tally->indivisible == 0 ||
         other->first_indivisible_index < tally->first_indivisible_index))
        tally->first_indivisible_index = other->first_indivisible_index;
    tally->evaluated += other->evaluated;
    tally->indivisible += other->indivisible;
    tally->too_large += other->too_large;
    for (size_t i = 0; i < other->best_n; i++)
        keep(tally, other->best[i]);
}

enum ry_err ry_search_step(const struct ry_search_problem *problem, uint64_t index,
                           struct ry_strategy *strategy, struct ry_step *step,
                           struct ry_diag *diag)
{
    *strategy = ry_space_at(problem->space, index);
    return ry_step_predict(problem->machine, problem->arch, problem->traits, strategy,
                           step, diag);
}

static void why_too_large(const struct ry_search_problem *problem, uint64_t index,
                          char *text, unsigned size)
{
    const struct ry_strategy strategy = ry_space_at(problem->space, index);
    struct ry_shape_cost shape;
    struct ry_layout_cost layout;
    struct ry_step step;
    const struct ry_step_inputs in = {.machine = problem->machine,
                                      .arch = problem->arch,
                                      .traits = problem->traits,
                                      .strategy = &strategy,
                                      .shape = &shape,
                                      .layout = &layout};

    ry_shape_cost(in.machine, in.arch, in.traits, &strategy, &shape);
    ry_layout_sizes(in.arch, in.traits, &strategy, &shape, &layout);
    ry_step_memory(&in, &step);
    ry_step_why_not(&in, &step, text, size);
}

void ry_search_why_not(const struct ry_search_problem *problem,
                       const struct ry_search_tally *tally, char *text, unsigned size)
{
    text[0] = '\0';
    if (tally->evaluated > 0)
        return;
    if (tally->too_large > 0) {
        why_too_large(problem, tally->least_missing_index, text, size);
    } else if (tally->indivisible > 0) {
        const struct ry_strategy strategy =
            ry_space_at(problem->space, tally->first_indivisible_index);
        struct ry_diag diag = {0};
        if (ry_strategy_check(&strategy, problem->arch, &diag) != RY_OK)
            (void)snprintf(text, size, "%s", diag.text);
    }
}
