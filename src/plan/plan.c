/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

#include "base/normal.h"
#include "catalog/parts.h"
#include "facility/reliability.h"

#include <math.h>
#include <string.h>

/* Of a node, without its GPUs. */
static double node_rest_w(const struct ry_design *design)
{
    const struct ry_node *node = design->node;
    const double gpus_w = (double)design->gpus_per_node * design->gpu->power_max_w;
    const double basis = isfinite(node->power_typ_w) && node->power_typ_w > gpus_w
                             ? node->power_typ_w
                             : node->power_max_w;

    return basis - gpus_w;
}

enum ry_err ry_site_of(const struct ry_premises *premises, const struct ry_models *models,
                       struct ry_site *site, struct ry_diag *diag)
{
    if (premises->err != RY_OK)
        return ry_fail(diag, premises->err, premises->why.where, "%s",
                       premises->why.text);
    *site = (struct ry_site){
        .design = premises->design,
        .catalog = premises->catalog,
        .models = *models,
        .premises = premises,
        .network = premises->network,
        .bill = premises->bill,
        .tco = premises->tco,
        .node_rest_w = node_rest_w(premises->design),
    };
    return ry_machine_build(premises->design, &premises->contention, models, &site->built,
                            diag);
}

/* Laid out in memory of its own, which is given back at once. */
static enum ry_err make_kept(struct ry_arena *arena, const struct ry_catalog *catalog,
                             const struct ry_design *design, struct ry_premises *premises,
                             struct ry_diag *diag)
{
    struct ry_arena *scratch = ry_arena_create(0);
    enum ry_err err = RY_ERR_NOMEM;

    if (scratch)
        err = ry_premises_make(scratch, catalog, design, premises, diag);
    if (err == RY_OK)
        err = ry_premises_keep(arena, premises);
    ry_arena_destroy(scratch);
    return err;
}

enum ry_err ry_site_make(struct ry_arena *arena, const struct ry_catalog *catalog,
                         const struct ry_design *design, const struct ry_models *models,
                         struct ry_site *site, struct ry_diag *diag)
{
    struct ry_premises *premises = RY_NEW(arena, struct ry_premises, 1);
    const enum ry_err err =
        premises ? make_kept(arena, catalog, design, premises, diag) : RY_ERR_NOMEM;

    if (err == RY_ERR_NOMEM)
        return ry_fail(diag, err, design->name, "its site");
    RY_TRY(err);
    return ry_site_of(premises, models, site, diag);
}

double ry_peak_flop_per_s(const struct ry_compute_model *model,
                          enum ry_train_precision precision)
{
    static const enum ry_precision of[] = {
        [RY_TRAIN_BF16] = RY_BF16,   [RY_TRAIN_FP16] = RY_FP16,
        [RY_TRAIN_FP8] = RY_FP8,     [RY_TRAIN_MXFP8] = RY_MXFP8,
        [RY_TRAIN_NVFP4] = RY_NVFP4, [RY_TRAIN_FP32] = RY_FP32,
    };

    return model->peak_flop_per_s[of[precision]];
}

/* Mean watts of one GPU over the step: its parts by kind of work. */
static double gpu_power_w(const struct ry_site *site, const struct ry_step *step)
{
    const double *part = step->part_s;
    const double comm = part[RY_PART_TP] + part[RY_PART_CP] + part[RY_PART_EP] +
                        part[RY_PART_PP] + part[RY_PART_DP];
    const double tensor = step->duty_frac * step->step_time_s;
    const double memory = part[RY_PART_MEMORY] + part[RY_PART_OPTIMIZER];
    const double idle = part[RY_PART_BUBBLE] + part[RY_PART_HOST] + part[RY_PART_FIXED] +
                        part[RY_PART_JITTER] + part[RY_PART_OFFLOAD];
    const struct ry_load load = {
        .tensor_s =
            tensor > part[RY_PART_ATTENTION] ? tensor - part[RY_PART_ATTENTION] : tensor,
        .attention_s = tensor > part[RY_PART_ATTENTION] ? part[RY_PART_ATTENTION] : 0.0,
        .memory_s = memory,
        .comm_s = comm,
        .idle_s = idle,
    };
    const struct ry_clock clock =
        ry_clock(site->models.compute, &load, site->built.machine.power_cap_w);
    const double cap = site->design->gpu_power_cap_w;

    return clock.power_w < cap ? clock.power_w : cap;
}

