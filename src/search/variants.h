/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Which options of a class share a sub-result, so that each is computed once a shape.
 *
 * A sub-result depends on some fields of an option only; options that agree in those
 * are one variant of it.  Internal to search.
 */
#ifndef RY_SEARCH_VARIANTS_H
#define RY_SEARCH_VARIANTS_H

#include "base/arena.h"
#include "search/space.h"

/** The sub-results of an option, each with the fields it depends on. */
enum ry_variant {
    RY_VARIANT_SHAPE,  /**< sequence_parallel, cp_kind, tp_overlap, ep_overlap */
    RY_VARIANT_LAYOUT, /**< the shape's, zero_stage, fsdp, shard_ranks */
    RY_VARIANT_STAGES, /**< the layout's, recompute, recompute_layers */
    RY_VARIANT_CUT,    /**< sequence_parallel, schedule: can the model be cut so */
    RY_VARIANT_MEMORY, /**< all but the overlaps */
    RY_VARIANTS
};

/** The variants of one sub-result among the options of a class. */
struct ry_variant_list {
    size_t n;
    size_t *option; /**< [n] the first option that has the variant */
    size_t *of;     /**< [options] the variant of an option */
};

/** Find the variants of every sub-result; false when out of memory. */
bool ry_variants_find(struct ry_arena *arena, const struct ry_space_class *class,
                      struct ry_variant_list lists[RY_VARIANTS]);

#endif
