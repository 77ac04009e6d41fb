/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/runs_results.h"

#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ry_err ry_results_list(struct ry_store *store, struct ry_arena *arena, int format,
                            struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "id", .title = "result", .show = RY_SHOW_COUNT},
        {.key = "command", .title = "command"},
        {.key = "started", .title = "started"},
        {.key = "finished", .title = "finished"},
        {.key = "pieces", .title = "pieces", .show = RY_SHOW_COUNT},
        {.key = "evaluated", .title = "timed", .show = RY_SHOW_COUNT},
        {.key = "infeasible", .show = RY_SHOW_COUNT},
        {.key = "indivisible", .show = RY_SHOW_COUNT},
        {.key = "rows", .title = "rows", .show = RY_SHOW_COUNT},
        {.key = "best_design", .title = "first design", .wrap = true},
        {.key = "best_step_time_s", .title = "its step", .show = RY_SHOW_SECONDS},
        {.key = "arguments", .title = "arguments", .wrap = true},
        {.key = "inputs_sha256"},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));
    struct ry_listed_jobs jobs;

    RY_TRY(ry_jobs_list(store, arena, &jobs, diag));
    for (size_t i = 0; i < jobs.n; i++) {
        const struct ry_listed_job *job = &jobs.at[i];
        ry_table_row(table,
                     (struct ry_cell[]){RY_NUM((double)job->id), RY_TEXT(job->command),
                                        RY_TEXT(job->started), RY_TEXT(job->finished),
                                        RY_NUM(job->pieces), RY_NUM(job->evaluated),
                                        RY_NUM(job->infeasible), RY_NUM(job->indivisible),
                                        RY_NUM(job->rows), RY_TEXT(job->best_design),
                                        RY_NUM(job->best_step_time_s),
                                        RY_TEXT(job->arguments), RY_TEXT(job->inputs)});
    }
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}

enum ry_err ry_results_show(struct ry_store *store, struct ry_arena *arena, long long job,
                            int format, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "rank", .title = "#", .show = RY_SHOW_COUNT},
        {.key = "workload"},
        {.key = "design", .title = "design", .wrap = true},
        {.key = "strategy", .title = "strategy", .wrap = true},
        {.key = "gpus", .title = "GPUs", .show = RY_SHOW_COUNT},
        {.key = "step_time_s", .title = "step", .show = RY_SHOW_SECONDS},
        {.key = "tokens_per_s", .title = "tokens/s", .show = RY_SHOW_SCALED},
        {.key = "mfu_frac", .title = "MFU", .show = RY_SHOW_FRACTION},
        {.key = "capex_usd", .title = "capex", .show = RY_SHOW_USD},
        {.key = "tco_usd", .title = "TCO", .show = RY_SHOW_USD},
        {.key = "usd_per_trillion_tokens", .title = "$/T tokens", .show = RY_SHOW_USD},
        {.key = "days", .title = "days", .show = RY_SHOW_NUMBER},
        {.key = "reason", .title = "reason", .wrap = true},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));
    struct ry_answer answer;

    RY_TRY(ry_job_read(store, arena, job, &answer, diag));
    for (size_t i = 0; i < answer.n; i++) {
        const struct ry_answer_row *row = &answer.at[i];
        ry_table_row(table,
                     (struct ry_cell[]){RY_NUM(row->place), RY_TEXT(row->workload),
                                        RY_TEXT(row->design), RY_TEXT(row->strategy),
                                        RY_NUM(row->gpus), RY_NUM(row->step_time_s),
                                        RY_NUM(row->tokens_per_s), RY_NUM(row->mfu_frac),
                                        RY_NUM(row->capex_usd), RY_NUM(row->tco_usd),
                                        RY_NUM(row->usd_per_trillion_tokens),
                                        RY_NUM(row->days), RY_TEXT(row->reason)});
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)format, diag));
    return answer.n > 0 ? RY_OK
                        : ry_fail(diag, RY_ERR_NO, "runs show",
                                  "result %lld is not finished: repeat its command", job);
}

/* Of a design the first row: its best strategy. */
static const struct ry_answer_row *find(const struct ry_answer *answer,
                                        const struct ry_answer_row *like, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct ry_answer_row *row = &answer->at[i];
        if (strcmp(row->design, like->design) == 0 &&
            strcmp(row->workload, like->workload) == 0)
            return row;
    }
    return NULL;
}

static bool same_number(double a, double b)
{
    return fabs(a - b) <= 0.0 || (isnan(a) && isnan(b));
}