/* No mix of work draws less. */
static double least_gpu_w(const struct ry_site *site)
{
    const struct ry_compute_model *m = site->models.compute;

    return fmin(fmin(m->idle_w, site->design->gpu_power_cap_w),
                fmin(m->memory_w, m->comm_w));
}

/* After gpu_w is set. */
static void add_energy(const struct ry_site *site, struct ry_result *r)
{
    const struct ry_design *design = site->design;
    const double nodes = (double)design->nodes;
    const double idle_gpus = nodes * (double)design->gpus_per_node - r->gpus_used;

    r->it_w = r->gpus_used * r->gpu_w + idle_gpus * site->models.compute->idle_w +
              nodes * site->node_rest_w + site->premises->other_typical_w;
    r->max_w = site->premises->max_w;
    r->facility_w = r->it_w * design->facility.pue;
    r->joules_per_token = r->facility_w / r->tokens_per_s;
}

/* Another value, its range with it. */
static void vary(struct ry_rated *rated, double value)
{
    const double by = value / rated->value;

    if (value == rated->value)
        return;
    rated->low *= by;
    rated->high *= by;
    rated->value = value;
}

static void vary_money(struct ry_rated *rated, const struct ry_money *money)
{
    rated->value = money->usd;
    rated->low = money->low_usd;
    rated->high = money->high_usd;
}

/* The inputs of the premises, with what a study varies in its copy of design and bill. */
static struct ry_tco_input tco_input(const struct ry_site *site)
{
    const struct ry_finance *finance = &site->design->finance;
    const struct ry_facility_inputs *facility = &site->design->facility;
    struct ry_tco_input in = site->tco;
    struct ry_money sums[2] = {{0}};

    for (size_t g = 0; g < RY_BILL_GROUPS; g++) {
        if (g != RY_BILL_INSTALL && g != RY_BILL_PLANT)
            ry_money_add(&sums[ry_bill_is_network((enum ry_bill_group)g)],
                         site->bill.group[g]);
    }
    vary_money(&in.hardware_usd, &sums[0]);
    vary_money(&in.network_usd, &sums[1]);
    vary(&in.install_usd, site->bill.group[RY_BILL_INSTALL].usd);
    if (ry_design_place(site->design) == RY_PLACE_OWN)
        vary_money(&in.facility_usd, &site->bill.group[RY_BILL_PLANT]);
    else
        vary(&in.facility_usd,
             facility->construction_usd_per_w * site->premises->max_w * facility->pue);
    in.years = finance->years;
    in.discount_frac = finance->discount_frac;
    in.utilisation_frac = finance->utilisation_frac;
    in.residual_frac = finance->residual_frac;
    in.pue = facility->pue;
    vary(&in.usd_per_kwh, facility->electricity_usd_per_kwh);
    vary(&in.colocation_usd_per_kw_month, facility->colocation_usd_per_kw_month);
    vary(&in.maintenance_frac, finance->maintenance_frac);
    vary(&in.network_maintenance_frac, finance->network_maintenance_frac);
    vary(&in.staff_usd_per_year, finance->staff_usd_per_year);
    vary(&in.nodes_per_staff, finance->nodes_per_staff);
    vary(&in.network_staff_per_1000_gpus, finance->network_staff_per_1000_gpus);
    vary(&in.software_usd_per_gpu_year, finance->software_usd_per_gpu_year);
    return in;
}

/* Of a design that is not laid out. */
static void forget(struct ry_tco *tco)
{
    tco->total_usd = tco->low_usd = tco->high_usd = (double)NAN;
    tco->usd_per_gpu_hour = (double)NAN;
}

static void add_money(const struct ry_site *site, const struct ry_workload *workload,
                      struct ry_result *r)
{
    const struct ry_reliability *reliability = &site->design->reliability;
    struct ry_tco_input in = tco_input(site);

