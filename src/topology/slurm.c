/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/slurm.h"

#include "base/names.h"

#include <stdio.h>

enum { NUMBER_TEXT_BYTES = 32 };

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "topology.conf", "out of memory");
}

enum ry_err ry_slurm_blocks(struct ry_arena *arena, size_t racks, size_t trays_per_rack,
                            struct ry_names *lines, struct ry_diag *diag)
{
    char widest[NUMBER_TEXT_BYTES];

    if (racks == 0 || trays_per_rack == 0)
        return ry_fail(diag, RY_ERR_RANGE, "topology.conf", "no racks or trays");
    if (!ry_names_create(arena, racks + 1, lines))
        return no_memory(diag);
    const int width = snprintf(widest, sizeof(widest), "%zu", racks * trays_per_rack);
    for (size_t i = 0; i < racks; i++) {
        const size_t first = i * trays_per_rack + 1;
        const size_t last = (i + 1) * trays_per_rack;
        const char *line =
            first == last
                ? ry_strfmt(arena, "BlockName=rack%zu Nodes=t%0*zu", i + 1, width, first)
                : ry_strfmt(arena, "BlockName=rack%zu Nodes=t[%0*zu-%0*zu]", i + 1, width,
                            first, width, last);
        if (!ry_names_add(lines, line))
            return no_memory(diag);
    }
    const struct ry_block_sizes sizes = ry_block_sizes(trays_per_rack, racks);
    return ry_names_add(lines, ry_block_sizes_line(arena, &sizes)) ? RY_OK
                                                                   : no_memory(diag);
}

struct ry_block_sizes ry_block_sizes(size_t smallest_domain, size_t domains)
{
    struct ry_block_sizes sizes = {0};

    for (size_t times = 1; times <= domains && sizes.n < RY_BLOCK_SIZES_MOST; times *= 2)
        sizes.at[sizes.n++] = smallest_domain * times;
    return sizes;
}

const char *ry_block_sizes_line(struct ry_arena *arena,
                                const struct ry_block_sizes *sizes)
{
    const char *line = "BlockSizes=";

    for (size_t i = 0; line && i < sizes->n; i++)
        line = ry_strfmt(arena, "%s%s%zu", line, i ? "," : "", sizes->at[i]);
    return line;
}
