/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/settings.h"

#include "base/names.h"
#include "io/csv.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 6, TEXT_MOST = 1024 };
static const char *const columns[COLUMNS] = {"for",   "name",   "when",
                                             "value", "reason", "source"};
enum { FOR, NAME, WHEN, VALUE, REASON, SOURCE };

struct reader {
    struct ry_arena *arena;
    const struct ry_facts *facts;
    struct ry_problems *problems;
    const char *where; /* of the row */
};

static bool same(const char *name, const char *text, size_t bytes)
{
    return strlen(name) == bytes && memcmp(name, text, bytes) == 0;
}

static bool fact_holds(const struct reader *r, const char *name, size_t bytes)
{
    for (size_t i = 0; i < r->facts->n; i++)
        if (same(r->facts->at[i].name, name, bytes))
            return r->facts->at[i].holds;
    ry_problem(r->problems, RY_ERR_NOTFOUND, r->where, "no fact '%.*s'", (int)bytes,
               name);
    return false;
}

/* Every fact is looked at, so that a wrong name is told whatever else holds. */
static bool all_hold(const struct reader *r, const char *when)
{
    bool all = true;

    while (*when) {
        const bool negated = *when == '!';
        when += negated;
        const size_t bytes = strcspn(when, " ");
        const bool holds = bytes == 0 || fact_holds(r, when, bytes) != negated;
        all = all && holds;
        when += bytes;
        when += strspn(when, " ");
    }
    return all;
}

static const char *value_of(const struct reader *r, const char *name, size_t bytes)
{
    for (size_t i = 0; i < r->facts->values_n; i++)
        if (same(r->facts->value[i].name, name, bytes))
            return r->facts->value[i].text;
    ry_problem(r->problems, RY_ERR_NOTFOUND, r->where, "no value '{%.*s}'", (int)bytes,
               name);
    return "";
}

/* The text with its values put in, owned by the arena; NULL when out of memory. */
static const char *expanded(const struct reader *r, const char *text)
{
    char out[TEXT_MOST];
    size_t n = 0;

    while (*text) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        const char *piece = end ? value_of(r, text + 1, (size_t)(end - text) - 1) : text;
        const size_t bytes = end ? strlen(piece) : 1;
        if (n + bytes + 1 > sizeof(out)) {
            ry_problem(r->problems, RY_ERR_RANGE, r->where, "a text over %d characters",
                       TEXT_MOST - 1);
            break;
        }
        memcpy(out + n, piece, bytes);
        n += bytes;
        text = end ? end + 1 : text + 1;
    }
    out[n] = '\0';
    return ry_strdup(r->arena, out);
}

static bool find_columns(const struct ry_csv *csv, struct ry_problems *problems,
                         size_t at[COLUMNS])
{
    bool found = true;

    for (size_t i = 0; i < COLUMNS; i++) {
        at[i] = ry_csv_column(csv, columns[i]);
        if (at[i] != (size_t)-1)
            continue;
        ry_problem(problems, RY_ERR_SYNTAX, csv->name, "no column '%s'", columns[i]);
        found = false;
    }
    return found;
}

/* The row with its values, where it holds; false: it does not. */
static bool take_row(const struct reader *r, const struct ry_csv_row *row,
                     const size_t at[COLUMNS], struct ry_setting *setting)
{
    const char *source = ry_csv_cell(row, at[SOURCE]);

    if (source[0] == '\0' || ry_csv_cell(row, at[REASON])[0] == '\0')
        ry_problem(r->problems, RY_ERR_SYNTAX, r->where,
                   "a row needs a reason and a source");
    if (!all_hold(r, ry_csv_cell(row, at[WHEN])))
        return false;
    *setting = (struct ry_setting){
        .target = ry_csv_cell(row, at[FOR]),
        .name = expanded(r, ry_csv_cell(row, at[NAME])),
        .value = expanded(r, ry_csv_cell(row, at[VALUE])),
        .reason = expanded(r, ry_csv_cell(row, at[REASON])),
        .source = source,
    };
    return true;
}

enum ry_err ry_settings_read(struct ry_arena *arena, const char *path,
                             const struct ry_facts *facts, struct ry_problems *problems,
                             struct ry_settings *settings)
{
    struct ry_csv csv;
    size_t at[COLUMNS];

    RY_TRY(ry_csv_open(arena, path, problems, &csv));
    *settings = (struct ry_settings){.at = RY_NEW(arena, struct ry_setting, csv.n + 1)};
    if (!settings->at)
        return RY_ERR_NOMEM;
    if (!find_columns(&csv, problems, at))
        return RY_OK;
    for (size_t i = 0; i < csv.n; i++) {
        char where[160];
        (void)snprintf(where, sizeof(where), "%s:%u", path, csv.rows[i].line);
        const struct reader r = {arena, facts, problems, where};
        struct ry_setting *out = &settings->at[settings->n];
        if (!take_row(&r, &csv.rows[i], at, out))
            continue;
        if (!out->name || !out->value || !out->reason)
            return RY_ERR_NOMEM;
        settings->n++;
    }
    return RY_OK;
}
