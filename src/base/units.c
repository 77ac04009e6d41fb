/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/units.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
    enum ry_dim dim;
    const char *suffix;
    double si_value;
} units[] = {
#define X(dim, suffix, si_value) {dim, suffix, si_value},
#include "base/units.def"
#undef X
};

enum { UNITS = sizeof(units) / sizeof(units[0]) };

static const struct unit *find_unit(const char *suffix, enum ry_dim dim)
{
    for (size_t i = 0; i < UNITS; i++)
        if (units[i].dim == dim && strcmp(units[i].suffix, suffix) == 0)
            return &units[i];
    return NULL;
}

/* A unit of this dimension to show in a message. */
static const char *example_suffix(enum ry_dim dim)
{
    size_t i = 0;

    while (i < UNITS - 1 && units[i].dim != dim)
        i++;
    return units[i].suffix;
}

/* Counts and shares are numbers by themselves; a unit is a convenience. */
static bool may_be_plain(enum ry_dim dim)
{
    return dim == RY_DIM_COUNT || dim == RY_DIM_FRACTION;
}

enum ry_err ry_quantity_parse(const char *where, const char *text, enum ry_dim dim,
                              double *value, struct ry_diag *diag)
{
    char *suffix = NULL;

    assert(where && text && value);
    const double number = strtod(text, &suffix);
    suffix += strspn(suffix, " ");
    const bool plain = may_be_plain(dim) && suffix != text && *suffix == '\0';
    const struct unit *unit = find_unit(suffix, dim);
    if (suffix == text || (!unit && !plain))
        return ry_fail(diag, RY_ERR_SYNTAX, where,
                       "'%s' is not a number%s and a unit such as %s", text,
                       may_be_plain(dim) ? ", or a number" : "", example_suffix(dim));

    const double si = plain || !unit ? number : number * unit->si_value;
    if (plain && dim == RY_DIM_FRACTION && si > 1.0)
        return ry_fail(diag, RY_ERR_RANGE, where,
                       "'%s' is over 1: a share is 0 to 1, or a percentage such as 5 %%",
                       text);
    if (!isfinite(si) || si < 0.0)
        return ry_fail(diag, RY_ERR_RANGE, where, "'%s' is negative or not finite", text);
    *value = si;
    return RY_OK;
}
