/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_csv.h"
#include "io/design_file.h"
#include "plan/machine.h"
#include "plan/premises.h"

#include "unit.h"

#include <string.h>

static struct ry_arena *arena;
static struct ry_problems problems;
static struct ry_catalog catalog;

static void set_up(void)
{
    const struct ry_catalog_sources shipped = {0};

    arena = ry_arena_create(0);
    problems = (struct ry_problems){0};
    ck_assert_int_eq(ry_catalog_load(arena, &shipped, &problems, &catalog), RY_OK);
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

static struct ry_design read_text(const char *text)
{
    const struct ry_json_text input = {"d.json", text, strlen(text)};
    struct ry_json root = {0};
    struct ry_design design;

    ck_assert_int_eq(
        ry_json_parse(arena, &input, &ry_json_default_limits, &problems, &root), RY_OK);
    ck_assert_int_eq(ry_design_read(arena, root, &catalog, "d.json", &design), RY_OK);
    return design;
}

static bool said(const char *where, const char *text)
{
    for (size_t i = 0; i < problems.count && i < RY_PROBLEMS_KEPT; i++) {
        if (strstr(problems.diags[i].where, where) &&
            strstr(problems.diags[i].text, text))
            return true;
    }
    return false;
}

START_TEST(a_node_by_name_brings_its_gpu_links_and_defaults)
{
    const struct ry_design d = read_text("{\"node\": \"dgx-h100\", \"nodes\": 1}");

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_str_eq(d.gpu->part.name, "H100-SXM5-80GB");
    ck_assert_uint_eq(d.gpus_per_node, 8);
    ck_assert_uint_eq(d.domain_gpus, 8);
    ck_assert_int_eq(d.local_link, RY_LOCAL_SWITCHED);
    ck_assert_int_eq(d.fabric.technology, RY_FABRIC_NONE);
    ck_assert_rel(d.gpu_power_cap_w, 700.0, 1e-12);
    ck_assert_double_ge(d.facility.pue, 1.0);
    ck_assert_int_eq(ry_design_check(&d, NULL), RY_OK);
}
END_TEST

START_TEST(a_rack_scale_node_is_one_domain_of_many_hosts)
{
    const struct ry_design d =
        read_text("{\"node\": \"GB200-NVL72-rack\", \"nodes\": 1}");

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_uint_eq(d.domain_gpus, 72);
    ck_assert_uint_eq(d.gpus_per_host, 4);
    ck_assert_rel(d.host_ram_bytes, 17280e9 / 18.0, 1e-9);
}
END_TEST

START_TEST(an_inline_part_changes_only_what_it_says)
{
    const struct ry_design d = read_text(
        "{\"node\": {\"base\": \"DGX-H100\", \"price_usd\": \"280 kUSD\","
        " \"power_max_w\": \"9.5 kW\"}, \"nodes\": 2, \"gpu_power_cap\": \"500 W\","
        " \"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\"}}");

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_rel(d.node->part.price_usd, 280000.0, 1e-12);
    ck_assert_rel(d.node->power_max_w, 9500.0, 1e-12);
    ck_assert_rel(d.node->rack_units, 8.0, 1e-12);
    ck_assert_rel(d.gpu_power_cap_w, 500.0, 1e-12);
    ck_assert(d.node->part.own);
    ck_assert_int_eq(ry_price_of(&catalog, RY_KIND_NODE, &d.node->part).kind,
                     RY_PRICE_QUOTE);
}
END_TEST

START_TEST(parts_may_build_on_each_other_but_not_on_themselves)
{
    const struct ry_design d = read_text(
        "{\"parts\": [{\"catalog\": \"nodes\", \"name\": \"a\", \"base\": \"b\","
        " \"gpu_count\": 4},"
        " {\"catalog\": \"nodes\", \"name\": \"b\", \"base\": \"DGX-H100\","
        " \"rack_units\": 4}], \"node\": \"a\", \"nodes\": 1}");

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_str_eq(d.node->part.name, "a");
    ck_assert_uint_eq(d.gpus_per_node, 4);
    ck_assert_rel(d.node->rack_units, 4.0, 1e-12);
    (void)read_text(
        "{\"parts\": [{\"catalog\": \"nodes\", \"name\": \"a\", \"base\": \"b\"},"
        " {\"catalog\": \"nodes\", \"name\": \"b\", \"base\": \"a\"}],"
        " \"node\": \"a\", \"nodes\": 1}");
    ck_assert(said("/base", "back to itself"));
}
END_TEST

START_TEST(all_mistakes_of_a_file_are_told_at_once)
{
    (void)read_text("{\"node\": \"DGX-H10O\", \"nodess\": 4, \"nodes\": 0,"
                    " \"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"SN5600\","
                    " \"oversubscription\": 0.5}, \"facility\": {\"pue\": \"high\"}}");
    ck_assert(said("/node", "did you mean 'DGX-H100'"));
    ck_assert(said("/nodess", "nodes"));
    ck_assert(said("/nodes", "0"));
    ck_assert(said("/fabric/leaf", "is ethernet"));
    ck_assert(said("/fabric/oversubscription", "0.5"));
    ck_assert(said("/facility/pue", "high"));
}
END_TEST

static const struct {
    const char *text, *says;
} bad[] = {
    {"{\"node\": \"DGX-H100\", \"nodes\": 2}", "without a fabric"},
    {"{\"node\": \"DGX-H100\", \"nodes\": 2, \"spare_nodes\": 2}", "spare"},
};

START_TEST(contradictions_between_fields_are_refused)
{
    const struct ry_design d = read_text(bad[_i].text);
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_design_check(&d, &diag), RY_ERR_RANGE);
    ck_assert_ptr_nonnull(strstr(diag.text, bad[_i].says));
}
END_TEST

