/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_match.h"

#include <math.h>
#include <string.h>

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_unknown(struct ry_slice word)
{
    return ry_slice_eq(word, "N/A") || ry_slice_eq(word, "n/a") || ry_slice_eq(word, "-");
}

static bool is_not_finite(struct ry_slice word)
{
    if (word.n > 0 && (word.at[0] == '-' || word.at[0] == '+'))
        word = (struct ry_slice){word.at + 1, word.n - 1};
    return ry_slice_eq(word, "nan") || ry_slice_eq(word, "NaN") ||
           ry_slice_eq(word, "inf") || ry_slice_eq(word, "Inf");
}

static bool is_name(struct ry_slice word)
{
    if (word.n == 0 || word.n > 24 || !letter(word.at[0]) || is_unknown(word) ||
        is_not_finite(word))
        return false;
    for (size_t i = 1; i < word.n; i++) {
        const char c = word.at[i];
        if (!letter(c) && c != '_' && !(c >= '0' && c <= '9'))
            return false;
    }
    return true;
}

/* Digits at the end of "[1,0]<stdout>:137438953472": the tag has no blank behind it. */
static struct ry_slice without_tag(struct ry_slice word)
{
    for (size_t i = word.n; i-- > 0;) {
        if (strchr(":;>])|\"", word.at[i]) && word.at[i] != '\0')
            return (struct ry_slice){word.at + i + 1, word.n - i - 1};
        if (word.at[i] < '0' || word.at[i] > '9')
            break;
    }
    return word;
}

static bool whole_number(struct ry_slice word, double *value)
{
    struct ry_printed number;

    if (word.n == 0 || word.at[0] < '0' || word.at[0] > '9' ||
        !ry_slice_number(word, &number) || !number.whole || number.used != word.n)
        return false;
    *value = number.value;
    return true;
}

/* A figure; what follows it in the word ends the row, an asterisk apart. */
static bool take_number(struct ry_slice word, struct ry_row_match *match,
                        struct ry_printed *number)
{
    if (!ry_slice_number(word, number))
        return false;
    if (number->used == word.n)
        return true;
    const char next = word.at[number->used];
    if (next == '*' && number->used + 1 == word.n) {
        if (match->n_halves)
            match->half[match->n_halves - 1].flagged = true;
        return true;
    }
    match->cut = letter(next) || strchr("[(<\\\"|", next) != NULL;
    return match->cut;
}

static bool take_figure(struct ry_slice word, struct ry_row_match *match,
                        struct ry_printed *figure)
{
    struct ry_row_half *half = &match->half[match->n_halves - 1];

    if (is_unknown(word) || is_not_finite(word)) {
        half->not_a_number = true;
        *figure = (struct ry_printed){.value = RY_UNKNOWN};
        return true;
    }
    return take_number(word, match, figure);
}

static bool take_wrong(struct ry_slice word, bool count, struct ry_row_match *match)
{
    struct ry_row_half *half = &match->half[match->n_halves - 1];
    struct ry_printed number;

    half->wrong = RY_UNKNOWN;
    if (is_not_finite(word))
        half->flagged = true;
    if (is_unknown(word) || is_not_finite(word))
        return true;
    if (!take_number(word, match, &number))
        return false;
    /* 5e-07 is a largest difference even where the header is lost. */
    if (count && (number.value == 0.0 || number.value >= 1.0))
        half->wrong = number.value;
    return true;
}

static bool take_root(struct ry_slice word, struct ry_row_match *match)
{
    struct ry_printed number;

    if (!take_number(word, match, &number) || !number.whole || number.value < -1.0 ||
        number.value > 1e7)
        return false;
    match->root = number.value;
    return true;
}

static bool take(enum ry_bench_column column, struct ry_slice word,
                 struct ry_row_match *match)
{
    struct ry_printed over;

    if (column > RY_COL_TIME && match->n_halves == 0)
        return false; /* a header with its columns out of order */
    switch (column) {
    case RY_COL_SIZE:
        return whole_number(without_tag(word), &match->bytes);
    case RY_COL_COUNT:
        return whole_number(word, &match->count);
    case RY_COL_TYPE:
        match->dtype = word;
        return is_name(word);
    case RY_COL_REDOP:
        match->redop = word;
        return is_name(word);
    case RY_COL_ROOT:
        return take_root(word, match);
    case RY_COL_TIME:
        if (match->n_halves == 2)
            return false;
        match->n_halves++;
        return take_figure(word, match, &match->half[match->n_halves - 1].time);
    case RY_COL_ALGBW:
        return take_figure(word, match, &match->half[match->n_halves - 1].algbw);
    case RY_COL_BUSBW:
        return take_figure(word, match, &match->half[match->n_halves - 1].busbw);
    case RY_COL_WRONG:
        return take_wrong(word, true, match);
    case RY_COL_ERROR:
        return take_wrong(word, false, match);
    case RY_COL_EXTRA:
        return is_unknown(word) || is_not_finite(word) || take_number(word, match, &over);
    }
    return false;
}

/* The half that ends with column i of the layout is whole. */
static bool half_ends(const struct ry_layout *layout, size_t i)
{
    const enum ry_bench_column column = layout->columns[i];
    const bool checked =
        ry_layout_has(layout, RY_COL_WRONG) || ry_layout_has(layout, RY_COL_ERROR);

    return checked ? column == RY_COL_WRONG || column == RY_COL_ERROR
                   : column == RY_COL_BUSBW;
}

