/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphviz.  Parallel links are one edge; above so many devices those of one class and
 * unit are one box. */
#include "base/names.h"
#include "report/export.h"

#include <string.h>

enum { DEVICES_MOST = 500 };

struct boxes {
    size_t n;
    uint32_t *of;      /* [devices] box */
    const char **name; /* [n] */
    size_t *count;     /* [n] devices in the box */
    uint16_t *tier;    /* [n] */
};

static bool boxes_create(const struct ry_export_input *in, struct boxes *b)
{
    const struct ry_graph *g = in->graph;
    const bool single = g->n_devices <= DEVICES_MOST;
    size_t last = SIZE_MAX;

    *b = (struct boxes){.of = RY_NEW(in->arena, uint32_t, g->n_devices + 1),
                        .name = RY_NEW(in->arena, const char *, g->n_devices + 1),
                        .count = RY_NEW(in->arena, size_t, g->n_devices + 1),
                        .tier = RY_NEW(in->arena, uint16_t, g->n_devices + 1)};
    if (!b->of || !b->name || !b->count || !b->tier)
        return false;
    for (uint32_t d = 0; d < g->n_devices; d++) {
        const struct ry_device *device = &g->devices[d];
        const bool same = !single && last != SIZE_MAX &&
                          device->of == g->devices[last].of &&
                          device->unit == g->devices[last].unit &&
                          device->plane == g->devices[last].plane;
        if (!same) {
            const struct ry_device_class *class = ry_class_of(g, d);
            b->tier[b->n] = class->tier;
            b->name[b->n++] = single
                                  ? ry_export_device(in, d)
                                  : ry_strfmt(in->arena, "%s of unit %u, plane %u",
                                              class->name, device->unit, device->plane);
        }
        b->of[d] = (uint32_t)b->n - 1;
        b->count[b->n - 1]++;
        last = d;
    }
    return true;
}

static void write_boxes(const struct boxes *b, FILE *out)
{
    uint16_t tiers = 0;

    for (size_t i = 0; i < b->n; i++)
        tiers = b->tier[i] > tiers ? b->tier[i] : tiers;
    for (uint16_t t = 0; t <= tiers; t++) {
        (void)fputs("  {rank=same;", out);
        for (size_t i = 0; i < b->n; i++) {
            if (b->tier[i] != t)
                continue;
            if (b->count[i] > 1)
                (void)fprintf(out, " \"%s\" [label=\"%zu x %s\"];", b->name[i],
                              b->count[i], b->name[i]);
            else
                (void)fprintf(out, " \"%s\";", b->name[i]);
        }
        (void)fputs("}\n", out);
    }
}

/* The edges of one box: to which boxes, over how many links of what kind. */
struct edges {
    const struct ry_graph *graph;
    size_t *links;               /* [boxes] links to each; zero between two uses */
    const struct ry_link **link; /* [boxes] the first of them */
    uint32_t *peer;              /* [boxes] in the order in which they were met */
    size_t n;
};

/* Each pair of boxes stands once: with the one of the two that comes first. */
static void count_device(const struct boxes *b, uint32_t device, struct edges *e)
{
    const struct ry_graph *g = e->graph;

    for (uint32_t i = 0; i < g->devices[device].ports; i++) {
        const uint32_t port = g->devices[device].first_port + i;
        const uint32_t cable = g->ports[port].cable;
        if (cable == RY_NONE)
            continue;
        const struct ry_link *link = &g->links[cable];
        if (link->down)
            continue;
        const uint32_t far = link->port[link->port[0] == port];
        const uint32_t peer = b->of[g->ports[far].device];
        if (peer <= b->of[device])
            continue;
        if (e->links[peer]++ == 0) {
            e->link[peer] = link;
            e->peer[e->n++] = peer;
        }
    }
}

static void write_edges(const struct boxes *b, size_t box, struct edges *e, FILE *out)
{
    static const double wide = 4.0;

    for (size_t i = 0; i < e->n; i++) {
        const uint32_t peer = e->peer[i];
        const size_t links = e->links[peer];
        (void)fprintf(out, "  \"%s\" -- \"%s\" [label=\"%zu x %.12g Gb/s %s\"",
                      b->name[box], b->name[peer], links,
                      e->link[peer]->bytes_per_s * 8e-9,
                      ry_media_text(e->graph->levels[e->link[peer]->level].media));
        if (links > 1)
            (void)fprintf(out, ", penwidth=%.3g",
                          links >= 16 ? wide : 1.0 + (double)links / 5.0);
        (void)fputs("];\n", out);
        e->links[peer] = 0;
    }
    e->n = 0;
}

static enum ry_err write_dot(const struct ry_export_input *in, FILE *out,
                             struct ry_diag *diag)
{
    struct boxes b;
    const size_t devices = in->graph->n_devices;
    struct edges edges = {.graph = in->graph,
                          .links = RY_NEW(in->arena, size_t, devices + 1),
                          .link = RY_NEW(in->arena, const struct ry_link *, devices + 1),
                          .peer = RY_NEW(in->arena, uint32_t, devices + 1)};

    if (!edges.links || !edges.link || !edges.peer || !boxes_create(in, &b))
        return ry_export_no_memory(diag);
    (void)fputs("graph fabric {\n  graph [rankdir=BT]; node [shape=box];\n", out);
    write_boxes(&b, out);
    for (uint32_t d = 0; d < devices; d++) {
        count_device(&b, d, &edges);
        if (d + 1 == devices || b.of[d + 1] != b.of[d])
            write_edges(&b, b.of[d], &edges, out);
    }
    (void)fputs("}\n", out);
    return RY_OK;
}

const struct ry_export ry_export_dot = {
    .name = "dot",
    .summary = "Graphviz, parallel links merged",
    .leaves_out_failed = true,
    .write = write_dot,
};
