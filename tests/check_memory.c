/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that ends anywhere: each way through the library with an arena that may take
 * no more than so much, from nothing up to enough.  It must say that memory ended, and
 * what it says is right must be what it says with all the memory there is. */
#include "unit.h"

#include "io/bench.h"
#include "io/catalog_csv.h"
#include "io/fabric_import.h"
#include "io/nccl_findings.h"
#include "io/plan_file.h"
#include "search/rank.h"
#include "topology/family.h"
#include "topology/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_BYTES = 40 * 1024, TEXT_BYTES_MOST = 64 << 20 };

/* What a way came to: its code, whether a mistake was said, and a figure of the
 * result. */
struct outcome {
    enum ry_err err;
    bool said;
    double figure;
};

static const char *path_of(const char *name)
{
    static char path[4096];
    const char *folder = getenv("RAILYARD_DATA");

    (void)snprintf(path, sizeof(path), "%s/%s", folder ? folder : "..", name);
    return path;
}

static struct outcome ended(enum ry_err err, const struct ry_diag *diag, double figure)
{
    return (struct outcome){err, diag->text[0] != '\0', figure};
}

static struct outcome said(const struct ry_problems *problems, double figure)
{
    struct ry_diag diag = {0};
    return ended(ry_problems_err(problems, &diag), &diag, figure);
}

/* The best strategy of a small design, from its files on. */
static struct outcome plan(struct ry_arena *arena)
{
    static struct ry_problems problems;
    const struct ry_catalog_sources shipped = {0};
    const struct ry_constraints none = ry_no_constraints();
    struct ry_catalog catalog = {0};
    struct ry_library library;
    struct ry_plan_files files = {0};

    problems = (struct ry_problems){0};
    if (ry_catalog_load(arena, &shipped, &problems, &catalog) != RY_OK ||
        ry_library_open(arena, &catalog, &problems, &library) != RY_OK ||
        ry_plan_file_read(&library, path_of("examples/h100x8.json"), &problems, &files) !=
            RY_OK ||
        ry_plan_file_read(&library, path_of("examples/workloads/llama3-8b-finetune.json"),
                          &problems, &files) != RY_OK ||
        problems.count > 0 || files.designs_n == 0 || files.workloads_n == 0) {
        if (problems.count == 0)
            return (struct outcome){RY_ERR_NOMEM, true, 0.0};
        return said(&problems, 0.0);
    }
    struct ry_case c = {.design = files.designs[0].design,
                        .workload = files.workloads[0]};
    const struct ry_found_model *found =
        ry_library_compute(&library, c.design->gpu, &problems);
    c.site = RY_NEW(arena, struct ry_site, 1);
    if (!found || !c.site)
        return (struct outcome){RY_ERR_NOMEM, true, 0.0};
    c.models = (struct ry_models){found->model, found->from, found->sigma_rel,
                                  library.comm, found->param_sigma};
    ry_case_evaluate(arena, &catalog, &none, &c);
    if (!c.feasible)
        return (struct outcome){c.err ? c.err : RY_ERR_INFEASIBLE, true, 0.0};
    return (struct outcome){RY_OK, false, c.result.step.step_time_s + c.result.tco.usd};
}

/* A fabric, built and verified port by port. */
static struct outcome fabric(struct ry_arena *arena)
{
    static struct ry_topo_specs specs;
    static struct ry_problems problems;
    struct ry_diag diag = {0};
    struct ry_graph *graph = NULL;
    struct ry_verified verified;

    problems = (struct ry_problems){0};
    specs = (struct ry_topo_specs){0};
    ck_assert_int_eq(
        ry_topo_parse("rail_optimized:nodes=127,rails=8,radix=64", &specs, NULL), RY_OK);
    enum ry_err err = ry_topo_build(arena, &specs, &graph, &diag);
    if (err == RY_OK)
        err = ry_topo_verify(arena, graph, &problems, &verified, &diag);
    if (err == RY_OK && problems.count > 0)
        return said(&problems, 0.0);
    return ended(err, &diag,
                 err == RY_OK ? (double)(graph->n_devices + graph->n_links) : 0.0);
}

