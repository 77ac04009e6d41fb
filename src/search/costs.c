/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/costs.h"

#include <math.h>

/* Slots of the direct-mapped caches; a clash computes again. */
enum { SHAPE_SLOTS = 2048, LAYOUT_SLOTS = 2048, STAGES_SLOTS = 1024 };

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
    struct ry_shape_cost *shape;   /* [most shape variants] */
    struct ry_layout_cost *layout; /* [most layout variants] */
    bool *layout_timed;
    struct ry_stages_cost *stages; /* [most stages variants] */
    bool *stages_known;
    bool *cut;       /* [most cut variants] */
    struct fit *fit; /* [most memory variants] */
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
    return now->shape && now->layout && now->layout_timed && now->stages &&
           now->stages_known && now->cut && now->fit;
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
    if (!cache->shapes || !cache->layouts || !cache->stages ||
        !make_room(arena, most, &cache->now))
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

/* Of one variant; good until another shape needs the slot. */
static const struct ry_shape_cost *shape_cost(struct ry_search_cache *cache,
                                              const struct ry_strategy *strategy)
{
    const struct ry_search_problem *p = &cache->problem;
    const uint64_t key = shape_key(strategy);
    struct shape_slot *slot = &cache->shapes[(key >> 32) % SHAPE_SLOTS];

    if (slot->key != key) {
        ry_shape_cost(p->machine, p->arch, p->traits, strategy, &slot->cost);
        slot->key = key;
    }
    return &slot->cost;
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
        with(with(with(layout_key(s, in->layout), s->schedule == RY_SCHEDULE_DUALPIPE),
                  s->recompute),
             s->recompute_layers) |
        1;
    struct stages_slot *slot = &cache->stages[(key >> 32) % STAGES_SLOTS];

    if (slot->key != key) {
        ry_stages_cost(in, &slot->cost);
        slot->key = key;
    }
    *stages = slot->cost;
}

bool ry_costs_cut(struct ry_search_cache *cache, size_t s)
{
    const struct ry_space *space = cache->problem.space;
    const struct ry_variant_list *cuts =
        &cache->variants[space->shapes[s].class][RY_VARIANT_CUT];
    bool any = false;

    for (size_t v = 0; v < cuts->n; v++) {
        const struct ry_strategy strategy = ry_space_strategy(space, s, cuts->option[v]);
        cache->now.cut[v] =
            ry_strategy_check(&strategy, cache->problem.arch, NULL) == RY_OK;
        any = any || cache->now.cut[v];
    }
    return any;
}

static void load_shapes(struct ry_search_cache *cache, size_t s,
                        const struct ry_variant_list lists[RY_VARIANTS])
{
    const struct ry_variant_list *shapes = &lists[RY_VARIANT_SHAPE];
    const struct ry_variant_list *cuts = &lists[RY_VARIANT_CUT];

    for (size_t v = 0; v < shapes->n; v++) {
        const size_t o = shapes->option[v];
        const struct ry_strategy strategy = ry_space_strategy(cache->problem.space, s, o);
        if (cache->now.cut[cuts->of[o]])
            cache->now.shape[v] = *shape_cost(cache, &strategy);
    }
}

void ry_costs_load(struct ry_search_cache *cache, size_t s)
{
    const struct ry_space *space = cache->problem.space;
    const struct ry_variant_list *lists = cache->variants[space->shapes[s].class];
    const struct ry_variant_list *layouts = &lists[RY_VARIANT_LAYOUT];

    load_shapes(cache, s, lists);
    for (size_t v = 0; v < layouts->n; v++) {
        const size_t o = layouts->option[v];
        const struct ry_strategy strategy = ry_space_strategy(space, s, o);
        if (cache->now.cut[lists[RY_VARIANT_CUT].of[o]])
            ry_layout_sizes(cache->problem.arch, cache->problem.traits, &strategy,
                            &cache->now.shape[lists[RY_VARIANT_SHAPE].of[o]],
                            &cache->now.layout[v]);
        cache->now.layout_timed[v] = false;
    }
    for (size_t v = 0; v < lists[RY_VARIANT_STAGES].n; v++)
        cache->now.stages_known[v] = false;
    for (size_t v = 0; v < lists[RY_VARIANT_MEMORY].n; v++)
        cache->now.fit[v].known = false;
}

