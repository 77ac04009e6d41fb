/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The one function of a plan: design + workload + strategy -> result.
 *
 * What depends on the design alone is its premises (plan/premises.h), made once; with the
 * models of its parts they are a site;
 * a result adds a strategy's step to it.  Nothing here reads or writes anything else.
 *
 * Formulas (doc/ranking.md):
 *   GPU power      from the parts of the step by the compute model (kernel: ry_clock)
 *   node power     GPUs at that power + the rest of the node at nameplate (or at its
 *                  typical figure where the catalog has one)
 *   TCO            cost/tco.h, over finance.years
 *   goodput        facility/reliability.h: mtbf / (mtbf + loss)
 *   $/T tokens     level yearly payment of the TCO over useful GPU-hours, for 1e12 tokens
 *   days           tokens / (tokens a second x goodput) / 86,400
 */
#ifndef RY_PLAN_PLAN_H
#define RY_PLAN_PLAN_H

#include "plan/machine.h"
#include "plan/premises.h"
#include "plan/workload.h"
#include "sim/step.h"

/** A design and its models, with everything that no strategy changes. */
struct ry_site {
    const struct ry_design *design;
    const struct ry_catalog *catalog;
    struct ry_models models;
    const struct ry_premises *premises;
    struct ry_network network;
    struct ry_bill bill;
    struct ry_tco_input tco; /**< without energy_w */
    struct ry_built_machine built;
    double node_rest_w; /**< of a node, without its GPUs; NAN: unknown */
};

/**
 * Make a site of premises in place: it points into itself and to them, so neither must
 * be moved.
 * @return RY_OK; RY_ERR_NOTFOUND: no model covers the parts; the error of the premises.
 */
RY_MUST_USE enum ry_err ry_site_of(const struct ry_premises *premises,
                                   const struct ry_models *models, struct ry_site *site,
                                   struct ry_diag *diag);

/** Premises in @p arena, then the site: errors of both. */
RY_MUST_USE enum ry_err ry_site_make(struct ry_arena *arena,
                                     const struct ry_catalog *catalog,
                                     const struct ry_design *design,
                                     const struct ry_models *models, struct ry_site *site,
                                     struct ry_diag *diag);

struct ry_result {
    struct ry_strategy strategy;
    struct ry_step step;
    double gpus; /**< of the cluster, idle ones too */
    double gpus_used;
    double tokens_per_s;
    double mfu_frac;         /**< model FLOP / (all GPUs x peak of the precision) */
    double headroom_bytes;   /**< of one GPU; negative: does not fit */
    double gpu_w;            /**< mean of one GPU at work */
    double it_w, max_w;      /**< mean while training, and at nameplate */
    double facility_w;       /**< it_w x PUE */
    double joules_per_token; /**< of the facility */
    struct ry_money capex;   /**< all of the bill */
    struct ry_money tco;     /**< over the years */
    struct ry_tco tco_lines;
    double usd_per_gpu_hour;
    double usd_per_trillion_tokens;
    double goodput_frac; /**< of wall time that makes progress */
    double days;         /**< to train workload.tokens, interruptions included */
    double usd_to_train;
    double racks;
};

/** Predict one strategy's result.  RY_ERR_INFEASIBLE where the model cannot be cut. */
RY_MUST_USE enum ry_err ry_plan(const struct ry_site *site,
                                const struct ry_workload *workload,
                                const struct ry_strategy *strategy,
                                struct ry_result *result, struct ry_diag *diag);

/** The rest of a result whose step is known already. */
void ry_plan_finish(const struct ry_site *site, const struct ry_workload *workload,
                    struct ry_result *result);

/**
 * The least that training can cost, draw and take with steps of @p step_time_s or longer
 * on @p gpus_used GPUs: the GPUs draw no more than idle.
 */
void ry_plan_floor(const struct ry_site *site, const struct ry_workload *workload,
                   double gpus_used, double step_time_s, struct ry_result *result);

/** Peak FLOP/s of one GPU at a training precision, from the data sheet. */
double ry_peak_flop_per_s(const struct ry_compute_model *model,
                          enum ry_train_precision precision);

#endif
