/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include "base/names.h"
#include "report/table_fit.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_LEAST = 20, WIDTH_MOST = 10000 };

struct row {
    struct row *next;
    struct ry_cell cells[];
};

struct ry_table {
    struct ry_arena *arena;
    const struct ry_column *columns;
    size_t n;
    size_t rows;
    struct row *first;
    struct row *last;
    bool failed; /* a row did not fit into memory */
    const struct ry_currency *currency; /* of its columns of money; NULL: dollars */
};

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
        made = ry_strfmt(arena, "%.*s%s%s", (int)(at - text), text, code, at + strlen(word));
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
        columns[i].title = renamed(table->arena, columns[i].title, "USD", currency->part.name);
        columns[i].title = renamed(table->arena, columns[i].title, "$", currency->part.name);
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
    struct row *row = ry_arena_alloc(
        table->arena, 1, sizeof(struct row) + table->n * sizeof(struct ry_cell));
    if (!row) {
        table->failed = true;
        return;
    }
    memcpy(row->cells, cells, table->n * sizeof(cells[0]));
    for (size_t i = 0; table->currency && i < table->n; i++) {
        if (table->columns[i].show == RY_SHOW_USD)
            row->cells[i].number = ry_in_currency(table->currency, cells[i].number);
    }
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
    for (const struct row *row = table->first; row; row = row->next)
        visit(row->cells, ctx);
}

/* ------------------------------------------------------------------ people */

const char *ry_cell_seen(const struct ry_column *column, const struct ry_cell *cell,
                         char text[RY_NUMBER_BYTES])
{
    if (cell->text)
        return cell->text;
    if (column->currency) /* the row is converted already */
        return ry_number_money(column->currency,
                               cell->number * column->currency->usd_per_unit, text);
    return column->show == RY_SHOW_TEXT ? ""
                                        : ry_number_show(column->show, cell->number, text);
}

size_t ry_terminal_width(FILE *out)
{
    const char *text = getenv("COLUMNS");
    char *end = NULL;
    const unsigned long given = text ? strtoul(text, &end, 10) : 0;
    struct winsize window = {0};

    if (given >= WIDTH_LEAST && given <= WIDTH_MOST && *end == '\0')
        return given;
    if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &window) != 0 ||
        window.ws_col < WIDTH_LEAST)
        return 0;
    return window.ws_col;
}

static bool add_columns(struct libscols_table *drawn, const struct ry_table *table,
                        const struct ry_table_fit *fit, bool colour)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct ry_column *column = &table->columns[i];
        if (fit->width[i] == 0)
            continue;
        const bool text = column->show == RY_SHOW_TEXT;
        struct libscols_column *made = scols_table_new_column(
            drawn, column->title, (double)fit->width[i],
            text ? SCOLS_FL_WRAP : SCOLS_FL_RIGHT);
        if (!made)
            return false;
        if (text && (scols_column_set_safechars(made, "\n") != 0 ||
                     scols_column_set_wrapfunc(made, scols_wrapnl_chunksize,
                                               scols_wrapnl_nextchunk, NULL) != 0))
            return false;
        if (colour)
            (void)scols_cell_set_color(scols_column_get_header(made), "bold");
    }
    return true;
}

static bool add_line(struct libscols_table *drawn, const struct ry_table *table,
                     const struct ry_table_fit *fit, const struct row *row)
{
    char text[RY_NUMBER_BYTES];
    size_t shown = 0;
    struct libscols_line *line = scols_table_new_line(drawn, NULL);

    for (size_t i = 0; line && i < table->n; i++) {
        if (fit->width[i] == 0)
            continue;
        const char *value = ry_cell_seen(&table->columns[i], &row->cells[i], text);
        if (table->columns[i].show == RY_SHOW_TEXT && !fit->all)
            value = ry_text_folded(table->arena, value, fit->width[i]);
        if (!value || scols_line_set_data(line, shown++, value) != 0)
            return false;
    }
    return line != NULL;
}

/* "left out at 80 columns: racks, days" */
static void name_left_out(const struct ry_table *table, const struct ry_table_fit *fit,
                          size_t width, FILE *out)
{
    const char *comma = "";

    for (size_t i = 0; i < table->n; i++) {
        if (!table->columns[i].title || fit->width[i] > 0)
            continue;
        if (*comma == '\0')
            (void)fprintf(out, "left out at %zu columns:", width);
        (void)fprintf(out, "%s %s", comma, table->columns[i].title);
        comma = ",";
    }
    if (*comma != '\0')
        (void)fputc('\n', out);
}