static struct outcome bench(struct ry_arena *arena)
{
    struct ry_bench_file file = {0};
    struct ry_diag diag = {0};
    const enum ry_err err = ry_bench_read(
        arena, path_of("tests/bench/layout-v2.17.3-all_reduce.txt"), NULL, &file, &diag);

    return ended(err, &diag, err == RY_OK ? (double)ry_bench_valid_rows(&file) : 0.0);
}

static struct ry_text text_of(struct ry_arena *own, const char *name)
{
    struct ry_text text = {0};
    ck_assert_int_eq(ry_file_read(own, path_of(name), TEXT_BYTES_MOST, &text, NULL),
                     RY_OK);
    return text;
}

static struct outcome log_findings(struct ry_arena *arena)
{
    struct ry_arena *own = ry_arena_create(0);
    const struct ry_text text = text_of(own, "tests/nccl/socket-instead-of-ib-bond.log");
    const struct ry_log_text one = {"log", text.data, text.bytes};
    const struct ry_log_plan of = {.nodes = 2};
    struct ry_findings findings = {.arena = arena};
    struct ry_nccl_log log;
    struct ry_diag diag = {0};

    enum ry_err err = ry_nccl_log_parse(arena, 1, &one, &log, &diag);
    if (err == RY_OK)
        err = ry_nccl_findings(&log, &of, 0, NULL, &findings, &diag);
    ry_arena_destroy(own);
    return ended(err, &diag, (double)findings.n);
}

static struct outcome import(struct ry_arena *arena)
{
    struct ry_arena *own = ry_arena_create(0);
    const struct ry_text text = text_of(own, "tests/fabric/ibnetdiscover-hdr-small.txt");
    struct ry_ib_fabric ib;
    struct ry_fabric_import design;
    struct ry_diag diag = {0};

    enum ry_err err = ry_ibnet_parse(arena, "net", text.data, text.bytes, &ib, &diag);
    if (err == RY_OK)
        err = ry_fabric_import(arena, &ib, &design, &diag);
    ry_arena_destroy(own);
    return ended(err, &diag, 0.0);
}

static const struct {
    const char *name;
    struct outcome (*run)(struct ry_arena *arena);
} ways[] = {{"plan", plan},
            {"fabric", fabric},
            {"bench", bench},
            {"log", log_findings},
            {"import", import}};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static struct outcome within(size_t way, size_t limit_bytes)
{
    struct ry_arena *arena = ry_arena_create(limit_bytes);

    ck_assert_ptr_nonnull(arena);
    const struct outcome outcome = ways[way].run(arena);
    ry_arena_destroy(arena);
    return outcome;
}

START_TEST(memory_that_ends_is_said_and_changes_no_result)
{
    const size_t way = (size_t)_i;
    const struct outcome whole = within(way, 0);
    size_t limit_bytes = 1;
    size_t failures = 0;

    for (; limit_bytes < (size_t)256 << 20;
         limit_bytes += STEP_BYTES + limit_bytes / 50) {
        const struct outcome cut = within(way, limit_bytes);
        if (cut.err == whole.err) {
            ck_assert_msg(cut.figure == whole.figure, "%s in %zu bytes: %g, not %g",
                          ways[way].name, limit_bytes, cut.figure, whole.figure);
            break;
        }
        failures++;
        ck_assert_msg(cut.err == RY_ERR_NOMEM, "%s in %zu bytes: error %d",
                      ways[way].name, limit_bytes, (int)cut.err);
        ck_assert_msg(cut.said, "%s in %zu bytes says nothing", ways[way].name,
                      limit_bytes);
    }
    ck_assert_uint_gt(failures, 0);
    ck_assert_uint_lt(limit_bytes, (size_t)256 << 20);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");

    tcase_add_loop_test(tcase, memory_that_ends_is_said_and_changes_no_result, 0, WAYS);
    suite_add_tcase(suite, tcase);
    return suite;
}
