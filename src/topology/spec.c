/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/spec.h"

#include "base/names.h"
#include "base/units.h"
#include "topology/family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64, VALUE_BYTES = 128 };

struct param {
    const char *name;
    size_t offset, most;
    const char *help;
};

static const struct param params[] = {
#define X(name, most, help) {#name, offsetof(struct ry_topo_spec, name), most, help},
#include "topology/params.def"
#undef X
};

/* Keys that are no counts; in the order of set_other(). */
static const char *const others[] = {"fabric", "dims",  "cube",     "ratio", "core_ratio",
                                     "policy", "speed", "up_speed", "media"};

enum {
    N_PARAMS = sizeof(params) / sizeof(params[0]),
    N_OTHERS = sizeof(others) / sizeof(others[0])
};

struct ry_topo_spec ry_topo_spec_default(const struct ry_family *family)
{
    struct ry_topo_spec spec = family->defaults;

    spec.family = family;
    if (spec.fabric[0] == '\0')
        (void)snprintf(spec.fabric, sizeof(spec.fabric), "compute");
    if (spec.ratio.down <= 0.0)
        spec.ratio = (struct ry_ratio){1.0, 1.0};
    if (spec.core_ratio.down <= 0.0)
        spec.core_ratio = (struct ry_ratio){1.0, 1.0};
    return spec;
}

double ry_topo_up_bytes_per_s(const struct ry_topo_spec *spec)
{
    return spec->up_bytes_per_s > 0.0 ? spec->up_bytes_per_s : spec->speed_bytes_per_s;
}

static const char *param_name_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < N_PARAMS              ? params[i].name
           : i < N_PARAMS + N_OTHERS ? others[i - N_PARAMS]
                                     : NULL;
}

static bool takes(const struct ry_family *family, const char *key)
{
    char padded[WORD_BYTES + 2];

    (void)snprintf(padded, sizeof(padded), " %.60s ", key);
    return strstr(family->keys, padded) != NULL;
}

/* A whole number from 1, in decimal digits only. */
static enum ry_err set_count(const struct param *param, const char *value,
                             struct ry_topo_spec *spec, struct ry_diag *diag)
{
    size_t n = 0;

    if (*value == '\0')
        return ry_fail(diag, RY_ERR_SYNTAX, param->name, "no value");
    for (const char *at = value; *at != '\0'; at++) {
        if (*at < '0' || *at > '9')
            return ry_fail(diag, RY_ERR_SYNTAX, param->name,
                           "'%.40s' is not a whole number", value);
        n = 10 * n + (size_t)(*at - '0');
        if (n > param->most)
            return ry_fail(diag, RY_ERR_RANGE, param->name, "%.40s is above %zu", value,
                           param->most);
    }
    if (n == 0 && strcmp(param->name, "ufm") != 0 && strcmp(param->name, "ocs") != 0)
        return ry_fail(diag, RY_ERR_RANGE, param->name, "0 is below 1");
    memcpy((char *)spec + param->offset, &n, sizeof(n));
    return RY_OK;
}

static enum ry_err set_dims(const char *key, const char *value, struct ry_dims *dims,
                            struct ry_diag *diag)
{
    struct ry_dims read = {0};

    for (const char *at = value;;) {
        char *end = NULL;
        const unsigned long k = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (k == 0 || k > 65536 || read.n == RY_DIMS_MOST)
            return ry_fail(diag, RY_ERR_SYNTAX, key,
                           "'%.40s' is not up to %d sizes such as 4x4x4", value,
                           RY_DIMS_MOST);
        read.at[read.n++] = k;
        if (*end == '\0')
            break;
        at = end + (*end == 'x');
    }
    *dims = read;
    return RY_OK;
}

static enum ry_err set_ratio(const char *key, const char *value, struct ry_ratio *ratio,
                             struct ry_diag *diag)
{
    if (!ry_ratio_parse(value, ratio) || ratio->down > 1e6 || ratio->up > 1e6)
        return ry_fail(diag, RY_ERR_SYNTAX, key, "'%.40s' is not a ratio such as 2:1",
                       value);
    return RY_OK;
}

