/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalog/price.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

static const struct ry_price none = {.kind = RY_PRICE_NONE,
                                     .usd = NAN,
                                     .low_usd = NAN,
                                     .high_usd = NAN,
                                     .from_usd = NAN,
                                     .from_count = NAN};

static const struct ry_price_rule *rule_at(const struct ry_catalog *catalog, size_t i)
{
    return (const struct ry_price_rule *)(const void *)ry_catalog_at(
        catalog, RY_KIND_PRICE_RULE, i);
}

/* The first rule of this kind whose match is the text. */
static const struct ry_price_rule *find_rule(const struct ry_catalog *catalog,
                                             const char *rule, const char *match)
{
    const struct ry_price_rule *at = NULL;

    for (size_t i = 0; (at = rule_at(catalog, i)) != NULL; i++)
        if (strcmp(at->rule, rule) == 0 && ry_name_eq(at->match, match))
            return at;
    return NULL;
}

static const struct ry_price_rule *find_basis(const struct ry_catalog *catalog,
                                              const char *basis)
{
    const struct ry_price_rule *at = NULL;

    for (size_t i = 0; (at = rule_at(catalog, i)) != NULL; i++)
        if (strcmp(at->rule, "basis") == 0 && ry_name_contains(basis, at->match))
            return at;
    return NULL;
}

/* Also where no rule gives factors: then as wide as the value itself. */
static void set_range(struct ry_price *price)
{
    const struct ry_price_rule *rule = price->rule;

    price->low_usd =
        price->usd * (rule && rule->low_factor >= 0 ? rule->low_factor : 1.0);
    price->high_usd =
        price->usd * (rule && rule->high_factor >= 0 ? rule->high_factor : 1.0);
}

/* A quote, or the price in the part's own row. */
static struct ry_price own_price(const struct ry_catalog *catalog,
                                 const struct ry_part *part)
{
    struct ry_price price = none;

    if (!(part->price_usd > 0.0)) /* unknown; zero is no price either */
        return none;
    price.usd = part->price_usd;
    price.row = part;
    if (part->quoted) {
        price.kind = RY_PRICE_QUOTE;
        set_range(&price);
        return price;
    }
    price.rule = find_basis(catalog, part->price_basis);
    price.kind = price.rule && strcmp(price.rule->of, "listed") == 0 ? RY_PRICE_LISTED
                                                                     : RY_PRICE_ESTIMATE;
    set_range(&price);
    return price;
}

static struct ry_price sibling_price(const struct ry_catalog *catalog, enum ry_kind kind,
                                     const struct ry_part *part)
{
    struct ry_price price = none;
    const struct ry_price_rule *rule = find_rule(catalog, "sibling", part->name);
    const struct ry_part *sibling =
        rule ? ry_catalog_find(catalog, kind, rule->of) : NULL;

    if (!sibling || !(rule->value > 0.0))
        return none;
    const struct ry_price base = own_price(catalog, sibling);
    if (base.kind == RY_PRICE_NONE)
        return none;
    price.kind = RY_PRICE_ESTIMATE;
    price.rule = rule;
    price.from = sibling;
    price.from_usd = base.usd;
    price.from_count = rule->value;
    price.usd = base.usd * rule->value;
    set_range(&price);
    return price;
}

static struct ry_price own_or_sibling(const struct ry_catalog *catalog, enum ry_kind kind,
                                      const struct ry_part *part)
{
    const struct ry_price price = own_price(catalog, part);
    return price.kind != RY_PRICE_NONE ? price : sibling_price(catalog, kind, part);
}

static bool fits(double wanted, double have)
{
    return isnan(wanted) || wanted == have;
}

static const struct ry_price_rule *find_base(const struct ry_catalog *catalog,
                                             const struct ry_node *node)
{
    const struct ry_price_rule *at = NULL;

    for (size_t i = 0; (at = rule_at(catalog, i)) != NULL; i++) {
        if (strcmp(at->rule, "base_system") == 0 && ry_name_eq(at->match, node->fabric) &&
            fits(at->match_gen, node->fabric_gen) &&
            fits(at->match_gpus, node->gpu_count) && at->value > 0.0)
            return at;
    }
    return NULL;
}

