/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_layout.h"

#include <string.h>

/* Words of header lines, v1.0 (2018) to v2.20 (2026). */
static const struct {
    const char *word;
    enum ry_bench_column column;
} header_words[] = {
    {"size", RY_COL_SIZE},   {"bytes", RY_COL_SIZE},  {"count", RY_COL_COUNT},
    {"N", RY_COL_COUNT},     {"type", RY_COL_TYPE},   {"redop", RY_COL_REDOP},
    {"op", RY_COL_REDOP},    {"root", RY_COL_ROOT},   {"time", RY_COL_TIME},
    {"algbw", RY_COL_ALGBW}, {"busbw", RY_COL_BUSBW}, {"#wrong", RY_COL_WRONG},
    {"wrong", RY_COL_WRONG}, {"error", RY_COL_ERROR}, {"errors", RY_COL_ERROR},
    {"res", RY_COL_ERROR},   {"i_min", RY_COL_EXTRA}, {"i_max", RY_COL_EXTRA},
    {"i_p99", RY_COL_EXTRA}, {"i_p50", RY_COL_EXTRA}, {"i_p95", RY_COL_EXTRA},
    {"i_avg", RY_COL_EXTRA}, {"i_cv%", RY_COL_EXTRA}, {"i_stdev", RY_COL_EXTRA},
};

/* Tables without a header are tried in this order; redop and root may be blank in a row,
 * and a table with an error column is told by its figures. */
static const char *const known_layouts[RY_KNOWN_LAYOUTS] = {
    "size count type redop root time algbw busbw wrong time algbw busbw wrong",
    ("size count type redop root time algbw busbw wrong i_min i_max i_p99 i_cv% "
     "time algbw busbw wrong i_min i_max i_p99 i_cv%"),
    "size count type redop root time algbw busbw time algbw busbw",
};

static bool find_word(struct ry_slice word, enum ry_bench_column *column)
{
    for (size_t i = 0; i < sizeof(header_words) / sizeof(header_words[0]); i++) {
        if (ry_slice_eq(word, header_words[i].word)) {
            *column = header_words[i].column;
            return true;
        }
    }
    return false;
}

bool ry_layout_has(const struct ry_layout *layout, enum ry_bench_column column)
{
    for (size_t i = 0; i < layout->n; i++)
        if (layout->columns[i] == column)
            return true;
    return false;
}

size_t ry_layout_halves(const struct ry_layout *layout)
{
    size_t n = 0;
    for (size_t i = 0; i < layout->n; i++)
        n += layout->columns[i] == RY_COL_TIME;
    return n;
}

bool ry_layout_parse(struct ry_slice line, struct ry_layout *layout)
{
    struct ry_slice words[RY_WORDS_MOST];
    struct ry_layout found = {.n = 0};

    if (!ry_slice_find(line, "algbw") || !ry_slice_find(line, "time"))
        return false;
    const size_t n_words = ry_words(line, words);
    for (size_t i = 0; i < n_words; i++) {
        enum ry_bench_column column;
        if (!find_word(words[i], &column)) {
            if (found.n == 0 || ry_slice_eq(words[i], "timestamp"))
                continue;
            column = RY_COL_EXTRA;
        }
        if (found.n == 0 && column != RY_COL_SIZE)
            continue;
        if (found.n == sizeof(found.columns) / sizeof(found.columns[0]))
            return false;
        found.columns[found.n++] = column;
    }
    const size_t halves = ry_layout_halves(&found);
    if (!ry_layout_has(&found, RY_COL_COUNT) || halves < 1 || halves > 2 ||
        !ry_layout_has(&found, RY_COL_ALGBW) || !ry_layout_has(&found, RY_COL_BUSBW))
        return false;
    found.in_place_first = layout->in_place_first;
    *layout = found;
    return true;
}

void ry_layouts_init(struct ry_layouts *layouts)
{
    *layouts = (struct ry_layouts){.header = {.n = 0}};
    for (size_t i = 0; i < RY_KNOWN_LAYOUTS; i++) {
        const struct ry_slice text = {known_layouts[i], strlen(known_layouts[i])};
        (void)ry_layout_parse(text, &layouts->known[i]);
    }
}
