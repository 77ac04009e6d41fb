/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalog/currency.h"

#include <stdio.h>

double ry_in_currency(const struct ry_currency *currency, double usd)
{
    return currency ? usd / currency->usd_per_unit : usd;
}

const char *ry_currency_rate(const struct ry_currency *currency,
                             char text[RY_CURRENCY_WHY_BYTES])
{
    (void)snprintf(text, RY_CURRENCY_WHY_BYTES, "1 %s = %.6g USD%s%s (%s)",
                   currency->part.name, currency->usd_per_unit,
                   currency->rate_date[0] ? " of " : ", day not given",
                   currency->rate_date, currency->part.source);
    return text;
}

const struct ry_currency *ry_currency_of(const struct ry_catalog *catalog,
                                         const char *code)
{
    const struct ry_currency *currency = ry_find_currency(catalog, code);

    return currency && currency->usd_per_unit > 0.0 ? currency : NULL;
}
