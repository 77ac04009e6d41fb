/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bundle_words.h"

#include "cli/commands.h"

#include <string.h>

/* Commands that read designs, workloads, catalog and models, and print. */
static const char *const commands[] = {
    "rank",  "step",  "diff",    "size", "sensitivity", "report", "bom",
    "racks", "power", "cooling", "cost", "storage",     NULL};

/* Options whose value is a file or a folder that is read. */
static const char *const file_options[] = {"workload", "prices", "catalog", NULL};
/* Options with text that names no file. */
static const char *const text_options[] = {"pareto", "date", NULL};

static bool listed(const char *const list[], const char *name)
{
    for (size_t i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static const struct ry_cmd *command_named(const char *name)
{
    const struct ry_cmd *cmd = NULL;

    for (size_t i = 0; listed(commands, name) && (cmd = ry_command_at(i)); i++)
        if (strcmp(cmd->name, name) == 0)
            return cmd;
    return NULL;
}

static const struct ry_opt *option_of(const struct ry_cmd *cmd, const char *word)
{
    const bool is_long = word[0] == '-' && word[1] == '-';
    const size_t bytes = is_long ? strcspn(word + 2, "=") : 0;

    for (const struct ry_opt *opt = cmd->opts; opt->kind != RY_OPT_END; opt++) {
        if (is_long
                ? strlen(opt->name) == bytes && strncmp(opt->name, word + 2, bytes) == 0
                : opt->letter != 0 && word[1] == opt->letter && word[2] == '\0')
            return opt;
    }
    return NULL;
}

static enum ry_err refuse(const char *word, struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_USAGE, "bundle", "'%.60s' cannot be in a bundle", word);
}

/* One option and its value, which may be the next word. */
static enum ry_err sort_option(const struct ry_cmd *cmd, size_t n,
                               const char *const words[], size_t *i,
                               struct ry_bundle_word out[], struct ry_diag *diag)
{
    const struct ry_opt *opt = option_of(cmd, words[*i]);
    const bool text = opt && (opt->kind == RY_OPT_STRING || opt->kind == RY_OPT_LIST);
    const bool file = text && listed(file_options, opt->name);

    if (!opt || (text && !file && !listed(text_options, opt->name)))
        return refuse(words[*i], diag);
    const char *equals = strchr(words[*i], '=');
    out[*i] = (struct ry_bundle_word){words[*i], file && equals,
                                      equals ? (size_t)(equals - words[*i]) + 1 : 0};
    if (opt->kind == RY_OPT_FLAG || equals)
        return RY_OK;
    if (*i + 1 == n)
        return ry_fail(diag, RY_ERR_USAGE, words[*i], "needs a value");
    ++*i;
    out[*i] = (struct ry_bundle_word){words[*i], file, 0};
    return RY_OK;
}

enum ry_err ry_bundle_words(size_t n, const char *const words[],
                            struct ry_bundle_word out[], struct ry_diag *diag)
{
    const struct ry_cmd *cmd = n > 0 ? command_named(words[0]) : NULL;

    if (!cmd)
        return ry_fail(
            diag, RY_ERR_USAGE, "bundle",
            "'%.60s' is no command of a bundle; rank, step, diff, report, bom, ...",
            n > 0 ? words[0] : "");
    if (n > RY_BUNDLE_ARGUMENTS_MOST)
        return ry_fail(diag, RY_ERR_USAGE, "bundle", "%zu arguments", n);
    out[0] = (struct ry_bundle_word){words[0], false, 0};
    for (size_t i = 1; i < n; i++) {
        if (words[i][0] == '-' && words[i][1] != '\0')
            RY_TRY(sort_option(cmd, n, words, &i, out, diag));
        else
            out[i] = (struct ry_bundle_word){words[i], true, 0};
    }
    return RY_OK;
}

enum ry_err ry_bundle_check(size_t n, const char *const words[], struct ry_diag *diag)
{
    struct ry_bundle_word sorted[RY_BUNDLE_ARGUMENTS_MOST] = {{0}};

    RY_TRY(ry_bundle_words(n, words, sorted, diag));
    for (size_t i = 0; i < n; i++) {
        const char *path = sorted[i].text + sorted[i].value_from;
        if (sorted[i].is_file && strncmp(path, "in/", 3) != 0)
            return refuse(words[i], diag);
        if (sorted[i].is_file && !ry_bundle_path_ok(path))
            return refuse(words[i], diag);
    }
    return RY_OK;
}
