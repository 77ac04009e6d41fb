/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd.h"

#include "base/names.h"
#include "cli/opt_files.h"
#include "report/table.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTS_MOST = 64, LETTERS_BYTES = 2 * OPTS_MOST + 3 };

const char *const ry_format_choices[] = {
#define X(code, name, ...) name,
#include "report/formats.def"
#undef X
    NULL,
};

bool ry_format_for_people(int format)
{
    return ry_table_for_people((enum ry_table_format)format);
}

static enum ry_err parse_count(const struct ry_opt *opt, const char *text, size_t *count,
                               struct ry_diag *diag)
{
    const unsigned long long most =
        opt->most > 0.0 ? (unsigned long long)opt->most : INT32_MAX;
    char *end = NULL;

    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || strchr(text, '-'))
        return ry_fail(diag, RY_ERR_SYNTAX, opt->name, "'%s' is not a whole number",
                       text);
    if (errno == ERANGE || number < 1 || number > most)
        return ry_fail(diag, RY_ERR_RANGE, opt->name, "'%s' is out of range, 1 to %llu",
                       text, most);
    *count = (size_t)number;
    return RY_OK;
}

static enum ry_err parse_number(const char *where, const char *text, double *number,
                                struct ry_diag *diag)
{
    char *end = NULL;
    const double value = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(value))
        return ry_fail(diag, RY_ERR_SYNTAX, where, "'%s' is not a finite number", text);
    *number = value;
    return RY_OK;
}

static enum ry_err check_range(const struct ry_opt *opt, const char *text, double value,
                               struct ry_diag *diag)
{
    char most[32] = "";

    if (value >= opt->least && (value > 0.0 || !opt->above_0) &&
        (value <= opt->most || !(opt->most > 0.0)))
        return RY_OK;
    if (opt->most > 0.0)
        (void)snprintf(most, sizeof(most), " and at most %g", opt->most);
    return ry_fail(diag, RY_ERR_RANGE, opt->name, "'%s' is not %s %g%s", text,
                   opt->above_0 ? "above" : "at least", opt->least, most);
}

static enum ry_err parse_physical(const struct ry_opt *opt, const char *text,
                                  double *field, struct ry_diag *diag)
{
    double value = 0.0;

    RY_TRY(opt->kind == RY_OPT_NUMBER
               ? parse_number(opt->name, text, &value, diag)
               : ry_quantity_parse(opt->name, text, opt->dim, &value, diag));
    RY_TRY(check_range(opt, text, value, diag));
    *field = value;
    return RY_OK;
}

static const char *choice_at(const void *ctx, size_t i)
{
    const struct ry_opt *opt = ctx;

    return opt->choices[i];
}

/* "a, b" and the last one after @p last. */
static void add_choices(const struct ry_opt *opt, const char *last,
                        char text[RY_HELP_BYTES])
{
    for (size_t i = 0; opt->choices[i]; i++) {
        const size_t used = strlen(text);
        const char *gap = i == 0 ? "" : opt->choices[i + 1] ? ", " : last;
        (void)snprintf(text + used, RY_HELP_BYTES - used, "%s%s", gap, opt->choices[i]);
    }
}

const char *ry_opt_help(const struct ry_cmd *cmd, const struct ry_opt *opt,
                        char text[RY_HELP_BYTES])
{
    if (opt->kind != RY_OPT_CHOICE)
        return opt->help;
    const unsigned char *defaults = cmd->defaults;
    const int usual = defaults ? *(const int *)(const void *)(defaults + opt->offset) : 0;

    (void)snprintf(text, RY_HELP_BYTES, "%s: ", opt->help);
    add_choices(opt, " or ", text);
    if (usual >= 0) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, RY_HELP_BYTES - used, " (default %s)",
                       opt->choices[usual]);
    }
    return text;
}

static enum ry_err parse_choice(const struct ry_opt *opt, const char *text, int *choice,
                                struct ry_diag *diag)
{
    char known[RY_HELP_BYTES] = "";

