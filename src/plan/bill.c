/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/bill.h"

#include "base/names.h"
#include "plan/machine.h"
#include "plan/optics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Of a fabric NICs, leaves, spines and two levels of links; nodes, racks, cooling,
 * plant. */
enum {
    FABRIC_LINES_MOST = 3 + 2 * RY_LINK_ITEMS_MOST,
    LINES_MOST = (1 + RY_DESIGN_SIDES_MOST) * FABRIC_LINES_MOST + 4
};

void ry_money_add(struct ry_money *sum, struct ry_money more)
{
    sum->usd += more.usd;
    sum->low_usd += more.low_usd;
    sum->high_usd += more.high_usd;
    sum->estimate_usd += more.estimate_usd;
    sum->unpriced += more.unpriced;
}

static struct ry_money money_times(struct ry_money money, double factor)
{
    money.usd *= factor;
    money.low_usd *= factor;
    money.high_usd *= factor;
    money.estimate_usd *= factor;
    return money;
}

struct ry_money ry_money_exact(double usd)
{
    return (struct ry_money){.usd = usd, .low_usd = usd, .high_usd = usd};
}

const char *ry_bill_group_text(enum ry_bill_group group)
{
    static const char *const texts[RY_BILL_GROUPS] = {
        "nodes",      "NICs",      "switches",    "cables and optics",
        "racks",      "rack PDUs", "cooling",     "power and cooling plant",
        "management", "storage",   "installation"};

    return texts[group];
}

bool ry_bill_is_network(enum ry_bill_group group)
{
    return group == RY_BILL_NICS || group == RY_BILL_SWITCHES ||
           group == RY_BILL_OPTICS || group == RY_BILL_MANAGEMENT;
}

/* The lines as they are added. */
struct biller {
    const struct ry_catalog *catalog;
    const struct ry_design *design;
    struct ry_bill *bill;
};

/* What so many cost; without a price they add nothing and are counted. */
static struct ry_money money_of(const struct ry_price *price, double count)
{
    if (!(count > 0.0))
        return (struct ry_money){0};
    if (!isfinite(price->usd))
        return (struct ry_money){.unpriced = 1};
    const struct ry_money one = {
        .usd = price->usd,
        .low_usd = price->low_usd,
        .high_usd = price->high_usd,
        .estimate_usd = price->kind == RY_PRICE_ESTIMATE ? price->usd : 0.0,
    };
    return money_times(one, count);
}

/* Parts of that name that the user has and no line before has used. */
static double owned_left(const struct biller *b, const char *part)
{
    double left = ry_design_owned(b->design, part);

    for (size_t i = 0; i < b->bill->n; i++)
        if (ry_name_eq(b->bill->line[i].part, part))
            left -= b->bill->line[i].owned;
    return left;
}

/* Both ends of a link take the same module, several fabrics the same switch. */
static struct ry_bill_line *line_for(struct ry_bill *bill,
                                     const struct ry_bill_line *like)
{
    for (size_t i = 0; i < bill->n; i++) {
        struct ry_bill_line *same = &bill->line[i];
        if (strcmp(same->part, like->part) == 0 && strcmp(same->use, like->use) == 0)
            return same;
    }
    assert(bill->n < LINES_MOST);
    struct ry_bill_line *line = &bill->line[bill->n++];
    *line = *like;
    line->count = 0.0;
    return line;
}

static void add(const struct biller *b, struct ry_bill_line more)
{
    struct ry_bill *bill = b->bill;

    if (!(more.count > 0.0))
        return;
    const double owned = fmin(more.count, owned_left(b, more.part));
    const struct ry_money money = money_of(&more.price, more.count - owned);
    struct ry_bill_line *line = line_for(bill, &more);
    line->count += more.count;
    line->owned += owned;
    ry_money_add(&bill->group[more.group], money);
    ry_money_add(&bill->total, money);
}

static void add_part(const struct biller *b, enum ry_bill_group group, const char *use,
                     const struct ry_part *part, enum ry_kind kind, double count)
{
    if (part)
        add(b, (struct ry_bill_line){.group = group,
                                     .part = part->name,
                                     .use = use,
                                     .count = count,
                                     .price = ry_price_of(b->catalog, kind, part)});
}

static struct ry_price no_price(void)
{
    return (struct ry_price){
        .kind = RY_PRICE_NONE, .usd = NAN, .low_usd = NAN, .high_usd = NAN};
}

/* The lines of so many alike links. */
static double add_links(const struct biller *b, const struct ry_link_need *need,
                        const char *use, size_t links)
{
    const struct ry_link_parts parts = ry_link_choose(b->catalog, need);

    for (size_t i = 0; i < parts.n; i++) {
        const struct ry_link_item *item = &parts.item[i];
        const double count = ceil((double)links * item->per_link - 1e-9);
        add(b, (struct ry_bill_line){
                   .group = RY_BILL_OPTICS,
                   .part = item->cable ? item->cable->part.name
                                       : "(no cable of the catalog fits)",
                   .use = use,
                   .count = count,
                   .price = item->cable
                                ? ry_cable_price(b->catalog, item->cable, need->length_m)
                                : no_price()});
    }
    return parts.watts * (double)links;
}

