/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/origin_table.h"
#include "cli/plan_run.h"
#include "cli/rank_mix.h"
#include "cli/rank_more.h"
#include "cli/rank_prove.h"

#include "base/names.h"
#include "cli/progress.h"
#include "cli/work.h"
#include "io/strategy_file.h"
#include "search/remarks.h"

#include <stdio.h>

extern const struct ry_cmd cmd_rank;

struct rank_options {
    struct ry_catalog_sources catalog;
    struct ry_work_opts work;
    struct ry_strings workloads;
    int objective;
    struct ry_constraints limits;
    double deadline_s;
    bool explain, prove, quiet;
    size_t top;
    size_t draws, seed;
    const char *pareto, *weights, *mix;
    int format;
};

/* Cases in order, and what is said more of each. */
struct ranking {
    struct ry_arena *arena;
    const struct rank_options *options;
    struct ry_rank_ask ask;
    size_t n;
    struct ry_case **cases;    /* [n] */
    struct ry_rank_more *more; /* [n] */
    size_t unseen;             /* left by an interruption */
    struct ry_work *work;
    struct ry_rank_proof proof;
    struct ry_weights weights;
    struct ry_mix_ask mix;
    struct ry_mixed mixed;
    const struct ry_plan_cases *all;
};

static struct ry_table *table_of(const struct ranking *r, size_t first, size_t n)
{
    const bool asked[2] = {r->ask.draws > 0, r->ask.pareto.n > 0};

    return ry_rank_table_more(r->arena, r->cases + first, r->more + first, n, asked);
}

/* One line that says what is trained. */
static void print_heading(const struct ry_case *c)
{
    const struct ry_workload *w = c->workload;
    const struct ry_workload *read = w->of ? w->of : w;
    char tokens[RY_NUMBER_BYTES];
    char grows[64] = "";

    if (w->batch_at_gpus > 0)
        (void)snprintf(grows, sizeof(grows), " at %zu GPUs, growing with them",
                       w->batch_at_gpus);
    printf("%s%s%s%s: %s, %s, sequence %u, batch %u%s, %s tokens, %s\n", w->name,
           w->choice[0] ? " [" : "", w->choice, w->choice[0] ? "]" : "", w->model,
           ry_task_choices[w->base.task], w->base.seq, read->base.global_batch, grows,
           ry_number_show(RY_SHOW_SCALED, w->tokens, tokens),
           ry_precision_choices[w->base.precision]);
}

static enum ry_err print_confidence(const struct ranking *r, size_t first, size_t n,
                                    struct ry_diag *diag)
{
    struct ry_case *const *cases = r->cases + first;
    const struct ry_rank_more *more = r->more + first;

    printf("\n");
    RY_TRY(ry_table_print(ry_confidence_table(r->arena, cases, more, n), stdout,
                          RY_TABLE_HUMAN, diag));
    ry_confidence_print(r->arena, cases, more, n, &r->ask);
    return RY_OK;
}

static void print_remarks(const struct ranking *r, struct ry_case *const cases[], size_t n)
{
    char text[RY_REMARKS_BYTES];

    for (size_t i = 0; i < n; i++) {
        ry_case_remarks(cases[i], text);
        if (text[0] != '\0')
            printf("note: %s: %s\n", ry_case_design_text(r->arena, cases[i]), text);
    }
}

/* The cases of one workload. */
static enum ry_err print_people(const struct ranking *r, size_t first, size_t n,
                                struct ry_diag *diag)
{
    struct ry_case *const *cases = r->cases + first;
    size_t fit = 0;

    while (fit < n && cases[fit]->feasible)
        fit++;
    print_heading(cases[0]);
    const size_t shown = r->options->top < fit ? r->options->top : fit;
    if (shown > 0)
        RY_TRY(ry_table_print(table_of(r, first, shown), stdout, RY_TABLE_HUMAN, diag));
    if (shown < fit)
        printf("%zu more designs fit\n", fit - shown);
    print_remarks(r, cases, shown);
    for (size_t i = fit; i < n && i < fit + r->options->top; i++)
        if (!cases[i]->unseen)
            printf("cannot: %s: %s\n", ry_case_design_text(r->arena, cases[i]),
               cases[i]->why);
    if (n - fit > r->options->top)
        printf("%zu more designs cannot\n", n - fit - r->options->top);
    if (fit > 0 && r->ask.draws > 0)
        RY_TRY(print_confidence(r, first, fit, diag));
    if (fit > 0 && r->weights.n > 0) {
        printf("\n");
        RY_TRY(ry_table_print(ry_weights_table(r->arena, &r->weights, cases, shown, fit), stdout,
                              RY_TABLE_HUMAN, diag));
    }
    if (r->options->prove)
        ry_rank_prove_print(r->arena, cases, r->options->top < n ? r->options->top : n,
                            &r->proof);
    printf("\n");
    return RY_OK;
}

