/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Every device in a rack, every rack in a row.
 *
 * Nodes fill compute racks; switches and servers fill network racks; a whole-rack node
 * is its own rack.  Network racks stand in the middle of the nodes they serve, spine and
 * core in the middle of the hall.  Racks fill rows one after another, every second row
 * from its far end, so that neighbours in the order are neighbours on the floor.
 */
#ifndef RY_FACILITY_RACKS_H
#define RY_FACILITY_RACKS_H

#include "base/arena.h"
#include "base/err.h"
#include "facility/cable_run.h"
#include "facility/gear.h"
#include "facility/pack.h"

/** A rack as it is bought, and what the room allows for it. */
struct ry_rack_kind {
    const char *part;
    double rack_units, reserved_units; /**< height; kept for panels and cable managers */
    double payload_kg;                 /**< static load that the frame takes; NAN */
    double empty_kg;                   /**< NAN: counted as 0, and said so */
    double depth_m;                    /**< that it leaves a device; NAN: unknown */
    double limit_w;                    /**< of the room or its circuits; INFINITY */
    double devices_most;               /**< that its PDUs have outlets for; 0: no limit */
};

struct ry_floor {
    struct ry_rack_kind compute, network;
    double floor_kg;       /**< most a loaded rack may weigh; INFINITY */
    size_t racks_most;     /**< SIZE_MAX: no limit */
    size_t nodes_per_rack; /**< 0: as many as fit */
    size_t row_racks;      /**< racks in a row; 0: one row */
    struct ry_room_geometry geometry;
};

enum ry_rack_use { RY_RACK_COMPUTE, RY_RACK_NETWORK, RY_RACK_WHOLE };

/** "compute", "network", "rack-scale". */
const char *ry_rack_use_name(enum ry_rack_use use);

struct ry_rack_place {
    enum ry_rack_use use;
    size_t row, column;       /**< from 0 */
    size_t first_slot, slots; /**< in ry_rack_plan.by_rack */
    double used_units, load_w;
    double weight_kg; /**< with the empty rack; NAN: of a device it is unknown */
};

/** Where one device stands. */
struct ry_rack_slot {
    size_t gear, item; /**< the item-th of that type */
    size_t rack;       /**< in the order of the floor */
    double u;          /**< lowest unit it fills, from 1 */
};

struct ry_rack_plan {
    size_t racks_n;
    struct ry_rack_place *racks; /**< [racks_n] in the order of the floor */
    size_t slots_n;
    struct ry_rack_slot *slots; /**< [slots_n] by gear, then item */
    size_t *by_rack;            /**< [slots_n] indices into slots, rack by rack */
    size_t *gear_first;         /**< [gears] first slot of each gear */
    struct ry_pack *packs;      /**< [gears] how each alone would pack a rack */
    size_t compute_racks, network_racks, whole_racks, rows;
    double stranded_units, stranded_w; /**< free in compute racks; NAN when unlimited */
    double weight_kg;                  /**< of all; NAN: some is unknown */
    double heaviest_kg, most_load_w;   /**< of what is known */
};

/**
 * Place everything.
 * @param arena owns the plan.
 * @param gear  devices, nodes first; a gear of 0 items is allowed.
 * @param floor racks and limits.
 * @param plan  set on RY_OK.
 * @return RY_OK; RY_ERR_INFEASIBLE with the limit and the numbers (one device over a
 *         rack's limit, more racks than the room holds); RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_racks_plan(struct ry_arena *arena,
                                      const struct ry_gear_list *gear,
                                      const struct ry_floor *floor,
                                      struct ry_rack_plan *plan, struct ry_diag *diag);

/** Whether two racks hold the same devices in the same order. */
bool ry_racks_alike(const struct ry_rack_plan *racks, size_t a, size_t b);

/** The place of one device, for cable lengths: its middle. */
struct ry_place ry_rack_place_of(const struct ry_rack_plan *plan,
                                 const struct ry_gear_list *gear, size_t gear_index,
                                 size_t item);

#endif
