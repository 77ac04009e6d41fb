/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Currencies: amounts are dollars inside the program; a quote is converted as it is read,
 * an amount as it is printed, and both say by which rate, of which day, from whom.
 */
#ifndef RY_CATALOG_CURRENCY_H
#define RY_CATALOG_CURRENCY_H

#include "catalog/parts.h"

enum { RY_CURRENCY_WHY_BYTES = 240 };

/** @p usd in @p currency; NULL: it stays in dollars. */
double ry_in_currency(const struct ry_currency *currency, double usd);

/** "1 EUR = 1.175 USD of 2025-12-31 (ECB ...)". */
const char *ry_currency_rate(const struct ry_currency *currency,
                             char text[RY_CURRENCY_WHY_BYTES]);

/** The currency of that code (case apart) that has a rate, or NULL. */
const struct ry_currency *ry_currency_of(const struct ry_catalog *catalog,
                                         const char *code);

#endif
