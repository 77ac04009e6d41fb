/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Designs and workloads written in a test, evaluated as `railyard rank` does.
 */
#ifndef RY_TESTS_PLAN_FIXTURE_H
#define RY_TESTS_PLAN_FIXTURE_H

#include "io/catalog_csv.h"
#include "io/design_file.h"
#include "io/library.h"
#include "io/workload_file.h"
#include "search/rank.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct ry_arena *arena;
static struct ry_problems problems;
static struct ry_catalog catalog;
static struct ry_library library;

static inline void show_problems(void)
{
    for (size_t i = 0; i < problems.count && i < RY_PROBLEMS_KEPT; i++)
        printf("# %s: %s\n", problems.diags[i].where, problems.diags[i].text);
    ck_assert_uint_eq(problems.count, 0);
}

static inline void open_library(void)
{
    const struct ry_catalog_sources shipped = {0};

    arena = ry_arena_create(0);
    problems = (struct ry_problems){0};
    ck_assert_int_eq(ry_catalog_load(arena, &shipped, &problems, &catalog), RY_OK);
    ck_assert_int_eq(ry_library_open(arena, &catalog, &problems, &library), RY_OK);
}

static inline void close_library(void)
{
    ry_arena_destroy(arena);
}

static inline struct ry_json parse(const char *name, const char *text)
{
    const struct ry_json_text input = {name, text, strlen(text)};
    struct ry_json root = {0};

    ck_assert_int_eq(
        ry_json_parse(arena, &input, &ry_json_default_limits, &problems, &root), RY_OK);
    return root;
}

static inline struct ry_design *design_of(const char *text)
{
    struct ry_design *design = RY_NEW(arena, struct ry_design, 1);

    ck_assert_int_eq(
        ry_design_read(arena, parse("design", text), &catalog, "design", design), RY_OK);
    show_problems();
    return design;
}

static inline struct ry_workload *workload_of(const char *text)
{
    struct ry_workload *workload = RY_NEW(arena, struct ry_workload, 1);

    ck_assert_int_eq(ry_workload_read(&library, parse("workload", text), "workload",
                                      &problems, workload),
                     RY_OK);
    show_problems();
    return workload;
}

/* A case with its models and site's storage. */
static inline struct ry_case case_of(const struct ry_design *design,
                                     const struct ry_workload *workload)
{
    const struct ry_found_model *found =
        ry_library_compute(&library, design->gpu, &problems);
    struct ry_case c = {.design = design, .workload = workload};

    ck_assert_ptr_nonnull(found);
    c.models = (struct ry_models){found->model, found->from, found->sigma_rel,
                                  library.comm, found->param_sigma};
    c.site = RY_NEW(arena, struct ry_site, 1);
    return c;
}

/* The best strategy within the workload's bounds. */
static inline struct ry_case evaluate(const char *design, const char *workload)
{
    struct ry_case c = case_of(design_of(design), workload_of(workload));
    const struct ry_constraints none = ry_no_constraints();

    ry_case_evaluate(arena, &catalog, &none, &c);
    return c;
}

/* One strategy's result, whether it fits the memory or not. */
static inline struct ry_result predict(const struct ry_design *design,
                                       const struct ry_workload *workload,
                                       struct ry_strategy strategy)
{
    struct ry_case c = case_of(design, workload);
    struct ry_result result;
    struct ry_diag diag = {0};

    strategy.task = workload->base.task;
    strategy.precision = workload->base.precision;
    strategy.seq = workload->base.seq;
    strategy.global_batch = workload->base.global_batch;
    if (ry_site_make(arena, &catalog, design, &c.models, c.site, &diag) != RY_OK ||
        ry_plan(c.site, workload, &strategy, &result, &diag) != RY_OK)
        ck_abort_msg("%s: %s", diag.where, diag.text);
    return result;
}

/* Nodes of 8 H100 on 400G RoCE, rail-optimised. */
#define H100_ROCE(n)                                                                     \
    "{\"node\": \"DGX-H100\", \"nodes\": " #n ", \"nics\": {\"part\":"                   \
    " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8, \"in_node_price\": true},"           \
    " \"fabric\": {\"technology\": \"roce\", \"leaf\": \"SN5600\","                      \
    " \"rail_optimised\": true, \"adaptive_routing\": true}}"

/* The same on 400G InfiniBand. */
#define H100_NDR(n)                                                                      \
    "{\"node\": \"DGX-H100\", \"nodes\": " #n ", \"nics\": {\"part\":"                   \
    " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8, \"in_node_price\": true},"           \
    " \"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\","                \
    " \"rail_optimised\": true}}"

/* The same NICs, but the job fell back to sockets. */
#define H100_TCP(n)                                                                      \
    "{\"node\": \"DGX-H100\", \"nodes\": " #n ", \"nics\": {\"part\":"                   \
    " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8, \"in_node_price\": true},"           \
    " \"fabric\": {\"technology\": \"tcp\", \"leaf\": \"SN5600\","                       \
    " \"rail_optimised\": true, \"adaptive_routing\": true}}"

#endif
