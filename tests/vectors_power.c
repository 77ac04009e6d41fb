/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of power. */
#include "cost/finance.h"
#include "facility/circuit.h"
#include "facility/redundancy.h"
#include "reference/site.h"
#include "vectors.h"

#include <math.h>

enum { STAGES_MOST = 64 };

static const double w_per_kw = 1000.0;
static const double j_per_kwh = 3.6e6;

static struct ry_circuit circuit(struct vec *v, const char *volts, int phases)
{
    return (struct ry_circuit){
        .volts = vec_num(v, volts),
        .amps = vec_num(v, "amps"),
        .derate_frac = vec_num(v, "derate"),
        .power_factor = vec_has(v, "pf") ? vec_num(v, "pf") : 1.0,
        .phases = phases,
    };
}

static void three_phase_kva(struct vec *v)
{
    const struct ry_circuit c = circuit(v, "volts_line_line", 3);
    vec_put(v, "kva", ry_circuit_va(&c) / w_per_kw);
}

static void three_phase_kw_pf(struct vec *v)
{
    const struct ry_circuit c = circuit(v, "volts_line_line", 3);
    vec_put(v, "kw", ry_circuit_w(&c) / w_per_kw);
}

static void single_phase_kva(struct vec *v)
{
    const struct ry_circuit c = circuit(v, "volts", 1);
    vec_put(v, "kva", ry_circuit_va(&c) / w_per_kw);
}

static void derated_circuit(struct vec *v)
{
    const double derate = vec_num(v, "continuous") * vec_num(v, "thermal");
    const struct ry_circuit c = {.volts = vec_num(v, "volts"),
                                 .amps = vec_num(v, "amps"),
                                 .derate_frac = derate,
                                 .power_factor = vec_num(v, "pf"),
                                 .phases = 1};
    vec_put(v, "amps", c.amps * derate);
    vec_put(v, "watts", ry_circuit_w(&c));
}

static void delta_banks(struct vec *v)
{
    const double bank_a = vec_num(v, "bank_continuous_a");

    vec_put(v, "total_w", vec_num(v, "banks") * vec_num(v, "volts") * bank_a);
    vec_put(v, "line_current_a",
            ry_line_currents_most(ry_delta_line_currents(bank_a, bank_a, bank_a)));
}

static void delta_line_currents(struct vec *v)
{
    const struct ry_line_currents lines =
        ry_delta_line_currents(vec_num(v, "i12"), vec_num(v, "i23"), vec_num(v, "i31"));

    vec_put(v, "l1", lines.l1_a);
    vec_put(v, "l2", lines.l2_a);
    vec_put(v, "l3", lines.l3_a);
}

static void feed_redundancy(struct vec *v)
{
    const struct ry_feed_redundancy r =
        ry_feed_redundancy(vec_num(v, "load_kw") * w_per_kw,
                           vec_num(v, "feed_kva") * w_per_kw, vec_num(v, "pf"));

    VEC_PUT(v, r, n);
    VEC_PUT(v, r, n_plus_1);
    VEC_PUT(v, r, two_n);
    VEC_PUT(v, r, util_n);
    VEC_PUT(v, r, util_n1_normal);
    VEC_PUT(v, r, util_2n_normal);
    VEC_PUT(v, r, util_2n_one_side_lost);
}

static void psu_redundancy(struct vec *v)
{
    const struct ry_psu_redundancy r = ry_psu_redundancy(
        vec_num(v, "psus"), vec_num(v, "watts_each"), vec_num(v, "load_w"));

    VEC_PUT(v, r, needed);
    VEC_PUT(v, r, spare);
    vec_put_flag(v, "survives_half_lost", r.survives_half_lost);
}

static void n_plus_1_rack(struct vec *v)
{
    const struct ry_rack_circuits r =
        ry_rack_circuits(vec_num(v, "load_kw") * w_per_kw, vec_num(v, "circuits"),
                         vec_num(v, "circuit_kw") * w_per_kw);

    vec_put(v, "load_per_circuit_normal", r.normal_w / w_per_kw);
    vec_put(v, "load_per_circuit_one_lost", r.one_lost_w / w_per_kw);
    vec_put_flag(v, "ok_one_lost", r.ok_one_lost);
    vec_put_flag(v, "ok_two_lost", r.ok_two_lost);
}