static struct ry_bill bill_of(const struct ry_design *design)
{
    struct ry_premises premises;

    ck_assert_int_eq(ry_premises_make(arena, &catalog, design, &premises, NULL), RY_OK);
    return premises.bill;
}

static double count_of(const struct ry_bill *bill, const char *part)
{
    double count = 0.0;

    for (size_t i = 0; i < bill->n; i++) {
        if (strcmp(bill->line[i].part, part) == 0)
            count += bill->line[i].count;
    }
    return count;
}

/* By hand, one scalable unit of the DGX H100 SuperPOD: 8 leaves, 4 spines; 256 node
 * links, two to a twin-port module at each end: 128 + 128 and 2 % spare of each; 256
 * links between switches of one rack, two to a copper cable: 128 and 2 % spare of each
 * length.
 */
START_TEST(the_bill_counts_switches_modules_and_fibres)
{
    const struct ry_design d = read_text(
        "{\"node\": \"DGX-H100\", \"nodes\": 32, \"nics\": {\"part\":"
        " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8, \"in_node_price\": true},"
        " \"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\","
        " \"rail_optimised\": true}}");
    const struct ry_bill bill = bill_of(&d);

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_rel(count_of(&bill, "QM9700"), 12.0, 1e-12);
    ck_assert_rel(count_of(&bill, "MMA4Z00-NS-800G-2xSR4"), 2.0 * (128.0 + 3.0), 1e-12);
    ck_assert_rel(count_of(&bill, "MCP4Y10-N0xx-800G-DAC"), 128.0 + 2.0 * 2.0, 1e-12);
    ck_assert_double_ge(count_of(&bill, "Fiber-MPO12-OM4-trunk"), 256.0 * 1.02);
    ck_assert_rel(count_of(&bill, "ConnectX-7-400G-1P-OSFP"), 0.0, 1e-12);
    ck_assert_uint_eq(bill.total.unpriced, 0);
    ck_assert_rel(bill.group[RY_BILL_SWITCHES].usd, 12 * 50000.0, 1e-9);
    ck_assert_double_gt(bill.total.high_usd, bill.total.usd);
    ck_assert_double_lt(bill.total.low_usd, bill.total.usd);
}
END_TEST

/* The same unit with 10 of its 12 switches owned, and 200 of its 262 twin modules, which
 * stand on one line for each use. */
