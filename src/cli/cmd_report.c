/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/plan_run.h"
#include "cli/report_plan.h"

#include "base/date.h"
#include "base/names.h"
#include "cli/utc.h"
#include "io/data.h"
#include "io/outfile.h"
#include "io/strategy_file.h"

#include <stdio.h>
#include <string.h>

struct report_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    bool quiet;
    int objective;
    struct ry_constraints limits;
    double deadline_s;
    size_t draws, seed;
    const char *out, *date;
};

enum { STRATEGY_BYTES = 160, DATE_BYTES = 40, SHARE_MOST = 8 << 20 };

/* The day of the report: --date, else SOURCE_DATE_EPOCH, else today; UTC. */
static enum ry_err set_date(struct ry_page *page, const char *given, struct ry_diag *diag)
{
    struct tm day = {0};
    char text[DATE_BYTES] = "";
    int read = 0;

    if (!given) {
        RY_TRY(ry_utc(&day, diag));
        day.tm_year += 1900;
        day.tm_mon += 1;
    } else if (sscanf(given, "%4d-%2d-%2d%n", &day.tm_year, &day.tm_mon, &day.tm_mday,
                      &read) != 3 ||
               given[read] != '\0' || day.tm_year < 1 || day.tm_mday < 1 ||
               (unsigned)day.tm_mday >
                   ry_days_of_month((unsigned)day.tm_year, (unsigned)day.tm_mon)) {
        return ry_fail(diag, RY_ERR_RANGE, "--date", "'%s': a date is 2026-11-30", given);
    }
    (void)snprintf(text, sizeof(text), "%04d-%02d-%02d", day.tm_year, day.tm_mon,
                   day.tm_mday);
    page->date = ry_strdup(page->arena, text);
    page->year = day.tm_year;
    page->month = day.tm_mon;
    return page->date ? RY_OK : ry_fail(diag, RY_ERR_NOMEM, "report", "cannot start");
}

static enum ry_err read_share(struct ry_page *page, const char *name,
                              struct ry_text *text, struct ry_diag *diag)
{
    const char *path = ry_data_path(page->arena, name);

    return path ? ry_file_read(page->arena, path, SHARE_MOST, text, diag)
                : ry_fail(diag, RY_ERR_NOMEM, name, "cannot read it");
}

/* The shell must be there; the chart library and the type may be missing. */
static enum ry_err read_parts(struct ry_page *page, struct ry_diag *diag)
{
    RY_TRY(read_share(page, "share/report/page.html", &page->shell, diag));
    RY_TRY(read_share(page, "share/report/page.css", &page->style, diag));
    RY_TRY(read_share(page, "share/report/page.js", &page->script, diag));
    if (read_share(page, "share/report/vendor/charts.js", &page->charts, NULL) != RY_OK)
        page->charts = (struct ry_text){0};
    if (read_share(page, "share/report/vendor/inter.woff2", &page->type, NULL) != RY_OK)
        page->type = (struct ry_text){0};
    return RY_OK;
}

static void name_inputs(struct ry_page *page, const struct ry_strings *args,
                        const struct ry_strings *workloads)
{
    const char *text = "";

    for (size_t i = 0; text && i < args->n && i < 8; i++)
        text = ry_strfmt(page->arena, "%s%s%s", text, i ? ", " : "",
                         ry_base_name(args->at[i]));
    if (text && args->n > 8)
        text = ry_strfmt(page->arena, "%s and %zu more", text, args->n - 8);
    for (size_t i = 0; text && i < workloads->n; i++)
        text = ry_strfmt(page->arena, "%s, %s", text, ry_base_name(workloads->at[i]));
    page->inputs = text ? text : "";
}

static const char *strategy_text(struct ry_arena *arena, const struct ry_case *c)
{
    char text[STRATEGY_BYTES] = "";

    if (c->has_result)
        ry_strategy_text(&c->result.strategy, text, sizeof(text));
    const char *copy = ry_strdup(arena, text);
    return copy ? copy : "";
}

/* The designs of the page, in the order of the ranking. */
static enum ry_err take_cases(struct ry_page *page, struct ry_plan_cases *all,
                              struct ry_case ***taken, struct ry_diag *diag)
{
    struct ry_case **order = RY_NEW(page->arena, struct ry_case *, all->n);
    struct ry_case **spare = RY_NEW(page->arena, struct ry_case *, all->n);

