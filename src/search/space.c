/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/space.h"

#include "search/set.h"
#include "search/space_options.h"

#include <string.h>

enum {
    VPP_MOST = 8,
    MICRO_BATCH_MOST = 16,
    TOKENS_OF_CP_LEAST = 4096,
    SHAPES_FIRST = 256,
};

/* Shapes while they are found: the list grows by doubling in the arena. */
struct builder {
    struct ry_arena *arena;
    const struct ry_workload *workload;
    const struct ry_space_limits *limits;
    struct ry_space *space;
    size_t room;
    size_t divisors_n;
    unsigned *divisors; /* [divisors_n] of the global batch, ascending */
    bool out_of_memory;
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void set_sort(struct ry_set *set)
{
    for (size_t i = 1; i < set->n; i++) {
        const unsigned value = set->at[i];
        size_t j = i;
        for (; j > 0 && set->at[j - 1] > value; j--)
            set->at[j] = set->at[j - 1];
        set->at[j] = value;
    }
}

static struct ry_set tp_values(const struct builder *b)
{
    const struct ry_arch *arch = &b->workload->arch;
    const struct ry_set all =
        ry_set_powers(least(b->limits->tensor_most, b->limits->gpus));
    struct ry_set set = {0};

    for (size_t i = 0; i < all.n; i++)
        if (arch->heads % all.at[i] == 0)
            ry_set_add(&set, all.at[i]);
    return ry_set_or(&b->workload->bounds.tp, set);
}

static struct ry_set pp_values(const struct builder *b)
{
    const unsigned layers = b->workload->arch.layers;
    const unsigned most = least(layers, b->limits->gpus);
    struct ry_set set = ry_set_divisors(layers, most);
    const struct ry_set twos = ry_set_powers(most);

    for (size_t i = 0; i < twos.n; i++)
        ry_set_add(&set, twos.at[i]);
    set_sort(&set);
    return ry_set_or(&b->workload->bounds.pp, set);
}

static struct ry_set vpp_values(const struct builder *b, unsigned pp)
{
    const unsigned layers = b->workload->arch.layers;
    const struct ry_set *given = &b->workload->bounds.vpp;

    if (pp == 1)
        return ry_set_one(1);
    if (given->n > 0)
        return *given;
    return layers % pp == 0 ? ry_set_divisors(layers / pp, VPP_MOST) : ry_set_one(1);
}

static struct ry_set ep_values(const struct builder *b)
{
    const struct ry_arch *arch = &b->workload->arch;

