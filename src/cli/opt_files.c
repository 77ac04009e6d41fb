/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/opt_files.h"

#include <string.h>
#include <sys/stat.h>

static bool is_output(const struct ry_opt *opt)
{
    return opt->kind == RY_OPT_STRING &&
           (strcmp(opt->name, "output") == 0 || strcmp(opt->name, "trace") == 0 ||
            strcmp(opt->name, "plot") == 0);
}

static bool same_file(const char *a, const char *b)
{
    struct stat x;
    struct stat y;

    return stat(a, &x) == 0 && S_ISREG(x.st_mode) && stat(b, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The i-th text that an option holds; NULL past the last. */
static const char *text_at(const struct ry_opt *opt, const void *options, size_t i)
{
    const void *field = (const char *)options + opt->offset;
    const struct ry_strings *list = field;
    const char *text = NULL;

    if (opt->kind == RY_OPT_LIST)
        return i < list->n ? list->at[i] : NULL;
    if (i == 0)
        memcpy(&text, field, sizeof(text));
    return text;
}

static bool is_input(const struct ry_opt *opt)
{
    return (opt->kind == RY_OPT_STRING || opt->kind == RY_OPT_LIST) && !is_output(opt) &&
           strcmp(opt->value, "FILE") == 0;
}

/* "--workload=FILE", a word of another command's line, names FILE. */
static const char *file_of(const char *arg)
{
    const char *value = strncmp(arg, "--", 2) == 0 ? strchr(arg, '=') : NULL;

    return value ? value + 1 : arg;
}

static bool is_read(const struct ry_cmd *cmd, const void *options,
                    const struct ry_strings *args, const char *path)
{
    const struct ry_opt *opt = NULL;
    const char *text = NULL;

    for (size_t i = 0; i < args->n; i++)
        if (same_file(path, file_of(args->at[i])))
            return true;
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++)
        for (size_t k = 0; is_input(opt) && (text = text_at(opt, options, k)) != NULL;
             k++)
            if (same_file(path, text))
                return true;
    return false;
}

/* The option before the @p before'th that writes the same file, by the text or on
 * disk. */
static const struct ry_opt *written_twice(const struct ry_cmd *cmd, const void *options,
                                          size_t before, const char *path)
{
    for (size_t i = 0; i < before; i++) {
        const struct ry_opt *opt = ry_cmd_opt_at(cmd, i);
        const char *other = is_output(opt) ? text_at(opt, options, 0) : NULL;
        if (other && (strcmp(other, path) == 0 || same_file(other, path)))
            return opt;
    }
    return NULL;
}

enum ry_err ry_opts_keep_inputs(const struct ry_cmd *cmd, const void *options,
                                const struct ry_strings *args, struct ry_diag *diag)
{
    const struct ry_opt *opt = NULL;

    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++) {
        const char *path = is_output(opt) ? text_at(opt, options, 0) : NULL;
        if (path && is_read(cmd, options, args, path))
            return ry_fail(diag, RY_ERR_USAGE, opt->name,
                           "%s is an input, which would be overwritten", path);
        const struct ry_opt *first = path ? written_twice(cmd, options, i, path) : NULL;
        if (first)
            return ry_fail(diag, RY_ERR_USAGE, opt->name,
                           "%s is what --%s writes; name another file", path,
                           first->name);
    }
    return RY_OK;
}
