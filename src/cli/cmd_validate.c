/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd.h"
#include "cli/validate_rows.h"

#include "io/problems_print.h"
#include "report/ablation.h"
#include "report/table.h"
#include "report/validate_print.h"

#include <math.h>
#include <stdio.h>

struct validate_options {
    int format;
    const char *explain;
    bool quiet;
    bool untuned;
    bool ablate;
    bool intervals;
    const char *plot;
};

struct state {
    struct ry_arena *arena;
    const struct validate_options *options;
    struct ry_problems *problems;
    struct ry_validation *validation;
    struct ry_checks checks;
};

static const struct ry_column ablation_columns[] = {
    {.key = "term", .title = "switched off"},
    {.key = "mape_by_source_mean", .title = "mean of sources", .show = RY_SHOW_FRACTION},
    {.key = "mape", .title = "all rows", .show = RY_SHOW_FRACTION},
    {.key = "bias", .title = "bias", .show = RY_SHOW_FRACTION},
    {.key = "p95", .title = "95 %", .show = RY_SHOW_FRACTION},
    {.key = "pair_order", .title = "order", .show = RY_SHOW_FRACTION},
};

static enum ry_err ablate_all(struct state *s, struct ry_diag *diag)
{
    struct ry_table *t = ry_table_create(
        s->arena, ablation_columns, sizeof ablation_columns / sizeof ablation_columns[0]);
    for (int i = 0; i < RY_ABLATIONS; i++) {
        const enum ry_ablation ablation = (enum ry_ablation)i;
        struct ry_checks *c = &s->checks;
        RY_TRY(ry_validation_run(s->validation, ablation, s->options->quiet, c));
        const struct ry_errors e = ry_errors_of(s->arena, c->check, c->n, (size_t)-1);
        const struct ry_order o = ry_order_of(c->check, c->n, (size_t)-1);
        ry_table_row(t, (struct ry_cell[]){RY_TEXT(ry_ablation_text(ablation)),
                                           RY_NUM(ry_mean_of_files(s->arena, c)),
                                           RY_NUM(e.mape), RY_NUM(e.bias), RY_NUM(e.p95),
                                           RY_NUM(o.right_frac)});
    }
    return ry_table_print(t, stdout, (enum ry_table_format)s->options->format, diag);
}

/* What would go without a word. */
static enum ry_err check_together(const struct validate_options *o, struct ry_diag *diag)
{
    const char *const views[] = {o->explain ? "--explain" : NULL,
                                 o->ablate ? "--ablate" : NULL,
                                 o->intervals ? "--intervals" : NULL};
    const char *one = NULL;

    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        if (views[i] && one)
            return ry_fail(diag, RY_ERR_USAGE, views[i],
                           "does not go with %s: one at a time", one);
        one = views[i] ? views[i] : one;
    }
    if (o->explain && o->format != RY_TABLE_HUMAN)
        return ry_fail(diag, RY_ERR_USAGE, "--explain",
                       "prints text alone; %s goes without it",
                       ry_format_choices[o->format]);
    if (o->ablate && o->plot)
        return ry_fail(diag, RY_ERR_USAGE, "--ablate", "does not go with --plot");
    return RY_OK;
}

static enum ry_err print_all(const struct state *s, struct ry_diag *diag)
{
    const struct validate_options *o = s->options;
    const enum ry_table_format format = (enum ry_table_format)o->format;
    if (o->explain != NULL)
        return ry_validate_explain(&s->checks, o->explain) > 0
                   ? RY_OK
                   : ry_fail(diag, RY_ERR_NOTFOUND, "--explain", "no row named %s",
                             o->explain);
    if (o->intervals)
        return ry_validate_intervals(s->arena, &s->checks,
                                     ry_validation_presets(s->validation), format, diag);
    if (o->format == RY_TABLE_JSON) {
        ry_validate_json(s->arena, &s->checks);
        return RY_OK;
    }
    return ry_validate_sources(s->arena, &s->checks, format, diag);
}

static enum ry_err work(struct state *s, const struct ry_strings *args,
                        struct ry_diag *diag)
{
    const struct validate_options *o = s->options;
    const struct ry_checks *c = &s->checks;
    RY_TRY(check_together(o, diag));
    RY_TRY(ry_validation_open(s->arena, o->untuned, s->problems, &s->validation));
    for (size_t i = 0; i < args->n; i++)
        RY_TRY(ry_validation_add(s->validation, args->at[i], diag));
    if (ry_validation_files(s->validation) == 0 && s->problems->count == 0)
        return ry_fail(diag, RY_ERR_NO, args->at[0],
                       "nothing to compare: no published rows and no train steps in it");
    if (o->ablate)
        return ablate_all(s, diag);
    RY_TRY(ry_validation_run(s->validation, RY_ABLATE_NONE, o->quiet, &s->checks));
    RY_TRY(print_all(s, diag));
    if (o->plot != NULL)
        RY_TRY(ry_validate_plot(s->arena, c, o->plot, diag));
    if (ry_errors_of(s->arena, c->check, c->n, (size_t)-1).used == 0)
        return ry_fail(diag, RY_ERR_NO, args->at[0], "none of its %zu rows could be used",
                       c->n);
    return RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct state s = {.arena = arena, .options = options, .problems = problems};

    if (problems == NULL)
        return RY_ERR_NOMEM;
    const enum ry_err err = work(&s, args, diag);
    return problems->count > 0 ? ry_problems_print(problems, diag) : err;
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct validate_options),
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct validate_options, explain),
     .name = "explain",
     .value = "ID",
     .help = "print the breakdown of the rows whose id has this in it"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct validate_options, untuned),
     .name = "untuned",
     .help = "without what was set with step times in view"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct validate_options, ablate),
     .name = "ablate",
     .help = "error with each term of the model switched off"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct validate_options, intervals),
     .name = "intervals",
     .help = "coverage and width of the 90 % intervals by preset"},
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct validate_options, plot),
     .name = "plot",
     .value = "FILE",
     .help = "draw predicted against measured step times too"},
    RY_OPT_QUIET(struct validate_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_validate = {
    .name = "validate",
    .args = "PATH...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Compare predicted with measured training steps, by source",
    .example = "railyard validate tests/measured",
    .opts = opts,
    .options_bytes = sizeof(struct validate_options),
    .run = run,
};