/* GPUs and a base system. */
static struct ry_price built_node(const struct ry_catalog *catalog,
                                  const struct ry_node *node)
{
    const struct ry_gpu *gpu = ry_find_gpu(catalog, node->gpu_model);
    const struct ry_price_rule *base = find_base(catalog, node);

    if (!gpu || !base || !(node->gpu_count > 0.0) ||
        find_rule(catalog, "never", node->kind))
        return none;
    const struct ry_price each = own_or_sibling(catalog, RY_KIND_GPU, &gpu->part);
    if (each.kind == RY_PRICE_NONE)
        return none;
    struct ry_price price = {.kind = RY_PRICE_ESTIMATE,
                             .rule = base,
                             .usd = base->value,
                             .from = &gpu->part,
                             .from_usd = each.usd,
                             .from_count = node->gpu_count};
    set_range(&price); /* of the base system; the GPUs bring their own */
    price.usd += node->gpu_count * each.usd;
    price.low_usd += node->gpu_count * each.low_usd;
    price.high_usd += node->gpu_count * each.high_usd;
    return price;
}

static struct ry_price switch_by_rate(const struct ry_catalog *catalog,
                                      const struct ry_switch *part)
{
    struct ry_price price = none;
    const struct ry_price_rule *rule = find_rule(catalog, "per_tbit_s", part->technology);
    const double tbit_s = part->ports * part->port_bytes_per_s / 1.25e11;

    if (!rule || !(rule->value > 0.0) || !(tbit_s > 0.0))
        return none;
    price.kind = RY_PRICE_ESTIMATE;
    price.rule = rule;
    price.from_count = tbit_s;
    price.usd = tbit_s * rule->value;
    set_range(&price);
    return price;
}

struct ry_price ry_price_of(const struct ry_catalog *catalog, enum ry_kind kind,
                            const struct ry_part *part)
{
    const struct ry_price price = own_or_sibling(catalog, kind, part);

    if (price.kind != RY_PRICE_NONE)
        return price;
    if (kind == RY_KIND_NODE)
        return built_node(catalog, (const struct ry_node *)(const void *)part);
    if (kind == RY_KIND_SWITCH)
        return switch_by_rate(catalog, (const struct ry_switch *)(const void *)part);
    return none;
}

struct ry_price ry_price_find(const struct ry_catalog *catalog, enum ry_kind kind,
                              const char *name)
{
    const struct ry_part *part = ry_catalog_find(catalog, kind, name);
    return part ? ry_price_of(catalog, kind, part) : none;
}

const char *ry_price_kind_text(enum ry_price_kind kind)
{
    switch (kind) {
    case RY_PRICE_QUOTE:
        return "quote";
    case RY_PRICE_LISTED:
        return "listed";
    case RY_PRICE_ESTIMATE:
        return "estimate";
    case RY_PRICE_NONE:
        break;
    }
    return "no price";
}

static void row_origin(const struct ry_part *row, char *text, size_t room)
{
    char year[16] = "";

    if (row->quoted) {
        (void)snprintf(text, room, "%s, %s, %s:%u", row->price_source, row->price_date,
                       row->price_file, row->price_line);
        return;
    }
    if (row->price_year > 0.0)
        (void)snprintf(year, sizeof(year), ", %.0f", row->price_year);
    (void)snprintf(text, room, "%s%s, %s:%u",
                   row->price_basis[0] ? row->price_basis : "listed", year,
                   row->price_file, row->price_line);
}

const char *ry_price_origin(const struct ry_price *price,
                            char text[RY_PRICE_ORIGIN_BYTES])
{
    const size_t room = RY_PRICE_ORIGIN_BYTES;
    const struct ry_price_rule *rule = price->rule;

    text[0] = '\0';
    if (price->kind == RY_PRICE_NONE)
        return text;
    if (price->row)
        row_origin(price->row, text, room);
    else if (rule && strcmp(rule->rule, "sibling") == 0)
        (void)snprintf(text, room, "%.4g x %s at $%.0f (%s:%u)", price->from_count,
                       price->from->name, price->from_usd, rule->part.file,
                       rule->part.line);
    else if (rule && strcmp(rule->rule, "base_system") == 0)
        (void)snprintf(text, room, "%.0f x %s at $%.0f + base system $%.0f (%s:%u)",
                       price->from_count, price->from->name, price->from_usd, rule->value,
                       rule->part.file, rule->part.line);
    else if (rule)
        (void)snprintf(text, room, "%.4g Tb/s at $%.0f (%s:%u)", price->from_count,
                       rule->value, rule->part.file, rule->part.line);
    return text;
}
