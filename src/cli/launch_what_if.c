/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/launch_what_if.h"

#include "base/names.h"
#include "io/csv.h"
#include "io/data.h"
#include "io/problems_print.h"
#include "io/what_if.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

static const struct ry_column columns[] = {
    {.key = "setting", .title = "setting"},
    {.key = "known", .title = NULL},
    {.key = "step", .title = "step"},
    {.key = "step_low_s", .show = RY_SHOW_SECONDS},
    {.key = "step_high_s", .show = RY_SHOW_SECONDS},
    {.key = "planned_step_s", .show = RY_SHOW_SECONDS},
    {.key = "times", .title = "times", .show = RY_SHOW_NUMBER},
    {.key = "grows", .title = "grows most"},
    {.key = "note", .title = "what it does", .wrap = true},
    {.key = "source", .title = "by", .wrap = true},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* One setting, the plan, and the plan with it. */
struct compared {
    struct ry_arena *arena;
    struct ry_what_if what;
    struct ry_result before, after;
};

static const char *const known_text[] = {
    [RY_WHAT_IF_NONE] = "no effect",       [RY_WHAT_IF_STEP] = "estimate",
    [RY_WHAT_IF_LEAST] = "at least",       [RY_WHAT_IF_MOST] = "at most",
    [RY_WHAT_IF_UNKNOWN] = "not modelled",
};

/* The part of the step that the setting adds most to, "" when none grows. */
static const char *grows(const struct compared *c)
{
    double most = 1e-9 * c->before.step.step_time_s;
    const char *text = "";

    for (int i = 0; i < RY_PARTS; i++) {
        const double by = c->after.step.part_s[i] - c->before.step.part_s[i];
        if (by > most) {
            most = by;
            char shown[RY_NUMBER_BYTES];
            text = ry_strfmt(c->arena, "%s +%s", ry_part_text((enum ry_step_part)i),
                             ry_number_show(RY_SHOW_SECONDS, by, shown));
        }
    }
    return text ? text : "";
}

static const char *step_text(const struct compared *c)
{
    static const char *const sign[] = {[RY_WHAT_IF_NONE] = "",
                                       [RY_WHAT_IF_STEP] = "~",
                                       [RY_WHAT_IF_LEAST] = ">=",
                                       [RY_WHAT_IF_MOST] = "<=",
                                       [RY_WHAT_IF_UNKNOWN] = "not modelled"};
    char shown[RY_NUMBER_BYTES];

    if (c->what.kind == RY_WHAT_IF_UNKNOWN)
        return sign[c->what.kind];
    return ry_strfmt(c->arena, "%s%s", sign[c->what.kind],
                     ry_number_show(RY_SHOW_SECONDS, c->after.step.step_time_s, shown));
}

static void add_row(struct ry_table *table, const struct compared *c)
{
    const enum ry_what_if_kind kind = c->what.kind;
    const double before = c->before.step.step_time_s;
    const double after = c->after.step.step_time_s;
    const bool unknown = kind == RY_WHAT_IF_UNKNOWN;

    ry_table_row(
        table, (const struct ry_cell[COLUMNS]){
                   RY_TEXT(ry_strfmt(c->arena, "%s=%s", c->what.variable, c->what.value)),
                   RY_TEXT(known_text[kind]), RY_TEXT(step_text(c)),
                   RY_NUM(unknown                   ? (double)NAN
                          : kind == RY_WHAT_IF_MOST ? before
                                                    : after),
                   RY_NUM(unknown || kind == RY_WHAT_IF_LEAST ? (double)NAN : after),
                   RY_NUM(before), unknown ? RY_NUM_AS(NAN, "-") : RY_NUM(after / before),
                   RY_TEXT(unknown ? "" : grows(c)), RY_TEXT(c->what.note),
                   RY_TEXT(c->what.source)});
}

static enum ry_err plan_again(const struct ry_case *planned, struct compared *c,
                              struct ry_diag *diag)
{
    struct ry_site *site = RY_NEW(c->arena, struct ry_site, 1);
    struct ry_workload workload = *planned->workload;
    const struct ry_strategy *strategy = &planned->result.strategy;

    if (!site)
        return ry_fail(diag, RY_ERR_NOMEM, "--what-if", "out of memory");
    RY_TRY(ry_plan(planned->site, &workload, strategy, &c->before, diag));
    c->after = c->before;
    if (c->what.kind == RY_WHAT_IF_NONE || c->what.kind == RY_WHAT_IF_UNKNOWN)
        return RY_OK;
    struct ry_diag why = {0};
    const enum ry_err err = ry_degrade_site(planned->site, &c->what.degrade, site, &why);
    if (err == RY_ERR_RANGE || err == RY_ERR_NOTFOUND) {
        c->what.kind = RY_WHAT_IF_UNKNOWN;
        c->what.note = ry_strdup(c->arena, why.text);
        return RY_OK;
    }
    if (err != RY_OK)
        return ry_fail(diag, err, why.where, "%s", why.text);
    if (c->what.blocking)
        workload.traits.host_mode = RY_HOST_BLOCKING;
    return ry_plan(site, &workload, strategy, &c->after, diag);
}

/* Names of the NICs, or those that Linux gives where they are not said. */
static enum ry_err name_nics(const struct ry_launch_plan *launch, struct ry_names *nics,
                             struct ry_diag *diag)
{
    const size_t n = ry_host_nics(launch->job.design);

    *nics = launch->nics;
    if (nics->n > 0)
        return RY_OK;
    *nics = (struct ry_names){n, RY_NEW(launch->arena, const char *, n + 1)};
    for (size_t i = 0; nics->at && i < n; i++)
        nics->at[i] = ry_strfmt(launch->arena, "mlx5_%zu", i);
    return nics->at ? RY_OK : ry_fail(diag, RY_ERR_NOMEM, "--what-if", "out of memory");
}

enum ry_err ry_launch_what_if(const struct ry_launch_plan *launch,
                              const struct ry_case *planned,
                              const struct ry_strings *settings, int format,
                              struct ry_diag *diag)
{
    struct ry_arena *arena = launch->arena;
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);
    const char *path = ry_data_path(arena, "share/launch/what-if.csv");
    char shown[RY_NUMBER_BYTES];
    struct ry_names nics;

    if (!path)
        return ry_fail(diag, RY_ERR_NOMEM, "--what-if", "out of memory");
    RY_TRY(name_nics(launch, &nics, diag));
    for (size_t i = 0; i < settings->n; i++) {
        const struct ry_what_if_input in = {settings->at[i], nics.at, nics.n};
        struct compared c = {.arena = arena};
        RY_TRY(ry_what_if_read(arena, path, &in, &c.what, diag));
        if (launch->nics.n == 0 && strcmp(c.what.variable, "NCCL_IB_HCA") == 0 &&
            nics.n > 0)
            c.what.note = ry_strfmt(arena, "%s, taken as %s to %s (--hca says otherwise)",
                                    c.what.note, nics.at[0], nics.at[nics.n - 1]);
        RY_TRY(plan_again(planned, &c, diag));
        add_row(table, &c);
    }
    if (ry_format_for_people(format))
        printf("%s\nplanned step %s; the same strategy with one setting changed:\n\n",
               launch->title,
               ry_number_show(RY_SHOW_SECONDS, planned->result.step.step_time_s, shown));
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}

enum ry_err ry_launch_settings(struct ry_arena *arena, int format, struct ry_diag *diag)
{
    static const struct ry_column listed[] = {
        {.key = "variable", .title = "variable"},
        {.key = "value", .title = "value"},
        {.key = "effect", .title = "effect"},
        {.key = "note", .title = "what it does", .wrap = true},
        {.key = "source", .title = NULL},
    };
    enum { LISTED = sizeof(listed) / sizeof(listed[0]) };
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_table *table = ry_table_create(arena, listed, LISTED);
    const char *path = ry_data_path(arena, "share/launch/what-if.csv");
    struct ry_csv csv;

    if (!problems || !path)
        return ry_fail(diag, RY_ERR_NOMEM, "launch", "out of memory");
    if (ry_csv_open(arena, path, problems, &csv) != RY_OK)
        return ry_problems_print(problems, diag);
    for (size_t i = 0; i < csv.n; i++) {
        struct ry_cell cells[LISTED];
        for (size_t k = 0; k < LISTED; k++)
            cells[k] =
                RY_TEXT(ry_csv_cell(&csv.rows[i], ry_csv_column(&csv, listed[k].key)));
        ry_table_row(table, cells);
    }
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}
