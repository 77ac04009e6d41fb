/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/topo.h"

#include "base/names.h"
#include "report/free_ports.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct ry_column device_columns[] = {
    {.key = "device", .title = "device"},
    {.key = "kind", .title = "kind"},
    {.key = "fabric", .title = "fabric"},
    {.key = "tier", .show = RY_SHOW_COUNT},
    {.key = "count", .title = "count", .show = RY_SHOW_COUNT},
    {.key = "ports_each", .title = "ports each", .show = RY_SHOW_COUNT},
    {.key = "ports_used", .title = "used", .show = RY_SHOW_COUNT},
    {.key = "ports_free", .title = "free", .show = RY_SHOW_COUNT},
    {.key = "cages", .title = "cages", .show = RY_SHOW_COUNT},
    {.key = "cages_used", .title = "cages used", .show = RY_SHOW_COUNT},
};

static const struct ry_column level_columns[] = {
    {.key = "cables_of", .title = "cables"},
    {.key = "fabric", .title = "fabric"},
    {.key = "links", .title = "links", .show = RY_SHOW_COUNT},
    {.key = "cables", .title = "cables", .show = RY_SHOW_COUNT},
    {.key = "bytes_per_s", .title = "speed", .show = RY_SHOW_BITS_PER_S},
    {.key = "media", .title = "media"},
    {.key = "links_down", .title = "down", .show = RY_SHOW_COUNT},
};

static const struct ry_column fabric_columns[] = {
    {.key = "fabric", .title = "fabric"},
    {.key = "family", .title = "family"},
    {.key = "parts", .title = "parts", .show = RY_SHOW_COUNT},
    {.key = "endpoint_ports", .title = "node ports", .show = RY_SHOW_COUNT},
    {.key = "oversubscription", .title = "oversubscribed", .show = RY_SHOW_NUMBER},
    {.key = "oversubscription_above", .title = "above", .show = RY_SHOW_NUMBER},
    {.key = "bisection_bytes_per_s", .title = "bisection", .show = RY_SHOW_BYTES_PER_S},
    {.key = "halves_bytes_per_s", .title = "between halves", .show = RY_SHOW_BYTES_PER_S},
    {.key = "diameter_links", .title = "diameter", .show = RY_SHOW_COUNT},
    {.key = "mean_links", .title = "mean links", .show = RY_SHOW_NUMBER},
    {.key = "distances_sampled", .show = RY_SHOW_BOOL},
    {.key = "shortest_paths", .title = "paths", .show = RY_SHOW_COUNT},
    {.key = "disjoint_paths", .title = "disjoint", .show = RY_SHOW_COUNT},
    {.key = "joined_frac", .show = RY_SHOW_FRACTION},
    {.key = "survives_link", .title = "survives link", .show = RY_SHOW_BOOL},
    {.key = "survives_switch", .title = "switch", .show = RY_SHOW_BOOL},
};

static const struct ry_column check_columns[] = {
    {.key = "fabric", .title = "fabric"},
    {.key = "what", .title = "what"},
    {.key = "stated", .title = "stated", .show = RY_SHOW_NUMBER},
    {.key = "measured", .title = "measured", .show = RY_SHOW_NUMBER},
};

static const struct ry_column fault_columns[] = {
    {.key = "where", .title = "fault"},
    {.key = "text", .title = "what is wrong", .wrap = true},
};

/* Ports in use of a device, and cages with at least one of them. */
static void count_ports(const struct ry_graph *g, uint32_t device, unsigned per_cage,
                        size_t *used, size_t *cages_used)
{
    const struct ry_device *d = &g->devices[device];
    uint32_t last = RY_NONE;

    for (uint32_t i = 0; i < d->ports; i++) {
        if (g->ports[d->first_port + i].cable == RY_NONE)
            continue;
        (*used)++;
        if (i / per_cage != last) {
            last = i / per_cage;
            (*cages_used)++;
        }
    }
}

static struct ry_table *devices_table(struct ry_arena *arena, const struct ry_graph *g)
{
    struct ry_table *table =
        ry_table_create(arena, device_columns, COUNT(device_columns));

