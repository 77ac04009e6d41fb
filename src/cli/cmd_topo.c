/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard topo, railyard check: the structure of a fabric, and its verification. */
#include "base/names.h"
#include "cli/topo_input.h"
#include "cli/topo_list.h"
#include "io/fabric_match.h"
#include "io/file.h"
#include "plan/layout.h"
#include "report/pic_topology.h"
#include "report/topo.h"
#include "topology/measure.h"
#include "topology/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct topo_options {
    struct ry_catalog_sources catalog;
    struct ry_strings failed;
    const char *against; /* check only: what ibnetdiscover found */
    bool fabric_only;    /* check only */
    const char *plot;    /* topo only */
    int format;
};

enum { DUMP_BYTES_MOST = 256 << 20 };

/* Arc visits for distances: about a second. */
static const size_t distance_work = 200000000;
/* Above so many arcs the flow between halves is not sought. */
static const size_t flow_arcs = 400000;

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "topology", "out of memory");
}

/* Of two tiers that are not to grow: spines as built, and as few as have the ports. */
static void count_spines(const struct ry_topo_input *input, struct ry_topo_report *report)
{
    const struct ry_graph *g = input->graph;
    const struct ry_topo_spec *spec = &input->specs.at[0];
    const struct ry_device_class *leaves = &g->classes[1];
    const struct ry_device_class *spines = &g->classes[2];

    if (g->n_classes < 3 || g->n_levels < 2 || spec->grow > 0 || leaves->tier != 1 ||
        spines->tier != 2 || (g->n_classes > 3 && g->classes[3].tier > 2) ||
        leaves->count == 0 || spines->count == 0 || g->fabrics[0].planes == 0)
        return;
    const size_t planes = g->fabrics[0].planes;
    const size_t links = g->levels[1].count / planes;
    const size_t ports = g->devices[spines->first].ports;
    report->spines = spines->count / planes;
    report->spines_least = (links + ports - 1) / ports;
    report->leaf_up = g->levels[1].count / leaves->count;
}

static enum ry_err verify(struct ry_arena *arena, const struct ry_topo_input *input,
                          struct ry_topo_report *report, struct ry_diag *diag)
{
    struct ry_problems *faults = RY_NEW(arena, struct ry_problems, 1);
    struct ry_verified *verified = RY_NEW(arena, struct ry_verified, 1);
    const struct ry_graph *graph = input->graph;

    if (!faults || !verified)
        return no_memory(diag);
    RY_TRY(ry_topo_verify(arena, graph, faults, verified, diag));
    *report = (struct ry_topo_report){
        .name = input->name,
        .graph = graph,
        .failed_links = input->failed_links,
        .verified = verified,
        .asked_ratio = input->design ? input->design->fabric.oversubscription : 0.0,
        .faults = faults};
    count_spines(input, report);
    report->nodes = graph->classes[0].count;
    report->gpus = report->nodes * graph->classes[0].gpus;
    return RY_OK;
}

static enum ry_err measure(struct ry_arena *arena, struct ry_topo_report *report,
                           struct ry_diag *diag)
{
    for (size_t f = 0; f < report->graph->n_fabrics; f++) {
        struct ry_fabric_report *r = &report->fabric[f];
        const struct ry_adjacency *a = ry_adjacency_create(arena, report->graph, f);
        if (!a)
            return no_memory(diag);
        RY_TRY(ry_measure_distances(arena, a, distance_work, &r->distances, diag));
        RY_TRY(ry_measure_diversity(arena, a, &r->diversity, diag));
        r->halves_bytes_per_s = (double)NAN;
        if (a->arcs <= flow_arcs)
            RY_TRY(ry_measure_halves(arena, report->graph, f, a, &r->halves_bytes_per_s,
                                     diag));
    }
    return RY_OK;
}

static enum ry_err plot(struct ry_arena *arena, const struct ry_graph *graph,
                        const char *path, struct ry_diag *diag)
{
    const struct ry_picture picture = ry_topology_picture(arena, graph);

    return picture.width > 0.0 ? ry_picture_write(&picture, path, diag) : no_memory(diag);
}

static enum ry_err topo(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct topo_options *options = given;
    const char *arg = args->at[0];
    struct ry_topo_input input;
    struct ry_topo_report report;

    if (strcmp(arg, "list") == 0)
        return ry_topo_list_print(arena, (enum ry_table_format)options->format, diag);
    RY_TRY(ry_topo_input_read(arena, arg, &options->catalog, &options->failed, &input,
                              diag));
    RY_TRY(verify(arena, &input, &report, diag));
    RY_TRY(measure(arena, &report, diag));
    if (options->plot)
        RY_TRY(plot(arena, input.graph, options->plot, diag));
    return ry_topo_report_print(arena, &report, (enum ry_table_format)options->format,
                                diag);
}

