/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * One input of a design moved: where it stops being better than a rival, or where it is
 * at its best.
 *
 * Every value is planned anew: fabric, layout, bill, the best strategy.  The range is
 * looked at in RY_BREAKEVEN_STEPS equal steps (of the logarithm where it spans more than
 * a factor of four), and each step in which the lead changes sign is halved down to a
 * thousandth of a per cent; two changes within one step are not seen.  Where the lead
 * jumps (a switch more) both sides are given.
 */
#ifndef RY_SEARCH_BREAKEVEN_H
#define RY_SEARCH_BREAKEVEN_H

#include "base/units.h"
#include "search/rank.h"

enum ry_lever {
#define X(code, name, dim, text) code,
#include "search/levers.def"
#undef X
    RY_LEVERS
};

/** Names of the levers, for an option; ends with NULL. */
extern const char *const ry_lever_choices[];

enum ry_dim ry_lever_dim(enum ry_lever lever);
/** What a design has now; NAN: nothing to move (no NIC is named, ...). */
double ry_lever_value(const struct ry_catalog *catalog, const struct ry_design *design,
                      enum ry_lever lever);

enum { RY_BREAKEVEN_STEPS = 24, RY_BREAKEVENS_MOST = 8 };

struct ry_breakeven_ask {
    const struct ry_catalog *catalog;
    const struct ry_design *design;
    const struct ry_workload *workload;
    struct ry_models models;
    enum ry_objective objective;
    enum ry_lever lever;
    double from, to; /**< of the lever, from < to */
    double rival; /**< the objective's figure that is compared; NAN: look for the best */
};

/** The design at one value of the lever. */
struct ry_breakeven_point {
    double at;
    bool feasible;
    double figure; /**< of the objective */
    struct ry_strategy strategy;
    char why[RY_WHY_BYTES]; /**< not feasible: the reason */
};

/** Between two values next to each other the lead changes. */
struct ry_breakeven_change {
    struct ry_breakeven_point below, above;
    bool better_below;
};

struct ry_breakeven {
    size_t changes_n;
    struct ry_breakeven_change change[RY_BREAKEVENS_MOST]; /**< [changes_n] ascending */
    struct ry_breakeven_point first, last, best;           /**< best: of all looked at */
    size_t looked_at;
};

/**
 * Look.
 * @return RY_OK, also when nothing changes; RY_ERR_USAGE where the lever does not move
 *         anything of the design, RY_ERR_RANGE for values that cannot be; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_breakeven_find(const struct ry_breakeven_ask *ask,
                                          struct ry_breakeven *out, struct ry_diag *diag);

#endif
