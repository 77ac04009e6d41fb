/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/catalog_opts.h"

#include "io/problems_print.h"

enum ry_err ry_catalog_opened(struct ry_arena *arena,
                              const struct ry_catalog_sources *sources,
                              struct ry_catalog *catalog, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, "catalog", "cannot read it");
    const enum ry_err err = ry_catalog_load(arena, sources, problems, catalog);
    return err == RY_OK ? RY_OK : ry_problems_print(problems, diag);
}
