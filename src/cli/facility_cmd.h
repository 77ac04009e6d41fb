/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What racks, power, cooling, bom and cost share: options, and a design planned out.
 *
 *     struct my_options { struct ry_facility_cmd facility; int format; };
 *     static const struct my_options defaults = {
 *     #include "cli/facility_defaults.def"
 *     };
 *     #define OPTIONS struct my_options
 *     static const struct ry_opt opts[] = {
 *     #include "cli/facility_opts.def"
 *         RY_OPT_FORMAT(struct my_options), {.kind = RY_OPT_END}};
 */
#ifndef RY_CLI_FACILITY_CMD_H
#define RY_CLI_FACILITY_CMD_H

#include "cli/catalog_opts.h"
#include "cli/cmd.h"
#include "design/design.h"
#include "plan/layout.h"
#include "report/table.h"

#include <math.h>

struct ry_facility_cmd {
    struct ry_catalog_sources catalog;
    struct ry_facility_options plan;
    size_t member;    /**< of a family of designs, from 1 */
    int scheme, rule; /**< enum ry_power_scheme, enum ry_circuit_rule */
};

extern const char *const ry_scheme_choices[];
extern const char *const ry_rule_choices[];

/** A design with everything around it; owned by its arena. */
struct ry_planned {
    struct ry_arena *arena;
    struct ry_catalog catalog;
    struct ry_design design;
    struct ry_layout layout;
};

/** What a command does with it. */
struct ry_planned_work {
    enum ry_err (*run)(struct ry_planned *planned, const void *options,
                       struct ry_diag *diag);
    const void *options;
};

/**
 * Read the catalog and a design file, build its fabric, plan the site, and run @p work.
 * @param options of the command.
 * @param path    a file with a design, or with a design and a workload.
 * @param work    gets the plan, which @p arena owns.
 */
RY_MUST_USE enum ry_err ry_planned_run(struct ry_arena *arena,
                                       const struct ry_facility_cmd *options,
                                       const char *path,
                                       const struct ry_planned_work *work,
                                       struct ry_diag *diag);

/**
 * Add what the site answers no to (ry_layout_faults()) to a table of findings.
 * @return RY_OK; RY_ERR_NO when there is such a thing; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_planned_faults(struct ry_planned *planned,
                                          struct ry_table *table);

/** A text that names the load and why, kept by the arena; "" when out of memory. */
const char *ry_kept(struct ry_arena *arena, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
