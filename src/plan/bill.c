/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/bill.h"

#include "base/names.h"

#include <math.h>

void ry_money_add(struct ry_money *sum, struct ry_money more)
{
    sum->usd += more.usd;
    sum->low_usd += more.low_usd;
    sum->high_usd += more.high_usd;
    sum->estimate_usd += more.estimate_usd;
    sum->unpriced += more.unpriced;
}

static struct ry_money money_times(struct ry_money money, double factor)
{
    money.usd *= factor;
    money.low_usd *= factor;
    money.high_usd *= factor;
    money.estimate_usd *= factor;
    return money;
}

struct ry_money ry_money_exact(double usd)
{
    return (struct ry_money){.usd = usd, .low_usd = usd, .high_usd = usd};
}

const char *ry_bill_group_text(enum ry_bill_group group)
{
    static const char *const texts[RY_BILL_GROUPS] = {
        "nodes",      "NICs",      "switches",    "cables and optics",
        "racks",      "rack PDUs", "cooling",     "power and cooling plant",
        "management", "storage",   "installation"};

    return texts[group];
}

bool ry_bill_is_network(enum ry_bill_group group)
{
    return group == RY_BILL_NICS || group == RY_BILL_SWITCHES ||
           group == RY_BILL_OPTICS || group == RY_BILL_MANAGEMENT;
}

/* What so many cost; without a price they add nothing and are counted. */
static struct ry_money money_of(const struct ry_price *price, double count)
{
    if (!(count > 0.0))
        return (struct ry_money){0};
    if (!isfinite(price->usd))
        return (struct ry_money){.unpriced = 1};
    const struct ry_money one = {
        .usd = price->usd,
        .low_usd = price->low_usd,
        .high_usd = price->high_usd,
        .estimate_usd = price->kind == RY_PRICE_ESTIMATE ? price->usd : 0.0,
    };
    return money_times(one, count);
}

static struct ry_price no_price(void)
{
    return (struct ry_price){
        .kind = RY_PRICE_NONE, .usd = NAN, .low_usd = NAN, .high_usd = NAN};
}

static enum ry_bill_group group_of(enum ry_bom_category category)
{
    static const enum ry_bill_group groups[RY_BOM_CATEGORIES] = {
        [RY_BOM_NODE] = RY_BILL_NODES,         [RY_BOM_SWITCH] = RY_BILL_SWITCHES,
        [RY_BOM_NIC] = RY_BILL_NICS,           [RY_BOM_CABLE] = RY_BILL_OPTICS,
        [RY_BOM_TRANSCEIVER] = RY_BILL_OPTICS, [RY_BOM_RACK] = RY_BILL_RACKS,
        [RY_BOM_POWER] = RY_BILL_POWER,        [RY_BOM_COOLING] = RY_BILL_COOLING,
        [RY_BOM_PLANT] = RY_BILL_PLANT,        [RY_BOM_MANAGEMENT] = RY_BILL_MANAGEMENT,
        [RY_BOM_STORAGE] = RY_BILL_STORAGE,    [RY_BOM_SERVICE] = RY_BILL_INSTALL,
    };

    return groups[category];
}

/* The catalog's price with the amounts of the line: a cable's go by its length. */
static struct ry_price price_of_line(const struct ry_bom_price *line)
{
    struct ry_price price = no_price();

    if (isnan(line->usd))
        return price;
    if (line->origin)
        price = *line->origin;
    else
        price.kind = RY_PRICE_LISTED;
    price.usd = line->usd;
    price.low_usd = line->low_usd;
    price.high_usd = line->high_usd;
    return price;
}

static const char *use_of(struct ry_arena *arena, const struct ry_bom_line *line)
{
    return isnan(line->length_m)
               ? ry_strdup(arena, line->description)
               : ry_strfmt(arena, "%s %g m", line->description, line->length_m);
}

enum ry_err ry_bill_of_bom(struct ry_arena *arena, const struct ry_bom *bom,
                           struct ry_bill *bill)
{
    *bill = (struct ry_bill){.line = RY_NEW(arena, struct ry_bill_line, bom->n + 1)};
    if (!bill->line)
        return RY_ERR_NOMEM;
    for (size_t i = 0; i < bom->n; i++) {
        const struct ry_bom_line *from = &bom->at[i];
        struct ry_bill_line *line = &bill->line[bill->n++];
        *line = (struct ry_bill_line){
            .group = group_of(from->category),
            .part = ry_strdup(arena, from->part),
            .use = use_of(arena, from),
            .count = from->quantity + from->spares,
            .owned = from->owned,
            .price = price_of_line(&from->price),
        };
        if (!line->part || !line->use)
            return RY_ERR_NOMEM;
        const struct ry_money money = money_of(&line->price, ry_bom_ordered(from));
        ry_money_add(&bill->group[line->group], money);
        ry_money_add(&bill->total, money);
    }
    return RY_OK;
}
