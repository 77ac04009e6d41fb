/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/verify_ports.h"

#include <stdint.h>

struct check {
    const struct ry_graph *g;
    struct ry_problems *problems;
    uint8_t *uses; /* [ports] how many link ends are in the port */
    bool sound;
};

/* Devices own the ports, each once and in a row. */
static void check_devices(struct check *c)
{
    uint32_t next = 0;

    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        const struct ry_device *device = &c->g->devices[d];
        if (device->of >= c->g->n_classes || device->first_port != next ||
            device->ports > c->g->n_ports - next) {
            ry_problem(c->problems, RY_ERR_NO, "device", "%u does not own its ports", d);
            c->sound = false;
            return;
        }
        for (uint32_t i = 0; i < device->ports; i++) {
            if (c->g->ports[next + i].device != d) {
                ry_problem(c->problems, RY_ERR_NO, "port", "%u belongs to another device",
                           next + i);
                c->sound = false;
            }
        }
        next += device->ports;
    }
    if (next != c->g->n_ports) {
        ry_problem(c->problems, RY_ERR_NO, "port", "%zu ports, devices own %u",
                   c->g->n_ports, next);
        c->sound = false;
    }
}

static void check_link(struct check *c, uint32_t link)
{
    const struct ry_link *l = &c->g->links[link];
    char a[RY_DEVICE_NAME_BYTES];
    char b[RY_DEVICE_NAME_BYTES];

    if (l->level >= c->g->n_levels || l->port[0] >= c->g->n_ports ||
        l->port[1] >= c->g->n_ports) {
        ry_problem(c->problems, RY_ERR_NO, "cable", "%u has an end in no port", link);
        c->sound = false;
        return;
    }
    (void)ry_graph_port_name(c->g, l->port[0], a);
    (void)ry_graph_port_name(c->g, l->port[1], b);
    if (c->g->ports[l->port[0]].device == c->g->ports[l->port[1]].device)
        ry_problem(c->problems, RY_ERR_NO, "cable", "%u joins %s and %s: one device",
                   link, a, b);
    for (int end = 0; end < 2; end++) {
        if (c->uses[l->port[end]] < 2)
            c->uses[l->port[end]]++;
        if (c->uses[l->port[end]] == 2)
            ry_problem(c->problems, RY_ERR_NO, "port used twice", "%s, by cable %u",
                       end == 0 ? a : b, link);
        if (c->g->ports[l->port[end]].cable != link)
            ry_problem(c->problems, RY_ERR_NO, "half cable",
                       "cable %u says %s, that port does not name it", link,
                       end == 0 ? a : b);
    }
    const double rate_a = c->g->ports[l->port[0]].bytes_per_s;
    const double rate_b = c->g->ports[l->port[1]].bytes_per_s;
    if (rate_a != rate_b || rate_a != l->bytes_per_s || !(rate_a > 0.0))
        ry_problem(c->problems, RY_ERR_NO, "speed",
                   "%s %g Gb/s, %s %g Gb/s, cable %g Gb/s", a, rate_a * 8e-9, b,
                   rate_b * 8e-9, l->bytes_per_s * 8e-9);
}

static void check_ports(struct check *c, struct ry_verified *v)
{
    char text[RY_DEVICE_NAME_BYTES];

    for (uint32_t p = 0; p < c->g->n_ports; p++) {
        const uint32_t cable = c->g->ports[p].cable;
        if (cable == RY_NONE) {
            v->ports_free++;
            continue;
        }
        v->ports_used++;
        if (cable >= c->g->n_links ||
            (c->g->links[cable].port[0] != p && c->g->links[cable].port[1] != p))
            ry_problem(c->problems, RY_ERR_NO, "half cable",
                       "%s names cable %u, which does not end there",
                       ry_graph_port_name(c->g, p, text), cable);
    }
    for (uint32_t p = 0; c->g->circuits && p < c->g->n_ports; p++) {
        const uint32_t q = c->g->circuits[p];
        if (q == RY_NONE)
            continue;
        if (q >= c->g->n_ports || c->g->circuits[q] != p ||
            c->g->ports[q].device != c->g->ports[p].device) {
            ry_problem(c->problems, RY_ERR_NO, "circuit", "%s is not joined back",
                       ry_graph_port_name(c->g, p, text));
            c->sound = false;
        }
    }
}

bool ry_verify_ports(struct ry_arena *arena, const struct ry_graph *graph,
                     struct ry_problems *problems, struct ry_verified *verified,
                     bool *sound)
{
    struct check c = {.g = graph, .problems = problems, .sound = true};

    c.uses = RY_NEW(arena, uint8_t, graph->n_ports + 1);
    if (!c.uses)
        return false;
    check_devices(&c);
    for (uint32_t l = 0; c.sound && l < graph->n_links; l++)
        check_link(&c, l);
    if (c.sound)
        check_ports(&c, verified);
    for (uint32_t l = 0; l < graph->n_links; l++)
        verified->links_down += graph->links[l].down;
    *sound = c.sound;
    return true;
}
