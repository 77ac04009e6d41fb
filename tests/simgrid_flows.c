/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of flows on one fabric, here and in SimGrid: simgrid_flows TEXT ROUTING TRAFFIC
 * PLATFORM writes the fabric with its routes as a SimGrid platform, runs both, and prints
 * the completion times.  Status 0: all of them agree within 1 %.
 *
 * Independent program: SimGrid (Casanova et al., J. Parallel Distrib. Comput. 74, 2014),
 * model CM02 with factors 1, no TCP window and no cross-traffic.  Every flow has the same
 * latency, so that SimGrid's weights (by round-trip time) are equal. */
#include "topology/family.h"
#include "topology/traffic.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double latency_s = 2e-6;
static const double tolerance = 0.01;

struct transfer {
    uint32_t from, to;
    double bytes;
    double here_s, there_s;
};

struct common {
    struct ry_arena *arena;
    const struct ry_graph *graph;
    struct ry_router *router;
    struct ry_flow_set set; /* flow i is transfer i */
    struct transfer *at;    /* [set.n] */
    size_t room;
    uint64_t random;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "simgrid_flows: %s\n", what);
    exit(4);
}

static void add(struct common *c, uint32_t from, uint32_t to, double bytes)
{
    struct ry_diag diag = {0};
    const size_t n = c->set.n;

    if (ry_route_flow(c->router, &c->set, from, to, 1.0, &diag) != RY_OK)
        die(diag.text);
    if (c->set.n == n)
        die("a pair has no path");
    c->at[n] = (struct transfer){.from = from, .to = to, .bytes = bytes};
}

static uint64_t next_random(struct common *c)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u; /* Knuth */
    return c->random >> 33;
}

/* Sizes differ, so that flows end at different times and the rest speeds up. */
static void permutation(struct common *c, uint32_t gpus)
{
    uint32_t *to = RY_NEW(c->arena, uint32_t, gpus);

    for (uint32_t i = 0; i < gpus; i++)
        to[i] = i;
    for (uint32_t i = gpus - 1; i > 0; i--) {
        const uint32_t k = (uint32_t)(next_random(c) % (i + 1));
        const uint32_t t = to[i];
        to[i] = to[k];
        to[k] = t;
    }
    for (uint32_t i = 0; i < gpus; i++) {
        if (to[i] != i)
            add(c, i, to[i], 1e9 * (1.0 + (double)(next_random(c) % 8) / 4.0));
    }
}

static void make_flows(struct common *c, const char *traffic)
{
    const uint32_t gpus = (uint32_t)c->router->gpus;

    c->room = (size_t)gpus * gpus;
    c->at = RY_NEW(c->arena, struct transfer, c->room);
    if (!c->at)
        die("out of memory");
    if (strcmp(traffic, "ring") == 0) {
        for (uint32_t i = 0; i < gpus; i++)
            add(c, i, (i + 1) % gpus, 1e9);
    } else if (strcmp(traffic, "all-to-all") == 0) {
        for (uint32_t i = 0; i < gpus; i++) {
            for (uint32_t k = 0; k < gpus; k++) {
                if (k != i)
                    add(c, i, k, 1e8);
            }
        }
    } else if (strcmp(traffic, "permutation") == 0) {
        permutation(c, gpus);
    } else {
        die("traffic is ring, all-to-all or permutation");
    }
}

/* Here: rates are shared anew each time that flows end. */

static void without(struct common *c, const double left[], struct ry_flow_set *rest,
                    size_t index[])
{
    for (size_t i = 0; i < c->set.n; i++) {
        const size_t first = c->set.first[i];
        if (left[i] <= 0.0)
            continue;
        index[rest->n] = i;
        if (!ry_flow_add(rest, 1.0, c->set.uses + first, c->set.first[i + 1] - first))
            die("out of memory");
    }
}

static bool step(struct common *c, double left[], double *now_s)
{
    struct ry_arena *scratch = ry_arena_create(0);
    struct ry_flow_set rest = ry_flow_set(scratch);
    size_t *index = RY_NEW(scratch, size_t, c->set.n + 1);
    double *rate = RY_NEW(scratch, double, c->set.n + 1);
    double first_s = (double)INFINITY;

    without(c, left, &rest, index);
    const size_t n = rest.n;
    if (n > 0 && ry_flow_max_min(scratch, &rest, c->router->capacity,
                                 c->router->resources, rate, NULL) != RY_OK)
        die("out of memory");
    for (size_t i = 0; i < n; i++)
        first_s = fmin(first_s, left[index[i]] / rate[i]);
    for (size_t i = 0; i < n; i++) {
        double *one = &left[index[i]];
        *one -= rate[i] * first_s;
        if (*one <= 1e-9 * c->at[index[i]].bytes) {
            *one = 0.0;
            c->at[index[i]].here_s = *now_s + first_s;
        }
    }
    *now_s += n > 0 ? first_s : 0.0;
    ry_arena_destroy(scratch);
    return n > 0;
}

static void run_here(struct common *c)
{
    double *left = RY_NEW(c->arena, double, c->set.n + 1);
    double now_s = latency_s;

    for (size_t i = 0; i < c->set.n; i++)
        left[i] = c->at[i].bytes;
    while (step(c, left, &now_s))
        continue;
}

/* There. */

