/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/bill.h"

#include "base/names.h"
#include "cost/bom_part.h"
#include "cost/plant.h"
#include "design/design.h"
#include "facility/facility.h"

#include <math.h>

struct work {
    struct ry_arena *arena;
    const struct ry_catalog *catalog;
    const struct ry_facility *facility;
    struct ry_site_bill *bill;
    struct ry_diag *diag;
};

static void note(struct work *work, const char *text)
{
    _Static_assert(RY_BILL_NOTES_MOST >= RY_FACILITY_NOTES_MOST + RY_PLANT_LINES_MOST + 8,
                   "every note has its place");
    if (text)
        work->bill->notes[work->bill->notes_n++] = text;
}

/* Parts of that name that the user has and no line before has used. */
static double owned_left(const struct work *work, const char *part)
{
    double left = ry_design_owned(work->facility->design, part);

    for (size_t i = 0; i < work->bill->bom.n; i++)
        if (ry_name_eq(work->bill->bom.at[i].part, part))
            left -= work->bill->bom.at[i].owned;
    return fmax(0.0, left);
}

static enum ry_err add(struct work *work, struct ry_bom_line line)
{
    line.owned = fmin(line.quantity + line.spares, owned_left(work, line.part));
    return ry_bom_add(&work->bill->bom, &line, work->diag);
}

static enum ry_err add_part(struct work *work, struct ry_bom_line line, enum ry_kind kind,
                            const struct ry_part *part)
{
    if (!part)
        return add(work, line);
    if (!line.within)
        line.price = ry_bom_part_price(work->arena, work->catalog, kind, part);
    if (!ry_bom_set_lead(work->arena, work->catalog, kind, part, &line))
        return ry_fail(work->diag, RY_ERR_NOMEM, "bill", "lead times");
    return add(work, line);
}

static enum ry_err add_nodes(struct work *work)
{
    const struct ry_design *design = work->facility->design;
    struct ry_bom_line line =
        ry_bom_line_of(RY_BOM_NODE, design->node->part.name,
                       (double)(design->nodes - design->spare_nodes));

    line.spares = (double)design->spare_nodes;
    line.description = design->gpu->part.name;
    line.why = ry_strfmt(work->arena, "%zu nodes of %zu GPUs", design->nodes,
                         design->gpus_per_node);
    RY_TRY(add_part(work, line, RY_KIND_NODE, &design->node->part));
    if (!design->nic || design->nics_in_node_price)
        return RY_OK;
    line = ry_bom_line_of(RY_BOM_NIC, design->nic->part.name,
                          (double)(design->nodes * design->nics_per_node));
    line.description = design->nic->connector;
    line.why =
        ry_strfmt(work->arena, "%zu nodes x %zu", design->nodes, design->nics_per_node);
    return add_part(work, line, RY_KIND_NIC, &design->nic->part);
}

/* NICs that the nodes get for storage, in-band and out-of-band networks. */
static enum ry_err add_side_nics(struct work *work)
{
    const struct ry_design *design = work->facility->design;

    for (size_t i = 0; i < design->sides_n; i++) {
        const struct ry_side_fabric *side = &design->sides[i];
        if (!side->nic || side->nics_in_node_price)
            continue;
        struct ry_bom_line line =
            ry_bom_line_of(RY_BOM_NIC, side->nic->part.name,
                           (double)(design->nodes * side->nics_per_node));
        line.description = side->name;
        line.why =
            ry_strfmt(work->arena, "%zu nodes x %zu", design->nodes, side->nics_per_node);
        RY_TRY(add_part(work, line, RY_KIND_NIC, &side->nic->part));
    }
    return RY_OK;
}

static enum ry_err add_switches(struct work *work)
{
    const struct ry_gear_list *gear = &work->facility->gear;

