/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and memory to build and verify three-tier fabrics of four sizes, on one core. */
#include "topology/family.h"
#include "topology/traffic.h"
#include "topology/verify.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(size_t gpus)
{
    char text[96];
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;
    struct ry_problems problems = {0};
    struct ry_verified verified;
    struct ry_diag diag = {0};
    struct rusage usage;
    struct ry_arena *arena = ry_arena_create(0);

    (void)snprintf(text, sizeof(text),
                   "fat_tree:radix=64,tiers=3,gpus=%zu,gpus_per_node=8", gpus);
    const double start = now_s();
    if (!arena || ry_topo_parse(text, &specs, &diag) != RY_OK ||
        ry_topo_build(arena, &specs, &graph, &diag) != RY_OK) {
        (void)fprintf(stderr, "bench: %s: %s\n", diag.where, diag.text);
        return 1;
    }
    const double built = now_s();
    if (ry_topo_verify(arena, graph, &problems, &verified, &diag) != RY_OK ||
        problems.count > 0) {
        (void)fprintf(stderr, "bench: %zu faults\n", problems.count);
        return 1;
    }
    const double done = now_s();
    (void)getrusage(RUSAGE_SELF, &usage);
    printf(
        "%6zu GPUs  %4zu switches  %6zu ports  %6zu cables  build %.3f s  verify %.3f s  "
        "peak %.1f MiB\n",
        gpus, graph->n_devices - graph->classes[0].count, graph->n_ports, graph->n_links,
        built - start, done - built, (double)usage.ru_maxrss / 1024.0);
    ry_arena_destroy(arena);
    return 0;
}

static struct ry_graph *three_tiers(struct ry_arena *arena, size_t radix, size_t gpus)
{
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;
    char text[96];

    (void)snprintf(text, sizeof(text),
                   "fat_tree:radix=%zu,tiers=3,gpus=%zu,gpus_per_node=8", radix, gpus);
    if (ry_topo_parse(text, &specs, NULL) != RY_OK ||
        ry_topo_build(arena, &specs, &graph, NULL) != RY_OK)
        return NULL;
    return graph;
}

/* An all-to-all in classes of equal flows, and rings of nodes, hashed. */
static int run_flows(size_t gpus)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_graph *graph = arena ? three_tiers(arena, 64, gpus) : NULL;
    struct ry_traffic_result all;
    struct ry_traffic_result rings;

    if (!graph)
        return 1;
    const double start = now_s();
    struct ry_router *spread =
        ry_router_create(arena, graph, &(struct ry_router_options){0});
    if (!spread || ry_traffic_all_to_all(arena, spread, &all, NULL) != RY_OK)
        return 1;
    const double middle = now_s();
    struct ry_router *hashed = ry_router_create(
        arena, graph, &(struct ry_router_options){.routing = RY_ROUTE_ECMP});
    if (!hashed ||
        ry_traffic_rates(arena, hashed, RY_TRAFFIC_RINGS, &rings, NULL) != RY_OK)
        return 1;
    printf(
        "%6zu GPUs  %9.0f flows of an all-to-all %.3f s (%.3f MB/s each)  %5.0f of rings "
        "%.3f s\n",
        gpus, all.flows, middle - start, all.mean_bytes_per_s / 1e6, rings.flows,
        now_s() - middle);
    ry_arena_destroy(arena);
    return 0;
}

/* Classes against every flow by itself. */
static int compare_flows(void)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_graph *graph = arena ? three_tiers(arena, 16, 512) : NULL;
    struct ry_traffic_result classes;
    struct ry_traffic_result each;

    if (!graph)
        return 1;
    struct ry_router *spread =
        ry_router_create(arena, graph, &(struct ry_router_options){0});
    if (!spread || ry_traffic_all_to_all(arena, spread, &classes, NULL) != RY_OK ||
        ry_traffic_rates(arena, spread, RY_TRAFFIC_ALL_TO_ALL, &each, NULL) != RY_OK)
        return 1;
    const double off = each.mean_bytes_per_s / classes.mean_bytes_per_s - 1.0;
    printf("   512 GPUs  classes %.6f MB/s, each of %.0f flows %.6f MB/s: off by %.1g\n",
           classes.mean_bytes_per_s / 1e6, each.flows, each.mean_bytes_per_s / 1e6, off);
    ry_arena_destroy(arena);
    return off > -1e-6 && off < 1e-6 ? 0 : 1;
}

int main(void)
{
    static const size_t sizes[] = {8192, 16384, 32768, 65536};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (run(sizes[i]) != 0)
            return 1;
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (run_flows(sizes[i] / 4) != 0)
            return 1;
    }
    return compare_flows();
}
