/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation: what is alike is done once. */
#include "cli/plan_run.h"

#include "cli/progress.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Cases of one machine that one worker takes: enough to share, few enough to spread. */
enum { RUN_CASES = 32 };

/* Something and what it is alike by. */
struct keyed {
    uint64_t key;
    size_t index;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Evaluation under way. */
struct evaluation {
    struct ry_plan_session *session;
    const struct ry_constraints *limits;
    struct ry_plan_cases *cases;
    size_t n;            /* of what is at hand: designs, then cases */
    struct keyed *order; /* [n] */
    size_t runs_n;
    size_t *run; /* [runs_n + 1] first of each run in the order */
    bool out_of_memory;
};

/* Cut the order into runs that are alike, as @p alike says of two indices. */
static void cut_runs(struct evaluation *e, size_t most,
                     bool (*alike)(const struct evaluation *e, size_t a, size_t b))
{
    qsort(e->order, e->n, sizeof(e->order[0]), by_key);
    e->runs_n = 0;
    for (size_t i = 0; i < e->n; i++) {
        const size_t first = e->runs_n ? e->run[e->runs_n - 1] : 0;
        if (i == 0 || i - first >= most || e->order[i].key != e->order[first].key ||
            !alike(e, e->order[first].index, e->order[i].index))
            e->run[e->runs_n++] = i;
    }
    e->run[e->runs_n] = e->n;
}

static bool designs_alike(const struct evaluation *e, size_t a, size_t b)
{
    return ry_premises_alike(e->cases->premises[a].design, e->cases->premises[b].design);
}

static bool cases_alike(const struct evaluation *e, size_t a, size_t b)
{
    return ry_case_alike(&e->cases->at[a], &e->cases->at[b]);
}

/* Make one design's premises; @p from is of a design that is alike, or NULL. */
static enum ry_err make_one(struct evaluation *e, const struct ry_premises *from,
                            struct ry_premises *premises)
{
    struct ry_plan_session *s = e->session;
    const struct ry_design *design = premises->design;
    struct ry_arena *arena = ry_arena_create(0);
    enum ry_err err = RY_ERR_NOMEM;

    if (arena)
        err = from && from->err == RY_OK
                  ? ry_premises_share(arena, from, design, premises, NULL)
                  : ry_premises_make(arena, &s->catalog, design, premises, NULL);
    if (arena && err == RY_OK) {
#pragma omp critical(ry_plan_cases_arena)
        err = ry_premises_keep(s->arena, premises);
    }
    ry_arena_destroy(arena);
    return err;
}

/* Lay out the designs that the cases are of, those that are alike once. */
static void make_premises(struct evaluation *e)
{
    struct ry_plan_cases *cases = e->cases;
    bool out_of_memory = false;

    e->n = 0;
    for (size_t i = 0; i < cases->n; i++) {
        struct ry_premises *premises =
            &cases->premises[cases->at[i].premises - cases->premises];
        if (!premises->design)
            e->order[e->n++] = (struct keyed){ry_premises_key(cases->at[i].design),
                                              (size_t)(premises - cases->premises)};
        premises->design = cases->at[i].design;
    }
    cut_runs(e, e->n, designs_alike);
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : out_of_memory)
    for (size_t r = 0; r < e->runs_n; r++) {
        struct ry_premises *first = &cases->premises[e->order[e->run[r]].index];
        for (size_t i = e->run[r]; i < e->run[r + 1] && !ry_interrupted(); i++) {
            struct ry_premises *one = &cases->premises[e->order[i].index];
            const enum ry_err err = make_one(e, one == first ? NULL : first, one);
            out_of_memory = out_of_memory || err == RY_ERR_NOMEM;
        }
    }
    e->out_of_memory = out_of_memory;
}

/* Sites of all cases; those that have one, in runs of the same machine. */
static void make_sites(struct evaluation *e)
{
    struct ry_plan_cases *cases = e->cases;
    struct keyed *order = e->order;

#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < cases->n; i++) {
        struct ry_case *c = &cases->at[i];
        const bool ready = c->premises->made && ry_case_site_or_why(NULL, NULL, c);
        order[i] = (struct keyed){ready ? ry_case_key(c) : 0, ready ? i : SIZE_MAX};
    }
    e->n = 0;
    for (size_t i = 0; i < cases->n; i++)
        if (order[i].index != SIZE_MAX)
            order[e->n++] = order[i];
    cut_runs(e, RUN_CASES, cases_alike);
}

