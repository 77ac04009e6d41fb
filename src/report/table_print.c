/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include "report/table_fit.h"
#include "report/table_rows.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_LEAST = 20, WIDTH_MOST = 10000 };

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

/* ------------------------------------------------------------------ people */

static bool add_columns(struct libscols_table *drawn, const struct ry_table *table,
                        const struct ry_table_fit *fit, bool colour)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct ry_column *column = &table->columns[i];
        if (fit->width[i] == 0)
            continue;
        const bool text = column->show == RY_SHOW_TEXT;
        struct libscols_column *made =
            scols_table_new_column(drawn, column->title, (double)fit->width[i],
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
                     const struct ry_table_fit *fit, const struct ry_row *row)
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
    for (const struct ry_row *row = table->first; row; row = row->next)
        if (!add_line(drawn, table, &fit, row))
            return false;
    if (scols_print_table(drawn) != 0)
        return false;
    name_left_out(table, &fit, width, out);
    return true;
}

/* Widths of characters come from the locale of this thread: UTF-8 whatever the user's
 * is, so that the same table is the same bytes everywhere. */
bool ry_table_put_human(const struct ry_table *table, FILE *out)
{
    if (table->rows == 0)
        return true;
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

bool ry_table_put_csv(const struct ry_table *table, FILE *out)
{
    for (size_t i = 0; i < table->n; i++) {
        (void)fputs(i ? "," : "", out);
        put_csv_text(out, table->columns[i].key);
    }
    (void)fputs("\r\n", out);
    for (const struct ry_row *row = table->first; row; row = row->next) {
        for (size_t i = 0; i < table->n; i++) {
            (void)fputs(i ? "," : "", out);
            put_csv_cell(out, &table->columns[i], &row->cells[i]);
        }
        (void)fputs("\r\n", out);
    }
    return true;
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

/* Within a document the rest goes on; the status of the program says it. */
static bool lost;

bool ry_table_lost(void)
{
    return lost;
}

void ry_table_print_json(const struct ry_table *table, FILE *out, int indent)
{
    if (!table || table->failed) {
        lost = true;
        (void)fputs("null", out);
        return;
    }
    (void)fputc('[', out);
    for (const struct ry_row *row = table->first; row; row = row->next) {
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

bool ry_table_put_json(const struct ry_table *table, FILE *out)
{
    ry_table_print_json(table, out, 0);
    (void)fputc('\n', out);
    return true;
}

/* --------------------------------------------------------------------- all */

static const struct {
    bool (*put)(const struct ry_table *table, FILE *out);
    bool people;
} formats[] = {
#define X(code, name, put, people) [code] = {put, people},
#include "report/formats.def"
#undef X
};

bool ry_table_for_people(enum ry_table_format format)
{
    return formats[format].people;
}

enum ry_err ry_table_print(const struct ry_table *table, FILE *out,
                           enum ry_table_format format, struct ry_diag *diag)
{
    if (!table || table->failed)
        return ry_fail(diag, RY_ERR_NOMEM, "table", "its rows do not fit");
    if (!formats[format].put(table, out))
        return ry_fail(diag, RY_ERR_NOMEM, "table", "cannot be laid out");
    return ferror(out) ? ry_fail(diag, RY_ERR_IO, "output", "cannot write") : RY_OK;
}
