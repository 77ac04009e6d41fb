/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What joins two ports: the cheapest cable, or modules and fibre, of the catalog that
 * fits both cages and reaches far enough.
 */
#ifndef RY_PLAN_OPTICS_H
#define RY_PLAN_OPTICS_H

#include "catalog/parts.h"
#include "catalog/price.h"

/** A cage: what plugs into it, and how many links one module carries. */
struct ry_cage {
    const char *connector; /**< as the catalog says: "OSFP twin-port"; "" unknown */
    double bytes_per_s;    /**< of the whole cage, one direction */
};

struct ry_link_need {
    struct ry_cage a, b;
    double link_bytes_per_s;
    double length_m;
    bool ethernet; /**< false: InfiniBand */
};

/** One part a link takes, and how many of it. */
struct ry_link_item {
    const struct ry_cable *cable; /**< NULL: the catalog has none that fits */
    const char *what;             /**< "cable", "module at the switch", "fibre", ... */
    double per_link;              /**< 0.5: one module carries two links */
};

enum { RY_LINK_ITEMS_MOST = 3 };

struct ry_link_parts {
    size_t n;
    struct ry_link_item item[RY_LINK_ITEMS_MOST]; /**< [n]; n == 1 with a NULL cable:
                                                       nothing fits */
    double watts;                                 /**< of a link, both ends */
};

/** Choose: priced before unpriced, then the cheaper, then the first of the catalog. */
struct ry_link_parts ry_link_choose(const struct ry_catalog *catalog,
                                    const struct ry_link_need *need);

/** Price of @p cable at @p length_m. */
struct ry_price ry_cable_price(const struct ry_catalog *catalog,
                               const struct ry_cable *cable, double length_m);

#endif
