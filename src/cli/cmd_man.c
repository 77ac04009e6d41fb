/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual page, made from the option tables. */
#include "cli/commands.h"
#include "config.h"

#include <stdio.h>
#include <string.h>

/* Text of a manual page: a backslash, a dash or a leading dot is its own character. */
static void put_troff(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void put_option(const struct ry_cmd *cmd, const struct ry_opt *opt)
{
    char text[RY_HELP_BYTES];

    fputs(".TP\n.B ", stdout);
    if (opt->letter)
        printf("\\-%c, ", opt->letter);
    fputs("\\-\\-", stdout);
    put_troff(opt->name);
    if (opt->value)
        printf("=\\fI%s\\fR", opt->value);
    putchar('\n');
    put_troff(ry_opt_help(cmd, opt, text));
    putchar('\n');
}

static void put_command(const struct ry_cmd *cmd)
{
    fputs(".SS railyard ", stdout);
    put_troff(cmd->name);
    printf(" [OPTION]... ");
    put_troff(cmd->args ? cmd->args : "");
    putchar('\n');
    put_troff(cmd->summary);
    fputs(".\n", stdout);
    const struct ry_opt *opt = NULL;
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++)
        put_option(cmd, opt);
    if (cmd->example) {
        fputs(".PP\nExample:\n.PP\n.nf\n.RS\n", stdout);
        put_troff(cmd->example);
        fputs("\n.RE\n.fi\n", stdout);
    }
}

static enum ry_err run_man(struct ry_arena *arena, const void *options,
                           const struct ry_strings *args, struct ry_diag *diag)
{
    (void)arena;
    (void)options;
    (void)args;
    (void)diag;
    printf(".TH RAILYARD 1 \"\" \"%s\" \"User Commands\"\n", PACKAGE_STRING);
    fputs(".SH NAME\nrailyard \\- plan, simulate and cost GPU training clusters\n"
          ".SH SYNOPSIS\n.B railyard\n.I COMMAND\n[OPTION]... [FILE]...\n"
          ".SH COMMANDS\n",
          stdout);
    const struct ry_cmd *cmd = NULL;
    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++)
        put_command(cmd);
    fputs(
        ".SH EXIT STATUS\n"
        "0 yes; 1 the answer is no (nothing fits, a check fails, a finding); 2 unknown\n"
        "command or option, or a missing argument; 3 a wrong value or content, or a\n"
        "missing input file; 4 input or output failed, out of memory.\n"
        ".SH ENVIRONMENT\n.TP\n.B RAILYARD_DATA\nfolder that holds catalog/ and models/\n"
        ".TP\n.B XDG_DATA_HOME, HOME\nthe store is railyard/railyard.db in the first, "
        "else in\n"
        ".local/share of the second\n"
        ".TP\n.B TMPDIR\nwhere bundles are unpacked, instead of /tmp\n"
        ".TP\n.B SOURCE_DATE_EPOCH\nseconds since 1970 that stand for now, in reports, "
        "models\n"
        "and the store\n"
        ".TP\n.B OMP_NUM_THREADS\nthreads, where \\-\\-threads gives none\n"
        ".TP\n.B NO_COLOR\nno bold titles on a terminal\n"
        ".TP\n.B COLUMNS\nwidth of tables, instead of the terminal's\n",
        stdout);
    return RY_OK;
}

static const struct ry_opt no_options[] = {{.kind = RY_OPT_END}};

const struct ry_cmd cmd_man = {
    .name = "man",
    .args = "",
    .summary = "Print the manual page, made from the option tables",
    .example = "railyard man | man -l -",
    .opts = no_options,
    .run = run_man,
};
