/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard flows: what rates collectives get on a fabric, by routing. */
#include "cli/topo_input.h"
#include "report/table.h"
#include "topology/traffic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct flows_options {
    struct ry_catalog_sources catalog;
    struct ry_strings failed;
    int format;
    int traffic; /* 0: all of them */
    int routing; /* 0: all of them */
    size_t connections;
    double local_bytes_per_s;
    bool pxn;
};

static const char *const traffic_choices[] = {
    "all", "rings", "trees", "all-to-all", "hierarchical", "halves", "ring", NULL};
static const char *const routing_choices[] = {"all", "adaptive", "ecmp", "static", NULL};

static const struct ry_column columns[] = {
    {.key = "traffic", .title = "traffic"},
    {.key = "routing", .title = "routing"},
    {.key = "flows", .title = "flows", .show = RY_SHOW_COUNT},
    {.key = "least_bytes_per_s", .title = "slowest flow", .show = RY_SHOW_BYTES_PER_S},
    {.key = "mean_bytes_per_s", .title = "mean", .show = RY_SHOW_BYTES_PER_S},
    {.key = "most_bytes_per_s", .title = "fastest", .show = RY_SHOW_BYTES_PER_S},
    {.key = "gpu_bytes_per_s",
     .title = "a GPU at the pace of the slowest",
     .show = RY_SHOW_BYTES_PER_S},
    {.key = "complete", .title = "all pairs", .show = RY_SHOW_BOOL},
    {.key = "note", .title = "note"},
};

/* Flows that are too many to be taken one by one. */
static enum ry_err rates(struct ry_arena *arena, struct ry_router *router, int traffic,
                         struct ry_traffic_result *result, struct ry_diag *diag)
{
    if (traffic == RY_TRAFFIC_ALL_TO_ALL &&
        ry_traffic_all_to_all(arena, router, result, NULL) == RY_OK)
        return RY_OK;
    return ry_traffic_rates(arena, router, (enum ry_traffic)traffic, result, diag);
}

static enum ry_err add_row(const struct flows_options *o,
                           const struct ry_topo_input *input, struct ry_table *table,
                           int traffic, int routing, struct ry_diag *diag)
{
    struct ry_arena *scratch = ry_arena_create(0);
    const struct ry_router_options options = {
        .routing = (enum ry_routing)routing,
        .connections = o->connections,
        .pxn = o->pxn,
        .local_bytes_per_s = o->local_bytes_per_s,
    };
    struct ry_traffic_result r = {0};
    struct ry_diag why = {0};

    struct ry_router *router =
        scratch ? ry_router_create(scratch, input->graph, &options) : NULL;
    const enum ry_err err =
        router ? rates(scratch, router, traffic, &r, &why) : RY_ERR_NOMEM;
    ry_arena_destroy(scratch);
    if (err != RY_OK && err != RY_ERR_RANGE)
        return ry_fail(diag, err, "flows", "%s", why.text);
    const bool ok = err == RY_OK && r.flows > 0.0;
    ry_table_row(
        table, (struct ry_cell[]){
                   RY_TEXT(ry_traffic_names[traffic]), RY_TEXT(ry_routing_names[routing]),
                   RY_NUM(r.flows), RY_NUM(ok ? r.least_bytes_per_s : (double)NAN),
                   RY_NUM(ok ? r.mean_bytes_per_s : (double)NAN),
                   RY_NUM(ok ? r.most_bytes_per_s : (double)NAN),
                   RY_NUM(ok ? r.gpu_bytes_per_s : (double)NAN), RY_NUM(!r.stuck),
                   RY_TEXT(err == RY_ERR_RANGE ? "too many flows" : NULL)});
    return RY_OK;
}

static enum ry_err flows(struct ry_arena *arena, const void *given,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    const struct flows_options *o = given;
    const char *arg = args->at[0];
    struct ry_topo_input input;

    RY_TRY(ry_topo_input_read(arena, arg, &o->catalog, &o->failed, &input, diag));
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));
    if (!table)
        return ry_fail(diag, RY_ERR_NOMEM, "flows", "out of memory");
    for (int traffic = 0; ry_traffic_names[traffic]; traffic++) {
        if (o->traffic != 0 && o->traffic != traffic + 1)
            continue;
        for (int routing = 0; ry_routing_names[routing]; routing++)
            if (o->routing == 0 || o->routing == routing + 1)
                RY_TRY(add_row(o, &input, table, traffic, routing, diag));
    }
    return ry_table_print(table, stdout, (enum ry_table_format)o->format, diag);
}

#define FIELD(field) .offset = offsetof(struct flows_options, field)

static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(struct flows_options, catalog),
    {.kind = RY_OPT_LIST,
     FIELD(failed),
     .name = "fail",
     .value = "DEVICE",
     .help = "take out a device (spine3) or a link (cable:17, label C000017); repeat for "
             "more"},
    {.kind = RY_OPT_CHOICE,
     FIELD(traffic),
     .name = "traffic",
     .value = "KIND",
     .choices = traffic_choices,
     .help = "what is sent"},
    {.kind = RY_OPT_CHOICE,
     FIELD(routing),
     .name = "routing",
     .value = "KIND",
     .choices = routing_choices,
     .help = "how packets find their way"},
    {.kind = RY_OPT_COUNT,
     FIELD(connections),
     .most = 1024,
     .name = "connections",
     .value = "N",
     .help = "queue pairs of a flow, hashed apart (default 1)"},
    {.kind = RY_OPT_QUANTITY,
     FIELD(local_bytes_per_s),
     .dim = RY_DIM_BYTES_PER_S,
     .above_0 = true,
     .name = "local",
     .value = "SPEED",
     .help = "local links of a GPU (default no limit)"},
    {.kind = RY_OPT_FLAG,
     FIELD(pxn),
     .name = "pxn",
     .help = "cross rails inside the node, send on the rail of the target"},
    RY_OPT_FORMAT(struct flows_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_flows = {
    .name = "flows",
    .args = "DESIGN|TEXT",
    .min_args = 1,
    .max_args = 1,
    .summary = "Share a fabric among the flows of collectives: max-min fair rates",
    .example = "railyard flows fat_tree:radix=64,tiers=2,gpus=512 --traffic halves",
    .opts = opts,
    .options_bytes = sizeof(struct flows_options),
    .run = flows,
};
