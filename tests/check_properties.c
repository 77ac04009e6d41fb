/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold for every step, design and quantity, over thousands of random ones. */
#include "property.h"

#include "io/catalog_quotes.h"
#include "io/comm_model.h"
#include "report/number.h"

#include "plan_fixture.h"

enum { STEP_CASES = 5000, DESIGN_CASES = 1000, UNIT_CASES = 5000 };

/* Steps. */

static const char *const models[] = {"llama3-8b",    "llama3-70b",       "gpt3-175b",
                                     "mixtral-8x7b", "deepseek-v2-lite", "qwen3-30b-a3b"};
enum { MODELS = sizeof(models) / sizeof(models[0]) };
static struct ry_workload *workloads[MODELS];

static void read_workloads(void)
{
    char text[160];

    open_library();
    for (size_t i = 0; i < MODELS; i++) {
        (void)snprintf(text, sizeof(text),
                       "{\"model\": \"%s\", \"seq\": 4096, \"global_batch\": 512,"
                       " \"tokens\": \"1B\"}",
                       models[i]);
        workloads[i] = workload_of(text);
    }
}

/* One that the model can be cut by, on a power of two of GPUs. */
static struct ry_strategy random_strategy(const struct ry_workload *workload)
{
    struct ry_strategy s;

    do {
        s = workload->base;
        s.tp = 1u << below(4);
        s.pp = 1u << below(4);
        s.cp = 1u << below(2);
        s.dp = 1u << below(5);
        s.vpp = s.pp > 1 ? 1 + (unsigned)below(2) : 1;
        s.ep = workload->arch.experts ? 1u << below(4) : 1;
        s.micro_batch = 1u << below(3);
        s.sequence_parallel = s.tp > 1 && below(2);
        s.recompute = (enum ry_recompute)below(RY_RECOMPUTE_FULL + 1);
        s.schedule = below(3) ? RY_SCHEDULE_1F1B : RY_SCHEDULE_ZERO_BUBBLE;
        s.zero_stage = (unsigned)below(2);
        s.fsdp = s.pp == 1 && below(3) == 0;
        s.zero_stage = s.fsdp ? 3 : s.zero_stage;
        s.tp_overlap = below(2);
        s.dp_overlap = below(2);
        s.pp_overlap = below(2);
        s.offload_optimizer_frac = below(4) ? 0.0 : between(0.0, 1.0);
    } while (ry_strategy_check(&s, &workload->arch, NULL) != RY_OK);
    return s;
}

static struct ry_machine random_machine(struct ry_net *net, const struct ry_strategy *s)
{
    const char *name;
    *net = random_net(library.comm, &name);
    const struct ry_gpu *gpu =
        (const struct ry_gpu *)(const void *)ry_catalog_find(&catalog, RY_KIND_GPU, name);
    const struct ry_found_model *found = ry_library_compute(&library, gpu, &problems);

    ck_assert_ptr_nonnull(found);
    net->gpus = (size_t)ry_strategy_gpus(s);
    return (struct ry_machine){.compute = found->model,
                               .net = net,
                               .gpus = ry_strategy_gpus(s),
                               .gpus_per_node = 8,
                               .hbm_usable_bytes = 80e9,
                               .host_ram_bytes = 2e12,
                               .pcie_bytes_per_s = 25e9};
}

static double step_of(const struct ry_machine *machine,
                      const struct ry_workload *workload,
                      const struct ry_strategy *strategy, struct ry_step *step)
{
    struct ry_diag diag = {0};
    const enum ry_err err = ry_step_predict(machine, &workload->arch, &workload->traits,
                                            strategy, step, &diag);
    holds(err == RY_OK, "%s: %s", diag.where, diag.text);
    return step->step_time_s;
}

static double sum(size_t n, const double part[])
{
    double all = 0.0;
    for (size_t i = 0; i < n; i++) {
        holds(part[i] >= 0.0, "part %zu is %g", i, part[i]);
        all += part[i];
    }
    return all;
}

START_TEST(parts_sum_up_and_lie_in_their_interval)
{
    for (size_t i = 0; i < cases(STEP_CASES); i++) {
        start_case(i);
        const struct ry_workload *workload = workloads[below(MODELS)];
        const struct ry_strategy strategy = random_strategy(workload);
        struct ry_net net;
        const struct ry_machine machine = random_machine(&net, &strategy);
        struct ry_step step;

        const double s = step_of(&machine, workload, &strategy, &step);
        holds(isfinite(s) && s > 0.0, "%g s", s);
        holds(fabs(sum(RY_PARTS, step.part_s) - s) <= 1e-9 * s, "step of %g s", s);
        holds(fabs(sum(RY_MEMORY_PARTS, step.memory_bytes) - step.peak_bytes) <=
                  1e-9 * step.peak_bytes,
              "peak of %g bytes", step.peak_bytes);
        holds(step.lo_s <= s && s <= step.hi_s, "%g not in %g to %g", s, step.lo_s,
              step.hi_s);
    }
}
END_TEST

