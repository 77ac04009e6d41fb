/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/cables.h"

#include "catalog/price.h"
#include "facility/cable_run.h"
#include "facility/round.h"
#include "topology/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 32, LINES_MOST = 512 };

/* As cables are sold: copper to 7 m, active and fibre in longer steps. */
static const double stock_m[] = {0.5, 1,  1.5, 2,  2.5, 3,   4,   5,   7,   10,   15,
                                 20,  30, 50,  70, 100, 150, 200, 300, 500, 1000, 2000};
enum { STOCKS = sizeof(stock_m) / sizeof(stock_m[0]) };

double ry_cable_stock_at(size_t i)
{
    return i < STOCKS ? stock_m[i] : (double)NAN;
}

/* The form factor: the first word, with the variants that plug into each other. */
static void form_factor(const char *text, char word[WORD_BYTES])
{
    size_t n = 0;

    while (n + 1 < WORD_BYTES && text[n] != '\0' && text[n] != ' ' && text[n] != '/') {
        word[n] = text[n];
        n++;
    }
    word[n] = '\0';
    if (strcmp(word, "OSFP112") == 0 || strcmp(word, "OSFP-RHS") == 0)
        word[4] = '\0'; /* OSFP */
    if (strcmp(word, "QSFP-DD800") == 0 || strcmp(word, "QSFP56-DD") == 0 ||
        strcmp(word, "QSFP112-DD") == 0)
        memcpy(word, "QSFP-DD", sizeof("QSFP-DD"));
}

static bool one_fits(const char *plug, const char *cage)
{
    char a[WORD_BYTES], b[WORD_BYTES];
    const bool flat_cage = strstr(cage, "flat-top") != NULL;
    const bool flat_plug = strstr(plug, "flat-top") != NULL;
    const bool twin_plug = strstr(plug, "twin-port") != NULL;

    form_factor(plug, a);
    form_factor(cage, b);
    if (strcmp(a, b) != 0)
        return strncmp(a, "QSFP112", 7) == 0 && strcmp(b, "QSFP-DD") == 0 ? true : false;
    /* A finned twin-port module does not go into a flat-top cage, nor the reverse. */
    return !(flat_cage && twin_plug) && !(flat_plug && strstr(cage, "twin-port"));
}

/* "A or B" is either. */
bool ry_connector_fits(const char *plug, const char *cage)
{
    for (const char *p = plug; p; p = strstr(p, " or ") ? strstr(p, " or ") + 4 : NULL) {
        for (const char *c = cage; c;
             c = strstr(c, " or ") ? strstr(c, " or ") + 4 : NULL) {
            if (one_fits(p, c))
                return true;
        }
    }
    return false;
}

double ry_cable_usd(const struct ry_catalog *catalog, const struct ry_cable *product,
                    double length_m)
{
    const double usd = ry_price_of(catalog, RY_KIND_CABLE, &product->part).usd;
    const double per_m = isnan(product->price_usd_per_m) ? 0.0 : product->price_usd_per_m;

    return usd + (isnan(length_m) ? 0.0 : per_m * length_m);
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
    const struct ry_cable *module_a, *module_b, *fibre; /* all or none */
    double longest_m;
};

/* The cable of links of a level at one rate and length, found once. */
struct pick {
    double rate, length_m;
    const struct ry_cable *product; /* NULL: none reaches */
    size_t links;
};

