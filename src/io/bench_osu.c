/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_draft.h"

#include <math.h>
#include <string.h>

/* What the sizes of an OSU collective count (osu_*.c of release 7): one rank's block, or
 * the whole buffer as in nccl-tests. */
static const struct {
    const char *title; /* after "OSU MPI[-CUDA] " */
    const char *collective;
    bool size_is_a_block;
} tests[] = {
    {"Allreduce", "all_reduce", false},
    {"Allgather", "all_gather", true},
    {"Reduce_scatter", "reduce_scatter", false},
    {"Alltoall", "alltoall", true},
    {"All-to-All", "alltoall", true},
    {"Broadcast", "broadcast", false},
    {"Bcast", "broadcast", false},
    {"Reduce", "reduce", false},
    {"Gather", "gather", true},
    {"Scatter", "scatter", true},
    {"Barrier", "barrier", false},
    {"Bi-Directional", "sendrecv", false},
    {"Multiple Bandwidth", "sendrecv", false},
    {"Multi", "sendrecv", false},
    {"Bandwidth", "sendrecv", false},
    {"Latency", "sendrecv", false},
};

struct reader {
    struct ry_bench_draft *draft;
    struct ry_draft_run *run;
    bool block;     /* sizes count one rank's block */
    bool bandwidth; /* the first column is MB/s, not us */
    bool both_ways;
    size_t line;
};

static void begin_test(struct reader *reader, struct ry_slice title)
{
    const struct ry_bench_hints *hints = reader->draft->hints;
    reader->run = ry_draft_add_run(reader->draft, "OSU micro-benchmark", reader->line);
    reader->run->nothing_to_infer = true;
    struct ry_bench_run *run = &reader->run->run;

    reader->block = false;
    reader->both_ways = ry_slice_find(title, "Bi-Directional") != NULL;
    reader->bandwidth = ry_slice_find(title, "Bandwidth") != NULL;
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        if (!ry_slice_find(title, tests[i].title))
            continue;
        run->collective = tests[i].collective;
        reader->block = tests[i].size_is_a_block;
        break;
    }
    if (run->collective && strcmp(run->collective, "sendrecv") == 0 &&
        !ry_slice_find(title, "Multi"))
        run->ranks = 2.0;
    if (hints && hints->ranks)
        run->ranks = (double)hints->ranks;
    if (hints && hints->nodes)
        run->nodes = (double)hints->nodes;
    const struct ry_slice version = ry_slice_trim(ry_slice_after(title, "Test v"));
    if (version.n > 0 && version.n < 16)
        run->version = ry_draft_word(reader->draft, version);
}

static bool read_comment(struct reader *reader, struct ry_slice line)
{
    const struct ry_slice title = ry_slice_after(line, "# OSU ");

    if (title.at) {
        begin_test(reader, title);
        return true;
    }
    if (!ry_slice_find(line, "# Size"))
        return ry_slice_starts(line, "#");
    if (!reader->run)
        return true;
    reader->bandwidth = ry_slice_find(line, "MB/s") != NULL;
    return true;
}

/* The figures of the row in the order of every release: average, then with -f the
 * smallest, the largest and the number of iterations. */
static void set_figures(struct reader *reader, struct ry_draft_row *draft,
                        const double *figures, size_t n)
{
    struct ry_bench_row *row = &draft->row;

    if (reader->bandwidth) {
        row->algbw_bytes_per_s = row->busbw_bytes_per_s = figures[0] * 1e6;
        if (reader->both_ways)
            ry_draft_spoil(draft, "both directions are added up");
        return;
    }
    row->time_s = figures[0] / 1e6;
    if (n >= 4) {
        row->min_s = figures[1] / 1e6;
        row->max_s = figures[2] / 1e6;
        row->iterations = figures[n - 1];
    }
    if (isfinite(row->bytes) && row->time_s > 0.0) {
        row->algbw_bytes_per_s = row->bytes / row->time_s;
        row->busbw_bytes_per_s =
            row->algbw_bytes_per_s *
            ry_bench_factor(reader->run->run.collective, reader->run->run.ranks);
    }
}

static void read_row(struct reader *reader, struct ry_slice line)
{
    struct ry_slice words[RY_WORDS_MOST];
    double figures[16];
    size_t n = ry_words(line, words);

    if (n < 2 || n > 16 || !reader->run)
        return;
    for (size_t i = 0; i < n; i++)
        if (!ry_slice_is_number(words[i], &figures[i]) || figures[i] < 0.0)
            return;
    struct ry_draft_row *row = ry_draft_add_row(reader->draft, reader->run, reader->line);
    const double ranks = reader->run->run.ranks;
    row->row.bytes = figures[0];
    if (reader->block && isfinite(ranks))
        row->row.bytes *= ranks;
    set_figures(reader, row, figures + 1, n - 1);
    if (reader->block && isnan(ranks)) {
        ry_draft_spoil(row, "bytes is one rank's block: say how many with --ranks");
        row->row.algbw_bytes_per_s = row->row.busbw_bytes_per_s = RY_UNKNOWN;
    }
    if (row->row.bytes == 0.0)
        ry_draft_spoil(row, "0 bytes: nothing was moved");
    if (!(row->row.time_s > 0.0) && !(row->row.busbw_bytes_per_s > 0.0))
        ry_draft_spoil(row, "no time and no bandwidth");
}

bool ry_bench_read_osu(struct ry_bench_draft *draft, struct ry_slice all)
{
    struct reader reader = {.draft = draft};
    struct ry_lines *lines = RY_NEW(draft->arena, struct ry_lines, 1);
    struct ry_slice line;

    if (!lines) {
        draft->out_of_memory = true;
        return false;
    }
    if (!ry_slice_find(all, "# OSU "))
        return false;
    lines->at = all.at;
    lines->end = all.at + all.n;
    while (ry_lines_next(lines, &line)) {
        reader.line = lines->number;
        if (!read_comment(&reader, line))
            read_row(&reader, line);
    }
    return draft->n_rows > 0;
}
