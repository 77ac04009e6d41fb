/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The bill of a planned site: every part of the facility plan with its price.
 *
 * In a room of one's own the plant of plant.h is in it; in a colocation a note says what
 * that provides.  Not in it, and said in the notes: storage and servers that the design
 * does not name.
 */
#ifndef RY_COST_BILL_H
#define RY_COST_BILL_H

#include "catalog/parts.h"
#include "cost/bom.h"

struct ry_design;
struct ry_facility;

/** Those of the facility plan, of each kind of plant, and of what is in no line. */
enum { RY_BILL_NOTES_MOST = 96 };

struct ry_site_bill {
    struct ry_bom bom;
    size_t notes_n;
    const char *notes[RY_BILL_NOTES_MOST];
};

/**
 * Make the bill.
 * @param arena    owns it.
 * @param catalog  where prices are looked up, the user's quotes included.
 * @param facility a plan; its design says what is owned.
 * @param bill     set on RY_OK.
 */
RY_MUST_USE enum ry_err ry_site_bill(struct ry_arena *arena,
                                     const struct ry_catalog *catalog,
                                     const struct ry_facility *facility,
                                     struct ry_site_bill *bill, struct ry_diag *diag);

#endif
