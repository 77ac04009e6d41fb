/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Numbers as the report page says them: three significant digits, the unit after a
 * no-break space, a range with one unit and an en dash.  Values are in SI, USD or days.
 */
#ifndef RY_REPORT_SAY_H
#define RY_REPORT_SAY_H

#include "base/arena.h"

enum ry_say {
    RY_SAY_USD,        /**< $496 k, $30.4 M */
    RY_SAY_USD_FULL,   /**< $12,400,000: a line of a bill */
    RY_SAY_COUNT,      /**< 1,024 */
    RY_SAY_PLAIN,      /**< 0.851 */
    RY_SAY_SCALED,     /**< 486 k, 15.0 T */
    RY_SAY_SECONDS,    /**< 8.26 s, 16.9 s; below one: 45.6 ms */
    RY_SAY_DAYS,       /**< 47.6 days; from 730: 8.8 years */
    RY_SAY_FRACTION,   /**< 35.6 % */
    RY_SAY_WATTS,      /**< 572 kW */
    RY_SAY_BYTES,      /**< 43.2 GB */
    RY_SAY_BITS_PER_S, /**< of bytes a second: 400 Gb/s */
    RY_SAY_KILOGRAMS,  /**< 1,360 kg */
    RY_SAY_METRES,     /**< 14.0 m */
    RY_SAY_JOULES,     /**< 1.17 J */
};

enum { RY_SAY_BYTES_MOST = 64 };

/** In @p text, which is returned; an en dash for NaN, "no limit" for infinity. */
const char *ry_say(enum ry_say kind, double value, char text[RY_SAY_BYTES_MOST]);

/** "$395–632 k": both in the scale of the upper one. */
const char *ry_say_range(enum ry_say kind, double low, double high,
                         char text[RY_SAY_BYTES_MOST]);

/** The same, owned by @p arena; "" when out of memory. */
const char *ry_said(struct ry_arena *arena, enum ry_say kind, double value);
const char *ry_said_range(struct ry_arena *arena, enum ry_say kind, double low,
                          double high);

/** "one", ..., "twelve", then digits. */
const char *ry_say_small(struct ry_arena *arena, size_t count);

#endif