static enum ry_err set_policy(const char *value, enum ry_spine_policy *policy,
                              struct ry_diag *diag)
{
    if (strcmp(value, "balanced") == 0)
        *policy = RY_SPINES_BALANCED;
    else if (strcmp(value, "min") == 0)
        *policy = RY_SPINES_MIN;
    else
        return ry_fail(diag, RY_ERR_NOTFOUND, "policy", "'%.40s' is not balanced or min",
                       value);
    return RY_OK;
}

static enum ry_err set_speed(const char *key, const char *value, double *bytes_per_s,
                             struct ry_diag *diag)
{
    RY_TRY(ry_quantity_parse(key, value, RY_DIM_BYTES_PER_S, bytes_per_s, diag));
    if (*bytes_per_s <= 0.0)
        return ry_fail(diag, RY_ERR_RANGE, key, "'%.40s' is no speed", value);
    return RY_OK;
}

static enum ry_err set_media(const char *value, enum ry_media *media,
                             struct ry_diag *diag)
{
    for (int m = RY_MEDIA_FIBRE; m <= RY_MEDIA_CAT6; m++) {
        if (strcmp(value, ry_media_text((enum ry_media)m)) == 0) {
            *media = (enum ry_media)m;
            return RY_OK;
        }
    }
    return ry_fail(diag, RY_ERR_NOTFOUND, "media",
                   "'%.40s' is not fibre, copper, backplane or cat6", value);
}

static enum ry_err set_fabric(const char *value, struct ry_topo_spec *spec,
                              struct ry_diag *diag)
{
    const size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz_-");

    if (n == 0 || value[n] != '\0' || n >= sizeof(spec->fabric))
        return ry_fail(diag, RY_ERR_SYNTAX, "fabric",
                       "'%.40s' is not a name of up to %d small letters", value,
                       RY_FABRIC_NAME_BYTES - 1);
    memcpy(spec->fabric, value, n + 1);
    return RY_OK;
}

static enum ry_err set_other(const char *key, const char *value,
                             struct ry_topo_spec *spec, struct ry_diag *diag)
{
    if (strcmp(key, "fabric") == 0)
        return set_fabric(value, spec, diag);
    if (strcmp(key, "dims") == 0)
        return set_dims(key, value, &spec->dims, diag);
    if (strcmp(key, "cube") == 0)
        return set_dims(key, value, &spec->cube, diag);
    if (strcmp(key, "ratio") == 0)
        return set_ratio(key, value, &spec->ratio, diag);
    if (strcmp(key, "core_ratio") == 0)
        return set_ratio(key, value, &spec->core_ratio, diag);
    if (strcmp(key, "policy") == 0)
        return set_policy(value, &spec->policy, diag);
    if (strcmp(key, "media") == 0)
        return set_media(value, &spec->media, diag);
    return set_speed(key, value,
                     strcmp(key, "speed") == 0 ? &spec->speed_bytes_per_s
                                               : &spec->up_bytes_per_s,
                     diag);
}

static enum ry_err unknown_key(const struct ry_family *family, const char *key,
                               struct ry_diag *diag)
{
    const size_t near = ry_name_nearest(key, param_name_at, NULL);
    const char *known = near == (size_t)-1 ? NULL : param_name_at(NULL, near);

    if (!known || strcmp(known, key) == 0)
        return ry_fail(diag, RY_ERR_NOTFOUND, family->name, "no key '%.40s'; it takes%s",
                       key, family->keys);
    return ry_fail(diag, RY_ERR_NOTFOUND, family->name,
                   "no key '%.40s'; did you mean '%s'?", key, known);
}

static enum ry_err set_key(const char *key, const char *value, struct ry_topo_spec *spec,
                           struct ry_diag *diag)
{
    const bool other_known = strcmp(key, "fabric") == 0 || takes(spec->family, key);

    for (size_t i = 0; i < N_PARAMS; i++) {
        if (strcmp(key, params[i].name) != 0)
            continue;
        if (!takes(spec->family, key))
            return ry_fail(diag, RY_ERR_NOTFOUND, spec->family->name,
                           "does not take '%s'; it takes%s", key, spec->family->keys);
        return set_count(&params[i], value, spec, diag);
    }
    for (size_t i = 0; i < N_OTHERS; i++)
        if (strcmp(key, others[i]) == 0 && other_known)
            return set_other(key, value, spec, diag);
    return unknown_key(spec->family, key, diag);
}

