/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulators and NCCL: ASTRA-sim's analytical network, SimAI's topology, NCCL's topology
 * of one node. */
#include "catalog/parts.h"
#include "report/export.h"

#include <math.h>
#include <string.h>

/* Delays that SimAI's own generator writes (aicb/SimAI gen_Topo_Template.py), seconds. */
static const double simai_nvlink_delay_s = 25e-9;
static const double simai_link_delay_s = 500e-9;

static enum ry_err need_design(const struct ry_export_input *in, const char *what,
                               struct ry_diag *diag)
{
    if (!in->design)
        return ry_fail(diag, RY_ERR_INFEASIBLE, what,
                       "needs a design file: the text form does not say which GPU");
    return RY_OK;
}

/* A GPU's local rate, one direction, NAN when unknown. */
static double local_rate(const struct ry_export_input *in)
{
    return in->design->gpu->scaleup_bytes_per_s;
}

/* ASTRA-sim counts two links for a step over a switch and adds their latencies: half of
 * a ring's step in the quickest protocol, ns. */
static double half_step_ns(const double step_s[RY_PROTOS])
{
    double least_s = (double)INFINITY;

    for (size_t i = 0; i < RY_PROTOS; i++)
        if (step_s[i] > 0.0)
            least_s = fmin(least_s, step_s[i]);
    return isfinite(least_s) ? 0.5e9 * least_s : 0.0;
}

static enum ry_err write_astra(const struct ry_export_input *in, FILE *out,
                               struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;
    const struct ry_device_class *nodes = &g->classes[0];
    const struct ry_fabric *fabric = &g->fabrics[0];

    RY_TRY(need_design(in, "astra-sim", diag));
    if (!(local_rate(in) > 0.0))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "astra-sim",
                       "%s has no switched local links to model",
                       in->design->gpu->part.name);
    const bool alone = in->design->fabric.technology == RY_FABRIC_NONE;
    const size_t per_node = in->design->gpus_per_node;
    const size_t count = alone ? in->design->nodes : nodes->count;
    const double nic = in->design->nic_bytes_per_s * (double)in->design->nics_per_node /
                       (double)per_node;
    const double domain_ns = half_step_ns((double[RY_PROTOS]){in->net->domain.step_s});
    (void)fprintf(out,
                  "# %s: ASTRA-sim analytical network; equal groups only\n"
                  "# latency: half a ring step of the communication models, ns\n",
                  in->name);
    if (fabric->cut[0] > 1.0)
        (void)fprintf(out,
                      "# oversubscription %.3g:1 of the leaves cannot be said here\n",
                      fabric->cut[0]);
    if (alone) {
        (void)fprintf(out,
                      "topology: [ Switch ]\nnpus_count: [ %zu ]\nbandwidth: [ %.12g ]\n"
                      "latency: [ %.6g ]\n",
                      per_node, local_rate(in) / 1e9, domain_ns);
        return RY_OK;
    }
    (void)fprintf(out,
                  "topology: [ Switch, Switch ]\nnpus_count: [ %zu, %zu ]\n"
                  "bandwidth: [ %.12g, %.12g ]\nlatency: [ %.6g, %.6g ]\n",
                  per_node, count, local_rate(in) / 1e9, nic / 1e9, domain_ns,
                  half_step_ns(in->net->fabric.lines[RY_COLL_ALGO_RING].inter_step_s));
    return RY_OK;
}

const struct ry_export ry_export_astra_sim = {
    .name = "astra-sim",
    .summary = "ASTRA-sim analytical network, YAML",
    .wants_net = true,
    .write = write_astra,
};

/* SimAI: ids are GPUs, NVSwitches (one a server), leaves, then upper switches; of the
 * first fabric, whose switches and node ports come first. */
struct simai {
    const struct ry_export_input *in;
    size_t gpus, servers, switches;
    uint32_t first_switch; /* device */
};

static size_t simai_id(const struct simai *s, uint32_t device)
{
    return s->gpus + s->servers + (device - s->first_switch);
}

