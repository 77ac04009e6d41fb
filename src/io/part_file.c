/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/part_file.h"

#include "base/names.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>

enum { BASES_MOST = 16, KEYS_MOST = 64 };

/* Keys of an inline part beside its fields. */
static const char *const own_keys[] = {"base", "catalog", "note"};
enum { OWN_KEYS = sizeof(own_keys) / sizeof(own_keys[0]) };

static struct ry_json local_part(const struct ry_part_scope *scope, enum ry_kind kind,
                                 const char *name)
{
    for (size_t i = 0; i < ry_json_size(scope->parts); i++) {
        const struct ry_json part = ry_json_at(scope->parts, i);
        const char *its = ry_json_text(part, "name", "");
        const char *of = ry_json_text(part, "catalog", "");
        if (ry_name_eq(its, name) && ry_kind_find(of) == kind)
            return part;
    }
    return (struct ry_json){0};
}

static void unknown(const struct ry_part_scope *scope, struct ry_json at,
                    enum ry_kind kind, const char *name)
{
    char shown[RY_SHOWN_BYTES];
    const char *near = ry_catalog_nearest(scope->catalog, kind, name);
    const char *many = ry_kind_info(kind)->many;

    if (near)
        ry_json_problem(at, RY_ERR_NOTFOUND,
                        "'%s' is not in the catalog of %s; did you "
                        "mean '%s'?",
                        ry_shown(name, shown), many, near);
    else
        ry_json_problem(
            at, RY_ERR_NOTFOUND,
            "'%s' is not in the catalog of %s; see 'railyard catalog list %s'",
            ry_shown(name, shown), many, many);
}

/* The dimension of a quantity with unit; false for a plain number. */
static bool field_dim(enum ry_field_kind kind, enum ry_dim *dim)
{
    switch (kind) {
    case RY_FIELD_BYTES:
        *dim = RY_DIM_BYTES;
        return true;
    case RY_FIELD_BYTES_PER_S:
    case RY_FIELD_BITS_PER_S:
        *dim = RY_DIM_BYTES_PER_S;
        return true;
    case RY_FIELD_FLOP_PER_S:
        *dim = RY_DIM_FLOP_PER_S;
        return true;
    case RY_FIELD_SECONDS:
        *dim = RY_DIM_SECONDS;
        return true;
    case RY_FIELD_WATTS:
        *dim = RY_DIM_WATTS;
        return true;
    case RY_FIELD_VOLTS:
        *dim = RY_DIM_VOLTS;
        return true;
    case RY_FIELD_AMPERES:
        *dim = RY_DIM_AMPERES;
        return true;
    case RY_FIELD_CELSIUS:
        *dim = RY_DIM_CELSIUS;
        return true;
    case RY_FIELD_METRES:
        *dim = RY_DIM_METRES;
        return true;
    case RY_FIELD_KILOGRAMS:
        *dim = RY_DIM_KILOGRAMS;
        return true;
    case RY_FIELD_USD:
        *dim = RY_DIM_USD;
        return true;
    case RY_FIELD_USD_PER_KWH:
        *dim = RY_DIM_USD_PER_KWH;
        return true;
    case RY_FIELD_FRACTION:
        *dim = RY_DIM_FRACTION;
        return true;
    case RY_FIELD_TEXT:
    case RY_FIELD_NUMBER:
    case RY_FIELD_COUNT:
    case RY_FIELD_YEAR:
    case RY_FIELD_M3_PER_S:
    case RY_FIELD_USD_PER_H:
        break;
    }
    return false;
}

static double read_number(const struct ry_field *field, struct ry_json value, double old)
{
    enum ry_dim dim = RY_DIM_COUNT;

    if (ry_json_type(value) == RY_JSON_NULL)
        return NAN;
    const double number = field_dim(field->kind, &dim)
                              ? ry_json_as_quantity(value, dim, old)
                              : ry_json_as_number(value, old);
    const double least = field->least * field->si;
    const double most = field->most * field->si;
    if (number < least * (1.0 - 1e-9) || number > most * (1.0 + 1e-9)) {
        ry_json_problem(value, RY_ERR_RANGE, "%g is not in %g to %g", number, least,
                        most);
        return old;
    }
    return number;
}

static void set_field(const struct ry_part_scope *scope, const struct ry_field *field,
                      struct ry_json value, void *part)
{
    char *place = (char *)part + field->offset;

    if (ry_json_type(value) == RY_JSON_ABSENT)
        return;
    if (field->kind == RY_FIELD_TEXT) {
        const char **text = (const char **)(void *)place;
        *text = ry_json_as_name(value, *text);
        return;
    }
    double *number = (double *)(void *)place;
    *number = read_number(field, value, *number);
    if (number != &((struct ry_part *)part)->price_usd)
        return;
    struct ry_part *common = part;
    common->price_file = scope->file;
    common->price_line = 0;
    common->price_basis = "given in the design";
    common->price_source = ry_json_where(value);
    common->quoted = true;
}

static void known_keys(struct ry_json at, const struct ry_kind_info *info)
{
    const char *keys[KEYS_MOST] = {NULL};
    size_t n = 0;

    for (size_t i = 0; i < OWN_KEYS; i++)
        keys[n++] = own_keys[i];
    for (size_t i = 0; i < info->n && n + 1 < KEYS_MOST; i++)
        keys[n++] = info->fields[i].key;
    ry_json_known_keys(at, keys);
}

