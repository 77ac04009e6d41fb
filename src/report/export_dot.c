/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphviz.  Parallel links are one edge; above so many devices those of one class and
 * unit are one box. */
#include "base/names.h"
#include "report/export.h"

#include <string.h>

enum { DEVICES_MOST = 500 };

struct boxes {
    size_t n;
    uint32_t *of;     /* [devices] box */
    const char **name; /* [n] */
    size_t *count;    /* [n] devices in the box */
    uint16_t *tier;   /* [n] */
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
        const bool same = !single && last != SIZE_MAX && device->of == g->devices[last].of &&
                          device->unit == g->devices[last].unit &&
                          device->plane == g->devices[last].plane;
        if (!same) {
            const struct ry_device_class *class = ry_class_of(g, d);
            b->tier[b->n] = class->tier;
            b->name[b->n++] =
                single ? ry_export_device(in, d)
                       : ry_strfmt(in->arena, "%s of unit %u, plane %u", class->name,
                                   device->unit, device->plane);
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
                (void)fprintf(out, " \"%s\" [label=\"%zu x %s\"];", b->name[i], b->count[i],
                              b->name[i]);
            else
                (void)fprintf(out, " \"%s\";", b->name[i]);
        }
        (void)fputs("}\n", out);
    }
}

/* Edges from the devices of one box, each pair once. */
static void write_edges(const struct ry_export_input *in, const struct boxes *b, size_t box,
                        uint32_t first, uint32_t last, size_t count[], FILE *out)
{
    const struct ry_graph *g = in->graph;
    static const double wide = 4.0;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t d = first; d <= last; d++) {
            for (uint32_t i = 0; i < g->devices[d].ports; i++) {
                const uint32_t port = g->devices[d].first_port + i;
                const uint32_t cable = g->ports[port].cable;
                if (cable == RY_NONE)
                    continue;
                const struct ry_link *link = &g->links[cable];
                const uint32_t far = link->port[link->port[0] == port];
                const uint32_t peer = b->of[g->ports[far].device];
                if (peer <= box) /* written from the other side, or within the box */
                    continue;
                if (pass == 0) {
                    count[peer]++;
                } else if (count[peer] > 0) {
                    (void)fprintf(out, "  \"%s\" -- \"%s\" [label=\"%zu x %.12g Gb/s %s\"",
                                  b->name[box], b->name[peer], count[peer],
                                  link->bytes_per_s * 8e-9,
                                  ry_media_text(g->levels[link->level].media));
                    if (count[peer] > 1)
                        (void)fprintf(out, ", penwidth=%.3g",
                                      count[peer] >= 16 ? wide
                                                        : 1.0 + (double)count[peer] / 5.0);
                    (void)fputs("];\n", out);
                    count[peer] = 0;
                }
            }
        }
    }
}

static enum ry_err write_dot(const struct ry_export_input *in, FILE *out,
                             struct ry_diag *diag)
{
    struct boxes b;
    size_t *count = RY_NEW(in->arena, size_t, in->graph->n_devices + 1);

    if (!count || !boxes_create(in, &b))
        return ry_export_no_memory(diag);
    (void)fputs("graph fabric {\n  graph [rankdir=BT]; node [shape=box];\n", out);
    write_boxes(&b, out);
    for (uint32_t first = 0; first < in->graph->n_devices;) {
        uint32_t last = first;
        while (last + 1 < in->graph->n_devices && b.of[last + 1] == b.of[first])
            last++;
        write_edges(in, &b, b.of[first], first, last, count, out);
        first = last + 1;
    }
    (void)fputs("}\n", out);
    return RY_OK;
}

const struct ry_export ry_export_dot = {
    .name = "dot",
    .summary = "Graphviz, parallel links merged",
    .write = write_dot,
};
