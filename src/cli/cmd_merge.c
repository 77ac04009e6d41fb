/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shard_file.h"
#include "io/problems_print.h"

#include <stdalign.h>
#include <string.h>

extern const struct ry_cmd cmd_merge;

struct merge_options {
    int format;
};

/* The options of the command whose shards they are. */
struct again {
    alignas(max_align_t) unsigned char options[8192];
    struct ry_strings args;
};

static void *field_of(struct again *again, const struct ry_cmd *cmd, const char *name)
{
    const struct ry_opt *opt = cmd->opts;

    while (opt->kind != RY_OPT_END && strcmp(opt->name, name) != 0)
        opt++;
    return opt->kind == RY_OPT_END ? NULL : again->options + opt->offset;
}

/* The words of the shards' command line, as the command itself would get them. */
static enum ry_err parse_again(struct ry_arena *arena, const struct ry_shards *shards,
                               struct again *again, struct ry_diag *diag)
{
    const struct ry_json words = shards->at[0].arguments;
    const size_t n = ry_json_size(words);
    char **argv = RY_NEW(arena, char *, n + 2);

    if (!argv || shards->cmd->options_bytes > sizeof(again->options))
        return ry_fail(diag, RY_ERR_NOMEM, "merge", "%zu words", n);
    /* getopt's type; they are not written.  NOLINTNEXTLINE(performance-no-int-to-ptr) */
    argv[0] = (char *)(uintptr_t)shards->cmd->name;
    for (size_t i = 0; i < n; i++) /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
        argv[i + 1] = (char *)(uintptr_t)ry_json_as_text(ry_json_at(words, i), "");
    if (shards->cmd->defaults)
        memcpy(again->options, shards->cmd->defaults, shards->cmd->options_bytes);
    return ry_opts_parse(shards->cmd, (int)n + 1, argv, again->options, &again->args,
                         diag);
}

static enum ry_err print_joined(struct ry_arena *arena, const struct merge_options *o,
                                const struct ry_shards *shards, struct ry_diag *diag)
{
    struct again *again = RY_NEW(arena, struct again, 1);

    if (!again)
        return ry_fail(diag, RY_ERR_NOMEM, "merge", "the options");
    RY_TRY(parse_again(arena, shards, again, diag));
    struct ry_work_opts *work = field_of(again, shards->cmd, "shard");
    int *format = field_of(again, shards->cmd, "format");
    if (!work || !format || work->shard || work->store)
        return ry_fail(diag, RY_ERR_SYNTAX, shards->at[0].path,
                       "its arguments are not those of a shard");
    work->joined = &shards->joined;
    *format = o->format;
    return shards->cmd->run(arena, again->options, &again->args, diag);
}

static enum ry_err merge(struct ry_arena *arena, const void *given,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    const struct merge_options *o = given;
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_shards *shards = RY_NEW(arena, struct ry_shards, 1);

    if (!problems || !shards || ry_shards_read(arena, args, problems, shards) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, "merge", "%zu shards", args->n);
    if (problems->count > 0)
        return ry_problems_print(problems, diag);
    return print_joined(arena, o, shards, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct merge_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_merge = {
    .name = "merge",
    .args = "SHARD...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Join the JSON of all shards of a search or ranking into its whole result",
    .example =
        "for i in 0 1; do railyard search examples/search-gpt3-175b.json --shard $i/2 "
        "--format json >part$i.json; done; railyard merge part0.json part1.json",
    .opts = opts,
    .options_bytes = sizeof(struct merge_options),
    .run = merge,
};