START_TEST(what_is_owned_is_deducted_once)
{
    const struct ry_design d = read_text(
        "{\"node\": \"DGX-H100\", \"nodes\": 32, \"nics\": {\"part\":"
        " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8, \"in_node_price\": true},"
        " \"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\","
        " \"rail_optimised\": true}, \"owned\": [{\"part\": \"qm9700\", \"count\": 10},"
        " {\"part\": \"MMA4Z00-NS-800G-2xSR4\", \"count\": 200}]}");
    const struct ry_bill bill = bill_of(&d);
    size_t lines = 0;
    double owned = 0.0;

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_rel(bill.group[RY_BILL_SWITCHES].usd, 2 * 50000.0, 1e-9);
    for (size_t i = 0; i < bill.n; i++) {
        if (strcmp(bill.line[i].part, "MMA4Z00-NS-800G-2xSR4") == 0) {
            lines++;
            owned += bill.line[i].owned;
        }
    }
    ck_assert_uint_eq(lines, 2);
    ck_assert_double_eq(owned, 200.0);
}
END_TEST

START_TEST(what_has_no_price_is_counted_and_what_is_owned_not_bought)
{
    const struct ry_design d = read_text(
        "{\"node\": {\"base\": \"DGX-H100\", \"price_usd\": null, \"gpu_model\":"
        " \"H200-NVL-141GB\"}, \"nodes\": 1, \"owned\": [{\"part\":"
        " \"Generic-48U-800x1200\", \"count\": 3}]}");
    const struct ry_bill bill = bill_of(&d);

    ck_assert_double_eq(bill.group[RY_BILL_RACKS].usd, 0.0);
    ck_assert_uint_eq(bill.group[RY_BILL_RACKS].unpriced, 0);
}
END_TEST

/* 64 nodes, worked by hand.  Storage: 128 ports at 1.5:1 on 64 ports: 26 up, 38 down: 4
 * leaves, 104 links up: 2 spines.  In-band: 128 at 1:1: 4 leaves, 2 spines.  Out-of-band:
 * 64 at 12:1 on 48 ports: 4 up, 44 down: 2 leaves, 1 spine.  NICs of storage are bought.
 */
static const char sides_text[] =
    "{\"node\": \"DGX-H100\", \"nodes\": 64, \"nics\": {\"per_node\": 8}, "
    "\"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\"}, "
    "\"storage_fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\", "
    "\"oversubscription\": 1.5, \"nics\": {\"part\": \"ConnectX-7-400G-1P-OSFP\", "
    "\"per_node\": 2}}, "
    "\"inband_fabric\": {\"technology\": \"roce\", \"leaf\": \"SN4600C\", "
    "\"nics\": {\"per_node\": 2}}, "
    "\"oob_fabric\": {\"technology\": \"tcp\", \"leaf\": \"SN2201\", "
    "\"oversubscription\": 12}}";

static const struct {
    const char *name, *leaf;
    size_t nics, leaves, spines;
    double nic_bytes_per_s;
} sides[] = {
    {"storage", "QM9700", 2, 4, 2, 50e9},
    {"inband", "SN4600C", 2, 4, 2, 12.5e9},
    {"oob", "SN2201", 1, 2, 1, 0.125e9},
};

START_TEST(fabrics_beside_the_compute_fabric_are_read_and_counted)
{
    const struct ry_design d = read_text(sides_text);

    ck_assert_uint_eq(problems.count, 0);
    ck_assert_uint_eq(d.nics_per_node, 8);
    ck_assert_uint_eq(d.sides_n, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct ry_design as = ry_design_side(&d, &d.sides[i]);
        struct ry_network network;
        ck_assert_str_eq(d.sides[i].name, sides[i].name);
        ck_assert_str_eq(as.fabric.leaf->part.name, sides[i].leaf);
        ck_assert_uint_eq(as.nics_per_node, sides[i].nics);
        ck_assert_rel(as.nic_bytes_per_s, sides[i].nic_bytes_per_s, 1e-12);
        ck_assert_int_eq(ry_design_network(&as, &network, NULL), RY_OK);
        ck_assert_uint_eq(network.leaves, sides[i].leaves);
        ck_assert_uint_eq(network.spines, sides[i].spines);
    }
}
END_TEST

START_TEST(the_bill_has_all_fabrics)
{
    const struct ry_design d = read_text(sides_text);
    const struct ry_bill bill = bill_of(&d);

    /* 512 compute ports: 16 leaves, 8 spines */
    ck_assert_double_eq(count_of(&bill, "QM9700"), 24.0 + 6.0);
    ck_assert_double_eq(count_of(&bill, "SN4600C"), 6.0);
    ck_assert_double_eq(count_of(&bill, "SN2201"), 3.0);
    ck_assert_double_eq(count_of(&bill, "ConnectX-7-400G-1P-OSFP"), 128.0);
}
END_TEST

