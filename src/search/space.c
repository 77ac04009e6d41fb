/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/space.h"

#include <string.h>

enum {
    VPP_MOST = 8,
    MICRO_BATCH_MOST = 16,
    TOKENS_OF_CP_LEAST = 4096,
    SHAPES_FIRST = 256,
    /* bits of a class */
    HAS_TP = 1,
    HAS_PP = 2,
    HAS_DP = 4,
    HAS_CP = 8,
    HAS_EP = 16,
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

static void set_add(struct ry_set *set, unsigned value)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->at[i] == value)
            return;
    }
    if (set->n < RY_SET_MOST)
        set->at[set->n++] = value;
}

static struct ry_set set_or(const struct ry_set *given, struct ry_set fallback)
{
    return given->n > 0 ? *given : fallback;
}

static struct ry_set one(unsigned value)
{
    return (struct ry_set){.n = 1, .at = {value}};
}

static struct ry_set powers(unsigned most)
{
    struct ry_set set = {0};

    for (unsigned value = 1; value <= most && value != 0; value *= 2)
        set_add(&set, value);
    return set;
}

static struct ry_set divisors(unsigned number, unsigned most)
{
    struct ry_set set = {0};

    for (unsigned value = 1; value <= number && value <= most; value++) {
        if (number % value == 0)
            set_add(&set, value);
    }
    return set;
}

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
    const struct ry_set all = powers(least(b->limits->tensor_most, b->limits->gpus));
    struct ry_set set = {0};

    for (size_t i = 0; i < all.n; i++) {
        if (arch->heads % all.at[i] == 0)
            set_add(&set, all.at[i]);
    }
    return set_or(&b->workload->bounds.tp, set);
}

static struct ry_set pp_values(const struct builder *b)
{
    const unsigned layers = b->workload->arch.layers;
    const unsigned most = least(layers, b->limits->gpus);
    struct ry_set set = divisors(layers, most);
    const struct ry_set twos = powers(most);

    for (size_t i = 0; i < twos.n; i++)
        set_add(&set, twos.at[i]);
    set_sort(&set);
    return set_or(&b->workload->bounds.pp, set);
}

static struct ry_set vpp_values(const struct builder *b, unsigned pp)
{
    const unsigned layers = b->workload->arch.layers;
    const struct ry_set *given = &b->workload->bounds.vpp;

    if (pp == 1)
        return one(1);
    if (given->n > 0)
        return *given;
    return layers % pp == 0 ? divisors(layers / pp, VPP_MOST) : one(1);
}

static struct ry_set ep_values(const struct builder *b)
{
    const struct ry_arch *arch = &b->workload->arch;

    if (arch->experts == 0)
        return one(1);
    return set_or(&b->workload->bounds.ep, divisors(arch->experts, arch->experts));
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
    for (unsigned d = 1; d <= batch / d; d++) {
        if (batch % d == 0)
            b->divisors[n++] = d;
    }
    for (size_t i = n; i-- > 0;) {
        const unsigned large = batch / b->divisors[i];
        if (large != b->divisors[i])
            b->divisors[n++] = large;
    }
    b->divisors_n = n;
    return true;
}

/* The most replicas that the GPUs hold and the batch divides into; 0: none. */
static unsigned dp_most(const struct builder *b, unsigned model_gpus, unsigned micro_batch)
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

static unsigned class_of(const struct ry_space_shape *shape)
{
    return (shape->tp > 1 ? HAS_TP : 0U) | (shape->pp > 1 ? HAS_PP : 0U) |
           (shape->dp * shape->cp > 1 ? HAS_DP : 0U) | (shape->cp > 1 ? HAS_CP : 0U) |
           (shape->ep > 1 ? HAS_EP : 0U);
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
    shape.class = class_of(&shape);
    space->shapes[space->shapes_n++] = shape;
}

