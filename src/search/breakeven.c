/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/breakeven.h"

#include "catalog/price.h"
#include "search/case.h"

#include <math.h>
#include <stdio.h>

static const double narrow_rel = 1e-5;

const char *const ry_lever_choices[] = {
#define X(code, name, dim, text) name,
#include "search/levers.def"
#undef X
    NULL,
};

enum ry_dim ry_lever_dim(enum ry_lever lever)
{
    static const enum ry_dim dims[] = {
#define X(code, name, dim, text) dim,
#include "search/levers.def"
#undef X
    };

    return dims[lever];
}

/* A design whose parts can be quoted anew. */
struct moved {
    struct ry_design design;
    struct ry_nic nic;
    struct ry_switch leaf, spine;
    struct ry_node node;
};

static void quote(struct ry_part *part, double usd)
{
    part->price_usd = usd;
    part->quoted = true;
    part->price_source = "moved";
    part->price_date = "";
}

static void move(const struct ry_breakeven_ask *ask, double value, struct moved *out)
{
    struct ry_design *d = &out->design;

    *d = *ask->design;
    switch (ask->lever) {
    case RY_LEVER_OVERSUBSCRIPTION:
        d->fabric.oversubscription = value;
        break;
    case RY_LEVER_NIC_RATE:
        d->nic_bytes_per_s = value;
        break;
    case RY_LEVER_NIC_PRICE:
        out->nic = *d->nic;
        quote(&out->nic.part, value);
        d->nic = &out->nic;
        break;
    case RY_LEVER_SWITCH_PRICE:
        out->leaf = *d->fabric.leaf;
        quote(&out->leaf.part, value);
        if (d->fabric.spine == d->fabric.leaf)
            d->fabric.spine = &out->leaf;
        d->fabric.leaf = &out->leaf;
        break;
    case RY_LEVER_NODE_PRICE:
        out->node = *d->node;
        quote(&out->node.part, value);
        d->node = &out->node;
        break;
    case RY_LEVER_GPU_POWER_CAP:
        d->gpu_power_cap_w = value;
        break;
    case RY_LEVER_ELECTRICITY:
        d->facility.electricity_usd_per_kwh = value;
        break;
    case RY_LEVER_PUE:
        d->facility.pue = value;
        break;
    case RY_LEVER_UTILISATION:
        d->finance.utilisation_frac = value;
        break;
    case RY_LEVER_YEARS:
        d->finance.years = value;
        break;
    case RY_LEVER_GPU_MTBF:
        d->reliability.gpu_mtbf_s = value;
        break;
    case RY_LEVERS:
        break;
    }
}

static double price_of(const struct ry_catalog *catalog, enum ry_kind kind,
                       const struct ry_part *part)
{
    return ry_price_of(catalog, kind, part).usd;
}

double ry_lever_value(const struct ry_catalog *catalog, const struct ry_design *d,
                      enum ry_lever lever)
{
    const bool joined = d->fabric.technology != RY_FABRIC_NONE;

    switch (lever) {
    case RY_LEVER_OVERSUBSCRIPTION:
        return joined ? d->fabric.oversubscription : (double)NAN;
    case RY_LEVER_NIC_RATE:
        return joined ? d->nic_bytes_per_s : (double)NAN;
    case RY_LEVER_NIC_PRICE:
        return d->nic && !d->nics_in_node_price
                   ? price_of(catalog, RY_KIND_NIC, &d->nic->part)
                   : (double)NAN;
    case RY_LEVER_SWITCH_PRICE:
        return d->fabric.leaf ? price_of(catalog, RY_KIND_SWITCH, &d->fabric.leaf->part)
                              : (double)NAN;
    case RY_LEVER_NODE_PRICE:
        return price_of(catalog, RY_KIND_NODE, &d->node->part);
    case RY_LEVER_GPU_POWER_CAP:
        return d->gpu_power_cap_w;
    case RY_LEVER_ELECTRICITY:
        return d->facility.electricity_usd_per_kwh;
    case RY_LEVER_PUE:
        return d->facility.pue;
    case RY_LEVER_UTILISATION:
        return d->finance.utilisation_frac;
    case RY_LEVER_YEARS:
        return d->finance.years;
    case RY_LEVER_GPU_MTBF:
        return d->reliability.gpu_mtbf_s;
    case RY_LEVERS:
        break;
    }
    return (double)NAN;
}

