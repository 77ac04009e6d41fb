/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_exchange.h"

#include "base/names.h"
#include "io/catalog_taking.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ry_currency_unknown(const struct ry_catalog *catalog, const char *code,
                                char text[RY_CURRENCY_WHY_BYTES])
{
    char shown[RY_SHOWN_BYTES];
    const char *near = ry_catalog_nearest(catalog, RY_KIND_CURRENCY, code);

    (void)snprintf(text, RY_CURRENCY_WHY_BYTES, "no exchange rate of '%s'%s%s%s",
                   ry_shown(code, shown), near ? ", did you mean '" : "",
                   near ? near : "",
                   near ? "'?" : "; 'railyard catalog list currencies' has those known");
    return text;
}

enum { RATE_BYTES = 64 };

/* One of "EUR=1.16@2026-11-30": dollars for one, with the day it is of where given. */
static void take_rate(struct ry_arena *arena, struct ry_catalog *catalog,
                      const char *text, struct ry_problems *problems)
{
    const size_t code_bytes = strcspn(text, "=");
    const char *number = text[code_bytes] == '=' ? text + code_bytes + 1 : "";
    const size_t number_bytes = strcspn(number, "@");
    const char *date = number[number_bytes] == '@' ? number + number_bytes + 1 : "";
    char *code = ry_strfmt(arena, "%.*s", (int)code_bytes, text);
    char *digits = ry_strfmt(arena, "%.*s", (int)number_bytes, number);
    char shown[RY_SHOWN_BYTES];
    char why[RY_CURRENCY_WHY_BYTES];
    double usd = NAN;

    if (!code || !digits) {
        ry_problem(problems, RY_ERR_NOMEM, "--exchange", "its rates");
        return;
    }
    struct ry_part *part = ry_catalog_find_own(catalog, RY_KIND_CURRENCY, code);
    if (!part)
        ry_problem(problems, RY_ERR_NOTFOUND, "--exchange", "%s",
                   ry_currency_unknown(catalog, code, why));
    else if (!ry_plain_number(digits, &usd) || !(usd >= 1e-9 && usd <= 1e6))
        ry_problem(problems, RY_ERR_RANGE, "--exchange",
                   "'%s' is not CODE=USD@DATE, such as EUR=1.16@2026-11-30",
                   ry_shown(text, shown));
    else if (date[0] != '\0' && ry_date_year(date) == 0)
        ry_problem(problems, RY_ERR_RANGE, "--exchange",
                   "'%s' is not a date such as 2026-11-30", ry_shown(date, shown));
    else if (strcmp(part->source ? part->source : "", "--exchange") == 0)
        ry_problem(problems, RY_ERR_RANGE, "--exchange", "%s is given twice", part->name);
    else if (strcmp(part->name, "USD") == 0 && usd != 1.0)
        ry_problem(problems, RY_ERR_RANGE, "--exchange",
                   "'%s': rates are in dollars, a dollar is 1", ry_shown(text, shown));
    else {
        struct ry_currency *currency = (struct ry_currency *)(void *)part;
        currency->usd_per_unit = usd;
        currency->rate_date = date;
        currency->part.source = "--exchange";
        currency->part.own = true;
    }
}

void ry_catalog_take_rates(struct ry_arena *arena, struct ry_catalog *catalog,
                           const char *rates, struct ry_problems *problems)
{
    for (const char *at = rates; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *one = ry_strfmt(arena, "%.*s", (int)strcspn(at, ","), at);
        if (one && strlen(one) < RATE_BYTES)
            take_rate(arena, catalog, one, problems);
        else
            ry_problem(problems, RY_ERR_RANGE, "--exchange", "a rate of %zu characters",
                       strcspn(at, ","));
    }
}

void ry_catalog_show_in(struct ry_catalog *catalog, const char *code,
                        struct ry_problems *problems)
{
    char why[RY_CURRENCY_WHY_BYTES];
    const struct ry_currency *currency = ry_currency_of(catalog, code);

    if (!currency)
        ry_problem(problems, RY_ERR_NOTFOUND, "--currency", "%s",
                   ry_currency_unknown(catalog, code, why));
    else if (strcmp(currency->part.name, "USD") != 0)
        catalog->shown = currency;
}