    for (size_t g = 1; g < gear->n; g++) {
        const struct ry_switch *part = work->facility->parts[g];
        const bool management = gear->at[g].role == RY_GEAR_MANAGEMENT;
        struct ry_bom_line line =
            ry_bom_line_of(management ? RY_BOM_MANAGEMENT : RY_BOM_SWITCH,
                           part->part.name, (double)gear->at[g].count);
        line.description = management ? "out-of-band switch" : part->connector;
        line.why = management
                       ? ry_strfmt(work->arena, "%zu managed devices of %.0f ports",
                                   work->facility->managed_ports, part->ports)
                       : ry_gear_role_name(gear->at[g].role);
        RY_TRY(add_part(work, line, RY_KIND_SWITCH, &part->part));
    }
    return RY_OK;
}

static enum ry_err add_cable(struct work *work, const struct ry_cable_line *cable)
{
    const bool module = isnan(cable->length_m);
    struct ry_bom_line line = ry_bom_line_of(module ? RY_BOM_TRANSCEIVER : RY_BOM_CABLE,
                                             cable->product ? cable->product->part.name
                                                            : "(none in the catalog)",
                                             (double)cable->count);

    line.spares = (double)cable->spares;
    line.length_m = cable->length_m;
    line.description = ry_strfmt(work->arena, "%s %s", cable->level, cable->what);
    line.why = module ? ry_strfmt(work->arena, "%zu links, by cage", cable->links)
                      : ry_strfmt(work->arena, "%zu links up to %.1f m", cable->links,
                                  cable->longest_m);
    if (!line.description || !line.why)
        return ry_fail(work->diag, RY_ERR_NOMEM, "bill", "cables");
    if (cable->product) {
        line.price = ry_bom_cable_price(work->arena, work->catalog, cable->product,
                                        cable->length_m);
        if (!ry_bom_set_lead(work->arena, work->catalog, RY_KIND_CABLE,
                             &cable->product->part, &line))
            return ry_fail(work->diag, RY_ERR_NOMEM, "bill", "lead times");
    }
    return add(work, line);
}

static enum ry_err add_cables(struct work *work)
{
    const struct ry_cable_plan *cables = &work->facility->cables;
    const struct ry_part *cat6 =
        ry_catalog_find(work->catalog, RY_KIND_CABLE, "Cat6A-1G");

    for (size_t i = 0; i < cables->n; i++)
        RY_TRY(add_cable(work, &cables->at[i]));
    if (work->facility->design->nodes < 2 || !cat6)
        return RY_OK;
    struct ry_bom_line line = ry_bom_line_of(RY_BOM_MANAGEMENT, cat6->name,
                                             (double)work->facility->managed_ports);
    line.length_m = work->facility->management_cable_m;
    line.description = "out-of-band cable";
    line.why = "one a managed device, mean length";
    line.price =
        ry_bom_cable_price(work->arena, work->catalog,
                           (const struct ry_cable *)(const void *)cat6, line.length_m);
    return add(work, line);
}

static enum ry_err add_racks(struct work *work)
{
    const struct ry_facility *facility = work->facility;
    const struct ry_rack *compute = facility->compute_rack;
    const struct ry_rack *network = facility->network_rack;
    struct ry_bom_line line =
        ry_bom_line_of(RY_BOM_RACK, compute ? compute->part.name : "(no rack named)",
                       (double)facility->racks.compute_racks);

    line.description = "compute rack";
    line.why = "see 'railyard racks'";
    RY_TRY(add_part(work, line, RY_KIND_RACK, compute ? &compute->part : NULL));
    line = ry_bom_line_of(RY_BOM_RACK, network->part.name,
                          (double)facility->racks.network_racks);
    line.description = "network rack";
    line.why = "see 'railyard racks'";
    return add_part(work, line, RY_KIND_RACK, &network->part);
}

static enum ry_err add_pdus(struct work *work)
{
    const struct ry_facility *facility = work->facility;
    const char *names[] = {facility->power_rules.compute.part,
                           facility->power_rules.network.part};
    const size_t counts[] = {facility->power.pdus_compute, facility->power.pdus_network};

