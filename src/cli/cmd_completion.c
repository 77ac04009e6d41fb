/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of bash, zsh and fish, made from the option tables. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

/* What may stand behind a quotation mark of the shell; zsh ends texts at more. */
static void put_quoted(const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr(escaped, *text))
            putchar('\\');
        putchar(*text);
    }
}

/* The bytes of a command's first word; whether another one with it came before. */
static size_t first_word(const struct ry_cmd *cmd)
{
    return strcspn(cmd->name, " ");
}

static bool starts_with(const struct ry_cmd *cmd, const char *first, size_t n)
{
    return strncmp(cmd->name, first, n) == 0 &&
           (cmd->name[n] == ' ' || cmd->name[n] == '\0');
}

static bool is_new_word(size_t i)
{
    const struct ry_cmd *cmd = ry_command_sorted(i);

    for (size_t k = 0; k < i; k++)
        if (starts_with(ry_command_sorted(k), cmd->name, first_word(cmd)))
            return false;
    return true;
}

/* Whether a second word goes with a command's first. */
static bool is_group(const struct ry_cmd *cmd)
{
    const struct ry_cmd *other = NULL;

    for (size_t i = 0; (other = ry_command_sorted(i)) != NULL; i++)
        if (starts_with(other, cmd->name, first_word(cmd)) && strchr(other->name, ' '))
            return true;
    return false;
}

/* Call for each first word, or each that is a group. */
static void each_word(bool groups, void (*put)(const struct ry_cmd *cmd))
{
    const struct ry_cmd *cmd = NULL;

    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++)
        if (is_new_word(i) && (!groups || is_group(cmd)))
            put(cmd);
}

static void each_second(const struct ry_cmd *group,
                        void (*put)(const struct ry_cmd *cmd, const char *second))
{
    const struct ry_cmd *cmd = NULL;

    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++)
        if (starts_with(cmd, group->name, first_word(group)) && strchr(cmd->name, ' '))
            put(cmd, strchr(cmd->name, ' ') + 1);
}

static void each_command(void (*put)(const struct ry_cmd *cmd))
{
    const struct ry_cmd *cmd = NULL;

    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++)
        put(cmd);
}

static void put_choices(const struct ry_opt *opt)
{
    for (size_t i = 0; opt->choices && opt->choices[i]; i++)
        printf("%s%s", i ? " " : "", opt->choices[i]);
}

static void put_word(const struct ry_cmd *cmd)
{
    printf("%.*s ", (int)first_word(cmd), cmd->name);
}

static void put_second(const struct ry_cmd *cmd, const char *second)
{
    (void)cmd;
    printf("%s ", second);
}

/* ---- bash ---- */

static void bash_group(const struct ry_cmd *cmd)
{
    printf("    %.*s) words='", (int)first_word(cmd), cmd->name);
    each_second(cmd, put_second);
    fputs("';;\n", stdout);
}

static void bash_options(const struct ry_cmd *cmd)
{
    const struct ry_opt *opt = NULL;

    printf("    '%s') words=\"$words ", cmd->name);
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++)
        printf("--%s%s ", opt->name, opt->value ? "=" : "");
    fputs("--help\";;\n", stdout);
}

static void bash_choices(const struct ry_cmd *cmd)
{
    const struct ry_opt *opt = NULL;

    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++) {
        if (!opt->choices)
            continue;
        printf("    '%s --%s') words='", cmd->name, opt->name);
        put_choices(opt);
        fputs("';;\n", stdout);
    }
}

static void put_bash(void)
{
    fputs("# bash completion of railyard: source it, or put it into bash-completion's "
          "folder\n"
          "_railyard() {\n"
          "  local cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} words= opt=\n"
          "  if [ \"$cur\" = = ]; then opt=${COMP_WORDS[COMP_CWORD-1]} cur=\n"
          "  elif [ \"${COMP_WORDS[COMP_CWORD-1]}\" = = ]; then "
          "opt=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  fi\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then words='",
          stdout);
    each_word(false, put_word);
    fputs("--help --version'\n  elif [ \"$COMP_CWORD\" -eq 2 ]; then case \"$cmd\" in\n",
          stdout);
    each_word(true, bash_group);
    fputs("  esac; else case \"$cmd ${COMP_WORDS[2]}\" in\n   ", stdout);
    const char *bar = "";
    const struct ry_cmd *cmd = NULL;
    for (size_t i = 0; (cmd = ry_command_sorted(i)) != NULL; i++)
        if (strchr(cmd->name, ' '))
            printf("%s '%s'", bar, cmd->name), bar = " |";
    fputs(") cmd=\"$cmd ${COMP_WORDS[2]}\";;\n  esac; fi\n"
          "  if [ \"$opt\" ]; then case \"$cmd $opt\" in\n",
          stdout);
    each_command(bash_choices);
    fputs("  esac; else case \"$cmd\" in\n", stdout);
    each_command(bash_options);
    fputs("  esac; fi\n"
          "  compopt -o nospace -o default 2>/dev/null\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "  [ \"${cur#-}\" = \"$cur\" ] && COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
          "}\ncomplete -F _railyard railyard\n",
          stdout);
}

/* ---- zsh ---- */

static void zsh_word(const struct ry_cmd *cmd)
{
    printf(" '%.*s:", (int)first_word(cmd), cmd->name);
    if (strchr(cmd->name, ' '))
        fputs("more commands", stdout);
    else
        put_quoted(cmd->summary, "");
    putchar('\'');
}

static void zsh_second(const struct ry_cmd *cmd, const char *second)
{
    printf(" '%s:", second);
    put_quoted(cmd->summary, "");
    putchar('\'');
}

static void zsh_group(const struct ry_cmd *cmd)
{
    printf("    %.*s) list=(", (int)first_word(cmd), cmd->name);
    each_second(cmd, zsh_second);
    fputs(") ;;\n", stdout);
}

/* '(-w --workload)'{-w,--workload=}'[help]:VALUE:_files' */
static void zsh_option(const struct ry_opt *opt)
{
    const char *equals = opt->value ? "=" : "";

    if (opt->letter)
        printf(" '(-%c --%s)'{-%c%s,--%s%s}'[", opt->letter, opt->name, opt->letter,
               opt->value ? "+" : "", opt->name, equals);
    else
        printf(" '--%s%s[", opt->name, equals);
    put_quoted(opt->help, "[]\\");
    putchar(']');
    if (opt->value) {
        printf(":%s:", opt->value);
        if (opt->choices) {
            putchar('(');
            put_choices(opt);
            putchar(')');
        } else
            fputs("_files", stdout);
    }
    putchar('\'');
}

static void zsh_options(const struct ry_cmd *cmd)
{
    const struct ry_opt *opt = NULL;

    printf("    '%s') _arguments -s", cmd->name);
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++)
        zsh_option(opt);
    fputs(" '--help[show the options]' '*:file:_files' ;;\n", stdout);
}