static void write_platform(const struct common *c, const char *path)
{
    FILE *out = fopen(path, "w");
    const struct ry_router *r = c->router;

    if (!out)
        die("the platform cannot be written");
    (void)fputs("<?xml version='1.0'?>\n"
                "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                "<platform version=\"4.1\">\n<zone id=\"fabric\" routing=\"Full\">\n",
                out);
    for (size_t i = 0; i < r->gpus; i++)
        (void)fprintf(out,
                      "<host id=\"g%zu\" speed=\"1Gf\"/>\n"
                      "<link id=\"i%zu\" bandwidth=\"1e13Bps\" latency=\"%.17gs\"/>\n",
                      i, i, latency_s);
    for (size_t i = 0; i < r->first_arc; i++)
        (void)fprintf(out, "<link id=\"l%zu\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
                      i, r->capacity[i]);
    for (size_t i = 0; i < c->set.n; i++) {
        (void)fprintf(out,
                      "<route src=\"g%u\" dst=\"g%u\" symmetrical=\"NO\">"
                      "<link_ctn id=\"i%u\"/>",
                      c->at[i].from, c->at[i].to, c->at[i].from);
        for (size_t u = c->set.first[i]; u < c->set.first[i + 1]; u++) {
            if (c->set.uses[u].weight < 1.0 - 1e-12 ||
                c->set.uses[u].resource >= r->first_arc)
                die("a flow is spread: SimGrid's routes are single paths");
            (void)fprintf(out, "<link_ctn id=\"l%u\"/>", c->set.uses[u].resource);
        }
        (void)fputs("</route>\n", out);
    }
    (void)fputs("</zone>\n</platform>\n", out);
    if (fclose(out) != 0)
        die("the platform cannot be written");
}

/* The actors' functions get texts alone. */
static struct common *shared;

static sg_mailbox_t mailbox(uint32_t from, uint32_t to)
{
    char name[40];

    (void)snprintf(name, sizeof(name), "%u-%u", from, to);
    return sg_mailbox_by_name(name);
}

static void send_all(int argc, char *argv[])
{
    const uint32_t self = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    sg_comm_t *comms = calloc(shared->set.n + 1, sizeof(sg_comm_t));
    size_t n = 0;

    for (size_t i = 0; comms && i < shared->set.n; i++) {
        struct transfer *t = &shared->at[i];
        if (t->from == self)
            comms[n++] = sg_mailbox_put_async(mailbox(t->from, t->to), t, (long)t->bytes);
    }
    for (size_t i = 0; i < n; i++)
        (void)sg_comm_wait(comms[i]);
    free(comms);
}

static void receive_all(int argc, char *argv[])
{
    const uint32_t self = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    sg_comm_t *comms = calloc(shared->set.n + 1, sizeof(sg_comm_t));
    struct transfer **of = calloc(shared->set.n + 1, sizeof(struct transfer *));
    void **data = calloc(shared->set.n + 1, sizeof(void *));
    size_t n = 0;

    for (size_t i = 0; comms && of && data && i < shared->set.n; i++) {
        struct transfer *t = &shared->at[i];
        if (t->to != self)
            continue;
        of[n] = t;
        comms[n] = sg_mailbox_get_async(mailbox(t->from, t->to), &data[n]);
        n++;
    }
    while (n > 0) {
        const ssize_t done = sg_comm_wait_any(comms, n);
        if (done < 0)
            die("a transfer failed");
        of[done]->there_s = simgrid_get_clock();
        n--;
        comms[done] = comms[n];
        of[done] = of[n];
    }
    free(comms);
    free(of);
    free(data);
}

static void run_there(struct common *c, const char *path)
{
    shared = c;
    simgrid_load_platform(path);
    for (uint32_t i = 0; i < c->router->gpus; i++) {
        char name[16];
        char number[16];
        (void)snprintf(name, sizeof(name), "g%u", i);
        (void)snprintf(number, sizeof(number), "%u", i);
        const char *args[] = {name, number, NULL};
        const sg_host_t host = sg_host_by_name(name);
        (void)sg_actor_create_("send", host, send_all, 2, args);
        (void)sg_actor_create_("receive", host, receive_all, 2, args);
    }
    simgrid_run();
}

static int verdict(const struct common *c)
{
    double worst = 0.0;
    double here_s = 0.0;
    double there_s = 0.0;
    double first_s = (double)INFINITY;

    for (size_t i = 0; i < c->set.n; i++) {
        const struct transfer *t = &c->at[i];
        worst = fmax(worst, fabs(t->here_s / t->there_s - 1.0));
        here_s = fmax(here_s, t->here_s);
        there_s = fmax(there_s, t->there_s);
        first_s = fmin(first_s, t->there_s);
    }
    (void)printf(
        "%zu flows, done after %.6f s, in SimGrid %.6f s (first %.6f s), largest "
        "difference %.4f %%\n",
        c->set.n, here_s, there_s, first_s, 100.0 * worst);
    return worst <= tolerance && there_s > 0.0 ? 0 : 1;
}

static void build(struct common *c, const char *text, const char *routing)
{
    struct ry_router_options options = {0};
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;
    struct ry_diag diag = {0};

    for (int i = 0; ry_routing_names[i]; i++) {
        if (strcmp(ry_routing_names[i], routing) == 0)
            options.routing = (enum ry_routing)i;
    }
    if (ry_topo_parse(text, &specs, &diag) != RY_OK ||
        ry_topo_build(c->arena, &specs, &graph, &diag) != RY_OK)
        die(diag.text);
    c->graph = graph;
    c->router = ry_router_create(c->arena, graph, &options);
    if (!c->router)
        die("out of memory");
}

int main(int argc, char *argv[])
{
    struct common c = {.arena = ry_arena_create(0), .random = 20240613};

    simgrid_init(&argc, argv);
    if (argc != 5 || !c.arena)
        die("simgrid_flows TEXT ROUTING TRAFFIC PLATFORM");
    c.set = ry_flow_set(c.arena);
    build(&c, argv[1], argv[2]);
    make_flows(&c, argv[3]);
    write_platform(&c, argv[4]);
    run_here(&c);
    run_there(&c, argv[4]);
    const int status = verdict(&c);
    ry_arena_destroy(c.arena);
    return status;
}