static bool draw_table(struct libscols_table *drawn, const struct ry_table *table,
                       FILE *out)
{
    const char *no_colour = getenv("NO_COLOR");
    const bool colour = isatty(fileno(out)) && (!no_colour || no_colour[0] == '\0');
    const size_t width = ry_terminal_width(out);
    struct ry_table_fit fit;

    if (ry_table_fit(table->arena, table, width > 0 ? width : SIZE_MAX, &fit) != RY_OK)
        return false;
    (void)scols_table_set_stream(drawn, out);
    (void)scols_table_set_termforce(drawn, SCOLS_TERMFORCE_NEVER);
    (void)scols_table_enable_colors(drawn, colour);
    if (!add_columns(drawn, table, &fit, colour))
        return false;
    for (const struct row *row = table->first; row; row = row->next) {
        if (!add_line(drawn, table, &fit, row))
            return false;
    }
    if (scols_print_table(drawn) != 0)
        return false;
    name_left_out(table, &fit, width, out);
    return true;
}

/* Widths of characters come from the locale of this thread: UTF-8 whatever the user's
 * is, so that the same table is the same bytes everywhere. */
static bool draw(const struct ry_table *table, FILE *out)
{
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    struct libscols_table *drawn = scols_new_table();

    const bool good = drawn && draw_table(drawn, table, out);
    scols_unref_table(drawn);
    if (utf8) {
        (void)uselocale(before);
        freelocale(utf8);
    }
    return good;
}

/* --------------------------------------------------------------------- CSV */

static bool is_formula(const char *text)
{
    return text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL;
}

static void put_csv_text(FILE *out, const char *text)
{
    const bool quote = is_formula(text) || strpbrk(text, ",\"\r\n") != NULL;

    if (!quote) {
        (void)fputs(text, out);
        return;
    }
    (void)fputs(is_formula(text) ? "\"'" : "\"", out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

static void put_csv_cell(FILE *out, const struct ry_column *column,
                         const struct ry_cell *cell)
{
    char text[RY_NUMBER_BYTES];

    if (column->show == RY_SHOW_TEXT)
        put_csv_text(out, cell->text ? cell->text : "");
    else if (column->show == RY_SHOW_BOOL && !isnan(cell->number))
        (void)fputs(cell->number != 0.0 ? "true" : "false", out);
    else if (isfinite(cell->number))
        (void)fputs(ry_number_exact(cell->number, text), out);
}

static void print_csv(const struct ry_table *table, FILE *out)
{
    for (size_t i = 0; i < table->n; i++) {
        (void)fputs(i ? "," : "", out);
        put_csv_text(out, table->columns[i].key);
    }
    (void)fputs("\r\n", out);
    for (const struct row *row = table->first; row; row = row->next) {
        for (size_t i = 0; i < table->n; i++) {
            (void)fputs(i ? "," : "", out);
            put_csv_cell(out, &table->columns[i], &row->cells[i]);
        }
        (void)fputs("\r\n", out);
    }
}

/* -------------------------------------------------------------------- JSON */

static void put_json_cell(FILE *out, const struct ry_column *column,
                          const struct ry_cell *cell)
{
    if (column->show == RY_SHOW_TEXT)
        ry_json_put_text(out, cell->text);
    else if (column->show == RY_SHOW_BOOL && !isnan(cell->number))
        (void)fputs(cell->number != 0.0 ? "true" : "false", out);
    else
        ry_json_put_number(out, cell->number);
}

void ry_table_print_json(const struct ry_table *table, FILE *out, int indent)
{
    (void)fputc('[', out);
    for (const struct row *row = table->first; row; row = row->next) {
        (void)fprintf(out, "%s\n%*s{", row == table->first ? "" : ",", indent + 2, "");
        for (size_t i = 0; i < table->n; i++) {
            (void)fputs(i ? ", " : "", out);
            ry_json_put_text(out, table->columns[i].key);
            (void)fputs(": ", out);
            put_json_cell(out, &table->columns[i], &row->cells[i]);
        }
        (void)fputc('}', out);
    }
    if (table->first)
        (void)fprintf(out, "\n%*s", indent, "");
    (void)fputc(']', out);
}

enum ry_err ry_table_print(const struct ry_table *table, FILE *out,
                           enum ry_table_format format, struct ry_diag *diag)
{
    bool drawn = true;

    if (!table || table->failed)
        return ry_fail(diag, RY_ERR_NOMEM, "table", "its rows do not fit");
    switch (format) {
    case RY_TABLE_HUMAN:
        drawn = table->rows == 0 || draw(table, out);
        break;
    case RY_TABLE_JSON:
        ry_table_print_json(table, out, 0);
        (void)fputc('\n', out);
        break;
    case RY_TABLE_CSV:
        print_csv(table, out);
        break;
    }
    if (!drawn)
        return ry_fail(diag, RY_ERR_NOMEM, "table", "cannot be laid out");
    return ferror(out) ? ry_fail(diag, RY_ERR_IO, "output", "cannot write") : RY_OK;
}
