/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a catalog file of the kind that the first byte picks. */
#include "catalog/price.h"
#include "io/catalog_csv.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A price is a range around a positive number, or nothing. */
static void check_prices(const struct ry_catalog *catalog, enum ry_kind kind)
{
    char origin[RY_PRICE_ORIGIN_BYTES];
    const struct ry_part *part = NULL;

    for (size_t i = 0; (part = ry_catalog_at(catalog, kind, i)) != NULL; i++) {
        const struct ry_price p = ry_price_of(catalog, kind, part);
        const int good = p.kind == RY_PRICE_NONE
                             ? isnan(p.usd)
                             : p.usd > 0.0 && p.low_usd <= p.usd && p.usd <= p.high_usd;
        if (!good || !ry_price_origin(&p, origin) ||
            !ry_catalog_find(catalog, kind, part->name))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const enum ry_kind kind = (enum ry_kind)(data[0] % RY_KIND_COUNT);
    struct ry_arena *arena = ry_arena_create((size_t)64 << 20);
    struct ry_problems *problems = arena ? RY_NEW(arena, struct ry_problems, 1) : NULL;
    struct ry_catalog catalog = {0};
    struct ry_csv csv = {0};

    if (!problems)
        abort();
    if (ry_csv_parse(arena, "fuzz.csv", (const char *)data + 1, size - 1, problems,
                     &csv) == RY_OK) {
        ry_catalog_take(arena, &catalog, kind, &csv, false, problems);
        ry_catalog_take(arena, &catalog, kind, &csv, true, problems);
        if (problems->count == 0)
            check_prices(&catalog, kind);
        ry_catalog_check(&catalog, kind, problems);
    } else if (problems->count == 0) {
        abort();
    }
    ry_arena_destroy(arena);
    return 0;
}
