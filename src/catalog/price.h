/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a part costs, how sure that is, and where it is from.
 *
 * In this order: the user's quote; the price of the catalog row (listed, or an estimate
 * when its basis says so); a rule of catalog/price_rules.csv:
 *
 *   rule         match                        value
 *   basis        text in price_basis          `of` is "listed" or "estimate"; the factors
 *                                             give the range; first match; "" matches all
 *   never        a node's `kind`              it is not sold: no price
 *   sibling      name of a part               price of the part `of` times value
 *   base_system  a node's `fabric`, with      USD of everything of the node but the GPUs,
 *                match_gen and match_gpus      scale-out NICs included; a node without a
 *                where given                  price is GPUs + base system
 *   per_tbit_s   a switch's `technology`      USD a Tb/s of switching
 *
 * What has no price at all is NAN and RY_PRICE_NONE, never zero.
 */
#ifndef RY_CATALOG_PRICE_H
#define RY_CATALOG_PRICE_H

#include "catalog/parts.h"

enum ry_price_kind {
    RY_PRICE_NONE,     /**< no price: every amount is NAN */
    RY_PRICE_QUOTE,    /**< the user's own */
    RY_PRICE_LISTED,   /**< published for this part */
    RY_PRICE_ESTIMATE, /**< a range: street or press estimate, or made by a rule */
};

struct ry_price {
    enum ry_price_kind kind;
    double usd;
    double low_usd, high_usd;  /**< low <= usd <= high */
    const struct ry_part *row; /**< the row that has the price; NULL: made by a rule */
    const struct ry_price_rule
        *rule; /**< that gave the range or made the price, or NULL */
    const struct ry_part
        *from;         /**< the part a rule started from (GPU, sibling), or NULL */
    double from_usd;   /**< price of that part */
    double from_count; /**< how many of it */
};

/** The price of a part of @p catalog. */
struct ry_price ry_price_of(const struct ry_catalog *catalog, enum ry_kind kind,
                            const struct ry_part *part);

/** Price of a part by name; RY_PRICE_NONE when there is no such part. */
struct ry_price ry_price_find(const struct ry_catalog *catalog, enum ry_kind kind,
                              const char *name);

/** "quote", "listed", "estimate" or "no price". */
const char *ry_price_kind_text(enum ry_price_kind kind);

enum { RY_PRICE_ORIGIN_BYTES = 240 };

/**
 * Where a price came from, on one line: "street estimate, 2024, catalog/gpus.csv:12", or
 * "8 x H100-SXM5-80GB at $30000 + base system $70000 (price_rules.csv:9)".
 */
const char *ry_price_origin(const struct ry_price *price,
                            char text[RY_PRICE_ORIGIN_BYTES]);

#endif
