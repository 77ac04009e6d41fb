/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual page and shell completion, made from the option tables. */
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

static void put_option(const struct ry_opt *opt)
{
    fputs(".TP\n.B ", stdout);
    if (opt->letter)
        printf("\\-%c, ", opt->letter);
    fputs("\\-\\-", stdout);
    put_troff(opt->name);
    if (opt->value)
        printf("=\\fI%s\\fR", opt->value);
    putchar('\n');
    put_troff(opt->help);
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
    for (const struct ry_opt *opt = cmd->opts; opt && opt->kind != RY_OPT_END; opt++)
        put_option(opt);
    if (cmd->example) {
        fputs(".PP\nExample:\n.PP\n.nf\n.RS\n", stdout);
        put_troff(cmd->example);
        fputs("\n.RE\n.fi\n", stdout);
    }
}

static enum ry_err run_man(const void *options, const struct ry_strings *args,
                           struct ry_diag *diag)
{
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
    fputs(".SH EXIT STATUS\n"
          "0 yes; 1 the answer is no (nothing fits, a check fails, a finding); 2 unknown\n"
          "command or option, or a missing argument; 3 a wrong value or content, or a\n"
          "missing input file; 4 input or output failed, out of memory.\n"
          ".SH ENVIRONMENT\n.TP\n.B RAILYARD_DATA\nfolder that holds catalog/ and models/\n"
          ".TP\n.B NO_COLOR\nno bold titles on a terminal\n",
          stdout);
    return RY_OK;
}

/* ---- completion ---- */

/* The first words of commands, or the second words after a first; each once. */
static void put_words(const char *first)
{
    const size_t length = first ? strlen(first) : 0;
    const struct ry_cmd *cmd = NULL;
    const char *last = "";

    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++) {
        const char *word = cmd->name;
        if (first && (strncmp(word, first, length) != 0 || word[length] != ' '))
            continue;
        word += first ? length + 1 : 0;
        const size_t n = strcspn(word, " ");
        if (strlen(last) == 0 || strncmp(last, word, n) != 0 ||
            (last[n] != ' ' && last[n] != '\0'))
            printf("%.*s ", (int)n, word);
        last = word;
    }
}

static void put_flags(const struct ry_cmd *cmd)
{
    for (const struct ry_opt *opt = cmd->opts; opt && opt->kind != RY_OPT_END; opt++)
        printf("--%s%s ", opt->name, opt->value ? "=" : "");
    fputs("--help", stdout);
}

/* One case of a shell for every command: its options. */
static void put_cases(const char *format_start, const char *format_end)
{
    const struct ry_cmd *cmd = NULL;

    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++) {
        printf("%s'%s'%s", "    ", cmd->name, format_start);
        put_flags(cmd);
        fputs(format_end, stdout);
    }
}

static void put_bash(void)
{
    fputs("# bash completion of railyard: source it, or put it into bash-completion's folder\n"
          "_railyard() {\n"
          "  local cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} words=\n"
          "  if [ \"$COMP_CWORD\" -gt 2 ]; then case \"$cmd\" in\n"
          "    calibrate|catalog|model|runs) cmd=\"$cmd ${COMP_WORDS[2]}\";;\n"
          "  esac; fi\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then words='",
          stdout);
    put_words(NULL);
    fputs("--help --version'\n  elif [ \"$COMP_CWORD\" -eq 2 ]; then case \"$cmd\" in\n", stdout);
    static const char *const groups[] = {"calibrate", "catalog", "model", "runs", NULL};
    for (size_t i = 0; groups[i]; i++) {
        printf("    %s) words='", groups[i]);
        put_words(groups[i]);
        fputs("';;\n", stdout);
    }
    fputs("  esac; fi\n  case \"$cmd\" in\n", stdout);
    put_cases(") words=\"$words ", "\";;\n");
    fputs("  esac\n"
          "  compopt -o nospace -o default 2>/dev/null\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "  [ \"${cur#-}\" = \"$cur\" ] && COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
          "}\ncomplete -F _railyard railyard\n",
          stdout);
}

static void put_zsh(void)
{
    fputs("#compdef railyard\n# zsh runs the bash completion\n"
          "autoload -U +X bashcompinit && bashcompinit\n",
          stdout);
    put_bash();
}

static void put_fish_option(const char *first, const char *second, const struct ry_opt *opt)
{
    printf("complete -c railyard -n '__fish_seen_subcommand_from %s%s%s' -l %s%s -d '",
           first, *second ? "; and __fish_seen_subcommand_from " : "", second, opt->name,
           opt->value ? " -r" : "");
    for (const char *c = opt->help; *c; c++) {
        if (*c == '\'' || *c == '\\')
            putchar('\\');
        putchar(*c);
    }
    fputs("'\n", stdout);
}

static void put_fish(void)
{
    const struct ry_cmd *cmd = NULL;

    fputs("# fish completion of railyard\ncomplete -c railyard -n __fish_use_subcommand -a '",
          stdout);
    put_words(NULL);
    fputs("'\n", stdout);
    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++) {
        char first[32];
        const size_t n = strcspn(cmd->name, " ");
        const char *second = cmd->name[n] ? cmd->name + n + 1 : "";
        (void)snprintf(first, sizeof(first), "%.*s", (int)n, cmd->name);
        if (*second)
            printf("complete -c railyard -n '__fish_seen_subcommand_from %s' -a %s\n", first,
                   second);
        for (const struct ry_opt *opt = cmd->opts; opt && opt->kind != RY_OPT_END; opt++)
            put_fish_option(first, second, opt);
    }
}

static enum ry_err run_completion(const void *options, const struct ry_strings *args,
                                  struct ry_diag *diag)
{
    (void)options;
    if (strcmp(args->at[0], "bash") == 0)
        put_bash();
    else if (strcmp(args->at[0], "zsh") == 0)
        put_zsh();
    else if (strcmp(args->at[0], "fish") == 0)
        put_fish();
    else
        return ry_fail(diag, RY_ERR_SYNTAX, args->at[0], "no such shell: bash, zsh or fish");
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

const struct ry_cmd cmd_completion = {
    .name = "completion",
    .args = "bash|zsh|fish",
    .min_args = 1,
    .max_args = 1,
    .summary = "Print shell completion, made from the option tables",
    .example = "railyard completion bash >/tmp/railyard.bash",
    .opts = no_options,
    .run = run_completion,
};