    page->at = RY_NEW(page->arena, struct ry_page_design, all->n);
    if (!order || !spare || !page->at)
        return ry_fail(diag, RY_ERR_NOMEM, "report", "%zu designs", all->n);
    for (size_t i = 0; i < all->n; i++) {
        order[i] = &all->at[i];
        if (!ry_workload_same(all->at[i].workload, all->at[0].workload))
            return ry_fail(diag, RY_ERR_USAGE, "report",
                           "a report is for one workload, %s and %s were given",
                           all->at[0].workload->name, all->at[i].workload->name);
    }
    ry_cases_sort(order, spare, all->n, page->objective);
    page->workload = order[0]->workload;
    for (page->n = 0; page->n < all->n; page->n++)
        page->at[page->n] = (struct ry_page_design){
            .c = order[page->n],
            .name = ry_case_design_text(page->arena, order[page->n]),
            .strategy = strategy_text(page->arena, order[page->n])};
    ry_page_place(page);
    *taken = order;
    return RY_OK;
}

static enum ry_err write_page(const struct ry_page *page, const char *path,
                              struct ry_diag *diag)
{
    struct ry_outfile out;

    RY_TRY(ry_outfile_open(&out, path, diag));
    ry_page_write(page, out.file);
    return ry_outfile_commit(&out, diag);
}

static enum ry_err report(struct ry_arena *arena, const void *given,
                          const struct ry_strings *args, struct ry_diag *diag)
{
    const struct report_options *o = given;
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases all;
    struct ry_case **order = NULL;
    struct ry_page page = {.arena = arena,
                           .version = PACKAGE_VERSION,
                           .objective = (enum ry_objective)o->objective,
                           .limits = o->limits,
                           .draws = o->draws,
                           .seed = o->seed};

    page.limits.days = o->deadline_s / 86400.0;
    RY_TRY(set_date(&page, o->date, diag));
    RY_TRY(read_parts(&page, diag));
    name_inputs(&page, args, &o->workloads);
    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    for (size_t i = 0; i < all.n; i++)
        all.at[i].objective = page.objective;
    all.quiet = o->quiet;
    RY_TRY(ry_plan_cases_run(session, &page.limits, &all, diag));
    RY_TRY(take_cases(&page, &all, &order, diag));
    RY_TRY(ry_report_sites(session, &page, diag));
    RY_TRY(ry_report_scales(session, &page, o->quiet, diag));
    RY_TRY(ry_report_sure(order, &page, diag));
    ry_report_break_even(&page);
    RY_TRY(write_page(&page, o->out, diag));
    return page.usable > 0 ? RY_OK
                           : ry_fail(diag, RY_ERR_INFEASIBLE, "report",
                                     "none of %zu designs; %s says why", page.n, o->out);
}

static const struct report_options defaults = {
    .objective = RY_BY_COST_PER_TOKEN,
    .limits = {INFINITY, INFINITY, INFINITY, INFINITY},
    .deadline_s = INFINITY,
    .draws = 1000,
    .seed = 1,
    .out = "report.html",
};

#define FIELD(name) offsetof(struct report_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST,
     .letter = 'w',
     .offset = FIELD(workloads),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained"},
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     .offset = FIELD(out),
     .name = "output",
     .value = "FILE",
     .help = "the page (default report.html); - is standard output"},
    {.kind = RY_OPT_CHOICE,
     .offset = FIELD(objective),
     .name = "objective",
     .value = "NAME",
     .choices = ry_objective_choices,
     .help = "what is ranked by"},
#define OPTIONS struct report_options
#include "cli/limit_opts.def"
#undef OPTIONS
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(draws),
     .name = "draws",
     .value = "N",
     .help = "of what is not known exactly (default 1000)"},
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(seed),
     .name = "seed",
     .value = "N",
     .help = "of the draws (default 1)"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(date),
     .name = "date",
     .value = "DAY",
     .help = "of the report (default today), against which prices age"},
    RY_OPTS_CATALOG(struct report_options, catalog),
    RY_OPT_QUIET(struct report_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_report = {
    .name = "report",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Write one page with the decision, the ranking and what it rests on",
    .example =
        "railyard report examples/h100-32-ndr-rail.json examples/h100-32-roce.json "
        "--workload examples/workloads/llama3-70b-pretrain.json -o report.html",
    .opts = opts,
    .options_bytes = sizeof(struct report_options),
    .defaults = &defaults,
    .run = report,
};
