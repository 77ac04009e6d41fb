/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slim Fly: the graph of McKay, Miller and Siran over a field of q elements (Besta and
 * Hoefler 2014; generator sets from Hafner 2004).  Two subgraphs of q x q routers. */
#include "topology/direct.h"
#include "topology/direct_build.h"
#include "topology/family.h"

#include <string.h>

enum { Q_MOST = 256 };

/* A finite field as tables; elements are 0 to q - 1, digits in base of its prime. */
struct field {
    size_t q, prime, degree;
    uint8_t power[Q_MOST]; /* of a primitive element: power[i] = x^i, i < q - 1 */
    uint8_t log[Q_MOST];
};

static bool prime_power(size_t q, struct field *f)
{
    for (size_t p = 2; p <= q; p++) {
        size_t rest = q, degree = 0;
        if (q % p != 0)
            continue;
        while (rest % p == 0) {
            rest /= p;
            degree++;
        }
        f->q = q;
        f->prime = p;
        f->degree = degree;
        return rest == 1;
    }
    return false;
}

static size_t add(const struct field *f, size_t a, size_t b, bool subtract)
{
    size_t sum = 0, place = 1;

    for (size_t i = 0; i < f->degree; i++, place *= f->prime) {
        const size_t x = a / place % f->prime;
        const size_t y = b / place % f->prime;
        sum += (subtract ? x + f->prime - y : x + y) % f->prime * place;
    }
    return sum;
}

/* x times @p a modulo the monic polynomial whose lower digits are @p lower. */
static size_t times_x(const struct field *f, size_t a, size_t lower)
{
    const size_t top_place = f->q / f->prime;
    const size_t top = a / top_place;
    size_t shifted = a % top_place * f->prime;

    for (size_t i = 0; i < top; i++)
        shifted = add(f, shifted, lower, true);
    return shifted;
}

/* Of a prime field the generator is a number, else x itself: both tried by their
 * order. */
static bool try_generator(struct field *f, size_t candidate)
{
    size_t at = 1;

    memset(f->log, 0, sizeof(f->log));
    for (size_t i = 0; i + 1 < f->q; i++) {
        if (at == 0 || (i > 0 && at == 1))
            return false;
        f->power[i] = (uint8_t)at;
        f->log[at] = (uint8_t)i;
        at = f->degree == 1 ? at * candidate % f->q : times_x(f, at, candidate);
    }
    return at == 1;
}

static bool field_create(size_t q, struct field *f)
{
    if (!prime_power(q, f))
        return false;
    for (size_t candidate = 1; candidate < q; candidate++)
        if (try_generator(f, candidate))
            return true;
    return false;
}

static size_t multiply(const struct field *f, size_t a, size_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return f->power[((size_t)f->log[a] + f->log[b]) % (f->q - 1)];
}

static int delta_of(size_t q)
{
    return q % 4 == 1 ? 1 : q % 4 == 3 ? -1 : 0;
}

/* The two generator sets, as marks on elements. */
static void generators(const struct field *f, int delta, bool first[Q_MOST],
                       bool second[Q_MOST])
{
    const size_t q = f->q;
    const size_t w = (size_t)((long)q - delta) / 4;

    memset(first, 0, Q_MOST * sizeof(*first));
    memset(second, 0, Q_MOST * sizeof(*second));
    if (delta >= 0) {
        for (size_t i = 0; i + 1 < q + (delta == 0); i += 2) {
            first[f->power[i % (q - 1)]] = true;
            second[f->power[(i + 1) % (q - 1)]] = true;
        }
        return;
    }
    for (size_t i = 0; i < w; i++) {
        first[f->power[2 * i]] = true;
        first[f->power[2 * w - 1 + 2 * i]] = true;
        second[f->power[2 * i + 1]] = true;
        second[f->power[(2 * w + 2 * i) % (q - 1)]] = true;
    }
}

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct ry_slim_fly *s,
                            struct ry_topo_plan *plan, struct ry_diag *diag)
{
    struct field f = {0};

