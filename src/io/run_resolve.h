/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From a run's stated configuration to a predicted step: what it does not say is filled
 * by its framework's preset, and where several values are possible by the best that fits.
 */
#ifndef RY_IO_RUN_RESOLVE_H
#define RY_IO_RUN_RESOLVE_H

#include "io/published.h"
#include "io/traits_file.h"
#include "sim/step.h"

/** A predicted run. */
struct ry_resolved {
    const struct ry_preset *preset;
    struct ry_traits traits;
    struct ry_strategy strategy;
    struct ry_machine machine;
    struct ry_step step;
    unsigned guesses; /**< how many choices the row left to us */
    const char *skip; /**< why there is no prediction, or NULL */
};

/** How to predict. */
struct ry_resolve_how {
    const struct ry_presets *presets; /**< where the framework is looked up */
    bool untuned;                     /**< without what was tuned on step times */
    /** Change a preset's traits before they are used, or NULL. */
    void (*change)(const void *context, struct ry_traits *traits);
    const void *context;
};

/**
 * Predict a run.  Reads nothing that was measured.
 * @param arena owns texts of the result.
 */
void ry_run_resolve(struct ry_arena *arena, const struct ry_resolve_how *how,
                    const struct ry_job *run, const struct ry_machine *machine,
                    struct ry_resolved *out);

#endif