static bool simai_has(const struct ry_graph *g, size_t link)
{
    return !g->links[link].down && g->levels[g->links[link].level].fabric_index == 0 &&
           ry_class_of(g, ry_link_device(g, link, 0))->kind != RY_DEVICE_MANAGER;
}

static bool simai_switch(const struct ry_graph *g, uint32_t device)
{
    const struct ry_device_class *class = ry_class_of(g, device);

    return class->kind == RY_DEVICE_SWITCH &&
           strcmp(class->fabric, g->fabrics[0].name) == 0;
}

static void simai_links(const struct simai *s, FILE *out)
{
    const struct ry_graph *g = s->in->graph;
    const uint32_t first = g->classes[0].first;
    const size_t per_node = g->classes[0].gpus;

    for (size_t gpu = 0; gpu < s->gpus; gpu++)
        (void)fprintf(out, "%zu %zu %.12gGbps %.6fms 0\n", gpu, s->gpus + gpu / per_node,
                      local_rate(s->in) * 8e-9, simai_nvlink_delay_s * 1e3);
    for (size_t l = 0; l < g->n_links; l++) {
        const uint32_t a = ry_link_device(g, l, 0);
        const uint32_t b = ry_link_device(g, l, 1);
        if (!simai_has(g, l))
            continue;
        size_t from = a >= s->first_switch ? simai_id(s, a) : 0;
        if (a < s->first_switch) {
            const size_t ports =
                g->n_fabrics > 1 ? g->fabrics[1].first_node_port : g->devices[a].ports;
            const size_t port = g->links[l].port[0] - g->devices[a].first_port;
            from = (a - first) * per_node + port * per_node / ports;
        }
        (void)fprintf(out, "%zu %zu %.12gGbps %.6fms 0\n", from, simai_id(s, b),
                      g->links[l].bytes_per_s * 8e-9, simai_link_delay_s * 1e3);
    }
}

static enum ry_err write_simai(const struct ry_export_input *in, FILE *out,
                               struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;
    const struct ry_device_class *nodes = &g->classes[0];
    size_t links = 0;

    RY_TRY(need_design(in, "simai", diag));
    if (nodes->kind != RY_DEVICE_NODE || nodes->tier > 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "simai",
                       "needs servers below one switched fabric, not '%s'",
                       g->fabrics[0].family);
    if (!(local_rate(in) > 0.0))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "simai", "%s has no local links",
                       in->design->gpu->part.name);
    struct simai s = {.in = in,
                      .gpus = (size_t)nodes->count * nodes->gpus,
                      .servers = nodes->count,
                      .first_switch = nodes->first + nodes->count};
    for (uint32_t d = s.first_switch; d < g->n_devices; d++)
        s.switches += simai_switch(g, d);
    for (size_t l = 0; l < g->n_links; l++)
        links += simai_has(g, l);
    (void)fprintf(out, "%zu %u %zu %zu %zu %s\n", s.gpus + s.servers + s.switches,
                  nodes->gpus, s.servers, s.switches, s.gpus + links,
                  in->design->gpu->part.name);
    for (size_t i = 0; i < s.servers + s.switches; i++)
        (void)fprintf(out, "%s%zu", i ? " " : "", s.gpus + i);
    (void)fputs("\n", out);
    simai_links(&s, out);
    return RY_OK;
}

const struct ry_export ry_export_simai = {
    .name = "simai",
    .summary = "SimAI and ns-3 topology, text",
    .leaves_out_failed = true,
    .write = write_simai,
};

static const char *pcie_speed(double generation)
{
    return generation >= 6.0   ? "64.0 GT/s PCIe"
           : generation >= 5.0 ? "32.0 GT/s PCIe"
           : generation >= 4.0 ? "16.0 GT/s PCIe"
                               : "8.0 GT/s PCIe";
}

struct nccl_node {
    const struct ry_design *d;
    size_t gpus, nics, sockets, links;
    int sm;
    const char *speed;
    unsigned lanes;
};