    for (size_t i = 0; i < 2; i++) {
        struct ry_bom_line line =
            ry_bom_line_of(RY_BOM_POWER, names[i], (double)counts[i]);
        line.description = i == 0 ? "rack PDU, compute" : "rack PDU, network";
        line.why = "one a circuit, see 'railyard power'";
        RY_TRY(add_part(work, line, RY_KIND_PDU,
                        ry_catalog_find(work->catalog, RY_KIND_PDU, names[i])));
    }
    return RY_OK;
}

/* Power shelves and busbar of a rack-scale node come with it; they are counted for
 * spares. */
static enum ry_err add_shelves(struct work *work)
{
    const struct ry_facility *facility = work->facility;
    const struct ry_gear *node = &facility->gears[0];

    if (!node->whole_rack || node->psus == 0)
        return RY_OK;
    struct ry_bom_line line =
        ry_bom_line_of(RY_BOM_POWER,
                       facility->power_rules.whole.part ? facility->power_rules.whole.part
                                                        : "(power shelf)",
                       (double)(node->count * node->psus));
    line.description = "power shelf";
    line.why = ry_strfmt(work->arena, "%zu racks x %zu", node->count, node->psus);
    line.within = "the rack's price";
    RY_TRY(add(work, line));
    line = ry_bom_line_of(RY_BOM_POWER, "DC busbar", (double)node->count);
    line.description =
        ry_strfmt(work->arena, "busbar, %.0f A at %g V DC", facility->power.busbar_a,
                  facility->power_rules.busbar_volts);
    line.why = "one a rack";
    line.within = "the rack's price";
    if (!line.description)
        return ry_fail(work->diag, RY_ERR_NOMEM, "bill", "busbars");
    return add(work, line);
}

static enum ry_err add_plant_line(struct work *work, const struct ry_plant_line *from,
                                  const char *within)
{
    struct ry_bom_line line = ry_bom_line_of(
        RY_BOM_PLANT, from->part ? from->part->name : "(none in the catalog)",
        from->quantity);

    line.description = from->size;
    line.why = from->why;
    line.within = within;
    return add_part(work, line, from->kind, from->part);
}

/* Units made for halls in a small room: their number says nothing of their size. */
static void note_oversize(struct work *work)
{
    static const double small_frac = 0.2;
    const struct ry_power_rules *rules = &work->facility->power_rules;
    const double load_w = work->facility->power.it_max_w;

    if (load_w < small_frac * rules->ups_module_va * rules->power_factor)
        note(work,
             ry_strfmt(work->arena,
                       "UPS modules of %g kVA and generators of %g MW are large for "
                       "%.1f kW: choose theirs by --ups-module and --generator",
                       rules->ups_module_va / 1e3, rules->generator_unit_w / 1e6,
                       load_w / 1e3));
}

/* What feeds and cools the room: bought, or whoever brings it is named. */
static enum ry_err add_plant(struct work *work)
{
    const enum ry_place_kind place = ry_design_place(work->facility->design);
    const char *within = place == RY_PLACE_BUILT ? "the building's price" : NULL;
    struct ry_plant_list list;

    if (ry_plant_list(work->arena, work->catalog, work->facility, &list) != RY_OK)
        return ry_fail(work->diag, RY_ERR_NOMEM, "bill", "plant");
    if (place == RY_PLACE_COLOCATION) {
        const char *text = ry_plant_text(work->arena, &list);
        note(work,
             ry_strfmt(work->arena, "the colocation provides, in its rate by the kW: %s",
                       text ? text : ""));
        return RY_OK;
    }
    for (size_t i = 0; i < list.n; i++) {
        if (isnan(list.at[i].quantity))
            note(work, ry_strfmt(work->arena,
                                 "%s: not sized, the power of a device is not known",
                                 list.at[i].size));
        else
            RY_TRY(add_plant_line(work, &list.at[i], within));
    }
    note_oversize(work);
    note(work,
         place == RY_PLACE_BUILT
             ? "plant of the room is in the construction rate of the design"
             : "utility connection, transfer switches, pipes, works, land: not in the "
               "catalog");
    return RY_OK;
}

