/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/racks.h"

#include "facility/rack_fit.h"
#include "facility/round.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *ry_rack_use_name(enum ry_rack_use use)
{
    static const char *const names[] = {"compute", "network", "rack-scale"};
    return names[use];
}

/* A rack while it is filled; `key` sorts racks along the hall. */
struct filling {
    enum ry_rack_use use;
    double units, watts, kilograms; /* of its devices */
    double key, key_sum;
    size_t devices, anchored, index;
    enum ry_gear_role role; /* of its first device */
    bool weight_unknown;
};

struct work {
    const struct ry_gear_list *gear;
    const struct ry_floor *floor;
    struct ry_rack_plan *plan;
    struct filling *racks;
    size_t racks_n, racks_most;
    struct ry_diag *diag;
};

static bool has_room(const struct work *work, const struct filling *rack,
                     const struct ry_gear *gear, double per_rack)
{
    const struct ry_rack_kind *kind = ry_rack_kind_of(work->floor, rack->use);
    const double slack = 1.0 + RY_ROUND_SLACK;
    const double weight = rack->kilograms + gear->weight_kg;

    if (kind->devices_most > 0.0 && (double)rack->devices >= kind->devices_most)
        return false;
    return (double)rack->devices < per_rack &&
           rack->units + gear->rack_units <=
               (kind->rack_units - kind->reserved_units) * slack &&
           !(rack->watts + gear->max_w > kind->limit_w * slack) &&
           !(weight > ry_rack_payload_kg(work->floor, kind) * slack);
}

static struct filling *new_rack(struct work *work, enum ry_rack_use use)
{
    assert(work->racks_n < work->racks_most);
    struct filling *rack = &work->racks[work->racks_n];

    *rack = (struct filling){.use = use, .index = work->racks_n};
    work->racks_n++;
    return rack;
}

/* They stand before those of the network. */
static size_t node_racks(const struct work *work)
{
    return work->plan->compute_racks + work->plan->whole_racks;
}

/* Where the nodes stand that one item serves, in racks of nodes from the start. */
static double anchor(const struct work *work, const struct ry_gear *gear, size_t item)
{
    const size_t groups =
        gear->per_group ? (gear->count + gear->per_group - 1) / gear->per_group : 1;
    const size_t group = gear->per_group ? item / gear->per_group : 0;

    return ((double)group + 0.5) / (double)groups * (double)node_racks(work) - 0.5;
}

static void put(struct work *work, struct filling *rack, size_t gear_index, size_t item)
{
    const struct ry_gear *gear = &work->gear->at[gear_index];
    const struct ry_rack_kind *kind = ry_rack_kind_of(work->floor, rack->use);
    const size_t slot = work->plan->gear_first[gear_index] + item;
    double bottom = rack->units + 1.0;

    if (rack->use == RY_RACK_NETWORK) /* from the top: shorter ways to the tray */
        bottom = kind->rack_units - kind->reserved_units - rack->units -
                 gear->rack_units + 1.0;
    work->plan->slots[slot] = (struct ry_rack_slot){
        .gear = gear_index, .item = item, .rack = rack->index, .u = bottom};
    rack->units += gear->whole_rack ? 0.0 : gear->rack_units;
    rack->watts += gear->max_w;
    rack->kilograms += isnan(gear->weight_kg) ? 0.0 : gear->weight_kg;
    rack->weight_unknown = rack->weight_unknown || isnan(gear->weight_kg);
    rack->devices++;
    if (rack->use == RY_RACK_NETWORK) {
        if (gear->role == rack->role) { /* those that came along do not move it */
            rack->key_sum += anchor(work, gear, item);
            rack->anchored++;
        }
        rack->key = rack->key_sum / (double)(rack->anchored ? rack->anchored : 1);
    } else {
        rack->key = (double)rack->index;
    }
}

/* Whether all switches and servers stand in one rack. */
static bool network_fits_one(const struct work *work)
{
    const struct ry_rack_kind *kind = &work->floor->network;
    double units = 0.0, watts = 0.0, kilograms = 0.0, devices = 0.0;

    for (size_t g = 0; g < work->gear->n; g++) {
        const struct ry_gear *gear = &work->gear->at[g];
        if (ry_rack_use_of(gear) != RY_RACK_NETWORK)
            continue;
        devices += (double)gear->count;
        units += (double)gear->count * gear->rack_units;
        watts += (double)gear->count * gear->max_w;
        kilograms += (double)gear->count * gear->weight_kg;
    }
    return units <= kind->rack_units - kind->reserved_units &&
           !(kind->devices_most > 0.0 && devices > kind->devices_most) &&
           !(watts > kind->limit_w) &&
           !(kilograms > ry_rack_payload_kg(work->floor, kind));
}

