/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Writing HTML safely: what comes from a file is text, never markup.
 */
#ifndef RY_REPORT_HTML_H
#define RY_REPORT_HTML_H

#include "base/err.h"
#include "io/file.h"

#include <stdio.h>

/** Text or an attribute's value: & < > " ' escaped, bytes that are not UTF-8 replaced. */
void ry_html_text(FILE *out, const char *text);

/**
 * Markup with values in it: %s is a text and is escaped, %zu a count, %% a per cent sign;
 * nothing else is known.
 */
void ry_html(FILE *out, const char *fmt, ...) RY_PRINTF(2, 3);

/** A JSON string for a script block: nothing in it can end the block. */
void ry_html_json_text(FILE *out, const char *text);

/**
 * Print a template: each {{name}} is left to @p slot, the rest is copied.
 * @param slot  prints what belongs there.
 */
void ry_html_template(FILE *out, const struct ry_text *text,
                      void (*slot)(FILE *out, const char *name, const void *ctx),
                      const void *ctx);

#endif
