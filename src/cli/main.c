/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"
#include "config.h"
#include "report/table.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_BYTES_MOST = 8192 };

static void print_help(void)
{
    printf("Usage: railyard COMMAND [OPTION]...\n"
           "Plan, simulate and cost GPU training clusters.\n\nCommands:\n");
    const struct ry_cmd *cmd = NULL;
    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++)
        ry_cmd_print_summary(cmd);
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

static enum ry_err unknown_command(int argc, char **argv, struct ry_diag *diag)
{
    char typed[96];
    const bool two = argc > 1 && argv[1][0] != '-';

    (void)snprintf(typed, sizeof(typed), "%s%s%s", argv[0], two ? " " : "",
                   two ? argv[1] : "");
    const struct ry_cmd *near = ry_command_nearest(typed);
    if (!near)
        near = ry_command_nearest(argv[0]);
    if (!near)
        return ry_fail(diag, RY_ERR_USAGE, argv[0],
                       "no such command; see 'railyard --help'");
    return ry_fail(diag, RY_ERR_USAGE, argv[0], "no such command; did you mean '%s'?",
                   near->name);
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
    struct ry_arena *arena = ry_arena_create(0);
    const enum ry_err err = arena
                                ? cmd->run(arena, options, &args, diag)
                                : ry_fail(diag, RY_ERR_NOMEM, cmd->name, "cannot start");
    ry_arena_destroy(arena);
    return err;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static enum ry_err run_command(int argc, char **argv, struct ry_diag *diag)
{
    const struct ry_cmd *cmd = NULL;
    for (size_t i = 0; (cmd = ry_command_at(i)) != NULL; i++) {
        const int words = names(cmd, argc, argv);
        if (words == 0)
            continue;
        if (wants_help(argc, argv)) {
            ry_cmd_print_help(cmd);
            return RY_OK;
        }
        return run_parsed(cmd, argc - words + 1, argv + words - 1, diag);
    }
    return unknown_command(argc, argv, diag);
}

static enum ry_err run(int argc, char **argv, struct ry_diag *diag)
{
    if (argc < 2)
        return ry_fail(diag, RY_ERR_USAGE, "railyard",
                       "no command; see 'railyard --help'");
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

static void print_error(const struct ry_diag *diag, enum ry_err err)
{
    if (err != RY_OK && diag->text[0] != '\0')
        (void)fprintf(stderr, "railyard: %s: %s: %s\n", ry_err_text(err), diag->where,
                      diag->text);
}

int main(int argc, char **argv)
{
    struct ry_diag diag = {0};

    enum ry_err err = run(argc, argv, &diag);
    if (err == RY_OK && ry_table_lost())
        err = ry_fail(&diag, RY_ERR_NOMEM, "table", "its rows do not fit");
    print_error(&diag, err);
    if (ry_err_exit_status(err) <= 1 && (fflush(stdout) != 0 || ferror(stdout))) {
        err = ry_fail(&diag, RY_ERR_IO, "stdout", "cannot write");
        print_error(&diag, err);
    }
    return ry_err_exit_status(err);
}
