/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_cases.h"

#include "base/names.h"
#include "cli/progress.h"
#include "cli/work.h"
#include "io/strategy_file.h"

#include <stdio.h>
#include <string.h>

struct search_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    size_t threads;
    size_t top;
    struct ry_work_opts work;
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

extern const struct ry_cmd cmd_search;

/* Of struct ry_par_search. */
static bool progress(void *ctx, size_t done, size_t all)
{
    ry_progress_show(ctx, done, all);
    return !ry_interrupted();
}

/* Runs of one case on their way into the store. */
struct keeping {
    struct ry_work *work;
    size_t case_i;
};

static void keep_run(void *ctx, const struct ry_par_run *run)
{
    const struct keeping *k = ctx;

    ry_work_take(k->work, k->case_i, run);
}

/* Time what is not known yet. */
static enum ry_err search_rest(const struct ry_search_problem *problem,
                               const struct search_options *o, struct keeping *keeping,
                               struct searched *out, struct ry_diag *diag)
{
    struct ry_work *work = keeping->work;
    struct ry_progress p = {0};
    const size_t runs = ry_par_search_runs(problem);
    bool *known = RY_NEW(work->arena, bool, runs + 1);
    const struct ry_par_search options = {.threads = o->threads,
                                          .shard = work->shard,
                                          .shards = work->shards,
                                          .ranks = &work->ranks,
                                          .kept = {known, keep_run, keeping},
                                          .progress = progress,
                                          .ctx = &p};

    if (!known)
        return ry_fail(diag, RY_ERR_NOMEM, "search", "%zu runs", runs);
    RY_TRY(ry_work_known(work, keeping->case_i, runs, known, &out->tally, diag));
    RY_TRY(ry_search_recognise(problem, &out->tally, diag));
    p = ry_progress_start("parts of the space", o->quiet || !ry_work_first(work));
    const enum ry_err err = ry_par_search_run(problem, &options, &out->tally, diag);
    out->seconds = ry_progress_end(&p);
    return err;
}

static enum ry_err search_one(struct ry_work *work, const struct ry_catalog *catalog,
                              const struct search_options *o, struct searched *out,
                              size_t case_i, struct ry_diag *diag)
{
    struct keeping keeping = {work, case_i};
    struct ry_diag reason = {0};
    const enum ry_err err =
        ry_case_prepare(work->arena, catalog, out->c, &out->space, &reason);

    if (err != RY_OK) {
        (void)snprintf(out->why, sizeof(out->why), "%s", reason.text);
        return err == RY_ERR_NOMEM ? err : RY_OK;
    }
    const struct ry_search_problem problem = {.machine = &out->c->site->built.machine,
                                              .arch = &out->c->workload->arch,
                                              .traits = &out->c->workload->traits,
                                              .space = &out->space};
    RY_TRY(search_rest(&problem, o, &keeping, out, diag));
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

static void add_row(struct ry_arena *arena, struct ry_table *table,
                    const struct ry_case *c, size_t place, const struct ry_result *r)
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
    double seconds, timed; /* timed: evaluated in these seconds, not resumed */
};

static double rate_per_s(const struct totals *t)
{
    return t->seconds > 0 ? t->timed / t->seconds : 0.0;
}

static struct totals sum(const struct ry_work *work, const struct searched *all, size_t n)
{
    const struct ry_joined *joined = work->opts->joined;
    struct totals t = {0};

    for (size_t i = 0; i < n; i++) {
        t.strategies += all[i].space.n;
        t.evaluated += all[i].tally.evaluated;
        t.infeasible += all[i].tally.too_large;
        t.indivisible += all[i].tally.indivisible;
        t.seconds += all[i].seconds;
    }
    t.timed = (double)(t.evaluated - work->resumed);
    if (joined) {
        t.seconds = joined->seconds;
        t.timed = joined->timed;
    }
    return t;
}

static void print_json_counts(const struct totals *t, size_t threads)
{
    printf("{\n  \"strategies\": %llu,\n  \"evaluated\": %llu,\n  \"infeasible\": %llu,\n"
           "  \"indivisible\": %llu,\n  \"pruned\": 0,\n  \"threads\": %zu,\n",
           (unsigned long long)t->strategies, (unsigned long long)t->evaluated,
           (unsigned long long)t->infeasible, (unsigned long long)t->indivisible,
           threads);
    printf("  \"seconds\": ");
    ry_json_put_number(stdout, t->seconds);
    printf(",\n  \"strategies_per_s\": ");
    ry_json_put_number(stdout, rate_per_s(t));
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
    for (size_t i = 0; i < n; i++)
        if (all[i].tally.best_n == 0)
            printf("cannot: %s: %s\n", all[i].c->design->name, all[i].why);
    printf("%llu strategies: %llu timed, %llu too large for memory, %llu cannot be cut; "
           "%.3g s, %.3g timed a second%s\n",
           (unsigned long long)t->strategies, (unsigned long long)t->evaluated,
           (unsigned long long)t->infeasible, (unsigned long long)t->indivisible,
           t->seconds, rate_per_s(t),
           ry_interrupted() ? "; interrupted, the rest was not looked at" : "");
}

