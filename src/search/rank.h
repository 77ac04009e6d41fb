/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A design and a workload, evaluated with its best strategy, and their order.
 *
 * The strategy is the best by the case's objective where a strategy decides that figure
 * (ry_objective_chooses()), within the deadline; otherwise it is the fastest that fits.
 */
#ifndef RY_SEARCH_RANK_H
#define RY_SEARCH_RANK_H

#include "plan/plan.h"
#include "search/best.h"

#include <math.h>

enum ry_objective {
#define X(code, ...) code,
#include "search/objectives.def"
#undef X
    RY_OBJECTIVES
};

/** Names of the objectives, for an option; ends with NULL. */
extern const char *const ry_objective_choices[];

/** What a design must not pass.  INFINITY: no limit. */
struct ry_constraints {
    double capex_usd;  /**< upper end of what is priced */
    double facility_w; /**< nameplate x PUE */
    double days;       /**< to train all tokens */
    double racks;
};

/** No limit at all. */
struct ry_constraints ry_no_constraints(void);

struct ry_case {
    const struct ry_design *design;
    const struct ry_workload *workload;
    struct ry_models models;     /**< compute NULL: `why` says so */
    enum ry_objective objective; /**< the strategy is chosen by; 0: the step time */
    bool feasible;
    bool unseen;            /**< interrupted before it was looked at */
    char why[RY_WHY_BYTES]; /**< not feasible: the reason, with its numbers */
    enum ry_err err;        /**< RY_OK, or what stopped the evaluation itself */
    const struct ry_premises
        *premises;        /**< of the design, shared; NULL or not made: made anew */
    struct ry_site *site; /**< storage of the caller */
    uint64_t strategies;  /**< in bounds */
    struct ry_best best;
    bool chosen;             /**< by the objective; else it is the fastest */
    struct ry_result result; /**< feasible or not by a constraint: set when a step fits */
    bool has_result;
    double score; /**< of search/weigh.h, the less the better; NAN: none */
};

/**
 * Make the site of a case and lay out its strategies.
 * @param arena owns the space, and the premises where the case has none.
 * @param out   design, workload, models and site (storage) are set by the caller.
 * @return RY_OK; RY_ERR_NOTFOUND or RY_ERR_INFEASIBLE with the reason.
 */
RY_MUST_USE enum ry_err ry_case_prepare(struct ry_arena *arena,
                                        const struct ry_catalog *catalog,
                                        struct ry_case *out, struct ry_space *space,
                                        struct ry_diag *diag);

/**
 * Evaluate one case: design, workload, models and site are set by the caller.
 * @param scratch holds costs meanwhile, and the premises where the case has none: the
 *                site is then good as long as it; reset by the caller.
 * @param out     everything else is set.
 */
void ry_case_evaluate(struct ry_arena *scratch, const struct ry_catalog *catalog,
                      const struct ry_constraints *constraints, struct ry_case *out);

/**
 * Order cases of one workload: feasible first, then by the objective, then by the
 * design's name and choice.  Where the objective is money, what has a part without a
 * price comes after all that are priced: its figure is only a lower bound.  RY_OBJECTIVES
 * is by the score.  @p spare has room for @p n too.
 */
void ry_cases_sort(struct ry_case *cases[], struct ry_case *spare[], size_t n,
                   enum ry_objective objective);

/** Whether the strategy is chosen by the objective; else it is the fastest. */
bool ry_objective_chooses(enum ry_objective objective);

/** Whether GPUs that do nothing would be the best by it, so that the fastest is taken. */
bool ry_objective_idles(enum ry_objective objective);

/** Whether several workloads on one cluster have one figure of it. */
bool ry_objective_mixes(enum ry_objective objective);

/** The objective's figure of a result. */
double ry_objective_of(enum ry_objective objective, const struct ry_result *r);

/** Whether less of it is better. */
bool ry_objective_smaller(enum ry_objective objective);

/** Whether a part without a price makes it a lower bound. */
bool ry_objective_is_money(enum ry_objective objective);

#endif
