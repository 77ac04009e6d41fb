/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cable list with labels for both ends. */
#include "report/export.h"

#include <string.h>

static enum ry_err write_cables(const struct ry_export_input *in, FILE *out,
                                struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;

    (void)diag;
    (void)fputs("cable,fabric,level,a_device,a_port,b_device,b_port,speed_gbit_s,media,"
                "label_a,label_b\n",
                out);
    for (size_t l = 0; l < g->n_links; l++) {
        const struct ry_level *level = &g->levels[g->links[l].level];
        const char *device[2];
        const char *port[2];
        for (int end = 0; end < 2; end++) {
            device[end] = ry_export_device(in, ry_link_device(g, l, end));
            port[end] = ry_export_port(in, g->links[l].port[end]);
        }
        const char *at[2];
        for (int end = 0; end < 2; end++) {
            const char *space = strchr(port[end], ' ');
            at[end] = space ? space + 1 : port[end];
        }
        (void)fprintf(out, "C%06zu,%s,%s,%s,%s,%s,%s,%.12g,%s,%s > %s,%s > %s\n", l + 1,
                      level->fabric, level->name, device[0], at[0], device[1], at[1],
                      g->links[l].bytes_per_s * 8e-9, ry_media_text(level->media),
                      port[0], port[1], port[1], port[0]);
    }
    return RY_OK;
}

const struct ry_export ry_export_cables = {
    .name = "cables",
    .summary = "cable list with labels for both ends, CSV",
    .write = write_cables,
};