    for (int i = 0; opt->choices[i]; i++) {
        if (strcmp(opt->choices[i], text) == 0) {
            *choice = i;
            return RY_OK;
        }
    }
    add_choices(opt, ", ", known);
    const size_t near = ry_name_nearest(text, choice_at, opt);
    if (near != (size_t)-1)
        return ry_fail(diag, RY_ERR_SYNTAX, opt->name,
                       "'%s' is not one of %s; did you mean '%s'?", text, known,
                       opt->choices[near]);
    return ry_fail(diag, RY_ERR_SYNTAX, opt->name, "'%s' is not one of %s", text, known);
}

static enum ry_err add_string(const char *where, const char *text,
                              struct ry_strings *list, struct ry_diag *diag)
{
    if (list->n == RY_LIST_MOST)
        return ry_fail(diag, RY_ERR_USAGE, where, "more than %d values", RY_LIST_MOST);
    list->at[list->n++] = text;
    return RY_OK;
}

/* What a command takes that has nothing to keep quiet about. */
static const struct ry_opt quiet_opt = {
    .kind = RY_OPT_FLAG,
    .letter = 'q',
    .name = "quiet",
    .help = "no progress and no notes on standard error",
};

static enum ry_err set_field(const struct ry_opt *opt, const char *text, void *options,
                             struct ry_diag *diag)
{
    void *field = (char *)options + opt->offset;

    if (opt == &quiet_opt)
        return RY_OK;
    switch (opt->kind) {
    case RY_OPT_FLAG:
        *(bool *)field = true;
        return RY_OK;
    case RY_OPT_STRING:
        *(const char **)field = text;
        return RY_OK;
    case RY_OPT_LIST:
        return add_string(opt->name, text, field, diag);
    case RY_OPT_CHOICE:
        return parse_choice(opt, text, field, diag);
    case RY_OPT_COUNT:
        return parse_count(opt, text, field, diag);
    case RY_OPT_QUANTITY:
    case RY_OPT_NUMBER:
        return parse_physical(opt, text, field, diag);
    case RY_OPT_END:
        break;
    }
    abort();
}

const struct ry_opt *ry_cmd_opt_at(const struct ry_cmd *cmd, size_t i)
{
    bool quiet = false;
    size_t n = 0;

    for (; cmd->opts && cmd->opts[n].kind != RY_OPT_END; n++)
        quiet = quiet || strcmp(cmd->opts[n].name, quiet_opt.name) == 0;
    if (i < n)
        return &cmd->opts[i];
    return i == n && !quiet ? &quiet_opt : NULL;
}

/* getopt's two descriptions of one table: long options, and letters with ":". */
static void describe(const struct ry_cmd *cmd, struct option longs[OPTS_MOST + 1],
                     char letters[LETTERS_BYTES])
{
    const struct ry_opt *opt = NULL;
    size_t used = 0, i = 0;

    letters[used++] = ':';
    for (; i < OPTS_MOST && (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++) {
        const bool flag = opt->kind == RY_OPT_FLAG;
        longs[i] = (struct option){opt->name, flag ? no_argument : required_argument,
                                   NULL, 256 + (int)i};
        if (opt->letter) {
            letters[used++] = opt->letter;
            if (!flag)
                letters[used++] = ':';
        }
    }
    longs[i] = (struct option){0};
    letters[used] = '\0';
}

static const struct ry_opt *find_opt(const struct ry_cmd *cmd, int got)
{
    const struct ry_opt *opt = NULL;

    if (got >= 256)
        return ry_cmd_opt_at(cmd, (size_t)got - 256);
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL && opt->letter != got; i++)
        ;
    return opt;
}

static enum ry_err check_args(const struct ry_cmd *cmd, size_t n, struct ry_diag *diag)
{
    if (n < cmd->min_args)
        return ry_fail(diag, RY_ERR_USAGE, cmd->name,
                       "an argument is missing: railyard %s %s", cmd->name, cmd->args);
    if (n > cmd->max_args)
        return ry_fail(diag, RY_ERR_USAGE, cmd->name, "%zu arguments, %zu at most", n,
                       cmd->max_args);
    return RY_OK;
}

static const char *long_at(const void *ctx, size_t i)
{
    const struct ry_opt *opt = ry_cmd_opt_at(ctx, i);

    return opt ? opt->name : NULL;
}

