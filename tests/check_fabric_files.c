/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvidia-smi topo -m and ibnetdiscover.  Expected values are counted by hand in
 * tests/fabric; the cases are of NVIDIA/nccl#595, #1357 and k8s-test-infra#419. */
#include "io/file.h"
#include "io/topo_findings.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ry_text load(struct ry_arena *arena, const char *name)
{
    char path[400];
    const char *data = getenv("RAILYARD_DATA");
    struct ry_text text = {NULL, 0};

    (void)snprintf(path, sizeof(path), "%s/tests/fabric/%s", data ? data : ".", name);
    ck_assert_int_eq(ry_file_read(arena, path, 1 << 20, &text, NULL), RY_OK);
    return text;
}

static struct ry_topo_m matrix(struct ry_arena *arena, const char *text, size_t bytes)
{
    struct ry_topo_m topo;

    ck_assert_int_eq(ry_topo_m_parse(arena, "m", text, bytes, &topo, NULL), RY_OK);
    return topo;
}

static const struct ry_finding *find(const struct ry_findings *findings, const char *id)
{
    for (size_t i = 0; i < findings->n; i++) {
        if (strcmp(findings->at[i].id, id) == 0)
            return &findings->at[i];
    }
    return NULL;
}

static const char *text_of(const struct ry_findings *findings, const char *id)
{
    const struct ry_finding *finding = find(findings, id);
    return finding ? finding->text : "";
}

