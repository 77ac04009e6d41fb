/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/cables.h"

#include "facility/cable_run.h"
#include "facility/round.h"
#include "topology/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 512 };

/* As cables are sold: copper to 7 m, active and fibre in longer steps. */
static const double stock_m[] = {0.5, 1,  1.5, 2,  2.5, 3,   4,   5,   7,   10,   15,
                                 20,  30, 50,  70, 100, 150, 200, 300, 500, 1000, 2000};
enum { STOCKS = sizeof(stock_m) / sizeof(stock_m[0]) };

double ry_cable_stock_at(size_t i)
{
    return i < STOCKS ? stock_m[i] : (double)NAN;
}

/* One link as it is to be cabled. */
struct run {
    uint32_t level, a, b; /* a: the upper end, a switch */
    uint32_t port_a, port_b;
    double length_m, stock_m;
    double key; /* links of one key may share a cable: the other device, or the length */
};

/* What serves a level. */
struct choice {
    struct ry_optics optics;
    double longest_m;
};

/* The cable of links of a level at one rate and length, found once. */
struct pick {
    double rate, length_m;
    struct ry_cable_pick cable;
};

struct work {
    struct ry_arena *arena;
    const struct ry_cable_input *in;
    const struct ry_cable_rules *rules;
    struct ry_cable_plan *plan;
    struct ry_cable_offers offers;
    struct run *runs;
    size_t n;
    struct choice choices[RY_CABLE_LEVELS_MOST];
    struct pick picks[RY_CABLE_LEVELS_MOST][STOCKS + 1];
    bool *caged; /* [ports] a module stands in the cage of this first port */
    bool full;   /* more lines than it holds */
};

static bool placed(const struct work *work, uint32_t device)
{
    return work->in->of_class[work->in->graph->devices[device].of] != SIZE_MAX;
}

static struct ry_place place_of(const struct work *work, uint32_t device)
{
    const struct ry_device *at = &work->in->graph->devices[device];
    return ry_rack_place_of(work->in->racks, work->in->gear, work->in->of_class[at->of],
                            at->index);
}

static bool is_switch(const struct work *work, uint32_t device)
{
    return ry_class_of(work->in->graph, device)->kind == RY_DEVICE_SWITCH;
}

static const struct ry_port_cage *cage_of(const struct work *work, uint32_t device)
{
    return is_switch(work, device) ? &work->rules->switch_cage : &work->rules->node_cage;
}

static double rate_of(const struct work *work, const struct run *run)
{
    return work->in->graph->ports[run->port_a].bytes_per_s;
}

static struct ry_cable_ends ends_of(const struct work *work, const struct run *run)
{
    return (struct ry_cable_ends){cage_of(work, run->a), cage_of(work, run->b),
                                  rate_of(work, run)};
}

static void add_run(struct work *work, size_t link)
{
    const struct ry_graph *graph = work->in->graph;
    uint32_t a = ry_link_device(graph, link, 0), b = ry_link_device(graph, link, 1);
    const uint32_t *port = graph->links[link].port;
    const bool swap = !is_switch(work, a) && is_switch(work, b);

    if (!placed(work, a) || !placed(work, b))
        return;
    struct run *run = &work->runs[work->n++];
    *run = (struct run){.level = graph->links[link].level,
                        .a = swap ? b : a,
                        .b = swap ? a : b,
                        .port_a = port[swap ? 1 : 0],
                        .port_b = port[swap ? 0 : 1]};
    run->length_m = ry_cable_run_m(work->in->room, place_of(work, a), place_of(work, b)) +
                    work->rules->extra_m;
    run->stock_m = ry_cable_stock_m(run->length_m, STOCKS, stock_m);
    const double rate = rate_of(work, run);
    const bool split = ry_cage_links(cage_of(work, run->a), rate) > 1 &&
                       ry_cage_links(cage_of(work, run->b), rate) == 1;
    const double length_key = isnan(run->stock_m) ? (double)INFINITY : run->stock_m;
    run->key = split ? length_key : (double)run->b;
    struct choice *choice = &work->choices[run->level];
    choice->longest_m = fmax(choice->longest_m, run->length_m);
}

static int by_key(const void *x, const void *y)
{
    const struct run *a = x, *b = y;

    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->key < b->key || a->key > b->key)
        return a->key < b->key ? -1 : 1;
    return a->port_a < b->port_a ? -1 : a->port_a > b->port_a;
}

static void choose_optics(struct work *work, const struct run *run)
{
    struct choice *choice = &work->choices[run->level];
    const struct ry_cable_ends ends = ends_of(work, run);

    choice->optics = ry_optics_choose(&work->offers, &ends, choice->longest_m);
}

