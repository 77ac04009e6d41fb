/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The inputs of tco.h from a design, its bill and the catalog of rates: every rate with
 * its range and the row it is from.
 */
#ifndef RY_COST_OWNING_H
#define RY_COST_OWNING_H

#include "catalog/parts.h"
#include "cost/bom.h"
#include "cost/tco.h"

struct ry_design;

/** What neither the design nor the bill says. */
struct ry_owning {
    const struct ry_design *design;
    const struct ry_catalog *catalog;
    const struct ry_bom_sums *bill; /**< installation included */
    double max_w;                   /**< IT at nameplate: what a colocation bills */
    double energy_w;                /**< IT, mean at work */
    double facility_max_w;          /**< with PUE: what a building is sized for */
    double tax_frac;
    double rent_usd_per_gpu_hour; /**< NAN: from the catalog */
};

enum { RY_OWNING_NOTES_MOST = 12 };

struct ry_owning_input {
    struct ry_tco_input tco;
    size_t notes_n;
    const char *notes[RY_OWNING_NOTES_MOST]; /**< what is not counted, and why */
};

/** A row of the catalog of rates times @p scale; NAN with "no such rate" without it. */
struct ry_rated ry_rate_of(struct ry_arena *arena, const struct ry_catalog *catalog,
                           const char *name, double scale);

/**
 * Fill the inputs.
 * @param arena owns the texts.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_owning_input(struct ry_arena *arena,
                                        const struct ry_owning *in,
                                        struct ry_owning_input *out,
                                        struct ry_diag *diag);

#endif
