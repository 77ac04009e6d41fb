/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "cli/cmd.h"
#include "config.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_BYTES_MOST = 8192 };

#define X(symbol) extern const struct ry_cmd symbol;
#include "cli/cmds.def"
#undef X

static const struct ry_cmd *const commands[] = {
#define X(symbol) &symbol,
#include "cli/cmds.def"
#undef X
    NULL,
};

static void print_help(void)
{
    printf("Usage: railyard COMMAND [OPTION]...\n"
           "Plan, simulate and cost GPU training clusters.\n\nCommands:\n");
    for (size_t i = 0; commands[i]; i++)
        printf("  %-18s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n'railyard COMMAND --help' lists the options of a command.\n");
}

/* How many of the arguments name the command: 2 for "calibrate fit", 0 for no. */
static int names(const struct ry_cmd *cmd, int argc, char **argv)
{
    const char *space = strchr(cmd->name, ' ');

    if (!space)
        return strcmp(cmd->name, argv[0]) == 0 ? 1 : 0;
    const size_t first = (size_t)(space - cmd->name);
    return argc > 1 && strncmp(cmd->name, argv[0], first) == 0 &&
                   argv[0][first] == '\0' && strcmp(space + 1, argv[1]) == 0
               ? 2
               : 0;
}

static const char *name_at(const void *ctx, size_t i)
{
    (void)ctx;
    return commands[i] ? commands[i]->name : NULL;
}

static enum ry_err unknown_command(int argc, char **argv, struct ry_diag *diag)
{
    char typed[96];
    const bool two = argc > 1 && argv[1][0] != '-';

    (void)snprintf(typed, sizeof(typed), "%s%s%s", argv[0], two ? " " : "",
                   two ? argv[1] : "");
    size_t near = ry_name_nearest(typed, name_at, NULL);
    if (near == (size_t)-1)
        near = ry_name_nearest(argv[0], name_at, NULL);
    if (near == (size_t)-1)
        return ry_fail(diag, RY_ERR_USAGE, argv[0], "no such command; see 'railyard --help'");
    return ry_fail(diag, RY_ERR_USAGE, argv[0], "no such command; did you mean '%s'?",
                   commands[near]->name);
}

static enum ry_err run_parsed(const struct ry_cmd *cmd, int argc, char **argv,
                              struct ry_diag *diag)
{
    alignas(max_align_t) unsigned char options[OPTIONS_BYTES_MOST] = {0};
    struct ry_strings args = {0};

    if (cmd->options_bytes > sizeof(options))
        return ry_fail(diag, RY_ERR_NOMEM, cmd->name, "options of %zu bytes",
                       cmd->options_bytes);
    if (cmd->defaults)
        memcpy(options, cmd->defaults, cmd->options_bytes);
    RY_TRY(ry_opts_parse(cmd, argc, argv, options, &args, diag));
    return cmd->run(options, &args, diag);
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return true;
    }
    return false;
}

static enum ry_err run_command(int argc, char **argv, struct ry_diag *diag)
{
    for (size_t i = 0; commands[i]; i++) {
        const int words = names(commands[i], argc, argv);
        if (words == 0)
            continue;
        if (wants_help(argc, argv)) {
            ry_cmd_print_help(commands[i]);
            return RY_OK;
        }
        return run_parsed(commands[i], argc - words + 1, argv + words - 1, diag);
    }
    return unknown_command(argc, argv, diag);
}

static enum ry_err run(int argc, char **argv, struct ry_diag *diag)
{
    if (argc < 2)
        return ry_fail(diag, RY_ERR_USAGE, "railyard", "no command; see 'railyard --help'");
    if (strcmp(argv[1], "--help") == 0) {
        print_help();
        return RY_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s\n", PACKAGE_STRING);
        return RY_OK;
    }
    return run_command(argc - 1, argv + 1, diag);
}

int main(int argc, char **argv)
{
    struct ry_diag diag = {0};

    enum ry_err err = run(argc, argv, &diag);
    if (err == RY_OK && (fflush(stdout) != 0 || ferror(stdout)))
        err = ry_fail(&diag, RY_ERR_IO, "stdout", "cannot write");
    if (err != RY_OK && diag.text[0] != '\0')
        (void)fprintf(stderr, "railyard: %s: %s: %s\n", ry_err_text(err), diag.where,
                      diag.text);
    return ry_err_exit_status(err);
}
