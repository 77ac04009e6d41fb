/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/cable_choice.h"

#include "catalog/price.h"
#include "facility/connector.h"

#include <math.h>
#include <string.h>

double ry_cable_usd(const struct ry_catalog *catalog, const struct ry_cable *product,
                    double length_m)
{
    const double usd = ry_price_of(catalog, RY_KIND_CABLE, &product->part).usd;
    const double per_m = isnan(product->price_usd_per_m) ? 0.0 : product->price_usd_per_m;

    return usd + (isnan(length_m) ? 0.0 : per_m * length_m);
}

size_t ry_cage_links(const struct ry_port_cage *cage, double link_bytes_per_s)
{
    const double links = cage->bytes_per_s / link_bytes_per_s;
    return links >= 1.5 ? (size_t)(links + 0.5) : 1;
}

static const struct ry_cable *product_at(const struct ry_cable_offers *offers, size_t i)
{
    return (const struct ry_cable *)(const void *)ry_catalog_at(offers->catalog,
                                                                RY_KIND_CABLE, i);
}

bool ry_cable_offers_create(struct ry_arena *arena, const struct ry_catalog *catalog,
                            const char *protocol, struct ry_cable_offers *offers)
{
    size_t products = 0;

    *offers = (struct ry_cable_offers){.catalog = catalog, .protocol = protocol};
    while (product_at(offers, products))
        products++;
    offers->usd = RY_NEW(arena, double, products + 1);
    for (size_t i = 0; offers->usd && i < products; i++) {
        const double usd = ry_cable_usd(catalog, product_at(offers, i), 0.0);
        offers->usd[i] = isnan(usd) ? (double)INFINITY : usd;
    }
    return offers->usd != NULL;
}

static bool speaks(const struct ry_cable_offers *offers, const struct ry_cable *product)
{
    return strcmp(product->protocol, "any") == 0 ||
           strstr(product->protocol, offers->protocol) != NULL;
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
static bool is_module(const struct ry_cable_offers *offers,
                      const struct ry_cable *product, const struct ry_port_cage *cage,
                      double link_bytes_per_s)
{
    return strcmp(product->kind, "transceiver") == 0 && speaks(offers, product) &&
           ry_connector_fits(product->connector_a, cage->connector) &&
           near(product->total_bytes_per_s,
                (double)ry_cage_links(cage, link_bytes_per_s) * link_bytes_per_s) &&
           near(product->end_b_bytes_per_s, link_bytes_per_s);
}

/* The last word of "2x MPO-12/APC": what a fibre must have at its end. */
static const char *optical_end(const char *connector)
{
    const char *space = strrchr(connector, ' ');
    return space && connector[0] >= '0' && connector[0] <= '9' ? space + 1 : connector;
}

static const struct ry_cable *find_fibre(const struct ry_cable_offers *offers,
                                         const struct ry_cable *module, double length_m)
{
    const struct ry_cable *product = NULL;
    const char *end = optical_end(module->connector_b);

    for (size_t i = 0; (product = product_at(offers, i)) != NULL; i++) {
        if (strcmp(product->kind, "fiber") == 0 &&
            strcmp(product->media, module->media) == 0 &&
            strncmp(product->connector_a, end, strlen("MPO-12")) == 0 &&
            reaches(product, length_m))
            return product;
    }
    return NULL;
}

static double usd_of(const struct ry_cable_offers *offers, const struct ry_cable *product,
                     double length_m)
{
    const struct ry_cable *first = product_at(offers, 0);
    const double per_m = isnan(product->price_usd_per_m) ? 0.0 : product->price_usd_per_m;

    return offers->usd[product - first] + per_m * length_m;
}

double ry_optics_usd(const struct ry_cable_offers *offers, const struct ry_optics *optics,
                     const struct ry_cable_ends *ends, double length_m)
{
    const double rate = ends->link_bytes_per_s;

    return usd_of(offers, optics->module_a, 0.0) / (double)ry_cage_links(ends->a, rate) +
           usd_of(offers, optics->module_b, 0.0) / (double)ry_cage_links(ends->b, rate) +
           usd_of(offers, optics->fibre, length_m);
}

struct ry_optics ry_optics_choose(const struct ry_cable_offers *offers,
                                  const struct ry_cable_ends *ends, double longest_m)
{
    const double rate = ends->link_bytes_per_s;
    const struct ry_cable *a = NULL, *b = NULL;
    struct ry_optics best = {0};

    for (size_t i = 0; (a = product_at(offers, i)) != NULL; i++) {
        if (!is_module(offers, a, ends->a, rate) || !reaches(a, longest_m))
            continue;
        for (size_t j = 0; (b = product_at(offers, j)) != NULL; j++) {
            if (!is_module(offers, b, ends->b, rate) || !reaches(b, longest_m) ||
                strcmp(a->media, b->media) != 0)
                continue;
            const struct ry_optics one = {a, b, find_fibre(offers, a, longest_m)};
            if (one.fibre &&
                (!best.fibre || ry_optics_usd(offers, &one, ends, longest_m) <
                                    ry_optics_usd(offers, &best, ends, longest_m)))
                best = one;
        }
    }
    return best;
}

static bool ends_with_splitter(const struct ry_cable *product)
{
    return strstr(product->kind, "splitter") != NULL;
}

static bool is_cable(const struct ry_cable *product)
{
    static const char *const kinds[] = {"dac", "acc",          "aec",          "lacc",
                                        "aoc", "dac-splitter", "acc-splitter", NULL};

    for (size_t i = 0; kinds[i]; i++)
        if (strcmp(product->kind, kinds[i]) == 0)
            return true;
    return false;
}

/* Links of one whole cable between these two, 0 when it does not fit. */
static size_t cable_links(const struct ry_cable_offers *offers,
                          const struct ry_cable *product,
                          const struct ry_cable_ends *ends)
{
    const double rate = ends->link_bytes_per_s;
    const size_t links_a = ry_cage_links(ends->a, rate);
    const size_t links_b = ry_cage_links(ends->b, rate);

    if (!is_cable(product) || !speaks(offers, product) ||
        !near(product->total_bytes_per_s, (double)links_a * rate) ||
        !ry_connector_fits(product->connector_a, ends->a->connector) ||
        !ry_connector_fits(product->connector_b, ends->b->connector))
        return 0;
    if (ends_with_splitter(product))
        return product->ends_b == (double)links_a && links_b == 1 ? links_a : 0;
    return links_a == links_b ? links_a : 0;
}

struct ry_cable_pick ry_cable_choose(const struct ry_cable_offers *offers,
                                     const struct ry_cable_ends *ends, double length_m)
{
    struct ry_cable_pick best = {.usd_per_link = (double)INFINITY};
    const struct ry_cable *product = NULL;

    for (size_t i = 0; (product = product_at(offers, i)) != NULL; i++) {
        const size_t n = cable_links(offers, product, ends);
        if (n == 0 || !reaches(product, length_m))
            continue;
        const double usd = usd_of(offers, product, length_m) / (double)n;
        if (!best.product || usd < best.usd_per_link)
            best = (struct ry_cable_pick){product, n, usd};
    }
    return best;
}
