/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of racking. */
#include "facility/cable_run.h"
#include "facility/pack.h"
#include "reference/site.h"
#include "vectors.h"

#include <math.h>

enum { STOCK_MOST = 256 };

static const double w_per_kw = 1000.0;

static void rack_packing(struct vec *v)
{
    const struct ry_pack_input in = {
        .devices = vec_num(v, "nodes"),
        .rack_units = vec_num(v, "u"),
        .watts = vec_num(v, "kw") * w_per_kw,
        .kilograms = vec_num(v, "kg"),
        .rack_rack_units = vec_num(v, "rack_u"),
        .reserved_units = vec_num(v, "reserved_u"),
        .rack_watts = vec_num(v, "rack_kw") * w_per_kw,
        .rack_payload_kg = vec_num(v, "rack_kg_payload"),
        .rack_outlets = NAN,
    };
    const struct ry_pack pack = ry_pack(&in);
    cJSON *binding = cJSON_CreateArray();
    cJSON *by = cJSON_CreateObject();

    for (int i = 0; i < RY_RACK_LIMIT_OUTLETS; i++) {
        const char *name = ry_rack_limit_name((enum ry_rack_limit)i);
        cJSON_AddNumberToObject(by, name, pack.by_limit[i]);
        if (pack.binding[i])
            cJSON_AddItemToArray(binding, cJSON_CreateString(name));
    }
    vec_put_item(v, "by_constraint", by);
    vec_put_item(v, "binding", binding);
    vec_put(v, "per_rack", pack.per_rack);
    vec_put(v, "racks", pack.racks);
    vec_put(v, "rack_kw", pack.per_rack * vec_num(v, "kw"));
    vec_put(v, "rack_kg", pack.rack_kilograms);
    vec_put(v, "stranded_u", pack.stranded_units);
}

static void cable_length(struct vec *v)
{
    const struct ry_room_geometry room = {
        .rack_u = vec_num(v, "rack_u"),
        .pitch_m = vec_num(v, "pitch_m"),
        .row_pitch_m = vec_num(v, "row_m"),
        .tray_m = vec_num(v, "tray_m"),
        .side_m = vec_num(v, "side_m"),
        .slack_frac = vec_num(v, "slack"),
    };
    const struct ry_place a = {vec_num(v, "rack_a"), vec_num(v, "row_a"),
                               vec_num(v, "u_a")};
    const struct ry_place b = {vec_num(v, "rack_b"), vec_num(v, "row_b"),
                               vec_num(v, "u_b")};
    const cJSON *item = NULL;
    double stock_m[STOCK_MOST];
    size_t n = 0;

    cJSON_ArrayForEach (item, vec_item(v, "stock_m")) {
        if (n < STOCK_MOST)
            stock_m[n++] = item->valuedouble;
    }
    const double length_m = ry_cable_run_m(&room, a, b);
    vec_put(v, "length_m", length_m);
    vec_put(v, "stock_m", ry_cable_stock_m(length_m, n, stock_m));
}

static double pair(struct vec *v, const char *key, int i)
{
    const cJSON *item = cJSON_GetArrayItem(vec_item(v, key), i);

    if (!cJSON_IsNumber(item)) {
        vec_fail(v, "'%s' is not two numbers", key);
        return 0.0;
    }
    return item->valuedouble;
}

static void saddle_cable_length(struct vec *v)
{
    const struct ry_saddle_geometry room = {
        .rack_size_u = vec_num(v, "rack_size_u"),
        .rack_height_m = vec_num(v, "rack_height_m"),
        .tray_m = vec_num(v, "tray_m"),
        .rack_width_m = vec_num(v, "rack_w_m"),
        .rack_depth_m = vec_num(v, "rack_d_m"),
        .front_clear_m = vec_num(v, "front_clear_m"),
        .side_clear_m = vec_num(v, "side_clear_m"),
        .racks_per_segment = vec_num(v, "racks_per_segment"),
    };
    const struct ry_place a = {pair(v, "r_x", 0), pair(v, "r_y", 0), pair(v, "pos", 0)};
    const struct ry_place b = {pair(v, "r_x", 1), pair(v, "r_y", 1), pair(v, "pos", 1)};

    vec_put(v, "length_m", ry_saddle_run_m(&room, a, b));
}

static void put_optics(struct vec *v, struct ry_optics_count count)
{
    vec_put(v, "dac_cables", count.dac_cables);
    vec_put(v, "fibre_cables", count.fibre_cables);
    vec_put(v, "transceivers", count.transceivers);
}

static void transceiver_count(struct vec *v)
{
    put_optics(v, ry_optics_count(vec_num(v, "links"), vec_num(v, "dac_fraction")));
}

static void transceiver_count_twin_port(struct vec *v)
{
    put_optics(v, ry_optics_count_twin(vec_num(v, "links_400g"),
                                       vec_num(v, "ports_per_transceiver")));
}

const struct vec_kind vec_racking_kinds[] = {
    {"rack_packing", rack_packing},
    {"cable_length", cable_length},
    {"saddle_cable_length", saddle_cable_length},
    {"transceiver_count", transceiver_count},
    {"transceiver_count_twin_port", transceiver_count_twin_port},
    {NULL, NULL},
};
