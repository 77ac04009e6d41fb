/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include "base/names.h"
#include "report/table_rows.h"

#include <string.h>

struct ry_table *ry_table_create(struct ry_arena *arena, const struct ry_column *columns,
                                 size_t n)
{
    struct ry_table *table = RY_NEW(arena, struct ry_table, 1);

    if (table) {
        table->arena = arena;
        table->columns = columns;
        table->n = n;
    }
    return table;
}

/* "total_usd" is "total_eur": the word for dollars in a key or title. */
static const char *renamed(struct ry_arena *arena, const char *text, const char *word,
                           const char *code)
{
    const char *at = text ? strstr(text, word) : NULL;
    const char *made = text;

    if (at)
        made =
            ry_strfmt(arena, "%.*s%s%s", (int)(at - text), text, code, at + strlen(word));
    return made ? made : text;
}

const char *ry_table_money_key(const struct ry_table *table, const char *key)
{
    char code[RY_NUMBER_BYTES] = "";

    if (!table || !table->currency)
        return key;
    for (size_t i = 0; i + 1 < sizeof(code) && table->currency->part.name[i] != '\0'; i++)
        code[i] = (char)(table->currency->part.name[i] | 0x20);
    return renamed(table->arena, key, "usd", code);
}

struct ry_table *ry_table_in(struct ry_table *table, const struct ry_currency *currency)
{
    if (!table || !currency)
        return table;
    struct ry_column *columns = RY_NEW(table->arena, struct ry_column, table->n + 1);
    if (!columns)
        return NULL;
    table->currency = currency;
    for (size_t i = 0; i < table->n; i++) {
        columns[i] = table->columns[i];
        if (columns[i].show != RY_SHOW_USD)
            continue;
        columns[i].currency = currency;
        columns[i].key = ry_table_money_key(table, columns[i].key);
        columns[i].title =
            renamed(table->arena, columns[i].title, "USD", currency->part.name);
        columns[i].title =
            renamed(table->arena, columns[i].title, "$", currency->part.name);
    }
    table->columns = columns;
    return table;
}

const struct ry_currency *ry_table_currency(const struct ry_table *table)
{
    return table ? table->currency : NULL;
}

void ry_table_row(struct ry_table *table, const struct ry_cell cells[])
{
    if (!table)
        return;
    struct ry_row *row = ry_arena_alloc(
        table->arena, 1, sizeof(struct ry_row) + table->n * sizeof(struct ry_cell));
    if (!row) {
        table->failed = true;
        return;
    }
    memcpy(row->cells, cells, table->n * sizeof(cells[0]));
    for (size_t i = 0; table->currency && i < table->n; i++)
        if (table->columns[i].show == RY_SHOW_USD)
            row->cells[i].number = ry_in_currency(table->currency, cells[i].number);
    if (table->last)
        table->last->next = row;
    else
        table->first = row;
    table->last = row;
    table->rows++;
}

size_t ry_table_rows(const struct ry_table *table)
{
    return table ? table->rows : 0;
}

const struct ry_column *ry_table_columns(const struct ry_table *table, size_t *n)
{
    *n = table->n;
    return table->columns;
}

void ry_table_each(const struct ry_table *table,
                   void (*visit)(const struct ry_cell cells[], void *ctx), void *ctx)
{
    for (const struct ry_row *row = table->first; row; row = row->next)
        visit(row->cells, ctx);
}

const char *ry_cell_seen(const struct ry_column *column, const struct ry_cell *cell,
                         char text[RY_NUMBER_BYTES])
{
    if (cell->text)
        return cell->text;
    if (column->currency) /* the row is converted already */
        return ry_number_money(column->currency,
                               cell->number * column->currency->usd_per_unit, text);
    return column->show == RY_SHOW_TEXT
               ? ""
               : ry_number_show(column->show, cell->number, text);
}
