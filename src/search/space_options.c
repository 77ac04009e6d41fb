/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/space_options.h"

#include "base/order.h"
#include "search/set.h"

/* The bits of a class. */
enum {
    HAS_TP = 1,
    HAS_PP = 2,
    HAS_DP = 4,
    HAS_CP = 8,
    HAS_EP = 16,
};

unsigned ry_space_class_of(const struct ry_space_shape *shape)
{
    return (shape->tp > 1 ? HAS_TP : 0U) | (shape->pp > 1 ? HAS_PP : 0U) |
           (shape->dp * shape->cp > 1 ? HAS_DP : 0U) | (shape->cp > 1 ? HAS_CP : 0U) |
           (shape->ep > 1 ? HAS_EP : 0U);
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
        return ry_set_one(0);
    if (bounds->zero.n == 0) {
        set = (struct ry_set){.n = 2, .at = {0, 1}};
        if (!(class & HAS_PP) && fsdp)
            ry_set_add(&set, ZERO_FSDP);
        return set;
    }
    for (size_t i = 0; i < bounds->zero.n; i++) {
        const unsigned stage = bounds->zero.at[i];
        if (stage != 3 || plain)
            ry_set_add(&set, stage);
        if (stage == 3 && fsdp)
            ry_set_add(&set, ZERO_FSDP);
    }
    return set;
}

static struct ry_set recompute_values(const struct ry_workload *workload)
{
    struct ry_set set = {.n = 2, .at = {RY_RECOMPUTE_NONE, RY_RECOMPUTE_FULL}};

    if (workload->traits.attention == RY_ATTN_UNFUSED)
        ry_set_add(&set, RY_RECOMPUTE_SELECTIVE);
    return ry_set_or(&workload->bounds.recompute, set);
}

static struct ry_set indices(size_t n)
{
    struct ry_set set = {0};

    for (unsigned i = 0; i < (n ? n : 1); i++)
        ry_set_add(&set, i);
    return set;
}

static struct ry_set when(bool matters, const struct ry_set *given,
                          struct ry_set fallback)
{
    return matters ? ry_set_or(given, fallback) : ry_set_one(0);
}

static void option_digits(const struct ry_workload *workload, unsigned class,
                          struct ry_set digits[DIGITS])
{
    const struct ry_bounds *b = &workload->bounds;
    const struct ry_set both = {.n = 2, .at = {0, 1}};

    digits[D_SEQUENCE] = when(class & HAS_TP, &b->sequence_parallel, both);
    digits[D_RECOMPUTE] = recompute_values(workload);
    digits[D_LAYERS] = ry_set_or(&b->recompute_layers, ry_set_one(0));
    digits[D_ZERO] = zero_values(workload, class);
    digits[D_SHARD] = when(class & HAS_DP, &b->shard_ranks, ry_set_one(0));
    digits[D_SCHEDULE] = when(class & HAS_PP, &b->schedule, ry_set_one(RY_SCHEDULE_1F1B));
    digits[D_CP_KIND] = when(class & HAS_CP, &b->cp_kind, ry_set_one(RY_CP_RING));
    digits[D_TP_OVERLAP] = when(class & HAS_TP, &b->tp_overlap, ry_set_one(1));
    digits[D_DP_OVERLAP] = when(class & HAS_DP, &b->dp_overlap, ry_set_one(1));
    digits[D_PP_OVERLAP] = when(class & HAS_PP, &b->pp_overlap, ry_set_one(1));
    digits[D_EP_OVERLAP] = when(class & HAS_EP, &b->ep_overlap, ry_set_one(0));
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
        .zero_stage = (unsigned)ry_least(value[D_ZERO], 3),
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

bool ry_space_options(struct ry_arena *arena, const struct ry_workload *workload,
                      unsigned class, struct ry_space_class *list)
{
    struct ry_set digits[DIGITS];
    size_t n = 1;

    option_digits(workload, class, digits);
    for (size_t d = 0; d < DIGITS; d++)
        n *= digits[d].n;
    list->at = n ? RY_NEW(arena, struct ry_space_option, n) : NULL;
    if (n > 0 && !list->at)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct ry_space_option option = option_at(workload, digits, i);
        if (!repeats(&option, digits))
            list->at[list->n++] = option;
    }
    return true;
}
