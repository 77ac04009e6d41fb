/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/verify.h"

#include <math.h>
#include <string.h>

/* Figures are sums of equal rates: only rounding may tell them apart. */
static const double SAME = 1e-9;

struct check {
    struct ry_arena *arena;
    const struct ry_graph *g;
    struct ry_problems *problems;
    uint8_t *uses;     /* [ports] how many link ends are in the port */
    uint32_t *parent;  /* [devices] union-find */
    uint32_t *far;     /* [ports] the port that traffic from here reaches, or RY_NONE */
    double *hosts;     /* [devices] a sum at the root of each part */
    double *upward;    /* [devices] */
    uint32_t *scratch; /* [devices] */
    bool sound;        /* indices are in range: the rest may be measured */
};

static const char *port_text(const struct check *c, uint32_t port,
                             char text[RY_DEVICE_NAME_BYTES])
{
    return ry_graph_port_name(c->g, port, text);
}

static bool routes(const struct check *c, uint32_t device)
{
    const struct ry_device_class *class = &c->g->classes[c->g->devices[device].of];

    return class->kind == RY_DEVICE_SWITCH || class->kind == RY_DEVICE_NVSWITCH ||
           class->kind == RY_DEVICE_PCIE ||
           (class->kind == RY_DEVICE_NODE && class->tier > 0);
}

static bool is_endpoint(const struct check *c, uint32_t device)
{
    const enum ry_device_kind kind = c->g->classes[c->g->devices[device].of].kind;
    return kind == RY_DEVICE_NODE || kind == RY_DEVICE_GPU;
}

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
    (void)port_text(c, l->port[0], a);
    (void)port_text(c, l->port[1], b);
    if (c->g->ports[l->port[0]].device == c->g->ports[l->port[1]].device)
        ry_problem(c->problems, RY_ERR_NO, "cable", "%u joins %s and %s: one device", link,
                   a, b);
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
        if (cable >= c->g->n_links || (c->g->links[cable].port[0] != p &&
                                       c->g->links[cable].port[1] != p))
            ry_problem(c->problems, RY_ERR_NO, "half cable",
                       "%s names cable %u, which does not end there", port_text(c, p, text),
                       cable);
    }
    for (uint32_t p = 0; c->g->circuits && p < c->g->n_ports; p++) {
        const uint32_t q = c->g->circuits[p];
        if (q == RY_NONE)
            continue;
        if (q >= c->g->n_ports || c->g->circuits[q] != p ||
            c->g->ports[q].device != c->g->ports[p].device) {
            ry_problem(c->problems, RY_ERR_NO, "circuit", "%s is not joined back",
                       port_text(c, p, text));
            c->sound = false;
        }
    }
}

/* Follow a link, and circuits of optical switches, to where traffic is received. */
static void find_far(struct check *c)
{
    for (uint32_t p = 0; p < c->g->n_ports; p++)
        c->far[p] = RY_NONE;
    for (uint32_t l = 0; l < c->g->n_links; l++) {
        const struct ry_link *link = &c->g->links[l];
        /* What is not joined at both ends carries nothing. */
        if (link->down || c->g->ports[link->port[0]].cable != l ||
            c->g->ports[link->port[1]].cable != l)
            continue;
        c->far[link->port[0]] = link->port[1];
        c->far[link->port[1]] = link->port[0];
    }
    if (!c->g->circuits)
        return;
    /* A fibre runs node - circuit - node: one step through is enough. */
    for (uint32_t p = 0; p < c->g->n_ports; p++) {
        const uint32_t at = c->far[p];
        const uint32_t device = c->g->ports[p].device;
        if (at == RY_NONE || c->g->classes[c->g->devices[device].of].kind == RY_DEVICE_OCS)
            continue;
        const uint32_t there = c->g->ports[at].device;
        if (c->g->classes[c->g->devices[there].of].kind != RY_DEVICE_OCS)
            continue;
        const uint32_t joined = c->g->circuits[at];
        uint32_t end = RY_NONE;
        if (joined != RY_NONE && c->g->ports[joined].cable < c->g->n_links) {
            const struct ry_link *link = &c->g->links[c->g->ports[joined].cable];
            if (!link->down)
                end = link->port[0] == joined ? link->port[1] : link->port[0];
        }
        c->far[p] = end;
    }
}