    if (spec->q < 3 || spec->q % 4 == 2 || !prime_power(spec->q, &f) || spec->q >= Q_MOST)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "slim_fly",
                       "q=%zu is not a prime power 4w-1, 4w or 4w+1 of 3 to 255",
                       spec->q);
    *s = ry_slim_fly(spec->q, delta_of(spec->q));
    if (spec->p) {
        s->p = spec->p;
        s->endpoints = s->routers * s->p;
        s->router_radix = s->network_radix + s->p;
    }
    if (spec->radix && s->router_radix > spec->radix)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "radix",
            "%zu network ports and %zu endpoints of a router, it has %zu ports",
            s->network_radix, s->p, spec->radix);
    return ry_direct_nodes(spec, s->endpoints, plan, diag);
}

static struct ry_routers routers_of(const struct ry_topo_spec *spec,
                                    const struct ry_slim_fly *s)
{
    return (struct ry_routers){
        .n = s->routers,
        .ports = spec->radix ? spec->radix : s->router_radix,
        .endpoints = s->p,
        .per_unit = spec->q,
    };
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct ry_slim_fly s;

    RY_TRY(shape_of(spec, &s, out, diag));
    const struct ry_routers routers = routers_of(spec, &s);
    ry_direct_plan(spec, &routers, s.router_links, out);
    ry_plan_add_level(out, "network", s.router_links, 1, ry_topo_up_bytes_per_s(spec));
    if (out->endpoint_ports > s.p * (s.routers - 1)) /* of some routers: not said */
        out->claims.diameter_links = 2 + s.router_diameter;
    else if (out->endpoint_ports <= s.p)
        out->claims.diameter_links = out->endpoint_ports > 1 ? 2 : 0;
    out->claims.survives_link = true;
    return RY_OK;
}

struct wiring {
    struct ry_graph *graph;
    uint32_t first;
    size_t p;
    uint16_t level;
};

static void join(struct wiring *w, size_t i, size_t j)
{
    ry_graph_join(w->graph, w->level,
                  ry_direct_free_port(w->graph, w->first + (uint32_t)i, w->p),
                  ry_direct_free_port(w->graph, w->first + (uint32_t)j, w->p));
}

/* Router (0, x, y) is x q + y; router (1, m, c) is q q + m q + c. */
static void join_all(struct wiring *w, const struct field *f, const bool first[Q_MOST],
                     const bool second[Q_MOST])
{
    const size_t q = f->q;

    for (size_t x = 0; x < q; x++) {
        for (size_t y = 0; y < q; y++) {
            for (size_t z = y + 1; z < q; z++) {
                const size_t difference = add(f, z, y, true);
                if (first[difference])
                    join(w, x * q + y, x * q + z);
                if (second[difference])
                    join(w, (q + x) * q + y, (q + x) * q + z);
            }
            for (size_t m = 0; m < q; m++)
                join(w, x * q + y, (q + m) * q + add(f, y, multiply(f, m, x), true));
        }
    }
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_slim_fly s;
    struct field f = {0};
    bool first[Q_MOST];
    bool second[Q_MOST];

    RY_TRY(shape_of(b->spec, &s, &counts, diag));
    if (!field_create(b->spec->q, &f))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "slim_fly", "no field of %zu elements",
                       b->spec->q);
    const struct ry_routers routers = routers_of(b->spec, &s);
    struct wiring w = {.graph = graph, .p = s.p};
    w.first = ry_direct_routers(graph, b, &routers);
    w.level = ry_direct_level(graph, b, "network", 1);
    generators(&f, delta_of(f.q), first, second);
    join_all(&w, &f, first, second);
    return RY_OK;
}

const struct ry_family ry_family_slim_fly = {
    .name = "slim_fly",
    .keys = " gpus nodes gpus_per_node nics q p radix cage speed up_speed media ",
    .summary = "Slim Fly of diameter 2 over a field of q elements",
    .example = "slim_fly:q=5",
    .defaults = {.speed_bytes_per_s = 50e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
