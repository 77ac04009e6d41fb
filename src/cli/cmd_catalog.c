/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "catalog/price.h"
#include "cli/catalog_opts.h"
#include "io/problems_print.h"
#include "report/catalog_table.h"

#include <stdio.h>
#include <string.h>

struct catalog_options {
    struct ry_catalog_sources catalog;
    int format;
};

struct listing {
    struct ry_arena *arena;
    const struct ry_catalog *catalog;
    enum ry_kind kind;
};

/* --------------------------------------------------------------- check */

static const struct ry_column check_columns[] = {
    {.key = "kind", .title = "kind"},
    {.key = "parts", .title = "parts", .show = RY_SHOW_COUNT},
    {.key = "priced", .title = "priced", .show = RY_SHOW_COUNT},
    {.key = "estimated", .title = "estimated", .show = RY_SHOW_COUNT},
    {.key = "unpriced", .title = "no price", .show = RY_SHOW_COUNT},
    {.key = "unverified", .title = "unverified", .show = RY_SHOW_COUNT},
    {.key = "findings", .title = "findings", .show = RY_SHOW_COUNT},
};

static void check_kind(const struct listing *of, struct ry_table *table,
                       struct ry_problems *problems)
{
    double priced[RY_PRICE_ESTIMATE + 1] = {0};
    double unverified = 0.0;
    const size_t before = problems->count;
    const struct ry_part *part = NULL;
    const struct ry_kind_info *info = ry_kind_info(of->kind);
    size_t i = 0;

    ry_catalog_check(of->catalog, of->kind, problems);
    for (; (part = ry_catalog_at(of->catalog, of->kind, i)) != NULL; i++) {
        priced[ry_price_of(of->catalog, of->kind, part).kind] += 1.0;
        unverified += strcmp(part->verified, "no") == 0;
    }
    ry_table_row(
        table, (struct ry_cell[]){
                   RY_TEXT(info->many), RY_NUM((double)i),
                   RY_NUM(info->priced ? priced[RY_PRICE_QUOTE] + priced[RY_PRICE_LISTED]
                                       : (double)NAN),
                   RY_NUM(info->priced ? priced[RY_PRICE_ESTIMATE] : (double)NAN),
                   RY_NUM(info->priced ? priced[RY_PRICE_NONE] : (double)NAN),
                   RY_NUM(unverified), RY_NUM((double)(problems->count - before))});
}

static enum ry_err check_kinds(struct listing *of, enum ry_kind only, int format,
                               struct ry_diag *diag)
{
    struct ry_table *table = ry_table_create(
        of->arena, check_columns, sizeof(check_columns) / sizeof(check_columns[0]));
    struct ry_problems *problems = RY_NEW(of->arena, struct ry_problems, 1);

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, "catalog", "its findings");
    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        of->kind = (enum ry_kind)kind;
        if (only == RY_KIND_COUNT || only == of->kind)
            check_kind(of, table, problems);
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)format, diag));
    return ry_problems_print(problems, diag) == RY_OK ? RY_OK : RY_ERR_NO;
}

/* ---------------------------------------------------------------- verbs */

static const char *kind_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < RY_KIND_COUNT ? ry_kind_info((enum ry_kind)i)->many : NULL;
}

static enum ry_err find_kind(const char *name, enum ry_kind *kind, struct ry_diag *diag)
{
    char known[160] = "";

    *kind = ry_kind_find(name);
    if (*kind != RY_KIND_COUNT)
        return RY_OK;
    const size_t near = ry_name_nearest(name, kind_at, NULL);
    if (near != (size_t)-1)
        return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such kind, did you mean '%s'?",
                       kind_at(NULL, near));
    for (size_t i = 0; i < RY_KIND_COUNT; i++) {
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
                       kind_at(NULL, i));
    }
    return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such kind; there are %s", known);
}

/* "A, B and 3 more": the parts that have @p name in theirs; "" for none. */
static const char *containing(const struct listing *of, const char *name, char text[240])
{
    size_t used = 0;
    const struct ry_part *part = NULL;

    text[0] = '\0';
    for (size_t i = 0;
         name[0] && (part = ry_catalog_at(of->catalog, of->kind, i)) != NULL; i++) {
        if (!ry_name_contains(part->name, name))
            continue;
        if (used + strlen(part->name) + 8 > 240) {
            (void)snprintf(text + used, 240 - used, ", ...");
            break;
        }
        used += (size_t)snprintf(text + used, 240 - used, "%s%s", used ? ", " : "",
                                 part->name);
    }
    return text;
}

