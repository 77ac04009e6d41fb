/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_rows.h"

#include <string.h>

enum { PENDING_LINES_MOST = 20000 }; /* INFO lines inside one row */

static bool is_whole(const struct ry_row_match *match)
{
    return match->n_halves == match->halves_wanted &&
           match->half[match->halves_wanted - 1].complete;
}

static void keep_pending(struct ry_table_rows *rows, const struct ry_slice *words,
                         const struct ry_row_match *match)
{
    struct ry_torn_row *pending = &rows->pending;

    pending->n = 0;
    pending->match = *match;
    pending->line = rows->line;
    for (size_t i = match->first; i < match->end; i++) {
        struct ry_slice word = words[i];
        struct ry_printed number;
        /* The last word without the log line that begins in it: "-1[0]". */
        if (match->cut && i + 1 == match->end && ry_slice_number(word, &number))
            word.n = number.used;
        if (pending->n + word.n + 1 >= RY_TORN_ROW_BYTES)
            break;
        memmove(pending->text + pending->n, word.at, word.n); /* may be of that text */
        pending->n += word.n;
        pending->text[pending->n++] = ' ';
    }
}

void ry_rows_flush(struct ry_table_rows *rows)
{
    struct ry_torn_row *pending = &rows->pending;
    struct ry_slice words[RY_WORDS_MOST];

    if (pending->n == 0)
        return;
    /* The words of the match must lie in memory that lives: read it again. */
    const size_t n = ry_words((struct ry_slice){pending->text, pending->n}, words);
    if (ry_layout_match(&rows->layouts, words, n, &pending->match))
        rows->add(rows->to, &pending->match, pending->line);
    pending->n = 0;
}

/* The first run of at least three figures in a line of log: the rest of a torn row. */
static bool find_figures(const struct ry_slice *words, size_t n, size_t *first,
                         size_t *count)
{
    struct ry_printed number;

    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        while (k < n &&
               (ry_slice_eq(words[k], "N/A") || ry_slice_number(words[k], &number))) {
            const bool whole = ry_slice_eq(words[k], "N/A") || number.used == words[k].n;
            k++;
            if (!whole)
                break;
        }
        if (k - i >= 3) {
            *first = i;
            *count = k - i;
            return true;
        }
        i = k > i ? k - 1 : i;
    }
    return false;
}

static bool continue_pending(struct ry_table_rows *rows, const struct ry_slice *words,
                             size_t n)
{
    struct ry_torn_row *pending = &rows->pending;
    struct ry_slice joined[RY_WORDS_MOST];
    size_t first = 0, count = 0;
    struct ry_row_match match;

    if (pending->n == 0 || !find_figures(words, n, &first, &count))
        return false;
    size_t n_joined = ry_words((struct ry_slice){pending->text, pending->n}, joined);
    for (size_t i = 0; i < count && n_joined < RY_WORDS_MOST; i++)
        joined[n_joined++] = words[first + i];
    if (!ry_layout_match(&rows->layouts, joined, n_joined, &match) ||
        match.score < pending->match.score + 1000.0)
        return false;
    const size_t line = pending->line;
    keep_pending(rows, joined, &match);
    pending->line = line;
    if (is_whole(&match))
        ry_rows_flush(rows);
    return true;
}

/* Tables copied through Markdown have bars between the columns. */
static size_t without_bars(struct ry_slice *words, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!ry_slice_eq(words[i], "|"))
            words[kept++] = words[i];
    return kept;
}

bool ry_rows_read(struct ry_table_rows *rows, struct ry_slice line, size_t number)
{
    struct ry_slice words[RY_WORDS_MOST];
    struct ry_row_match match;
    const size_t n = without_bars(words, ry_words(line, words));

    rows->line = number;
    if (rows->pending.n && rows->line > rows->pending.line + PENDING_LINES_MOST)
        ry_rows_flush(rows);
    if (!ry_layout_match(&rows->layouts, words, n, &match))
        return continue_pending(rows, words, n);
    ry_rows_flush(rows);
    if (is_whole(&match))
        rows->add(rows->to, &match, rows->line);
    else
        keep_pending(rows, words, &match);
    return true;
}
