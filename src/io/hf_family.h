/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Families of Hugging Face models: how the sizes of each are read.
 */
#ifndef RY_IO_HF_FAMILY_H
#define RY_IO_HF_FAMILY_H

#include "io/hf_reading.h"

struct ry_hf_family {
    const char *type;                      /**< its model_type */
    void (*read)(struct ry_hf_reading *r); /**< sizes, behind the traits */
    unsigned traits;                       /**< of enum ry_hf_traits */
};

/** The family that a config names by "model_type"; a problem and NULL where it is none
 * of hf_families.def. */
const struct ry_hf_family *ry_hf_family_find(struct ry_json at);

#endif