static void add_experts(struct builder *b, struct ry_space_shape shape)
{
    const struct ry_set eps = ep_values(b);
    const struct ry_set etps = set_or(&b->workload->bounds.etp, one(1));
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
        dps = one(dp_most(b, model_gpus, shape.micro_batch));
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
        set_or(&b->workload->bounds.micro_batch, powers(MICRO_BATCH_MOST));

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
    const struct ry_set cps = set_or(&b->workload->bounds.cp, powers(most));

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

/* The digits of an option: one set a field, in the order of the struct. */
enum digit {
    D_SEQUENCE,
    D_RECOMPUTE,
    D_LAYERS,
    D_ZERO,
    D_SHARD,
    D_SCHEDULE,
    D_CP_KIND,
    D_TP_OVERLAP,
    D_DP_OVERLAP,
    D_PP_OVERLAP,
    D_EP_OVERLAP,
    D_OFFLOAD_OPTIMIZER, /* indices into the list of shares */
    D_OFFLOAD_ACTIVATIONS,
    DIGITS,
};

enum { ZERO_FSDP = 4 }; /* beside the stages 0 to 3 */

static struct ry_set zero_values(const struct ry_workload *workload, unsigned class)
{
    const struct ry_bounds *bounds = &workload->bounds;
    const bool fsdp = bounds->fsdp.n == 0 || bounds->fsdp.at[0] != 0;
    const bool plain = bounds->fsdp.n > 0 && (bounds->fsdp.n > 1 || !bounds->fsdp.at[0]);
    struct ry_set set = {0};

    if (!(class & HAS_DP))
        return one(0);
    if (bounds->zero.n == 0) {
        set = (struct ry_set){.n = 2, .at = {0, 1}};
        if (!(class & HAS_PP) && fsdp)
            set_add(&set, ZERO_FSDP);
        return set;
    }
    for (size_t i = 0; i < bounds->zero.n; i++) {
        const unsigned stage = bounds->zero.at[i];
        if (stage != 3 || plain)
            set_add(&set, stage);
        if (stage == 3 && fsdp)
            set_add(&set, ZERO_FSDP);
    }
    return set;
}

static struct ry_set recompute_values(const struct ry_workload *workload)
{
    struct ry_set set = {.n = 2, .at = {RY_RECOMPUTE_NONE, RY_RECOMPUTE_FULL}};

    if (workload->traits.attention == RY_ATTN_UNFUSED)
        set_add(&set, RY_RECOMPUTE_SELECTIVE);
    return set_or(&workload->bounds.recompute, set);
}

static struct ry_set indices(size_t n)
{
    struct ry_set set = {0};

    for (unsigned i = 0; i < (n ? n : 1); i++)
        set_add(&set, i);
    return set;
}

static struct ry_set when(bool matters, const struct ry_set *given, struct ry_set fallback)
{
    return matters ? set_or(given, fallback) : one(0);
}

static void option_digits(const struct ry_workload *workload, unsigned class,
                          struct ry_set digits[DIGITS])
{
    const struct ry_bounds *b = &workload->bounds;
    const struct ry_set both = {.n = 2, .at = {0, 1}};

    digits[D_SEQUENCE] = when(class & HAS_TP, &b->sequence_parallel, both);
    digits[D_RECOMPUTE] = recompute_values(workload);
    digits[D_LAYERS] = set_or(&b->recompute_layers, one(0));
    digits[D_ZERO] = zero_values(workload, class);
    digits[D_SHARD] = when(class & HAS_DP, &b->shard_ranks, one(0));
    digits[D_SCHEDULE] = when(class & HAS_PP, &b->schedule, one(RY_SCHEDULE_1F1B));
    digits[D_CP_KIND] = when(class & HAS_CP, &b->cp_kind, one(RY_CP_RING));
    digits[D_TP_OVERLAP] = when(class & HAS_TP, &b->tp_overlap, one(1));
    digits[D_DP_OVERLAP] = when(class & HAS_DP, &b->dp_overlap, one(1));
    digits[D_PP_OVERLAP] = when(class & HAS_PP, &b->pp_overlap, one(1));
    digits[D_EP_OVERLAP] = when(class & HAS_EP, &b->ep_overlap, one(0));
    digits[D_OFFLOAD_OPTIMIZER] = indices(b->offload_optimizer.n);
    digits[D_OFFLOAD_ACTIVATIONS] = indices(b->offload_activations.n);
}

static double share(const struct ry_fractions *shares, unsigned i)
{
    return shares->n ? shares->at[i] : 0.0;
}

static struct ry_space_option option_at(const struct ry_workload *workload,
                                        const struct ry_set digits[DIGITS], size_t index)
{
    unsigned value[DIGITS];

    for (size_t d = DIGITS; d-- > 0;) {
        value[d] = digits[d].at[index % digits[d].n];
        index /= digits[d].n;
    }
    return (struct ry_space_option){
        .sequence_parallel = value[D_SEQUENCE] != 0,
        .recompute = (enum ry_recompute)value[D_RECOMPUTE],
        .recompute_layers = value[D_LAYERS],
        .zero_stage = least(value[D_ZERO], 3),
        .fsdp = value[D_ZERO] == ZERO_FSDP,
        .shard_ranks = value[D_SHARD],
        .schedule = (enum ry_schedule)value[D_SCHEDULE],
        .cp_kind = (enum ry_cp_kind)value[D_CP_KIND],
        .tp_overlap = value[D_TP_OVERLAP] != 0,
        .dp_overlap = value[D_DP_OVERLAP] != 0,
        .pp_overlap = value[D_PP_OVERLAP] != 0,
        .ep_overlap = value[D_EP_OVERLAP] != 0,
        .offload_optimizer_frac =
            share(&workload->bounds.offload_optimizer, value[D_OFFLOAD_OPTIMIZER]),
        .offload_activations_frac =
            share(&workload->bounds.offload_activations, value[D_OFFLOAD_ACTIVATIONS]),
    };
}

/* recompute_layers matters only with that kind of recomputation, sharding only with
 * FSDP: of the repeats the first is kept. */
static bool repeats(const struct ry_space_option *option,
                    const struct ry_set digits[DIGITS])
{
    if (option->recompute != RY_RECOMPUTE_LAYERS &&
        option->recompute_layers != digits[D_LAYERS].at[0])
        return true;
    return !option->fsdp && option->shard_ranks != digits[D_SHARD].at[0];
}

static bool lay_out_options(struct builder *b, unsigned class)
{
    struct ry_space_class *list = &b->space->classes[class];
    struct ry_set digits[DIGITS];
    size_t n = 1;

    option_digits(b->workload, class, digits);
    for (size_t d = 0; d < DIGITS; d++)
        n *= digits[d].n;
    list->at = n ? RY_NEW(b->arena, struct ry_space_option, n) : NULL;
    if (n > 0 && !list->at)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct ry_space_option option = option_at(b->workload, digits, i);
        if (!repeats(&option, digits))
            list->at[list->n++] = option;
    }
    return true;
}

