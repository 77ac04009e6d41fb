/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Framework presets: models/traits, one file a framework and era.
 */
#ifndef RY_IO_TRAITS_FILE_H
#define RY_IO_TRAITS_FILE_H

#include "base/arena.h"
#include "base/problems.h"
#include "workload/traits.h"

enum { RY_TRAITS_MOST = 40, RY_TRAITS_MATCHES_MOST = 12, RY_TRAITS_TUNED_MOST = 16 };

/** When a preset is meant: a framework's name (part of it) and, if it matters, a date. */
struct ry_traits_match {
    const char *framework;
    const char *from, *to; /**< "2022-01", inclusive; NULL: any */
};

struct ry_preset {
    struct ry_traits traits;
    const char *summary;
    size_t matches;
    struct ry_traits_match match[RY_TRAITS_MATCHES_MOST];
    size_t tuned; /**< fields that were set with step times in view */
    const char *tuned_field[RY_TRAITS_TUNED_MOST];
    struct ry_traits untuned; /**< the same with the values before that */
    bool tp_overlap, dp_overlap, pp_overlap, ep_overlap, sequence_parallel;
    bool compile;
    enum ry_cp_kind lora_cp_kind;  /**< of adapters' runs */
    enum ry_cuda_graph cuda_graph; /**< where a row states no options at all */
    unsigned zero_stage;
    double packed_tokens; /**< mean sample where fine-tuning packs short ones; 0: no */
    bool unstated_interleaves;    /**< chunks not printed: as many as divide, up to 4 */
    double unstated_chunk_layers; /**< layers of a chunk where they divide; 0: no */
    bool unstated_recompute_full; /**< all or nothing where a row does not say */
};

struct ry_presets {
    size_t n;
    struct ry_preset at[RY_TRAITS_MOST];
};

/** Read all of models/traits, by name; each begins as models/traits-common.json. */
RY_MUST_USE enum ry_err ry_presets_read(struct ry_arena *arena,
                                        struct ry_problems *problems,
                                        struct ry_presets *presets);

/** The preset of that name, or NULL. */
const struct ry_preset *ry_preset_named(const struct ry_presets *presets,
                                        const char *name);

/**
 * The preset of a framework as a run states it, at a date ("2022-05", may be NULL): the
 * longest matching name wins, then the first file.  NULL when none matches.
 */
const struct ry_preset *ry_preset_find(const struct ry_presets *presets,
                                       const char *framework, const char *date);

#endif