/* At a given clock.  Where the board's power sets it, a GPU that waits less for traffic
 * runs hotter and so slower: a step that FSDP gathers bind may then be longer by what its
 * LM head loses, which is held to a thousandth. */
START_TEST(more_bandwidth_never_slows_a_step)
{
    const double slack = _i == 0 ? 1e-9 : 1e-3;
    static void (*const speeds[])(struct ry_net *, double) = {speed_nics, speed_domain,
                                                              speed_rest, speed_uplinks};
    for (size_t i = 0; i < cases(STEP_CASES); i++) {
        start_case(i);
        const struct ry_workload *workload = workloads[below(MODELS)];
        const struct ry_strategy strategy = random_strategy(workload);
        struct ry_net net;
        struct ry_machine machine = random_machine(&net, &strategy);
        struct ry_step step;

        if (_i == 0)
            machine.power_cap_w = 1e6;
        const double slow = step_of(&machine, workload, &strategy, &step);
        const size_t which = below(4);
        const double by = which == 3 ? between(1.0, 2.0) : scaled(1.0, 8.0);
        speeds[which](&net, by);
        const double fast = step_of(&machine, workload, &strategy, &step);
        holds(fast <= slow * (1 + slack), "%s, speed %zu by %g: %.9g, before %.9g s",
              workload->model, which, by, fast, slow);
    }
}
END_TEST

/* Designs. */

static const struct {
    const char *node, *nic, *technology, *leaf;
} builds[] = {
    {"DGX-H100", "ConnectX-7-400G-1P-OSFP", "infiniband", "QM9700"},
    {"DGX-H100", "ConnectX-7-400G-1P-OSFP", "roce", "SN5600"},
    {"DGX-A100-640GB", "ConnectX-6-VPI-200G-1P", "infiniband", "QM8700"},
    {"DGX-B200", "ConnectX-7-400G-1P-OSFP", "infiniband", "QM9700"},
    {"AS-8125GS-TNMR2", "Broadcom-Thor2-400G-1P", "roce", "SN5600"},
};

static const char *random_design(char text[600], size_t nodes)
{
    const size_t which = below(sizeof(builds) / sizeof(builds[0]));
    const size_t nics = (size_t)1 << below(4);

    (void)snprintf(text, 600,
                   "{\"node\": \"%s\", \"nodes\": %zu, \"nics\": {\"part\": \"%s\","
                   " \"per_node\": %zu, \"in_node_price\": true}, \"fabric\": {"
                   "\"technology\": \"%s\", \"leaf\": \"%s\", \"oversubscription\": %zu,"
                   " \"rail_optimised\": %s, \"adaptive_routing\": %s}}",
                   builds[which].node, nodes, builds[which].nic, nics,
                   builds[which].technology, builds[which].leaf, 1 + below(3),
                   nics == 8 && below(2) ? "true" : "false", below(2) ? "true" : "false");
    return text;
}

static struct ry_design *read_design(struct ry_arena *own, const struct ry_catalog *parts,
                                     const char *text)
{
    struct ry_design *design = RY_NEW(own, struct ry_design, 1);
    const struct ry_json_text input = {"design", text, strlen(text)};
    struct ry_json root = {0};

    ck_assert_int_eq(
        ry_json_parse(own, &input, &ry_json_default_limits, &problems, &root), RY_OK);
    ck_assert_int_eq(ry_design_read(own, root, parts, "design", design), RY_OK);
    show_problems();
    return design;
}

/* Nameplate of IT, or NAN where it cannot be built. */
static double nameplate_w(const char *text)
{
    struct ry_arena *own = ry_arena_create(0);
    struct ry_premises *premises = RY_NEW(own, struct ry_premises, 1);
    const enum ry_err err =
        ry_premises_make(own, &catalog, read_design(own, &catalog, text), premises, NULL);
    const double w = err == RY_OK ? premises->max_w : (double)NAN;

    holds(err == RY_OK || err == RY_ERR_INFEASIBLE, "error %d", (int)err);
    ry_arena_destroy(own);
    return w;
}

START_TEST(nameplate_power_grows_with_gpus)
{
    size_t built = 0;

    for (size_t i = 0; i < cases(DESIGN_CASES); i++) {
        char few[600];
        char many[600];

        start_case(i);
        const size_t nodes = 1 + below(16);
        const uint64_t same = state;
        (void)random_design(few, nodes);
        state = same;
        (void)random_design(many, nodes + 1 + i % 5);
        const double few_w = nameplate_w(few);
        const double many_w = nameplate_w(many);
        if (isnan(few_w) || isnan(many_w))
            continue;
        built++;
        holds(many_w > few_w, "%g W, and %g with more of %s", few_w, many_w, few);
    }
    ck_assert_uint_ge(built, DESIGN_CASES / 2);
}
END_TEST

