/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A vendor's quote as CSV: part, quantity, unit price.
 */
#ifndef RY_IO_QUOTE_FILE_H
#define RY_IO_QUOTE_FILE_H

#include "base/problems.h"
#include "cost/bom.h"

/**
 * Read a quote.  Columns by name, case apart: part (or name, sku), quantity (or qty),
 * unit_price_usd (or price_usd, unit price), lead_time_weeks (or lead time; optional).
 * Numbers may have a $ sign and commas between thousands; "1.250,00" is refused.  With a
 * column currency a price in another one is converted by the catalog's rate, and its line
 * says so; without, prices are dollars.
 * @param arena    owns the quote.
 * @param catalog  where rates are from; it must outlive the quote.
 * @param path     the file.
 * @param problems gets every mistake with file, line and column.
 * @param quote    set on RY_OK.
 * @return RY_OK, or the code of the first problem.
 */
RY_MUST_USE enum ry_err ry_quote_read(struct ry_arena *arena,
                                      const struct ry_catalog *catalog, const char *path,
                                      struct ry_problems *problems,
                                      struct ry_quote *quote);

#endif