/* As ry_cable_choose(): many links are alike. */
static const struct ry_cable_pick *pick_of(struct work *work, const struct run *run,
                                           double length_m)
{
    const struct ry_cable_ends ends = ends_of(work, run);
    size_t i = 0;

    while (i < STOCKS && stock_m[i] < length_m)
        i++;
    struct pick *pick = &work->picks[run->level][i];
    if (fabs(pick->rate - ends.link_bytes_per_s) > 0.0 ||
        fabs(pick->length_m - length_m) > 0.0)
        *pick = (struct pick){ends.link_bytes_per_s, length_m,
                              ry_cable_choose(&work->offers, &ends, length_m)};
    return &pick->cable;
}

static struct ry_cable_line *line_for(struct work *work, const struct ry_cable_line *key)
{
    struct ry_cable_plan *plan = work->plan;

    for (size_t i = plan->n; i-- > 0;) {
        struct ry_cable_line *line = &plan->at[i];
        if (line->product == key->product &&
            (line->length_m == key->length_m ||
             (isnan(line->length_m) && isnan(key->length_m))) &&
            strcmp(line->level, key->level) == 0 && strcmp(line->what, key->what) == 0)
            return line;
    }
    work->full = work->full || plan->n == LINES_MOST;
    if (plan->n == LINES_MOST)
        return &plan->at[LINES_MOST - 1];
    plan->at[plan->n] = *key;
    return &plan->at[plan->n++];
}

static void count_cable(struct work *work, const struct run *run,
                        const struct ry_cable *product, const char *what, size_t links)
{
    struct ry_cable_line *line = line_for(
        work, &(struct ry_cable_line){.level = work->in->graph->levels[run->level].name,
                                      .product = product,
                                      .what = what,
                                      .length_m = run->stock_m,
                                      .longest_m = run->length_m});

    line->no_plug = !product && cage_of(work, run->b)->connector[0] == '\0';
    line->count++;
    line->links += links;
    line->longest_m = fmax(line->longest_m, run->length_m);
    if (product && strcmp(product->kind, "fiber") != 0)
        work->plan->power_w += isnan(product->power_per_end_w)
                                   ? 0.0
                                   : product->power_per_end_w * (1.0 + product->ends_b);
}

/* The module of the cage that a port belongs to, once. */
static void count_module(struct work *work, const struct run *run, uint32_t device,
                         uint32_t port, const struct ry_cable *product)
{
    const struct ry_device *at = &work->in->graph->devices[device];
    const uint32_t ports =
        (uint32_t)ry_cage_links(cage_of(work, device), rate_of(work, run));
    const uint32_t first = at->first_port + (port - at->first_port) / ports * ports;
    struct ry_cable_line *line = line_for(
        work, &(struct ry_cable_line){.level = work->in->graph->levels[run->level].name,
                                      .product = product,
                                      .what = is_switch(work, device) ? "module (switch)"
                                                                      : "module (node)",
                                      .length_m = (double)NAN,
                                      .longest_m = (double)NAN});

    line->links++;
    if (work->caged[first])
        return;
    work->caged[first] = true;
    line->count++;
    work->plan->power_w +=
        isnan(product->power_per_end_w) ? 0.0 : product->power_per_end_w;
}

static void count_optics(struct work *work, const struct run *run)
{
    const struct ry_optics *optics = &work->choices[run->level].optics;

    if (!optics->fibre || isnan(run->stock_m)) {
        count_cable(work, run, NULL, "cable", 1);
        work->plan->uncovered++;
        return;
    }
    count_cable(work, run, optics->fibre, "fibre", 1);
    count_module(work, run, run->a, run->port_a, optics->module_a);
    count_module(work, run, run->b, run->port_b, optics->module_b);
}

/* Links [from, to) that may share cables. */
static void count_group(struct work *work, size_t from, size_t to)
{
    const struct run *first = &work->runs[from];
    const struct ry_optics *optics = &work->choices[first->level].optics;
    const double length_m = first->stock_m; /* the same of all */
    static const struct ry_cable_pick none = {0};
    const struct ry_cable_pick *cable =
        isnan(length_m) ? &none : pick_of(work, first, length_m);
    size_t i = from;
    if (cable->product) {
        const struct ry_cable_ends ends = ends_of(work, first);
        const bool cheaper =
            !optics->fibre ||
            cable->usd_per_link <= ry_optics_usd(&work->offers, optics, &ends, length_m);
        for (; cheaper && i + cable->links <= to; i += cable->links)
            count_cable(work, &work->runs[i], cable->product, "cable", cable->links);
    }
    for (; i < to; i++)
        count_optics(work, &work->runs[i]);
}

