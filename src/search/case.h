/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Cases that share a machine: their strategies are laid out and costed once.
 *
 * Designs that differ in price, finance, cooling or room train on the same machine, so
 * one search serves them; each still gets the best strategy by its own figures.
 */
#ifndef RY_SEARCH_CASE_H
#define RY_SEARCH_CASE_H

#include "search/rank.h"

/** Zero it before the first of the cases that share. */
struct ry_case_share {
    struct ry_space space;
    struct ry_search_problem problem;
    struct ry_picker *picker;
    bool has_fastest;
    struct ry_best fastest;
};

/** The same; the reason goes into the case.  False: there is no site. */
bool ry_case_site_or_why(struct ry_arena *arena, const struct ry_catalog *catalog,
                         struct ry_case *out);

/** The same for cases that are alike, of those with a site. */
uint64_t ry_case_key(const struct ry_case *c);

/** Whether two cases with a site train the same on the same machine. */
bool ry_case_alike(const struct ry_case *a, const struct ry_case *b);

/**
 * Choose the strategy of a case with a site, and finish its result.
 * @param arena of the share: holds costs; outlives @p share.
 * @param share of cases that are alike; the first of them must keep its place meanwhile.
 */
void ry_case_choose(struct ry_arena *arena, struct ry_case_share *share,
                    const struct ry_constraints *constraints, struct ry_case *out);

/** What ry_case_choose() found: to keep, and to recall. */
struct ry_case_found {
    bool chosen;         /**< by the objective */
    struct ry_best best; /**< of strategy and step only `at` is kept */
};

/** The same as ry_case_choose(), from what it found before; `err`: it cannot be so. */
void ry_case_recall(struct ry_arena *arena, struct ry_case_share *share,
                    const struct ry_constraints *constraints,
                    const struct ry_case_found *known, struct ry_case *out);

/**
 * Time every strategy of a case that was chosen, and hold the choice against it.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_case_prove(struct ry_arena *arena,
                                      const struct ry_constraints *constraints,
                                      const struct ry_case *c, struct ry_proof *proof,
                                      struct ry_diag *diag);

#endif