/* Switches of one tier stand together, out-of-band ones with any; those that serve the
 * same nodes do not straddle two racks where one holds them. */
static bool starts_rack(const struct work *work, const struct filling *rack,
                        const struct ry_gear *gear, size_t item)
{
    const struct ry_rack_kind *kind = &work->floor->network;
    const double group = (double)gear->per_group;

    if (rack->use != RY_RACK_NETWORK || gear->role == RY_GEAR_MANAGEMENT ||
        network_fits_one(work))
        return false;
    if (rack->role != gear->role)
        return true;
    if (gear->per_group < 2 || item % gear->per_group != 0)
        return false;
    return rack->units + group * gear->rack_units >
               kind->rack_units - kind->reserved_units ||
           rack->watts + group * gear->max_w > kind->limit_w;
}

/* Out-of-band switches spread over the network racks there are: the emptiest with
 * room. */
static struct filling *emptiest(struct work *work, const struct ry_gear *gear)
{
    struct filling *best = NULL;

    for (size_t i = node_racks(work); i < work->racks_n; i++) {
        struct filling *rack = &work->racks[i];
        if (has_room(work, rack, gear, (double)INFINITY) &&
            (!best || rack->units < best->units))
            best = rack;
    }
    return best;
}

/* Fill racks of one use with every gear of that use, in order. */
static enum ry_err fill(struct work *work, enum ry_rack_use use)
{
    struct filling *rack = NULL;

    for (size_t g = 0; g < work->gear->n; g++) {
        const struct ry_gear *gear = &work->gear->at[g];
        if (ry_rack_use_of(gear) != use || gear->count == 0)
            continue;
        RY_TRY(ry_rack_check(work->floor, gear, &work->plan->packs[g], work->diag));
        const double asked = (double)work->floor->nodes_per_rack;
        double per_rack = (double)INFINITY;
        if (use == RY_RACK_COMPUTE && asked > 0.0) {
            if (asked > work->plan->packs[g].per_rack)
                return ry_fail(work->diag, RY_ERR_INFEASIBLE, gear->part,
                               "%.0f a rack asked for, %.0f fit", asked,
                               work->plan->packs[g].per_rack);
            per_rack = asked;
        }
        for (size_t i = 0; i < gear->count; i++) {
            if (gear->role == RY_GEAR_MANAGEMENT)
                rack = emptiest(work, gear);
            if (!rack || use == RY_RACK_WHOLE || !has_room(work, rack, gear, per_rack) ||
                starts_rack(work, rack, gear, i)) {
                rack = new_rack(work, use);
                rack->role = gear->role;
            }
            put(work, rack, g, i);
        }
    }
    return RY_OK;
}