static uint32_t root_of(struct check *c, uint32_t device)
{
    while (c->parent[device] != device) {
        c->parent[device] = c->parent[c->parent[device]];
        device = c->parent[device];
    }
    return device;
}

static void unite(struct check *c, uint32_t a, uint32_t b)
{
    const uint32_t x = root_of(c, a);
    const uint32_t y = root_of(c, b);

    if (x != y)
        c->parent[x > y ? x : y] = x > y ? y : x;
}

static const struct ry_level *level_of_port(const struct check *c, uint32_t port)
{
    return &c->g->levels[c->g->links[c->g->ports[port].cable].level];
}

/* Parts of a fabric that links of rank up to @p rank hold together. */
static void unite_up_to(struct check *c, size_t fabric, int rank)
{
    for (uint32_t d = 0; d < c->g->n_devices; d++)
        c->parent[d] = d;
    for (uint32_t p = 0; p < c->g->n_ports; p++) {
        if (c->far[p] == RY_NONE || c->far[p] < p)
            continue;
        const struct ry_level *level = level_of_port(c, p);
        const uint32_t a = c->g->ports[p].device;
        const uint32_t b = c->g->ports[c->far[p]].device;
        if (level->fabric_index == fabric && level->rank <= rank && routes(c, a) &&
            routes(c, b))
            unite(c, a, b);
    }
}

/* The worst ratio of what nodes send into a part to what can leave it upwards. */
static double worst_cut(struct check *c, size_t fabric, int rank)
{
    double worst = 0.0;

    unite_up_to(c, fabric, rank);
    memset(c->hosts, 0, c->g->n_devices * sizeof(*c->hosts));
    memset(c->upward, 0, c->g->n_devices * sizeof(*c->upward));
    for (uint32_t p = 0; p < c->g->n_ports; p++) {
        if (c->far[p] == RY_NONE || level_of_port(c, p)->fabric_index != fabric)
            continue;
        const uint32_t here = c->g->ports[p].device;
        const uint32_t there = c->g->ports[c->far[p]].device;
        if (!routes(c, here))
            continue;
        const uint32_t root = root_of(c, here);
        if (!routes(c, there)) {
            if (is_endpoint(c, there))
                c->hosts[root] += c->g->ports[p].bytes_per_s;
        } else if (root_of(c, there) != root) {
            c->upward[root] += c->g->ports[p].bytes_per_s;
        }
    }
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        if (c->hosts[d] > 0.0 && c->upward[d] > 0.0)
            worst = fmax(worst, c->hosts[d] / c->upward[d]);
    }
    return worst;
}

/* Parts with endpoints, and nodes that are not in all of them. */
static void measure_parts(struct check *c, size_t fabric, struct ry_fabric_measured *m)
{
    uint32_t *seen = c->scratch; /* by root: 1 + the last node counted there */

    unite_up_to(c, fabric, RY_RANKS_MOST);
    memset(seen, 0, c->g->n_devices * sizeof(*seen));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t d = 0; d < c->g->n_devices; d++) {
            const struct ry_device *device = &c->g->devices[d];
            size_t parts = 0;
            if (!is_endpoint(c, d))
                continue;
            for (uint32_t i = 0; i < device->ports; i++) {
                const uint32_t far = c->far[device->first_port + i];
                if (far == RY_NONE ||
                    level_of_port(c, device->first_port + i)->fabric_index != fabric)
                    continue;
                const uint32_t root =
                    root_of(c, routes(c, d) ? d : c->g->ports[far].device);
                m->endpoint_ports += pass == 0;
                m->components += pass == 0 && seen[root] == 0;
                parts += pass == 1 && seen[root] != d + 1;
                seen[root] = d + 1;
            }
            m->nodes_missing += pass == 1 && parts != m->components;
        }
        /* Stamps of the first pass must not look like those of the second. */
        for (uint32_t d = 0; pass == 0 && d < c->g->n_devices; d++)
            seen[d] = seen[d] ? RY_NONE : 0;
    }
}

/* Tarjan's low points over the devices that route, without recursion. */
struct search {
    uint32_t *order, *low;  /* [devices] 0: not seen */
    uint32_t *from;         /* [devices] the port by which it was entered, here */
    uint32_t *next;         /* [devices] the next port to look at */
    uint32_t *endpoints;    /* [devices] in the subtree */
    uint32_t *severed;      /* [devices] endpoints of subtrees that it alone holds */
    uint32_t *parts;        /* [devices] how many such subtrees with endpoints */
    uint32_t *biggest;      /* [devices] the largest of them */
    uint32_t *stack;        /* [devices] */
    uint32_t clock;         /* devices seen */
};

