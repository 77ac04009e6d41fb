/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table_fit.h"

#include <string.h>
#include <wchar.h>

/* A text may shrink to this, the one that names the row to the other. */
enum { TEXT_LEAST = 12, NAME_LEAST = 18, STAY = 2 };

/* Bytes and cells of the character at @p text: what is no character counts as one
 * cell. */
static size_t character(const char *text, size_t *cells)
{
    mbstate_t state = {0};
    wchar_t wide = L'\0';
    const size_t bytes = mbrtowc(&wide, text, strlen(text), &state);
    const int width = bytes > 0 && bytes < (size_t)-2 ? wcwidth(wide) : 1;

    *cells = width > 0 ? (size_t)width : 0;
    return bytes > 0 && bytes < (size_t)-2 ? bytes : 1;
}

size_t ry_text_width(const char *text)
{
    size_t width = 0;

    while (*text != '\0') {
        size_t cells = 0;
        text += character(text, &cells);
        width += cells;
    }
    return width;
}

struct measure {
    const struct ry_column *columns;
    size_t n;
    size_t *width;
};

static void measure_row(const struct ry_cell cells[], void *ctx)
{
    struct measure *m = ctx;
    char text[RY_NUMBER_BYTES];

    for (size_t i = 0; i < m->n; i++) {
        if (!m->columns[i].title)
            continue;
        const size_t width = ry_text_width(ry_cell_seen(&m->columns[i], &cells[i], text));
        if (width > m->width[i])
            m->width[i] = width;
    }
}

static size_t total(const struct measure *m)
{
    size_t sum = 0, shown = 0;

    for (size_t i = 0; i < m->n; i++) {
        sum += m->width[i];
        shown += m->width[i] > 0;
    }
    return sum + (shown > 0 ? shown - 1 : 0);
}

static bool is_first(const struct measure *m, size_t i)
{
    while (i > 0) {
        if (m->columns[--i].title && m->columns[i].show == RY_SHOW_TEXT)
            return false;
    }
    return true;
}

static size_t least(const struct measure *m, size_t i)
{
    const size_t title = ry_text_width(m->columns[i].title);
    const size_t most = is_first(m, i) ? NAME_LEAST : TEXT_LEAST;

    return title > most ? title : most;
}

/* Take cells from the widest text that may give some, until it fits or none may. */
static void shrink(struct measure *m, size_t width)
{
    for (size_t over = total(m); over > width; over--) {
        size_t widest = m->n;
        for (size_t i = 0; i < m->n; i++) {
            if (m->width[i] > 0 && m->columns[i].show == RY_SHOW_TEXT &&
                m->width[i] > least(m, i) &&
                (widest == m->n || m->width[i] > m->width[widest]))
                widest = i;
        }
        if (widest == m->n)
            return;
        m->width[widest]--;
    }
}

/* The next column to go, or n. */
static size_t dispensable(const struct measure *m)
{
    size_t at = m->n, before = 0;

    for (size_t i = 0; i < m->n; i++) {
        if (m->width[i] == 0 || before++ < STAY)
            continue;
        if (at == m->n || m->columns[i].less >= m->columns[at].less)
            at = i;
    }
    return at;
}

enum ry_err ry_table_fit(struct ry_arena *arena, const struct ry_table *table,
                         size_t width, struct ry_table_fit *fit)
{
    struct measure m = {.n = 0};

    m.columns = ry_table_columns(table, &m.n);
    m.width = RY_NEW(arena, size_t, m.n);
    size_t *whole = RY_NEW(arena, size_t, m.n);
    if (!m.width || !whole)
        return RY_ERR_NOMEM;
    for (size_t i = 0; i < m.n; i++)
        m.width[i] = m.columns[i].title ? ry_text_width(m.columns[i].title) : 0;
    ry_table_each(table, measure_row, &m);
    memcpy(whole, m.width, m.n * sizeof(whole[0]));
    *fit = (struct ry_table_fit){.n = m.n, .width = m.width, .all = total(&m) <= width};
    shrink(&m, width);
    for (size_t at = dispensable(&m); total(&m) > width && at < m.n;
         at = dispensable(&m)) {
        whole[at] = 0;
        memcpy(m.width, whole, m.n * sizeof(whole[0]));
        shrink(&m, width);
    }
    return RY_OK;
}

/* Bytes of the longest beginning that fits: to the last space, else behind the last mark
 * of a path or name, else to the last character. */
static size_t line_bytes(const char *text, size_t width)
{
    size_t used = 0, at = 0;
    size_t space = 0, mark = 0;

    while (text[at] != '\0' && text[at] != '\n') {
        size_t cells = 0;
        const size_t bytes = character(text + at, &cells);
        if (used + cells > width && at > 0) {
            const bool whole = text[at] == ' ';
            return whole ? at : space > 0 ? space : mark > 0 ? mark : at;
        }
        if (text[at] == ' ')
            space = at;
        if (strchr("/_,:-", text[at]))
            mark = at + 1;
        used += cells;
        at += bytes;
    }
    return at;
}

const char *ry_text_folded(struct ry_arena *arena, const char *text, size_t width)
{
    const size_t room = 2 * strlen(text) + 1;
    char *out = ry_arena_alloc(arena, room, 1);
    size_t used = 0;

    if (!out)
        return NULL;
    while (*text != '\0') {
        const size_t bytes = line_bytes(text, width);
        memcpy(out + used, text, bytes);
        used += bytes;
        text += bytes;
        text += *text == ' ' || *text == '\n';
        if (*text != '\0')
            out[used++] = '\n';
    }
    out[used] = '\0';
    return out;
}
