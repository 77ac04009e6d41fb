/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/stated.h"

#include "base/names.h"

#include <string.h>

double ry_stated_number(struct ry_json at, const char *key, double fallback)
{
    const struct ry_json v = ry_json_get(at, key);
    return ry_json_type(v) == RY_JSON_NUMBER ? ry_json_as_number(v, fallback) : fallback;
}

unsigned ry_stated_count(struct ry_json at, const char *key, unsigned fallback)
{
    const double v = ry_stated_number(at, key, fallback);
    return v >= 0 && v <= 1e9 ? (unsigned)(v + 0.5) : fallback;
}

const char *ry_stated_text(struct ry_json at, const char *key, const char *fallback)
{
    const struct ry_json v = ry_json_get(at, key);
    return ry_json_type(v) == RY_JSON_TEXT ? ry_json_as_text(v, fallback) : fallback;
}

bool ry_stated_flag(struct ry_json at, const char *key, bool *known)
{
    const struct ry_json v = ry_json_get(at, key);
    const enum ry_json_type type = ry_json_type(v);
    *known = type == RY_JSON_BOOL || type == RY_JSON_TEXT || type == RY_JSON_NUMBER;
    if (type == RY_JSON_BOOL)
        return ry_json_as_bool(v, false);
    if (type == RY_JSON_NUMBER)
        return ry_json_as_number(v, 0) != 0;
    const char *t = type == RY_JSON_TEXT ? ry_json_as_text(v, "") : "";
    return ry_name_eq(t, "true") || strcmp(t, "1") == 0 || ry_name_eq(t, "yes");
}

bool ry_has_text(const char *text, const char *part)
{
    return text != NULL && strstr(text, part) != NULL;
}
