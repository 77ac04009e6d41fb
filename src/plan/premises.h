/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a design costs, draws and fills, whatever is trained on it: made once a design.
 *
 * Bill, racks, nameplate power and the inputs of the TCO are those of `railyard bom`,
 * `racks`, `power` and `cost` at their default options (plan/layout.h, cost/bill.h,
 * cost/owning.h).  A design over ry_layout_limit() still trains, but its bill, racks and
 * power are unknown (NAN), and it is refused wherever they count.
 */
#ifndef RY_PLAN_PREMISES_H
#define RY_PLAN_PREMISES_H

#include "cost/tco.h"
#include "plan/bill.h"
#include "plan/contention.h"
#include "plan/layout.h"

#include <stdint.h>

struct ry_premises {
    const struct ry_design *design;
    const struct ry_catalog *catalog;
    bool made;       /**< else only room for it */
    enum ry_err err; /**< what ry_premises_make() returned, and its reason */
    struct ry_diag why;
    bool laid_out;       /**< false: over the limit, `refusal` says so */
    bool shared;         /**< bill and refusal are those of another */
    const char *refusal; /**< why racks, power or cooling say no, or it has none; NULL */
    struct ry_network network;
    struct ry_contention contention; /**< what collectives get above the leaves */
    struct ry_bill bill;
    struct ry_bom_sums sums;             /**< of the bill */
    struct ry_tco_input tco;             /**< without energy_w: the step says it */
    double racks;                        /**< NAN: not laid out; as all below */
    double other_max_w, other_typical_w; /**< of all but the nodes, modules included */
    double max_w;                        /**< IT at nameplate; NAN: unknown */
    double facility_max_w;               /**< with PUE */
};

/**
 * Make it.
 * @param arena    owns what @p premises points to, and holds the layout.
 * @return RY_OK; RY_ERR_INFEASIBLE: the fabric cannot be built, a limit of the room, a
 *         rack or the site's power is passed; other errors of ry_layout_make().
 */
RY_MUST_USE enum ry_err ry_premises_make(struct ry_arena *arena,
                                         const struct ry_catalog *catalog,
                                         const struct ry_design *design,
                                         struct ry_premises *premises,
                                         struct ry_diag *diag);

/** Whether two designs differ at most in what they cost to own: one layout serves
 * both. */
bool ry_premises_alike(const struct ry_design *a, const struct ry_design *b);

/** The same for designs that are alike. */
uint64_t ry_premises_key(const struct ry_design *design);

/**
 * Make it from that of a design that is alike: only the inputs of the TCO are anew.
 * @param from  made, and outliving @p premises, which points to its bill.
 * @return as ry_premises_make().
 */
RY_MUST_USE enum ry_err ry_premises_share(struct ry_arena *arena,
                                          const struct ry_premises *from,
                                          const struct ry_design *design,
                                          struct ry_premises *premises,
                                          struct ry_diag *diag);

/**
 * Move all that @p premises points to into @p arena; a bill that is shared stays where it
 * is.  RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_premises_keep(struct ry_arena *arena,
                                         struct ry_premises *premises);

#endif
