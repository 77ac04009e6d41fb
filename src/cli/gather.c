/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gather.h"

#include <string.h>

/* One table's rows on their way. */
struct visit {
    struct ry_gather *all;
    struct ry_cell *cells; /* [all->n] are whose they are */
};

static struct ry_table *make(struct ry_gather *all, const struct ry_table *from)
{
    const struct ry_column *columns = ry_table_columns(from, &all->columns);
    struct ry_column *wider = RY_NEW(all->arena, struct ry_column, all->n + all->columns);

    if (!wider)
        return NULL;
    for (size_t i = 0; i < all->n; i++)
        wider[i] = (struct ry_column){.key = all->keys[i], .title = all->keys[i]};
    memcpy(wider + all->n, columns, all->columns * sizeof(*columns));
    return ry_table_create(all->arena, wider, all->n + all->columns);
}

static void add_row(const struct ry_cell cells[], void *ctx)
{
    const struct visit *v = ctx;

    memcpy(v->cells + v->all->n, cells, v->all->columns * sizeof(*cells));
    ry_table_row(v->all->table, v->cells);
}

void ry_gather_add(struct ry_gather *all, const char *const whose[],
                   const struct ry_table *from)
{
    struct visit v = {.all = all};

    if (from && !all->table)
        all->table = make(all, from);
    if (from && all->table)
        v.cells = RY_NEW(all->arena, struct ry_cell, all->n + all->columns);
    if (!v.cells) {
        all->table = NULL;
        return;
    }
    for (size_t i = 0; i < all->n; i++)
        v.cells[i] = RY_TEXT(whose[i]);
    ry_table_each(from, add_row, &v);
}