static uint32_t own_endpoints(const struct check *c, uint32_t device, size_t fabric)
{
    const struct ry_device *d = &c->g->devices[device];
    uint32_t own = 0;

    if (is_endpoint(c, device))
        return 1;
    for (uint32_t i = 0; i < d->ports; i++) {
        const uint32_t far = c->far[d->first_port + i];
        own += far != RY_NONE && is_endpoint(c, c->g->ports[far].device) &&
               level_of_port(c, d->first_port + i)->fabric_index == fabric;
    }
    return own;
}

/* A subtree is done: what does its parent, and the link to it, hold? */
static void leave(struct search *s, uint32_t device, uint32_t parent, uint32_t total,
                  struct ry_fabric_measured *m)
{
    const uint32_t below = s->endpoints[device];

    s->endpoints[parent] += below;
    if (s->low[device] < s->low[parent])
        s->low[parent] = s->low[device];
    if (s->low[device] > s->order[parent] && below > 0 && below < total)
        m->survives_link = false;
    if (s->low[device] >= s->order[parent]) {
        s->severed[parent] += below;
        s->parts[parent] += below > 0;
        if (below > s->biggest[parent])
            s->biggest[parent] = below;
    }
}

static void judge_switch(const struct check *c, const struct search *s, uint32_t device,
                         size_t fabric, uint32_t total, struct ry_fabric_measured *m)
{
    const uint32_t own = own_endpoints(c, device, fabric);
    const uint32_t rest = total - own - s->severed[device];
    const uint32_t biggest = s->biggest[device] > rest ? s->biggest[device] : rest;

    if (!is_endpoint(c, device) && own > m->own_of_switch)
        m->own_of_switch = own;
    if (own == total && total > 1 && m->components == 1 &&
        c->g->classes[c->g->devices[device].of].kind == RY_DEVICE_SWITCH)
        m->survives_switch = false; /* the only one */
    if (s->parts[device] + (rest > 0) < 2)
        return;
    m->survives_switch = false;
    if (total - own - biggest > m->lost_by_switch)
        m->lost_by_switch = total - own - biggest;
}

/* One connected part from @p root; @p total endpoints are in it. */
static void walk(const struct check *c, struct search *s, size_t fabric, uint32_t root,
                 uint32_t total, struct ry_fabric_measured *m)
{
    size_t depth = 0;

    s->stack[depth++] = root;
    s->order[root] = s->low[root] = ++s->clock;
    s->endpoints[root] = own_endpoints(c, root, fabric);
    while (depth > 0) {
        const uint32_t at = s->stack[depth - 1];
        const struct ry_device *d = &c->g->devices[at];
        if (s->next[at] == d->ports) {
            depth--;
            if (depth > 0)
                leave(s, at, s->stack[depth - 1], total, m);
            continue;
        }
        const uint32_t port = d->first_port + s->next[at]++;
        const uint32_t far = c->far[port];
        if (far == RY_NONE || port == s->from[at])
            continue;
        const uint32_t there = c->g->ports[far].device;
        if (!routes(c, there) || level_of_port(c, port)->fabric_index != fabric)
            continue;
        if (s->order[there] == 0) {
            s->order[there] = s->low[there] = ++s->clock;
            s->endpoints[there] = own_endpoints(c, there, fabric);
            s->from[there] = far;
            s->stack[depth++] = there;
        } else if (s->order[there] < s->low[at]) {
            s->low[at] = s->order[there];
        }
    }
}

static bool search_create(struct check *c, struct search *s)
{
    uint32_t **const arrays[] = {&s->order, &s->low,     &s->from,    &s->next, &s->endpoints,
                                 &s->severed, &s->parts, &s->biggest, &s->stack};

    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        *arrays[i] = RY_NEW(c->arena, uint32_t, c->g->n_devices + 1);
        if (!*arrays[i])
            return false;
    }
    for (size_t i = 0; i < c->g->n_devices; i++)
        s->from[i] = RY_NONE;
    return true;
}

