/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/variants.h"

typedef bool same_fn(const struct ry_space_option *a, const struct ry_space_option *b);

static bool same_shape(const struct ry_space_option *a, const struct ry_space_option *b)
{
    return a->sequence_parallel == b->sequence_parallel && a->cp_kind == b->cp_kind &&
           a->tp_overlap == b->tp_overlap && a->ep_overlap == b->ep_overlap;
}

static bool same_states(const struct ry_space_option *a, const struct ry_space_option *b)
{
    return a->zero_stage == b->zero_stage && a->fsdp == b->fsdp &&
           a->shard_ranks == b->shard_ranks;
}

static bool same_layout(const struct ry_space_option *a, const struct ry_space_option *b)
{
    return same_shape(a, b) && same_states(a, b);
}

static bool same_recompute(const struct ry_space_option *a,
                           const struct ry_space_option *b)
{
    return a->recompute == b->recompute && a->recompute_layers == b->recompute_layers;
}

static bool same_stages(const struct ry_space_option *a, const struct ry_space_option *b)
{
    /* DualPipe alone has a GPU run two stages. */
    return same_layout(a, b) && same_recompute(a, b) &&
           (a->schedule == RY_SCHEDULE_DUALPIPE) == (b->schedule == RY_SCHEDULE_DUALPIPE);
}

static bool same_cut(const struct ry_space_option *a, const struct ry_space_option *b)
{
    return a->sequence_parallel == b->sequence_parallel && a->schedule == b->schedule;
}

static bool same_share(double a, double b)
{
    return !(a < b) && !(b < a);
}

static bool same_memory(const struct ry_space_option *a, const struct ry_space_option *b)
{
    return same_cut(a, b) && same_states(a, b) && same_recompute(a, b) &&
           a->cp_kind == b->cp_kind &&
           same_share(a->offload_optimizer_frac, b->offload_optimizer_frac) &&
           same_share(a->offload_activations_frac, b->offload_activations_frac);
}

static same_fn *const same[RY_VARIANTS] = {
    [RY_VARIANT_SHAPE] = same_shape,   [RY_VARIANT_LAYOUT] = same_layout,
    [RY_VARIANT_STAGES] = same_stages, [RY_VARIANT_CUT] = same_cut,
    [RY_VARIANT_MEMORY] = same_memory,
};

static bool find(struct ry_arena *arena, const struct ry_space_class *class, same_fn *is,
                 struct ry_variant_list *list)
{
    list->option = RY_NEW(arena, size_t, class->n);
    list->of = RY_NEW(arena, size_t, class->n);
    if (!list->option || !list->of)
        return false;
    for (size_t o = 0; o < class->n; o++) {
        size_t v = 0;
        while (v < list->n && !is(&class->at[list->option[v]], &class->at[o]))
            v++;
        if (v == list->n)
            list->option[list->n++] = o;
        list->of[o] = v;
    }
    return true;
}

bool ry_variants_find(struct ry_arena *arena, const struct ry_space_class *class,
                      struct ry_variant_list lists[RY_VARIANTS])
{
    for (size_t k = 0; k < RY_VARIANTS; k++) {
        lists[k] = (struct ry_variant_list){0};
        if (!find(arena, class, same[k], &lists[k]))
            return false;
    }
    return true;
}