static enum ry_err count(struct builder *b, struct ry_diag *diag)
{
    struct ry_space *space = b->space;

    for (size_t i = 0; i < space->shapes_n; i++) {
        struct ry_space_shape *shape = &space->shapes[i];
        struct ry_space_class *list = &space->classes[shape->class];
        if (!list->at && !lay_out_options(b, shape->class))
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
    const struct ry_set as = set_or(a, one(1));
    const struct ry_set bs = set_or(b, one(1));

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
                       "tp %u x pp %u x cp %u x dp %u takes %.0f GPUs, there are %u", tp, pp,
                       cp, dp, needed, b->limits->gpus);
    if (!divides(&given->dp, &(struct ry_set){0}, batch))
        return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                       "dp %u does not divide the global batch of %u", dp, batch);
    if (!divides(&given->dp, &given->micro_batch, batch))
        return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                       "dp %u x micro-batch %u does not divide the global batch of %u", dp,
                       micro_batch, batch);
    if (given->ep.n > 0 || given->etp.n > 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                       "ep %u x etp %u divides tp x cp x dp of no strategy in bounds on %u "
                       "GPUs", smallest(&given->ep), smallest(&given->etp), b->limits->gpus);
    return ry_fail(diag, RY_ERR_INFEASIBLE, name,
                   "no strategy in bounds cuts the model and a batch of %u so that more than "
                   "half of %u GPUs work; fixing dp uses fewer", batch, b->limits->gpus);
}

enum ry_err ry_space_create(struct ry_arena *arena, const struct ry_workload *workload,
                            const struct ry_space_limits *limits, struct ry_space *space,
                            struct ry_diag *diag)
{
    *space = (struct ry_space){.base = workload->base};
    struct builder b = {
        .arena = arena, .workload = workload, .limits = limits, .space = space};

    if (workload->arch.experts == 0 && smallest(&workload->bounds.ep) > 1)
        return ry_fail(diag, RY_ERR_INFEASIBLE, workload->name,
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