/* The cases of one machine; false: out of memory. */
static bool choose_run(struct evaluation *e, size_t r)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_case_share share = {0};
    bool fits = arena != NULL;

    for (size_t i = e->run[r]; fits && i < e->run[r + 1]; i++) {
        struct ry_case *c = &e->cases->at[e->order[i].index];
        ry_case_choose(arena, &share, e->limits, c);
        fits = c->err != RY_ERR_NOMEM;
    }
    ry_arena_destroy(arena);
    return fits;
}

static void choose_all(struct evaluation *e, struct ry_progress *progress)
{
    size_t done = 0;
    bool out_of_memory = false;

#pragma omp parallel for schedule(dynamic, 1) reduction(|| : out_of_memory)
    for (size_t r = 0; r < e->runs_n; r++) {
        size_t now = 0;
        if (ry_interrupted())
            continue;
        out_of_memory = !choose_run(e, r) || out_of_memory;
#pragma omp atomic capture
        now = done += e->run[r + 1] - e->run[r];
        ry_progress_show(progress, now, e->n);
    }
    e->out_of_memory = e->out_of_memory || out_of_memory;
}

/* ---- evaluation shared among processes ---- */

/* What a rank says of a case; not found: the first rank finds out why itself. */
struct said {
    size_t case_i;
    bool found;
    struct ry_case_found what;
};

struct shared {
    struct evaluation *e;
    const struct ry_plan_sharing *sharing;
    struct ry_share *share;
    struct ry_progress *progress;
    bool *mine; /* [cases] evaluated by this process */
    size_t done;
    bool out_of_memory;
};

static void take_case(void *ctx, const void *result)
{
    struct shared *sh = ctx;
    const struct said *said = result;

    sh->done++;
    ry_progress_show(sh->progress, sh->done, sh->e->n);
    if (!said->found)
        return;
    sh->sharing->take(sh->sharing->ctx, said->case_i, &said->what);
    if (sh->mine[said->case_i])
        return;
    struct ry_case_found *kept = RY_NEW(sh->e->session->arena, struct ry_case_found, 1);
    if (kept)
        *kept = said->what;
    else
        sh->out_of_memory = true;
    sh->sharing->known[said->case_i] = kept;
}

static void run_out(struct shared *sh)
{
#pragma omp atomic write
    sh->out_of_memory = true;
}

static bool to_be_found(const struct shared *sh, size_t case_i)
{
    return !sh->sharing->left_out[case_i] && !sh->sharing->known[case_i];
}

static void share_run(struct shared *sh, size_t r)
{
    struct evaluation *e = sh->e;
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_case_share share = {0};

    for (size_t i = e->run[r]; i < e->run[r + 1] && !ry_interrupted(); i++) {
        const size_t case_i = e->order[i].index;
        struct ry_case *c = &e->cases->at[case_i];
        if (!to_be_found(sh, case_i))
            continue;
        sh->mine[case_i] = true;
        if (arena)
            ry_case_choose(arena, &share, e->limits, c);
        if (!arena || c->err == RY_ERR_NOMEM)
            run_out(sh);
        const struct said said = {case_i, arena && c->err == RY_OK, {c->chosen, c->best}};
        ry_share_hand_in(sh->share, &said);
    }
    ry_arena_destroy(arena);
}

/* Known cases, and those of other ranks; on the first rank. */
static void recall_run(struct shared *sh, size_t r)
{
    struct evaluation *e = sh->e;
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_case_share share = {0};

    for (size_t i = e->run[r]; arena && i < e->run[r + 1]; i++) {
        const size_t case_i = e->order[i].index;
        struct ry_case *c = &e->cases->at[case_i];
        const struct ry_case_found *known = sh->sharing->known[case_i];
        if (sh->mine[case_i] || sh->sharing->left_out[case_i] || ry_interrupted())
            continue;
        if (known)
            ry_case_recall(arena, &share, e->limits, known, c);
        else
            ry_case_choose(arena, &share, e->limits, c);
    }
    if (!arena)
        run_out(sh);
    ry_arena_destroy(arena);
}

