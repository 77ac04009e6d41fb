/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_cases.h"

#include "base/names.h"
#include "cli/progress.h"
#include "io/strategy_file.h"
#include "par/par_search.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

struct search_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    size_t threads;
    size_t top;
    const char *shard;
    bool quiet;
    int format;
};

/* One design and workload, searched. */
struct searched {
    struct ry_case *c;
    struct ry_space space;
    struct ry_search_tally tally;
    double seconds;
    char why[RY_WHY_BYTES];
};

/* Of struct ry_par_search. */
static bool progress(void *ctx, size_t done, size_t all)
{
    ry_progress_show(ctx, done, all);
    return !ry_interrupted();
}

/* "2/8": the third of eight. */
static enum ry_err parse_shard(const char *text, struct ry_par_search *options,
                               struct ry_diag *diag)
{
    char rest = '\0';

    if (!text)
        return RY_OK;
    if (sscanf(text, "%zu/%zu%c", &options->shard, &options->shards, &rest) != 2 ||
        strchr(text, '-') || options->shards == 0 || options->shard >= options->shards)
        return ry_fail(diag, RY_ERR_RANGE, "--shard",
                       "'%s' is not i/n with i from 0 to n - 1", text);
    return RY_OK;
}

static enum ry_err search_one(struct ry_arena *arena, const struct ry_catalog *catalog,
                              const struct search_options *o, struct searched *out,
                              struct ry_diag *diag)
{
    struct ry_progress p = ry_progress_start("parts of the space", o->quiet);
    struct ry_par_search options = {
        .threads = o->threads, .progress = progress, .ctx = &p};
    struct ry_diag reason = {0};

    RY_TRY(parse_shard(o->shard, &options, diag));
    const enum ry_err err =
        ry_case_prepare(arena, catalog, out->c, &out->space, &reason);
    if (err != RY_OK) {
        (void)snprintf(out->why, sizeof(out->why), "%s", reason.text);
        return err == RY_ERR_NOMEM ? err : RY_OK;
    }
    const struct ry_search_problem problem = {
        .machine = &out->c->site->built.machine,
        .arch = &out->c->workload->arch,
        .traits = &out->c->workload->traits,
        .space = &out->space};
    p = ry_progress_start("parts of the space", o->quiet);
    const enum ry_err ran = ry_par_search_run(&problem, &options, &out->tally, diag);
    out->seconds = ry_progress_end(&p);
    RY_TRY(ran);
    ry_search_why_not(&problem, &out->tally, out->why, sizeof(out->why));
    return RY_OK;
}

static const struct ry_column columns[] = {
    {.key = "design", .title = "design"},
    {.key = "workload"},
    {.key = "rank", .title = "#", .show = RY_SHOW_COUNT},
    {.key = "strategy", .title = "strategy"},
    {.key = "tp", .show = RY_SHOW_COUNT},
    {.key = "pp", .show = RY_SHOW_COUNT},
    {.key = "vpp", .show = RY_SHOW_COUNT},
    {.key = "dp", .show = RY_SHOW_COUNT},
    {.key = "cp", .show = RY_SHOW_COUNT},
    {.key = "ep", .show = RY_SHOW_COUNT},
    {.key = "micro_batch", .show = RY_SHOW_COUNT},
    {.key = "step_time_s", .title = "step", .show = RY_SHOW_SECONDS},
    {.key = "step_time_lo_s", .show = RY_SHOW_SECONDS},
    {.key = "step_time_hi_s", .show = RY_SHOW_SECONDS},
    {.key = "tokens_per_s", .title = "tokens/s", .show = RY_SHOW_SCALED},
    {.key = "mfu_frac", .title = "MFU", .show = RY_SHOW_FRACTION},
    {.key = "peak_bytes", .title = "memory", .show = RY_SHOW_BYTES},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void add_row(struct ry_arena *arena, struct ry_table *table, const struct ry_case *c,
                    size_t place, const struct ry_result *r)
{
    char text[160];
    const struct ry_strategy *s = &r->strategy;

    ry_strategy_text(s, text, sizeof(text));
    ry_table_row(table, (struct ry_cell[COLUMNS]){
                            RY_TEXT(ry_case_design_text(arena, c)),
                            RY_TEXT(ry_case_workload_text(arena, c)),
                            RY_NUM((double)place),
                            RY_TEXT(ry_strdup(arena, text)),
                            RY_NUM(s->tp),
                            RY_NUM(s->pp),
                            RY_NUM(s->vpp),
                            RY_NUM(s->dp),
                            RY_NUM(s->cp),
                            RY_NUM(s->ep),
                            RY_NUM(s->micro_batch),
                            RY_NUM(r->step.step_time_s),
                            RY_NUM(r->step.lo_s),
                            RY_NUM(r->step.hi_s),
                            RY_NUM(r->tokens_per_s),
                            RY_NUM(r->mfu_frac),
                            RY_NUM(r->step.peak_bytes),
                        });
}

static enum ry_err add_best(struct ry_arena *arena, const struct search_options *o,
                            const struct searched *from, struct ry_table *table,
                            struct ry_diag *diag)
{
    for (size_t i = 0; i < from->tally.best_n && i < o->top; i++) {
        const struct ry_strategy strategy =
            ry_space_at(&from->space, from->tally.best[i].index);
        struct ry_result result;
        RY_TRY(ry_plan(from->c->site, from->c->workload, &strategy, &result, diag));
        add_row(arena, table, from->c, i + 1, &result);
    }
    return RY_OK;
}

/* Counts and seconds of all that was searched. */
struct totals {
    uint64_t strategies, evaluated, infeasible, indivisible;
    double seconds;
};

static struct totals sum(const struct searched *all, size_t n)
{
    struct totals t = {0};

    for (size_t i = 0; i < n; i++) {
        t.strategies += all[i].space.n;
        t.evaluated += all[i].tally.evaluated;
        t.infeasible += all[i].tally.too_large;
        t.indivisible += all[i].tally.indivisible;
        t.seconds += all[i].seconds;
    }
    return t;
}

static void print_json_counts(const struct totals *t, size_t threads)
{
    printf("{\n  \"strategies\": %llu,\n  \"evaluated\": %llu,\n  \"infeasible\": %llu,\n"
           "  \"indivisible\": %llu,\n  \"pruned\": 0,\n  \"threads\": %zu,\n",
           (unsigned long long)t->strategies, (unsigned long long)t->evaluated,
           (unsigned long long)t->infeasible, (unsigned long long)t->indivisible, threads);
    printf("  \"seconds\": ");
    ry_json_put_number(stdout, t->seconds);
    printf(",\n  \"strategies_per_s\": ");
    ry_json_put_number(stdout, t->seconds > 0 ? (double)t->evaluated / t->seconds : 0.0);
    printf(",\n  \"interrupted\": %s,\n", ry_interrupted() ? "true" : "false");
}

static void print_json_refused(const struct searched *all, size_t n)
{
    bool first = true;

    printf("  \"refused\": [");
    for (size_t i = 0; i < n; i++) {
        if (all[i].tally.best_n > 0)
            continue;
        printf("%s\n    {\"design\": ", first ? "" : ",");
        ry_json_put_text(stdout, all[i].c->design->name);
        printf(", \"reason\": ");
        ry_json_put_text(stdout, all[i].why);
        printf("}");
        first = false;
    }
    printf("%s],\n", first ? "" : "\n  ");
}

static void print_people(const struct totals *t, const struct searched *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (all[i].tally.best_n == 0)
            printf("cannot: %s: %s\n", all[i].c->design->name, all[i].why);
    }
    printf("%llu strategies: %llu timed, %llu too large for memory, %llu cannot be cut; "
           "%.3g s, %.3g timed a second%s\n",
           (unsigned long long)t->strategies, (unsigned long long)t->evaluated,
           (unsigned long long)t->infeasible, (unsigned long long)t->indivisible,
           t->seconds, t->seconds > 0 ? (double)t->evaluated / t->seconds : 0.0,
           ry_interrupted() ? "; interrupted, the rest was not looked at" : "");
}

