/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A parsed command line as words again: to say, keep and repeat what was asked.
 */
#ifndef RY_CLI_OPT_WORDS_H
#define RY_CLI_OPT_WORDS_H

#include "base/arena.h"
#include "cli/cmd.h"

struct ry_words {
    size_t n;
    const char **at; /**< [n] and a NULL, without the command's name */
};

/**
 * The options that are not as by default, in the order of the table, then the arguments.
 * @param cmd     says what is in @p options.
 * @param left_out names of options that do not matter, ends with NULL.
 * @param words   owned by @p arena; ry_opts_parse() of them gives the same options.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_opts_words(struct ry_arena *arena, const struct ry_cmd *cmd,
                                      const void *options, const struct ry_strings *args,
                                      const char *const left_out[],
                                      struct ry_words *words);

#endif
