/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rank_table.h"

#include "base/names.h"
#include "cli/plan_cases.h"
#include "io/strategy_file.h"
#include "search/remarks.h"

#include <string.h>

enum { STRATEGY_BYTES = 128 };

const char *ry_money_text(struct ry_arena *arena, const struct ry_money *money,
                          const struct ry_currency *in)
{
    char number[RY_NUMBER_BYTES];
    const char *text = NULL;

    if (money->unpriced == 0)
        text = ry_strfmt(arena, "%s%s", money->estimate_usd > 0.0 ? "~" : "",
                         ry_number_money(in, money->usd, number));
    else if (money->usd > 0.0)
        text = ry_strfmt(arena, ">= %s", ry_number_money(in, money->usd, number));
    else
        text = "no price";
    return text ? text : "";
}

const char *ry_days_text(struct ry_arena *arena, double days)
{
    char number[RY_NUMBER_BYTES];
    const bool short_run = days < 1.0; /* false of what is unknown */
    const char *text = ry_strdup(
        arena, short_run ? ry_number_show(RY_SHOW_SECONDS, days * 86400.0, number)
                         : ry_number_show(RY_SHOW_NUMBER, days, number));

    return text ? text : "";
}

double ry_part_shown_s(double part_s, double step_s)
{
    return part_s < 1e-9 * step_s ? 0.0 : part_s;
}

const struct ry_currency *ry_cases_currency(struct ry_case *const cases[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cases[i]->has_result)
            return cases[i]->site->catalog->shown;
    return NULL;
}

static struct ry_cell money_cell(struct ry_arena *arena, const struct ry_money *money,
                                 const struct ry_currency *in)
{
    return RY_NUM_AS(money->usd, ry_money_text(arena, money, in));
}

static struct ry_cell per_token_cell(struct ry_arena *arena, const struct ry_result *r,
                                     const struct ry_currency *in)
{
    struct ry_money money = r->tco;

    money.usd = r->usd_per_trillion_tokens;
    return money_cell(arena, &money, in);
}

/* By which rate money was converted; NULL: it is in dollars. */
static const char *rate_cell(struct ry_arena *arena, const struct ry_currency *in)
{
    char rate[RY_CURRENCY_WHY_BYTES];

    return in ? ry_strdup(arena, ry_currency_rate(in, rate)) : NULL;
}

static const char *strategy_cell(struct ry_arena *arena, const struct ry_strategy *s)
{
    char text[STRATEGY_BYTES];

    ry_strategy_text(s, text, sizeof(text));
    return ry_strdup(arena, text);
}

static const struct ry_column rank_columns[] = {
#define X(cell, ...) {__VA_ARGS__},
#include "cli/rank_columns.def"
#undef X
};
enum { RANK_COLUMNS = sizeof(rank_columns) / sizeof(rank_columns[0]) };

#define SPREAD(name, unit, how)                                                          \
    {.key = name "_p10" unit, .show = (how)}, {.key = name "_p50" unit, .show = (how)},  \
    {                                                                                    \
        .key = name "_p90" unit, .show = (how)                                           \
    }

static const struct ry_column confidence_columns[] = {
    SPREAD("step_time", "_s", RY_SHOW_SECONDS),
    SPREAD("capex", "_usd", RY_SHOW_USD),
    SPREAD("tco", "_usd", RY_SHOW_USD),
    SPREAD("usd_per_trillion_tokens", "", RY_SHOW_USD),
    SPREAD("days", "", RY_SHOW_NUMBER),
    SPREAD("objective", "", RY_SHOW_NUMBER),
    {.key = "best_in_frac", .title = "best in", .show = RY_SHOW_FRACTION},
    {.key = "beats_next_frac", .title = "beats next", .show = RY_SHOW_FRACTION},
    {.key = "told_apart_from_next", .show = RY_SHOW_BOOL},
};
enum { CONFIDENCE_COLUMNS = sizeof(confidence_columns) / sizeof(confidence_columns[0]) };