/* The cases of each workload in turn. */
static enum ry_err print_groups(const struct ranking *r, struct ry_diag *diag)
{
    for (size_t i = 0; i < r->n;) {
        const size_t end = ry_workload_end(r->cases, r->n, i);
        RY_TRY(print_people(r, i, end - i, diag));
        i = end;
    }
    return RY_OK;
}

static void print_json(const struct ranking *r, const struct ry_table *origins)
{
    const struct rank_options *o = r->options;

    printf("{\n  \"objective\": ");
    ry_json_put_text(stdout, o->weights ? o->weights : ry_objective_choices[o->objective]);
    if (o->draws > 0)
        printf(",\n  \"draws\": %zu,\n  \"seed\": %zu", o->draws, o->seed);
    if (r->unseen > 0)
        printf(",\n  \"complete\": false,\n  \"not_looked_at\": %zu", r->unseen);
    if (o->prove)
        ry_rank_prove_json(&r->proof);
    if (r->weights.n > 0) {
        printf(",\n  \"weights\": ");
        ry_table_print_json(ry_weights_table(r->arena, &r->weights, r->cases, r->n, r->n),
                            stdout, 2);
    }
    if (r->mixed.n > 0) {
        printf(",\n  \"mix\": ");
        ry_table_print_json(ry_mix_table(r->arena, r->mixed.at, r->mixed.n), stdout, 2);
    }
    printf(",\n  \"ranking\": ");
    ry_table_print_json(table_of(r, 0, r->n), stdout, 2);
    if (origins) {
        printf(",\n  \"origins\": ");
        ry_table_print_json(origins, stdout, 2);
    }
    ry_work_print_shard(r->work, &(struct ry_shard_part){.n = r->all->n,
                                                         .whole = r->unseen == 0,
                                                         .rank = r->all->at});
    printf("\n}\n");
}

static void print_notes(const struct ranking *r)
{
    const struct rank_options *o = r->options;
    const struct ry_currency *in = ry_cases_currency(r->cases, r->n);
    char rate[RY_CURRENCY_WHY_BYTES];

    if (in)
        printf("Money at %s.\n", ry_currency_rate(in, rate));
    printf("~: estimated prices are in it; >=: a part has no price.  Ranges are in "
           "--format json, origins by --explain.\n"
           "TCO: without software, sales tax and resale where a design gives none.\n");
    if (o->weights)
        printf("By weights: each figure over the best of all designs, of the fastest "
               "strategy.\n");
    else if (ry_objective_idles((enum ry_objective)o->objective))
        printf("The strategy is the fastest: by %s, GPUs that do nothing would be the best.\n",
               ry_objective_choices[o->objective]);
    if (o->draws > 0)
        printf("Drawn: calibrated models, prices with a range, assumed inputs; what the "
               "files state is exact, and each design keeps its best strategy.\n");
}

/* One table after the other, an empty line between them. */
static enum ry_err print_csv(const struct ranking *r, struct ry_diag *diag)
{
    RY_TRY(ry_table_print(table_of(r, 0, r->n), stdout, RY_TABLE_CSV, diag));
    if (r->weights.n > 0) {
        printf("\n");
        RY_TRY(ry_table_print(ry_weights_table(r->arena, &r->weights, r->cases, r->n, r->n),
                              stdout, RY_TABLE_CSV, diag));
    }
    if (r->mixed.n == 0)
        return RY_OK;
    printf("\n");
    return ry_table_print(ry_mix_table(r->arena, r->mixed.at, r->mixed.n), stdout,
                          RY_TABLE_CSV, diag);
}

static enum ry_err print_all(const struct ranking *r, struct ry_diag *diag)
{
    const struct rank_options *o = r->options;
    struct ry_table *origins =
        o->explain ? ry_origin_table(r->arena, r->cases, r->n) : NULL;

    if (o->format == RY_FORMAT_JSON) {
        print_json(r, origins);
        return RY_OK;
    }
    if (o->format == RY_FORMAT_CSV)
        RY_TRY(print_csv(r, diag));
    else
        RY_TRY(print_groups(r, diag));
    if (o->format == RY_FORMAT_TABLE && r->mixed.n > 0) {
        ry_mix_heading(r->all, &r->mix);
        RY_TRY(ry_table_print(ry_mix_table(r->arena, r->mixed.at, r->mixed.n), stdout,
                              RY_TABLE_HUMAN, diag));
        printf("\n");
    }
    if (o->format == RY_FORMAT_TABLE)
        print_notes(r);
    if (!origins)
        return RY_OK;
    if (o->format == RY_FORMAT_CSV)
        printf("\n");
    return ry_table_print(origins, stdout, (enum ry_table_format)o->format, diag);
}

