/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/step_print.h"

#include "base/names.h"
#include "cli/gather.h"
#include "cli/origin_table.h"
#include "cli/rank_table.h"
#include "io/strategy_file.h"
#include "io/trace.h"
#include "report/pic_step.h"
#include "search/remarks.h"

#include <math.h>
#include <stdio.h>

static const char *strategy_text(struct ry_arena *arena, const struct ry_case *c)
{
    char text[160];

    if (c->best.strategy.tp == 0)
        return "no strategy";
    ry_strategy_text(&c->best.strategy, text, sizeof(text));
    const char *copy = ry_strdup(arena, text);
    return copy ? copy : "";
}

static void put(const char *title, enum ry_show show, double value)
{
    char text[RY_NUMBER_BYTES];

    printf("%-22s %s\n", title, ry_number_show(show, value, text));
}

static void print_summary(struct ry_arena *arena, const struct ry_case *c)
{
    const struct ry_result *r = &c->result;
    char low[RY_NUMBER_BYTES];
    char high[RY_NUMBER_BYTES];
    char remarks[RY_REMARKS_BYTES];

    printf("90 %% interval          %s to %s\n",
           ry_number_show(RY_SHOW_SECONDS, r->step.lo_s, low),
           ry_number_show(RY_SHOW_SECONDS, r->step.hi_s, high));
    put("tokens/s", RY_SHOW_SCALED, r->tokens_per_s);
    put("MFU", RY_SHOW_FRACTION, r->mfu_frac);
    put("power of a GPU", RY_SHOW_WATTS, r->gpu_w);
    printf("%-22s %s\n", "days to train", ry_days_text(arena, r->days));
    put("$ per 1e12 tokens", RY_SHOW_USD, r->usd_per_trillion_tokens);
    if (r->gpus_used < r->gpus)
        printf("%-22s %g of %g work\n", "GPUs", r->gpus_used, r->gpus);
    ry_case_remarks(c, remarks);
    if (remarks[0] != '\0')
        printf("%-22s %s\n", "note", remarks);
    if (!c->site->premises->laid_out)
        printf("%-22s %s\n", "no bill", c->site->premises->refusal);
}

static enum ry_err print_people(struct ry_arena *arena, const struct ry_case *c,
                                enum ry_table_format format, struct ry_diag *diag)
{
    printf("%s on %s\n%s\n\n", ry_case_workload_text(arena, c),
           ry_case_design_text(arena, c), strategy_text(arena, c));
    if (c->has_result) {
        RY_TRY(
            ry_table_print(ry_parts_table(arena, &c->result.step), stdout, format, diag));
        printf("\n");
        print_summary(arena, c);
        printf("\n");
    } else {
        printf("does not fit: %s\n\n", c->why);
    }
    if (c->best.step.usable_bytes > 0.0)
        return ry_table_print(ry_memory_table(arena, &c->best.step), stdout, format,
                              diag);
    return RY_OK;
}

static void put_field(const char *key, double value, const char *end)
{
    printf("  \"%s\": ", key);
    ry_json_put_number(stdout, value);
    printf("%s\n", end);
}

static void put_text(const char *key, const char *text)
{
    printf("  \"%s\": ", key);
    ry_json_put_text(stdout, text);
    printf(",\n");
}

static void print_json(struct ry_arena *arena, struct ry_case *c, bool explain)
{
    const struct ry_result *r = &c->result;
    char remarks[RY_REMARKS_BYTES];

    ry_case_remarks(c, remarks);
    printf("{\n");
    put_text("workload", ry_case_workload_text(arena, c));
    put_text("design", ry_case_design_text(arena, c));
    put_text("strategy", strategy_text(arena, c));
    printf("  \"fits\": %s,\n", c->has_result ? "true" : "false");
    put_text("reason", c->has_result ? NULL : c->why);
    put_text("remarks", remarks[0] != '\0' ? remarks : NULL);
    put_field("step_time_s", c->has_result ? r->step.step_time_s : (double)NAN, ",");
    put_field("step_time_lo_s", c->has_result ? r->step.lo_s : (double)NAN, ",");
    put_field("step_time_hi_s", c->has_result ? r->step.hi_s : (double)NAN, ",");
    put_field("tokens_per_s", c->has_result ? r->tokens_per_s : (double)NAN, ",");
    put_field("mfu_frac", c->has_result ? r->mfu_frac : (double)NAN, ",");
    put_field("days", c->has_result ? r->days : (double)NAN, ",");
    printf("  \"parts\": ");
    if (c->has_result)
        ry_table_print_json(ry_parts_table(arena, &r->step), stdout, 2);
    else
        printf("[]");
    printf(",\n  \"memory\": ");
    ry_table_print_json(ry_memory_table(arena, &c->best.step), stdout, 2);
    if (explain) {
        printf(",\n  \"origins\": ");
        ry_table_print_json(ry_origin_table(arena, &c, 1), stdout, 2);
    }
    printf("\n}");
}