static const struct ry_column front_columns[] = {
    {.key = "on_front", .show = RY_SHOW_BOOL},
    {.key = "front", .title = "Pareto", .less = 2},
};
enum { FRONT_COLUMNS = sizeof(front_columns) / sizeof(front_columns[0]) };
enum { ALL_COLUMNS = RANK_COLUMNS + CONFIDENCE_COLUMNS + FRONT_COLUMNS };

static void confidence_cells(const struct ry_confidence *of, struct ry_cell cells[])
{
    for (size_t m = 0; m < RY_METRICS; m++) {
        cells[3 * m] = RY_NUM(of ? of->of[m].p10 : (double)NAN);
        cells[3 * m + 1] = RY_NUM(of ? of->of[m].p50 : (double)NAN);
        cells[3 * m + 2] = RY_NUM(of ? of->of[m].p90 : (double)NAN);
    }
    struct ry_cell *rest = cells + 3 * (size_t)RY_METRICS;
    rest[0] = RY_NUM(of ? of->best_in_frac : (double)NAN);
    rest[1] = RY_NUM(of ? of->beats_next_frac : (double)NAN);
    rest[2] = RY_NUM(of && !isnan(of->beats_next_frac) ? !ry_confidence_is_open(of)
                                                       : (double)NAN);
}

static void front_cells(const struct ry_rank_more *more, struct ry_cell cells[])
{
    cells[0] = RY_NUM(more->stand ? more->stand->front : (double)NAN);
    cells[1] = RY_TEXT(more->stand_text);
}

static const char *remarks_cell(struct ry_arena *arena, const struct ry_case *c)
{
    char text[RY_REMARKS_BYTES];

    ry_case_remarks(c, text);
    return text[0] != '\0' ? ry_strdup(arena, text) : NULL;
}

/* Cells of the columns of a ranking, without what is said more. */
static void rank_cells(struct ry_arena *arena, const struct ry_case *c, size_t place,
                       struct ry_cell out[])
{
    const struct ry_result *r = c->has_result ? &c->result : NULL;
    const struct ry_bill *bill = r ? &c->site->bill : NULL;
    const struct ry_currency *in = r ? c->site->catalog->shown : NULL;
    const enum ry_objective by = c->chosen ? c->objective : RY_BY_STEP_TIME;
#define R(field) (r ? RY_NUM(r->field) : RY_NUM(NAN))
#define GROUP(code) (bill ? money_cell(arena, &bill->group[code], in) : RY_NUM(NAN))
#define X(cell, ...) cell,
    const struct ry_cell cells[] = {
#include "cli/rank_columns.def"
    };
#undef X
#undef R
#undef GROUP

    memcpy(out, cells, sizeof(cells));
}

/* Places of a workload begin at 1; its cases follow each other. */
static size_t next_place(struct ry_case *const cases[], size_t i, size_t place)
{
    return i > 0 && cases[i]->workload == cases[i - 1]->workload ? place + 1 : 1;
}

struct ry_table *ry_rank_table(struct ry_arena *arena, struct ry_case *const cases[],
                               size_t n)
{
    struct ry_table *table = ry_table_in(
        ry_table_create(arena, rank_columns, RANK_COLUMNS), ry_cases_currency(cases, n));
    struct ry_cell cells[RANK_COLUMNS];
    size_t place = 0;

    for (size_t i = 0; i < n; i++) {
        place = next_place(cases, i, place);
        rank_cells(arena, cases[i], place, cells);
        ry_table_row(table, cells);
    }
    return table;
}