static enum ry_objective order_of(const struct ranking *r)
{
    return r->weights.n > 0 ? RY_OBJECTIVES : r->ask.objective;
}

/* Each workload's cases in order; places count within a workload. */
static enum ry_err sort_all(struct ranking *r, const struct ry_plan_cases *all,
                            struct ry_diag *diag)
{
    struct ry_case **spare = RY_NEW(r->arena, struct ry_case *, all->n);

    r->n = 0;
    r->cases = RY_NEW(r->arena, struct ry_case *, all->n);
    r->more = RY_NEW(r->arena, struct ry_rank_more, all->n);
    if (!r->cases || !r->more || !spare)
        return ry_fail(diag, RY_ERR_NOMEM, "rank", "%zu cases", all->n);
    for (size_t i = 0; i < all->n; i++) {
        if (!all->sharing || !all->sharing->left_out[i])
            r->cases[r->n++] = &all->at[i];
    }
    for (size_t i = 0; i < r->n;) {
        const size_t end = ry_workload_end(r->cases, r->n, i);
        if (r->weights.n > 0)
            ry_weigh(&r->weights, r->cases + i, end - i);
        ry_cases_sort(r->cases + i, spare, end - i, order_of(r));
        RY_TRY(ry_rank_more_make(r->arena, r->cases + i, end - i, &r->ask, r->more + i,
                                 diag));
        i = end;
    }
    return RY_OK;
}

static enum ry_err verdict(const struct ranking *r, struct ry_diag *diag)
{
    const struct ry_plan_cases *all = r->all;

    if (all->unseen > 0)
        return ry_fail(diag, RY_ERR_INTERRUPTED, "rank",
                       "%zu of %zu designs were not looked at", all->unseen, all->n);
    for (size_t i = 0; i < all->n; i++) {
        if (all->at[i].feasible)
            return RY_OK;
    }
    if (r->work->shards > 1)
        return RY_OK; /* another part may have one */
    return ry_fail(diag, RY_ERR_INFEASIBLE, "rank", "none of %zu designs and workloads",
                   all->n);
}

static enum ry_err read_asks(const struct rank_options *o, struct ranking *r,
                             struct ry_diag *diag)
{
    if (o->pareto)
        RY_TRY(ry_pareto_parse(o->pareto, &r->ask.pareto, diag));
    if (o->mix)
        RY_TRY(ry_mix_parse(o->mix, &r->mix, diag));
    if (o->weights)
        RY_TRY(ry_weights_parse(o->weights, &r->weights, diag));
    if (o->weights && (o->mix || o->draws > 0))
        return ry_fail(diag, RY_ERR_USAGE, "--weights",
                       "does not go with %s, which is by one --objective",
                       o->mix ? "--mix" : "--draws");
    if (o->weights && o->objective != RY_BY_COST_PER_TOKEN)
        return ry_fail(diag, RY_ERR_USAGE, "--weights",
                       "does not go with --objective: name it among the weights");
    return RY_OK;
}

/* Read the files and name them; every rank. */
static enum ry_err begin(struct ranking *r, const struct ry_strings *args,
                         struct ry_plan_session **session, struct ry_plan_cases *all,
                         struct ry_diag *diag)
{
    const struct rank_options *o = r->options;
    struct ry_inputs inputs = {
        .catalog = &o->catalog, .files = args, .workloads = &o->workloads};
    enum ry_err err = read_asks(o, r, diag);

    if (r->work->shards > 1)
        r->mix.n = 0; /* of all designs: merge makes it */
    if (err == RY_OK)
        err = ry_plan_session_open(r->arena, &o->catalog, args, &o->workloads, session,
                                   diag);
    if (err == RY_OK)
        err = ry_plan_cases_make(*session, all, diag);
    if (err == RY_OK)
        inputs.read = &(*session)->files;
    return ry_work_begin(r->work, o, &inputs, err, diag);
}

static enum ry_err print_and_keep(struct ranking *r, const struct ry_constraints *limits,
                                  struct ry_diag *diag)
{
    const struct ry_work *work = r->work;

    if (work->cases_resumed > 0)
        (void)fprintf(stderr, "%zu designs were kept in %s\n", work->cases_resumed,
                      work->opts->store);
    if (r->options->prove)
        RY_TRY(ry_rank_prove(limits, r->cases, r->n, &r->proof, diag));
    RY_TRY(print_all(r, diag));
    if (r->unseen == 0 && work->shards == 0)
        ry_work_answer(r->work, table_of(r, 0, r->n));
    RY_TRY(ry_rank_prove_verdict(&r->proof, diag));
    return verdict(r, diag);
}

static enum ry_err rank(struct ranking *r, const struct ry_strings *args,
                        struct ry_diag *diag)
{
    const struct rank_options *o = r->options;
    struct ry_plan_session *session = NULL;
    struct ry_constraints limits = o->limits;
    struct ry_plan_cases all = {0};
    struct ry_plan_sharing sharing;