    for (size_t c = 0; c < g->n_classes; c++) {
        const struct ry_device_class *class = &g->classes[c];
        const unsigned per_cage = class->ports_per_cage ? class->ports_per_cage : 1;
        size_t used = 0, cages_used = 0;
        size_t ports = 0, cages = 0;
        for (uint32_t d = class->first; d < class->first + class->count; d++) {
            ports += g->devices[d].ports;
            cages += (g->devices[d].ports + per_cage - 1) / per_cage;
            count_ports(g, d, per_cage, &used, &cages_used);
        }
        ry_table_row(
            table, (struct ry_cell[]){
                       RY_TEXT(class->name), RY_TEXT(ry_device_kind_text(class->kind)),
                       RY_TEXT(class->fabric), RY_NUM(class->tier), RY_NUM(class->count),
                       RY_NUM(class->count ? (double)ports / class->count : 0.0),
                       RY_NUM((double)used), RY_NUM((double)(ports - used)),
                       RY_NUM((double)cages), RY_NUM((double)cages_used)});
    }
    return table;
}

static struct ry_table *levels_table(struct ry_arena *arena, const struct ry_graph *g)
{
    struct ry_table *table = ry_table_create(arena, level_columns, COUNT(level_columns));

    for (size_t l = 0; l < g->n_levels; l++) {
        const struct ry_level *level = &g->levels[l];
        double bytes_per_s = (double)NAN;
        size_t down = 0;
        for (size_t i = 0; i < g->n_links; i++) {
            if (g->links[i].level == l) {
                bytes_per_s = g->links[i].bytes_per_s;
                down += g->links[i].down;
            }
        }
        const unsigned per = level->links_per_cable ? level->links_per_cable : 1;
        ry_table_row(
            table, (struct ry_cell[]){
                       RY_TEXT(level->name), RY_TEXT(level->fabric), RY_NUM(level->count),
                       RY_NUM((level->count + per - 1) / per), RY_NUM(bytes_per_s),
                       RY_TEXT(ry_media_text(level->media)), RY_NUM((double)down)});
    }
    return table;
}

/* Nothing where nothing is stated. */
static double or_nan(double value)
{
    return value > 0.0 ? value : (double)NAN;
}

static struct ry_table *fabrics_table(struct ry_arena *arena,
                                      const struct ry_topo_report *report)
{
    struct ry_table *table =
        ry_table_create(arena, fabric_columns, COUNT(fabric_columns));

    for (size_t f = 0; f < report->graph->n_fabrics; f++) {
        const struct ry_fabric *fabric = &report->graph->fabrics[f];
        const struct ry_fabric_report *r = &report->fabric[f];
        const struct ry_fabric_measured *m = &report->verified->fabric[f];
        const double exact = report->failed_links ? 0.0 : fabric->bisection_bytes_per_s;
        ry_table_row(table,
                     (struct ry_cell[]){
                         RY_TEXT(fabric->name), RY_TEXT(fabric->family),
                         RY_NUM((double)m->components), RY_NUM((double)m->endpoint_ports),
                         RY_NUM(or_nan(m->cut[0])), RY_NUM(or_nan(m->cut[1])),
                         RY_NUM(or_nan(exact)), RY_NUM(r->halves_bytes_per_s),
                         RY_NUM((double)r->distances.diameter_links),
                         RY_NUM(r->distances.mean_links), RY_NUM(r->distances.sampled),
                         RY_NUM(or_nan(r->diversity.shortest_paths)),
                         RY_NUM(or_nan((double)r->diversity.disjoint_links)),
                         RY_NUM(r->distances.joined_frac), RY_NUM(m->survives_link),
                         RY_NUM(m->survives_switch)});
    }
    return table;
}

static size_t switches_of(const struct ry_graph *g)
{
    size_t n = 0;

    for (size_t c = 0; c < g->n_classes; c++) {
        const enum ry_device_kind kind = g->classes[c].kind;
        if (kind == RY_DEVICE_SWITCH || kind == RY_DEVICE_NVSWITCH)
            n += g->classes[c].count;
    }
    return n;
}