    if (arch->experts == 0)
        return ry_set_one(1);
    return ry_set_or(&b->workload->bounds.ep,
                     ry_set_divisors(arch->experts, arch->experts));
}

/* All divisors of the batch, so that choosing replicas does not count GPUs. */
static bool list_divisors(struct builder *b)
{
    const unsigned batch = b->workload->base.global_batch;
    unsigned small = 0;
    size_t n = 0;

    for (unsigned d = 1; d <= batch / d; d++)
        small += batch % d == 0;
    b->divisors = RY_NEW(b->arena, unsigned, 2 * (size_t)small + 1);
    if (!b->divisors)
        return false;
    for (unsigned d = 1; d <= batch / d; d++)
        if (batch % d == 0)
            b->divisors[n++] = d;
    for (size_t i = n; i-- > 0;) {
        const unsigned large = batch / b->divisors[i];
        if (large != b->divisors[i])
            b->divisors[n++] = large;
    }
    b->divisors_n = n;
    return true;
}

/* The most replicas that the GPUs hold and the batch divides into; 0: none. */
static unsigned dp_most(const struct builder *b, unsigned model_gpus,
                        unsigned micro_batch)
{
    const unsigned batch = b->workload->base.global_batch;
    const unsigned most = b->limits->gpus / model_gpus;

    for (size_t i = b->divisors_n; i-- > 0;) {
        const unsigned dp = b->divisors[i];
        if (dp <= most && batch / dp % micro_batch == 0)
            return 2 * (uint64_t)dp * model_gpus > b->limits->gpus ? dp : 0;
    }
    return 0;
}

static void add_shape(struct builder *b, struct ry_space_shape shape)
{
    struct ry_space *space = b->space;

    if (space->shapes_n == b->room) {
        const size_t room = b->room ? 2 * b->room : SHAPES_FIRST;
        struct ry_space_shape *more = RY_NEW(b->arena, struct ry_space_shape, room);
        if (!more) {
            b->out_of_memory = true;
            return;
        }
        if (space->shapes_n > 0)
            memcpy(more, space->shapes, space->shapes_n * sizeof(*more));
        space->shapes = more;
        b->room = room;
    }
    shape.class = ry_space_class_of(&shape);
    space->shapes[space->shapes_n++] = shape;
}

static void add_experts(struct builder *b, struct ry_space_shape shape)
{
    const struct ry_set eps = ep_values(b);
    const struct ry_set etps = ry_set_or(&b->workload->bounds.etp, ry_set_one(1));
    const unsigned ranks = shape.tp * shape.dp * shape.cp;

    for (size_t i = 0; i < eps.n; i++) {
        for (size_t j = 0; j < etps.n; j++) {
            const unsigned expert_ranks = eps.at[i] * (etps.at[j] ? etps.at[j] : 1);
            if (ranks % expert_ranks != 0)
                continue;
            shape.ep = eps.at[i];
            shape.etp = b->workload->arch.experts ? etps.at[j] : 1;
            add_shape(b, shape);
        }
    }
}

static void add_dp(struct builder *b, struct ry_space_shape shape)
{
    const unsigned batch = b->workload->base.global_batch;
    const unsigned model_gpus = shape.tp * shape.pp * shape.cp;
    struct ry_set dps = b->workload->bounds.dp;

    if (model_gpus > b->limits->gpus)
        return;
    if (dps.n == 0)
        dps = ry_set_one(dp_most(b, model_gpus, shape.micro_batch));
    for (size_t i = 0; i < dps.n; i++) {
        shape.dp = dps.at[i];
        if (shape.dp == 0 || shape.dp > b->limits->gpus / model_gpus ||
            batch % (shape.dp * shape.micro_batch) != 0)
            continue;
        add_experts(b, shape);
    }
}

static void add_micro_batches(struct builder *b, struct ry_space_shape shape)
{
    const struct ry_set given =
        ry_set_or(&b->workload->bounds.micro_batch, ry_set_powers(MICRO_BATCH_MOST));

    for (size_t i = 0; i < given.n; i++) {
        shape.micro_batch = given.at[i];
        if (shape.micro_batch > 0)
            add_dp(b, shape);
    }
}

static void add_cp(struct builder *b, struct ry_space_shape shape)
{
    const unsigned seq = b->workload->base.seq;
    const unsigned most = seq > TOKENS_OF_CP_LEAST ? seq / TOKENS_OF_CP_LEAST : 1;
    const struct ry_set cps = ry_set_or(&b->workload->bounds.cp, ry_set_powers(most));

    for (size_t i = 0; i < cps.n; i++) {
        shape.cp = cps.at[i];
        if (shape.cp > 0)
            add_micro_batches(b, shape);
    }
}

static void add_shapes(struct builder *b)
{
    const struct ry_set tps = tp_values(b);
    const struct ry_set pps = pp_values(b);

    for (size_t t = 0; t < tps.n; t++) {
        for (size_t p = 0; p < pps.n; p++) {
            if (tps.at[t] == 0 || pps.at[p] == 0 ||
                tps.at[t] > b->limits->gpus / pps.at[p])
                continue;
            const struct ry_set vpps = vpp_values(b, pps.at[p]);
            for (size_t v = 0; v < vpps.n; v++)
                add_cp(b, (struct ry_space_shape){
                              .tp = tps.at[t], .pp = pps.at[p], .vpp = vpps.at[v]});
        }
    }
}

static enum ry_err count(struct builder *b, struct ry_diag *diag)
{
    struct ry_space *space = b->space;

    for (size_t i = 0; i < space->shapes_n; i++) {
        struct ry_space_shape *shape = &space->shapes[i];
        struct ry_space_class *list = &space->classes[shape->class];
        if (!list->at && !ry_space_options(b->arena, b->workload, shape->class, list))
            return ry_fail(diag, RY_ERR_NOMEM, "strategy space", "%zu shapes",
                           space->shapes_n);
        shape->first = space->n;
        space->n += list->n;
    }
    return RY_OK;
}

static unsigned smallest(const struct ry_set *set)
{
    unsigned value = set->n > 0 ? set->at[0] : 1;

    for (size_t i = 1; i < set->n; i++)
        value = least(value, set->at[i]);
    return value;
}

/* Whether @p a times @p b divides the batch for some value of each. */
static bool divides(const struct ry_set *a, const struct ry_set *b, unsigned batch)
{
    const struct ry_set as = ry_set_or(a, ry_set_one(1));
    const struct ry_set bs = ry_set_or(b, ry_set_one(1));

    for (size_t i = 0; i < as.n; i++) {
        for (size_t j = 0; j < bs.n; j++) {
            const uint64_t product = (uint64_t)as.at[i] * bs.at[j];
            if (product > 0 && batch % product == 0)
                return true;
        }
    }
    return false;
}

/* What of the bounds leaves no strategy: the first of the usual causes. */
static enum ry_err none(const struct builder *b, struct ry_diag *diag)
{
    const struct ry_bounds *given = &b->workload->bounds;
    const char *name = b->workload->name;
    const unsigned batch = b->workload->base.global_batch;
    const unsigned tp = smallest(&given->tp);
    const unsigned pp = smallest(&given->pp);
    const unsigned cp = smallest(&given->cp);
    const unsigned dp = smallest(&given->dp);
    const unsigned micro_batch = smallest(&given->micro_batch);
    const double needed = (double)tp * pp * cp * dp;