static bool measure_failures(struct check *c, size_t fabric, struct ry_fabric_measured *m)
{
    struct search s = {0};

    m->survives_link = m->survives_switch = true;
    if (!search_create(c, &s))
        return false;
    unite_up_to(c, fabric, RY_RANKS_MOST);
    memset(c->scratch, 0, c->g->n_devices * sizeof(*c->scratch));
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        if (routes(c, d))
            c->scratch[root_of(c, d)] += own_endpoints(c, d, fabric);
    }
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        const uint32_t total = routes(c, d) ? c->scratch[root_of(c, d)] : 0;
        if (total > 0 && s.order[d] == 0)
            walk(c, &s, fabric, d, total, m);
    }
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        if (s.order[d] > 0)
            judge_switch(c, &s, d, fabric, c->scratch[root_of(c, d)], m);
    }
    return true;
}

/* The switch that all ports of a node in the fabric lead to, or RY_NONE. */
static uint32_t only_switch_of(const struct check *c, uint32_t node, size_t fabric)
{
    const struct ry_device *device = &c->g->devices[node];
    uint32_t only = RY_NONE;

    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t far = c->far[device->first_port + i];
        if (far == RY_NONE || level_of_port(c, device->first_port + i)->fabric_index != fabric)
            continue;
        const uint32_t there = c->g->ports[far].device;
        if (c->g->classes[c->g->devices[there].of].kind != RY_DEVICE_SWITCH ||
            (only != RY_NONE && only != there))
            return RY_NONE;
        only = there;
    }
    return only;
}

/* Nodes that hang on one switch alone: it takes them along. */
static void measure_nodes_of_switch(struct check *c, size_t fabric,
                                    struct ry_fabric_measured *m)
{
    memset(c->scratch, 0, c->g->n_devices * sizeof(*c->scratch));
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        if (!is_endpoint(c, d))
            continue;
        const uint32_t only = only_switch_of(c, d, fabric);
        if (only != RY_NONE && ++c->scratch[only] > m->nodes_of_switch)
            m->nodes_of_switch = c->scratch[only];
    }
}

/* On each leaf of a railed fabric the NICs of one rail only. */
static void check_rails(struct check *c, size_t fabric)
{
    const struct ry_fabric *claims = &c->g->fabrics[fabric];
    char text[RY_DEVICE_NAME_BYTES];

    for (uint32_t d = 0; claims->rails > 1 && d < c->g->n_devices; d++) {
        const struct ry_device *device = &c->g->devices[d];
        size_t rail = SIZE_MAX;
        if (!routes(c, d))
            continue;
        for (uint32_t i = 0; i < device->ports; i++) {
            const uint32_t far = c->far[device->first_port + i];
            if (far == RY_NONE ||
                c->g->classes[c->g->devices[c->g->ports[far].device].of].kind !=
                    RY_DEVICE_NODE ||
                level_of_port(c, far)->fabric_index != fabric)
                continue;
            const struct ry_device *node = &c->g->devices[c->g->ports[far].device];
            const size_t nic =
                (far - node->first_port - claims->first_node_port) / claims->nic_planes;
            if (rail != SIZE_MAX && nic % claims->rails != rail)
                ry_problem(c->problems, RY_ERR_NO, "rail",
                           "%s is of rail %zu, its leaf is of rail %zu",
                           port_text(c, far, text), nic % claims->rails, rail);
            if (rail == SIZE_MAX)
                rail = nic % claims->rails;
        }
    }
}

/* The switch of a higher tier that a port leads to, or RY_NONE. */
static uint32_t above_of(const struct check *c, size_t fabric, uint32_t port)
{
    const uint32_t far = c->far[port];

    if (far == RY_NONE || level_of_port(c, far)->fabric_index != fabric ||
        level_of_port(c, far)->rank == 0)
        return RY_NONE;
    const uint32_t there = c->g->ports[far].device;
    const uint32_t here = c->g->ports[port].device;
    return c->g->classes[c->g->devices[there].of].tier >
                   c->g->classes[c->g->devices[here].of].tier
               ? there
               : RY_NONE;
}