static size_t cables_of(const struct ry_graph *g)
{
    size_t n = 0;

    for (size_t l = 0; l < g->n_levels; l++) {
        const unsigned per =
            g->levels[l].links_per_cable ? g->levels[l].links_per_cable : 1;
        n += (g->levels[l].count + per - 1) / per;
    }
    return n;
}

static void put_list(const char *key, const struct ry_table *table, const char *after)
{
    printf("  \"%s\": ", key);
    ry_table_print_json(table, stdout, 2);
    fputs(after, stdout);
}

static void put_counts(const struct ry_topo_report *r)
{
    const struct ry_graph *g = r->graph;

    fputs("{\n  \"name\": ", stdout);
    ry_json_put_text(stdout, r->name);
    fputs(",\n  \"family\": ", stdout);
    ry_json_put_text(stdout, g->fabrics[0].family);
    printf(",\n  \"gpus\": %zu,\n  \"nodes\": %zu,\n  \"switches\": %zu,\n"
           "  \"links\": %zu,\n  \"cables\": %zu,\n  \"ports\": %zu,\n"
           "  \"ports_used\": %zu,\n  \"ports_free\": %zu,\n  \"links_down\": %zu,\n",
           r->gpus, r->nodes, switches_of(g), g->n_links, cables_of(g), g->n_ports,
           r->verified->ports_used, r->verified->ports_free, r->verified->links_down);
}

/* Of a board, and where accelerators are routers, the graph does not say which share a
 * node. */
static void put_line(const struct ry_topo_report *r)
{
    printf("%s: %zu GPUs", r->name, r->gpus);
    if (r->graph->classes[0].kind == RY_DEVICE_NODE && !ry_graph_transits(r->graph, 0))
        printf(" in %zu node%s", r->nodes, r->nodes == 1 ? "" : "s");
    printf(", %zu switch%s, %zu links in %zu cables, %zu of %zu ports used\n",
           switches_of(r->graph), switches_of(r->graph) == 1 ? "" : "es",
           r->graph->n_links, cables_of(r->graph), r->verified->ports_used,
           r->graph->n_ports);
}

/* Why more goes up than was asked: leaves are cabled as if full. */
static void put_uplinks_note(const struct ry_topo_report *r)
{
    const double cut = r->graph->n_fabrics > 0 ? r->verified->fabric[0].cut[0] : 0.0;

    if (cut > 0.0 && cut < r->asked_ratio * (1.0 - 1e-9))
        printf("\n%s: %.3g:1 asked, %.3g:1 built: every uplink is cabled as for full "
               "leaves, "
               "so that spines stay balanced; node ports of the leaves are free\n",
               r->graph->fabrics[0].name, r->asked_ratio, cut);
}

/* Why so many spines: equal links from every leaf, whose uplinks divide by few
 * numbers. */
static void put_spines_note(const struct ry_topo_report *r)
{
    if (r->spines_least > 0 && r->spines >= 2 * r->spines_least)
        printf(
            "\n%zu spines where %zu have the ports: %zu uplinks of a leaf are spread "
            "evenly; another oversubscription (or down=, up=, policy=min) takes fewer\n",
            r->spines, r->spines_least, r->leaf_up);
}

enum ry_err ry_topo_report_print(struct ry_arena *arena, const struct ry_topo_report *r,
                                 enum ry_table_format format, struct ry_diag *diag)
{
    const struct ry_table *devices = devices_table(arena, r->graph);
    const struct ry_table *levels = levels_table(arena, r->graph);
    const struct ry_table *fabrics = fabrics_table(arena, r);
    const struct ry_table *free_ports = ry_free_ports_table(arena, r->graph);
    const struct ry_table *all[] = {devices, levels, fabrics, free_ports};

