/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A vendor's quote against the bill. */
#include "cost/bom.h"

#include "base/names.h"

#include <math.h>
#include <stdio.h>

const char *ry_quote_issue_name(enum ry_quote_issue issue)
{
    static const char *const names[] = {
        [RY_QUOTE_MISSING] = "missing", [RY_QUOTE_EXTRA] = "extra",
        [RY_QUOTE_DOUBLED] = "doubled", [RY_QUOTE_COUNT] = "count",
        [RY_QUOTE_TYPE] = "type",       [RY_QUOTE_PRICE] = "price",
    };
    return names[issue];
}

struct work {
    struct ry_arena *arena;
    const struct ry_bom *bom;
    const struct ry_quote *quote;
    struct ry_quote_findings *out;
    bool full; /* out of memory */
};

static void add(struct work *work, enum ry_quote_issue issue, const char *part,
                double wanted, double quoted, const char *text)
{
    if (!text)
        work->full = true;
    else
        work->out->at[work->out->n++] = (struct ry_quote_finding){.issue = issue,
                                                                  .part = part,
                                                                  .text = text,
                                                                  .wanted = wanted,
                                                                  .quoted = quoted};
}

/* A part may stand on several lines of the bill: by length, by use. */
static double wanted_of(const struct work *work, const char *part)
{
    double wanted = 0.0;

    for (size_t i = 0; i < work->bom->n; i++)
        if (ry_name_eq(work->bom->at[i].part, part))
            wanted += ry_bom_ordered(&work->bom->at[i]);
    return wanted;
}

static bool seen_before(const struct work *work, size_t line)
{
    for (size_t i = 0; i < line; i++)
        if (ry_name_eq(work->bom->at[i].part, work->bom->at[line].part))
            return true;
    return false;
}

static bool in_bom(const struct work *work, const char *part)
{
    for (size_t i = 0; i < work->bom->n; i++)
        if (ry_name_eq(work->bom->at[i].part, part))
            return true;
    return false;
}

static const char *extra_at(const void *ctx, size_t i)
{
    const struct work *work = ctx;
    return i < work->quote->n ? work->quote->at[i].part : NULL;
}

/* A row of the quote that is no part of the bill and reads like this one. */
static const struct ry_quote_line *alike(const struct work *work, const char *part)
{
    const size_t near = ry_name_nearest(part, extra_at, work);

    if (near == (size_t)-1 || in_bom(work, work->quote->at[near].part))
        return NULL;
    return &work->quote->at[near];
}

static void check_missing(struct work *work, const char *part, double wanted)
{
    const struct ry_quote_line *other = alike(work, part);

    if (other)
        add(work, RY_QUOTE_TYPE, part, wanted, other->quantity,
            ry_strfmt(work->arena, "row %zu has %s in its place", other->row,
                      other->part));
    else
        add(work, RY_QUOTE_MISSING, part, wanted, 0.0,
            ry_strfmt(work->arena, "%.0f wanted, not in the quote", wanted));
}

static void check_price(struct work *work, const struct ry_bom_line *line,
                        const struct ry_quote_line *row)
{
    const struct ry_bom_price *known = &line->price;
    const char *said =
        row->said ? row->said : ry_strfmt(work->arena, "$%.0f", row->price.usd);

    if (isnan(row->price.usd))
        add(work, RY_QUOTE_PRICE, line->part, known->usd, row->price.usd,
            ry_strfmt(work->arena, "row %zu has no price", row->row));
    else if (row->price.usd > known->high_usd || row->price.usd < known->low_usd)
        add(work, RY_QUOTE_PRICE, line->part, known->usd, row->price.usd,
            ry_strfmt(work->arena, "row %zu: %s is outside $%.0f to $%.0f (%s)", row->row,
                      said ? said : "it", known->low_usd, known->high_usd,
                      known->source));
}

/* What the quote has of one part. */
struct quoted {
    const struct ry_quote_line *first;
    double quantity;
    size_t rows;
};

static struct quoted quoted_of(struct work *work, const struct ry_bom_line *line,
                               bool wanted)
{
    struct quoted of = {0};

    for (size_t q = 0; q < work->quote->n; q++) {
        const struct ry_quote_line *row = &work->quote->at[q];
        if (!ry_name_eq(row->part, line->part))
            continue;
        of.first = of.first ? of.first : row;
        of.quantity += isnan(row->quantity) ? 0.0 : row->quantity;
        of.rows++;
        if (wanted)
            check_price(work, line, row);
    }
    return of;
}

static void check_line(struct work *work, size_t index)
{
    const struct ry_bom_line *line = &work->bom->at[index];
    const double wanted = wanted_of(work, line->part);

    if (seen_before(work, index) || line->category == RY_BOM_SERVICE)
        return;
    const struct quoted of = quoted_of(work, line, wanted > 0.0);
    if (!of.first && wanted > 0.0)
        check_missing(work, line->part, wanted);
    if (!of.first || fabs(of.quantity - wanted) < 0.5)
        return;
    if (!(wanted > 0.0))
        add(work, RY_QUOTE_EXTRA, line->part, wanted, of.quantity,
            ry_strfmt(work->arena, "row %zu has %.0f, none is ordered: %s", of.first->row,
                      of.quantity, line->within ? line->within : "owned"));
    else if (of.rows > 1)
        add(work, RY_QUOTE_DOUBLED, line->part, wanted, of.quantity,
            ry_strfmt(work->arena, "on %zu rows, %.0f together, %.0f wanted", of.rows,
                      of.quantity, wanted));
    else
        add(work, RY_QUOTE_COUNT, line->part, wanted, of.quantity,
            ry_strfmt(work->arena, "row %zu has %.0f, %.0f wanted", of.first->row,
                      of.quantity, wanted));
}

/* Rows that stand for nothing in the bill, but for those named as another type. */
static void check_extra(struct work *work, const struct ry_quote_line *row)
{
    if (in_bom(work, row->part))
        return;
    for (size_t i = 0; i < work->out->n; i++) {
        const struct ry_quote_finding *finding = &work->out->at[i];
        const struct ry_quote_line *other =
            finding->issue == RY_QUOTE_TYPE ? alike(work, finding->part) : NULL;
        if (other == row)
            return;
    }
    add(work, RY_QUOTE_EXTRA, row->part, 0.0, row->quantity,
        ry_strfmt(work->arena, "row %zu is not in the bill", row->row));
}

enum ry_err ry_bom_reconcile(struct ry_arena *arena, const struct ry_bom *bom,
                             const struct ry_quote *quote, struct ry_quote_findings *out,
                             struct ry_diag *diag)
{
    struct ry_quote_findings made = {0};
    struct work work = {.arena = arena, .bom = bom, .quote = quote, .out = &made};

    made.at = RY_NEW(arena, struct ry_quote_finding, 2 * bom->n + 2 * quote->n + 1);
    if (!made.at)
        return ry_fail(diag, RY_ERR_NOMEM, "quote", "%zu rows", quote->n);
    for (size_t i = 0; i < bom->n; i++)
        check_line(&work, i);
    for (size_t q = 0; q < quote->n; q++)
        check_extra(&work, &quote->at[q]);
    if (work.full)
        return ry_fail(diag, RY_ERR_NOMEM, "quote", "%zu rows", quote->n);
    *out = made;
    return RY_OK;
}
