/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd.h"
#include "report/table.h"

#include <stdio.h>

struct units_options {
    int format;
};

static const struct {
    enum ry_dim dim;
    const char *text, *si;
} dims[] = {
    {RY_DIM_BYTES, "size", "B"},
    {RY_DIM_SECONDS, "time", "s"},
    {RY_DIM_BYTES_PER_S, "rate of data", "B/s"},
    {RY_DIM_WATTS, "power", "W"},
    {RY_DIM_USD, "money", "USD"},
    {RY_DIM_USD_PER_KWH, "price of energy", "USD/kWh"},
    {RY_DIM_METRES, "length", "m"},
    {RY_DIM_KILOGRAMS, "mass", "kg"},
    {RY_DIM_CELSIUS, "temperature", "C"},
    {RY_DIM_VOLTS, "voltage", "V"},
    {RY_DIM_AMPERES, "current", "A"},
    {RY_DIM_FLOP_PER_S, "rate of computing", "FLOP/s"},
    {RY_DIM_COUNT, "count, also without a unit", ""},
    {RY_DIM_FRACTION, "share, also without a unit", ""},
};

static void add(struct ry_table *table, enum ry_dim dim, const char *suffix,
                double si_value)
{
    size_t i = 0;

    while (i + 1 < sizeof(dims) / sizeof(dims[0]) && dims[i].dim != dim)
        i++;
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(suffix), RY_NUM(si_value),
                                           RY_TEXT(dims[i].si), RY_TEXT(dims[i].text)});
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "unit", .title = "unit"},
        {.key = "si_value", .title = "is", .show = RY_SHOW_NUMBER},
        {.key = "si_unit", .title = "of"},
        {.key = "of", .title = "measures"},
    };
    const struct units_options *given = options;
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));

    (void)args;
#define X(dimension, suffix, si_value) add(table, dimension, suffix, si_value);
#include "base/units.def"
#undef X
    return ry_table_print(table, stdout, (enum ry_table_format)given->format, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct units_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_units = {
    .name = "units",
    .args = "",
    .summary = "List the units that files and options may use, with their SI value",
    .example = "railyard units",
    .opts = opts,
    .options_bytes = sizeof(struct units_options),
    .run = run,
};