    if (!devices || !levels || !fabrics || !free_ports)
        return ry_fail(diag, RY_ERR_NOMEM, "topo", "out of memory");
    if (format == RY_TABLE_JSON) {
        put_counts(r);
        put_list("devices", devices, ",\n");
        put_list("cables_by_level", levels, ",\n");
        put_list("fabrics", fabrics, ",\n");
        put_list("ports_left_free", free_ports, "\n}\n");
        return RY_OK;
    }
    if (ry_table_for_people(format))
        put_line(r);
    for (size_t i = 0; i < COUNT(all); i++) {
        if (i == COUNT(all) - 1 && ry_table_rows(all[i]) == 0)
            break;
        if (i > 0 || ry_table_for_people(format))
            fputs("\n", stdout);
        RY_TRY(ry_table_print(all[i], stdout, format, diag));
    }
    if (!ry_table_for_people(format))
        return RY_OK;
    put_uplinks_note(r);
    put_spines_note(r);
    return RY_OK;
}

static void check_row(struct ry_table *table, const char *fabric, const char *what,
                      double stated, double measured)
{
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(fabric), RY_TEXT(what), RY_NUM(stated),
                                           RY_NUM(measured)});
}

static struct ry_table *check_table(struct ry_arena *arena,
                                    const struct ry_topo_report *r)
{
    struct ry_table *table = ry_table_create(arena, check_columns, COUNT(check_columns));

    for (size_t f = 0; f < r->graph->n_fabrics; f++) {
        const struct ry_fabric *s = &r->graph->fabrics[f];
        const struct ry_fabric_measured *m = &r->verified->fabric[f];
        check_row(table, s->name, "separate parts", (double)s->planes,
                  (double)m->components);
        check_row(table, s->name, "node ports", (double)s->endpoint_ports,
                  (double)m->endpoint_ports);
        check_row(table, s->name, "oversubscription", or_nan(s->cut[0]),
                  or_nan(m->cut[0]));
        check_row(table, s->name, "oversubscription above", or_nan(s->cut[1]),
                  or_nan(m->cut[1]));
        check_row(table, s->name, "survives any link", s->survives_link,
                  m->survives_link);
        check_row(table, s->name, "the rest survives any switch", s->survives_switch,
                  m->survives_switch);
        check_row(table, s->name, "node ports on one switch", (double)NAN,
                  (double)m->own_of_switch);
        check_row(table, s->name, "nodes that one switch cuts off", (double)NAN,
                  (double)m->nodes_of_switch);
    }
    return table;
}

static struct ry_table *fault_table(struct ry_arena *arena, const struct ry_problems *p)
{
    struct ry_table *table = ry_table_create(arena, fault_columns, COUNT(fault_columns));

    for (size_t i = 0; i < p->count && i < RY_PROBLEMS_KEPT; i++)
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(p->diags[i].where),
                                               RY_TEXT(p->diags[i].text)});
    return table;
}

enum ry_err ry_topo_check_print(struct ry_arena *arena, const struct ry_topo_report *r,
                                enum ry_table_format format, struct ry_diag *diag)
{
    const struct ry_table *checks = check_table(arena, r);
    const struct ry_table *faults = fault_table(arena, r->faults);

    if (!checks || !faults)
        return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
    if (format == RY_TABLE_JSON) {
        put_counts(r);
        printf("  \"ok\": %s,\n  \"fault_count\": %zu,\n  \"site\": ",
               r->faults->count == 0 ? "true" : "false", r->faults->count);
        ry_json_put_text(stdout, r->site);
        fputs(",\n", stdout);
        put_list("faults", faults, ",\n");
        put_list("checks", checks, "\n}\n");
        return RY_OK;
    }
    if (ry_table_for_people(format)) {
        put_line(r);
        fputs("\n", stdout);
    }
    RY_TRY(ry_table_print(checks, stdout, format, diag));
    if (r->faults->count > 0) {
        fputs("\n", stdout);
        RY_TRY(ry_table_print(faults, stdout, format, diag));
    }
    if (ry_table_for_people(format))
        put_uplinks_note(r);
    if (ry_table_for_people(format) && r->site)
        printf("\nsite: %s\n", r->site);
    if (ry_table_for_people(format))
        printf("\n%s: %zu fault%s\n", r->faults->count == 0 ? "sound" : "not sound",
               r->faults->count, r->faults->count == 1 ? "" : "s");
    return RY_OK;
}