/* One PCIe switch with a GPU and the NICs that are nearest to it. */
static void nccl_switch(const struct nccl_node *n, size_t gpu, FILE *out)
{
    const unsigned bus = 0x10 + 8 * (unsigned)gpu;

    (void)fprintf(
        out,
        "    <pci busid=\"0000:%02x:00.0\" class=\"0x060400\" link_speed=\"%s\" "
        "link_width=\"%u\">\n"
        "      <pci busid=\"0000:%02x:00.0\" class=\"0x030200\" link_speed=\"%s\" "
        "link_width=\"%u\">\n"
        "        <gpu dev=\"%zu\" sm=\"%d\" rank=\"%zu\" gdr=\"1\">",
        bus, n->speed, n->lanes, bus + 1, n->speed, n->lanes, gpu, n->sm, gpu);
    if (n->links > 0)
        (void)fprintf(out,
                      "<nvlink target=\"0000:05:00.0\" count=\"%zu\" "
                      "tclass=\"0x068000\"/>",
                      n->links);
    (void)fputs("</gpu>\n      </pci>\n", out);
    for (size_t nic = 0; nic < n->nics; nic++) {
        if (nic * n->gpus / n->nics != gpu)
            continue;
        (void)fprintf(out,
                      "      <pci busid=\"0000:%02x:00.%zu\" class=\"0x020700\" "
                      "link_speed=\"%s\" link_width=\"%u\">\n"
                      "        <nic><net name=\"mlx5_%zu\" dev=\"%zu\" speed=\"%.0f\" "
                      "port=\"1\" guid=\"0x%zx\" maxconn=\"131072\" gdr=\"1\"/></nic>\n"
                      "      </pci>\n",
                      bus + 2, nic % 8, n->speed, n->lanes, nic, nic,
                      n->d->nic_bytes_per_s * 8e-6, nic + 1);
    }
    (void)fputs("    </pci>\n", out);
}

static enum ry_err write_nccl(const struct ry_export_input *in, FILE *out,
                              struct ry_diag *diag)
{
    const struct ry_design *d = in->design;

    RY_TRY(need_design(in, "nccl-xml", diag));
    const struct nccl_node n = {
        .d = d,
        .gpus = d->gpus_per_host ? d->gpus_per_host : d->gpus_per_node,
        .nics = d->nics_per_node *
                (d->gpus_per_host ? d->gpus_per_host : d->gpus_per_node) /
                d->gpus_per_node,
        .sockets = d->node->cpu_count >= 2.0 ? 2 : 1,
        .links = d->local_link == RY_LOCAL_SWITCHED && d->gpu->scaleup_links > 0.0
                     ? (size_t)d->gpu->scaleup_links
                     : 0,
        .sm = d->gpu->cuda_capability > 0.0 ? (int)lround(10.0 * d->gpu->cuda_capability)
                                            : 0,
        .speed = pcie_speed(d->gpu->pcie_gen),
        .lanes = d->gpu->pcie_lanes > 0.0 ? (unsigned)d->gpu->pcie_lanes : 16,
    };
    if (n.sm == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "nccl-xml",
                       "%s has no cuda_capability in the catalog", d->gpu->part.name);
    if (n.gpus > 28)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "nccl-xml",
                       "%zu GPUs of a host are more than bus numbers hold", n.gpus);
    (void)fputs("<system version=\"1\">\n", out);
    for (size_t socket = 0; socket < n.sockets; socket++) {
        (void)fprintf(out,
                      "  <cpu numaid=\"%zu\" affinity=\"00000000\" arch=\"x86_64\" "
                      "vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">\n",
                      socket);
        for (size_t gpu = 0; gpu < n.gpus; gpu++)
            if (gpu * n.sockets / n.gpus == socket)
                nccl_switch(&n, gpu, out);
        (void)fputs("  </cpu>\n", out);
    }
    (void)fputs("</system>\n", out);
    return RY_OK;
}

const struct ry_export ry_export_nccl_xml = {
    .name = "nccl-xml",
    .summary = "topology of one node for NCCL_TOPO_FILE",
    .write = write_nccl,
};
