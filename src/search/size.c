/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/size.h"

#include "base/names.h"

#include <math.h>

static const double seconds_per_day = 86400.0;

/* Days that differ by less are equal. */
static const double equal_rel = 1e-9;

struct sizer {
    struct ry_arena *arena;
    const struct ry_size_ask *ask;
    struct ry_design *design;     /* of the count at hand */
    struct ry_premises *premises; /* of it */
    struct ry_site *site;
    size_t looked_at;
    size_t most;      /* that can be built, once that is asked for */
    double best_days; /* of all that was looked at for a deadline, and its nodes */
    size_t best_nodes;
    enum ry_err err;
};

/* The design with so many nodes, searched, and held against @p limits.  The case points
 * into the sizer: keep() it before the next. */
static struct ry_case look(struct sizer *s, size_t nodes,
                           const struct ry_constraints *limits)
{
    struct ry_case c = {.design = s->design,
                        .workload = s->ask->workload,
                        .models = s->ask->models,
                        .premises = s->premises,
                        .site = s->site};
    struct ry_arena *scratch = ry_arena_create(0); /* 3 MiB, given back at once */

    *s->design = *s->ask->design;
    s->design->nodes = nodes;
    c.workload = ry_workload_on(s->arena, c.workload, ry_design_gpus(s->design));
    s->looked_at++;
    if (!c.workload) {
        s->err = RY_ERR_NOMEM;
        c.workload = s->ask->workload;
    }
    if (scratch) {
        c.err = ry_premises_make(scratch, s->ask->catalog, s->design, s->premises, NULL);
        if (ry_premises_keep(s->arena, s->premises) != RY_OK)
            s->err = RY_ERR_NOMEM;
    }
    if (scratch && s->err == RY_OK)
        ry_case_evaluate(scratch, s->ask->catalog, limits, &c);
    if (!scratch || c.err == RY_ERR_NOMEM)
        s->err = RY_ERR_NOMEM;
    ry_arena_destroy(scratch);
    return c;
}

static struct ry_case keep(struct sizer *s, struct ry_case c)
{
    struct ry_design *design = RY_NEW(s->arena, struct ry_design, 1);
    struct ry_premises *premises = RY_NEW(s->arena, struct ry_premises, 1);
    struct ry_site *site = RY_NEW(s->arena, struct ry_site, 1);
    const char *was = c.design->choice;
    const char *choice =
        ry_strfmt(s->arena, "%s%snodes=%zu", was, was[0] ? ", " : "", c.design->nodes);

    if (!design || !premises || !site || !choice) {
        s->err = RY_ERR_NOMEM;
        return c;
    }
    *design = *c.design;
    design->choice = choice;
    *premises = *c.premises;
    premises->design = design;
    *site = *c.site;
    site->design = design;
    site->premises = premises;
    site->built.machine.net = &site->built.net;
    c.design = design;
    c.premises = premises;
    c.site = site;
    return c;
}

static bool in_time(struct sizer *s, size_t nodes)
{
    struct ry_constraints only = ry_no_constraints();

    only.days = s->ask->limits.days;
    const struct ry_case c = look(s, nodes, &only);
    if (c.has_result && (s->best_nodes == 0 || c.result.days < s->best_days)) {
        s->best_days = c.result.days;
        s->best_nodes = nodes;
    }
    return c.feasible;
}

static bool is_within(const struct ry_premises *premises,
                      const struct ry_constraints *limits)
{
    return premises->bill.total.usd <= limits->capex_usd &&
           (!isfinite(limits->facility_w) ||
            premises->facility_max_w <= limits->facility_w) &&
           premises->racks <= limits->racks;
}

/* Whether it can be built within all limits but the deadline: no search needed. */
static bool within(struct sizer *s, size_t nodes, bool limits_too)
{
    struct ry_premises premises;
    struct ry_arena *scratch = NULL;

    *s->design = *s->ask->design;
    s->design->nodes = nodes;
    if (nodes <= s->design->spare_nodes || (scratch = ry_arena_create(0)) == NULL)
        return false;
    const bool builds =
        ry_premises_make(scratch, s->ask->catalog, s->design, &premises, NULL) == RY_OK &&
        !premises.refusal &&
        ry_site_of(&premises, &s->ask->models, s->site, NULL) == RY_OK;
    const bool good = builds && (!limits_too || is_within(&premises, &s->ask->limits));
    ry_arena_destroy(scratch);
    return good;
}

/* The most nodes within the limits, 0 when one is too many: bracket, halve, scan. */
static size_t most_within(struct sizer *s, bool limits_too)
{
    size_t good = s->ask->design->spare_nodes + 1;
    size_t bad = 0;

    if (!within(s, good, limits_too))
        return 0;
    while (bad == 0 && good < RY_SIZE_NODES_MOST) {
        if (within(s, 2 * good, limits_too))
            good *= 2;
        else
            bad = 2 * good;
    }
    while (bad > good + 1) {
        const size_t middle = good + (bad - good) / 2;
        if (within(s, middle, limits_too))
            good = middle;
        else
            bad = middle;
    }
    for (size_t n = good + 1; n <= good + RY_SIZE_SCAN; n++)
        if (within(s, n, limits_too))
            good = n;
    return good;
}