    if (needed > b->limits->gpus)
        return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                       "tp %u x pp %u x cp %u x dp %u takes %.0f GPUs, there are %u", tp,
                       pp, cp, dp, needed, b->limits->gpus);
    if (!divides(&given->dp, &(struct ry_set){0}, batch))
        return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                       "dp %u does not divide the global batch of %u", dp, batch);
    if (!divides(&given->dp, &given->micro_batch, batch))
        return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                       "dp %u x micro-batch %u does not divide the global batch of %u",
                       dp, micro_batch, batch);
    if (given->ep.n > 0 || given->etp.n > 0)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, name,
            "ep %u x etp %u divides tp x cp x dp of no strategy in bounds on %u "
            "GPUs",
            smallest(&given->ep), smallest(&given->etp), b->limits->gpus);
    return ry_fail(
        diag, RY_ERR_INFEASIBLE, name,
        "no strategy in bounds cuts the model and a batch of %u so that more than "
        "half of %u GPUs work; fixing dp uses fewer",
        batch, b->limits->gpus);
}

enum ry_err ry_space_create(struct ry_arena *arena, const struct ry_workload *workload,
                            const struct ry_space_limits *limits, struct ry_space *space,
                            struct ry_diag *diag)
{
    *space = (struct ry_space){.base = workload->base};
    struct builder b = {
        .arena = arena, .workload = workload, .limits = limits, .space = space};

    if (workload->arch.experts == 0 && smallest(&workload->bounds.ep) > 1)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, workload->name,
            "ep %u is given, but the model is dense: it has no experts to share",
            smallest(&workload->bounds.ep));
    b.out_of_memory = !list_divisors(&b);
    if (!b.out_of_memory)
        add_shapes(&b);
    if (b.out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, "strategy space", "%zu shapes",
                       space->shapes_n);
    RY_TRY(count(&b, diag));
    if (space->n == 0)
        return none(&b, diag);
    return RY_OK;
}

struct ry_strategy ry_space_strategy(const struct ry_space *space, size_t s, size_t o)
{
    const struct ry_space_shape *shape = &space->shapes[s];
    const struct ry_space_option *option = &space->classes[shape->class].at[o];
    struct ry_strategy strategy = space->base;

    strategy.tp = shape->tp;
    strategy.pp = shape->pp;
    strategy.vpp = shape->vpp;
    strategy.dp = shape->dp;
    strategy.cp = shape->cp;
    strategy.ep = shape->ep;
    strategy.etp = shape->etp;
    strategy.micro_batch = shape->micro_batch;
    strategy.sequence_parallel = option->sequence_parallel;
    strategy.recompute = option->recompute;
    strategy.recompute_layers = option->recompute_layers;
    strategy.zero_stage = option->zero_stage;
    strategy.fsdp = option->fsdp;
    strategy.shard_ranks = option->shard_ranks;
    strategy.schedule = option->schedule;
    strategy.cp_kind = option->cp_kind;
    strategy.tp_overlap = option->tp_overlap;
    strategy.dp_overlap = option->dp_overlap;
    strategy.pp_overlap = option->pp_overlap;
    strategy.ep_overlap = option->ep_overlap;
    strategy.offload_optimizer_frac = option->offload_optimizer_frac;
    strategy.offload_activations_frac = option->offload_activations_frac;
    return strategy;
}

struct ry_strategy ry_space_at(const struct ry_space *space, uint64_t i)
{
    size_t low = 0;
    size_t high = space->shapes_n;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (space->shapes[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    /* shapes without options share the first of the next: low is the last of them */
    return ry_space_strategy(space, low, (size_t)(i - space->shapes[low].first));
}