/* A look under way: what it has found so far. */
struct look {
    const struct ry_breakeven_ask *ask;
    struct ry_breakeven *out;
    struct ry_arena *arena;
    struct ry_premises
        laid_out; /* of the design as it is, where the input changes no layout */
};

static bool is_of_owning(enum ry_lever lever)
{
    return lever == RY_LEVER_ELECTRICITY || lever == RY_LEVER_UTILISATION ||
           lever == RY_LEVER_YEARS || lever == RY_LEVER_GPU_MTBF;
}

/* Laid out once; NULL: every value anew.  What goes wrong is kept in the premises. */
static const struct ry_premises *premises_of(struct look *l, struct ry_arena *arena,
                                             const struct ry_design *design)
{
    struct ry_premises *own = RY_NEW(arena, struct ry_premises, 1);

    if (!own || !is_of_owning(l->ask->lever))
        return NULL;
    if (!l->laid_out.made)
        (void)!ry_premises_make(l->arena, l->ask->catalog, l->ask->design, &l->laid_out,
                                NULL);
    (void)!ry_premises_share(arena, &l->laid_out, design, own, NULL);
    return own;
}

static enum ry_err look_in(struct ry_arena *arena, struct look *l,
                           struct ry_breakeven_point *out)
{
    const struct ry_breakeven_ask *ask = l->ask;
    const struct ry_constraints none = ry_no_constraints();
    struct moved *moved = RY_NEW(arena, struct moved, 1);
    struct ry_site *site = RY_NEW(arena, struct ry_site, 1);

    if (!moved || !site)
        return RY_ERR_NOMEM;
    move(ask, out->at, moved);
    struct ry_case c = {.design = &moved->design,
                        .workload = ask->workload,
                        .models = ask->models,
                        .objective = ask->objective,
                        .premises = premises_of(l, arena, &moved->design),
                        .site = site};
    ry_case_evaluate(arena, ask->catalog, &none, &c);
    out->feasible = c.feasible;
    out->figure = c.feasible ? ry_objective_of(ask->objective, &c.result) : (double)NAN;
    out->strategy = c.best.strategy;
    (void)snprintf(out->why, sizeof(out->why), "%s", c.why);
    return c.err == RY_ERR_NOMEM ? RY_ERR_NOMEM : RY_OK;
}

static bool better(const struct ry_breakeven_ask *ask, double figure, double than)
{
    return ry_objective_smaller(ask->objective) ? figure < than : figure > than;
}

static enum ry_err look_at(struct look *l, double value, struct ry_breakeven_point *point)
{
    struct ry_arena *arena = ry_arena_create(0);
    enum ry_err err = RY_ERR_NOMEM;

    *point = (struct ry_breakeven_point){.at = value};
    if (arena)
        err = look_in(arena, l, point);
    ry_arena_destroy(arena);
    RY_TRY(err);
    if (point->feasible && (l->out->looked_at == 0 || !l->out->best.feasible ||
                            better(l->ask, point->figure, l->out->best.figure)))
        l->out->best = *point;
    l->out->looked_at++;
    return RY_OK;
}

/* Whether the design leads at a point: what cannot be built does not. */
static bool leads(const struct look *l, const struct ry_breakeven_point *point)
{
    return point->feasible && better(l->ask, point->figure, l->ask->rival);
}