static struct ry_cage switch_cage(const struct ry_switch *part)
{
    const double per_cage =
        isfinite(part->cages) && part->cages >= 1.0 ? part->ports / part->cages : 1.0;

    return (struct ry_cage){part->connector, part->port_bytes_per_s * per_cage};
}

static void add_network(const struct biller *b, const struct ry_network *network,
                        struct ry_room *room)
{
    const struct ry_design *design = b->design;
    const struct ry_fabric_inputs *fabric = &design->fabric;

    if (network->leaves == 0)
        return;
    struct ry_link_need need = {
        .a = {design->nic ? design->nic->connector : "", design->nic_bytes_per_s},
        .b = switch_cage(fabric->leaf),
        .link_bytes_per_s = design->nic_bytes_per_s,
        .length_m = fabric->cable_length_m,
        .ethernet = fabric->technology != RY_FABRIC_INFINIBAND,
    };
    add_part(b, RY_BILL_SWITCHES, "leaf switch", &fabric->leaf->part, RY_KIND_SWITCH,
             (double)network->leaves);
    add_part(b, RY_BILL_SWITCHES, "spine and core switch", &fabric->spine->part,
             RY_KIND_SWITCH, (double)(network->spines + network->cores));
    room->optics_w += add_links(b, &need, "node to leaf", network->node_links);
    need.a = switch_cage(fabric->leaf);
    need.b = switch_cage(fabric->spine);
    /* uplinks run at the ports' own rate */
    const double rate = fabric->leaf->port_bytes_per_s < fabric->spine->port_bytes_per_s
                            ? fabric->leaf->port_bytes_per_s
                            : fabric->spine->port_bytes_per_s;
    const double links = (double)(network->leaf_spine_links + network->spine_core_links) *
                         design->nic_bytes_per_s / rate;
    need.link_bytes_per_s = rate;
    if (links > 0.0)
        room->optics_w +=
            add_links(b, &need, "between switches", (size_t)ceil(links - 1e-9));
}

/* Other networks of the nodes: counted as the compute fabric is. */
static void add_sides(const struct biller *b, struct ry_room *room)
{
    for (size_t i = 0; i < b->design->sides_n; i++) {
        const struct ry_design as = ry_design_side(b->design, &b->design->sides[i]);
        const struct biller side = {b->catalog, &as, b->bill};
        struct ry_network network;
        if (ry_design_network(&as, &network, NULL) != RY_OK)
            continue; /* refused before, see ry_room_count() */
        if (as.nic && !as.nics_in_node_price)
            add_part(&side, RY_BILL_NICS, "NIC", &as.nic->part, RY_KIND_NIC,
                     (double)(as.nodes * as.nics_per_node));
        add_network(&side, &network, room);
    }
}

static void add_racks(const struct biller *b, const struct ry_room *room)
{
    const struct ry_rack *rack = b->design->facility.rack;
    const bool whole = strcmp(b->design->node->kind, "rack") == 0;
    const double racks = (double)(room->network_racks + (whole ? 0 : room->node_racks));

    if (rack)
        add_part(b, RY_BILL_RACKS, "rack", &rack->part, RY_KIND_RACK, racks);
}

static void add_cooling(const struct biller *b)
{
    const struct ry_design *design = b->design;
    const struct ry_cooling *cooling = design->facility.cooling;

    if (!cooling || !(cooling->capacity_w > 0.0))
        return;
    const double liquid_frac =
        isfinite(design->node->liquid_frac) ? design->node->liquid_frac : 0.0;
    const double liquid_w =
        design->node->power_max_w * liquid_frac * (double)design->nodes;
    add_part(b, RY_BILL_COOLING, "cooling unit, N+1", &cooling->part, RY_KIND_COOLING,
             liquid_w > 0.0 ? ceil(liquid_w / cooling->capacity_w) + 1.0 : 0.0);
}

enum ry_err ry_bill_make(struct ry_arena *arena, const struct ry_catalog *catalog,
                         const struct ry_design *design, const struct ry_network *network,
                         struct ry_room *room, struct ry_bill *bill)
{
    const struct biller b = {catalog, design, bill};
    const double nodes = (double)design->nodes;

