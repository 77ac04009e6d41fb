/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Logs as people save them: lines without colour codes, words, and numbers with the
 * precision that was printed.
 */
#ifndef RY_IO_TEXT_H
#define RY_IO_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/** A piece of text that is not terminated. */
struct ry_slice {
    const char *at;
    size_t n;
};

/** Longest line that is looked into; of a longer one only this much is seen. */
enum { RY_LINE_BYTES_MOST = 16 * 1024, RY_WORDS_MOST = 128 };

/** Walks the lines of a text.  Start with {.at = text, .end = text + bytes}. */
struct ry_lines {
    const char *at;
    const char *end;
    size_t number; /**< of the line returned last, 1-based */
    bool torn;     /**< the last line has no end of line */
    char clean[RY_LINE_BYTES_MOST];
};

/** The next line, without CR, colour codes and control characters; false at the end. */
bool ry_lines_next(struct ry_lines *lines, struct ry_slice *line);

/** Split at blanks: fills @p words, returns how many (at most RY_WORDS_MOST). */
size_t ry_words(struct ry_slice line, struct ry_slice words[RY_WORDS_MOST]);

bool ry_slice_eq(struct ry_slice slice, const char *text);
bool ry_slice_starts(struct ry_slice slice, const char *text);

/** Where @p text begins in @p slice, or NULL. */
const char *ry_slice_find(struct ry_slice slice, const char *text);

/** What follows the first @p text in @p slice; empty with at NULL when absent. */
struct ry_slice ry_slice_after(struct ry_slice slice, const char *text);

/** The beginning of @p slice up to the first of the characters @p stops, or all of it. */
struct ry_slice ry_slice_until(struct ry_slice slice, const char *stops);

/** @p slice without blanks at both ends. */
struct ry_slice ry_slice_trim(struct ry_slice slice);

/** A copy owned by @p arena, or NULL when out of memory. */
char *ry_slice_dup(struct ry_arena *arena, struct ry_slice slice);

/** A number as printed. */
struct ry_printed {
    double value;
    double half_ulp; /**< half a unit of the last printed digit */
    bool whole;      /**< only digits and sign */
    size_t used;     /**< characters */
};

/**
 * The number at the start of @p slice: sign, digits, decimals, exponent.  "nan", "inf"
 * and hexadecimal are not numbers here.
 * @return false when there is none, or when it is not finite.
 */
bool ry_slice_number(struct ry_slice slice, struct ry_printed *number);

/** The whole of @p slice is a number; sets @p value only then. */
bool ry_slice_is_number(struct ry_slice slice, double *value);

/** The number behind the first @p word, blanks apart; NAN when there is none. */
double ry_slice_number_after(struct ry_slice slice, const char *word);

#endif
