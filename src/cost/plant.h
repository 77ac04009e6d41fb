/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What feeds, backs up and cools the room of a planned site: how much of what, whoever
 * brings it.  Sized by the power and cooling plans; the parts are rows of the catalog.
 *
 * UPS, generators, room air units and chillers as the plans count them (N+1).
 * Switchboards: apparent power of the facility / one board, on as many sides as feeds
 * (one for N, else two).  Transformers: the same, one more than needed unless N. Busways:
 * over each row on each side, of its racks' nameplate.  Tap-off boxes: one a circuit,
 * with its breaker.
 */
#ifndef RY_COST_PLANT_H
#define RY_COST_PLANT_H

#include "catalog/parts.h"

struct ry_facility;

enum { RY_PLANT_LINES_MOST = 12 };

struct ry_plant_line {
    enum ry_kind kind;          /**< of the part: plant, PDU (busways), cooling */
    const struct ry_part *part; /**< NULL: the catalog has none of this size */
    const char *size;           /**< what is wanted: "UPS module, 500 kVA" */
    const char *why;
    double quantity; /**< NAN: the plan lacks a figure for it */
};

struct ry_plant_list {
    size_t n;
    struct ry_plant_line at[RY_PLANT_LINES_MOST]; /**< [n] */
};

/**
 * List it.
 * @param arena owns the texts.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_plant_list(struct ry_arena *arena,
                                      const struct ry_catalog *catalog,
                                      const struct ry_facility *facility,
                                      struct ry_plant_list *list);

/** The same in one sentence: "2 UPS modules, ...", for who gets it from somebody else. */
const char *ry_plant_text(struct ry_arena *arena, const struct ry_plant_list *list);

#endif