static void find_fit(struct fit *fit, const struct ry_step_inputs *in)
{
    struct ry_step step;

    ry_step_memory(in, &step);
    *fit = (struct fit){.known = true,
                        .fits = step.fits,
                        .missing_bytes = step.peak_bytes - step.usable_bytes};
}

enum ry_look_is ry_costs_look(struct ry_search_cache *cache, size_t s, size_t o,
                              struct ry_look *look)
{
    const struct ry_search_problem *p = &cache->problem;
    const struct ry_variant_list *lists = cache->variants[p->space->shapes[s].class];
    struct current *now = &cache->now;

    for (size_t k = 0; k < RY_VARIANTS; k++)
        look->of[k] = lists[k].of[o];
    if (!now->cut[look->of[RY_VARIANT_CUT]])
        return RY_LOOK_UNCUT;
    struct fit *fit = &now->fit[look->of[RY_VARIANT_MEMORY]];
    if (!fit->known || fit->fits) {
        look->strategy = ry_space_strategy(p->space, s, o);
        look->in = (struct ry_step_inputs){
            .machine = p->machine,
            .arch = p->arch,
            .traits = p->traits,
            .strategy = &look->strategy,
            .shape = &now->shape[look->of[RY_VARIANT_SHAPE]],
            .layout = &now->layout[look->of[RY_VARIANT_LAYOUT]],
        };
    }
    if (!fit->known)
        find_fit(fit, &look->in);
    look->missing_bytes = fit->missing_bytes;
    return fit->fits ? RY_LOOK_FITS : RY_LOOK_TOO_LARGE;
}

double ry_costs_time_s(struct ry_search_cache *cache, struct ry_look *look)
{
    struct current *now = &cache->now;
    const size_t layout = look->of[RY_VARIANT_LAYOUT];
    const size_t stages = look->of[RY_VARIANT_STAGES];

    if (!now->layout_timed[layout]) {
        load_times(cache, &look->in, &now->layout[layout]);
        now->layout_timed[layout] = true;
    }
    if (!now->stages_known[stages]) {
        load_stages(cache, &look->in, &now->stages[stages]);
        now->stages_known[stages] = true;
    }
    look->in.stages = &now->stages[stages];
    return ry_step_time_s(&look->in);
}

/* Whether any option of a class fills its pipeline's bubble. */
static enum ry_bound_of bound_of(const struct ry_space_class *class)
{
    for (size_t o = 0; o < class->n; o++) {
        if (class->at[o].schedule == RY_SCHEDULE_ZERO_BUBBLE ||
            class->at[o].schedule == RY_SCHEDULE_DUALPIPE)
            return RY_BOUND_SHAPE_FILLED;
    }
    return RY_BOUND_SHAPE;
}

double ry_costs_least_s(struct ry_search_cache *cache, size_t s)
{
    const struct ry_search_problem *p = &cache->problem;
    const unsigned class = p->space->shapes[s].class;
    const struct ry_variant_list *lists = cache->variants[class];
    const struct ry_variant_list *shapes = &lists[RY_VARIANT_SHAPE];
    const enum ry_bound_of of = bound_of(&p->space->classes[class]);
    double least_s = (double)INFINITY;

    for (size_t v = 0; v < shapes->n; v++) {
        const size_t o = shapes->option[v];
        if (!cache->now.cut[lists[RY_VARIANT_CUT].of[o]])
            continue;
        const struct ry_strategy strategy = ry_space_strategy(p->space, s, o);
        const struct ry_step_inputs in = {.machine = p->machine,
                                          .arch = p->arch,
                                          .traits = p->traits,
                                          .strategy = &strategy,
                                          .shape = shape_cost(cache, &strategy)};
        least_s = fmin(least_s, ry_step_least_s(&in, of));
    }
    return least_s;
}

const struct ry_search_problem *ry_costs_problem(const struct ry_search_cache *cache)
{
    return &cache->problem;
}
