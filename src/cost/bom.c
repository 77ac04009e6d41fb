/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/bom.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 32 };

const char *ry_bom_category_name(enum ry_bom_category category)
{
    static const char *const names[RY_BOM_CATEGORIES] = {
        [RY_BOM_NODE] = "node",
        [RY_BOM_SWITCH] = "switch",
        [RY_BOM_NIC] = "nic",
        [RY_BOM_CABLE] = "cable",
        [RY_BOM_TRANSCEIVER] = "transceiver",
        [RY_BOM_RACK] = "rack",
        [RY_BOM_POWER] = "power",
        [RY_BOM_COOLING] = "cooling",
        [RY_BOM_PLANT] = "plant",
        [RY_BOM_MANAGEMENT] = "management",
        [RY_BOM_STORAGE] = "storage",
        [RY_BOM_SERVICE] = "service",
    };
    return names[category];
}

static bool bom_is_network(enum ry_bom_category category)
{
    return category == RY_BOM_SWITCH || category == RY_BOM_NIC ||
           category == RY_BOM_CABLE || category == RY_BOM_TRANSCEIVER ||
           category == RY_BOM_MANAGEMENT;
}

struct ry_bom_price ry_bom_no_price(void)
{
    return (struct ry_bom_price){.usd = (double)NAN,
                                 .low_usd = (double)NAN,
                                 .high_usd = (double)NAN,
                                 .basis = "",
                                 .source = ""};
}

struct ry_bom_line ry_bom_line_of(enum ry_bom_category category, const char *part,
                                  double quantity)
{
    return (struct ry_bom_line){
        .category = category,
        .part = part,
        .description = "",
        .why = "",
        .quantity = quantity,
        .length_m = (double)NAN,
        .price = ry_bom_no_price(),
        .lead_time_weeks = (double)NAN,
        .lead_time_source = "",
    };
}

double ry_bom_ordered(const struct ry_bom_line *line)
{
    return line->within ? 0.0 : fmax(0.0, line->quantity + line->spares - line->owned);
}

double ry_bom_line_usd(const struct ry_bom_line *line)
{
    const double ordered = ry_bom_ordered(line);
    return ordered > 0.0 ? ordered * line->price.usd : 0.0;
}

static enum ry_err grow(struct ry_bom *bom, struct ry_diag *diag)
{
    const size_t room = bom->room ? 2 * bom->room : FIRST_ROOM;
    struct ry_bom_line *at = RY_NEW(bom->arena, struct ry_bom_line, room);

    if (!at)
        return ry_fail(diag, RY_ERR_NOMEM, "bill", "%zu lines", room);
    if (bom->n > 0)
        memcpy(at, bom->at, bom->n * sizeof(*at));
    bom->at = at;
    bom->room = room;
    return RY_OK;
}

enum ry_err ry_bom_add(struct ry_bom *bom, const struct ry_bom_line *line,
                       struct ry_diag *diag)
{
    assert(line->part);
    if (!(line->quantity + line->spares > 0.0))
        return RY_OK;
    if (bom->n == bom->room)
        RY_TRY(grow(bom, diag));
    bom->at[bom->n++] = *line;
    return RY_OK;
}

static void add_priced(struct ry_bom_sums *sums, const struct ry_bom_line *line)
{
    const double ordered = ry_bom_ordered(line);
    const double usd = ordered * line->price.usd;

    sums->usd += usd;
    sums->low_usd += ordered * line->price.low_usd;
    sums->high_usd += ordered * line->price.high_usd;
    sums->by_category_usd[line->category] += usd;
    sums->by_category_low_usd[line->category] += ordered * line->price.low_usd;
    sums->by_category_high_usd[line->category] += ordered * line->price.high_usd;
    if (bom_is_network(line->category)) {
        sums->network_usd += usd;
        sums->network_low_usd += ordered * line->price.low_usd;
        sums->network_high_usd += ordered * line->price.high_usd;
    }
    if (line->price.estimate)
        sums->estimate_usd += usd;
}

struct ry_bom_sums ry_bom_sums(const struct ry_bom *bom)
{
    struct ry_bom_sums sums = {.lines = bom->n};

    for (size_t i = 0; i < bom->n; i++) {
        const struct ry_bom_line *line = &bom->at[i];
        if (!(ry_bom_ordered(line) > 0.0))
            continue; /* owned: nothing to pay */
        if (isnan(line->price.usd)) {
            sums.without_price++;
            sums.category_without_price[line->category] = true;
        } else {
            add_priced(&sums, line);
        }
    }
    return sums;
}

const struct ry_bom_line *ry_bom_longest_lead(const struct ry_bom *bom, size_t *not_given)
{
    const struct ry_bom_line *longest = NULL;

    *not_given = 0;
    for (size_t i = 0; i < bom->n; i++) {
        const struct ry_bom_line *line = &bom->at[i];
        if (!(ry_bom_ordered(line) > 0.0) || line->category == RY_BOM_SERVICE)
            continue;
        if (isnan(line->lead_time_weeks))
            (*not_given)++;
        else if (!longest || line->lead_time_weeks > longest->lead_time_weeks)
            longest = line;
    }
    return longest;
}
