/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/launch_print.h"

#include "base/names.h"
#include "cli/sections.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct ry_column setting_columns[] = {
    {.key = "for", .title = NULL},      {.key = "name", .title = "name"},
    {.key = "value", .title = "value"}, {.key = "reason", .title = "why", .wrap = true},
    {.key = "source", .title = NULL},
};

/* Of what is left alone: there is no value. */
static const struct ry_column alone_columns[] = {
    {.key = "for", .title = NULL},    {.key = "name", .title = "name"},
    {.key = "value", .title = NULL},  {.key = "reason", .title = "why", .wrap = true},
    {.key = "source", .title = NULL},
};

/* Of a fabric: on the switches or on the NICs. */
static const struct ry_column fabric_columns[] = {
    {.key = "for", .title = "on"},      {.key = "name", .title = "name"},
    {.key = "value", .title = "value"}, {.key = "reason", .title = "why", .wrap = true},
    {.key = "source", .title = NULL},
};

static const char *shown_value(struct ry_arena *arena, const struct ry_setting *setting)
{
    if (strcmp(setting->target, "ask") != 0)
        return setting->value;
    const char *variable = setting->value + strcspn(setting->value, "|");
    variable += *variable == '|';
    return ry_strfmt(arena, "%.*s$%.*s", (int)strcspn(setting->value, "|"),
                     setting->value, (int)strcspn(variable, "|"), variable);
}

/* The rows of one target, or with NULL of all but those of @p but. */
static struct ry_table *setting_table(struct ry_arena *arena,
                                      const struct ry_settings *settings,
                                      const struct ry_column *columns, const char *only,
                                      const char *but)
{
    struct ry_table *table = ry_table_create(arena, columns, 5);

    for (size_t i = 0; i < settings->n; i++) {
        const struct ry_setting *s = &settings->at[i];
        if ((only && strcmp(s->target, only) != 0) ||
            (but && strcmp(s->target, but) == 0))
            continue;
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(s->target), RY_TEXT(s->name),
                                               RY_TEXT(shown_value(arena, s)),
                                               RY_TEXT(s->reason), RY_TEXT(s->source)});
    }
    return table;
}

static const struct ry_column rank_columns[] = {
    {.key = "rank", .title = "rank", .show = RY_SHOW_COUNT},
    {.key = "host", .title = "host"},
    {.key = "gpu", .title = "GPU", .show = RY_SHOW_COUNT},
    {.key = "nic", .title = "NIC"},
    {.key = "tp", .title = "TP", .show = RY_SHOW_COUNT},
    {.key = "cp", .title = "CP", .show = RY_SHOW_COUNT},
    {.key = "dp", .title = "DP", .show = RY_SHOW_COUNT},
    {.key = "pp", .title = "PP", .show = RY_SHOW_COUNT},
    {.key = "etp", .title = "ETP", .show = RY_SHOW_COUNT},
    {.key = "ep", .title = "EP", .show = RY_SHOW_COUNT},
    {.key = "edp", .title = "EDP", .show = RY_SHOW_COUNT},
};

static struct ry_table *rank_table(const struct ry_launch_plan *launch, size_t most)
{
    const bool moe = launch->job.workload->arch.experts > 0;
    struct ry_table *table = ry_table_create(launch->arena, rank_columns, moe ? 11 : 8);
    const size_t ranks = ry_rank_count(launch->job.strategy);

    for (size_t i = 0; i < ranks && i < most; i++) {
        const struct ry_rank at = ry_rank_at(launch->job.design, launch->job.strategy, i);
        ry_table_row(
            table,
            (struct ry_cell[]){RY_NUM((double)i), RY_TEXT(launch->hosts.at[at.host]),
                               RY_NUM((double)at.gpu),
                               RY_TEXT(ry_launch_nic(launch, &at)), RY_NUM((double)at.tp),
                               RY_NUM((double)at.cp), RY_NUM((double)at.dp),
                               RY_NUM((double)at.pp), RY_NUM((double)at.etp),
                               RY_NUM((double)at.ep), RY_NUM((double)at.edp)});
    }
    return table;
}

/* The framework that the preset of the workload is of, unless one is asked for. */
static enum ry_err choose_framework(const struct ry_launch_plan *launch,
                                    const char *asked, const char **framework,
                                    struct ry_diag *diag)
{
    const char *preset = launch->job.workload->traits.name;

    *framework = "megatron-lm";
    for (size_t i = 0; ry_launch_framework(i); i++) {
        const char *name = ry_launch_framework(i);
        if (asked && strcmp(asked, name) == 0) {
            *framework = name;
            return RY_OK;
        }
        if (strncmp(preset, name, strlen(name)) == 0)
            *framework = name;
    }
    if (strncmp(preset, "nemo", 4) == 0)
        *framework = "megatron-bridge";
    if (strncmp(preset, "pytorch-fsdp", 12) == 0)
        *framework = "accelerate";
    return !asked
               ? RY_OK
               : ry_fail(diag, RY_ERR_NOTFOUND, "--framework",
                         "no framework '%.40s'; known are megatron-lm, megatron-bridge, "
                         "torchtitan, deepspeed, accelerate",
                         asked);
}

static const char *options_title(const struct ry_launch_plan *launch,
                                 const char *framework)
{
    const char *refusal = ry_launch_refusal(launch, framework);

    if (refusal)
        return ry_strfmt(launch->arena, "%s cannot run this strategy: %s", framework,
                         refusal);
    return ry_strfmt(launch->arena, "Options of %s", framework);
}

enum ry_err ry_launch_print(const struct ry_launch_plan *launch, const char *asked,
                            bool ranks, enum ry_table_format format, struct ry_diag *diag)
{
    struct ry_arena *arena = launch->arena;
    const bool json = format == RY_TABLE_JSON;
    const size_t first = ranks ? SIZE_MAX : launch->job.design->gpus_per_host;
    const char *framework = NULL;

    RY_TRY(choose_framework(launch, asked, &framework, diag));
    const struct ry_section sections[] = {
        {"ranks", ranks ? "Ranks" : "Ranks of the first host (--ranks: all)",
         rank_table(launch, first)},
        {"environment", "Environment",
         setting_table(arena, &launch->nccl, setting_columns, NULL, "unset")},
        {"left_alone", "Left alone",
         setting_table(arena, &launch->nccl, alone_columns, "unset", NULL)},
        {"fabric", "What the RoCE fabric must have",
         setting_table(arena, &launch->roce, fabric_columns, NULL, NULL)},
        {"options", options_title(launch, framework),
         setting_table(arena, &launch->frameworks, setting_columns,
                       json && !asked ? NULL : framework, NULL)},
    };
    if (ry_table_for_people(format))
        printf("%s\n%zu ranks on %zu host%s\n\n", launch->title,
               ry_rank_count(launch->job.strategy), launch->hosts.n,
               launch->hosts.n == 1 ? "" : "s");
    return ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]), format,
                             diag);
}
