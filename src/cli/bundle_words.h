/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The words of a command line that a bundle may hold: which of them name files.
 */
#ifndef RY_CLI_BUNDLE_WORDS_H
#define RY_CLI_BUNDLE_WORDS_H

#include "report/bundle.h"

/** What a word is. */
struct ry_bundle_word {
    const char *text;  /**< as typed */
    bool is_file;      /**< the text is a path */
    size_t value_from; /**< of "--prices=FILE": where FILE begins */
};

/**
 * Tell files from other words.
 * @param words [n] as typed after "railyard".
 * @param out   [n] set; room for RY_BUNDLE_ARGUMENTS_MOST.
 * @return RY_OK; RY_ERR_USAGE: no command of a bundle, more words than it has room for,
 * or an option that writes or reads elsewhere.
 */
RY_MUST_USE enum ry_err ry_bundle_words(size_t n, const char *const words[],
                                        struct ry_bundle_word out[],
                                        struct ry_diag *diag);

/**
 * Whether a bundle may hold a command line: commands that print a result of designs and
 * workloads, without options that write or read elsewhere.
 * @return RY_OK or RY_ERR_USAGE with the first word that may not be.
 */
RY_MUST_USE enum ry_err ry_bundle_check(size_t n, const char *const words[],
                                        struct ry_diag *diag);

#endif
