/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sections.h"

#include "base/names.h"
#include "report/number.h"

#include <stdio.h>

const struct ry_column ry_figure_columns[] = {
    {.key = "figure", .title = "figure"},
    {.key = "value", .show = RY_SHOW_NUMBER},
    {.key = "shown", .title = "value"},
    {.key = "remark", .title = "remark", .wrap = true},
};

const struct ry_column ry_finding_columns[] = {
    {.key = "verdict", .title = "verdict"},
    {.key = "what", .title = "what"},
    {.key = "text", .title = "finding", .wrap = true},
};

void ry_figure(struct ry_arena *arena, struct ry_table *table, const char *name,
               double value, enum ry_show show, const char *remark)
{
    char text[RY_NUMBER_BYTES];
    const struct ry_currency *currency =
        show == RY_SHOW_USD ? ry_table_currency(table) : NULL;
    const char *shown =
        ry_strdup(arena, show == RY_SHOW_USD ? ry_number_money(currency, value, text)
                                             : ry_number_show(show, value, text));

    if (currency) {
        name = ry_table_money_key(table, name);
        value = ry_in_currency(currency, value);
    }
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(name), RY_NUM(value), RY_TEXT(shown),
                                           RY_TEXT(remark)});
}

const char *ry_money_said(struct ry_arena *arena, const struct ry_table *table,
                          double usd)
{
    char text[RY_NUMBER_BYTES];
    const char *said =
        ry_strdup(arena, ry_number_money(ry_table_currency(table), usd, text));

    return said ? said : "";
}

static const struct ry_column currency_columns[] = {
    {.key = "currency"},
    {.key = "usd_per_unit", .show = RY_SHOW_NUMBER},
    {.key = "rate_date"},
    {.key = "source"},
};

struct ry_table *ry_currency_table(struct ry_arena *arena,
                                   const struct ry_currency *currency)
{
    struct ry_table *table = ry_table_create(
        arena, currency_columns, sizeof(currency_columns) / sizeof(currency_columns[0]));

    if (currency)
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(currency->part.name),
                                               RY_NUM(currency->usd_per_unit),
                                               RY_TEXT(currency->rate_date),
                                               RY_TEXT(currency->part.source)});
    return table;
}

const char *ry_currency_said(struct ry_arena *arena, const struct ry_currency *currency)
{
    char rate[RY_CURRENCY_WHY_BYTES];
    const char *text = currency ? ry_strdup(arena, ry_currency_rate(currency, rate)) : "";

    return text ? text : "";
}

void ry_currency_note(struct ry_arena *arena, struct ry_table *findings,
                      const struct ry_currency *currency)
{
    if (!currency)
        return;
    const char *text =
        ry_strfmt(arena, "all money at %s", ry_currency_said(arena, currency));
    ry_finding(findings, false, "currency", text ? text : "");
}

void ry_finding(struct ry_table *table, bool fails, const char *what, const char *text)
{
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(fails ? "fails" : "note"),
                                           RY_TEXT(what), RY_TEXT(text)});
}

static void print_json(const struct ry_section sections[], size_t n)
{
    (void)printf("{\n");
    for (size_t i = 0; i < n; i++) {
        (void)printf("  \"%s\": ", sections[i].key);
        ry_table_print_json(sections[i].table, stdout, 2);
        (void)printf("%s\n", i + 1 < n ? "," : "");
    }
    (void)printf("}\n");
}

enum ry_err ry_sections_print(const struct ry_section sections[], size_t n,
                              enum ry_table_format format, struct ry_diag *diag)
{
    bool first = true;

    for (size_t i = 0; i < n; i++)
        if (!sections[i].table)
            return ry_fail(diag, RY_ERR_NOMEM, sections[i].key, "its table");
    if (format == RY_TABLE_JSON) {
        print_json(sections, n);
        return RY_OK;
    }
    if (!ry_table_for_people(format))
        return ry_table_print(sections[0].table, stdout, format, diag);
    for (size_t i = 0; i < n; i++) {
        if (!sections[i].title || ry_table_rows(sections[i].table) == 0)
            continue;
        (void)printf("%s%s\n", first ? "" : "\n", sections[i].title);
        RY_TRY(ry_table_print(sections[i].table, stdout, format, diag));
        first = false;
    }
    return RY_OK;
}
