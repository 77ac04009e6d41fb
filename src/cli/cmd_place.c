/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard place: which groups of a parallelism mix cross which level of a fabric. */
#include "base/names.h"
#include "cli/topo_input.h"
#include "report/table.h"
#include "topology/place.h"

#include <stdio.h>

struct place_options {
    struct ry_catalog_sources catalog;
    int format;
    const char *order;
    size_t tp, pp, dp, cp, ep;
};

static const struct place_options defaults = {.tp = 1, .pp = 1, .cp = 1, .ep = 1};

static const struct ry_column columns[] = {
    {.key = "order", .title = "order"},
    {.key = "dimension", .title = "dimension"},
    {.key = "size", .title = "size", .show = RY_SHOW_COUNT},
    {.key = "groups_in_node", .title = "in a node", .show = RY_SHOW_COUNT},
    {.key = "groups_in_leaf", .title = "one leaf or unit", .show = RY_SHOW_COUNT},
    {.key = "groups_in_pod", .title = "over spines", .show = RY_SHOW_COUNT},
    {.key = "groups_over_core", .title = "over cores", .show = RY_SHOW_COUNT},
    {.key = "suggested", .title = "suggested", .show = RY_SHOW_BOOL},
};

/* What is left for data parallelism when it is not given. */
static enum ry_err sizes(const struct place_options *o, size_t gpus,
                         struct ry_placement *placement, struct ry_diag *diag)
{
    const double others =
        (double)o->tp * (double)o->pp * (double)o->cp; /* may be over SIZE_MAX */

    if (others > (double)gpus)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "placement",
                       "tp %zu x pp %zu x cp %zu = %.0f ranks, the cluster has %zu GPUs",
                       o->tp, o->pp, o->cp, others, gpus);
    const size_t dp = o->dp ? o->dp : gpus / (size_t)others;
    if (dp % o->ep != 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "--ep", "%zu does not divide dp %zu",
                       o->ep, dp);
    placement->size[RY_PLACE_TP] = o->tp;
    placement->size[RY_PLACE_PP] = o->pp;
    placement->size[RY_PLACE_CP] = o->cp;
    placement->size[RY_PLACE_EP] = o->ep;
    placement->size[RY_PLACE_EDP] = dp / o->ep;
    return ry_place_order(o->order, placement, diag);
}

static const char *order_text(struct ry_arena *arena, const struct ry_placement *p)
{
    return ry_strfmt(arena, "%s,%s,%s,%s,%s", ry_place_dim_text(p->order[0]),
                     ry_place_dim_text(p->order[1]), ry_place_dim_text(p->order[2]),
                     ry_place_dim_text(p->order[3]), ry_place_dim_text(p->order[4]));
}

static void add_rows(struct ry_arena *arena, struct ry_table *table,
                     const struct ry_placement *p, const struct ry_place_report *r,
                     bool suggested)
{
    for (size_t i = 0; i < RY_PLACE_DIMS; i++) {
        const enum ry_place_dim dim = p->order[i];
        const size_t *groups = r->groups[dim];
        if (p->size[dim] == 1)
            continue;
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(order_text(arena, p)),
                                               RY_TEXT(ry_place_dim_text(dim)),
                                               RY_NUM((double)p->size[dim]),
                                               RY_NUM((double)groups[RY_PLACE_NODE]),
                                               RY_NUM((double)groups[RY_PLACE_LEAF]),
                                               RY_NUM((double)groups[RY_PLACE_POD]),
                                               RY_NUM((double)groups[RY_PLACE_CORE]),
                                               RY_NUM(suggested)});
    }
}

static enum ry_err place(struct ry_arena *arena, const void *options,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    const struct place_options *o = options;
    const char *arg = args->at[0];
    struct ry_topo_input input;
    struct ry_node_groups nodes;
    struct ry_placement given = {{0}, {0}};
    struct ry_placement best;
    struct ry_place_report report;
    bool better = false;

    RY_TRY(ry_topo_input_read(arena, arg, &o->catalog, NULL, &input, diag));
    const struct ry_device_class *class = &input.graph->classes[0];
    const size_t per_node = class->gpus ? class->gpus : 1;
    RY_TRY(sizes(o, class->count * per_node, &given, diag));
    RY_TRY(ry_graph_groups(arena, input.graph, &nodes, diag));
    RY_TRY(ry_place_count(&nodes, per_node, &given, &report, diag));
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));
    add_rows(arena, table, &given, &report, false);
    RY_TRY(ry_place_best(&nodes, per_node, &given, &best, &better, diag));
    if (better) {
        RY_TRY(ry_place_count(&nodes, per_node, &best, &report, diag));
        add_rows(arena, table, &best, &report, true);
    }
    return ry_table_print(table, stdout, (enum ry_table_format)o->format, diag);
}

#define FIELD(field) .offset = offsetof(struct place_options, field)

static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(struct place_options, catalog),
    {.kind = RY_OPT_COUNT,
     FIELD(tp),
     .name = "tp",
     .value = "N",
     .help = "tensor parallel (default 1)"},
    {.kind = RY_OPT_COUNT,
     FIELD(pp),
     .name = "pp",
     .value = "N",
     .help = "pipeline parallel (default 1)"},
    {.kind = RY_OPT_COUNT,
     FIELD(dp),
     .name = "dp",
     .value = "N",
     .help = "data parallel (default what is left)"},
    {.kind = RY_OPT_COUNT,
     FIELD(cp),
     .name = "cp",
     .value = "N",
     .help = "context parallel (default 1)"},
    {.kind = RY_OPT_COUNT,
     FIELD(ep),
     .name = "ep",
     .value = "N",
     .help = "expert parallel, within dp (default 1)"},
    {.kind = RY_OPT_STRING,
     FIELD(order),
     .name = "order",
     .value = "LIST",
     .help = "fastest first (default tp,cp,ep,dp,pp)"},
    RY_OPT_FORMAT(struct place_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_place = {
    .name = "place",
    .args = "DESIGN|TEXT",
    .min_args = 1,
    .max_args = 1,
    .summary = "Show which parallel groups cross which level, and a better order",
    .example = "railyard place examples/h100-32-ndr-rail.json --tp 8 --pp 4",
    .opts = opts,
    .options_bytes = sizeof(struct place_options),
    .defaults = &defaults,
    .run = place,
};
