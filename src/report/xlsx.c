/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/xlsx.h"

#include "io/outfile.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>
#include <xlsxwriter.h>

enum { WIDTH_LEAST = 10, WIDTH_MOST = 60 };

struct writing {
    lxw_worksheet *sheet;
    const struct ry_column *columns;
    size_t n;
    lxw_row_t row;
    lxw_error error;
};

static void keep_first(struct writing *w, lxw_error error)
{
    if (w->error == LXW_NO_ERROR)
        w->error = error;
}

static void write_row(const struct ry_cell cells[], void *ctx)
{
    struct writing *w = ctx;

    for (size_t i = 0; i < w->n; i++) {
        const lxw_col_t column = (lxw_col_t)i;
        if (w->columns[i].show == RY_SHOW_TEXT)
            keep_first(w,
                       worksheet_write_string(w->sheet, w->row, column,
                                              cells[i].text ? cells[i].text : "", NULL));
        else if (isfinite(cells[i].number))
            keep_first(w, worksheet_write_number(w->sheet, w->row, column,
                                                 cells[i].number, NULL));
        else if (cells[i].text)
            keep_first(
                w, worksheet_write_string(w->sheet, w->row, column, cells[i].text, NULL));
    }
    w->row++;
}

static lxw_error add_sheet(lxw_workbook *book, lxw_format *bold,
                           const struct ry_sheet *from)
{
    struct writing w = {.sheet = workbook_add_worksheet(book, from->name), .row = 1};

    if (!w.sheet)
        return LXW_ERROR_MEMORY_MALLOC_FAILED;
    w.columns = ry_table_columns(from->table, &w.n);
    for (size_t i = 0; i < w.n; i++) {
        const size_t width = strlen(w.columns[i].key) + 2;
        keep_first(
            &w, worksheet_write_string(w.sheet, 0, (lxw_col_t)i, w.columns[i].key, bold));
        keep_first(&w, worksheet_set_column(w.sheet, (lxw_col_t)i, (lxw_col_t)i,
                                            (double)(width < WIDTH_LEAST  ? WIDTH_LEAST
                                                     : width > WIDTH_MOST ? WIDTH_MOST
                                                                          : width),
                                            NULL));
    }
    worksheet_freeze_panes(w.sheet, 1, 0);
    ry_table_each(from->table, write_row, &w);
    return w.error;
}

static lxw_error write_book(const char *path, const struct ry_sheet sheets[], size_t n)
{
    lxw_workbook *book = workbook_new(path);
    lxw_error error = LXW_NO_ERROR;

    if (!book)
        return LXW_ERROR_MEMORY_MALLOC_FAILED;
    lxw_format *bold = workbook_add_format(book);
    if (bold)
        format_set_bold(bold);
    for (size_t i = 0; i < n && error == LXW_NO_ERROR; i++)
        error = add_sheet(book, bold, &sheets[i]);
    const lxw_error closed = workbook_close(book);
    return error == LXW_NO_ERROR ? closed : error;
}

enum ry_err ry_xlsx_write(const char *path, const struct ry_sheet sheets[], size_t n,
                          struct ry_diag *diag)
{
    struct ry_outfile out;

    for (size_t i = 0; i < n; i++)
        if (!sheets[i].table || sheets[i].table->failed)
            return ry_fail(diag, RY_ERR_NOMEM, path, "a table");
    RY_TRY(ry_outfile_open(&out, path, diag));
    if (!out.temp) { /* a pipe or device: a workbook is written by seeking */
        ry_outfile_abort(&out);
        return ry_fail(diag, RY_ERR_IO, path, "a workbook needs a file");
    }
    const lxw_error error = write_book(out.temp, sheets, n);
    if (error != LXW_NO_ERROR) {
        ry_outfile_abort(&out);
        return ry_fail(diag, RY_ERR_IO, path, "%s", lxw_strerror(error));
    }
    return ry_outfile_commit(&out, diag);
}