/* A part of empty fields: NAN and "". */
static void *blank(const struct ry_part_scope *scope, const struct ry_kind_info *info)
{
    void *part = ry_arena_alloc(scope->arena, 1, info->part_bytes);

    for (size_t i = 0; part && i < info->n; i++) {
        char *place = (char *)part + info->fields[i].offset;
        if (info->fields[i].kind == RY_FIELD_TEXT)
            *(const char **)(void *)place = "";
        else
            *(double *)(void *)place = NAN;
    }
    if (part) {
        struct ry_part *common = part;
        if (!info->priced)
            common->price_usd = common->price_year = NAN;
        common->price_basis = common->price_basis ? common->price_basis : "";
        common->price_date = common->price_source = common->price_file = "";
    }
    return part;
}

static void apply(const struct ry_part_scope *scope, const struct ry_kind_info *info,
                  struct ry_json at, void *part)
{
    struct ry_part *common = part;

    for (size_t i = 0; i < info->n; i++)
        set_field(scope, &info->fields[i], ry_json_get(at, info->fields[i].key), part);
    known_keys(at, info);
    common->own = true;
    common->file = scope->file;
    if (!ry_json_has(at, "source"))
        common->source =
            ry_strfmt(scope->arena, "%s%s%s", ry_json_where(at),
                      common->source[0] ? "; the rest: " : "", common->source);
    if (!common->source)
        common->source = "";
}

/* An object over its chain of bases, the catalog's row or nothing at the bottom. */
static const struct ry_part *inline_part(const struct ry_part_scope *scope,
                                         struct ry_json at, enum ry_kind kind)
{
    const struct ry_kind_info *info = ry_kind_info(kind);
    struct ry_json chain[BASES_MOST] = {at};
    size_t n = 1;
    const struct ry_part *bottom = NULL;

    while (ry_json_has(chain[n - 1], "base")) {
        const struct ry_json base = ry_json_get(chain[n - 1], "base");
        const char *name = ry_json_as_text(base, NULL);
        if (!name)
            return NULL;
        const struct ry_json local = local_part(scope, kind, name);
        if (ry_json_type(local) == RY_JSON_ABSENT) {
            bottom = ry_catalog_find(scope->catalog, kind, name);
            if (!bottom) {
                unknown(scope, base, kind, name);
                return NULL;
            }
            break;
        }
        if (n == BASES_MOST) {
            ry_json_problem(base, RY_ERR_RANGE,
                            "'%s' leads back to itself or over more than %d bases", name,
                            BASES_MOST);
            return NULL;
        }
        chain[n++] = local;
    }
    struct ry_part *part = blank(scope, info);
    if (!part)
        return NULL;
    if (bottom)
        memcpy(part, bottom, info->part_bytes);
    while (n-- > 0)
        apply(scope, info, chain[n], part);
    if (part->name[0] == '\0')
        ry_json_problem(at, RY_ERR_SYNTAX, "a part without \"name\" or \"base\"");
    return part;
}

const struct ry_part *ry_part_read(const struct ry_part_scope *scope, struct ry_json at,
                                   enum ry_kind kind)
{
    if (ry_json_type(at) == RY_JSON_ABSENT || ry_json_type(at) == RY_JSON_NULL)
        return NULL;
    if (ry_json_type(at) == RY_JSON_OBJECT)
        return inline_part(scope, at, kind);
    const char *name = ry_json_as_text(at, NULL);
    if (!name)
        return NULL;
    const struct ry_json local = local_part(scope, kind, name);
    if (ry_json_type(local) != RY_JSON_ABSENT)
        return inline_part(scope, local, kind);
    const struct ry_part *part = ry_catalog_find(scope->catalog, kind, name);
    if (!part)
        unknown(scope, at, kind, name);
    return part;
}

void ry_parts_check(const struct ry_part_scope *scope)
{
    if (ry_json_type(scope->parts) == RY_JSON_ABSENT ||
        !ry_json_expect(scope->parts, RY_JSON_LIST))
        return;
    for (size_t i = 0; i < ry_json_size(scope->parts); i++) {
        const struct ry_json part = ry_json_at(scope->parts, i);
        const char *name = ry_json_as_text(ry_json_need(part, "name"), "");
        const struct ry_json at = ry_json_need(part, "catalog");
        const enum ry_kind kind = ry_kind_find(ry_json_as_text(at, ""));
        if (kind == RY_KIND_COUNT) {
            if (ry_json_type(at) == RY_JSON_TEXT)
                ry_json_problem(
                    at, RY_ERR_NOTFOUND,
                    "no such catalog; nodes, gpus, switches, nics, cables, racks, "
                    "pdus or cooling");
            continue;
        }
        if (ry_json_type(part) == RY_JSON_OBJECT)
            known_keys(part, ry_kind_info(kind));
        const struct ry_json first = local_part(scope, kind, name);
        if (first.node != part.node && name[0] != '\0')
            ry_json_problem(part, RY_ERR_RANGE, "'%s' is in the list twice", name);
    }
}