static int by_key(const void *a, const void *b)
{
    const struct filling *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void sum_up(struct work *work)
{
    struct ry_rack_plan *plan = work->plan;

    for (size_t i = 0; i < plan->racks_n; i++) {
        const struct ry_rack_place *rack = &plan->racks[i];
        const struct ry_rack_kind *kind = &work->floor->compute;
        plan->weight_kg += rack->weight_kg; /* unknown where one is */
        plan->heaviest_kg = fmax(plan->heaviest_kg, rack->weight_kg);
        plan->most_load_w = fmax(plan->most_load_w, rack->load_w);
        if (rack->use != RY_RACK_COMPUTE)
            continue;
        plan->stranded_units +=
            kind->rack_units - kind->reserved_units - rack->used_units;
        plan->stranded_w += kind->limit_w - rack->load_w;
    }
    if (isinf(plan->stranded_w))
        plan->stranded_w = (double)NAN;
}

/* Racks in the order of the hall, and each rack's devices. */
static enum ry_err lay_out(struct ry_arena *arena, struct work *work)
{
    struct ry_rack_plan *plan = work->plan;
    size_t *at = RY_NEW(arena, size_t, work->racks_n + 1); /* old index -> new */
    const size_t row = work->floor->row_racks ? work->floor->row_racks : work->racks_n;

    plan->racks = RY_NEW(arena, struct ry_rack_place, work->racks_n + 1);
    plan->by_rack = RY_NEW(arena, size_t, plan->slots_n + 1);
    if (!at || !plan->racks || !plan->by_rack)
        return ry_fail(work->diag, RY_ERR_NOMEM, "racks", "%zu racks", work->racks_n);
    if (work->racks_n > 0)
        qsort(work->racks, work->racks_n, sizeof(*work->racks), by_key);
    plan->racks_n = work->racks_n;
    for (size_t i = 0, first = 0; i < work->racks_n; i++) {
        const struct filling *from = &work->racks[i];
        const struct ry_rack_kind *kind = ry_rack_kind_of(work->floor, from->use);
        const bool bare = from->use == RY_RACK_WHOLE || isnan(kind->empty_kg);
        const size_t column = i % row;
        at[from->index] = i;
        plan->racks[i] = (struct ry_rack_place){
            .use = from->use,
            .row = i / row,
            .column = (i / row) % 2 ? row - 1 - column : column,
            .first_slot = first,
            .used_units = from->units,
            .load_w = from->watts,
            .weight_kg = from->weight_unknown
                             ? (double)NAN
                             : from->kilograms + (bare ? 0.0 : kind->empty_kg),
        };
        first += from->devices;
    }
    plan->rows = plan->racks_n ? (plan->racks_n + row - 1) / row : 0;
    for (size_t s = 0; s < plan->slots_n; s++) {
        struct ry_rack_place *rack = &plan->racks[at[plan->slots[s].rack]];
        plan->slots[s].rack = at[plan->slots[s].rack];
        plan->by_rack[rack->first_slot + rack->slots++] = s;
    }
    sum_up(work);
    return RY_OK;
}

static enum ry_err start(struct ry_arena *arena, struct work *work)
{
    struct ry_rack_plan *plan = work->plan;

    plan->gear_first = RY_NEW(arena, size_t, work->gear->n + 1);
    plan->packs = RY_NEW(arena, struct ry_pack, work->gear->n + 1);
    if (!plan->gear_first || !plan->packs)
        return ry_fail(work->diag, RY_ERR_NOMEM, "racks", "%zu kinds", work->gear->n);
    for (size_t g = 0; g < work->gear->n; g++) {
        plan->gear_first[g] = plan->slots_n;
        plan->slots_n += work->gear->at[g].count;
        plan->packs[g] = ry_rack_pack(work->floor, &work->gear->at[g]);
    }
    work->racks_most = plan->slots_n;
    plan->slots = RY_NEW(arena, struct ry_rack_slot, plan->slots_n + 1);
    work->racks = RY_NEW(arena, struct filling, plan->slots_n + 1);
    if (!plan->slots || !work->racks)
        return ry_fail(work->diag, RY_ERR_NOMEM, "racks", "%zu devices", plan->slots_n);
    return RY_OK;
}

enum ry_err ry_racks_plan(struct ry_arena *arena, const struct ry_gear_list *gear,
                          const struct ry_floor *floor, struct ry_rack_plan *plan,
                          struct ry_diag *diag)
{
    struct ry_rack_plan made = {0};
    struct work work = {.gear = gear, .floor = floor, .plan = &made, .diag = diag};

    RY_TRY(start(arena, &work));
    RY_TRY(fill(&work, RY_RACK_COMPUTE));
    made.compute_racks = work.racks_n;
    RY_TRY(fill(&work, RY_RACK_WHOLE));
    made.whole_racks = work.racks_n - made.compute_racks;
    RY_TRY(fill(&work, RY_RACK_NETWORK));
    made.network_racks = work.racks_n - made.compute_racks - made.whole_racks;
    if (work.racks_n > floor->racks_most)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "racks",
            "%zu needed (%zu compute, %zu rack-scale, %zu network), %zu in the "
            "room",
            work.racks_n, made.compute_racks, made.whole_racks, made.network_racks,
            floor->racks_most);
    RY_TRY(lay_out(arena, &work));
    *plan = made;
    return RY_OK;
}

struct ry_place ry_rack_place_of(const struct ry_rack_plan *plan,
                                 const struct ry_gear_list *gear, size_t gear_index,
                                 size_t item)
{
    const struct ry_rack_slot *slot = &plan->slots[plan->gear_first[gear_index] + item];
    const struct ry_rack_place *rack = &plan->racks[slot->rack];
    const struct ry_gear *device = &gear->at[gear_index];
    const double height =
        device->whole_rack || isnan(device->rack_units) ? 0.0 : device->rack_units;

    return (struct ry_place){.rack = (double)rack->column,
                             .row = (double)rack->row,
                             .u = device->whole_rack ? 24.0 : slot->u + height / 2.0};
}

bool ry_racks_alike(const struct ry_rack_plan *racks, size_t a, size_t b)
{
    const struct ry_rack_place *x = &racks->racks[a], *y = &racks->racks[b];

    if (x->use != y->use || x->slots != y->slots)
        return false;
    for (size_t i = 0; i < x->slots; i++) {
        if (racks->slots[racks->by_rack[x->first_slot + i]].gear !=
            racks->slots[racks->by_rack[y->first_slot + i]].gear)
            return false;
    }
    return true;
}