/* Differences from the plan are faults like any other. */
static enum ry_err match(struct ry_arena *arena, const struct ry_topo_input *input,
                         const char *path, struct ry_topo_report *report,
                         struct ry_diag *diag)
{
    struct ry_fabric_matched matched;
    struct ry_ib_fabric fabric;
    struct ry_text text;

    RY_TRY(ry_file_read(arena, path, DUMP_BYTES_MOST, &text, diag));
    RY_TRY(ry_ibnet_parse(arena, path, text.data, text.bytes, &fabric, diag));
    RY_TRY(ry_fabric_rename(arena, &fabric, input->names, input->n_names, diag));
    return ry_fabric_match(arena, input->graph, &fabric, report->faults, &matched, diag);
}

/* The site of the design, laid out as planned: what racks, power, cooling or cables say
 * no to. */
static enum ry_err check_site(struct ry_arena *arena, const struct ry_topo_input *input,
                              struct ry_topo_report *report, struct ry_diag *diag)
{
    const struct ry_facility_options options = ry_facility_defaults();
    struct ry_layout *layout = RY_NEW(arena, struct ry_layout, 1);
    struct ry_diag why = {0};

    if (!layout)
        return no_memory(diag);
    const enum ry_err err =
        ry_layout_make(arena, input->catalog, input->design, &options, layout, &why);
    if (err == RY_ERR_NOMEM)
        return no_memory(diag);
    if (err != RY_OK) {
        ry_problem(report->faults, RY_ERR_NO, why.where,
                   "%s; --fabric-only leaves the site out", why.text);
        report->site = ry_strfmt(arena, "not laid out: %s: %s", why.where, why.text);
        return RY_OK;
    }
    report->site =
        ry_strfmt(arena, "%zu racks, circuits, feeds, cooling and cables checked",
                  layout->facility.racks.racks_n);
    return ry_layout_faults(arena, layout, report->faults);
}

static enum ry_err check(struct ry_arena *arena, const void *given,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    const struct topo_options *options = given;
    const char *arg = args->at[0];
    struct ry_topo_input input;
    struct ry_topo_report report;

    RY_TRY(ry_topo_input_read(arena, arg, &options->catalog, &options->failed, &input,
                              diag));
    RY_TRY(verify(arena, &input, &report, diag));
    if (input.design && !options->fabric_only)
        RY_TRY(check_site(arena, &input, &report, diag));
    if (options->against)
        RY_TRY(match(arena, &input, options->against, &report, diag));
    RY_TRY(
        ry_topo_check_print(arena, &report, (enum ry_table_format)options->format, diag));
    if (report.faults->count == 0)
        return RY_OK;
    return ry_fail(diag, RY_ERR_NO, arg, "%zu fault%s", report.faults->count,
                   report.faults->count == 1 ? "" : "s");
}

#define OPTS_COMMON                                                                      \
    RY_OPTS_CATALOG(struct topo_options, catalog),                                       \
        {.kind = RY_OPT_LIST,                                                            \
         .offset = offsetof(struct topo_options, failed),                                \
         .name = "fail",                                                                 \
         .value = "DEVICE",                                                              \
         .help =                                                                         \
             "take out a device (spine3) or a link (cable:17, label C000017); repeat "   \
             "for more"},                                                                \
        RY_OPT_FORMAT(struct topo_options)

static const struct ry_opt topo_opts[] = {
    OPTS_COMMON,
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct topo_options, plot),
     .name = "plot",
     .value = "FILE",
     .help = "draw it to a .svg, .pdf or .png file too"},
    {.kind = RY_OPT_END},
};

static const struct ry_opt check_opts[] = {
    OPTS_COMMON,
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct topo_options, against),
     .name = "against",
     .value = "FILE",
     .help = "compare the plan with what ibnetdiscover found"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct topo_options, fabric_only),
     .name = "fabric-only",
     .help = "leave out racks, power, cooling and cable products of a design"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_topo = {
    .name = "topo",
    .args = "DESIGN|TEXT|list",
    .min_args = 1,
    .max_args = 1,
    .summary = "Print the structure of a fabric: switches, ports, cables, distances",
    .example = "railyard topo fat_tree:radix=64,tiers=2,gpus=2048",
    .opts = topo_opts,
    .options_bytes = sizeof(struct topo_options),
    .run = topo,
};

const struct ry_cmd cmd_check = {
    .name = "check",
    .args = "DESIGN|TEXT",
    .min_args = 1,
    .max_args = 1,
    .summary =
        "Verify a fabric port by port, its cuts and failures, and the site of a design",
    .example = "railyard check examples/h100-32-ndr-rail.json",
    .opts = check_opts,
    .options_bytes = sizeof(struct topo_options),
    .run = check,
};