static enum ry_err find_part(const struct listing *of, const char *name,
                             const struct ry_part **part, struct ry_diag *diag)
{
    *part = ry_catalog_find(of->catalog, of->kind, name);
    if (*part)
        return RY_OK;
    char text[240];
    if (containing(of, name, text)[0])
        return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such %s; names with it: %s",
                       ry_kind_info(of->kind)->one, text);
    const char *near = ry_catalog_nearest(of->catalog, of->kind, name);
    const char *one = ry_kind_info(of->kind)->one;
    if (near)
        return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such %s, did you mean '%s'?", one,
                       near);
    return ry_fail(diag, RY_ERR_NOTFOUND, name,
                   "no such %s; 'railyard catalog list %s' lists them", one, one);
}

typedef enum ry_err verb(struct listing *of, const struct catalog_options *options,
                         const struct ry_strings *args, struct ry_diag *diag);

static enum ry_err with_catalog(struct ry_arena *arena, verb *act, const void *given,
                                const struct ry_strings *args, struct ry_diag *diag)
{
    const struct catalog_options *options = given;
    struct ry_catalog catalog = {0};
    struct listing of = {arena, &catalog, RY_KIND_COUNT};

    if (args->n > 0)
        RY_TRY(find_kind(args->at[0], &of.kind, diag));
    RY_TRY(ry_catalog_opened(arena, &options->catalog, &catalog, diag));
    return act(&of, options, args, diag);
}

static enum ry_err print_parts(const struct listing *of, const struct ry_part *only,
                               int format, struct ry_diag *diag)
{
    const struct ry_table *table =
        ry_catalog_table(of->arena, of->catalog, of->kind, only);

    if (!table)
        return ry_fail(diag, RY_ERR_NOMEM, "catalog", "its columns");
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}

static enum ry_err list(struct listing *of, const struct catalog_options *options,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    (void)args;
    return print_parts(of, NULL, options->format, diag);
}

static enum ry_err show(struct listing *of, const struct catalog_options *options,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct ry_part *part = NULL;

    RY_TRY(find_part(of, args->at[1], &part, diag));
    if (ry_format_for_people(options->format))
        return ry_table_print(ry_part_table(of->arena, of->catalog, of->kind, part),
                              stdout, (enum ry_table_format)options->format, diag);
    return print_parts(of, part, options->format, diag);
}

static enum ry_err check(struct listing *of, const struct catalog_options *options,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    (void)args;
    return check_kinds(of, of->kind, options->format, diag);
}

static enum ry_err run_list(struct ry_arena *arena, const void *options,
                            const struct ry_strings *args, struct ry_diag *diag)
{
    return with_catalog(arena, list, options, args, diag);
}

static enum ry_err run_show(struct ry_arena *arena, const void *options,
                            const struct ry_strings *args, struct ry_diag *diag)
{
    return with_catalog(arena, show, options, args, diag);
}

static enum ry_err run_check(struct ry_arena *arena, const void *options,
                             const struct ry_strings *args, struct ry_diag *diag)
{
    return with_catalog(arena, check, options, args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(struct catalog_options, catalog),
    RY_OPT_FORMAT(struct catalog_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_catalog_list = {
    .name = "catalog list",
    .args = "KIND",
    .min_args = 1,
    .max_args = 1,
    .summary = "List the parts of a kind with their effective price",
    .example = "railyard catalog list gpus",
    .opts = opts,
    .options_bytes = sizeof(struct catalog_options),
    .run = run_list,
};

const struct ry_cmd cmd_catalog_show = {
    .name = "catalog show",
    .args = "KIND NAME",
    .min_args = 2,
    .max_args = 2,
    .summary = "Show all that is known of one part, and where from",
    .example = "railyard catalog show node DGX-H100",
    .opts = opts,
    .options_bytes = sizeof(struct catalog_options),
    .run = run_show,
};

const struct ry_cmd cmd_catalog_check = {
    .name = "catalog check",
    .args = "[KIND]",
    .min_args = 0,
    .max_args = 1,
    .summary = "Check the catalog, yours too: references, sums, sources, prices",
    .example = "railyard catalog check",
    .opts = opts,
    .options_bytes = sizeof(struct catalog_options),
    .run = run_check,
};
