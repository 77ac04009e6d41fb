/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The tables of `railyard cost`: capital, what is paid when, its figures, and a training
 * run.
 *
 * Money is shown in the currency given; NULL: dollars.  A table that has no memory is
 * NULL or says so when it is printed.
 */
#ifndef RY_CLI_COST_TABLES_H
#define RY_CLI_COST_TABLES_H

#include "cost/bill.h"
#include "cost/owning.h"
#include "report/table.h"

/** What is trained, how fast, and what IT draws meanwhile. */
struct ry_cost_training {
    const char *name; /**< NULL: nothing is trained */
    double tokens, tokens_per_s;
    double it_w; /**< NAN: not simulated */
    double goodput_frac;
    const char *strategy; /**< "": as given */
};

/** A row a category of parts, with its share of the capital; none that costs nothing. */
struct ry_table *ry_cost_capital(struct ry_arena *arena,
                                 const struct ry_currency *currency,
                                 const struct ry_bom_sums *sums);

/** A row a line of the cost of ownership: when it is paid, its range and present
 * value. */
struct ry_table *ry_cost_lines(struct ry_arena *arena, const struct ry_currency *currency,
                               const struct ry_tco *tco);

/** Totals, energy, water and carbon a year, and what renting would cost. */
struct ry_table *ry_cost_figures(struct ry_arena *arena,
                                 const struct ry_currency *currency,
                                 const struct ry_tco_input *in, const struct ry_tco *tco);

/** What one training run costs; no rows where nothing is trained. */
struct ry_table *ry_cost_training_table(struct ry_arena *arena,
                                        const struct ry_currency *currency,
                                        const struct ry_cost_training *training,
                                        const struct ry_tco_input *in,
                                        const struct ry_tco *tco);

#endif
