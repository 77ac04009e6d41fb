/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/remarks.h"

#include "catalog/parts.h"
#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

/* Behind what is there already. */
static char *next(char text[RY_REMARKS_BYTES], size_t *room)
{
    size_t used = strlen(text);

    if (used > 0 && used + 2 < RY_REMARKS_BYTES) {
        memcpy(text + used, "; ", sizeof("; "));
        used += 2;
    }
    *room = RY_REMARKS_BYTES - used;
    return text + used;
}

static void memory(const struct ry_case *c, char text[RY_REMARKS_BYTES])
{
    const struct ry_rate *least =
        ry_find_rate(c->site->catalog, "planning:memory of a GPU that should stay free");
    const double free_frac = c->result.headroom_bytes / c->result.step.usable_bytes;
    size_t room = 0;

    if (!least || !(free_frac < least->value))
        return;
    char *at = next(text, &room);
    (void)snprintf(
        at, room,
        "%.1f %% of a GPU's memory is left, less than the %.0f %% that predicted "
        "peaks are good to: try it before you rely on it",
        100.0 * free_frac, 100.0 * least->value);
}

static void one_switch(const struct ry_case *c, char text[RY_REMARKS_BYTES])
{
    const struct ry_network *n = &c->site->network;
    const bool spine = n->leaves > 1 && n->spines == 1;
    size_t room = 0;

    if ((!spine && n->leaves != 1) || c->design->nodes < 2)
        return;
    char *at = next(text, &room);
    (void)snprintf(at, room, "one %s joins all nodes: the job stops with it",
                   spine ? "spine" : "leaf switch");
}

void ry_case_remarks(const struct ry_case *c, char text[RY_REMARKS_BYTES])
{
    text[0] = '\0';
    if (!c->has_result)
        return;
    memory(c, text);
    one_switch(c, text);
}