/* "--worklod=FILE" is near to "--workload". */
static enum ry_err unknown_option(const struct ry_cmd *cmd, const char *arg,
                                  struct ry_diag *diag)
{
    char name[48] = "";

    if (cmd->args && strncmp(cmd->args, "-- ", 3) == 0)
        return ry_fail(
            diag, RY_ERR_USAGE, arg,
            "unknown option of 'railyard %s'; those of the other command go behind "
            "--: railyard %s [OPTION]... %s",
            cmd->name, cmd->name, cmd->args);
    if (arg[0] == '-' && arg[1] == '-')
        (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
    const size_t near = name[0] ? ry_name_nearest(name, long_at, cmd) : (size_t)-1;
    if (near != (size_t)-1)
        return ry_fail(diag, RY_ERR_USAGE, arg,
                       "unknown option of 'railyard %s'; did you mean '--%s'?", cmd->name,
                       long_at(cmd, near));
    return ry_fail(diag, RY_ERR_USAGE, arg,
                   "unknown option of 'railyard %s'; see 'railyard "
                   "%s --help'",
                   cmd->name, cmd->name);
}

enum ry_err ry_opts_parse(const struct ry_cmd *cmd, int argc, char **argv, void *options,
                          struct ry_strings *args, struct ry_diag *diag)
{
    struct option longs[OPTS_MOST + 1];
    char letters[LETTERS_BYTES];
    int got = 0;

    describe(cmd, longs, letters);
    opterr = 0;
    optind = 0; /* glibc: start afresh */
    while ((got = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const char *arg = argv[optind > 0 ? optind - 1 : 0];
        const struct ry_opt *opt = find_opt(cmd, got);
        if (got == ':')
            return ry_fail(diag, RY_ERR_USAGE, arg, "a value is missing");
        if (!opt) /* got is '?' */
            return unknown_option(cmd, arg, diag);
        RY_TRY(set_field(opt, optarg, options, diag));
    }
    for (args->n = 0; optind < argc; optind++)
        RY_TRY(add_string(cmd->name, argv[optind], args, diag));
    RY_TRY(check_args(cmd, args->n, diag));
    return ry_opts_keep_inputs(cmd, options, args, diag);
}

enum { HELP_INDENT = 31, SUMMARY_INDENT = 21, HELP_LEAST = 24 };

/* Words from column @p at on, on further lines from there too where the terminal ends. */
static void print_words(const char *text, size_t at)
{
    const size_t width = ry_terminal_width(stdout);
    const size_t room = width == 0                ? SIZE_MAX
                        : width > at + HELP_LEAST ? width - at
                                                  : HELP_LEAST;
    size_t used = 0;

    while (*text != '\0') {
        const size_t n = strcspn(text, " ");
        if (used > 0 && used + 1 + n > room) {
            printf("\n%*s", (int)at, "");
            used = 0;
        }
        printf("%s%.*s", used > 0 ? " " : "", (int)n, text);
        used += n + (used > 0);
        text += n + (text[n] == ' ');
    }
    printf("\n");
}

static void print_opt(const struct ry_cmd *cmd, const struct ry_opt *opt)
{
    char left[48];
    char text[RY_HELP_BYTES];

    (void)snprintf(left, sizeof(left), "%s%c%s--%s%s%s", opt->letter ? "-" : "",
                   opt->letter ? opt->letter : ' ', opt->letter ? ", " : "   ", opt->name,
                   opt->value ? "=" : "", opt->value ? opt->value : "");
    printf("  %-28s ", left);
    print_words(ry_opt_help(cmd, opt, text), HELP_INDENT);
}

void ry_cmd_print_summary(const struct ry_cmd *cmd)
{
    printf("  %-18s ", cmd->name);
    print_words(cmd->summary, SUMMARY_INDENT);
}

void ry_cmd_print_help(const struct ry_cmd *cmd)
{
    printf("Usage: railyard %s [OPTION]... %s\n%s.\n", cmd->name,
           cmd->args ? cmd->args : "", cmd->summary);
    const struct ry_opt *opt = NULL;
    printf("\nOptions:\n");
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++)
        print_opt(cmd, opt);
    if (cmd->example)
        printf("\nExample:\n  %s\n", cmd->example);
}
