/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/best.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS_FIRST = 512, LAYOUTS = 16, KEY_WORDS = 9 };

/* What ry_shape_cost() depends on, within one workload. */
struct shape_key {
    unsigned word[KEY_WORDS];
};

struct shape_slot {
    struct shape_key key;
    struct ry_shape_cost *cost; /* NULL: free */
};

/* What ry_layout_cost() depends on, within one shape of the space. */
struct layout_key {
    const struct ry_shape_cost *shape;
    unsigned zero_stage, shard_ranks;
    bool fsdp;
};

struct layout_slot {
    struct layout_key key;
    struct ry_layout_cost cost;
};

struct finder {
    struct ry_arena *arena;
    const struct ry_machine *machine;
    const struct ry_workload *workload;
    const struct ry_space *space;
    struct ry_best *best;
    struct shape_slot *slots; /* [room], open addressing, room a power of two */
    size_t used, room;
    size_t layouts, next_layout;
    struct layout_slot layout[LAYOUTS]; /* of the current shape, oldest replaced */
    double least_over_bytes;            /* of what does not fit */
};

static struct shape_key key_of(const struct ry_strategy *s)
{
    return (struct shape_key){
        {s->tp, s->cp, s->ep, s->etp, s->micro_batch, s->sequence_parallel,
         (unsigned)s->cp_kind, s->tp_overlap, s->ep_overlap}};
}

static size_t hash_of(const struct shape_key *key)
{
    uint64_t hash = 1469598103934665603U; /* FNV-1a, by word */

    for (size_t i = 0; i < KEY_WORDS; i++)
        hash = (hash ^ key->word[i]) * 1099511628211U;
    return (size_t)(hash ^ (hash >> 29));
}

static struct shape_slot *slot_of(struct shape_slot *slots, size_t room,
                                  const struct shape_key *key)
{
    size_t i = hash_of(key) & (room - 1);

    while (slots[i].cost && memcmp(&slots[i].key, key, sizeof(*key)) != 0)
        i = (i + 1) & (room - 1);
    return &slots[i];
}

static bool grow(struct finder *f)
{
    const size_t room = f->room ? 2 * f->room : SLOTS_FIRST;
    struct shape_slot *slots = RY_NEW(f->arena, struct shape_slot, room);

    if (!slots)
        return false;
    for (size_t i = 0; i < f->room; i++) {
        if (f->slots[i].cost)
            *slot_of(slots, room, &f->slots[i].key) = f->slots[i];
    }
    f->slots = slots;
    f->room = room;
    return true;
}

/* Phase 1 of the layers, from the table or now; NULL: out of memory. */
static const struct ry_shape_cost *shape_cost(struct finder *f,
                                              const struct ry_strategy *strategy)
{
    const struct shape_key key = key_of(strategy);

    if (2 * f->used >= f->room && !grow(f))
        return NULL;
    struct shape_slot *slot = slot_of(f->slots, f->room, &key);
    if (slot->cost)
        return slot->cost;
    struct ry_shape_cost *cost = RY_NEW(f->arena, struct ry_shape_cost, 1);
    if (!cost)
        return NULL;
    ry_shape_cost(f->machine, &f->workload->arch, &f->workload->traits, strategy, cost);
    *slot = (struct shape_slot){key, cost};
    f->used++;
    return cost;
}

static const struct ry_layout_cost *layout_cost(struct finder *f,
                                                const struct ry_strategy *strategy,
                                                const struct ry_shape_cost *shape)
{
    const struct layout_key key = {shape, strategy->zero_stage, strategy->shard_ranks,
                                   strategy->fsdp};

    for (size_t i = 0; i < f->layouts; i++) {
        const struct layout_key *has = &f->layout[i].key;
        if (has->shape == key.shape && has->zero_stage == key.zero_stage &&
            has->shard_ranks == key.shard_ranks && has->fsdp == key.fsdp)
            return &f->layout[i].cost;
    }
    struct layout_slot *slot = &f->layout[f->next_layout];
    f->next_layout = (f->next_layout + 1) % LAYOUTS;
    f->layouts = f->layouts < LAYOUTS ? f->layouts + 1 : LAYOUTS;
    slot->key = key;
    ry_layout_cost(f->machine, &f->workload->arch, &f->workload->traits, strategy, shape,
                   &slot->cost);
    return &slot->cost;
}

