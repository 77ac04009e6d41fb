/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_run.h"
#include "cli/progress.h"
#include "cli/rank_print.h"

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

static enum ry_objective order_of(const struct ry_ranking *r)
{
    return r->weights.n > 0 ? RY_OBJECTIVES : r->ask.objective;
}

/* Each workload's cases in order; places count within a workload. */
static enum ry_err sort_all(struct ry_ranking *r, const struct ry_plan_cases *all,
                            struct ry_diag *diag)
{
    struct ry_case **spare = RY_NEW(r->arena, struct ry_case *, all->n);

    r->n = 0;
    r->cases = RY_NEW(r->arena, struct ry_case *, all->n);
    r->more = RY_NEW(r->arena, struct ry_rank_more, all->n);
    if (!r->cases || !r->more || !spare)
        return ry_fail(diag, RY_ERR_NOMEM, "rank", "%zu cases", all->n);
    for (size_t i = 0; i < all->n; i++)
        if (!all->sharing || !all->sharing->left_out[i])
            r->cases[r->n++] = &all->at[i];
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

static enum ry_err verdict(const struct ry_ranking *r, struct ry_diag *diag)
{
    const struct ry_plan_cases *all = r->all;

    if (all->unseen > 0)
        return ry_fail(diag, RY_ERR_INTERRUPTED, "rank",
                       "%zu of %zu designs were not looked at", all->unseen, all->n);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].feasible)
            return RY_OK;
    if (r->work->shards > 1)
        return RY_OK; /* another part may have one */
    return ry_fail(diag, RY_ERR_INFEASIBLE, "rank", "none of %zu designs and workloads",
                   all->n);
}

static enum ry_err read_asks(const struct rank_options *o, struct ry_ranking *r,
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
static enum ry_err begin(struct ry_ranking *r, const struct rank_options *o,
                         const struct ry_strings *args, struct ry_plan_session **session,
                         struct ry_plan_cases *all, struct ry_diag *diag)
{
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

static enum ry_err print_and_keep(struct ry_ranking *r,
                                  const struct ry_constraints *limits, int format,
                                  struct ry_diag *diag)
{
    const struct ry_work *work = r->work;

    if (work->cases_resumed > 0)
        (void)fprintf(stderr, "%zu designs were kept in %s\n", work->cases_resumed,
                      work->opts->store);
    if (r->prove)
        RY_TRY(ry_rank_prove(limits, r->cases, r->n, &r->proof, diag));
    RY_TRY(ry_ranking_print(r, (enum ry_table_format)format, diag));
    if (r->unseen == 0 && work->shards == 0)
        ry_work_answer(r->work, ry_ranking_table(r));
    RY_TRY(ry_rank_prove_verdict(&r->proof, diag));
    return verdict(r, diag);
}

static enum ry_err rank(struct ry_ranking *r, const struct rank_options *o,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_plan_session *session = NULL;
    struct ry_constraints limits = o->limits;
    struct ry_plan_cases all = {0};
    struct ry_plan_sharing sharing;

    RY_TRY(begin(r, o, args, &session, &all, diag));
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
    return print_and_keep(r, &limits, o->format, diag);
}

static enum ry_err run_in(struct ry_arena *arena, const void *given,
                          const struct ry_strings *args, struct ry_diag *diag)
{
    const struct rank_options *o = given;
    struct ry_work work;
    struct ry_ranking r = {.arena = arena,
                           .weights_text = o->weights,
                           .explain = o->explain,
                           .prove = o->prove,
                           .top = o->top,
                           .work = &work,
                           .ask = {.objective = (enum ry_objective)o->objective,
                                   .draws = o->draws,
                                   .seed = o->seed}};

    enum ry_err err = ry_work_open(arena, &cmd_rank, &o->work, &work, diag);
    if (work.ranks.n == 1) /* else mpirun ends all ranks */
        ry_interrupt_keep();
    if (err == RY_OK)
        err = rank(&r, o, args, diag);
    return ry_work_close(&work, err, diag);
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
    RY_OPT_WORKLOADS(struct rank_options),
    {.kind = RY_OPT_CHOICE,
     .letter = 'o',
     .offset = FIELD(objective),
     .name = "objective",
     .value = "NAME",
     .choices = ry_objective_choices,
     .help = "what is ranked by"},
#define OPTIONS struct rank_options
#include "cli/limit_opts.def"
#undef OPTIONS
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(draws),
     .name = "draws",
     .value = "N",
     .help = "Monte Carlo: P10, P50, P90, and how often each is the best; 1000 is usual"},
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(seed),
     .name = "seed",
     .value = "N",
     .help = "of the draws (default 1): the same seed, the same result"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(weights),
     .name = "weights",
     .value = "A=W[,B=W]",
     .help = "rank by several objectives, such as cost_per_token=2,days=1"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(mix),
     .name = "mix",
     .value = "N[,N]",
     .help = "all workloads on one cluster: how often each is trained, in their order"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(pareto),
     .name = "pareto",
     .value = "A,B[,C]",
     .help = "mark the Pareto front of two or three objectives, such as step_time,tco"},
    {.kind = RY_OPT_FLAG,
     .offset = FIELD(prove),
     .name = "prove",
     .help = "print the bounds that exclude strategies, and time all of them to check"},
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(top),
     .name = "top",
     .value = "N",
     .help = "designs to show for people (default 1000); JSON and CSV have all"},
    RY_OPT_QUIET(struct rank_options),
    {.kind = RY_OPT_FLAG,
     .offset = FIELD(explain),
     .name = "explain",
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
    .run = run_in,
};
