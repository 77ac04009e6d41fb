/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd.h"

#include <stdio.h>

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    (void)options;
    (void)args;
    (void)diag;
#define X(dimension, suffix, si_value) printf("%-8s %.12g\n", suffix, si_value);
#include "base/units.def"
#undef X
    return RY_OK;
}

static const struct ry_opt opts[] = {{.kind = RY_OPT_END}};

const struct ry_cmd cmd_units = {
    .name = "units",
    .args = "",
    .summary = "List the units that files and options may use, with their SI value",
    .example = "railyard units",
    .opts = opts,
    .run = run,
};
