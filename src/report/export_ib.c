/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ibsim's net file (what ibnetdiscover prints, short form) and UFM's NDT CSV. */
#include "base/names.h"
#include "report/export.h"

/* Every NIC port is an adapter of one port: "H-node3-mlx2"; switches "S-leaf0". */
static const char *record_name(const struct ry_export_input *in, uint32_t port,
                               unsigned *number)
{
    const struct ry_graph *g = in->graph;
    const uint32_t device = g->ports[port].device;
    const unsigned at = port - g->devices[device].first_port;
    const char *name = ry_export_device(in, device);
    const enum ry_device_kind kind = ry_class_of(g, device)->kind;

    if (kind == RY_DEVICE_SWITCH || kind == RY_DEVICE_NVSWITCH) {
        *number = at + 1;
        return ry_strfmt(in->arena, "S-%s", name);
    }
    *number = 1;
    return ry_strfmt(in->arena, "H-%s-mlx%u", name, at);
}

static bool of_first_fabric(const struct ry_graph *g, uint32_t port)
{
    const uint32_t cable = g->ports[port].cable;
    return cable != RY_NONE && g->levels[g->links[cable].level].fabric_index == 0;
}

static void write_peer(const struct ry_export_input *in, uint32_t port, unsigned number,
                       FILE *out)
{
    const uint32_t far = ry_graph_far(in->graph, port);
    unsigned peer = 0;

    if (far == RY_NONE)
        return;
    const char *name = record_name(in, far, &peer);
    (void)fprintf(out, "[%u]\t\"%s\"[%u]\n", number, name ? name : "", peer);
}

static void write_switch(const struct ry_export_input *in, uint32_t device, FILE *out)
{
    const struct ry_device *d = &in->graph->devices[device];

    (void)fprintf(out, "Switch\t%u \"S-%s\"\n", d->ports, ry_export_device(in, device));
    for (uint32_t i = 0; i < d->ports; i++)
        write_peer(in, d->first_port + i, i + 1, out);
    (void)fputs("\n", out);
}

static void write_adapters(const struct ry_export_input *in, uint32_t device, FILE *out)
{
    const struct ry_device *d = &in->graph->devices[device];

    for (uint32_t i = 0; i < d->ports; i++) {
        unsigned number = 0;
        if (!of_first_fabric(in->graph, d->first_port + i))
            continue;
        const char *name = record_name(in, d->first_port + i, &number);
        (void)fprintf(out, "Hca\t1 \"%s\"\n", name ? name : "");
        write_peer(in, d->first_port + i, 1, out);
        (void)fputs("\n", out);
    }
}

static enum ry_err write_ibsim(const struct ry_export_input *in, FILE *out,
                               struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;

    if (ry_graph_transits(g, g->classes[0].first))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "ibsim", "'%s' has no switches",
                       g->fabrics[0].family);
    (void)fprintf(out, "# %s\n", in->name);
    for (size_t c = 0; c < g->n_classes; c++) {
        const struct ry_device_class *class = &g->classes[c];
        const bool is_switch =
            class->kind == RY_DEVICE_SWITCH || class->kind == RY_DEVICE_NVSWITCH;
        for (uint32_t d = class->first; d < class->first + class->count; d++) {
            if (is_switch && g->n_fabrics > 0 && class->tier > 0 &&
                of_first_fabric(g, g->devices[d].first_port))
                write_switch(in, d, out);
        }
    }
    for (size_t c = 0; c < g->n_classes; c++) {
        const struct ry_device_class *class = &g->classes[c];
        for (uint32_t d = class->first; d < class->first + class->count; d++) {
            if (class->kind == RY_DEVICE_NODE || class->kind == RY_DEVICE_GPU ||
                class->kind == RY_DEVICE_MANAGER)
                write_adapters(in, d, out);
        }
    }
    return RY_OK;
}

const struct ry_export ry_export_ibsim = {
    .name = "ibsim",
    .summary = "net file of ibsim, as ibnetdiscover lists a fabric",
    .leaves_out_failed = true,
    .write = write_ibsim,
};

static enum ry_err write_ndt(const struct ry_export_input *in, FILE *out,
                             struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;

    (void)diag;
    (void)fputs(
        "rack #,U height,#Fields:StartDevice,StartPort,StartDeviceLocation,EndDevice,"
        "EndPort,EndDeviceLocation,U height_1,LinkType,Speed,_2,Cable Length,_3,_4,"
        "_5,_6,_7,State,Domain\n",
        out);
    for (size_t l = 0; l < g->n_links; l++) {
        const struct ry_level *level = &g->levels[g->links[l].level];
        unsigned port[2] = {0, 0};
        const char *device[2];
        if (g->links[l].down)
            continue;
        for (int end = 0; end < 2; end++) {
            const uint32_t at = ry_link_device(g, l, end);
            port[end] = g->links[l].port[end] - g->devices[at].first_port + 1;
            device[end] = ry_export_device(in, at);
        }
        (void)fprintf(out, ",,%s,Port %u,,%s,Port %u,,,%s,%.0fG,,,,,,,,Active,In-Scope\n",
                      device[1], port[1], device[0], port[0],
                      level->media == RY_MEDIA_COPPER ? "DAC" : "MMF",
                      g->links[l].bytes_per_s * 8e-9);
    }
    return RY_OK;
}

const struct ry_export ry_export_ndt = {
    .name = "ndt",
    .summary = "cable plan of NVIDIA UFM, NDT CSV",
    .leaves_out_failed = true,
    .write = write_ndt,
};
