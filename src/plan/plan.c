/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

#include "catalog/parts.h"

#include <math.h>
#include <string.h>

static const double seconds_per_day = 86400.0;

static double switch_w(const struct ry_switch *part, bool typical)
{
    if (isfinite(part->power_typ_w) && (typical || !isfinite(part->power_max_w)))
        return part->power_typ_w;
    return part->power_max_w;
}

static double switches_w(const struct ry_design *design, const struct ry_network *network,
                         bool typical)
{
    const struct ry_fabric_inputs *fabric = &design->fabric;

    if (network->leaves == 0)
        return 0.0;
    const double upper = (double)(network->spines + network->cores);
    return (double)network->leaves * switch_w(fabric->leaf, typical) +
           (upper > 0.0 ? upper * switch_w(fabric->spine, typical) : 0.0);
}

/* Of the compute fabric and of the networks beside it. */
static double all_switches_w(const struct ry_site *site, bool typical)
{
    const struct ry_design *design = site->design;
    double watts = switches_w(design, &site->network, typical);

    for (size_t i = 0; i < design->sides_n; i++) {
        const struct ry_design as = ry_design_side(design, &design->sides[i]);
        struct ry_network network;
        if (ry_design_network(&as, &network, NULL) == RY_OK)
            watts += switches_w(&as, &network, typical);
    }
    return watts;
}

/* Power, nameplate and typical.  Modules are not in a switch's typical figure. */
static void add_power(struct ry_site *site)
{
    const struct ry_design *design = site->design;
    const struct ry_node *node = design->node;
    const double gpus_w = (double)design->gpus_per_node * design->gpu->power_max_w;
    const double cap_saves_w = (double)design->gpus_per_node *
                               (design->gpu->power_max_w - design->gpu_power_cap_w);
    const double basis =
        isfinite(node->power_typ_w) && node->power_typ_w > gpus_w ? node->power_typ_w
                                                                  : node->power_max_w;

    site->node_rest_w = basis - gpus_w;
    site->switch_max_w = all_switches_w(site, false) + site->room.optics_w;
    site->switch_typical_w =
        all_switches_w(site, true) + site->room.optics_w;
    site->max_w =
        (double)design->nodes * (node->power_max_w - cap_saves_w) + site->switch_max_w;
}

enum ry_err ry_site_make(const struct ry_catalog *catalog, const struct ry_design *design,
                         const struct ry_models *models, struct ry_site *site,
                         struct ry_diag *diag)
{
    *site = (struct ry_site){.design = design, .catalog = catalog, .models = *models};
    RY_TRY(ry_design_check(design, diag));
    RY_TRY(ry_design_network(design, &site->network, diag));
    RY_TRY(ry_room_count(design, &site->network, &site->room, diag));
    ry_bill_make(catalog, design, &site->network, &site->room, &site->bill);
    add_power(site);
    const double site_w = site->max_w * design->facility.pue;
    if (site_w > design->facility.site_power_w)
        return ry_fail(diag, RY_ERR_INFEASIBLE, design->name,
                       "%.4g kW with PUE %g is over the site's %.4g kW", site_w / 1e3,
                       design->facility.pue, design->facility.site_power_w / 1e3);
    return ry_machine_build(design, &site->network, models, &site->built, diag);
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
        .tensor_s = tensor > part[RY_PART_ATTENTION] ? tensor - part[RY_PART_ATTENTION]
                                                     : tensor,
        .attention_s = tensor > part[RY_PART_ATTENTION] ? part[RY_PART_ATTENTION] : 0.0,
        .memory_s = memory,
        .comm_s = comm,
        .idle_s = idle,
    };
    const struct ry_clock clock = ry_clock(site->models.compute, &load,
                                           site->built.machine.power_cap_w);
    const double cap = site->design->gpu_power_cap_w;

    return clock.power_w < cap ? clock.power_w : cap;
}

static void add_energy(const struct ry_site *site, struct ry_result *r)
{
    const struct ry_design *design = site->design;
    const double nodes = (double)design->nodes;
    const double idle_gpus = nodes * (double)design->gpus_per_node - r->gpus_used;

    r->gpu_w = gpu_power_w(site, &r->step);
    r->it_w = r->gpus_used * r->gpu_w + idle_gpus * site->models.compute->idle_w +
              nodes * site->node_rest_w + site->switch_typical_w;
    r->max_w = site->max_w;
    r->facility_w = r->it_w * design->facility.pue;
    r->joules_per_token = r->facility_w / r->tokens_per_s;
}

static struct ry_rated rated(double value, const char *source)
{
    return (struct ry_rated){.value = value, .low = NAN, .high = NAN, .source = source};
}

static struct ry_rated rated_money(const struct ry_money *money, const char *source)
{
    return (struct ry_rated){.value = money->usd,
                             .low = money->low_usd,
                             .high = money->high_usd,
                             .source = source};
}