static void put_zsh(void)
{
    fputs("#compdef railyard\n# zsh completion of railyard: a file _railyard in a folder "
          "of $fpath\n"
          "_railyard() {\n  local -a list\n  local cmd=${words[2]}\n"
          "  if (( CURRENT == 2 )); then\n    list=(",
          stdout);
    each_word(false, zsh_word);
    fputs(")\n    _describe command list\n    return\n  fi\n  case $cmd in\n", stdout);
    each_word(true, zsh_group);
    fputs("  esac\n"
          "  if (( CURRENT == 3 && $#list )); then _describe command list; return; fi\n"
          "  if (( $#list )) && [[ ${words[3]} != -* ]]; then cmd+=\" ${words[3]}\"; "
          "shift words; (( CURRENT-- )); fi\n"
          "  shift words; (( CURRENT-- ))\n  case $cmd in\n",
          stdout);
    each_command(zsh_options);
    fputs("  esac\n}\n"
          "if [[ $funcstack[1] == _railyard ]]; then _railyard \"$@\"; else compdef "
          "_railyard "
          "railyard; fi\n",
          stdout);
}

/* ---- fish ---- */

static void fish_word(const struct ry_cmd *cmd)
{
    printf("complete -c railyard -f -n __fish_use_subcommand -a %.*s -d '",
           (int)first_word(cmd), cmd->name);
    put_quoted(strchr(cmd->name, ' ') ? "more commands" : cmd->summary, "\\");
    fputs("'\n", stdout);
}

static void fish_second(const struct ry_cmd *cmd, const char *second)
{
    printf("complete -c railyard -n '__fish_seen_subcommand_from %.*s' -a %s -d '",
           (int)first_word(cmd), cmd->name, second);
    put_quoted(cmd->summary, "\\");
    fputs("'\n", stdout);
}

static void fish_option(const struct ry_cmd *cmd, const struct ry_opt *opt)
{
    const char *space = strchr(cmd->name, ' ');

    printf("complete -c railyard -n '__fish_seen_subcommand_from %.*s",
           (int)first_word(cmd), cmd->name);
    if (space)
        printf("; and __fish_seen_subcommand_from %s", space + 1);
    printf("' -l %s", opt->name);
    if (opt->letter)
        printf(" -s %c", opt->letter);
    if (opt->choices) {
        fputs(" -x -a '", stdout);
        put_choices(opt);
        putchar('\'');
    } else if (opt->value)
        fputs(" -r", stdout);
    fputs(" -d '", stdout);
    put_quoted(opt->help, "\\");
    fputs("'\n", stdout);
}

static void fish_options(const struct ry_cmd *cmd)
{
    const struct ry_opt *opt = NULL;

    if (strchr(cmd->name, ' '))
        fish_second(cmd, strchr(cmd->name, ' ') + 1);
    for (size_t i = 0; (opt = ry_cmd_opt_at(cmd, i)) != NULL; i++)
        fish_option(cmd, opt);
}

static void put_fish(void)
{
    fputs("# fish completion of railyard\n", stdout);
    each_word(false, fish_word);
    each_command(fish_options);
}

static enum ry_err run_completion(struct ry_arena *arena, const void *options,
                                  const struct ry_strings *args, struct ry_diag *diag)
{
    (void)arena;
    (void)options;
    if (strcmp(args->at[0], "bash") == 0)
        put_bash();
    else if (strcmp(args->at[0], "zsh") == 0)
        put_zsh();
    else if (strcmp(args->at[0], "fish") == 0)
        put_fish();
    else
        return ry_fail(diag, RY_ERR_SYNTAX, args->at[0],
                       "no such shell; bash, zsh and fish are known");
    return RY_OK;
}

static const struct ry_opt no_options[] = {{.kind = RY_OPT_END}};

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