/* All GPUs at the data sheet's peak: a step cannot take less. */
static size_t least_for_deadline(const struct ry_size_ask *ask)
{
    const struct ry_workload *workload = ask->workload;
    const double lora = workload->base.task == RY_TASK_LORA ? 2.0 / 3.0 : 1.0;
    const double flop =
        workload->tokens * lora * ry_arch_flop_per_token(&workload->arch, 0.0, true);
    const double rate =
        ry_peak_flop_per_s(ask->models.compute, workload->base.precision) *
        (double)ask->design->gpus_per_node;
    const double nodes = ceil(flop / (rate * ask->limits.days * seconds_per_day));

    if (!(nodes >= 1.0))
        return 1 + ask->design->spare_nodes;
    return (nodes < RY_SIZE_NODES_MOST ? (size_t)nodes : (size_t)RY_SIZE_NODES_MOST) +
           ask->design->spare_nodes;
}

/* Halve between a count that is too few and one that is enough. */
static size_t halve(struct sizer *s, size_t few, size_t enough)
{
    while (enough > few + 1) {
        const size_t middle = few + (enough - few) / 2;
        if (in_time(s, middle))
            enough = middle;
        else
            few = middle;
    }
    return enough;
}

/* The fewest in time, 0: none of those that can be built. */
static size_t fewest_in_time(struct sizer *s, size_t least, size_t *scanned)
{
    size_t few = least - 1;
    size_t enough = least;

    while (!in_time(s, enough)) {
        size_t next = 2 * enough;
        if (!within(s, next, false)) { /* large designs take seconds: only where asked */
            s->most = s->most ? s->most : most_within(s, false);
            next = next < s->most ? next : s->most;
        }
        if (next <= enough)
            return 0;
        few = enough;
        enough = next;
    }
    enough = halve(s, few, enough);
    *scanned = enough;
    for (size_t n = enough; n > least && enough - n < RY_SIZE_SCAN; n--) {
        *scanned = n - 1;
        if (in_time(s, n - 1))
            enough = n - 1;
    }
    return enough;
}

static enum ry_err for_deadline(struct sizer *s, struct ry_size *size)
{
    const size_t least = least_for_deadline(s->ask);

    size->nodes_least = least;
    const size_t nodes = fewest_in_time(s, least, &size->scanned_from);
    const size_t nearest = s->best_nodes ? s->best_nodes : s->most;
    const size_t shown = nodes ? nodes : nearest;
    size->answer = keep(s, look(s, shown ? shown : 1, &s->ask->limits));
    size->found = nodes > 0 && size->answer.feasible;
    if (nodes > least) {
        size->other = keep(s, look(s, nodes - 1, &s->ask->limits));
        size->has_other = true;
    }
    return s->err;
}

/* The fastest of the last counts up to @p most; of equal ones the fewest nodes. */
static size_t fastest(struct sizer *s, size_t most, size_t *scanned)
{
    const struct ry_constraints none = ry_no_constraints();
    double best_days = (double)INFINITY;
    double used = 0.0;
    size_t best = most;

    for (size_t n = most; n >= 1 && most - n < RY_SIZE_SCAN; n--) {
        const struct ry_case c = look(s, n, &none);
        *scanned = n;
        if (c.feasible && c.result.days <= best_days * (1.0 + equal_rel)) {
            best_days = c.result.days;
            used = c.result.gpus_used;
            best = n;
        }
    }
    const size_t busy = (size_t)ceil(used / (double)s->ask->design->gpus_per_node) +
                        s->ask->design->spare_nodes;
    if (busy > 0 && busy < best) { /* nodes that the strategy leaves idle */
        const struct ry_case c = look(s, busy, &none);
        if (c.feasible && c.result.days <= best_days * (1.0 + equal_rel))
            best = busy;
    }
    return best;
}

static enum ry_err for_limits(struct sizer *s, struct ry_size *size)
{
    const size_t most = most_within(s, true);

    size->nodes_least = 1;
    const size_t nodes = most ? fastest(s, most, &size->scanned_from) : 1;
    size->answer = keep(s, look(s, nodes, &s->ask->limits));
    size->found = most > 0 && size->answer.feasible;
    if (most > 0) {
        size->other = keep(s, look(s, most + 1, &s->ask->limits));
        size->has_other = true;
    }
    return s->err;
}

enum ry_err ry_size_find(struct ry_arena *arena, const struct ry_size_ask *ask,
                         struct ry_size *size, struct ry_diag *diag)
{
    const struct ry_constraints *limits = &ask->limits;
    struct sizer s = {.arena = arena,
                      .ask = ask,
                      .design = RY_NEW(arena, struct ry_design, 1),
                      .premises = RY_NEW(arena, struct ry_premises, 1),
                      .site = RY_NEW(arena, struct ry_site, 1)};

    *size = (struct ry_size){0};
    if (!isfinite(limits->days) && !isfinite(limits->capex_usd) &&
        !isfinite(limits->facility_w) && !isfinite(limits->racks))
        return ry_fail(diag, RY_ERR_USAGE, "size",
                       "no limit; give --deadline, --max-capex, --max-power or "
                       "--max-racks");
    if (!s.design || !s.premises || !s.site)
        return ry_fail(diag, RY_ERR_NOMEM, "size", "cannot start");
    if (!ask->models.compute) {
        size->answer = keep(&s, look(&s, 1, limits)); /* says why */
        return RY_OK;
    }
    const enum ry_err err =
        isfinite(limits->days) ? for_deadline(&s, size) : for_limits(&s, size);
    size->looked_at = s.looked_at;
    return err == RY_OK ? RY_OK : ry_fail(diag, err, "size", "of %s", ask->design->name);
}
