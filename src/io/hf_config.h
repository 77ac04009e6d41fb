/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The config.json of a Hugging Face model, as it is.
 *
 * Families: hf_families.def.  Every key is one of: used; known to change nothing that is
 * modelled here (rope_theta, dtype, dropout, ...: listed as ignored); changing the
 * architecture in a way that is not modelled (refused); unknown.  An unknown key is
 * refused too when its name sounds like a size (layer, expert, head, dim, ...) and it has
 * a value, else it is listed as ignored.
 */
#ifndef RY_IO_HF_CONFIG_H
#define RY_IO_HF_CONFIG_H

#include "io/json.h"
#include "io/model_file.h"

/** Whether an object looks like such a config: it has "model_type" or "architectures". */
bool ry_hf_is_config(struct ry_json at);

/**
 * Read it.
 * @param at    the config.
 * @param arena owns texts of the result.
 * @param model arch, family, max_seq and ignored are set.
 * @return false when something was wrong; it is in the cursor's problems.
 */
bool ry_hf_read(struct ry_json at, struct ry_arena *arena, struct ry_model *model);

#endif