static void split_capex(const struct ry_bill *bill, struct ry_money *hardware,
                        struct ry_money *network)
{
    *hardware = *network = (struct ry_money){0};
    for (size_t g = 0; g < RY_BILL_GROUPS; g++) {
        if (g == RY_BILL_INSTALL)
            continue;
        ry_money_add(ry_bill_is_network((enum ry_bill_group)g) ? network : hardware,
                     bill->group[g]);
    }
}

static struct ry_tco_input tco_input(const struct ry_site *site,
                                     const struct ry_result *r)
{
    const struct ry_design *design = site->design;
    const struct ry_finance *finance = &design->finance;
    const struct ry_facility_inputs *facility = &design->facility;
    struct ry_money hardware;
    struct ry_money network;

    split_capex(&site->bill, &hardware, &network);
    return (struct ry_tco_input){
        .hardware_usd = rated_money(&hardware, "bill"),
        .network_usd = rated_money(&network, "bill"),
        .facility_usd = rated(facility->construction_usd_per_w * r->max_w * facility->pue,
                              "facility.construction_usd_per_w"),
        .facility_life_years = NAN,
        .install_usd =
            rated_money(&site->bill.group[RY_BILL_INSTALL], "finance.install_per_node"),
        .gpus = (double)(design->nodes * design->gpus_per_node),
        .nodes = (double)design->nodes,
        .years = finance->years,
        .discount_frac = finance->discount_frac,
        .utilisation_frac = finance->utilisation_frac,
        .residual_frac = finance->residual_frac,
        .depreciation_years = finance->years,
        .energy_w = r->it_w,
        .pue = facility->pue,
        .usd_per_kwh = rated(facility->electricity_usd_per_kwh, "facility.electricity"),
        .power_reserved_w = r->max_w,
        .colocation_usd_per_kw_month =
            rated(facility->colocation_usd_per_kw_month, "facility.colocation"),
        .maintenance_frac = rated(finance->maintenance_frac, "finance.maintenance"),
        .network_maintenance_frac =
            rated(finance->network_maintenance_frac, "finance.network_maintenance"),
        .facility_maintenance_frac = rated(0.0, ""),
        .staff_usd_per_year = rated(finance->staff_usd_per_year, "finance.staff_per_year"),
        .nodes_per_staff = rated(finance->nodes_per_staff, "finance.nodes_per_staff"),
        .network_staff_per_1000_gpus = rated(finance->network_staff_per_1000_gpus,
                                             "finance.network_staff_per_1000_gpus"),
        .software_usd_per_gpu_year =
            rated(finance->software_usd_per_gpu_year, "finance.software_per_gpu_year"),
        .kg_co2_per_kwh = rated(NAN, ""),
        .litres_per_kwh = rated(NAN, ""),
        .rent_usd_per_gpu_hour = rated(NAN, ""),
    };
}

static void add_money(const struct ry_site *site, const struct ry_workload *workload,
                      struct ry_result *r)
{
    const struct ry_tco_input in = tco_input(site, r);
    const struct ry_reliability *reliability = &site->design->reliability;
    const double mtbf_s = reliability->gpu_mtbf_s / r->gpus_used;

    ry_tco(&in, &r->tco_lines);
    r->capex = site->bill.total;
    r->tco = (struct ry_money){
        .usd = r->tco_lines.total_usd,
        .low_usd = r->tco_lines.low_usd,
        .high_usd = r->tco_lines.high_usd,
        .estimate_usd = r->capex.estimate_usd,
        .unpriced = r->capex.unpriced + r->tco_lines.unknown,
    };
    r->usd_per_gpu_hour = r->tco_lines.usd_per_gpu_hour;
    r->goodput_frac = mtbf_s > 0.0 ? mtbf_s / (mtbf_s + reliability->loss_s) : 1.0;
    const double usd_per_s = r->usd_per_gpu_hour * r->gpus / 3600.0;
    const double s_per_token = 1.0 / (r->tokens_per_s * r->goodput_frac);
    r->usd_per_trillion_tokens = usd_per_s * 1e12 * s_per_token;
    r->days = workload->tokens * s_per_token / seconds_per_day;
    r->usd_to_train = usd_per_s * workload->tokens * s_per_token;
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
    const double z90 = 1.645;
    const double has = log(step->hi_s / step->step_time_s);
    const double all = sqrt(has * has + z90 * z90 * sigma_rel * sigma_rel);

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
    r->mfu_frac =
        needed_flop(workload, step) / (step->step_time_s * r->gpus * peak);
    r->headroom_bytes = step->usable_bytes - step->peak_bytes;
    r->racks = (double)(site->room.node_racks + site->room.network_racks);
    widen(site->models.compute_sigma_rel, &r->step);
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