static enum ry_err narrow(struct look *l, struct ry_breakeven_change *change)
{
    while (change->above.at - change->below.at > narrow_rel * fabs(change->above.at)) {
        struct ry_breakeven_point middle;
        RY_TRY(look_at(l, (change->below.at + change->above.at) / 2.0, &middle));
        if (leads(l, &middle) == change->better_below)
            change->below = middle;
        else
            change->above = middle;
    }
    return RY_OK;
}

static double value_at(const struct ry_breakeven_ask *ask, size_t i)
{
    const double share = (double)i / RY_BREAKEVEN_STEPS;

    if (i == RY_BREAKEVEN_STEPS)
        return ask->to;
    if (ask->from > 0.0 && ask->to > 4.0 * ask->from)
        return ask->from * pow(ask->to / ask->from, share);
    return ask->from + share * (ask->to - ask->from);
}

static enum ry_err scan(struct look *l)
{
    struct ry_breakeven *out = l->out;
    struct ry_breakeven_point before = {0};

    for (size_t i = 0; i <= RY_BREAKEVEN_STEPS; i++) {
        struct ry_breakeven_point now;
        RY_TRY(look_at(l, value_at(l->ask, i), &now));
        if (i == 0)
            out->first = now;
        else if (isfinite(l->ask->rival) && leads(l, &before) != leads(l, &now) &&
                 out->changes_n < RY_BREAKEVENS_MOST) {
            struct ry_breakeven_change *change = &out->change[out->changes_n++];
            *change = (struct ry_breakeven_change){before, now, leads(l, &before)};
            RY_TRY(narrow(l, change));
        }
        before = now;
    }
    out->last = before;
    return RY_OK;
}

/* Around the best of the scan, steps that halve: no value there is better by a
 * ten-thousandth of the range. */
static enum ry_err refine(struct look *l)
{
    const struct ry_breakeven_ask *ask = l->ask;

    for (double step = (ask->to - ask->from) / RY_BREAKEVEN_STEPS;
         step > 1e-4 * (ask->to - ask->from); step /= 2.0) {
        const double at = l->out->best.at;
        struct ry_breakeven_point point;
        if (at - step >= ask->from)
            RY_TRY(look_at(l, at - step, &point));
        if (at + step <= ask->to)
            RY_TRY(look_at(l, at + step, &point));
    }
    return RY_OK;
}

static enum ry_err check(const struct ry_breakeven_ask *ask, struct ry_diag *diag)
{
    const char *name = ry_lever_choices[ask->lever];

    if (isnan(ry_lever_value(ask->catalog, ask->design, ask->lever)))
        return ry_fail(diag, RY_ERR_USAGE, name, "%s has none to move%s",
                       ask->design->name,
                       ask->lever == RY_LEVER_NIC_PRICE && ask->design->nics_in_node_price
                           ? ": its NICs are in the node's price (nics/in_node_price)"
                           : "");
    if (!(ask->from < ask->to))
        return ry_fail(diag, RY_ERR_RANGE, name, "from %g to %g is not a range",
                       ask->from, ask->to);
    if (ask->lever == RY_LEVER_GPU_POWER_CAP && ask->to > ask->design->gpu->power_max_w)
        return ry_fail(diag, RY_ERR_RANGE, name, "%g W is over the %g W of %s", ask->to,
                       ask->design->gpu->power_max_w, ask->design->gpu->part.name);
    return RY_OK;
}

enum ry_err ry_breakeven_find(const struct ry_breakeven_ask *ask,
                              struct ry_breakeven *out, struct ry_diag *diag)
{
    struct look l = {.ask = ask, .out = out};

    *out = (struct ry_breakeven){0};
    RY_TRY(check(ask, diag));
    l.arena = ry_arena_create(0);
    enum ry_err err = l.arena ? scan(&l) : RY_ERR_NOMEM;
    if (err == RY_OK && out->best.feasible && isnan(ask->rival))
        err = refine(&l);
    ry_arena_destroy(l.arena);
    return err == RY_OK ? RY_OK
                        : ry_fail(diag, err, "breakeven", "of %s", ask->design->name);
}