struct work {
    struct ry_arena *arena;
    const struct ry_cable_input *in;
    const struct ry_cable_rules *rules;
    struct ry_cable_plan *plan;
    struct run *runs;
    size_t n;
    struct choice choices[RY_CABLE_LEVELS_MOST];
    struct pick picks[RY_CABLE_LEVELS_MOST][STOCKS + 1];
    bool *caged; /* [ports] a module stands in the cage of this first port */
    double *usd; /* [products] unit price, INFINITY without */
    size_t products;
    bool full; /* more lines than it holds */
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

/* Links of this rate that one cage holds. */
static size_t cage_ports(const struct ry_port_cage *cage, double rate)
{
    const double ports = cage->bytes_per_s / rate;
    return ports >= 1.5 ? (size_t)(ports + 0.5) : 1;
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
    const bool split = cage_ports(cage_of(work, run->a), rate) > 1 &&
                       cage_ports(cage_of(work, run->b), rate) == 1;
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

static const struct ry_cable *product_at(const struct work *work, size_t i)
{
    return (const struct ry_cable *)(const void *)ry_catalog_at(work->rules->catalog,
                                                                RY_KIND_CABLE, i);
}

static bool speaks(const struct work *work, const struct ry_cable *product)
{
    return strcmp(product->protocol, "any") == 0 ||
           strstr(product->protocol, work->rules->protocol) != NULL;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 0.01 * fabs(b);
}

static bool reaches(const struct ry_cable *product, double length_m)
{
    return !(length_m > product->reach_max_m);
}

/* A module for a cage: all its ports at the link's rate. */
static bool is_module(const struct work *work, const struct ry_cable *product,
                      const struct ry_port_cage *cage, double link_bytes_per_s)
{
    return strcmp(product->kind, "transceiver") == 0 && speaks(work, product) &&
           ry_connector_fits(product->connector_a, cage->connector) &&
           near(product->total_bytes_per_s,
                (double)cage_ports(cage, link_bytes_per_s) * link_bytes_per_s) &&
           near(product->end_b_bytes_per_s, link_bytes_per_s);
}

/* The last word of "2x MPO-12/APC": what a fibre must have at its end. */
static const char *optical_end(const char *connector)
{
    const char *space = strrchr(connector, ' ');
    return space && connector[0] >= '0' && connector[0] <= '9' ? space + 1 : connector;
}

static const struct ry_cable *find_fibre(const struct work *work,
                                         const struct ry_cable *module, double length_m)
{
    const struct ry_cable *product = NULL;
    const char *end = optical_end(module->connector_b);

    for (size_t i = 0; (product = product_at(work, i)) != NULL; i++) {
        if (strcmp(product->kind, "fiber") == 0 &&
            strcmp(product->media, module->media) == 0 &&
            strncmp(product->connector_a, end, strlen("MPO-12")) == 0 &&
            reaches(product, length_m))
            return product;
    }
    return NULL;
}

static double usd_of(const struct work *work, const struct ry_cable *product,
                     double length_m)
{
    const struct ry_cable *first = product_at(work, 0);
    const double per_m = isnan(product->price_usd_per_m) ? 0.0 : product->price_usd_per_m;

    return work->usd[product - first] + per_m * length_m;
}

/* Dollars of one link by these; INFINITY when a price is missing, so that a product with
 * a price wins. */
static double optics_usd(const struct work *work, const struct choice *choice,
                         const struct run *run, double length_m)
{
    const double rate = rate_of(work, run);

    return usd_of(work, choice->module_a, 0.0) /
               (double)cage_ports(cage_of(work, run->a), rate) +
           usd_of(work, choice->module_b, 0.0) /
               (double)cage_ports(cage_of(work, run->b), rate) +
           usd_of(work, choice->fibre, length_m);
}

/* The cheapest pair of modules with a fibre between them that reaches. */
static void choose_optics(const struct work *work, const struct run *run,
                          struct choice *choice)
{
    const double rate = rate_of(work, run);
    const struct ry_port_cage *cage_a = cage_of(work, run->a),
                              *cage_b = cage_of(work, run->b);
    const double longest_m = choice->longest_m;
    const struct ry_cable *a = NULL, *b = NULL;

    for (size_t i = 0; (a = product_at(work, i)) != NULL; i++) {
        if (!is_module(work, a, cage_a, rate) || !reaches(a, longest_m))
            continue;
        for (size_t j = 0; (b = product_at(work, j)) != NULL; j++) {
            if (!is_module(work, b, cage_b, rate) || !reaches(b, longest_m) ||
                strcmp(a->media, b->media) != 0)
                continue;
            const struct choice one = {.module_a = a,
                                       .module_b = b,
                                       .fibre = find_fibre(work, a, longest_m),
                                       .longest_m = longest_m};
            if (one.fibre &&
                (!choice->module_a || optics_usd(work, &one, run, longest_m) <
                                          optics_usd(work, choice, run, longest_m)))
                *choice = one;
        }
    }
}

static bool ends_with_splitter(const struct ry_cable *product)
{
    return strstr(product->kind, "splitter") != NULL;
}

static bool is_cable(const struct ry_cable *product)
{
    static const char *const kinds[] = {"dac", "acc",          "aec",          "lacc",
                                        "aoc", "dac-splitter", "acc-splitter", NULL};

    for (size_t i = 0; kinds[i]; i++) {
        if (strcmp(product->kind, kinds[i]) == 0)
            return true;
    }
    return false;
}

/* Links of one whole cable between these two, 0 when it does not fit. */
static size_t cable_links(const struct work *work, const struct ry_cable *product,
                          const struct run *run)
{
    const double rate = rate_of(work, run);
    const struct ry_port_cage *a = cage_of(work, run->a), *b = cage_of(work, run->b);
    const size_t ports_a = cage_ports(a, rate), ports_b = cage_ports(b, rate);

    if (!is_cable(product) || !speaks(work, product) ||
        !near(product->total_bytes_per_s, (double)ports_a * rate) ||
        !ry_connector_fits(product->connector_a, a->connector) ||
        !ry_connector_fits(product->connector_b, b->connector))
        return 0;
    if (ends_with_splitter(product))
        return product->ends_b == (double)ports_a && ports_b == 1 ? ports_a : 0;
    return ports_a == ports_b ? ports_a : 0;
}

/* The cheapest cable for a length; links of one are set.  NULL: none reaches. */
static const struct ry_cable *choose_cable(const struct work *work, const struct run *run,
                                           double length_m, size_t *links)
{
    const struct ry_cable *product = NULL, *best = NULL;
    double best_usd = (double)INFINITY;

    for (size_t i = 0; (product = product_at(work, i)) != NULL; i++) {
        const size_t n = cable_links(work, product, run);
        if (n == 0 || !reaches(product, length_m))
            continue;
        const double usd = usd_of(work, product, length_m) / (double)n;
        if (best && !(usd < best_usd))
            continue;
        best = product;
        best_usd = usd;
        *links = n;
    }
    return best;
}

/* As choose_cable(): many links are alike. */
static const struct pick *pick_of(struct work *work, const struct run *run, double length_m)
{
    const double rate = rate_of(work, run);
    size_t i = 0;

    while (i < STOCKS && stock_m[i] < length_m)
        i++;
    struct pick *pick = &work->picks[run->level][i];
    if (fabs(pick->rate - rate) > 0.0 || fabs(pick->length_m - length_m) > 0.0) {
        *pick = (struct pick){.rate = rate, .length_m = length_m};
        pick->product = choose_cable(work, run, length_m, &pick->links);
    }
    return pick;
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
        (uint32_t)cage_ports(cage_of(work, device), rate_of(work, run));
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
    const struct choice *choice = &work->choices[run->level];

    if (!choice->fibre || isnan(run->stock_m)) {
        count_cable(work, run, NULL, "cable", 1);
        work->plan->uncovered++;
        return;
    }
    count_cable(work, run, choice->fibre, "fibre", 1);
    count_module(work, run, run->a, run->port_a, choice->module_a);
    count_module(work, run, run->b, run->port_b, choice->module_b);
}

/* Links [from, to) that may share cables. */
static void count_group(struct work *work, size_t from, size_t to)
{
    const struct run *first = &work->runs[from];
    const struct choice *optics = &work->choices[first->level];
    const double length_m = first->stock_m; /* the same of all */
    static const struct pick none = {0};
    const struct pick *pick = isnan(length_m) ? &none : pick_of(work, first, length_m);
    const struct ry_cable *cable = pick->product;
    const size_t per_cable = pick->links;
    size_t i = from;
    if (cable) {
        const double usd = usd_of(work, cable, length_m) / (double)per_cable;
        const bool cheaper =
            !optics->fibre || usd <= optics_usd(work, optics, first, length_m);
        for (; cheaper && i + per_cable <= to; i += per_cable)
            count_cable(work, &work->runs[i], cable, "cable", per_cable);
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
    while (product_at(work, work->products))
        work->products++;
    work->plan->at = RY_NEW(work->arena, struct ry_cable_line, LINES_MOST);
    work->runs = RY_NEW(work->arena, struct run, graph->n_links + 1);
    work->caged = RY_NEW(work->arena, bool, graph->n_ports + 1);
    work->usd = RY_NEW(work->arena, double, work->products + 1);
    if (!work->plan->at || !work->runs || !work->caged || !work->usd)
        return ry_fail(diag, RY_ERR_NOMEM, "cables", "%zu links", graph->n_links);
    for (size_t i = 0; i < work->products; i++) {
        const double usd = ry_cable_usd(work->rules->catalog, product_at(work, i), 0.0);
        work->usd[i] = isnan(usd) ? (double)INFINITY : usd;
    }
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
            longest_m = plan->at[i + 1].product ? longest_m
                                                : fmax(longest_m, plan->at[i + 1].longest_m);
        }
        ry_problem(problems, RY_ERR_NO, "cables",
                   "%zu links %s, up to %.1f m, have no cable: %s", links, line->level,
                   longest_m,
                   line->no_plug ? "the plug of the nodes' NICs is not known; name the part, "
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
    for (size_t l = 0; l < graph->n_links; l++) {
        if (graph->levels[graph->links[l].level].media != RY_MEDIA_BACKPLANE)
            add_run(&work, l);
    }
    qsort(work.runs, work.n, sizeof(*work.runs), by_key);
    for (size_t i = 0; i < work.n; i++) {
        if (i == 0 || work.runs[i].level != work.runs[i - 1].level)
            choose_optics(&work, &work.runs[i], &work.choices[work.runs[i].level]);
    }
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