static bool same_group(const struct run *x, const struct run *y)
{
    return x->level == y->level && x->a == y->a && !(x->key < y->key || x->key > y->key);
}

static int by_line(const void *x, const void *y)
{
    const struct ry_cable_line *a = x, *b = y;
    const int level = strcmp(a->level, b->level);

    if (level != 0)
        return level;
    if (isnan(a->length_m) != isnan(b->length_m))
        return isnan(a->length_m) ? 1 : -1;
    if (a->length_m < b->length_m || a->length_m > b->length_m)
        return a->length_m < b->length_m ? -1 : 1;
    return strcmp(a->what, b->what);
}

static void finish(struct work *work)
{
    struct ry_cable_plan *plan = work->plan;

    for (size_t i = 0; i < work->n; i++) {
        plan->total_m += work->runs[i].length_m;
        plan->longest_m = fmax(plan->longest_m, work->runs[i].length_m);
        plan->over_reach += isnan(work->runs[i].stock_m) ? 1 : 0;
    }
    plan->links = work->n;
    plan->mean_m = work->n ? plan->total_m / (double)work->n : 0.0;
    for (size_t i = 0; i < plan->n; i++)
        plan->at[i].spares =
            (size_t)ry_count_up((double)plan->at[i].count * work->rules->spare_frac);
    qsort(plan->at, plan->n, sizeof(*plan->at), by_line);
}

static enum ry_err start(struct work *work, struct ry_diag *diag)
{
    const struct ry_graph *graph = work->in->graph;

    assert(graph->n_levels <= RY_CABLE_LEVELS_MOST);
    work->plan->at = RY_NEW(work->arena, struct ry_cable_line, LINES_MOST);
    work->runs = RY_NEW(work->arena, struct run, graph->n_links + 1);
    work->caged = RY_NEW(work->arena, bool, graph->n_ports + 1);
    const bool priced = ry_cable_offers_create(work->arena, work->rules->catalog,
                                               work->rules->protocol, &work->offers);
    if (!work->plan->at || !work->runs || !work->caged || !priced)
        return ry_fail(diag, RY_ERR_NOMEM, "cables", "%zu links", graph->n_links);
    return RY_OK;
}

void ry_cables_faults(const struct ry_cable_plan *plan, struct ry_problems *problems)
{
    for (size_t i = 0; i < plan->n; i++) {
        const struct ry_cable_line *line = &plan->at[i];
        if (line->product)
            continue;
        double longest_m = line->longest_m;
        size_t links = line->links;
        /* Lines are sorted by level: those of other lengths follow. */
        for (; i + 1 < plan->n && strcmp(plan->at[i + 1].level, line->level) == 0; i++) {
            links += plan->at[i + 1].product ? 0 : plan->at[i + 1].links;
            longest_m = plan->at[i + 1].product
                            ? longest_m
                            : fmax(longest_m, plan->at[i + 1].longest_m);
        }
        ry_problem(problems, RY_ERR_NO, "cables",
                   "%zu links %s, up to %.1f m, have no cable: %s", links, line->level,
                   longest_m,
                   line->no_plug
                       ? "the plug of the nodes' NICs is not known; name the part, "
                         "nics/part ('railyard catalog list nics')"
                       : "no product of the catalog fits both ends and reaches");
    }
}

enum ry_err ry_cables_plan(struct ry_arena *arena, const struct ry_cable_input *in,
                           const struct ry_cable_rules *rules, struct ry_cable_plan *plan,
                           struct ry_diag *diag)
{
    const struct ry_graph *graph = in->graph;
    struct ry_cable_plan made = {0};
    struct work work = {.arena = arena, .in = in, .rules = rules, .plan = &made};

    RY_TRY(start(&work, diag));
    for (size_t l = 0; l < graph->n_links; l++)
        if (graph->levels[graph->links[l].level].media != RY_MEDIA_BACKPLANE)
            add_run(&work, l);
    qsort(work.runs, work.n, sizeof(*work.runs), by_key);
    for (size_t i = 0; i < work.n; i++)
        if (i == 0 || work.runs[i].level != work.runs[i - 1].level)
            choose_optics(&work, &work.runs[i]);
    for (size_t from = 0, to = 0; from < work.n; from = to) {
        for (to = from + 1; to < work.n && same_group(&work.runs[from], &work.runs[to]);)
            to++;
        count_group(&work, from, to);
    }
    if (work.full)
        return ry_fail(diag, RY_ERR_RANGE, "cables",
                       "more than %d lines of products, levels and lengths", LINES_MOST);
    finish(&work);
    *plan = made;
    return RY_OK;
}
