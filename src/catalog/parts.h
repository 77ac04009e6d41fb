/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Parts and prices as the catalog has them, and look-up by name.
 *
 * A kind is a file catalog/MANY.csv; its columns are the lines of catalog/ONE.def, from
 * which struct, reading, checking and listing are made.  Numbers are in SI; NAN where
 * the file says nothing.  Texts are "" then, never NULL.  A member called shown_NAME is
 * of a column that a buyer reads and no figure uses; only its reading, check and show
 * know it.
 */
#ifndef RY_CATALOG_PARTS_H
#define RY_CATALOG_PARTS_H

#include "base/arena.h"
#include "base/problems.h"
#include "catalog/fields.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/** What every row of every kind has; first member of each part. */
struct ry_part {
    const char *name;
    double lead_time_weeks;      /**< NAN: the row does not say */
    const char *lead_time_basis; /**< from where and of when */
    double price_usd; /**< NAN: no price in the row; see price.h for the effective one */
    double price_year;
    const char *price_basis;       /**< "street estimate", "reseller list", ... */
    const char *price_date;        /**< of a quote: "2026-11-02"; else "" */
    const char *price_source;      /**< of a quote; else "" (then `source` holds) */
    const char *price_file;        /**< where the price stands, */
    unsigned price_line;           /**< and its line */
    bool quoted;                   /**< the price is the user's own quote */
    bool own;                      /**< the row is, or was changed by, the user's own */
    const char *file;              /**< where the row stands, */
    unsigned line;                 /**< and its line */
    const char *unverified_fields; /**< "price_usd;weight_kg", or "all" */
    const char *source;
    const char *verified; /**< "yes" or "no" */
    const char *notes;
};

#define T(field, column) const char *field;
#define N(field, column, kind, si, least, most) double field;
#define TS(field, column) const char *shown_##field;
#define NS(field, column, kind, si, least, most) double shown_##field;
struct ry_gpu {
    struct ry_part part;
#include "catalog/gpu.def"
};
struct ry_node {
    struct ry_part part;
#include "catalog/node.def"
};
struct ry_switch {
    struct ry_part part;
#include "catalog/switch.def"
};
struct ry_nic {
    struct ry_part part;
#include "catalog/nic.def"
};
struct ry_cable {
    struct ry_part part;
#include "catalog/cable.def"
};
struct ry_rack {
    struct ry_part part;
#include "catalog/rack.def"
};
struct ry_pdu {
    struct ry_part part;
#include "catalog/pdu.def"
};
struct ry_cooling {
    struct ry_part part;
#include "catalog/cooling.def"
};
struct ry_plant {
    struct ry_part part;
#include "catalog/plant.def"
};
struct ry_electricity {
    struct ry_part part;
#include "catalog/electricity.def"
};
struct ry_rate {
    struct ry_part part;
#include "catalog/rate.def"
};
struct ry_currency {
    struct ry_part part;
#include "catalog/currency.def"
};
struct ry_price_rule {
    struct ry_part part;
#include "catalog/price_rule.def"
};
#undef T
#undef N
#undef TS
#undef NS

enum ry_kind {
#define KIND(one, many, ENUM) RY_KIND_##ENUM,
#define PRICED(one, many, ENUM) RY_KIND_##ENUM,
#include "catalog/kinds.def"
#undef KIND
#undef PRICED
    RY_KIND_COUNT
};

struct ry_kind_info {
    const char *one;  /**< "gpu" */
    const char *many; /**< "gpus": the file is MANY.csv */
    size_t part_bytes;
    bool priced;
    const struct ry_field *fields; /**< [n], `name` first */
    size_t n;
};

/** The description of a kind. */
const struct ry_kind_info *ry_kind_info(enum ry_kind kind);

/** The kind called @p name ("gpu" or "gpus"); RY_KIND_COUNT when there is none. */
enum ry_kind ry_kind_find(const char *name);

/** The text at a text field of a part. */
const char *ry_field_text(const struct ry_field *field, const void *part);

/** The number at a number field of a part, in SI. */
double ry_field_number(const struct ry_field *field, const void *part);

/** All parts of one kind. */
struct ry_parts {
    void *rows; /**< [n] structs of the kind */
    size_t n;
    size_t room;
};

struct ry_catalog {
    struct ry_parts parts[RY_KIND_COUNT];
    const struct ry_currency *shown; /**< in which money is printed; NULL: USD */
};

/** The i-th part of a kind; NULL past the end. */
const struct ry_part *ry_catalog_at(const struct ry_catalog *catalog, enum ry_kind kind,
                                    size_t i);

/** A part by name, ASCII case apart; NULL when there is none. */
const struct ry_part *ry_catalog_find(const struct ry_catalog *catalog, enum ry_kind kind,
                                      const char *name);

/** The nearest known name, for a message; NULL when none is near. */
const char *ry_catalog_nearest(const struct ry_catalog *catalog, enum ry_kind kind,
                               const char *name);

/** Room for one more part, all fields empty; NULL when out of memory. */
struct ry_part *ry_catalog_add(struct ry_catalog *catalog, struct ry_arena *arena,
                               enum ry_kind kind);

/* ry_find_gpu(catalog, name), ry_find_node(...), ...: the same, typed. */
#define KIND(one, many, ENUM)                                                            \
    static inline const struct ry_##one *ry_find_##one(const struct ry_catalog *catalog, \
                                                       const char *name)                 \
    {                                                                                    \
        return (const struct ry_##one *)(const void *)ry_catalog_find(                   \
            catalog, RY_KIND_##ENUM, name);                                              \
    }
#define PRICED(one, many, ENUM) KIND(one, many, ENUM)
#include "catalog/kinds.def"
#undef KIND
#undef PRICED

/**
 * What one row alone cannot tell: references to unknown parts, links that do not sum up,
 * a typical power above the maximum, a price without year or source.
 * @param catalog  what was read.
 * @param kind     which kind.
 * @param problems gets one line each, with file and line.
 */
void ry_catalog_check(const struct ry_catalog *catalog, enum ry_kind kind,
                      struct ry_problems *problems);

#endif
