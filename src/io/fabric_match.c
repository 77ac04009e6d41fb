/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fabric_match.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rate that is told in whole Gb/s may differ by what coding takes. */
static const double rate_tolerance = 0.05;

struct match {
    struct ry_arena *arena;
    const struct ry_graph *g;
    const struct ry_ib_fabric *f;
    struct ry_problems *problems;
    uint32_t *found; /* [ports] the port that was found at the other end, or RY_NONE */
    uint32_t *first; /* [discovered devices] port of the plan for port 1, or RY_NONE */
    double *rate;    /* [ports] as discovered */
    struct ry_fabric_matched *m;
};

static uint32_t switch_port(const struct match *m, const struct ry_ib_node *node)
{
    const char *guid =
        node->guid && strncmp(node->guid, "S-", 2) == 0 ? node->guid + 2 : "";
    uint32_t device = ry_graph_find(m->g, guid);

    if (device == RY_NONE && node->name)
        device = ry_graph_find(m->g, node->name);
    return device == RY_NONE ? RY_NONE : m->g->devices[device].first_port;
}

/* The number at the end of "mlx5_2" or "node7-mlx2", SIZE_MAX without one. */
static size_t last_number(const char *text)
{
    size_t n = strlen(text);

    while (n > 0 && text[n - 1] >= '0' && text[n - 1] <= '9')
        n--;
    return text[n] == '\0' ? SIZE_MAX : strtoul(text + n, NULL, 10);
}

static uint32_t adapter_port(const struct match *m, const struct ry_ib_node *node)
{
    const char *host = node->host;
    size_t nic = node->device ? last_number(node->device) : SIZE_MAX;

    if (node->guid && strncmp(node->guid, "H-", 2) == 0) {
        const char *dash = strstr(node->guid, "-mlx");
        if (dash) {
            host =
                ry_strfmt(m->arena, "%.*s", (int)(dash - node->guid - 2), node->guid + 2);
            nic = last_number(node->guid);
        }
    }
    const uint32_t device = host ? ry_graph_find(m->g, host) : RY_NONE;
    if (device == RY_NONE || nic >= m->g->devices[device].ports)
        return RY_NONE;
    return ry_graph_port(m->g, device, nic);
}

static void match_devices(struct match *m)
{
    for (size_t i = 0; i < m->f->n_nodes; i++) {
        const struct ry_ib_node *node = &m->f->nodes[i];
        m->first[i] = RY_NONE;
        if (node->kind == RY_IB_SWITCH)
            m->first[i] = switch_port(m, node);
        else if (node->kind == RY_IB_ADAPTER)
            m->first[i] = adapter_port(m, node);
        else
            continue;
        if (m->first[i] == RY_NONE) {
            m->m->unknown++;
            ry_problem(m->problems, RY_ERR_NO, "device",
                       "%s '%s' (%s) is not in the plan",
                       node->kind == RY_IB_SWITCH ? "switch" : "adapter",
                       node->name ? node->name : "", node->guid ? node->guid : "");
        }
    }
}

/* The port of the plan that port @p number of a discovered device is, or RY_NONE. */
static uint32_t planned_port(const struct match *m, size_t node, size_t number)
{
    const uint32_t first = m->first[node];

    if (first == RY_NONE || number == 0)
        return RY_NONE;
    const struct ry_device *d = &m->g->devices[m->g->ports[first].device];
    const uint32_t port = first + (uint32_t)(number - 1);
    return number <= d->ports && port < d->first_port + d->ports ? port : RY_NONE;
}

static void place_links(struct match *m)
{
    for (size_t i = 0; i < m->f->n_links; i++) {
        const struct ry_ib_link *link = &m->f->links[i];
        const uint32_t a = planned_port(m, link->a, link->a_port);
        const uint32_t b = planned_port(m, link->b, link->b_port);
        if (a == RY_NONE || b == RY_NONE)
            continue;
        m->m->found++;
        m->found[a] = b;
        m->found[b] = a;
        m->rate[a] = m->rate[b] = link->bytes_per_s;
    }
}

static void compare_link(struct match *m, const struct ry_link *link)
{
    char here[RY_DEVICE_NAME_BYTES];
    char plan[RY_DEVICE_NAME_BYTES];
    char there[RY_DEVICE_NAME_BYTES];
    const uint32_t b = link->port[1];
    const uint32_t a = link->port[0];

    m->m->planned++;
    (void)ry_graph_port_name(m->g, b, here);
    (void)ry_graph_port_name(m->g, a, plan);
    if (m->found[b] == a) {
        m->m->same++;
        if (m->rate[b] < link->bytes_per_s * (1.0 - rate_tolerance)) {
            m->m->slower++;
            ry_problem(m->problems, RY_ERR_NO, "slow link",
                       "%s to %s runs at %.3g Gb/s, planned %.3g", here, plan,
                       m->rate[b] * 8e-9, link->bytes_per_s * 8e-9);
        }
        return;
    }
    if (m->found[b] == RY_NONE && m->found[a] == RY_NONE) {
        m->m->missing++;
        ry_problem(m->problems, RY_ERR_NO, "missing link", "%s to %s is not there", here,
                   plan);
        return;
    }
    m->m->elsewhere++;
    const uint32_t at = m->found[b] == RY_NONE ? a : b;
    (void)ry_graph_port_name(m->g, m->found[at], there);
    ry_problem(m->problems, RY_ERR_NO, "wrong port", "%s goes to %s, planned to %s",
               at == b ? here : plan, there, at == b ? plan : here);
}

/* Cables in ports that the plan leaves free. */
static void count_extra(struct match *m)
{
    char here[RY_DEVICE_NAME_BYTES];
    char there[RY_DEVICE_NAME_BYTES];

    for (uint32_t p = 0; p < m->g->n_ports; p++) {
        const uint32_t q = m->found[p];
        if (q == RY_NONE || q < p || m->g->ports[p].cable != RY_NONE ||
            m->g->ports[q].cable != RY_NONE)
            continue;
        m->m->extra++;
        ry_problem(m->problems, RY_ERR_NO, "extra link", "%s to %s is not planned",
                   ry_graph_port_name(m->g, p, here), ry_graph_port_name(m->g, q, there));
    }
}

enum ry_err ry_fabric_match(struct ry_arena *arena, const struct ry_graph *graph,
                            const struct ry_ib_fabric *fabric,
                            struct ry_problems *problems,
                            struct ry_fabric_matched *matched, struct ry_diag *diag)
{
    struct ry_fabric_matched counts = {0};
    struct match m = {.arena = arena,
                      .g = graph,
                      .f = fabric,
                      .problems = problems,
                      .found = RY_NEW(arena, uint32_t, graph->n_ports + 1),
                      .rate = RY_NEW(arena, double, graph->n_ports + 1),
                      .first = RY_NEW(arena, uint32_t, fabric->n_nodes + 1),
                      .m = &counts};

    if (!m.found || !m.rate || !m.first)
        return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
    for (size_t p = 0; p < graph->n_ports; p++)
        m.found[p] = RY_NONE;
    match_devices(&m);
    place_links(&m);
    for (size_t l = 0; l < graph->n_links; l++)
        if (graph->levels[graph->links[l].level].fabric_index == 0)
            compare_link(&m, &graph->links[l]);
    count_extra(&m);
    *matched = counts;
    return RY_OK;
}