/* Of several cases a list. */
static void print_documents(struct ry_arena *arena, const struct ry_plan_cases *all,
                            bool explain)
{
    if (all->n > 1)
        printf("[\n");
    for (size_t i = 0; i < all->n; i++) {
        printf("%s", i > 0 ? ",\n" : "");
        print_json(arena, &all->at[i], explain);
    }
    printf(all->n > 1 ? "\n]\n" : "\n");
}

/* The parts of a step, or why it has none. */
static struct ry_table *parts_or_reason(struct ry_arena *arena, const struct ry_case *c)
{
    static const struct ry_step none = {0};
    struct ry_table *parts =
        ry_parts_table(arena, c->has_result ? &c->result.step : &none);
    size_t n = 0;

    if (c->has_result || !parts)
        return parts;
    const struct ry_column *columns = ry_table_columns(parts, &n);
    struct ry_table *table = ry_table_create(arena, columns, n);
    ry_table_row(table, (const struct ry_cell[]){RY_TEXT(c->why), RY_TEXT("reason"),
                                                 RY_NUM((double)NAN), RY_NUM((double)NAN),
                                                 RY_NUM((double)NAN)});
    return table;
}

/* One table, whose rows name workload and design where there are several. */
static struct ry_table *csv_table(struct ry_arena *arena, const struct ry_plan_cases *all)
{
    struct ry_gather rows = {.arena = arena, .keys = {"workload", "design"}, .n = 2};
    const struct ry_case *only = &all->at[0];

    if (all->n == 1)
        return only->has_result ? ry_parts_table(arena, &only->result.step)
                                : ry_memory_table(arena, &only->best.step);
    for (size_t i = 0; i < all->n; i++) {
        const struct ry_case *c = &all->at[i];
        ry_gather_add(&rows,
                      (const char *const[]){ry_case_workload_text(arena, c),
                                            ry_case_design_text(arena, c)},
                      parts_or_reason(arena, c));
    }
    return rows.table;
}

static enum ry_err print_rows(struct ry_arena *arena, const struct ry_plan_cases *all,
                              bool explain, enum ry_table_format format,
                              struct ry_diag *diag)
{
    struct ry_case **cases = RY_NEW(arena, struct ry_case *, all->n);

    if (!cases)
        return ry_fail(diag, RY_ERR_NOMEM, "step", "%zu cases", all->n);
    for (size_t i = 0; i < all->n; i++)
        cases[i] = &all->at[i];
    RY_TRY(ry_table_print(csv_table(arena, all), stdout, format, diag));
    if (!explain)
        return RY_OK;
    printf("\n");
    return ry_table_print(ry_origin_table(arena, cases, all->n), stdout, format, diag);
}

enum ry_err ry_step_print(struct ry_arena *arena, const struct ry_plan_cases *all,
                          bool explain, enum ry_table_format format, struct ry_diag *diag)
{
    if (format == RY_TABLE_JSON) {
        print_documents(arena, all, explain);
        return RY_OK;
    }
    if (!ry_table_for_people(format))
        return print_rows(arena, all, explain, format, diag);
    for (size_t i = 0; i < all->n; i++) {
        struct ry_case *c = &all->at[i];
        printf("%s", i > 0 ? "\n" : "");
        RY_TRY(print_people(arena, c, format, diag));
        if (!explain)
            continue;
        printf("\n");
        RY_TRY(ry_table_print(ry_origin_table(arena, &c, 1), stdout, format, diag));
    }
    return RY_OK;
}

enum ry_err ry_step_draw(struct ry_arena *arena, const struct ry_case *c,
                         const char *plot, const char *trace, struct ry_diag *diag)
{
    const struct ry_step_inputs in = {.machine = &c->site->built.machine,
                                      .arch = &c->workload->arch,
                                      .traits = &c->workload->traits,
                                      .strategy = &c->result.strategy};
    struct ry_timeline *timeline = NULL;

    if (!c->has_result)
        return RY_OK;
    const enum ry_err err = ry_step_timeline_of(arena, &in, &timeline, diag);
    if (err == RY_ERR_DEGENERATE && !trace)
        timeline = NULL; /* no order of the tasks is known: bars alone */
    else
        RY_TRY(err);
    if (trace)
        RY_TRY(ry_trace_write(trace, timeline, diag));
    if (!plot)
        return RY_OK;
    const char *title = ry_strfmt(arena, "%s on %s, %s", ry_case_workload_text(arena, c),
                                  ry_case_design_text(arena, c), strategy_text(arena, c));
    const struct ry_picture picture =
        ry_step_picture(arena, title ? title : "", &c->result.step, timeline);
    return ry_picture_write(&picture, plot, diag);
}
