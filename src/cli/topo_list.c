/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/topo_list.h"

#include "base/names.h"
#include "cli/sections.h"
#include "topology/family.h"

#include <string.h>

static const struct ry_column family_columns[] = {
    {.key = "family", .title = "family"},
    {.key = "alias", .title = "or"},
    {.key = "summary", .title = "what it is"},
    {.key = "example", .title = "for example"},
    {.key = "keys", .title = "keys", .wrap = true},
};

static const struct ry_column key_columns[] = {
    {.key = "key", .title = "key"},
    {.key = "most", .title = "most", .show = RY_SHOW_COUNT},
    {.key = "help", .title = "what it is", .wrap = true},
};

static struct ry_table *families(struct ry_arena *arena)
{
    struct ry_table *table = ry_table_create(
        arena, family_columns, sizeof(family_columns) / sizeof(family_columns[0]));

    for (size_t i = 0; ry_family_at(i); i++) {
        const struct ry_family *f = ry_family_at(i);
        const char *keys = /* without the spaces around it */
            ry_strfmt(arena, "%.*s", (int)strlen(f->keys) - 2, f->keys + 1);
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(f->name), RY_TEXT(f->alias),
                                               RY_TEXT(f->summary), RY_TEXT(f->example),
                                               RY_TEXT(keys)});
    }
    return table;
}

static struct ry_table *numbers(struct ry_arena *arena)
{
    struct ry_table *table =
        ry_table_create(arena, key_columns, sizeof(key_columns) / sizeof(key_columns[0]));

#define X(name, most, help)                                                              \
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(#name), RY_NUM(most), RY_TEXT(help)});
#include "topology/params.def"
#undef X
    return table;
}

enum ry_err ry_topo_list_print(struct ry_arena *arena, enum ry_table_format format,
                               struct ry_diag *diag)
{
    const struct ry_section sections[] = {
        {"families", "Families", families(arena)},
        {"keys", "Keys that are numbers; not given: by the other keys", numbers(arena)},
    };

    return ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]), format,
                             diag);
}