/* Every part of the catalog at another price. */
static void reprice(struct ry_catalog *priced)
{
    enum { ROOM = 1 << 18 };
    const struct ry_catalog_sources shipped = {0};
    char *text = RY_NEW(arena, char, ROOM);
    size_t used = (size_t)snprintf(text, ROOM, "name,price_usd,date,source\n");
    struct ry_csv csv = {0};
    const struct ry_part *part = NULL;

    *priced = (struct ry_catalog){0};
    ck_assert_int_eq(ry_catalog_load(arena, &shipped, &problems, priced), RY_OK);
    for (int kind = RY_KIND_GPU; kind <= RY_KIND_SWITCH; kind++)
        for (size_t i = 0; (part = ry_catalog_at(priced, (enum ry_kind)kind, i)); i++)
            used +=
                (size_t)snprintf(text + used, ROOM - used, "%s,%.0f,2026-01-01,random\n",
                                 part->name, scaled(1e2, 1e6));
    ck_assert_uint_lt(used, ROOM);
    ck_assert_int_eq(ry_csv_parse(arena, "q.csv", text, used, &problems, &csv), RY_OK);
    ry_catalog_take_quotes(arena, priced, &csv, &problems);
    show_problems();
}

static struct ry_result plan_of(struct ry_arena *own, const struct ry_catalog *parts,
                                const char *text, const struct ry_workload *workload,
                                const struct ry_strategy *strategy)
{
    library.catalog = parts; /* models are kept by the part, so they are found anew */
    library.gpus_n = 0;
    const struct ry_design *design = read_design(own, parts, text);
    const struct ry_case c = case_of(design, workload);
    struct ry_result result = {.days = NAN};
    struct ry_diag diag = {0};

    if (ry_site_make(own, parts, design, &c.models, c.site, &diag) == RY_OK)
        holds(ry_plan(c.site, workload, strategy, &result, &diag) == RY_OK, "%s",
              diag.text);
    return result;
}

static bool same(size_t n, const double a[], const double b[])
{
    return memcmp(a, b, n * sizeof(a[0])) == 0;
}

START_TEST(prices_change_the_bill_and_no_time)
{
    struct ry_catalog priced;
    size_t built = 0;
    struct ry_strategy strategy;

    reprice(&priced);
    for (size_t i = 0; i < cases(DESIGN_CASES); i++) {
        char text[600];
        start_case(i);
        const struct ry_workload *workload = workloads[below(MODELS)];
        do
            strategy = random_strategy(workload);
        while (ry_strategy_gpus(&strategy) > 128.0);
        (void)random_design(text, 16);
        struct ry_arena *own = ry_arena_create(0);
        const struct ry_result listed = plan_of(own, &catalog, text, workload, &strategy);
        const struct ry_result quoted = plan_of(own, &priced, text, workload, &strategy);

        ry_arena_destroy(own);
        if (isnan(listed.days))
            continue;
        built++;
        holds(same(RY_PARTS, listed.step.part_s, quoted.step.part_s), "%s", text);
        holds(listed.step.step_time_s == quoted.step.step_time_s &&
                  listed.step.lo_s == quoted.step.lo_s && listed.days == quoted.days,
              "%s", text);
        holds(listed.capex.usd != quoted.capex.usd, "%g USD", listed.capex.usd);
    }
    ck_assert_uint_ge(built, DESIGN_CASES / 2);
}
END_TEST

/* Units. */

static const struct {
    enum ry_dim dim;
    const char *suffix;
    double si;
} units[] = {
#define X(dim, suffix, si) {dim, suffix, si},
#include "base/units.def"
#undef X
};

/* Half a unit of the last place, lost by the factor of the unit. */
START_TEST(quantities_survive_a_round_trip)
{
    char text[64];
    char number[RY_NUMBER_BYTES];

    for (size_t i = 0; i < cases(UNIT_CASES); i++) {
        start_case(i);
        const size_t u = below(sizeof(units) / sizeof(units[0]));
        const double value =
            units[u].dim == RY_DIM_FRACTION ? between(0.0, 100.0) : scaled(1e-3, 1e6);
        double back = -1.0;
        struct ry_diag diag = {0};

        (void)snprintf(text, sizeof(text), "%s%s%s", ry_number_exact(value, number),
                       below(2) ? " " : "", units[u].suffix);
        const enum ry_err err = ry_quantity_parse("x", text, units[u].dim, &back, &diag);
        holds(err == RY_OK, "'%s': %s", text, diag.text);
        holds(fabs(back - value * units[u].si) <= 1e-15 * back, "'%s' is %.17g", text,
              back);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("properties");
    TCase *tcase = tcase_create("properties");

    tcase_set_timeout(tcase, 120.0 * (double)setting("PROPERTY_RUNS", 1));
    tcase_add_unchecked_fixture(tcase, read_workloads, close_library);
    tcase_add_test(tcase, parts_sum_up_and_lie_in_their_interval);
    tcase_add_loop_test(tcase, more_bandwidth_never_slows_a_step, 0, 2);
    tcase_add_test(tcase, nameplate_power_grows_with_gpus);
    tcase_add_test(tcase, prices_change_the_bill_and_no_time);
    tcase_add_test(tcase, quantities_survive_a_round_trip);
    suite_add_tcase(suite, tcase);
    return suite;
}
