/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The cheapest product for a link: two modules with a fibre between them, or a whole
 * cable.
 *
 * What has no price costs INFINITY, so that a product with a price wins.
 */
#ifndef RY_FACILITY_CABLE_CHOICE_H
#define RY_FACILITY_CABLE_CHOICE_H

#include "base/arena.h"
#include "catalog/parts.h"

#include <stdbool.h>
#include <stddef.h>

/** What a cage accepts: text of the catalog, such as "OSFP twin-port"; "" unknown. */
struct ry_port_cage {
    const char *connector;
    double bytes_per_s; /**< of all its lanes, one direction: 100e9 for 2 x 400G */
};

/** Links of a rate that one cage holds, 1 or more. */
size_t ry_cage_links(const struct ry_port_cage *cage, double link_bytes_per_s);

/** Price of one cable of a length: unit price and price a metre; NAN without a price. */
double ry_cable_usd(const struct ry_catalog *catalog, const struct ry_cable *product,
                    double length_m);

/** The products of a catalog that carry a protocol. */
struct ry_cable_offers {
    const struct ry_catalog *catalog;
    const char *protocol; /**< "ib" or "eth" */
    double *usd;          /**< [products of the catalog] unit price, INFINITY without */
};

/** Look up all prices once; false: out of memory. */
bool ry_cable_offers_create(struct ry_arena *arena, const struct ry_catalog *catalog,
                            const char *protocol, struct ry_cable_offers *offers);

/** A link as products see it. */
struct ry_cable_ends {
    const struct ry_port_cage *a, *b; /**< a: the end that a splitter does not split */
    double link_bytes_per_s;
};

/** All NULL: nothing fits both ends and reaches. */
struct ry_optics {
    const struct ry_cable *module_a, *module_b, *fibre;
};

/** The cheapest pair of modules with a fibre between them that reaches. */
struct ry_optics ry_optics_choose(const struct ry_cable_offers *offers,
                                  const struct ry_cable_ends *ends, double longest_m);

/** Dollars of one link by @p optics, of which none is NULL. */
double ry_optics_usd(const struct ry_cable_offers *offers, const struct ry_optics *optics,
                     const struct ry_cable_ends *ends, double length_m);

struct ry_cable_pick {
    const struct ry_cable *product; /**< NULL: none fits both ends and reaches */
    size_t links;                   /**< of one whole cable */
    double usd_per_link;
};

/** The cheapest cable for a length. */
struct ry_cable_pick ry_cable_choose(const struct ry_cable_offers *offers,
                                     const struct ry_cable_ends *ends, double length_m);

#endif