static bool same(const struct ry_answer_row *a, const struct ry_answer_row *b)
{
    return a && b && strcmp(a->strategy, b->strategy) == 0 &&
           same_number(a->step_time_s, b->step_time_s) &&
           same_number(a->usd_per_trillion_tokens, b->usd_per_trillion_tokens) &&
           same_number(a->place, b->place);
}

static const char *verdict(const struct ry_results_diff *diff,
                           const struct ry_answer_row *a, const struct ry_answer_row *b)
{
    if (!a)
        return "new";
    if (!b)
        return "gone";
    if (isnan(a->step_time_s) || isnan(b->step_time_s))
        return same_number(a->step_time_s, b->step_time_s) ? "same"
               : isnan(b->step_time_s)                     ? "no longer feasible"
                                                           : "now feasible";
    const double ratio = b->step_time_s / a->step_time_s;
    if (ratio > 1.0 + diff->tolerance_frac)
        return "slower";
    return ratio < 1.0 / (1.0 + diff->tolerance_frac) ? "faster" : "same";
}

static void add(struct ry_table *table, const struct ry_results_diff *diff,
                const struct ry_answer_row *a, const struct ry_answer_row *b)
{
    const struct ry_answer_row *any = a ? a : b;

#define OF(row, field) RY_NUM((row) ? (row)->field : (double)NAN)
    ry_table_row(
        table,
        (struct ry_cell[]){RY_TEXT(any->workload), RY_TEXT(any->design), OF(a, place),
                           OF(b, place), RY_TEXT(a ? a->strategy : NULL),
                           RY_TEXT(b ? b->strategy : NULL), OF(a, step_time_s),
                           OF(b, step_time_s),
                           RY_NUM(a && b ? b->step_time_s / a->step_time_s : (double)NAN),
                           OF(a, usd_per_trillion_tokens), OF(b, usd_per_trillion_tokens),
                           RY_TEXT(verdict(diff, a, b))});
#undef OF
}

/* Rows of @p one that are the first of their design, against the other answer. */
static size_t compare(struct ry_table *table, const struct ry_results_diff *diff,
                      const struct ry_answer *before, const struct ry_answer *after)
{
    size_t slower = 0;

    for (size_t i = 0; i < before->n; i++) {
        const struct ry_answer_row *a = &before->at[i];
        const struct ry_answer_row *b = find(after, a, after->n);
        if (find(before, a, i))
            continue; /* a slower strategy of the same design */
        if (diff->all || !same(a, b))
            add(table, diff, a, b);
        slower += strcmp(verdict(diff, a, b), "slower") == 0;
    }
    for (size_t i = 0; i < after->n; i++) {
        const struct ry_answer_row *b = &after->at[i];
        if (!find(before, b, before->n) && !find(after, b, i))
            add(table, diff, NULL, b);
    }
    return slower;
}

enum ry_err ry_results_diff(struct ry_store *store, struct ry_arena *arena,
                            const struct ry_results_diff *diff, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "workload", .title = "workload"},
        {.key = "design", .title = "design", .wrap = true},
        {.key = "before_rank", .title = "was #", .show = RY_SHOW_COUNT},
        {.key = "after_rank", .title = "is #", .show = RY_SHOW_COUNT},
        {.key = "before_strategy", .title = "was", .wrap = true},
        {.key = "after_strategy", .title = "is", .wrap = true},
        {.key = "before_step_time_s", .title = "step was", .show = RY_SHOW_SECONDS},
        {.key = "after_step_time_s", .title = "is", .show = RY_SHOW_SECONDS},
        {.key = "step_time_ratio", .title = "ratio", .show = RY_SHOW_NUMBER},
        {.key = "before_usd_per_trillion_tokens",
         .title = "$/T was",
         .show = RY_SHOW_USD},
        {.key = "after_usd_per_trillion_tokens", .title = "is", .show = RY_SHOW_USD},
        {.key = "verdict", .title = "verdict"},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));
    struct ry_answer before;
    struct ry_answer after;

    RY_TRY(ry_job_read(store, arena, diff->before, &before, diag));
    RY_TRY(ry_job_read(store, arena, diff->after, &after, diag));
    const size_t slower = compare(table, diff, &before, &after);
    if (ry_table_rows(table) > 0 || !ry_format_for_people(diff->format))
        RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)diff->format, diag));
    (void)fprintf(stderr, "result %lld -> %lld: %zu slower, %zu rows differ\n",
                  diff->before, diff->after, slower, ry_table_rows(table));
    return slower > 0 ? RY_ERR_NO : RY_OK;
}

enum ry_err ry_run_id(const char *text, long long *id, struct ry_diag *diag)
{
    char *end = NULL;

    *id = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || *id < 1)
        return ry_fail(diag, RY_ERR_SYNTAX, text, "is not the number of a run");
    return RY_OK;
}
