/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/optics.h"

#include <string.h>

/* One alternative of "A or B" or "A/B": its first word. */
static size_t next_word(const char **text, const char **word)
{
    const char *at = *text;

    while (*at == ' ' || *at == '/')
        at++;
    if (strncmp(at, "or ", 3) == 0)
        at += 3;
    *word = at;
    const size_t length = strcspn(at, " /");
    at += length;
    /* the rest of this alternative qualifies it: "flat-top (RHS)" */
    while (*at != '\0' && *at != '/' && strncmp(at, " or ", 4) != 0)
        at++;
    *text = at;
    return length;
}

/* Whether some alternative of one is some alternative of the other. */
static bool fits(const char *plug, const char *cage)
{
    const char *word = NULL;

    for (const char *p = plug; *p != '\0';) {
        const size_t n = next_word(&p, &word);
        const char *other = NULL;
        for (const char *c = cage; n > 0 && *c != '\0';) {
            const size_t m = next_word(&c, &other);
            if (m == n && strncmp(word, other, n) == 0)
                return true;
        }
    }
    return false;
}

static bool same_rate(double a, double b)
{
    return fabs(a - b) <= 1e-6 * b;
}

/* Whether it carries the protocol and reaches: "ib+eth", "eth", "any". */
static bool usable(const struct ry_cable *cable, const struct ry_link_need *need)
{
    const char *protocol = need->ethernet ? "eth" : "ib";

    if (!strstr(cable->protocol, protocol) && strcmp(cable->protocol, "any") != 0)
        return false;
    return !(cable->reach_max_m < need->length_m);
}

/* Links at line rate are laned: a flat plug is one link, a twin one two. */
static bool is_module(const struct ry_cable *cable, const struct ry_cage *cage)
{
    return strcmp(cable->kind, "transceiver") == 0 &&
           same_rate(cable->total_bytes_per_s, cage->bytes_per_s) &&
           (cage->connector[0] == '\0' || fits(cable->connector_a, cage->connector));
}

static bool is_direct(const struct ry_cable *cable, const struct ry_link_need *need)
{
    if (strcmp(cable->kind, "transceiver") == 0 || strcmp(cable->kind, "fiber") == 0 ||
        strcmp(cable->kind, "cpo") == 0 || strcmp(cable->kind, "backplane") == 0)
        return false;
    /* end A in the switch, end B at the other side */
    return same_rate(cable->total_bytes_per_s, need->b.bytes_per_s) &&
           same_rate(cable->end_b_bytes_per_s, need->a.bytes_per_s) &&
           fits(cable->connector_a, need->b.connector) &&
           fits(cable->connector_b, need->a.connector);
}

struct ry_price ry_cable_price(const struct ry_catalog *catalog,
                               const struct ry_cable *cable, double length_m)
{
    struct ry_price price = ry_price_of(catalog, RY_KIND_CABLE, &cable->part);
    const double extra =
        isfinite(cable->price_usd_per_m) ? cable->price_usd_per_m * length_m : 0.0;

    price.usd += extra;
    price.low_usd += extra;
    price.high_usd += extra;
    return price;
}

/* Dollars to compare by: unpriced last. */
static double rank_usd(const struct ry_catalog *catalog, const struct ry_cable *cable,
                       double length_m)
{
    const double usd = ry_cable_price(catalog, cable, length_m).usd;

    return isfinite(usd) ? usd : 1e9;
}

static const struct ry_cable *cable_at(const struct ry_catalog *catalog, size_t i)
{
    return (const struct ry_cable *)(const void *)ry_catalog_at(catalog, RY_KIND_CABLE,
                                                                i);
}

static const struct ry_cable *best_module(const struct ry_catalog *catalog,
                                          const struct ry_link_need *need,
                                          const struct ry_cage *cage, const char *media)
{
    const struct ry_cable *best = NULL, *cable = NULL;

    for (size_t i = 0; (cable = cable_at(catalog, i)) != NULL; i++) {
        if (is_module(cable, cage) && usable(cable, need) &&
            strcmp(cable->media, media) == 0 &&
            (!best || rank_usd(catalog, cable, 0) < rank_usd(catalog, best, 0)))
            best = cable;
    }
    return best;
}

static const struct ry_cable *best_other(const struct ry_catalog *catalog,
                                         const struct ry_link_need *need,
                                         const char *fibre_media)
{
    const struct ry_cable *best = NULL, *cable = NULL;

    for (size_t i = 0; (cable = cable_at(catalog, i)) != NULL; i++) {
        const bool fibre = fibre_media && strcmp(cable->kind, "fiber") == 0 &&
                           strcmp(cable->media, fibre_media) == 0;
        if ((fibre || (!fibre_media && is_direct(cable, need))) && usable(cable, need) &&
            (!best || rank_usd(catalog, cable, need->length_m) <
                          rank_usd(catalog, best, need->length_m)))
            best = cable;
    }
    return best;
}

/* What an option costs a link, to compare. */
static double parts_usd(const struct ry_catalog *catalog, const struct ry_link_need *need,
                        const struct ry_link_parts *parts)
{
    double usd = 0.0;

    for (size_t i = 0; i < parts->n; i++)
        usd += parts->item[i].per_link *
               rank_usd(catalog, parts->item[i].cable, need->length_m);
    return usd;
}

static double watts_of(const struct ry_cable *cable)
{
    return isfinite(cable->power_per_end_w) ? cable->power_per_end_w : 0.0;
}

static bool modules(const struct ry_catalog *catalog, const struct ry_link_need *need,
                    const char *media, struct ry_link_parts *out)
{
    const double per_a = need->link_bytes_per_s / need->a.bytes_per_s;
    const double per_b = need->link_bytes_per_s / need->b.bytes_per_s;
    const struct ry_cable *a = best_module(catalog, need, &need->a, media);
    const struct ry_cable *b = best_module(catalog, need, &need->b, media);
    const struct ry_cable *fibre = best_other(catalog, need, media);

    if (!a || !b || !fibre)
        return false;
    *out = (struct ry_link_parts){
        .n = 3,
        .item = {{a, "module, far end", per_a},
                 {b, "module, switch end", per_b},
                 {fibre, "fibre", 1.0}},
        .watts = per_a * watts_of(a) + per_b * watts_of(b),
    };
    return true;
}

struct ry_link_parts ry_link_choose(const struct ry_catalog *catalog,
                                    const struct ry_link_need *need)
{
    static const char *const media[] = {"mmf", "smf"};
    struct ry_link_parts best = {.n = 1, .item = {{NULL, "cable", 1.0}}};
    const struct ry_cable *direct = best_other(catalog, need, NULL);
    double best_usd = INFINITY;

    if (direct) {
        const double per = need->link_bytes_per_s / need->b.bytes_per_s;
        best.item[0] = (struct ry_link_item){direct, "cable", per};
        best.watts = 2.0 * per * watts_of(direct);
        best_usd = parts_usd(catalog, need, &best);
    }
    for (size_t i = 0; i < sizeof(media) / sizeof(media[0]); i++) {
        struct ry_link_parts parts;
        if (!modules(catalog, need, media[i], &parts))
            continue;
        const double usd = parts_usd(catalog, need, &parts);
        if (usd < best_usd) {
            best = parts;
            best_usd = usd;
        }
    }
    return best;
}