START_TEST(mistakes_in_them_name_the_place)
{
    (void)read_text(
        "{\"node\": \"DGX-H100\", \"nodes\": 2, \"storage_fabric\": "
        "{\"technology\": \"infiniband\", \"leaf\": \"SN2201\", \"nic\": 2}}");
    ck_assert(
        said("/storage_fabric/leaf", "SN2201 is ethernet, the fabric is InfiniBand"));
    ck_assert(said("/storage_fabric/nic", "nics"));
}
END_TEST

/* As plain data, which a program may fill without a file. */
START_TEST(what_one_field_alone_cannot_tell_is_refused)
{
    const struct ry_design good =
        read_text("{\"node\": \"DGX-H100\", \"nodes\": 4, \"fabric\": {\"technology\": "
                  "\"infiniband\", \"leaf\": \"QM9700\"}}");
    struct ry_design bad_design[] = {good, good, good, good, good, good, good, good};
    static const char *const why[] = {"no nodes",       "no GPU",      "no NIC",
                                      "below 1",        "PUE 0.9",     "utilisation 1.5",
                                      "0 years; above", "none to work"};
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_design_check(&good, &diag), RY_OK);
    bad_design[0].nodes = 0;
    bad_design[1].gpus_per_node = 0;
    bad_design[2].nics_per_node = 0;
    bad_design[3].fabric.oversubscription = 0.5;
    bad_design[4].facility.pue = 0.9;
    bad_design[5].finance.utilisation_frac = 1.5;
    bad_design[6].finance.years = 0.0;
    bad_design[7].spare_nodes = 4;
    for (size_t i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
        ck_assert_int_eq(ry_design_check(&bad_design[i], &diag), RY_ERR_RANGE);
        ck_assert_msg(strstr(diag.text, why[i]) != NULL, "'%s' has no '%s'", diag.text,
                      why[i]);
    }
}
END_TEST

START_TEST(technologies_and_links_have_a_text_of_their_own)
{
    for (int a = RY_FABRIC_NONE; a <= RY_FABRIC_TCP; a++)
        for (int b = RY_FABRIC_NONE; b < a; b++)
            ck_assert_str_ne(ry_fabric_technology_text((enum ry_fabric_technology)a),
                             ry_fabric_technology_text((enum ry_fabric_technology)b));
    for (int a = RY_LOCAL_PCIE; a <= RY_LOCAL_SWITCHED; a++)
        for (int b = RY_LOCAL_PCIE; b < a; b++)
            ck_assert_str_ne(ry_local_link_text((enum ry_local_link)a),
                             ry_local_link_text((enum ry_local_link)b));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("design");
    TCase *tcase = tcase_create("design");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_node_by_name_brings_its_gpu_links_and_defaults);
    tcase_add_test(tcase, fabrics_beside_the_compute_fabric_are_read_and_counted);
    tcase_add_test(tcase, the_bill_has_all_fabrics);
    tcase_add_test(tcase, mistakes_in_them_name_the_place);
    tcase_add_test(tcase, a_rack_scale_node_is_one_domain_of_many_hosts);
    tcase_add_test(tcase, an_inline_part_changes_only_what_it_says);
    tcase_add_test(tcase, parts_may_build_on_each_other_but_not_on_themselves);
    tcase_add_test(tcase, all_mistakes_of_a_file_are_told_at_once);
    tcase_add_loop_test(tcase, contradictions_between_fields_are_refused, 0,
                        (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_test(tcase, what_one_field_alone_cannot_tell_is_refused);
    tcase_add_test(tcase, technologies_and_links_have_a_text_of_their_own);
    tcase_add_test(tcase, the_bill_counts_switches_modules_and_fibres);
    tcase_add_test(tcase, what_is_owned_is_deducted_once);
    tcase_add_test(tcase, what_has_no_price_is_counted_and_what_is_owned_not_bought);
    suite_add_tcase(suite, tcase);
    return suite;
}