/* What a kept result got wrong, or no memory. */
static enum ry_err check_recalled(const struct shared *sh, struct ry_diag *diag)
{
    const struct ry_plan_cases *cases = sh->e->cases;

    if (sh->out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", cases->n);
    for (size_t i = 0; i < cases->n; i++) {
        const struct ry_case *c = &cases->at[i];
        if (sh->sharing->known[i] && c->err != RY_OK)
            return ry_fail(diag, c->err, c->design->name, "%.230s", c->why);
    }
    return RY_OK;
}

/* All ranks go by the runs that the first one cut. */
static enum ry_err share_all(struct shared *sh, struct ry_diag *diag)
{
    struct evaluation *e = sh->e;
    const struct ry_ranks *ranks = sh->sharing->ranks;
    const struct ry_share_take taker = {take_case, sh, sizeof(struct said)};

    sh->mine = RY_NEW(e->session->arena, bool, e->cases->n + 1);
    RY_TRY(ry_ranks_agree(ranks,
                          sh->mine && !e->out_of_memory
                              ? RY_OK
                              : ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", e->n),
                          diag));
    ry_ranks_spread(ranks, &e->n, sizeof(e->n));
    ry_ranks_spread(ranks, &e->runs_n, sizeof(e->runs_n));
    ry_ranks_spread(ranks, e->order, e->n * sizeof(e->order[0]));
    ry_ranks_spread(ranks, e->run, (e->runs_n + 1) * sizeof(e->run[0]));
    RY_TRY(ry_share_open(ranks, e->runs_n, &taker, &sh->share, diag));
#pragma omp parallel
    {
        size_t r = 0;
        while (ry_share_next(sh->share, &r))
            share_run(sh, r);
    }
    ry_share_close(sh->share);
    return ry_ranks_agree(ranks,
                          sh->out_of_memory
                              ? ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", e->n)
                              : RY_OK,
                          diag);
}

static enum ry_err run_shared(struct shared *sh, struct ry_diag *diag)
{
    struct evaluation *e = sh->e;

    RY_TRY(share_all(sh, diag));
    if (sh->sharing->ranks->me > 0)
        return RY_OK;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t r = 0; r < e->runs_n; r++)
        recall_run(sh, r);
    return check_recalled(sh, diag);
}

/* What an interruption left. */
static void mark_unseen(struct ry_plan_cases *cases)
{
    for (size_t i = 0; i < cases->n; i++) {
        struct ry_case *c = &cases->at[i];
        const bool wanted = !cases->sharing || !cases->sharing->left_out[i];
        c->unseen = wanted && !c->has_result && c->why[0] == '\0';
        cases->unseen += c->unseen;
        if (c->unseen)
            (void)snprintf(c->why, sizeof(c->why), "not looked at: interrupted");
    }
}

enum ry_err ry_plan_cases_run(struct ry_plan_session *s,
                              const struct ry_constraints *constraints,
                              struct ry_plan_cases *cases, struct ry_diag *diag)
{
    struct evaluation e = {.session = s,
                           .limits = constraints,
                           .cases = cases,
                           .order = RY_NEW(s->arena, struct keyed, cases->n + 1),
                           .run = RY_NEW(s->arena, size_t, cases->n + 2)};
    struct ry_progress progress = ry_progress_start("designs", cases->quiet);

    if (!e.order || !e.run)
        return ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", cases->n);
    make_premises(&e);
    make_sites(&e);
    struct shared shared = {.e = &e, .sharing = cases->sharing, .progress = &progress};
    const enum ry_err err = cases->sharing ? run_shared(&shared, diag) : RY_OK;
    if (!cases->sharing)
        choose_all(&e, &progress);
    ry_progress_end(&progress);
    mark_unseen(cases);
    RY_TRY(err);
    return e.out_of_memory ? ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", cases->n)
                           : RY_OK;
}
