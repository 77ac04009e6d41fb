/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Exchange rates that the user gives, and the currency that money is shown in.
 */
#ifndef RY_IO_CATALOG_EXCHANGE_H
#define RY_IO_CATALOG_EXCHANGE_H

#include "base/problems.h"
#include "catalog/currency.h"
#include "catalog/parts.h"

/** "no exchange rate of 'EUX', did you mean 'EUR'?". */
const char *ry_currency_unknown(const struct ry_catalog *catalog, const char *code,
                                char text[RY_CURRENCY_WHY_BYTES]);

/** Put rates "EUR=1.16@2026-11-30,GBP=1.31", dollars for one, in place of the
 * catalog's. */
void ry_catalog_take_rates(struct ry_arena *arena, struct ry_catalog *catalog,
                           const char *rates, struct ry_problems *problems);

/** Have money shown in the currency of a code; dollars: nothing changes. */
void ry_catalog_show_in(struct ry_catalog *catalog, const char *code,
                        struct ry_problems *problems);

#endif
