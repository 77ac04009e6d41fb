/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rccl-tests CSV.  Builds with MPI print one value more than the header has names: the
 * header lacks "nodes", so columns are told by how many values a row has. */
#include "io/bench_draft.h"

#include <csv.h>
#include <math.h>
#include <string.h>

enum { FIELDS_MOST = 24, NAME_BYTES = 24 };

struct table {
    struct ry_bench_draft *draft;
    char names[FIELDS_MOST + 1][NAME_BYTES];
    size_t n_names;
    const char *fields[FIELDS_MOST];
    size_t n;
    size_t line;
    bool nodes_lacking;
};

static void end_field(void *bytes, size_t n, void *data)
{
    struct table *table = data;

    if (table->n < FIELDS_MOST)
        table->fields[table->n] =
            ry_slice_dup(table->draft->arena, (struct ry_slice){bytes, n});
    table->draft->out_of_memory |=
        table->n < FIELDS_MOST && table->fields[table->n] == NULL;
    table->n++;
}

static void take_names(struct table *table)
{
    table->n_names = table->n;
    for (size_t i = 0; i < table->n; i++) {
        const size_t n = strlen(table->fields[i]);
        for (size_t k = 0; k < n && k + 1 < NAME_BYTES; k++) {
            const char c = table->fields[i][k];
            table->names[i][k] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
    }
}

static const char *field(const struct table *table, const char *name)
{
    const bool shifted = table->n == table->n_names + 1;

    if (shifted && strcmp(name, "nodes") == 0)
        return table->fields[2];
    for (size_t i = 0; i < table->n_names; i++)
        if (strcmp(table->names[i], name) == 0)
            return table->fields[shifted && i >= 2 ? i + 1 : i];
    return NULL;
}

static double figure(const struct table *table, const char *name, double *half)
{
    const char *text = field(table, name);
    struct ry_printed number;

    if (!text || !ry_slice_number((struct ry_slice){text, strlen(text)}, &number) ||
        text[number.used] != '\0')
        return RY_UNKNOWN;
    if (half)
        *half = number.half_ulp;
    return number.value;
}

static const char *word(const struct table *table, const char *name)
{
    const char *text = field(table, name);
    return text && text[0] != '\0' ? text : NULL;
}

static struct ry_draft_run *run_of_row(struct table *table)
{
    const char *name = word(table, "collective");
    const char *collective =
        name ? ry_bench_collective((struct ry_slice){name, strlen(name)}) : NULL;
    const double each = figure(table, "gpusperrank", NULL);
    double ranks = figure(table, "ranks", NULL) * (each > 0.0 ? each : 1.0);
    double nodes = figure(table, "nodes", NULL);
    struct ry_draft_run *run = table->draft->last;

    if (!collective)
        collective = name;
    if (isnan(ranks)) {
        ranks = figure(table, "gpus", NULL);
        nodes = isnan(nodes) ? 1.0 : nodes; /* built without MPI: one process */
    }
    const double per_node = figure(table, "rankspernode", NULL);
    if (isnan(nodes) && per_node > 0.0)
        nodes = figure(table, "ranks", NULL) / per_node;
    if (run && run->run.ranks == ranks && run->run.collective && collective &&
        strcmp(run->run.collective, collective) == 0)
        return run;
    run = ry_draft_add_run(table->draft, "rccl-tests CSV", table->line);
    run->run.collective = collective;
    run->run.ranks = ranks;
    run->run.nodes = nodes;
    return run;
}

static void add_record(struct table *table)
{
    struct ry_draft_run *run = run_of_row(table);
    struct ry_draft_row *row = ry_draft_add_row(table->draft, run, table->line);
    double time_half = RY_UNKNOWN;

    row->row.bytes = figure(table, "size", NULL);
    row->row.dtype = word(table, "type");
    row->row.redop = word(table, "redop");
    row->row.place = figure(table, "inplace", NULL) == 1.0 ? RY_PLACE_IN : RY_PLACE_OUT;
    row->row.time_s = figure(table, "time", &time_half) / 1e6;
    row->row.algbw_bytes_per_s = figure(table, "algbw", &row->algbw_half) * 1e9;
    row->row.busbw_bytes_per_s = figure(table, "busbw", &row->busbw_half) * 1e9;
    row->algbw_half *= 1e9;
    row->busbw_half *= 1e9;
    row->row.wrong = figure(table, "#wrong", NULL);
    if (isnan(row->row.wrong))
        row->row.wrong = figure(table, "wrong", NULL);
    if (row->row.wrong > 0.0)
        ry_draft_spoil(
            row, ry_draft_text(table->draft, "%.0f wrong elements", row->row.wrong));
    const double rate = row->row.bytes / row->row.time_s;
    const double spread =
        1.02 * (row->algbw_half + rate * time_half / 1e6 / row->row.time_s);
    if (!(fabs(rate - row->row.algbw_bytes_per_s) <= spread + 1e-3 * rate))
        ry_draft_spoil(row, "time does not give the bandwidth of the row");
}

static void end_record(int terminator, void *data)
{
    struct table *table = data;

    table->line++;
    if (table->draft->out_of_memory)
        return;
    if (table->n_names == 0) {
        if (table->n > 6 && table->n <= FIELDS_MOST)
            take_names(table);
    } else if (table->n == table->n_names || table->n == table->n_names + 1)
        add_record(table);
    else if (table->n > 1)
        ry_draft_note(table->draft, table->line, "%zu values%s: not read", table->n,
                      terminator == -1 ? ", the file ends inside the row" : "");
    table->n = 0;
}

static bool has_header(struct ry_slice all)
{
    const struct ry_slice start = {all.at, all.n < 4096 ? all.n : 4096};

    return (ry_slice_find(start, "numCycle,") || ry_slice_find(start, "\"numCycle\"")) &&
           (ry_slice_find(start, "busbw") || ry_slice_find(start, "busBw"));
}

bool ry_bench_read_rccl_csv(struct ry_bench_draft *draft, struct ry_slice all)
{
    struct csv_parser parser;

    if (!has_header(all))
        return false;
    struct table *table = RY_NEW(draft->arena, struct table, 1);
    if (!table || csv_init(&parser, 0) != 0) {
        draft->out_of_memory = true;
        return false;
    }
    table->draft = draft;
    const char *begin = ry_slice_find(all, "numCycle");
    if (begin > all.at && begin[-1] == '"')
        begin--;
    const size_t bytes = all.n - (size_t)(begin - all.at);
    if (csv_parse(&parser, begin, bytes, end_field, end_record, table) != bytes ||
        csv_fini(&parser, end_field, end_record, table) != 0)
        draft->out_of_memory = true; /* not strict: nothing else stops it */
    csv_free(&parser);
    return draft->n_rows > 0;
}