static enum ry_err print_all(const struct search_options *o, const struct searched *all,
                             size_t n, struct ry_table *table, struct ry_diag *diag)
{
    const struct totals t = sum(all, n);

    if (o->format == RY_FORMAT_JSON) {
        print_json_counts(&t, o->threads ? o->threads : ry_par_threads());
        print_json_refused(all, n);
        printf("  \"best\": ");
        ry_table_print_json(table, stdout, 2);
        printf("\n}\n");
        return RY_OK;
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)o->format, diag));
    if (o->format == RY_FORMAT_TABLE)
        print_people(&t, all, n);
    return RY_OK;
}

static enum ry_err search_all(struct ry_arena *arena, const struct search_options *o,
                              const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases cases;
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);
    size_t found = 0;
    size_t n = 0;

    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &cases, diag));
    struct searched *all = RY_NEW(arena, struct searched, cases.n);
    if (!all)
        return ry_fail(diag, RY_ERR_NOMEM, "search", "%zu designs", cases.n);
    for (; n < cases.n && !ry_interrupted(); n++) {
        all[n].c = &cases.at[n];
        RY_TRY(search_one(arena, &session->catalog, o, &all[n], diag));
        RY_TRY(add_best(arena, o, &all[n], table, diag));
        found += all[n].tally.best_n;
    }
    RY_TRY(print_all(o, all, n, table, diag));
    if (ry_interrupted())
        return ry_fail(diag, RY_ERR_INTERRUPTED, "search",
                       "%zu of %zu designs, the last in part", n, cases.n);
    return found > 0 ? RY_OK
                     : ry_fail(diag, RY_ERR_INFEASIBLE, "search",
                               "no strategy of any design fits");
}

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);

    ry_interrupt_keep();
    const enum ry_err err = arena ? search_all(arena, options, args, diag)
                                  : ry_fail(diag, RY_ERR_NOMEM, "search", "cannot start");
    ry_arena_destroy(arena);
    return err;
}

static const struct search_options defaults = {.top = 10};

#define FIELD(name) offsetof(struct search_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST, .letter = 'w', .offset = FIELD(workloads), .name = "workload",
     .value = "FILE", .help = "what is trained; may be given again"},
    {.kind = RY_OPT_COUNT, .offset = FIELD(top), .name = "top", .value = "N",
     .help = "strategies to show of each design, at most 64 (default 10)"},
    {.kind = RY_OPT_COUNT, .letter = 'j', .offset = FIELD(threads), .name = "threads",
     .value = "N", .help = "threads (default OMP_NUM_THREADS, or all cores)"},
    {.kind = RY_OPT_STRING, .offset = FIELD(shard), .name = "shard", .value = "I/N",
     .help = "do only the I-th of N parts, from 0"},
    RY_OPT_QUIET(struct search_options),
    RY_OPTS_CATALOG(struct search_options, catalog),
    RY_OPT_FORMAT(struct search_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_search = {
    .name = "search",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Time every strategy of a workload on a design and list the fastest",
    .example = "railyard search examples/search-gpt3-175b.json --top 3",
    .opts = opts,
    .options_bytes = sizeof(struct search_options),
    .defaults = &defaults,
    .run = run,
};
