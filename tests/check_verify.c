/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults put into a sound graph: the verifier must name each. */
#include "graph_fixture.h"
#include "topology/verify.h"

#include <string.h>

static void port_twice(struct ry_graph *g)
{
    g->links[1].port[0] = g->links[0].port[0];
}

static void half_cable(struct ry_graph *g)
{
    g->ports[g->links[5].port[1]].cable = RY_NONE;
}

static void to_itself(struct ry_graph *g)
{
    g->links[0].port[1] = g->links[0].port[0];
}

static void slow_port(struct ry_graph *g)
{
    g->ports[g->links[7].port[1]].bytes_per_s /= 2.0;
}

static void slow_link(struct ry_graph *g)
{
    g->links[g->n_links - 1].bytes_per_s /= 2.0;
}

static void outside(struct ry_graph *g)
{
    g->links[3].port[0] = (uint32_t)g->n_ports;
}

static void drop_last(struct ry_graph *g)
{
    const struct ry_link *last = &g->links[--g->n_links];
    g->ports[last->port[0]].cable = RY_NONE;
    g->ports[last->port[1]].cable = RY_NONE;
}

/* The far ends of two links change places: a cable in the wrong port. */
static void swap_far(struct ry_graph *g, uint32_t a, uint32_t b)
{
    const uint32_t port = g->links[a].port[1];

    g->links[a].port[1] = g->links[b].port[1];
    g->links[b].port[1] = port;
    g->ports[g->links[a].port[1]].cable = a;
    g->ports[g->links[b].port[1]].cable = b;
}

static void swap_rails(struct ry_graph *g)
{
    swap_far(g, 0, 1);
}

static void swap_uplinks(struct ry_graph *g)
{
    const uint32_t first = (uint32_t)(g->n_links - g->levels[g->n_levels - 1].count);
    swap_far(g, first, first + 33);
}

static void claim_more(struct ry_graph *g)
{
    g->fabrics[0].cut[0] /= 2.0;
}

static void claim_planes(struct ry_graph *g)
{
    g->fabrics[0].planes++;
}

static void lose_leaf(struct ry_graph *g)
{
    (void)ry_graph_fail_device(g, ry_graph_find(g, "leaf3"));
}

static void one_spine_left(struct ry_graph *g)
{
    for (uint32_t i = 1; i < 16; i++)
        (void)ry_graph_fail_device(g, ry_graph_find(g, "spine0") + i);
}

static void wrong_owner(struct ry_graph *g)
{
    g->ports[9].device++;
}

static const struct {
    const char *says;
    void (*break_it)(struct ry_graph *g);
} broken[] = {
    {"port used twice", port_twice},
    {"half cable", half_cable},
    {"one device", to_itself},
    {"speed", slow_port},
    {"speed", slow_link},
    {"no port", outside},
    {"oversubscription", drop_last},
    {"rail", swap_rails},
    {"balance", swap_uplinks},
    {"oversubscription", claim_more},
    {"parts", claim_planes},
    {"node ports cabled", lose_leaf},
    {"failed switch", one_spine_left},
    {"another device", wrong_owner},
};

START_TEST(finds_what_was_broken)
{
    struct ry_graph *graph = built("rail_optimized:nodes=128,rails=8,radix=64");
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_verified verified;
    bool said = false;

    ck_assert_int_eq(ry_topo_verify(arena, graph, problems, &verified, NULL), RY_OK);
    ck_assert_uint_eq(problems->count, 0);
    broken[_i].break_it(graph);
    ck_assert_int_eq(ry_topo_verify(arena, graph, problems, &verified, NULL), RY_OK);
    for (size_t i = 0; i < problems->count && i < RY_PROBLEMS_KEPT; i++)
        said = said || strstr(problems->diags[i].where, broken[_i].says) != NULL ||
               strstr(problems->diags[i].text, broken[_i].says) != NULL;
    ck_assert_msg(said, "%s not found among %zu faults", broken[_i].says,
                  problems->count);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("faults");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, finds_what_was_broken, 0,
                        (int)(sizeof(broken) / sizeof(broken[0])));
    suite_add_tcase(suite, tcase);
    return suite;
}