static bool better(const struct ry_step *a, const struct ry_step *b)
{
    if (a->step_time_s < b->step_time_s)
        return true;
    return !(b->step_time_s < a->step_time_s) && a->peak_bytes < b->peak_bytes;
}

/* What does not fit: the least over, on the GPU before the host. */
static void keep_nearest(struct finder *f, const struct ry_step_inputs *in,
                         const struct ry_step *step)
{
    struct ry_best *best = f->best;
    const double gpu_over = step->peak_bytes - step->usable_bytes;
    const double over = gpu_over > 0.0 ? gpu_over : 0.0;

    best->infeasible++;
    if (best->found || !(over < f->least_over_bytes))
        return;
    f->least_over_bytes = over;
    best->strategy = *in->strategy;
    best->step = *step;
    ry_step_why_not(in, step, best->why, sizeof(best->why));
}

static void evaluate(struct finder *f, const struct ry_step_inputs *in)
{
    struct ry_best *best = f->best;
    struct ry_step step;

    ry_step_memory(in, &step);
    if (!step.fits) {
        keep_nearest(f, in, &step);
        return;
    }
    struct ry_stages_cost stages;
    struct ry_step_inputs timed = *in;
    ry_stages_cost(in, &stages);
    timed.stages = &stages;
    ry_step_combine(&timed, &step);
    best->evaluated++;
    if (best->found && !better(&step, &best->step))
        return;
    best->found = true;
    best->strategy = *in->strategy;
    best->step = step;
}

static void keep_reason(struct finder *f, const struct ry_strategy *strategy)
{
    struct ry_diag diag = {0};

    f->best->uncut++;
    if (f->best->found || f->best->why[0] != '\0')
        return;
    if (ry_strategy_check(strategy, &f->workload->arch, &diag) == RY_OK)
        return;
    (void)snprintf(f->best->why, sizeof(f->best->why), "%s", diag.text);
    f->best->strategy = *strategy;
}

static bool look_at_shape(struct finder *f, size_t s)
{
    const size_t options = f->space->classes[f->space->shapes[s].class].n;

    f->layouts = f->next_layout = 0;
    for (size_t o = 0; o < options; o++) {
        const struct ry_strategy strategy = ry_space_strategy(f->space, s, o);
        struct ry_step_inputs in = {.machine = f->machine,
                                    .arch = &f->workload->arch,
                                    .traits = &f->workload->traits,
                                    .strategy = &strategy};
        if (ry_strategy_check(&strategy, &f->workload->arch, NULL) != RY_OK) {
            keep_reason(f, &strategy);
            continue;
        }
        in.shape = shape_cost(f, &strategy);
        if (!in.shape)
            return false;
        in.layout = layout_cost(f, &strategy, in.shape);
        evaluate(f, &in);
    }
    return true;
}

enum ry_err ry_best_find(struct ry_arena *arena, const struct ry_machine *machine,
                         const struct ry_workload *workload, const struct ry_space *space,
                         struct ry_best *best, struct ry_diag *diag)
{
    struct finder f = {.arena = arena,
                       .machine = machine,
                       .workload = workload,
                       .space = space,
                       .best = best,
                       .least_over_bytes = INFINITY};

    *best = (struct ry_best){0};
    for (size_t s = 0; s < space->shapes_n; s++) {
        if (!look_at_shape(&f, s))
            return ry_fail(diag, RY_ERR_NOMEM, workload->name, "%zu shapes of work",
                           f.used);
    }
    return RY_OK;
}