/* Copy [from, to) to a word; false when it does not fit. */
static bool word(const char *from, const char *to, char *out, size_t bytes)
{
    const size_t n = (size_t)(to - from);

    if (n >= bytes)
        return false;
    memcpy(out, from, n);
    out[n] = '\0';
    return true;
}

static const char *family_name_at(const void *ctx, size_t i)
{
    const struct ry_family *family = ry_family_at(i);

    (void)ctx;
    return family ? family->name : NULL;
}

static enum ry_err find_family(const char *name, struct ry_topo_spec *spec,
                               struct ry_diag *diag)
{
    const struct ry_family *family = ry_family_find(name);

    if (!family) {
        const size_t near = ry_name_nearest(name, family_name_at, NULL);
        if (near == (size_t)-1)
            return ry_fail(diag, RY_ERR_NOTFOUND, "topology",
                           "no family '%.40s'; 'railyard topo list' lists them", name);
        return ry_fail(diag, RY_ERR_NOTFOUND, "topology",
                       "no family '%.40s'; did you mean '%s'?", name,
                       family_name_at(NULL, near));
    }
    *spec = ry_topo_spec_default(family);
    return RY_OK;
}

/* "family:key=value,key=value" in [text, end). */
static enum ry_err parse_one(const char *text, const char *end, struct ry_topo_spec *spec,
                             struct ry_diag *diag)
{
    char key[WORD_BYTES];
    char value[VALUE_BYTES];
    const char *colon = memchr(text, ':', (size_t)(end - text));
    const char *at = colon ? colon : end;

    if (!word(text, at, key, sizeof(key)))
        return ry_fail(diag, RY_ERR_SYNTAX, "topology", "no family '%.40s'", text);
    RY_TRY(find_family(key, spec, diag));
    while (at < end) {
        const char *start = at + 1;
        const char *comma = memchr(start, ',', (size_t)(end - start));
        const char *stop = comma ? comma : end;
        const char *equals = memchr(start, '=', (size_t)(stop - start));
        if (!equals || !word(start, equals, key, sizeof(key)) ||
            !word(equals + 1, stop, value, sizeof(value)))
            return ry_fail(diag, RY_ERR_SYNTAX, spec->family->name,
                           "'%.*s' is not key=value",
                           (int)(stop - start > 40 ? 40 : stop - start), start);
        RY_TRY(set_key(key, value, spec, diag));
        at = stop;
    }
    return RY_OK;
}

enum ry_err ry_topo_parse(const char *text, struct ry_topo_specs *specs,
                          struct ry_diag *diag)
{
    struct ry_topo_specs read = {0};

    if (strlen(text) > RY_SPEC_TEXT_MOST)
        return ry_fail(diag, RY_ERR_RANGE, "topology", "longer than %d characters",
                       RY_SPEC_TEXT_MOST);
    for (const char *at = text;; at++) {
        const char *end = at + strcspn(at, ";");
        if (read.n == RY_FABRICS_MOST)
            return ry_fail(diag, RY_ERR_RANGE, "topology", "more than %d fabrics",
                           RY_FABRICS_MOST);
        RY_TRY(parse_one(at, end, &read.at[read.n], diag));
        for (size_t i = 0; i < read.n; i++) {
            if (strcmp(read.at[i].fabric, read.at[read.n].fabric) == 0)
                return ry_fail(diag, RY_ERR_SYNTAX, "fabric",
                               "two fabrics named '%s'; say fabric=NAME",
                               read.at[i].fabric);
        }
        read.n++;
        at = end;
        if (*at == '\0')
            break;
    }
    *specs = read;
    return RY_OK;
}

bool ry_topo_is_text(const char *text)
{
    char name[WORD_BYTES];
    const size_t n = strcspn(text, ":;");

    return word(text, text + n, name, sizeof(name)) && ry_family_find(name) != NULL;
}
