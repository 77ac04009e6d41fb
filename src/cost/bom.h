/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Bill of materials: every line that can be ordered, with where its price is from.
 *
 * A line without a price has NAN and is counted apart: it never becomes zero.
 */
#ifndef RY_COST_BOM_H
#define RY_COST_BOM_H

#include "base/arena.h"
#include "base/err.h"

#include "catalog/price.h"

#include <stdbool.h>
#include <stddef.h>

enum ry_bom_category {
    RY_BOM_NODE,
    RY_BOM_SWITCH,
    RY_BOM_NIC,
    RY_BOM_CABLE, /**< copper, active cables, fibre */
    RY_BOM_TRANSCEIVER,
    RY_BOM_RACK,
    RY_BOM_POWER, /**< rack PDUs, power shelves sold apart */
    RY_BOM_COOLING,
    RY_BOM_PLANT,      /**< UPS, generators, busways, chillers: of a room of one's own */
    RY_BOM_MANAGEMENT, /**< out-of-band switches, fabric managers, their cables */
    RY_BOM_STORAGE,
    RY_BOM_SERVICE, /**< installation */
    RY_BOM_CATEGORIES
};

/** "node", "switch", ... */
const char *ry_bom_category_name(enum ry_bom_category category);

struct ry_bom_price {
    double usd;               /**< of one unit; NAN: no price */
    double low_usd, high_usd; /**< range; equal to usd when no range is stated */
    int year;                 /**< of the price; 0: unknown */
    const char *basis;        /**< "street estimate", "quote", ...; "" none */
    const char *source;
    bool estimate;                 /**< not a published or quoted price */
    const struct ry_price *origin; /**< of the catalog that it is; NULL: none */
};

/** No price. */
struct ry_bom_price ry_bom_no_price(void);

struct ry_bom_line {
    enum ry_bom_category category;
    const char *part;
    const char *description;
    const char *why; /**< how the quantity came about */
    double quantity; /**< that the design uses */
    double spares;
    double owned;    /**< of them, that the user has already */
    double length_m; /**< of a cable; NAN otherwise */
    struct ry_bom_price price;
    double lead_time_weeks;       /**< from the order; NAN: not given */
    const char *lead_time_source; /**< "" without */
    const char
        *within; /**< in whose price it is: "the rack's price"; NULL: it is bought */
};

/** A line of so many of a part, without texts, price or lead time. */
struct ry_bom_line ry_bom_line_of(enum ry_bom_category category, const char *part,
                                  double quantity);

/** What is ordered of a line: quantity + spares - owned, 0 at least; 0 when it is within
 * the price of something else. */
double ry_bom_ordered(const struct ry_bom_line *line);

/** Ordered x price; NAN without a price. */
double ry_bom_line_usd(const struct ry_bom_line *line);

struct ry_bom {
    struct ry_arena *arena;
    size_t n, room;
    struct ry_bom_line *at; /**< [n] */
};

/** Append a line; one with a quantity and spares of 0 is left out. */
RY_MUST_USE enum ry_err ry_bom_add(struct ry_bom *bom, const struct ry_bom_line *line,
                                   struct ry_diag *diag);

struct ry_bom_sums {
    double usd, low_usd, high_usd; /**< of the lines with a price */
    double by_category_usd[RY_BOM_CATEGORIES];
    double by_category_low_usd[RY_BOM_CATEGORIES],
        by_category_high_usd[RY_BOM_CATEGORIES];
    double network_usd, network_low_usd, network_high_usd;
    double estimate_usd; /**< share that rests on estimates */
    size_t lines, without_price;
    bool category_without_price[RY_BOM_CATEGORIES];
};

/** Sums of the lines that are ordered; those without a price are counted. */
struct ry_bom_sums ry_bom_sums(const struct ry_bom *bom);

/** The line that is longest on its way, of those ordered; NULL: no lead time is given.
 * @param not_given set to the number of lines ordered without a lead time. */
const struct ry_bom_line *ry_bom_longest_lead(const struct ry_bom *bom,
                                              size_t *not_given);

/** A price list: a user's own prices, or a vendor's quote. */
struct ry_quote_line {
    const char *part;
    double quantity; /**< NAN in a price list */
    struct ry_bom_price price;
    double lead_time_weeks; /**< NAN: not given */
    size_t row;             /**< of its file, for messages */
    const char *said; /**< its price as quoted: "250000 EUR = $293750"; NULL: dollars */
    const struct ry_currency *currency; /**< it was quoted in; NULL: dollars */
};

struct ry_quote {
    const char *source; /**< name of its file */
    size_t n;
    struct ry_quote_line *at;
};

enum ry_quote_issue {
    RY_QUOTE_MISSING, /**< in the bill, not in the quote */
    RY_QUOTE_EXTRA,   /**< in the quote, not in the bill */
    RY_QUOTE_DOUBLED, /**< more than one row of a part */
    RY_QUOTE_COUNT,   /**< another quantity */
    RY_QUOTE_TYPE,    /**< another part that reads like a missing one */
    RY_QUOTE_PRICE,   /**< no price, or outside the range known */
};

/** "missing", "extra", ... */
const char *ry_quote_issue_name(enum ry_quote_issue issue);

struct ry_quote_finding {
    enum ry_quote_issue issue;
    const char *part;
    const char *text;
    double wanted, quoted; /**< counts, or prices for RY_QUOTE_PRICE */
};

struct ry_quote_findings {
    size_t n;
    struct ry_quote_finding *at;
};

/** Compare a vendor's quote with what is ordered.  No finding: they agree. */
RY_MUST_USE enum ry_err ry_bom_reconcile(struct ry_arena *arena, const struct ry_bom *bom,
                                         const struct ry_quote *quote,
                                         struct ry_quote_findings *out,
                                         struct ry_diag *diag);

#endif
