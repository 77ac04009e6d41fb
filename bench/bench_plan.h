/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A file of designs and workloads as cases with a site: for the benchmarks.
 */
#ifndef RY_BENCH_BENCH_PLAN_H
#define RY_BENCH_BENCH_PLAN_H

#include "io/catalog_csv.h"
#include "io/library.h"
#include "io/plan_file.h"
#include "search/case.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

struct bench {
    struct ry_arena *arena;
    struct ry_catalog catalog;
    struct ry_problems problems;
    struct ry_library library;
};

static inline double clock_s(clockid_t which)
{
    struct timespec t;

    (void)clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double wall_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

/** Of all threads: what a busy machine takes from the run is not in it. */
static inline double processor_s(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

/** The most memory so far, MiB. */
static inline double resident_mib(void)
{
    struct rusage usage;

    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

static inline bool bench_open(struct bench *b)
{
    const struct ry_catalog_sources shipped = {0};

    *b = (struct bench){.arena = ry_arena_create(0)};
    return b->arena &&
           ry_catalog_load(b->arena, &shipped, &b->problems, &b->catalog) == RY_OK &&
           ry_library_open(b->arena, &b->catalog, &b->problems, &b->library) == RY_OK;
}

/** Read @p path; its problems go to stderr. */
static inline bool bench_read(struct bench *b, const char *path,
                              struct ry_plan_files *files)
{
    *files = (struct ry_plan_files){0};
    if (ry_plan_file_read(&b->library, path, &b->problems, files) == RY_OK &&
        b->problems.count == 0 && files->designs_n > 0 && files->workloads_n > 0)
        return true;
    for (size_t i = 0; i < b->problems.count && i < RY_PROBLEMS_KEPT; i++)
        (void)fprintf(stderr, "bench: %s: %s\n", b->problems.diags[i].where,
                      b->problems.diags[i].text);
    return false;
}

/** The case of a design and a workload of @p files, laid out. */
static inline bool bench_case(struct bench *b, const struct ry_design *design,
                              const struct ry_workload *workload, struct ry_case *c,
                              struct ry_space *space)
{
    const struct ry_found_model *found =
        ry_library_compute(&b->library, design->gpu, &b->problems);
    struct ry_diag diag = {0};

    *c = (struct ry_case){.design = design,
                          .workload = workload,
                          .site = RY_NEW(b->arena, struct ry_site, 1)};
    if (!found || !c->site)
        return false;
    c->models = (struct ry_models){found->model, found->from, found->sigma_rel,
                                   b->library.comm, found->param_sigma};
    if (ry_case_prepare(b->arena, &b->catalog, c, space, &diag) == RY_OK)
        return true;
    (void)fprintf(stderr, "bench: %s: %s\n", diag.where, diag.text);
    return false;
}

static inline struct ry_search_problem bench_problem(const struct ry_case *c,
                                                     const struct ry_space *space)
{
    return (struct ry_search_problem){.machine = &c->site->built.machine,
                                      .arch = &c->workload->arch,
                                      .traits = &c->workload->traits,
                                      .space = space};
}

#endif
