/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A subcommand: its name, its options, and what it does.
 *
 * The option table is the only description of the options: getopt_long, `--help`, the
 * man page and shell completion are all made from it.
 */
#ifndef RY_CLI_CMD_H
#define RY_CLI_CMD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>

enum ry_opt_kind {
    RY_OPT_END,
    RY_OPT_FLAG,     /**< bool: present or not; takes no value */
    RY_OPT_STRING,   /**< const char *, as given */
    RY_OPT_LIST,     /**< struct ry_strings, one more each time it is given */
    RY_OPT_CHOICE,   /**< int, the index in `choices` */
    RY_OPT_COUNT,    /**< size_t, 1 to most, or to what an int holds */
    RY_OPT_QUANTITY, /**< double, in the SI unit of `dim` */
    RY_OPT_NUMBER,   /**< double without a unit, finite, 0 or more */
};

enum { RY_LIST_MOST = 256 };

/** The values of a RY_OPT_LIST, or the positional arguments of a command. */
struct ry_strings {
    size_t n;
    const char *at[RY_LIST_MOST]; /**< [n] as given */
};

struct ry_opt {
    enum ry_opt_kind kind;
    char letter;       /**< short name, or 0 */
    enum ry_dim dim;   /**< of a RY_OPT_QUANTITY */
    size_t offset;     /**< of the field it sets, in the command's options struct */
    const char *name;  /**< long name without the dashes */
    const char *value; /**< what to call its value in the help: "N", "SIZE" */
    const char *const *choices; /**< of a RY_OPT_CHOICE, ends with NULL */
    const char *help;           /**< of a RY_OPT_CHOICE: without its choices */
    bool above_0;               /**< of a number or quantity: 0 is wrong too */
    double least, most; /**< of one in its SI unit, both allowed; most 0: finite */
};

/** Names of report/formats.def, in the order of enum ry_table_format; ends with NULL. */
extern const char *const ry_format_choices[];

/** Whether people read it, so that titles and remarks go with its tables. */
bool ry_format_for_people(int format);

/** The row of `--format` for an options struct with a field `int format`. */
#define RY_OPT_FORMAT(type)                                                              \
    {                                                                                    \
        .kind = RY_OPT_CHOICE, .offset = offsetof(type, format), .name = "format",       \
        .value = "FORMAT", .choices = ry_format_choices, .help = "how it is printed"     \
    }

/** The row of `--quiet` for an options struct with a field `bool quiet`. */
#define RY_OPT_QUIET(type)                                                               \
    {                                                                                    \
        .kind = RY_OPT_FLAG, .letter = 'q', .offset = offsetof(type, quiet),             \
        .name = "quiet", .help = "no progress and no notes on standard error"            \
    }

struct ry_cmd {
    const char *name;          /**< "rank", or two words: "calibrate fit" */
    const char *args;          /**< positional arguments in the help: "DESIGN..." */
    size_t min_args, max_args; /**< how many of them */
    const char *summary;       /**< one line, imperative, no full stop */
    const char *example;       /**< a command line that works in the source folder */
    const struct ry_opt *opts; /**< ends with RY_OPT_END */
    size_t options_bytes;      /**< size of the options struct, at most 8 KiB */
    const void *defaults;      /**< its default, or NULL for all zero */
    /** Run with parsed options and positional arguments; @p arena ends with it. */
    enum ry_err (*run)(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag);
};

/**
 * Set the fields of @p options and collect positional arguments.
 * @param cmd     the command; its table says what is known.
 * @param argc    number of arguments, the command's name as argv[0].
 * @param argv    [argc] arguments.
 * @param options the command's options struct, holding the defaults.
 * @param args    set to the positional arguments.
 * @param diag    nullable.
 * @return RY_OK, RY_ERR_USAGE, or what the value's parser returned.
 */
RY_MUST_USE enum ry_err ry_opts_parse(const struct ry_cmd *cmd, int argc, char **argv,
                                      void *options, struct ry_strings *args,
                                      struct ry_diag *diag);

enum { RY_HELP_BYTES = 480 };

/** The help of an option of @p cmd: its text, and the choices with the default. */
const char *ry_opt_help(const struct ry_cmd *cmd, const struct ry_opt *opt,
                        char text[RY_HELP_BYTES]);

/**
 * The i-th option of a command: the rows of its table, then those that every command has
 * and this one does not (`--quiet`); NULL past the end.  `--help` is not among them.
 */
const struct ry_opt *ry_cmd_opt_at(const struct ry_cmd *cmd, size_t i);

/** Print a summary behind @p name, a row of a list of commands. */
void ry_cmd_print_summary(const struct ry_cmd *cmd);

/** Print the help of one command, made from its table, to stdout. */
void ry_cmd_print_help(const struct ry_cmd *cmd);

#endif
