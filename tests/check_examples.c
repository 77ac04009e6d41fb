/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every shipped example reads without a mistake, and buys what is worked by hand here. */
#include "plan_fixture.h"

#include "io/data.h"
#include "io/plan_file.h"

/* Counts by hand: leaves and spines from the ports of one leaf (QM9700: 32 down of 64;
 * SN5600 and the Tomahawk 5 box: 64 down of 128 at 400G, 96 at 3:1), nodes a rack from
 * 48 U, 41 kW and 1,500 kg, and a rack for the network, of the NVL72 two: 21 kW carry 12
 * switches.  Dollars: nodes x price + switches x price. */
static const struct {
    const char *file;
    size_t gpus, leaves, spines, switch_links, racks;
    double nodes_usd, switches_usd;
} designs[] = {
    {"a100x8", 8, 0, 0, 0, 1, 190000, 0},
    {"h100x8", 8, 0, 0, 0, 1, 310000, 0},
    {"h100-32-ndr-rail", 256, 8, 4, 256, 9, 9920000, 600000},
    {"h100-32-roce", 256, 4, 2, 256, 9, 9920000, 403278},
    {"h100-32-roce-3to1", 256, 3, 1, 96, 9, 9920000, 268852},
    {"h100pcie-32", 256, 1, 0, 0, 6, 7840000, 67213},
    {"gb200-nvl72x4", 288, 9, 8, 288, 6, 12400000, 850000},
    {"mi300x-32", 256, 4, 2, 256, 12, 6080000, 219600},
    {"nvl72-1rack", 72, 0, 0, 0, 1, 3100000, 0},
    {"h100-9-ndr", 72, 3, 2, 96, 4, 2790000, 250000},
    {"h100-9-roce", 72, 1, 0, 0, 4, 2790000, 67213},
    {"xe9680-h100-32-ndr", 256, 8, 4, 256, 12, 9920000, 600000},
    {"dl380a-gen12-16-roce", 128, 1, 0, 0, 5, 4896000, 67213},
};

static struct ry_plan_files read_example(const char *folder, const char *name)
{
    char path[128];
    struct ry_plan_files files = {0};

    (void)snprintf(path, sizeof(path), "%s/%s.json", folder, name);
    const char *found = ry_data_path(arena, path);
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(ry_plan_file_read(&library, found, &problems, &files), RY_OK);
    show_problems();
    return files;
}

START_TEST(an_example_design_buys_what_was_worked_by_hand)
{
    const struct ry_plan_files files = read_example("examples", designs[_i].file);
    const struct ry_design *d = files.designs[0].design;
    struct ry_premises premises;

    ck_assert_str_eq(d->name, designs[_i].file);
    ck_assert_uint_eq(ry_design_gpus(d), designs[_i].gpus);
    ck_assert_int_eq(ry_premises_make(arena, &catalog, d, &premises, NULL), RY_OK);
    const struct ry_network *network = &premises.network;
    const struct ry_bill bill = premises.bill;
    ck_assert_uint_eq(network->leaves, designs[_i].leaves);
    ck_assert_uint_eq(network->spines, designs[_i].spines);
    ck_assert_uint_eq(network->leaf_spine_links, designs[_i].switch_links);
    ck_assert_double_eq(premises.racks, (double)designs[_i].racks);
    ck_assert_rel(bill.group[RY_BILL_NODES].usd, designs[_i].nodes_usd, 1e-9);
    ck_assert_rel(bill.group[RY_BILL_SWITCHES].usd, designs[_i].switches_usd, 1e-9);
    ck_assert_uint_eq(bill.total.unpriced, 0);
}
END_TEST

/* Parameters as published; the search file has its own design too. */
static const struct {
    const char *file;
    double parameters;
} workloads[] = {
    {"llama3-8b-finetune", 8.03e9},    {"llama3-70b-pretrain", 70.55e9},
    {"llama3-70b-zero3", 70.55e9},     {"llama3-70b-lora", 70.55e9},
    {"gpt3-175b-pretrain", 174.6e9},   {"mixtral-8x7b-pretrain", 46.7e9},
    {"deepseek-v3-pretrain", 671.0e9},
};

START_TEST(an_example_workload_names_its_model)
{
    const struct ry_plan_files files =
        read_example("examples/workloads", workloads[_i].file);
    struct ry_arch arch;

    ck_assert_uint_eq(files.workloads_n, 1);
    ck_assert_str_eq(files.workloads[0]->name, workloads[_i].file);
    arch = files.workloads[0]->arch;
    arch.mtp_layers = 0;
    ck_assert_rel(ry_arch_params(&arch, arch.vocab).total, workloads[_i].parameters,
                  0.005);
}
END_TEST

START_TEST(the_search_example_is_a_family_with_its_own_workload)
{
    const struct ry_plan_files files = read_example("examples", "search-gpt3-175b");

    ck_assert_uint_eq(files.designs_n, 5);
    ck_assert_uint_eq(files.workloads_n, 1);
    ck_assert_uint_eq(ry_design_gpus(files.designs[0].design), 1024);
    ck_assert_uint_eq(ry_design_gpus(files.designs[4].design), 4096);
    ck_assert_uint_eq(files.designs[4].own_n, 1);
    ck_assert_str_eq(files.designs[1].design->choice, "nodes=192");
}
END_TEST

/* What memory rules out, whatever the times: 16 B and more a parameter on one node. */
START_TEST(what_does_not_fit_is_told_with_its_bytes)
{
    static const char *const nodes[] = {"a100x8", "h100x8"};

    for (size_t i = 0; i < 2; i++) {
        const struct ry_plan_files d = read_example("examples", nodes[i]);
        const struct ry_plan_files w =
            read_example("examples/workloads", "gpt3-175b-pretrain");
        struct ry_case c = case_of(d.designs[0].design, w.workloads[0]);
        const struct ry_constraints none = ry_no_constraints();
        ry_case_evaluate(arena, &catalog, &none, &c);
        ck_assert(!c.feasible);
        ck_assert_ptr_nonnull(strstr(c.why, "GB"));
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("examples");
    TCase *tcase = tcase_create("examples");

    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_loop_test(tcase, an_example_design_buys_what_was_worked_by_hand, 0,
                        (int)(sizeof(designs) / sizeof(designs[0])));
    tcase_add_loop_test(tcase, an_example_workload_names_its_model, 0,
                        (int)(sizeof(workloads) / sizeof(workloads[0])));
    tcase_add_test(tcase, the_search_example_is_a_family_with_its_own_workload);
    tcase_add_test(tcase, what_does_not_fit_is_told_with_its_bytes);
    suite_add_tcase(suite, tcase);
    return suite;
}
