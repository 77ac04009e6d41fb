/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/csv.h"

#include "base/names.h"
#include "io/file.h"

#include <csv.h>
#include <stdio.h>
#include <string.h>

struct reading {
    struct ry_arena *arena;
    struct ry_problems *problems;
    struct ry_csv *csv;
    size_t room;    /* of csv->rows */
    unsigned line;  /* being read */
    unsigned start; /* line where the row began */
    size_t cells;   /* of the row so far */
    const char *row[RY_CSV_COLUMNS_MOST];
    enum ry_err err;
};

static void wrong(struct reading *reading, enum ry_err code, const char *what)
{
    char where[160];

    if (reading->err != RY_OK)
        return;
    (void)snprintf(where, sizeof(where), "%s:%u", reading->csv->name, reading->line);
    ry_problem(reading->problems, code, where, "%s", what);
    reading->err = code;
}

static void take_cell(void *data, size_t bytes, void *ctx)
{
    struct reading *reading = ctx;

    if (reading->err != RY_OK)
        return;
    if (reading->cells == RY_CSV_COLUMNS_MOST) {
        wrong(reading, RY_ERR_RANGE, "more than 256 columns");
        return;
    }
    const char *cell = bytes > 0 ? ry_strdup(reading->arena, data) : "";
    if (!cell)
        wrong(reading, RY_ERR_NOMEM, "its cells");
    reading->row[reading->cells++] = cell;
}

static struct ry_csv_row *new_row(struct reading *reading)
{
    struct ry_csv *csv = reading->csv;

    if (!csv->header.cells)
        return &csv->header;
    if (csv->n == RY_CSV_ROWS_MOST) {
        wrong(reading, RY_ERR_RANGE, "more than 200000 rows");
        return NULL;
    }
    if (csv->n == reading->room) {
        const size_t room = reading->room ? 2 * reading->room : 64;
        struct ry_csv_row *rows = RY_NEW(reading->arena, struct ry_csv_row, room);
        if (!rows)
            return NULL;
        if (csv->n > 0)
            memcpy(rows, csv->rows, csv->n * sizeof(rows[0]));
        csv->rows = rows;
        reading->room = room;
    }
    return &csv->rows[csv->n++];
}

static void take_row(int end, void *ctx)
{
    struct reading *reading = ctx;

    (void)end;
    if (reading->err != RY_OK)
        return;
    const char **cells = RY_NEW(reading->arena, const char *, reading->cells + 1);
    struct ry_csv_row *row = cells ? new_row(reading) : NULL;
    if (row) {
        memcpy(cells, reading->row, reading->cells * sizeof(cells[0]));
        *row = (struct ry_csv_row){reading->start, reading->cells, cells};
    } else {
        wrong(reading, RY_ERR_NOMEM, "its rows");
    }
    reading->cells = 0;
}

/* A line at a time, because libcsv does not say where it is. */
static void feed(struct reading *reading, struct csv_parser *parser, const char *data,
                 size_t bytes)
{
    size_t at = 0;

    while (at < bytes && reading->err == RY_OK) {
        const char *end = memchr(data + at, '\n', bytes - at);
        const size_t n = end ? (size_t)(end - (data + at)) + 1 : bytes - at;
        if (reading->cells == 0 && !parser->entry_pos)
            reading->start = reading->line;
        if (csv_parse(parser, data + at, n, take_cell, take_row, reading) != n)
            wrong(reading, csv_error(parser) == CSV_EPARSE ? RY_ERR_SYNTAX : RY_ERR_NOMEM,
                  csv_error(parser) == CSV_EPARSE ? "a quote within a cell that is not "
                                                    "quoted, or text after a quoted cell"
                                                  : "its cells");
        at += n;
        reading->line++;
    }
    reading->line = reading->start;
    if (reading->err == RY_OK && csv_fini(parser, take_cell, take_row, reading) != 0)
        wrong(reading, RY_ERR_SYNTAX, "a quoted cell does not end");
}

static bool valid_text(struct reading *reading, const char *data, size_t bytes)
{
    unsigned line = 1;

    for (size_t i = 0; i < bytes;) {
        const size_t n = ry_utf8_bytes(data + i, bytes - i);
        if (n == 0 || data[i] == '\0') {
            reading->line = line;
            wrong(reading, RY_ERR_SYNTAX, n == 0 ? "invalid UTF-8" : "a NUL byte");
            return false;
        }
        line += data[i] == '\n';
        i += n;
    }
    return true;
}

static void check_header(struct reading *reading)
{
    const struct ry_csv_row *header = &reading->csv->header;

    reading->line = 1;
    if (reading->err == RY_OK && !header->cells)
        wrong(reading, RY_ERR_SYNTAX,
              "is empty, a header line with column names is wanted");
    if (reading->err == RY_OK && header->n == 1 && strchr(header->cells[0], ';'))
        wrong(reading, RY_ERR_SYNTAX, "columns stand between ';', save it with ','");
}

enum ry_err ry_csv_parse(struct ry_arena *arena, const char *name, const char *data,
                         size_t bytes, struct ry_problems *problems, struct ry_csv *csv)
{
    struct csv_parser parser;
    struct ry_csv read = {.name = ry_strdup(arena, name)};
    struct reading *reading = RY_NEW(arena, struct reading, 1);

    if (!read.name || !reading ||
        csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        ry_problem(problems, RY_ERR_NOMEM, name, "cannot read it");
        return RY_ERR_NOMEM;
    }
    *reading = (struct reading){
        .arena = arena, .problems = problems, .csv = &read, .line = 1, .start = 1};
    if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        bytes -= 3;
    }
    if (valid_text(reading, data, bytes))
        feed(reading, &parser, data, bytes);
    csv_free(&parser);
    check_header(reading);
    if (reading->err == RY_OK)
        *csv = read;
    return reading->err;
}

enum ry_err ry_csv_open(struct ry_arena *arena, const char *path,
                        struct ry_problems *problems, struct ry_csv *csv)
{
    struct ry_diag diag = {0};
    struct ry_text text = {0};
    struct ry_arena *scratch = ry_arena_create(0);

    enum ry_err err = scratch
                          ? ry_file_read(scratch, path, RY_CSV_BYTES_MOST, &text, &diag)
                          : ry_fail(&diag, RY_ERR_NOMEM, path, "cannot read it");
    if (err == RY_OK)
        err = ry_csv_parse(arena, path, text.data, text.bytes, problems, csv);
    else
        ry_problem_diag(problems, &diag);
    ry_arena_destroy(scratch);
    return err;
}

size_t ry_csv_column(const struct ry_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->header.n; i++)
        if (ry_name_eq(csv->header.cells[i], name))
            return i;
    return (size_t)-1;
}

const char *ry_csv_cell(const struct ry_csv_row *row, size_t column)
{
    return column < row->n ? row->cells[column] : "";
}