/* count[] is all zero before and after. */
static void check_balance_of(struct check *c, size_t fabric, uint32_t d, uint32_t count[])
{
    const struct ry_device *device = &c->g->devices[d];
    uint32_t first = RY_NONE;
    uint32_t odd = RY_NONE;
    char name[RY_DEVICE_NAME_BYTES];
    char above[RY_DEVICE_NAME_BYTES];

    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t there = above_of(c, fabric, device->first_port + i);
        if (there == RY_NONE)
            continue;
        count[there]++;
        first = first == RY_NONE ? there : first;
    }
    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t there = above_of(c, fabric, device->first_port + i);
        if (there != RY_NONE && count[there] != count[first])
            odd = there;
    }
    if (odd != RY_NONE)
        ry_problem(c->problems, RY_ERR_NO, "balance", "%s has %u links to %s, %u to others",
                   ry_graph_name(c->g, d, name), count[odd],
                   ry_graph_name(c->g, odd, above), count[first]);
    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t there = above_of(c, fabric, device->first_port + i);
        if (there != RY_NONE)
            count[there] = 0;
    }
}

/* As many links to each switch above as to every other one. */
static void check_balance(struct check *c, size_t fabric)
{
    memset(c->scratch, 0, c->g->n_devices * sizeof(*c->scratch));
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        if (routes(c, d) && !is_endpoint(c, d))
            check_balance_of(c, fabric, d, c->scratch);
    }
}

static void compare(struct check *c, size_t fabric, const struct ry_fabric_measured *m)
{
    const struct ry_fabric *claims = &c->g->fabrics[fabric];
    static const char *const ranks[] = {"leaf", "pod or group", "core"};

    if (m->components != claims->planes)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "not connected as said: %zu separate parts, %zu stated", m->components,
                   claims->planes);
    if (m->endpoint_ports != claims->endpoint_ports)
        ry_problem(c->problems, RY_ERR_NO, claims->name, "%zu node ports cabled, %zu stated",
                   m->endpoint_ports, claims->endpoint_ports);
    if (m->nodes_missing > 0)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "%zu nodes have no port in some part of the fabric", m->nodes_missing);
    for (int rank = 0; rank < RY_RANKS_MOST; rank++) {
        const double stated = claims->cut[rank];
        if (stated > 0.0 && fabs(m->cut[rank] - stated) > SAME * stated)
            ry_problem(c->problems, RY_ERR_NO, "oversubscription",
                       "%s, %s: %.6g:1 measured, %.6g:1 stated", claims->name, ranks[rank],
                       m->cut[rank], stated);
    }
    if (claims->survives_link && !m->survives_link)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "one failed link between switches separates nodes");
    if (claims->survives_switch && !m->survives_switch)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "one failed switch separates %zu endpoints that are not on it",
                   m->lost_by_switch);
}

static bool check_create(struct check *c)
{
    const size_t devices = c->g->n_devices + 1;

    c->uses = RY_NEW(c->arena, uint8_t, c->g->n_ports + 1);
    c->far = RY_NEW(c->arena, uint32_t, c->g->n_ports + 1);
    c->parent = RY_NEW(c->arena, uint32_t, devices);
    c->scratch = RY_NEW(c->arena, uint32_t, devices);
    c->hosts = RY_NEW(c->arena, double, devices);
    c->upward = RY_NEW(c->arena, double, devices);
    return c->uses && c->far && c->parent && c->scratch && c->hosts && c->upward;
}

static bool check_fabric(struct check *c, size_t fabric, struct ry_fabric_measured *m)
{
    measure_parts(c, fabric, m);
    for (int rank = 0; rank < RY_RANKS_MOST - 1; rank++)
        m->cut[rank] = worst_cut(c, fabric, rank);
    if (!measure_failures(c, fabric, m))
        return false;
    measure_nodes_of_switch(c, fabric, m);
    check_rails(c, fabric);
    if (c->g->fabrics[fabric].balanced)
        check_balance(c, fabric);
    compare(c, fabric, m);
    return true;
}

enum ry_err ry_topo_verify(struct ry_arena *arena, const struct ry_graph *graph,
                           struct ry_problems *problems, struct ry_verified *verified,
                           struct ry_diag *diag)
{
    struct check c = {.arena = arena, .g = graph, .problems = problems, .sound = true};
    struct ry_verified v = {0};

    if (!check_create(&c))
        return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
    check_devices(&c);
    for (uint32_t l = 0; c.sound && l < graph->n_links; l++)
        check_link(&c, l);
    if (c.sound)
        check_ports(&c, &v);
    for (uint32_t l = 0; l < graph->n_links; l++)
        v.links_down += graph->links[l].down;
    if (c.sound) {
        find_far(&c);
        for (size_t f = 0; f < graph->n_fabrics; f++) {
            if (!check_fabric(&c, f, &v.fabric[f]))
                return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
        }
    }
    *verified = v;
    return RY_OK;
}
