/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The options --catalog, --prices and --exchange, the same for every command that needs
 * the catalog.
 *
 *     struct my_options { struct ry_catalog_sources catalog; int format; };
 *     static const struct ry_opt opts[] = {RY_OPTS_CATALOG(struct my_options, catalog),
 * ... RY_TRY(ry_catalog_opened(arena, &options->catalog, &catalog, diag));
 */
#ifndef RY_CLI_CATALOG_OPTS_H
#define RY_CLI_CATALOG_OPTS_H

#include "cli/cmd.h"
#include "io/catalog_csv.h"

/** Three rows of an option table, for the field @p field of the options struct. */
#define RY_OPTS_CATALOG(type, field)                                                     \
    {.kind = RY_OPT_STRING,                                                              \
     .offset = offsetof(type, field.own),                                                \
     .name = "catalog",                                                                  \
     .value = "DIR",                                                                     \
     .help = "your own parts: CSV files as in catalog/, override by name"},              \
        {.kind = RY_OPT_STRING,                                                          \
         .offset = offsetof(type, field.prices),                                         \
         .name = "prices",                                                               \
         .value = "FILE",                                                                \
         .help = "your quotes: CSV with name,price_usd,date,source"},                    \
    {                                                                                    \
        .kind = RY_OPT_STRING, .offset = offsetof(type, field.exchange),                 \
        .name = "exchange", .value = "CODE=USD@DATE",                                    \
        .help = "exchange rates in place of the catalog's: EUR=1.16@2026-11-30,..."      \
    }

/** The row of --currency, for commands that print money. */
#define RY_OPT_CURRENCY(type, field)                                                     \
    {                                                                                    \
        .kind = RY_OPT_STRING, .offset = offsetof(type, field.currency),                 \
        .name = "currency", .value = "CODE",                                             \
        .help =                                                                          \
            "money in EUR, GBP, ...: the rate and its date are printed (default USD)"    \
    }

/** Load the catalog and print every mistake; the diagnostic has no text then. */
RY_MUST_USE enum ry_err ry_catalog_opened(struct ry_arena *arena,
                                          const struct ry_catalog_sources *sources,
                                          struct ry_catalog *catalog,
                                          struct ry_diag *diag);

#endif
