/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/bom_part.h"

#include "base/names.h"
#include "catalog/price.h"
#include "facility/cable_choice.h"

#include <math.h>
#include <string.h>

struct ry_bom_price ry_bom_part_price(struct ry_arena *arena,
                                      const struct ry_catalog *catalog, enum ry_kind kind,
                                      const struct ry_part *part)
{
    char origin[RY_PRICE_ORIGIN_BYTES];
    const struct ry_price price = ry_price_of(catalog, kind, part);
    const struct ry_part *row = price.row;
    struct ry_price *kept = RY_NEW(arena, struct ry_price, 1);

    if (price.kind == RY_PRICE_NONE)
        return ry_bom_no_price();
    if (kept)
        *kept = price;
    const char *source = ry_strdup(arena, ry_price_origin(&price, origin));
    const double year = row          ? row->price_year
                        : price.rule ? price.rule->year
                                     : (double)NAN;
    return (struct ry_bom_price){
        .usd = price.usd,
        .low_usd = price.low_usd,
        .high_usd = price.high_usd,
        .year = isnan(year) ? 0 : (int)year,
        .basis = ry_price_kind_text(price.kind),
        .source = source ? source : "",
        .estimate = price.kind == RY_PRICE_ESTIMATE,
        .origin = kept,
    };
}

struct ry_bom_price ry_bom_cable_price(struct ry_arena *arena,
                                       const struct ry_catalog *catalog,
                                       const struct ry_cable *cable, double length_m)
{
    struct ry_bom_price price =
        ry_bom_part_price(arena, catalog, RY_KIND_CABLE, &cable->part);
    const double usd = ry_cable_usd(catalog, cable, length_m);

    if (isnan(length_m) || !(price.usd > 0.0))
        return price;
    price.low_usd *= usd / price.usd;
    price.high_usd *= usd / price.usd;
    price.usd = usd;
    return price;
}

/* What its published lead time is known by: the kind of plant or cooling, else the
 * category. */
static const char *lead_key(enum ry_bom_category category, enum ry_kind kind,
                            const struct ry_part *part)
{
    if (kind == RY_KIND_PLANT)
        return ((const struct ry_plant *)(const void *)part)->kind;
    if (kind == RY_KIND_COOLING)
        return ((const struct ry_cooling *)(const void *)part)->kind;
    return ry_bom_category_name(category);
}

bool ry_bom_set_lead(struct ry_arena *arena, const struct ry_catalog *catalog,
                     enum ry_kind kind, const struct ry_part *part,
                     struct ry_bom_line *line)
{
    if (!isnan(part->lead_time_weeks)) {
        line->lead_time_weeks = part->lead_time_weeks;
        line->lead_time_source = part->lead_time_basis;
        return true;
    }
    const char *name =
        ry_strfmt(arena, "lead time:%s", lead_key(line->category, kind, part));
    const struct ry_rate *rate = name ? ry_find_rate(catalog, name) : NULL;
    if (!rate)
        return name != NULL;
    line->lead_time_weeks = rate->value;
    line->lead_time_source = ry_strfmt(
        arena, "%s, %.0f to %.0f weeks (%s%s)", name, rate->low, rate->high,
        rate->part.source, strcmp(rate->part.verified, "no") == 0 ? ", estimate" : "");
    return line->lead_time_source != NULL;
}
