/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_draft.h"

#include "base/names.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RUNS_SEARCHED = 64 };

static const struct ry_bench_row unknown_row = {
    .bytes = RY_UNKNOWN,
    .count = RY_UNKNOWN,
    .root = RY_UNKNOWN,
    .time_s = RY_UNKNOWN,
    .algbw_bytes_per_s = RY_UNKNOWN,
    .busbw_bytes_per_s = RY_UNKNOWN,
    .wrong = RY_UNKNOWN,
    .iterations = RY_UNKNOWN,
    .min_s = RY_UNKNOWN,
    .max_s = RY_UNKNOWN,
    .valid = true,
};

static void reset_run(struct ry_draft_run *run, const struct ry_bench_draft *draft,
                      const char *tool, size_t line)
{
    *run = (struct ry_draft_run){
        .run = {.file = draft->path,
                .tool = tool,
                .ranks = RY_UNKNOWN,
                .nodes = RY_UNKNOWN,
                .iterations = RY_UNKNOWN,
                .checks_failed = RY_UNKNOWN,
                .valid = true,
                .line = line},
        .average_busbw = RY_UNKNOWN,
    };
}

struct ry_draft_run *ry_draft_add_run(struct ry_bench_draft *draft, const char *tool,
                                      size_t line)
{
    struct ry_draft_run *run = NULL;

    if (draft->n_runs >= RY_BENCH_RUNS_MOST)
        draft->too_many_rows = true;
    else
        run = RY_NEW(draft->arena, struct ry_draft_run, 1);
    if (!run) {
        draft->out_of_memory = !draft->too_many_rows;
        reset_run(&draft->spare_run, draft, tool, line);
        return &draft->spare_run;
    }
    reset_run(run, draft, tool, line);
    if (draft->last)
        draft->last->next = run;
    else
        draft->first = run;
    draft->last = run;
    draft->n_runs++;
    return run;
}

static bool grow(struct ry_bench_draft *draft, struct ry_draft_run *run)
{
    if (run->n_rows < run->room)
        return true;
    const size_t room = run->room ? 2 * run->room : 16;
    struct ry_draft_row *rows = RY_NEW(draft->arena, struct ry_draft_row, room);
    if (!rows) {
        draft->out_of_memory = true;
        return false;
    }
    if (run->n_rows)
        memcpy(rows, run->rows, run->n_rows * sizeof(*rows));
    run->rows = rows;
    run->room = room;
    return true;
}

struct ry_draft_row *ry_draft_add_row(struct ry_bench_draft *draft,
                                      struct ry_draft_run *run, size_t line)
{
    struct ry_draft_row *row = &draft->spare_row;

    if (draft->n_rows >= RY_BENCH_ROWS_MOST)
        draft->too_many_rows = true;
    else if (run != &draft->spare_run && grow(draft, run)) {
        row = &run->rows[run->n_rows++];
        draft->n_rows++;
    }
    *row = (struct ry_draft_row){.row = unknown_row};
    row->row.line = line;
    return row;
}

void ry_draft_spoil(struct ry_draft_row *row, const char *reason)
{
    if (row->row.valid)
        row->row.reason = reason;
    row->row.valid = false;
}