static void facility_power(struct vec *v)
{
    const double it_kw = vec_num(v, "it_kw");
    const double facility_kw = it_kw * vec_num(v, "pue");
    const double kwh =
        ry_energy_kwh(it_kw * w_per_kw, vec_num(v, "pue"), vec_num(v, "hours")) *
        vec_num(v, "load_factor");

    vec_put(v, "facility_kw", facility_kw);
    vec_put(v, "overhead_kw", facility_kw - it_kw);
    vec_put(v, "annual_mwh", kwh / 1000.0);
    vec_put(v, "annual_usd", kwh * vec_num(v, "usd_per_kwh"));
}

static void energy_cost(struct vec *v)
{
    const double kwh = vec_num(v, "annual_kwh");

    vec_put(v, "usd", kwh * vec_num(v, "usd_per_kwh"));
    vec_put(v, "avg_kw", kwh / vec_num(v, "hours"));
}

static void load_sum(struct vec *v)
{
    const cJSON *item = NULL;
    double va = 0.0;

    cJSON_ArrayForEach (item, vec_item(v, "loads_va"))
        va += item->valuedouble;
    vec_put(v, "va", va);
    vec_put_flag(v, "ok_if_balanced", va <= vec_num(v, "limit_va"));
}

static void ups_modules(struct vec *v)
{
    const struct ry_ups_modules r = ry_ups_modules(
        vec_num(v, "load_kw") * w_per_kw, vec_num(v, "pf"),
        vec_num(v, "module_kva") * w_per_kw, vec_num(v, "redundant_modules"));

    vec_put(v, "kva", r.va / w_per_kw);
    vec_put(v, "modules_n", r.n);
    vec_put(v, "modules_n_plus_1", r.n_plus_1);
    vec_put(v, "modules_2n", r.two_n);
}

static void generator_sizing(struct vec *v)
{
    const struct ry_generators r =
        ry_generators(vec_num(v, "facility_kw") * w_per_kw, vec_num(v, "pf"),
                      vec_num(v, "sizing_factor"), vec_num(v, "unit_kw") * w_per_kw);

    vec_put(v, "kva", r.va / w_per_kw);
    vec_put(v, "units_n", r.n);
    vec_put(v, "units_n_plus_1", r.n_plus_1);
}

static void ups_energy(struct vec *v)
{
    vec_put(v, "kwh",
            ry_ups_energy_j(vec_num(v, "load_kw") * w_per_kw,
                            vec_num(v, "minutes") * 60.0, vec_num(v, "inverter_eff"),
                            vec_num(v, "depth")) /
                j_per_kwh);
}

static void netbox_available_power_w(struct vec *v)
{
    vec_put(v, "available_power",
            ry_netbox_feed_w(vec_num(v, "voltage"), vec_num(v, "amperage"),
                             vec_num(v, "max_utilization"), (int)vec_count(v, "phase")));
}

static void power_chain(struct vec *v)
{
    const double it_kw = vec_num(v, "it_kw");
    const cJSON *item = NULL;
    double efficiency[STAGES_MOST];
    size_t n = 0;

    cJSON_ArrayForEach (item, vec_item(v, "stages")) {
        if (n < STAGES_MOST)
            efficiency[n++] = item->valuedouble;
    }
    const double input_kw = ry_power_chain_w(it_kw * w_per_kw, n, efficiency) / w_per_kw;
    vec_put(v, "input_kw", input_kw);
    vec_put(v, "loss_kw", input_kw - it_kw);
}

static void i2r_ratio(struct vec *v)
{
    const double from = vec_num(v, "v_from"), to = vec_num(v, "v_to");

    vec_put(v, "current_ratio", ry_voltage_current_ratio(from, to));
    vec_put(v, "loss_ratio", ry_voltage_loss_ratio(from, to));
}

const struct vec_kind vec_power_kinds[] = {
    {"three_phase_kva", three_phase_kva},
    {"three_phase_kw_pf", three_phase_kw_pf},
    {"single_phase_kva", single_phase_kva},
    {"derated_circuit", derated_circuit},
    {"delta_banks", delta_banks},
    {"delta_line_currents", delta_line_currents},
    {"feed_redundancy", feed_redundancy},
    {"psu_redundancy", psu_redundancy},
    {"n_plus_1_rack", n_plus_1_rack},
    {"facility_power", facility_power},
    {"energy_cost", energy_cost},
    {"load_sum", load_sum},
    {"ups_modules", ups_modules},
    {"generator_sizing", generator_sizing},
    {"ups_energy", ups_energy},
    {"netbox_available_power_w", netbox_available_power_w},
    {"power_chain", power_chain},
    {"i2r_ratio", i2r_ratio},
    {NULL, NULL},
};
