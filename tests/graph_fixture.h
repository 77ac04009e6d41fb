/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Graphs built from the text of a topology, in an arena a test.
 */
#ifndef RY_TESTS_GRAPH_FIXTURE_H
#define RY_TESTS_GRAPH_FIXTURE_H

#include "topology/family.h"

#include "unit.h"

static struct ry_arena *arena;

static inline void set_up(void)
{
    arena = ry_arena_create(0);
}

static inline void tear_down(void)
{
    ry_arena_destroy(arena);
}

static inline enum ry_err build_text(const char *text, struct ry_graph **graph,
                                     struct ry_diag *diag)
{
    struct ry_topo_specs specs;

    RY_TRY(ry_topo_parse(text, &specs, diag));
    return ry_topo_build(arena, &specs, graph, diag);
}

static inline struct ry_graph *built(const char *text)
{
    struct ry_graph *graph = NULL;
    struct ry_diag diag = {0};

    ck_assert_msg(build_text(text, &graph, &diag) == RY_OK, "%s: %s: %s", text,
                  diag.where, diag.text);
    return graph;
}

#endif