static enum ry_err print_shard(const struct ry_work *work, const struct searched *all,
                               size_t n, bool whole, struct ry_diag *diag)
{
    const struct ry_search_tally **tallies =
        RY_NEW(work->arena, const struct ry_search_tally *, n + 1);

    if (!tallies)
        return ry_fail(diag, RY_ERR_NOMEM, "search", "%zu cases", n);
    for (size_t i = 0; i < n; i++)
        tallies[i] = &all[i].tally;
    ry_work_print_shard(work, &(struct ry_shard_part){n, whole, tallies, NULL});
    return RY_OK;
}

static enum ry_err print_all(const struct search_options *o, const struct ry_work *work,
                             const struct searched *all, size_t n, struct ry_table *table,
                             struct ry_diag *diag)
{
    const struct totals t = sum(work, all, n);

    if (o->format == RY_TABLE_JSON) {
        print_json_counts(&t, o->threads ? o->threads : ry_par_threads());
        print_json_refused(all, n);
        printf("  \"best\": ");
        ry_table_print_json(table, stdout, 2);
        RY_TRY(print_shard(work, all, n, !ry_interrupted(), diag));
        printf("\n}\n");
        return RY_OK;
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)o->format, diag));
    if (ry_format_for_people(o->format))
        print_people(&t, all, n);
    return RY_OK;
}

/* Every case in turn; all ranks work on one at a time. */
static enum ry_err search_cases(struct ry_work *work, const struct search_options *o,
                                const struct ry_catalog *catalog,
                                struct ry_plan_cases *cases, struct ry_diag *diag)
{
    struct ry_table *table = ry_table_create(work->arena, columns, COLUMNS);
    struct searched *all = RY_NEW(work->arena, struct searched, cases->n);
    size_t found = 0, n = 0;

    if (!all)
        return ry_fail(diag, RY_ERR_NOMEM, "search", "%zu designs", cases->n);
    for (; n < cases->n && !ry_interrupted(); n++) {
        all[n].c = &cases->at[n];
        enum ry_err err = search_one(work, catalog, o, &all[n], n, diag);
        if (err == RY_OK)
            err = add_best(work->arena, o, &all[n], table, diag);
        RY_TRY(ry_ranks_agree(&work->ranks, err, diag));
        found += all[n].tally.best_n;
    }
    if (work->resumed > 0 && work->store)
        (void)fprintf(stderr, "%llu timed strategies were kept in %s\n",
                      (unsigned long long)work->resumed, o->work.store);
    RY_TRY(print_all(o, work, all, n, table, diag));
    if (!ry_interrupted() && work->shards == 0)
        ry_work_answer(work, table);
    if (ry_interrupted())
        return ry_fail(diag, RY_ERR_INTERRUPTED, "search",
                       "%zu of %zu designs, the last in part", n, cases->n);
    return found > 0 || work->shards > 1 ? RY_OK
                                         : ry_fail(diag, RY_ERR_INFEASIBLE, "search",
                                                   "no strategy of any design fits");
}

static enum ry_err search_all(struct ry_work *work, const struct search_options *o,
                              const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases cases;
    struct ry_inputs inputs = {
        .catalog = &o->catalog, .files = args, .workloads = &o->workloads};

    enum ry_err err = ry_plan_session_open(work->arena, &o->catalog, args, &o->workloads,
                                           &session, diag);
    if (err == RY_OK)
        err = ry_plan_cases_make(session, &cases, diag);
    if (session)
        inputs.read = &session->files;
    RY_TRY(ry_work_begin(work, o, &inputs, err, diag));
    return search_cases(work, o, &session->catalog, &cases, diag);
}

static enum ry_err run_in(struct ry_arena *arena, const void *given,
                          const struct ry_strings *args, struct ry_diag *diag)
{
    const struct search_options *o = given;
    struct ry_work work;

    enum ry_err err = ry_work_open(arena, &cmd_search, &o->work, &work, diag);
    if (work.ranks.n == 1) /* else mpirun ends all ranks */
        ry_interrupt_keep();
    if (err == RY_OK)
        err = search_all(&work, o, args, diag);
    return ry_work_close(&work, err, diag);
}

static const struct search_options defaults = {.top = 10};

#define FIELD(name) offsetof(struct search_options, name)

static const struct ry_opt opts[] = {
    RY_OPT_WORKLOADS(struct search_options),
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(top),
     .name = "top",
     .value = "N",
     .help = "strategies to show of each design, at most 64 (default 10)"},
    {.kind = RY_OPT_COUNT,
     .letter = 'j',
     .offset = FIELD(threads),
     .most = 1024,
     .name = "threads",
     .value = "N",
     .help = "threads (default OMP_NUM_THREADS, or all cores)"},
    RY_OPTS_WORK(struct search_options, work),
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
    .run = run_in,
};