static enum ry_err add_cooling(struct work *work)
{
    const struct ry_facility *facility = work->facility;
    const struct {
        const char *name;
        double count;
        const char *what;
    } units[] = {
        {facility->cooling_rules.cdu.part,
         facility->cooling.cdus.n > 0.0 ? facility->cooling.cdus.n_plus_1 : 0.0,
         "coolant distribution unit, N+1"},
        {facility->cooling_rules.rear_door.part, facility->cooling.rear_doors,
         "rear-door heat exchanger"},
    };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        struct ry_bom_line line =
            ry_bom_line_of(RY_BOM_COOLING, units[i].name, units[i].count);
        line.description = units[i].what;
        line.why = "see 'railyard cooling'";
        RY_TRY(add_part(work, line, RY_KIND_COOLING,
                        ry_catalog_find(work->catalog, RY_KIND_COOLING, units[i].name)));
    }
    return RY_OK;
}

static enum ry_err add_rest(struct work *work)
{
    const struct ry_design *design = work->facility->design;
    struct ry_bom_line line = ry_bom_line_of(RY_BOM_STORAGE, "storage system", 1.0);

    if (design->storage_usd > 0.0) {
        line.price = (struct ry_bom_price){design->storage_usd,
                                           design->storage_usd,
                                           design->storage_usd,
                                           0,
                                           "design",
                                           design->file,
                                           false,
                                           NULL};
        line.description = "as the design says";
        RY_TRY(add(work, line));
    } else {
        note(work, "storage: the design names none; it is not in the sums");
    }
    line =
        ry_bom_line_of(RY_BOM_SERVICE, "rack and stack, cabling", (double)design->nodes);
    const char *installed = ry_design_origin_of(design, "install_per_node");
    line.description = "installation, a node";
    line.why = "nodes";
    line.price.usd = line.price.low_usd = line.price.high_usd =
        design->finance.install_usd_per_node;
    line.price.basis = "rate";
    line.price.source = installed ? installed : "design";
    return add(work, line);
}

static void note_missing(struct work *work)
{
    const bool inband = ry_design_find_side(work->facility->design, "inband");
    const bool storage = ry_design_find_side(work->facility->design, "storage");
    static const char *const networks[2][2] = {
        {"in-band and storage networks and ", "in-band network and "},
        {"storage network and ", ""}};

    note(work, ry_strfmt(work->arena, "%smanagement servers are not in the design",
                         networks[inband][storage]));
}

enum ry_err ry_site_bill(struct ry_arena *arena, const struct ry_catalog *catalog,
                         const struct ry_facility *facility, struct ry_site_bill *bill,
                         struct ry_diag *diag)
{
    struct work work = {.arena = arena,
                        .catalog = catalog,
                        .facility = facility,
                        .bill = bill,
                        .diag = diag};

    *bill = (struct ry_site_bill){.bom = {.arena = arena}};
    RY_TRY(add_nodes(&work));
    RY_TRY(add_side_nics(&work));
    RY_TRY(add_switches(&work));
    RY_TRY(add_cables(&work));
    RY_TRY(add_racks(&work));
    RY_TRY(add_pdus(&work));
    RY_TRY(add_shelves(&work));
    RY_TRY(add_cooling(&work));
    RY_TRY(add_plant(&work));
    RY_TRY(add_rest(&work));
    note_missing(&work);
    for (size_t i = 0; i < facility->notes_n; i++)
        note(&work, facility->notes[i]);
    return RY_OK;
}