    in.energy_w = r->it_w;
    ry_tco(&in, &r->tco_lines);
    if (!site->premises->laid_out)
        forget(&r->tco_lines);
    r->capex = site->bill.total;
    r->tco = (struct ry_money){
        .usd = r->tco_lines.total_usd,
        .low_usd = r->tco_lines.low_usd,
        .high_usd = r->tco_lines.high_usd,
        .estimate_usd = r->capex.estimate_usd,
        .unpriced = r->capex.unpriced + r->tco_lines.unknown,
    };
    r->usd_per_gpu_hour = r->tco_lines.usd_per_gpu_hour;
    r->goodput_frac =
        ry_goodput_frac(r->gpus_used, reliability->gpu_mtbf_s, reliability->loss_s);
    const struct ry_training_bill run = ry_training_bill(
        &in, &r->tco_lines, workload->tokens, r->tokens_per_s, r->goodput_frac);
    r->usd_per_trillion_tokens = run.usd_per_trillion_tokens;
    r->days = run.days;
    r->usd_to_train = run.usd;
}

/* FLOP that a step needs.  Frozen weights have no weight gradient: a third of the six a
 * matrix parameter (sequence 0: without attention) does not exist in LoRA. */
static double needed_flop(const struct ry_workload *workload, const struct ry_step *step)
{
    if (workload->base.task != RY_TASK_LORA)
        return step->model_flop;
    return step->model_flop -
           step->tokens * ry_arch_flop_per_token(&workload->arch, 0.0, true) / 3.0;
}

/* A compute model that is scaled or assumed leaves more unknown than its kernels. */
static void widen(double sigma_rel, struct ry_step *step)
{
    const double has = log(step->hi_s / step->step_time_s);
    const double all = sqrt(has * has + RY_Z90 * RY_Z90 * sigma_rel * sigma_rel);

    if (!(sigma_rel > 0.0) || !(step->hi_s > 0.0))
        return;
    step->lo_s = step->step_time_s * exp(-all);
    step->hi_s = step->step_time_s * exp(all);
}

void ry_plan_finish(const struct ry_site *site, const struct ry_workload *workload,
                    struct ry_result *r)
{
    const struct ry_step *step = &r->step;
    const double peak = ry_peak_flop_per_s(site->models.compute, r->strategy.precision);

    r->gpus = (double)ry_design_gpus(site->design);
    r->gpus_used = ry_strategy_gpus(&r->strategy);
    r->tokens_per_s = step->tokens / step->step_time_s;
    r->mfu_frac = needed_flop(workload, step) / (step->step_time_s * r->gpus * peak);
    r->headroom_bytes = step->usable_bytes - step->peak_bytes;
    r->racks = site->premises->racks;
    widen(site->models.compute_sigma_rel, &r->step);
    r->gpu_w = gpu_power_w(site, &r->step);
    add_energy(site, r);
    add_money(site, workload, r);
}

void ry_plan_floor(const struct ry_site *site, const struct ry_workload *workload,
                   double gpus_used, double step_time_s, struct ry_result *r)
{
    const double tokens = (double)workload->base.global_batch * workload->base.seq;

    memset(r, 0, sizeof(*r));
    r->step.step_time_s = step_time_s;
    r->gpus_used = gpus_used;
    r->tokens_per_s = tokens / step_time_s;
    r->gpu_w = least_gpu_w(site);
    add_energy(site, r);
    add_money(site, workload, r);
}

enum ry_err ry_plan(const struct ry_site *site, const struct ry_workload *workload,
                    const struct ry_strategy *strategy, struct ry_result *result,
                    struct ry_diag *diag)
{
    *result = (struct ry_result){.strategy = *strategy};
    const double used = ry_strategy_gpus(strategy);
    if (used > (double)ry_design_gpus(site->design))
        return ry_fail(diag, RY_ERR_INFEASIBLE, site->design->name,
                       "the strategy needs %g GPUs, the design has %zu", used,
                       ry_design_gpus(site->design));
    RY_TRY(ry_step_predict(&site->built.machine, &workload->arch, &workload->traits,
                           strategy, &result->step, diag));
    ry_plan_finish(site, workload, result);
    return RY_OK;
}
