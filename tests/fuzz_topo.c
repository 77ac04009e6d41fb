/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target of the text form of topologies: whatever is read is planned, and what is
 * small is built and must verify without a fault.  See fuzz_quantity.c. */
#include "topology/family.h"
#include "topology/verify.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINKS_MOST = 20000, PORTS_MOST = 100000, MEMORY_BYTES = 64 << 20 };

/* Small enough to build in a fuzzer. */
static int small(const struct ry_topo_specs *specs)
{
    size_t links = 0;
    size_t ports = 0;

    for (size_t i = 0; i < specs->n; i++) {
        struct ry_topo_plan plan;
        struct ry_topo_spec spec = specs->at[i];
        if (i > 0 && spec.nodes == 0 && spec.gpus == 0)
            return 0;
        if (ry_topo_plan(&spec, &plan, NULL) != RY_OK)
            return 0;
        links += plan.links;
        ports += plan.nodes * plan.ports_per_node;
        for (size_t t = 0; t < plan.tiers; t++) {
            if (plan.tier[t].used > plan.tier[t].switches * plan.tier[t].radix)
                abort();
            ports += plan.tier[t].switches * plan.tier[t].radix;
        }
    }
    return links <= LINKS_MOST && ports <= PORTS_MOST;
}

static void build(const struct ry_topo_specs *specs)
{
    struct ry_arena *arena = ry_arena_create(MEMORY_BYTES);
    struct ry_graph *graph = NULL;
    struct ry_verified verified;
    struct ry_problems *problems = arena ? RY_NEW(arena, struct ry_problems, 1) : NULL;

    if (problems && ry_topo_build(arena, specs, &graph, NULL) == RY_OK &&
        ry_topo_verify(arena, graph, problems, &verified, NULL) == RY_OK &&
        problems->count > 0)
        abort();
    ry_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t most = 512;
    char text[513];
    struct ry_topo_specs *specs = calloc(1, sizeof(*specs));

    if (size <= most && specs) {
        memcpy(text, data, size);
        text[size] = '\0';
        (void)ry_topo_is_text(text);
        if (ry_topo_parse(text, specs, NULL) == RY_OK && small(specs))
            build(specs);
    }
    free(specs);
    return 0;
}