    RY_TRY(begin(r, args, &session, &all, diag));
    limits.days = o->deadline_s / 86400.0;
    all.quiet = o->quiet;
    for (size_t i = 0; i < all.n; i++)
        all.at[i].objective = r->weights.n > 0 ? RY_BY_STEP_TIME : r->ask.objective;
    RY_TRY(ry_work_cases(r->work, all.n, &sharing, diag));
    all.sharing = &sharing;
    RY_TRY(ry_plan_cases_run(session, &limits, &all, diag));
    if (!ry_work_first(r->work))
        return RY_OK;
    r->unseen = all.unseen;
    r->all = &all;
    if (r->mix.n > 0)
        RY_TRY(ry_mix_make(r->arena, &all, &r->mix, r->ask.objective, &r->mixed, diag));
    RY_TRY(sort_all(r, &all, diag));
    return print_and_keep(r, &limits, diag);
}

static enum ry_err run_in(struct ry_arena *arena, const struct rank_options *o,
                          const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_work work;
    struct ranking r = {.arena = arena,
                        .options = o,
                        .work = &work,
                        .ask = {.objective = (enum ry_objective)o->objective,
                                .draws = o->draws,
                                .seed = o->seed}};

    enum ry_err err = ry_work_open(arena, &cmd_rank, &o->work, &work, diag);
    if (work.ranks.n == 1) /* else mpirun ends all ranks */
        ry_interrupt_keep();
    if (err == RY_OK)
        err = rank(&r, args, diag);
    return ry_work_close(&work, err, diag);
}

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);
    const enum ry_err err = arena ? run_in(arena, options, args, diag)
                                  : ry_fail(diag, RY_ERR_NOMEM, "rank", "cannot start");

    ry_arena_destroy(arena);
    return err;
}

static const struct rank_options defaults = {
    .objective = RY_BY_COST_PER_TOKEN,
    .limits = {INFINITY, INFINITY, INFINITY, INFINITY},
    .deadline_s = INFINITY,
    .seed = 1,
    .top = 1000,
};

#define FIELD(name) offsetof(struct rank_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST, .letter = 'w', .offset = FIELD(workloads), .name = "workload",
     .value = "FILE", .help = "what is trained; may be given again"},
    {.kind = RY_OPT_CHOICE, .letter = 'o', .offset = FIELD(objective),
     .name = "objective", .value = "NAME", .choices = ry_objective_choices,
     .help = "what is ranked by"},
#define OPTIONS struct rank_options
#include "cli/limit_opts.def"
#undef OPTIONS
    {.kind = RY_OPT_COUNT, .offset = FIELD(draws), .name = "draws", .value = "N",
     .help = "Monte Carlo: P10, P50, P90, and how often each is the best; 1000 is usual"},
    {.kind = RY_OPT_COUNT, .offset = FIELD(seed), .name = "seed", .value = "N",
     .help = "of the draws (default 1): the same seed, the same result"},
    {.kind = RY_OPT_STRING, .offset = FIELD(weights), .name = "weights",
     .value = "A=W[,B=W]",
     .help = "rank by several objectives, such as cost_per_token=2,days=1"},
    {.kind = RY_OPT_STRING, .offset = FIELD(mix), .name = "mix", .value = "N[,N]",
     .help = "all workloads on one cluster: how often each is trained, in their order"},
    {.kind = RY_OPT_STRING, .offset = FIELD(pareto), .name = "pareto", .value = "A,B[,C]",
     .help = "mark the Pareto front of two or three objectives, such as step_time,tco"},
    {.kind = RY_OPT_FLAG, .offset = FIELD(prove), .name = "prove",
     .help = "print the bounds that exclude strategies, and time all of them to check"},
    {.kind = RY_OPT_COUNT, .offset = FIELD(top), .name = "top", .value = "N",
     .help = "designs to show for people (default 1000); JSON and CSV have all"},
    RY_OPT_QUIET(struct rank_options),
    {.kind = RY_OPT_FLAG, .offset = FIELD(explain), .name = "explain",
     .help = "say where every figure came from"},
    RY_OPTS_WORK(struct rank_options, work),
    RY_OPTS_CATALOG(struct rank_options, catalog),
    RY_OPT_CURRENCY(struct rank_options, catalog),
    RY_OPT_FORMAT(struct rank_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_rank = {
    .name = "rank",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Rank designs for a workload, each with its best strategy",
    .example = "railyard rank examples/h100-32-ndr-rail.json examples/h100-32-roce.json "
               "--workload examples/workloads/llama3-70b-pretrain.json",
    .opts = opts,
    .options_bytes = sizeof(struct rank_options),
    .defaults = &defaults,
    .run = run,
};