    *bill = (struct ry_bill){.line = RY_NEW(arena, struct ry_bill_line, LINES_MOST)};
    if (!bill->line)
        return RY_ERR_NOMEM;
    room->optics_w = 0.0;
    add_part(&b, RY_BILL_NODES, "node", &design->node->part, RY_KIND_NODE, nodes);
    if (design->nic && !design->nics_in_node_price)
        add_part(&b, RY_BILL_NICS, "NIC", &design->nic->part, RY_KIND_NIC,
                 nodes * (double)design->nics_per_node);
    add_network(&b, network, room);
    add_sides(&b, room);
    add_racks(&b, room);
    add_cooling(&b);
    if (ry_design_place(design) == RY_PLACE_OWN) /* sized only where racks are laid out */
        add(&b, (struct ry_bill_line){.group = RY_BILL_PLANT,
                                      .part = "power and cooling plant",
                                      .use = "UPS, generators, chillers",
                                      .count = 1.0,
                                      .price = no_price()});
    if (design->storage_usd > 0.0) {
        const struct ry_money storage = ry_money_exact(design->storage_usd);
        ry_money_add(&bill->group[RY_BILL_STORAGE], storage);
        ry_money_add(&bill->total, storage);
    }
    const struct ry_money install =
        ry_money_exact(design->finance.install_usd_per_node * nodes);
    ry_money_add(&bill->group[RY_BILL_INSTALL], install);
    ry_money_add(&bill->total, install);
    return RY_OK;
}

static enum ry_bill_group group_of(enum ry_bom_category category)
{
    static const enum ry_bill_group groups[RY_BOM_CATEGORIES] = {
        [RY_BOM_NODE] = RY_BILL_NODES,         [RY_BOM_SWITCH] = RY_BILL_SWITCHES,
        [RY_BOM_NIC] = RY_BILL_NICS,           [RY_BOM_CABLE] = RY_BILL_OPTICS,
        [RY_BOM_TRANSCEIVER] = RY_BILL_OPTICS, [RY_BOM_RACK] = RY_BILL_RACKS,
        [RY_BOM_POWER] = RY_BILL_POWER,        [RY_BOM_COOLING] = RY_BILL_COOLING,
        [RY_BOM_PLANT] = RY_BILL_PLANT,        [RY_BOM_MANAGEMENT] = RY_BILL_MANAGEMENT,
        [RY_BOM_STORAGE] = RY_BILL_STORAGE,    [RY_BOM_SERVICE] = RY_BILL_INSTALL,
    };

    return groups[category];
}

/* The catalog's price with the amounts of the line: a cable's go by its length. */
static struct ry_price price_of_line(const struct ry_bom_price *line)
{
    struct ry_price price = no_price();

    if (isnan(line->usd))
        return price;
    if (line->origin)
        price = *line->origin;
    else
        price.kind = RY_PRICE_LISTED;
    price.usd = line->usd;
    price.low_usd = line->low_usd;
    price.high_usd = line->high_usd;
    return price;
}

static const char *use_of(struct ry_arena *arena, const struct ry_bom_line *line)
{
    return isnan(line->length_m)
               ? ry_strdup(arena, line->description)
               : ry_strfmt(arena, "%s %g m", line->description, line->length_m);
}

enum ry_err ry_bill_of_bom(struct ry_arena *arena, const struct ry_bom *bom,
                           struct ry_bill *bill)
{
    *bill = (struct ry_bill){.line = RY_NEW(arena, struct ry_bill_line, bom->n + 1)};
    if (!bill->line)
        return RY_ERR_NOMEM;
    for (size_t i = 0; i < bom->n; i++) {
        const struct ry_bom_line *from = &bom->at[i];
        struct ry_bill_line *line = &bill->line[bill->n++];
        *line = (struct ry_bill_line){
            .group = group_of(from->category),
            .part = ry_strdup(arena, from->part),
            .use = use_of(arena, from),
            .count = from->quantity + from->spares,
            .owned = from->owned,
            .price = price_of_line(&from->price),
        };
        if (!line->part || !line->use)
            return RY_ERR_NOMEM;
        const struct ry_money money = money_of(&line->price, ry_bom_ordered(from));
        ry_money_add(&bill->group[line->group], money);
        ry_money_add(&bill->total, money);
    }
    return RY_OK;
}

struct ry_bom_sums ry_bill_sums(const struct ry_bill *bill)
{
    struct ry_bom_sums sums = {
        .usd = bill->total.usd,
        .low_usd = bill->total.low_usd,
        .high_usd = bill->total.high_usd,
        .estimate_usd = bill->total.estimate_usd,
        .lines = bill->n,
        .without_price = bill->total.unpriced,
    };

    for (int g = 0; g < RY_BILL_GROUPS; g++) {
        if (!ry_bill_is_network((enum ry_bill_group)g))
            continue;
        sums.network_usd += bill->group[g].usd;
        sums.network_low_usd += bill->group[g].low_usd;
        sums.network_high_usd += bill->group[g].high_usd;
    }
    /* optics: all in the first of the two */
    for (int c = 0; c < RY_BOM_CATEGORIES; c++) {
        const struct ry_money *money = &bill->group[group_of((enum ry_bom_category)c)];
        if (c == RY_BOM_TRANSCEIVER)
            continue;
        sums.by_category_usd[c] = money->usd;
        sums.by_category_low_usd[c] = money->low_usd;
        sums.by_category_high_usd[c] = money->high_usd;
    }
    return sums;
}