/* Whether algbw is bytes / time within what was rounded away.  @p share is 1, or
 * (n - 1) / n, by which v1.0 multiplied the bytes of gathers. */
static bool agrees(const struct ry_row_half *half, double bytes, double unit_s)
{
    const double time_s = half->time.value * unit_s;
    const double rate = bytes / time_s / 1e9;
    const double spread =
        1.02 * (half->algbw.half_ulp + rate * half->time.half_ulp / half->time.value);

    return fabs(rate - half->algbw.value) <= spread + 1e-4 * rate;
}

static void judge_half(struct ry_row_half *half, const struct ry_row_match *match)
{
    if (half->not_a_number || !(half->time.value > 0.0)) {
        half->consistent = !half->not_a_number && match->bytes == 0.0;
        return;
    }
    char dtype[32] = "";
    if (match->dtype.n > 0 && match->dtype.n < sizeof(dtype))
        memcpy(dtype, match->dtype.at, match->dtype.n);
    const double ranks = match->bytes / (match->count * ry_bench_dtype_bytes(dtype));
    const double share = ranks > 1.5 && ranks < 1e7 ? (ranks - 1.0) / ranks : 1.0;
    bool fits[2];

    for (int ms = 0; ms < 2; ms++) {
        const double unit_s = ms ? 1e-3 : 1e-6;
        fits[ms] = agrees(half, match->bytes, unit_s) ||
                   agrees(half, match->bytes * share, unit_s);
    }
    half->consistent = fits[0] || fits[1];
    if (fits[0] != fits[1])
        half->unit = fits[0] ? RY_UNIT_US : RY_UNIT_MS;
}

enum { SKIP_REDOP = 1, SKIP_ROOT = 2 };

/* Lay the columns over the words from @p first on, as far as they fit. */
static bool fit(const struct ry_layout *layout, unsigned skip,
                const struct ry_slice *words, size_t n_words, size_t first,
                struct ry_row_match *match)
{
    *match = (struct ry_row_match){.root = RY_UNKNOWN,
                                   .first = first,
                                   .end = first,
                                   .halves_wanted = ry_layout_halves(layout)};
    size_t matched = 0, complete = 0;
    size_t consistent = 0;

    for (size_t i = 0; i < layout->n && !match->cut; i++) {
        const enum ry_bench_column column = layout->columns[i];
        if ((column == RY_COL_REDOP && (skip & SKIP_REDOP)) ||
            (column == RY_COL_ROOT && (skip & SKIP_ROOT)))
            continue;
        if (match->end == n_words || !take(column, words[match->end], match))
            break;
        match->end++;
        matched++;
        if (half_ends(layout, i)) {
            struct ry_row_half *half = &match->half[match->n_halves - 1];
            half->complete = true;
            judge_half(half, match);
            complete++;
            consistent += half->consistent;
        }
    }
    match->consistent = consistent;
    match->score = 1000.0 * (double)consistent + 100.0 * (double)complete +
                   (double)matched - (match->cut ? 0.5 : 0.0);
    return ry_layout_has(layout, RY_COL_TYPE) ? matched >= 3 : complete >= 1;
}

/* The best of the ways to leave redop and root blank. */
static bool best_fit(const struct ry_layout *layout, const struct ry_slice *words,
                     size_t n_words, size_t first, struct ry_row_match *best)
{
    bool found = false;

    for (unsigned skip = 0; skip < 4; skip++) {
        struct ry_row_match match;
        if (fit(layout, skip, words, n_words, first, &match) &&
            (!found || match.score > best->score)) {
            *best = match;
            found = true;
        }
        if (found && best->consistent == best->halves_wanted)
            break;
    }
    return found;
}

/* Take the layout's reading when more of its figures agree with each other. */
static bool try_layout(const struct ry_layout *layout, const struct ry_slice *words,
                       size_t n_words, size_t first, bool found,
                       struct ry_row_match *best)
{
    struct ry_row_match match;

    if (!best_fit(layout, words, n_words, first, &match) ||
        (found && match.consistent <= best->consistent))
        return found;
    *best = match;
    return true;
}

/* size, count and a word: or size, count and a figure for a table without types. */
static bool may_start(const struct ry_slice *words, size_t n_words, size_t i)
{
    double number;

    return i + 2 < n_words && whole_number(words[i + 1], &number) &&
           whole_number(without_tag(words[i]), &number);
}

static bool is_known_type(struct ry_slice word)
{
    char dtype[32] = "";

    if (word.n >= sizeof(dtype))
        return false;
    memcpy(dtype, word.at, word.n);
    return isfinite(ry_bench_dtype_bytes(dtype));
}

bool ry_layout_match(const struct ry_layouts *layouts, const struct ry_slice *words,
                     size_t n_words, struct ry_row_match *match)
{
    bool found = false;

    for (size_t i = 0; i + 2 < n_words; i++) {
        if (!may_start(words, n_words, i))
            continue;
        if (layouts->header.n)
            found = try_layout(&layouts->header, words, n_words, i, found, match);
        if (found && match->consistent == match->halves_wanted)
            continue;
        if (!is_name(words[i + 2]) || !is_known_type(words[i + 2]))
            continue;
        for (size_t k = 0; k < RY_KNOWN_LAYOUTS; k++)
            found = try_layout(&layouts->known[k], words, n_words, i, found, match);
    }
    return found;
}
