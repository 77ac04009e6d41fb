/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rack_groups.h"

#include "base/names.h"
#include "facility/facility.h"
#include "report/say.h"

#include <math.h>
#include <string.h>

enum { GROUPS_MOST = 16 };

static const struct ry_rack_kind *kind_of(const struct ry_facility *f, size_t rack)
{
    return f->racks.racks[rack].use == RY_RACK_NETWORK ? &f->floor.network
                                                       : &f->floor.compute;
}

/* Whether two racks hold the same devices. */
static bool alike(const struct ry_facility *f, size_t a, size_t b)
{
    const struct ry_rack_plan *plan = &f->racks;
    size_t counts[RY_FACILITY_GEARS_MOST] = {0};

    if (plan->racks[a].use != plan->racks[b].use ||
        plan->racks[a].slots != plan->racks[b].slots)
        return false;
    for (size_t i = 0; i < plan->racks[a].slots; i++) {
        counts[plan->slots[plan->by_rack[plan->racks[a].first_slot + i]].gear]++;
        counts[plan->slots[plan->by_rack[plan->racks[b].first_slot + i]].gear]--;
    }
    for (size_t g = 0; g < RY_FACILITY_GEARS_MOST; g++)
        if (counts[g] != 0)
            return false;
    return true;
}

/* "R1–R4, R6": the racks like the example, the first few runs of them. */
static const char *places_of(struct ry_arena *arena, const struct ry_facility *f,
                             const struct ry_rack_group *group)
{
    const char *text = "";
    size_t runs = 0;

    for (size_t i = group->example; text && i < f->racks.racks_n; i++) {
        size_t last = i;
        if (!alike(f, group->example, i))
            continue;
        while (last + 1 < f->racks.racks_n && alike(f, group->example, last + 1))
            last++;
        if (runs == 3)
            return ry_strfmt(arena, "%s, ...", text);
        text = last > i ? ry_strfmt(arena, "%s%sR%zu\xe2\x80\x93R%zu", text,
                                    runs ? ", " : "", i + 1, last + 1)
                        : ry_strfmt(arena, "%s%sR%zu", text, runs ? ", " : "", i + 1);
        runs++;
        i = last;
    }
    return text;
}

/* "40.8 of 41.0 kW", or "40.8 kW" without a limit. */
static const char *of_limit(struct ry_arena *arena, enum ry_say say, double value,
                            double limit)
{
    char low[RY_SAY_BYTES_MOST];
    char high[RY_SAY_BYTES_MOST];

    ry_say(say, value, low);
    if (!isfinite(limit))
        return ry_strdup(arena, low);
    ry_say(say, limit, high);
    char *unit_at = strstr(low, "\xc2\xa0");
    const char *unit_high = strstr(high, "\xc2\xa0");
    if (unit_at && unit_high && strcmp(unit_at, unit_high) == 0)
        *unit_at = '\0';
    return ry_strfmt(arena, "%s of %s", low, high);
}

static double weight_limit(const struct ry_facility *f, size_t rack)
{
    const struct ry_rack_kind *kind = kind_of(f, rack);
    const double empty = isfinite(kind->empty_kg) ? kind->empty_kg : 0.0;
    const double frame =
        f->racks.racks[rack].use != RY_RACK_WHOLE && isfinite(kind->payload_kg)
            ? kind->payload_kg + empty
            : (double)INFINITY;

    return fmin(frame, f->floor.floor_kg);
}

static void describe(struct ry_arena *arena, const struct ry_facility *f,
                     struct ry_rack_group *group)
{
    static const char *const titles[] = {"Node rack", "Network rack", "Whole rack"};
    const struct ry_rack_place *rack = &f->racks.racks[group->example];
    const struct ry_rack_kind *kind = kind_of(f, group->example);
    const bool whole = rack->use == RY_RACK_WHOLE;
    const double power = whole ? (double)INFINITY : kind->limit_w;
    const double weight = weight_limit(f, group->example);
    const double share[] = {rack->load_w / power, rack->weight_kg / weight,
                            whole ? 0.0 : rack->used_units / kind->rack_units};

    group->title = group->count > 1 ? ry_strfmt(arena, "%s \xc3\x97 %zu",
                                                titles[rack->use], group->count)
                                    : titles[rack->use];
    group->places = places_of(arena, f, group);
    group->power = of_limit(arena, RY_SAY_WATTS, rack->load_w, power);
    group->weight = of_limit(arena, RY_SAY_KILOGRAMS, rack->weight_kg, weight);
    group->space =
        whole ? "the whole rack"
              : ry_strfmt(arena, "%g of %g U", rack->used_units, kind->rack_units);
    group->binding = -1;
    for (int i = 0; i < 3; i++)
        if (share[i] > 0.0 && (group->binding < 0 || share[i] > share[group->binding]))
            group->binding = i;
}

enum ry_err ry_rack_groups_make(struct ry_arena *arena, const struct ry_facility *f,
                                struct ry_rack_groups *groups, struct ry_diag *diag)
{
    *groups =
        (struct ry_rack_groups){.at = RY_NEW(arena, struct ry_rack_group, GROUPS_MOST)};
    if (!groups->at)
        return ry_fail(diag, RY_ERR_NOMEM, "racks", "too many kinds of racks");
    for (size_t i = 0; i < f->racks.racks_n; i++) {
        size_t g = 0;
        while (g < groups->n && !alike(f, groups->at[g].example, i))
            g++;
        if (g == GROUPS_MOST) {
            groups->others++;
            continue;
        }
        if (g == groups->n)
            groups->at[groups->n++].example = i;
        groups->at[g].count++;
    }
    for (size_t g = 0; g < groups->n; g++)
        describe(arena, f, &groups->at[g]);
    return RY_OK;
}
