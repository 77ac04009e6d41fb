/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a quote file over a catalog of one GPU. */
#include "catalog/price.h"
#include "io/catalog_csv.h"
#include "io/catalog_quotes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create((size_t)64 << 20);
    struct ry_problems *problems = arena ? RY_NEW(arena, struct ry_problems, 1) : NULL;
    struct ry_catalog catalog = {0};
    struct ry_csv csv = {0};
    struct ry_part *gpu = problems ? ry_catalog_add(&catalog, arena, RY_KIND_GPU) : NULL;

    if (!gpu)
        abort();
    gpu->name = "g";
    if (ry_csv_parse(arena, "quote.csv", (const char *)data, size, problems, &csv) ==
        RY_OK)
        ry_catalog_take_quotes(arena, &catalog, &csv, problems);
    else if (problems->count == 0)
        abort();
    const struct ry_price price = ry_price_find(&catalog, RY_KIND_GPU, "G");
    if (price.kind == RY_PRICE_NONE ? !isnan(price.usd)
                                    : !(price.usd > 0.0 && isfinite(price.usd)))
        abort();
    ry_arena_destroy(arena);
    return 0;
}