START_TEST(four_a100_with_two_nics)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_text text = load(arena, "topo-m-a100x4-2nic-tabs.txt");
    const struct ry_topo_m topo = matrix(arena, text.data, text.bytes);
    struct ry_findings findings = {.arena = arena};

    ck_assert_uint_eq(topo.gpus, 4);
    ck_assert_uint_eq(topo.nics, 2);
    ck_assert_uint_eq(topo.rows_missing, 0);
    ck_assert_int_eq(ry_topo_m_cell(&topo, 0, 1).path, RY_TOPO_NV);
    ck_assert_uint_eq(ry_topo_m_cell(&topo, 0, 1).nvlinks, 4);
    ck_assert_int_eq(ry_topo_m_cell(&topo, 1, 4).path, RY_TOPO_PIX);
    ck_assert_int_eq(ry_topo_m_cell(&topo, 4, 1).path, RY_TOPO_PIX);
    ck_assert_uint_eq(ry_topo_m_nearest_nic(&topo, 2), 1);
    ck_assert_str_eq(topo.cpus[1], "0-15,64-79");
    ck_assert_double_eq(topo.numa[2], 3.0);
    ck_assert_str_eq(topo.devices[1], "mlx5_1");
    ry_topo_m_findings(&topo, "m", &findings);
    ck_assert_ptr_nonnull(strstr(text_of(&findings, "nic-far"), "GPU0, GPU3"));
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(eight_h800_with_nine_nics)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_text text = load(arena, "topo-m-h800x8-9nic-spaces.txt");
    const struct ry_topo_m topo = matrix(arena, text.data, text.bytes);
    struct ry_findings findings = {.arena = arena};
    static const size_t nearest[] = {2, 4, 6, 8, 1, 3, 5, 7};

    ck_assert_uint_eq(topo.gpus, 8);
    ck_assert_uint_eq(topo.nics, 9);
    ck_assert_uint_eq(topo.gpu_rows_missing, 0);
    for (size_t i = 0; i < 8; i++)
        ck_assert_uint_eq(ry_topo_m_nearest_nic(&topo, i), nearest[i]);
    ck_assert_uint_eq(ry_topo_m_cell(&topo, 3, 5).nvlinks, 8);
    ck_assert_int_eq(ry_topo_m_cell(&topo, 8, 0).path,
                     RY_TOPO_NODE); /* by the other half */
    ry_topo_m_findings(&topo, "m", &findings);
    ck_assert_int_eq(findings.worst, RY_FINDING_NOTE);
    ck_assert_ptr_nonnull(strstr(text_of(&findings, "nic-apart"), "NIC0"));
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(gpus_that_see_nothing_of_each_other)
{
    static const char text[] =
        "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
        "\x1b[4mGPU0\x1b[0m\t X \tSYS\tPHB\t0-63\t0\t\tN/A\r\n"
        "GPU1\tSYS\t X \tSYS\t0-63\t0\t\tN/A\r\n"
        "NIC0\tPHB\tSYS\t X \nNIC Legend:\n  NIC0: mlx5_4\n";
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_topo_m topo = matrix(arena, text, sizeof(text) - 1);
    struct ry_findings findings = {.arena = arena};

    ry_topo_m_findings(&topo, "m", &findings);
    ck_assert_ptr_nonnull(find(&findings, "no-local-link"));
    ck_assert_ptr_nonnull(find(&findings, "nic-far"));
    ck_assert_int_eq(findings.worst, RY_FINDING_WARNING);
    ck_assert_str_eq(topo.devices[0], "mlx5_4");
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(a_cut_matrix_is_named)
{
    static const char text[] = "GPU0 GPU1 CPU Affinity\nGPU0 X NV18 0\nGPU1 NV1";
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_topo_m topo = matrix(arena, text, sizeof(text) - 1);
    struct ry_findings findings = {.arena = arena};

    ck_assert_uint_eq(topo.rows_missing, 1);
    ck_assert_uint_eq(ry_topo_m_cell(&topo, 1, 0).nvlinks, 18);
    ry_topo_m_findings(&topo, "m", &findings);
    ck_assert_ptr_nonnull(find(&findings, "matrix-cut"));
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(a_fabric_of_eight_switches)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_text text = load(arena, "ibnetdiscover-hdr-small.txt");
    struct ry_ib_fabric fabric;
    struct ry_findings findings = {.arena = arena};

    ck_assert_int_eq(ry_ibnet_parse(arena, "f", text.data, text.bytes, &fabric, NULL),
                     RY_OK);
    ck_assert_uint_eq(fabric.switches, 8);
    ck_assert_uint_eq(fabric.hosts, 10);
    ck_assert_uint_eq(fabric.adapters, 10);
    ck_assert_uint_eq(fabric.aggregation, 1);
    /* 2 between spine and line cards, 5 to leaves, 10 to hosts, 1 to the agent. */
    ck_assert_uint_eq(fabric.n_links, 18);
    ck_assert_uint_eq(fabric.one_sided, 0);
    for (size_t i = 0; i < fabric.n_links; i++)
        ck_assert_double_eq(fabric.links[i].bytes_per_s, 25e9);
    ry_ibnet_findings(&fabric, "f", &findings);
    ck_assert_uint_eq(findings.n, 0);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(hosts_back_to_back_are_a_fabric)
{
    static const char text[] =
        "caguid=0x1\nCa\t1 \"H-0001\"\t\t# \"a mlx5_0\"\n"
        "[1](0001) \t\"H-0002\"[1] (0002)\t\t# lid 1 lmc 0 \"b mlx5_0\" lid 2 4xNDR\n\n"
        "caguid=0x2\nCa\t1 \"H-0002\"\t\t# \"b mlx5_0\"\n"
        "[1](0002) \t\"H-0001\"[1] (0001)\t\t# lid 2 lmc 0 \"a mlx5_0\" lid 1 4xNDR\n";
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_ib_fabric fabric;

    ck_assert_int_eq(ry_ibnet_parse(arena, "f", text, sizeof(text) - 1, &fabric, NULL),
                     RY_OK);
    ck_assert_uint_eq(fabric.switches, 0);
    ck_assert_uint_eq(fabric.hosts, 2);
    ck_assert_uint_eq(fabric.n_links, 1);
    ck_assert_uint_eq(fabric.links[0].seen, 2);
    ck_assert_double_eq(fabric.links[0].bytes_per_s, 50e9);
    ck_assert_str_eq(fabric.nodes[0].host, "a");
    ck_assert_str_eq(fabric.nodes[0].device, "mlx5_0");
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(slow_and_one_sided_links_are_found)
{
    static const char text[] =
        "switchguid=0x1(1)\nSwitch\t40 \"S-0001\"\t\t# \"sw\" base port 0 lid 1 lmc 0\n"
        "[1]\t\"H-000a\"[1](a)\t\t# \"a mlx5_0\" lid 2 4xHDR\n"
        "[2]\t\"H-000b\"[1](b)\t\t# \"b mlx5_0\" lid 3 2xHDR\n"
        "[3]\t\"H-000c\"[1](c)\t\t# \"c mlx5_0\" lid 4 4xHDR\n\n"
        "caguid=0xa\nCa\t1 \"H-000a\"\t\t# \"a mlx5_0\"\n"
        "[1](a) \t\"S-0001\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xHDR\n\n"
        "caguid=0xb\nCa\t1 \"H-000b\"\t\t# \"b mlx5_0\"\n"
        "[1](b) \t\"S-0001\"[2]\t\t# lid 3 lmc 0 \"sw\" lid 1 2xHDR\n\n"
        "caguid=0xc\nCa\t1 \"H-000c\"\t\t# \"c mlx5_0\"\n";
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_ib_fabric fabric;
    struct ry_findings findings = {.arena = arena};

    ck_assert_int_eq(ry_ibnet_parse(arena, "f", text, sizeof(text) - 1, &fabric, NULL),
                     RY_OK);
    ry_ibnet_findings(&fabric, "f", &findings);
    const struct ry_finding *slow = find(&findings, "slow-link");
    ck_assert(slow && slow->left_frac == 0.5 && slow->line == 4);
    ck_assert_ptr_nonnull(find(&findings, "one-sided-link"));
    ck_assert_uint_eq(fabric.one_sided, 1);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(other_text_is_refused)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_topo_m topo;
    struct ry_ib_fabric fabric;
    static const char text[] = "GPU0 X SYS\nhello\n[1] \"S\"[1]\n";

    ck_assert_int_eq(ry_topo_m_parse(arena, "x", text, sizeof(text) - 1, &topo, NULL),
                     RY_ERR_SYNTAX);
    ck_assert_int_eq(ry_ibnet_parse(arena, "x", text, sizeof(text) - 1, &fabric, NULL),
                     RY_ERR_SYNTAX);
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("fabric_files");
    TCase *all = tcase_create("all");

    tcase_add_test(all, four_a100_with_two_nics);
    tcase_add_test(all, eight_h800_with_nine_nics);
    tcase_add_test(all, gpus_that_see_nothing_of_each_other);
    tcase_add_test(all, a_cut_matrix_is_named);
    tcase_add_test(all, a_fabric_of_eight_switches);
    tcase_add_test(all, hosts_back_to_back_are_a_fabric);
    tcase_add_test(all, slow_and_one_sided_links_are_found);
    tcase_add_test(all, other_text_is_refused);
    suite_add_tcase(suite, all);
    return suite;
}
