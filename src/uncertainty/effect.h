/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What an unknown does to one design: internal to this folder.
 */
#ifndef RY_UNCERTAINTY_EFFECT_H
#define RY_UNCERTAINTY_EFFECT_H

#include "uncertainty/confidence.h"

enum ry_effect_kind {
    RY_EFFECT_PARAM,     /**< parameter `index` of the compute model times the factor */
    RY_EFFECT_COMPUTE,   /**< seconds of products, attention, memory-bound kernels */
    RY_EFFECT_PRODUCTS,  /**< seconds of products */
    RY_EFFECT_ATTENTION, /**< seconds of attention */
    RY_EFFECT_STREAMS,   /**< seconds of memory-bound kernels */
    RY_EFFECT_DOMAIN,    /**< seconds of traffic inside a domain */
    RY_EFFECT_BYTES,     /**< seconds that bytes take between domains */
    RY_EFFECT_START,     /**< seconds of start-up between domains */
    RY_EFFECT_UPLINKS,   /**< usable share of the uplinks, at most 1 */
    RY_EFFECT_STEP,      /**< seconds of the whole step */
    RY_EFFECT_PRICE,     /**< `share` of the price of bill line `index` */
    RY_EFFECT_FIELD,     /**< double at offset `index` of the design */
};

struct ry_effect {
    enum ry_effect_kind kind;
    size_t unknown; /**< index in the study */
    size_t index;
    double share; /**< of times: exponent of the factor; of prices: of the line */
};

struct ry_study_case {
    const struct ry_case *of;
    size_t n;
    struct ry_effect *effects; /**< [n] */
};

#endif
