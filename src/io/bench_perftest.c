/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_draft.h"

#include <math.h>
#include <string.h>

enum columns { COLUMNS_NONE, COLUMNS_BANDWIDTH, COLUMNS_LATENCY, COLUMNS_DURATION };

enum { DUPLICATES_SEARCHED = 64 };

struct reader {
    struct ry_bench_draft *draft;
    struct ry_draft_run *run;
    enum columns columns;
    double unit_bytes_per_s;
    bool both_ways;
    const char *name;
    size_t line;
};

static bool read_title(struct reader *reader, struct ry_slice line)
{
    static const struct {
        const char *word, *name;
    } titles[] = {{"RDMA_Write", "rdma_write"},
                  {"RDMA_Read", "rdma_read"},
                  {"Send", "rdma_send"},
                  {"Atomic", "rdma_atomic"}};

    if (!ry_slice_find(line, " Test") ||
        (!ry_slice_find(line, "BW") && !ry_slice_find(line, "Latency")))
        return false;
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (!ry_slice_find(line, titles[i].word))
            continue;
        reader->name = titles[i].name;
        reader->both_ways = ry_slice_find(line, "Bidirectional") != NULL;
        reader->columns = COLUMNS_NONE;
        return true;
    }
    return false;
}

/* "MB/sec" of older releases is MiB/s as well: MsgRate times bytes shows it. */
static bool read_header(struct reader *reader, struct ry_slice line)
{
    if (!ry_slice_find(line, "#bytes") || !ry_slice_find(line, "#iterations"))
        return false;
    reader->unit_bytes_per_s = RY_UNKNOWN;
    if (ry_slice_find(line, "BW average")) {
        reader->columns = COLUMNS_BANDWIDTH;
        reader->unit_bytes_per_s =
            ry_slice_find(line, "BW average[Gb/sec]") ? 0.125e9 : 1048576.0;
    } else if (ry_slice_find(line, "t_typical"))
        reader->columns = COLUMNS_LATENCY;
    else
        reader->columns = ry_slice_find(line, "t_avg") ? COLUMNS_DURATION : COLUMNS_NONE;
    if (reader->columns == COLUMNS_NONE)
        return true;
    const bool same = reader->run && reader->run->run.collective == reader->name &&
                      reader->run->n_rows == 0;
    if (!same)
        reader->run = ry_draft_add_run(reader->draft, "perftest text", reader->line);
    reader->run->run.collective = reader->name;
    reader->run->run.ranks = 2.0;
    return true;
}

static bool seen_before(const struct ry_draft_run *run, const struct ry_bench_row *row)
{
    const size_t from =
        run->n_rows > DUPLICATES_SEARCHED ? run->n_rows - DUPLICATES_SEARCHED : 0;

    for (size_t i = from; i < run->n_rows; i++) {
        const struct ry_bench_row *other = &run->rows[i].row;
        const bool same_time =
            other->time_s == row->time_s || (isnan(other->time_s) && isnan(row->time_s));
        const bool same_rate = other->algbw_bytes_per_s == row->algbw_bytes_per_s ||
                               isnan(row->algbw_bytes_per_s);
        if (other->bytes == row->bytes && same_time && same_rate)
            return true;
    }
    return false;
}

static void set_bandwidth(const struct reader *reader, struct ry_draft_row *draft,
                          const double *figures)
{
    const double rate = figures[4] * 1e6 * figures[0];
    const double printed = figures[3] * reader->unit_bytes_per_s;

    draft->row.algbw_bytes_per_s = draft->row.busbw_bytes_per_s = printed;
    /* MsgRate has six decimals: below a thousandth it says little. */
    if (figures[4] >= 1e-3 && fabs(printed / rate - 1.0) > 0.02)
        ry_draft_spoil(draft, "MsgRate times bytes is not the average bandwidth");
    if (reader->both_ways)
        ry_draft_spoil(draft, "both directions are added up");
}

static void read_row(struct reader *reader, struct ry_slice line)
{
    static const size_t needed[] = {
        [COLUMNS_BANDWIDTH] = 5, [COLUMNS_LATENCY] = 6, [COLUMNS_DURATION] = 3};
    struct ry_slice words[RY_WORDS_MOST];
    double figures[16];
    const size_t n = ry_words(line, words);

    if (reader->columns == COLUMNS_NONE || n < needed[reader->columns] || n > 16)
        return;
    for (size_t i = 0; i < n; i++)
        if (!ry_slice_is_number(words[i], &figures[i]) || figures[i] < 0.0)
            return;
    struct ry_draft_row draft = {.row = {.valid = true}};
    struct ry_bench_row *row = &draft.row;
    struct ry_draft_row *added = NULL;

    *row = (struct ry_bench_row){.bytes = figures[0],
                                 .count = RY_UNKNOWN,
                                 .root = RY_UNKNOWN,
                                 .time_s = RY_UNKNOWN,
                                 .wrong = RY_UNKNOWN,
                                 .algbw_bytes_per_s = RY_UNKNOWN,
                                 .busbw_bytes_per_s = RY_UNKNOWN,
                                 .iterations = figures[1],
                                 .min_s = RY_UNKNOWN,
                                 .max_s = RY_UNKNOWN,
                                 .line = reader->line,
                                 .valid = true};
    if (reader->columns == COLUMNS_BANDWIDTH)
        set_bandwidth(reader, &draft, figures);
    else if (reader->columns == COLUMNS_LATENCY) {
        row->min_s = figures[2] / 1e6;
        row->max_s = figures[3] / 1e6;
        row->time_s = figures[4] / 1e6;
    } else
        row->time_s = figures[2] / 1e6;
    if (seen_before(reader->run, row))
        return; /* both ends write to one console */
    added = ry_draft_add_row(reader->draft, reader->run, reader->line);
    *added = draft;
}

bool ry_bench_read_perftest(struct ry_bench_draft *draft, struct ry_slice all)
{
    struct reader reader = {.draft = draft};
    struct ry_lines *lines = RY_NEW(draft->arena, struct ry_lines, 1);
    struct ry_slice line;

    if (!lines) {
        draft->out_of_memory = true;
        return false;
    }
    if (!ry_slice_find(all, "#bytes") || !ry_slice_find(all, "#iterations"))
        return false;
    lines->at = all.at;
    lines->end = all.at + all.n;
    while (ry_lines_next(lines, &line)) {
        reader.line = lines->number;
        if (!read_title(&reader, line) && !read_header(&reader, line))
            read_row(&reader, line);
    }
    return draft->n_rows > 0;
}
