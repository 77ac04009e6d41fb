/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a design buys, by part, at which price, in the groups that a ranking shows.
 *
 * It is the bill of `railyard bom` (cost/bill.h) line by line.  A line without a price
 * adds nothing to the sums and is counted in `unpriced`, so that a total with one is a
 * lower bound and says so.
 */
#ifndef RY_PLAN_BILL_H
#define RY_PLAN_BILL_H

#include "base/arena.h"
#include "catalog/price.h"
#include "cost/bom.h"

/** Money with its range; what had no price is counted apart. */
struct ry_money {
    double usd, low_usd, high_usd;
    double estimate_usd; /**< of usd, what rests on estimated prices */
    size_t unpriced;     /**< lines without a price: the sum is a lower bound */
};

void ry_money_add(struct ry_money *sum, struct ry_money more);
/** A known amount, without a range. */
struct ry_money ry_money_exact(double usd);

enum ry_bill_group {
    RY_BILL_NODES,
    RY_BILL_NICS,
    RY_BILL_SWITCHES,
    RY_BILL_OPTICS, /**< cables, modules, fibre */
    RY_BILL_RACKS,
    RY_BILL_POWER, /**< rack PDUs */
    RY_BILL_COOLING,
    RY_BILL_PLANT,      /**< of a room of one's own: UPS, generators, chillers, ... */
    RY_BILL_MANAGEMENT, /**< out-of-band switches and cables */
    RY_BILL_STORAGE,
    RY_BILL_INSTALL,
    RY_BILL_GROUPS
};

/** "nodes", "switches", ... */
const char *ry_bill_group_text(enum ry_bill_group group);

/** Whether the group is part of the network. */
bool ry_bill_is_network(enum ry_bill_group group);

struct ry_bill_line {
    enum ry_bill_group group;
    const char *part;      /**< catalog name, or what is missing from it */
    const char *use;       /**< "leaf switch", "fibre, leaf to spine" */
    double count;          /**< that the design needs, spares included */
    double owned;          /**< of them, that the user has */
    struct ry_price price; /**< of one */
};

struct ry_bill {
    size_t n;
    struct ry_bill_line *line; /**< [n] */
    struct ry_money group[RY_BILL_GROUPS];
    struct ry_money total;
};

/**
 * The lines of a bill of materials, in groups.
 * @return RY_OK or RY_ERR_NOMEM; @p arena owns the lines and their texts.
 */
RY_MUST_USE enum ry_err ry_bill_of_bom(struct ry_arena *arena, const struct ry_bom *bom,
                                       struct ry_bill *bill);

#endif
