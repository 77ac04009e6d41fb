/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target of files of designs and workloads, with the shipped catalog and models:
 * what is accepted has sizes that the planner can work with.  See fuzz_quantity.c. */
#include "io/catalog_csv.h"
#include "io/plan_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_BYTES_MOST = 1 << 16, MEMORY_BYTES = 64 << 20 };

static void need(int truth)
{
    if (!truth)
        abort();
}

/* The shipped data, read once; an input's own copy of the library grows in its arena. */
static const struct ry_library *shipped(void)
{
    static struct ry_arena *arena;
    static struct ry_problems problems;
    static struct ry_catalog catalog;
    static struct ry_library library;
    const struct ry_catalog_sources sources = {0};

    if (arena)
        return &library;
    arena = ry_arena_create(0);
    need(arena != NULL);
    need(ry_catalog_load(arena, &sources, &problems, &catalog) == RY_OK);
    need(ry_library_open(arena, &catalog, &problems, &library) == RY_OK);
    need(problems.count == 0);
    return &library;
}

static void check(const struct ry_plan_files *files)
{
    for (size_t i = 0; i < files->designs_n; i++) {
        const struct ry_design *design = files->designs[i].design;
        need(design->node && design->gpu && design->nodes > 0);
        need(design->spare_nodes < design->nodes);
        need(ry_design_gpus(design) > 0);
        need(design->gpu_power_cap_w > 0.0 && isfinite(design->gpu_power_cap_w));
        need(design->nics_per_node == 0 || design->nic_bytes_per_s > 0.0);
        (void)!ry_design_check(design, NULL);
    }
    for (size_t i = 0; i < files->workloads_n; i++)
        need(files->workloads[i] != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_BYTES_MOST)
        return 0;
    struct ry_library library = *shipped();
    const int fd = memfd_create("fuzz", 0);
    char path[32];
    struct ry_problems *problems = NULL;
    struct ry_plan_files files = {0};

    library.arena = ry_arena_create(MEMORY_BYTES);
    need(library.arena != NULL && fd >= 0);
    need(write(fd, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    problems = RY_NEW(library.arena, struct ry_problems, 1);
    need(problems != NULL);
    if (ry_plan_file_read(&library, path, problems, &files) == RY_OK &&
        problems->count == 0)
        check(&files);
    ry_arena_destroy(library.arena);
    (void)close(fd);
    return 0;
}
