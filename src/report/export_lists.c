/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cable list with labels for both ends; NetBox devices and cables, CSV for bulk import
 * (column names of NetBox 4: dcim device and cable import forms). */
#include "base/names.h"
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
                      g->links[l].bytes_per_s * 8e-9, ry_media_text(level->media), port[0],
                      port[1], port[1], port[0]);
    }
    return RY_OK;
}

const struct ry_export ry_export_cables = {
    .name = "cables",
    .summary = "cable list with labels for both ends, CSV",
    .write = write_cables,
};

static const char *role_of(enum ry_device_kind kind)
{
    return kind == RY_DEVICE_NODE || kind == RY_DEVICE_GPU ? "gpu-node"
           : kind == RY_DEVICE_MANAGER                     ? "fabric-manager"
                                                           : "network-switch";
}

static enum ry_err write_devices(const struct ry_export_input *in, FILE *out,
                                 struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;

    (void)diag;
    (void)fputs("name,role,manufacturer,device_type,status,site\n", out);
    for (uint32_t d = 0; d < g->n_devices; d++) {
        const struct ry_device_class *class = ry_class_of(g, d);
        (void)fprintf(out, "%s,%s,generic,%s-%u,planned,site1\n", ry_export_device(in, d),
                      role_of(class->kind), class->name, g->devices[d].ports);
    }
    return RY_OK;
}

const struct ry_export ry_export_netbox_devices = {
    .name = "netbox-devices",
    .summary = "devices for NetBox bulk import, CSV",
    .write = write_devices,
};

/* NetBox cable types, by media. */
static const char *cable_type(enum ry_media media)
{
    switch (media) {
    case RY_MEDIA_FIBRE:
        return "mmf-om4";
    case RY_MEDIA_COPPER:
    case RY_MEDIA_BACKPLANE:
        return "dac-passive";
    case RY_MEDIA_CAT6:
        return "cat6";
    }
    return "";
}

static enum ry_err write_netbox_cables(const struct ry_export_input *in, FILE *out,
                                       struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;

    (void)diag;
    (void)fputs("side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,"
                "type,status,label\n",
                out);
    for (size_t l = 0; l < g->n_links; l++) {
        const struct ry_level *level = &g->levels[g->links[l].level];
        for (int end = 0; end < 2; end++) {
            const char *port = ry_export_port(in, g->links[l].port[end]);
            const char *space = strchr(port, ' ');
            (void)fprintf(out, "%s,dcim.interface,%s,",
                          ry_export_device(in, ry_link_device(g, l, end)),
                          space ? space + 1 : port);
        }
        (void)fprintf(out, "%s,planned,C%06zu\n", cable_type(level->media), l + 1);
    }
    return RY_OK;
}

const struct ry_export ry_export_netbox_cables = {
    .name = "netbox-cables",
    .summary = "cables for NetBox bulk import, CSV",
    .write = write_netbox_cables,
};
