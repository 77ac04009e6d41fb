/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A config.json while it is read: its members, each remembered as looked at, and what it
 * becomes; internal to io/hf_*.c.
 */
#ifndef RY_IO_HF_READING_H
#define RY_IO_HF_READING_H

#include "io/json.h"
#include "io/model_file.h"

/** What the code of a family's model has, whatever a config says. */
enum ry_hf_traits {
    RY_HF_GATED = 1 << 0,
    RY_HF_LAYER_NORM = 1 << 1,
    RY_HF_BIAS = 1 << 2, /**< every linear layer */
    RY_HF_QKV_BIAS = 1 << 3,
    RY_HF_QK_NORM = 1 << 4,
    RY_HF_POST_NORMS = 1 << 5,
    RY_HF_PARALLEL = 1 << 6,         /**< attention and FFN side by side */
    RY_HF_TIED = 1 << 7,             /**< what an absent tie_word_embeddings means */
    RY_HF_WINDOW_ALL = 1 << 8,       /**< sliding_window: every layer */
    RY_HF_WINDOW_ALTERNATE = 1 << 9, /**< every second layer */
    RY_HF_WINDOW_PATTERN = 1 << 10,  /**< all but every sliding_window_pattern-th */
    RY_HF_WINDOW_SWITCH = 1 << 11,   /**< use_sliding_window: from max_window_layers on */
};

enum { RY_HF_USED_MOST = 96, RY_HF_SIZE_MOST = 100000000 };

/** What a family's configuration class means by an absent size; 0: it must be there. */
struct ry_hf_sizes {
    unsigned heads, kv_heads, head_dim, vocab;
};

struct ry_hf_reading {
    struct ry_json at; /**< the config, or the part of it that describes text */
    struct ry_hf_sizes absent;
    struct ry_arch *arch;
    struct ry_model *model;
    unsigned traits; /**< of enum ry_hf_traits */
    size_t n;
    const char *used[RY_HF_USED_MOST]; /**< [n] keys that were looked at */
};

/** The member @p key, which counts as looked at. */
struct ry_json ry_hf_take(struct ry_hf_reading *r, const char *key);

/** A size, 0 to RY_HF_SIZE_MOST; @p fallback where it is absent. */
unsigned ry_hf_optional(struct ry_hf_reading *r, const char *key, unsigned fallback);

/** A size from 1; a problem and 1 where it is absent. */
unsigned ry_hf_needed(struct ry_hf_reading *r, const char *key);

/** The first of two names that is there; the first is named when neither is. */
unsigned ry_hf_needed_of(struct ry_hf_reading *r, const char *key, const char *other);

/** A size that is needed unless @p absent, above 0, stands in for it. */
unsigned ry_hf_needed_unless(struct ry_hf_reading *r, const char *key, unsigned absent);

bool ry_hf_flag(struct ry_hf_reading *r, const char *key, bool fallback);

/** A choice that is modelled in one way only: a problem where it is the other. */
void ry_hf_must_be(struct ry_hf_reading *r, const char *key, bool wanted);

#endif