void ry_draft_note(struct ry_bench_draft *draft, size_t line, const char *fmt, ...)
{
    char text[300];
    va_list args;

    if (draft->n_notes == RY_BENCH_NOTES_MOST) {
        draft->notes_lost++;
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    draft->notes[draft->n_notes++] =
        line ? ry_draft_text(draft, "line %zu: %s", line, text)
             : ry_draft_text(draft, "%s", text);
}

const char *ry_draft_text(struct ry_bench_draft *draft, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    const char *kept = ry_strdup(draft->arena, text);
    draft->out_of_memory |= !kept;
    return kept ? kept : "";
}

const char *ry_draft_word(struct ry_bench_draft *draft, struct ry_slice word)
{
    if (word.n == 0)
        return NULL;
    const char *kept = ry_slice_dup(draft->arena, word);
    if (!kept)
        draft->out_of_memory = true;
    return kept;
}

struct ry_draft_run *ry_draft_run_like(struct ry_bench_draft *draft, const char *tool,
                                       const struct ry_bench_run *like)
{
    size_t searched = 0;

    for (struct ry_draft_run *run = draft->first; run && searched < RUNS_SEARCHED;
         run = run->next, searched++) {
        const char *a = run->run.launch ? run->run.launch : "";
        const char *b = like->launch ? like->launch : "";
        const bool same_ranks = run->run.ranks == like->ranks ||
                                (isnan(run->run.ranks) && isnan(like->ranks));
        if (strcmp(run->run.collective ? run->run.collective : "",
                   like->collective ? like->collective : "") == 0 &&
            same_ranks && strcmp(a, b) == 0)
            return run;
    }
    struct ry_draft_run *run = ry_draft_add_run(draft, tool, 0);
    run->run.collective = like->collective;
    run->run.launch =
        like->launch
            ? ry_draft_word(draft, (struct ry_slice){like->launch, strlen(like->launch)})
            : NULL;
    run->run.ranks = like->ranks;
    run->run.nodes = like->nodes;
    return run;
}

/* How collectives are called by nccl-tests, RCCL, OSU and PyTorch, longest first where
 * one name ends another, and the class of busbw / algbw (nccl-tests PERFORMANCE.md). */
enum factor { FACTOR_ONE, FACTOR_SHARE, FACTOR_TWICE };
static const struct {
    const char *word, *collective;
    enum factor factor;
} collectives[] = {
    {"all_reduce", "all_reduce", FACTOR_TWICE},
    {"allreduce", "all_reduce", FACTOR_TWICE},
    {"all_gather", "all_gather", FACTOR_SHARE},
    {"allgatherv", "all_gather", FACTOR_SHARE},
    {"allgather", "all_gather", FACTOR_SHARE},
    {"all_gather_into_tensor", "all_gather", FACTOR_SHARE},
    {"reduce_scatter", "reduce_scatter", FACTOR_SHARE},
    {"reducescatter", "reduce_scatter", FACTOR_SHARE},
    {"reduce_scatter_tensor", "reduce_scatter", FACTOR_SHARE},
    {"reduce_scatter_block", "reduce_scatter", FACTOR_SHARE},
    {"all_to_all_single", "alltoall", FACTOR_SHARE},
    {"all_to_all", "alltoall", FACTOR_SHARE},
    {"alltoallv", "alltoall", FACTOR_SHARE},
    {"alltoall", "alltoall", FACTOR_SHARE},
    {"broadcast", "broadcast", FACTOR_ONE},
    {"bcast", "broadcast", FACTOR_ONE},
    {"reduce", "reduce", FACTOR_ONE},
    {"gather", "gather", FACTOR_SHARE},
    {"scatter", "scatter", FACTOR_SHARE},
    {"sendrecv", "sendrecv", FACTOR_ONE},
    {"send_recv", "sendrecv", FACTOR_ONE},
    {"hypercube", "hypercube", FACTOR_ONE},
};
enum { COLLECTIVES = sizeof(collectives) / sizeof(collectives[0]) };

static bool same_word(struct ry_slice word, const char *known)
{
    size_t i = 0;

    for (; i < word.n && known[i] != '\0'; i++) {
        const char c = word.at[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != known[i])
            return false;
    }
    return i == word.n && known[i] == '\0';
}

const char *ry_bench_collective(struct ry_slice word)
{
    static const char *const tails[] = {"_perf_mpi", "_perf"};

    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(tails[i]);
        if (word.n > n && memcmp(word.at + word.n - n, tails[i], n) == 0) {
            word.n -= n;
            break;
        }
    }
    for (size_t i = 0; i < COLLECTIVES; i++)
        if (same_word(word, collectives[i].word))
            return collectives[i].collective;
    return NULL;
}

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *ry_bench_collective_of_command(struct ry_slice line)
{
    const char *found = NULL;

    for (struct ry_slice rest = line; rest.at; rest = ry_slice_after(rest, "_perf")) {
        const char *end = ry_slice_find(rest, "_perf");
        if (!end)
            break;
        const char *begin = end;
        while (begin > line.at && name_char(begin[-1]))
            begin--;
        const char *name =
            ry_bench_collective((struct ry_slice){begin, (size_t)(end - begin)});
        if (name)
            found = name;
    }
    return found;
}

double ry_bench_factor(const char *collective, double ranks)
{
    for (size_t i = 0; collective && i < COLLECTIVES; i++) {
        if (strcmp(collectives[i].collective, collective) != 0)
            continue;
        switch (collectives[i].factor) {
        case FACTOR_ONE:
            return 1.0;
        case FACTOR_SHARE:
            return (ranks - 1.0) / ranks;
        case FACTOR_TWICE:
            return 2.0 * (ranks - 1.0) / ranks;
        }
    }
    return RY_UNKNOWN;
}

double ry_bench_dtype_bytes(const char *dtype)
{
    static const struct {
        const char *word;
        double bytes;
    } known[] = {
        {"int8", 1},        {"uint8", 1},  {"char", 1},    {"fp8_e4m3", 1},
        {"fp8_e5m2", 1},    {"f8e4m3", 1}, {"f8e5m2", 1},  {"float8_e4m3", 1},
        {"float8_e5m2", 1}, {"half", 2},   {"float16", 2}, {"fp16", 2},
        {"bfloat16", 2},    {"bf16", 2},   {"int", 4},     {"int32", 4},
        {"uint32", 4},      {"float", 4},  {"float32", 4}, {"fp32", 4},
        {"int64", 8},       {"uint64", 8}, {"double", 8},  {"float64", 8},
    };

    for (size_t i = 0; dtype && i < sizeof(known) / sizeof(known[0]); i++)
        if (ry_name_eq(known[i].word, dtype))
            return known[i].bytes;
    return RY_UNKNOWN;
}
