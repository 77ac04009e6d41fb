/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/free_ports.h"

#include "base/names.h"

#include <string.h>

static const struct ry_column columns[] = {
    {.key = "free_on", .title = "ports left free on"},
    {.key = "ports", .title = "ports"},
    {.key = "each", .title = "each", .show = RY_SHOW_COUNT},
    {.key = "free", .title = "all", .show = RY_SHOW_COUNT},
};

/* "P17" of "core0 P17". */
static const char *port_text(struct ry_arena *arena, const struct ry_graph *g,
                             uint32_t port)
{
    char name[RY_DEVICE_NAME_BYTES];
    const char *space = strchr(ry_graph_port_name(g, port, name), ' ');

    return ry_strdup(arena, space ? space + 1 : name);
}

static bool is_free(const struct ry_graph *g, uint32_t device, uint32_t port)
{
    return g->ports[g->devices[device].first_port + port].cable == RY_NONE;
}

static bool same_free(const struct ry_graph *g, uint32_t a, uint32_t b)
{
    if (g->devices[a].of != g->devices[b].of ||
        g->devices[a].ports != g->devices[b].ports)
        return false;
    for (uint32_t p = 0; p < g->devices[a].ports; p++)
        if (is_free(g, a, p) != is_free(g, b, p))
            return false;
    return true;
}

/* "P1 to P4, P9"; NULL when out of memory. */
static const char *ports_text(struct ry_arena *arena, const struct ry_graph *g,
                              uint32_t device, size_t *n)
{
    const struct ry_device *d = &g->devices[device];
    const char *text = "";

    *n = 0;
    for (uint32_t from = 0, to = 0; from < d->ports && text; from = to) {
        const bool free = is_free(g, device, from);
        for (to = from + 1; to < d->ports && is_free(g, device, to) == free;)
            to++;
        if (!free)
            continue;
        *n += to - from;
        const char *first = port_text(arena, g, d->first_port + from);
        const char *last = port_text(arena, g, d->first_port + to - 1);
        if (!first || !last)
            return NULL;
        text = ry_strfmt(arena, "%s%s%s%s%s", text, text[0] ? ", " : "", first,
                         to - from > 1 ? " to " : "", to - from > 1 ? last : "");
    }
    return text;
}

static bool add_run(struct ry_arena *arena, const struct ry_graph *g,
                    struct ry_table *table, const uint32_t run[2])
{
    char name[RY_DEVICE_NAME_BYTES];
    size_t each = 0;
    const char *ports = ports_text(arena, g, run[0], &each);
    const char *first = ry_strdup(arena, ry_graph_name(g, run[0], name));
    const char *last = ry_graph_name(g, run[1] - 1, name);

    if (each == 0)
        return ports && first;
    const char *devices =
        run[1] - run[0] > 1 && first ? ry_strfmt(arena, "%s to %s", first, last) : first;
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(devices), RY_TEXT(ports),
                                           RY_NUM((double)each),
                                           RY_NUM((double)(each * (run[1] - run[0])))});
    return ports && devices;
}

struct ry_table *ry_free_ports_table(struct ry_arena *arena, const struct ry_graph *graph)
{
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));
    bool good = table != NULL;
    uint32_t run[2] = {0, 0};

    for (; good && run[0] < graph->n_devices; run[0] = run[1]) {
        for (run[1] = run[0] + 1;
             run[1] < graph->n_devices && same_free(graph, run[0], run[1]);)
            run[1]++;
        good = add_run(arena, graph, table, run);
    }
    return good ? table : NULL;
}