struct ry_table *ry_rank_table_more(struct ry_arena *arena, struct ry_case *const cases[],
                                    const struct ry_rank_more more[], size_t n,
                                    const bool asked[2])
{
    struct ry_column *columns = RY_NEW(arena, struct ry_column, ALL_COLUMNS);
    struct ry_cell cells[ALL_COLUMNS];
    size_t place = 0;
    const size_t front = RANK_COLUMNS + (asked[0] ? (size_t)CONFIDENCE_COLUMNS : 0);
    const size_t all = front + (asked[1] ? (size_t)FRONT_COLUMNS : 0);

    if (!columns)
        return NULL;
    memcpy(columns, rank_columns, sizeof(rank_columns));
    if (asked[0])
        memcpy(columns + RANK_COLUMNS, confidence_columns, sizeof(confidence_columns));
    if (asked[1])
        memcpy(columns + front, front_columns, sizeof(front_columns));
    struct ry_table *table =
        ry_table_in(ry_table_create(arena, columns, all), ry_cases_currency(cases, n));
    for (size_t i = 0; i < n; i++) {
        place = next_place(cases, i, place);
        rank_cells(arena, cases[i], place, cells);
        if (asked[0])
            confidence_cells(more[i].confidence, cells + RANK_COLUMNS);
        if (asked[1])
            front_cells(&more[i], cells + front);
        ry_table_row(table, cells);
    }
    return table;
}

struct ry_table *ry_parts_table(struct ry_arena *arena, const struct ry_step *step)
{
    static const struct ry_column columns[] = {
        {.key = "part", .title = "part"},
        {.key = "key"},
        {.key = "time_s", .title = "time", .show = RY_SHOW_SECONDS},
        {.key = "share_frac", .title = "share", .show = RY_SHOW_FRACTION},
        {.key = "hidden_s", .title = "hidden behind compute", .show = RY_SHOW_SECONDS},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));

    for (int i = 0; i < RY_PARTS; i++) {
        const enum ry_step_part part = (enum ry_step_part)i;
        const double time_s = ry_part_shown_s(step->part_s[i], step->step_time_s);
        const double hidden_s = ry_part_shown_s(step->hidden_s[i], step->step_time_s);
        if (time_s == 0.0 && hidden_s == 0.0)
            continue;
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(ry_part_text(part)), RY_TEXT(ry_part_key(part)),
                                RY_NUM(time_s), RY_NUM(time_s / step->step_time_s),
                                hidden_s > 0.0 ? RY_NUM(hidden_s) : RY_NUM_AS(0.0, "")});
    }
    ry_table_row(table, (struct ry_cell[]){RY_TEXT("step"), RY_TEXT("step_time_s"),
                                           RY_NUM(step->step_time_s), RY_NUM(1.0),
                                           RY_NUM_AS(0.0, "")});
    return table;
}

struct ry_table *ry_memory_table(struct ry_arena *arena, const struct ry_step *step)
{
    static const struct ry_column columns[] = {
        {.key = "part", .title = "memory of a GPU"},
        {.key = "key"},
        {.key = "bytes", .title = "size", .show = RY_SHOW_BYTES},
        {.key = "share_frac", .title = "of usable", .show = RY_SHOW_FRACTION},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));

    for (int i = 0; i < RY_MEMORY_PARTS; i++) {
        const enum ry_memory_part part = (enum ry_memory_part)i;
        ry_table_row(table,
                     (struct ry_cell[]){
                         RY_TEXT(ry_memory_part_text(part)),
                         RY_TEXT(ry_memory_part_key(part)), RY_NUM(step->memory_bytes[i]),
                         RY_NUM(step->memory_bytes[i] / step->usable_bytes)});
    }
    ry_table_row(table,
                 (struct ry_cell[]){RY_TEXT("peak"), RY_TEXT("peak_bytes"),
                                    RY_NUM(step->peak_bytes),
                                    RY_NUM(step->peak_bytes / step->usable_bytes)});
    ry_table_row(table, (struct ry_cell[]){RY_TEXT("usable"), RY_TEXT("usable_bytes"),
                                           RY_NUM(step->usable_bytes), RY_NUM(1.0)});
    return table;
}
