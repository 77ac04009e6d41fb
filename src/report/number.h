/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Numbers as text: scaled for people, exact for machines.  The one place that does it.
 */
#ifndef RY_REPORT_NUMBER_H
#define RY_REPORT_NUMBER_H

#include "catalog/currency.h"

#include <stdio.h>

/** How a number is shown to people; always an SI value. */
enum ry_show {
    RY_SHOW_TEXT,     /**< no number: a text */
    RY_SHOW_BOOL,     /**< 0 or 1: no, yes */
    RY_SHOW_COUNT,    /**< 1,234 */
    RY_SHOW_NUMBER,   /**< 4 significant digits */
    RY_SHOW_FRACTION, /**< 0.123: 12.3 % */
    RY_SHOW_SECONDS,  /**< 45.6 ms, 1.23 s, 12.3 h, 34.5 d */
    RY_SHOW_BYTES,    /**< 150.1 GB (powers of ten) */
    RY_SHOW_BYTES_PER_S,
    RY_SHOW_BITS_PER_S, /**< the value is bytes a second, shown as 400 Gb/s */
    RY_SHOW_FLOP_PER_S,
    RY_SHOW_WATTS,
    RY_SHOW_JOULES,
    RY_SHOW_USD, /**< $4.52 M */
    RY_SHOW_METRES,
    RY_SHOW_KILOGRAMS,
    RY_SHOW_SCALED, /**< 70.6 B, 1.5 T: parameters, tokens */
    RY_SHOW_YEAR,   /**< 2024 */
};

enum { RY_NUMBER_BYTES = 40 };

/** @p value for people, in @p text; "-" for NaN, "inf" for infinity.  Returns @p text. */
const char *ry_number_show(enum ry_show show, double value, char text[RY_NUMBER_BYTES]);

/** Money for people: @p amount_usd as "$4.52 M", or in @p currency as "EUR 3.85 M". */
const char *ry_number_money(const struct ry_currency *currency, double amount_usd,
                            char text[RY_NUMBER_BYTES]);

/** The shortest decimal that reads back as @p value; "null" for NaN and infinity. */
const char *ry_number_exact(double value, char text[RY_NUMBER_BYTES]);

/** Print a JSON number, or null. */
void ry_json_put_number(FILE *out, double value);

/** Print a JSON string with its quotes; NULL prints null; invalid UTF-8 becomes
 * U+FFFD. */
void ry_json_put_text(FILE *out, const char *text);

/** Print "KEY": and a JSON string. */
void ry_json_put_member(FILE *out, const char *key, const char *text);

/** Print "KEY": and a number that was fitted, with seven digits: more would be noise. */
void ry_json_put_fitted(FILE *out, const char *key, double value);

#endif
