/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"
#include "cli/sections.h"
#include "cost/bill.h"
#include "io/problems_print.h"
#include "io/quote_file.h"
#include "report/xlsx.h"

#include <stdio.h>

enum { FORMAT_XLSX = RY_TABLE_FORMATS };

struct bom_options {
    struct ry_facility_cmd facility;
    const char *quote, *out;
    int format;
};

static const struct ry_column line_columns[] = {
    {.key = "category", .title = "category"},
    {.key = "part", .title = "part"},
    {.key = "description", .title = "what"},
    {.key = "length_m", .title = "length", .show = RY_SHOW_METRES, .less = 2},
    {.key = "quantity", .title = "used", .show = RY_SHOW_COUNT, .less = 6},
    {.key = "spares", .title = "spare", .show = RY_SHOW_COUNT, .less = 5},
    {.key = "owned", .title = "owned", .show = RY_SHOW_COUNT, .less = 4},
    {.key = "ordered", .title = "order", .show = RY_SHOW_COUNT},
    {.key = "unit_price_usd", .title = "each", .show = RY_SHOW_USD},
    {.key = "unit_low_usd", .show = RY_SHOW_USD},
    {.key = "unit_high_usd", .show = RY_SHOW_USD},
    {.key = "total_usd", .title = "total", .show = RY_SHOW_USD},
    {.key = "price_kind", .title = "price is", .less = 3},
    {.key = "price_year", .title = "of", .show = RY_SHOW_YEAR, .less = 7},
    {.key = "price_source"},
    {.key = "lead_time_weeks", .title = "lead, weeks", .show = RY_SHOW_NUMBER},
    {.key = "lead_time_source"},
    {.key = "why"},
    {.key = "currency_rate"},
};
enum { LINE_COLUMNS = sizeof(line_columns) / sizeof(line_columns[0]) };

static const struct ry_column difference_columns[] = {
    {.key = "issue", .title = "issue"},
    {.key = "part", .title = "part"},
    {.key = "wanted", .title = "bill", .show = RY_SHOW_NUMBER},
    {.key = "quoted", .title = "quote", .show = RY_SHOW_NUMBER},
    {.key = "text", .title = "what", .wrap = true},
};
enum { DIFFERENCE_COLUMNS = sizeof(difference_columns) / sizeof(difference_columns[0]) };

/* "no price" stands where a number would. */
static struct ry_cell money(double usd)
{
    return isnan(usd) ? RY_NUM_AS(usd, "no price") : RY_NUM(usd);
}

/* Work, and what comes with something else, may have no lead time of their own. */
static struct ry_cell weeks(const struct ry_bom_line *line)
{
    const bool waits = !line->within && line->category != RY_BOM_SERVICE;

    return isnan(line->lead_time_weeks)
               ? RY_NUM_AS(line->lead_time_weeks, waits ? "not given" : "-")
               : RY_NUM(line->lead_time_weeks);
}

static const char *kind_of_price(const struct ry_bom_line *line)
{
    if (line->within)
        return line->within;
    return isnan(line->price.usd) ? "no price" : line->price.basis;
}

static struct ry_table *line_table(struct ry_arena *arena,
                                   const struct ry_currency *currency,
                                   const struct ry_bom *bom)
{
    struct ry_table *table =
        ry_table_in(ry_table_create(arena, line_columns, LINE_COLUMNS), currency);
    const char *rate = ry_currency_said(arena, currency);

    for (size_t i = 0; i < bom->n; i++) {
        const struct ry_bom_line *line = &bom->at[i];
        const struct ry_bom_price *price = &line->price;
        ry_table_row(
            table,
            (struct ry_cell[]){
                RY_TEXT(ry_bom_category_name(line->category)), RY_TEXT(line->part),
                RY_TEXT(line->description), RY_NUM(line->length_m),
                RY_NUM(line->quantity), RY_NUM(line->spares), RY_NUM(line->owned),
                RY_NUM(ry_bom_ordered(line)),
                line->within ? RY_NUM_AS((double)NAN, "-") : money(price->usd),
                RY_NUM(price->low_usd), RY_NUM(price->high_usd),
                line->within ? RY_NUM_AS((double)NAN, "-") : money(ry_bom_line_usd(line)),
                RY_TEXT(kind_of_price(line)),
                RY_NUM(price->year ? (double)price->year : (double)NAN),
                RY_TEXT(price->source), weeks(line), RY_TEXT(line->lead_time_source),
                RY_TEXT(line->why), RY_TEXT(rate)});
    }
    return table;
}

/* What has to be ordered first. */
static void add_lead(struct ry_arena *arena, struct ry_table *t, const struct ry_bom *bom)
{
    size_t not_given = 0;
    const struct ry_bom_line *longest = ry_bom_longest_lead(bom, &not_given);
    const char *open =
        not_given ? ry_kept(arena, "; %zu ordered lines have none given", not_given) : "";

    ry_figure(arena, t, "longest_lead_weeks",
              longest ? longest->lead_time_weeks : (double)NAN, RY_SHOW_NUMBER,
              longest ? ry_kept(arena, "%s: %s%s", longest->part,
                                longest->lead_time_source, open)
                      : ry_kept(arena, "no lead time is given%s", open));
}

static struct ry_table *figure_table(struct ry_arena *arena,
                                     const struct ry_currency *currency,
                                     const struct ry_bom *bom)
{
    const struct ry_bom_sums sums = ry_bom_sums(bom);
    struct ry_table *t = ry_table_in(
        ry_table_create(arena, ry_figure_columns, RY_FIGURE_COLUMNS), currency);

    ry_figure(arena, t, "total_usd", sums.usd, RY_SHOW_USD,
              sums.without_price
                  ? ry_kept(arena, "a lower bound: %zu of %zu lines have no price",
                            sums.without_price, sums.lines)
                  : "");
    ry_figure(arena, t, "low_usd", sums.low_usd, RY_SHOW_USD,
              "by the range of each price");
    ry_figure(arena, t, "high_usd", sums.high_usd, RY_SHOW_USD, "");
    ry_figure(arena, t, "network_usd", sums.network_usd, RY_SHOW_USD,
              sums.usd > 0.0 ? ry_kept(arena, "%.1f %% of the total",
                                       100.0 * sums.network_usd / sums.usd)
                             : "");
    ry_figure(arena, t, "estimates_usd", sums.estimate_usd, RY_SHOW_USD,
              "of the total, rests on estimated prices; give --prices");
    add_lead(arena, t, bom);
    for (int c = 0; c < RY_BOM_CATEGORIES; c++) {
        if (sums.by_category_usd[c] > 0.0 || sums.category_without_price[c])
            ry_figure(
                arena, t,
                ry_kept(arena, "%s_usd", ry_bom_category_name((enum ry_bom_category)c)),
                sums.by_category_usd[c], RY_SHOW_USD,
                sums.category_without_price[c] ? "without the lines of no price" : "");
    }
    return t;
}

/* By which rate each currency of a quote was converted, once each. */
static struct ry_table *rate_table(struct ry_arena *arena, const struct ry_quote *quote)
{
    struct ry_table *table =
        ry_table_create(arena, ry_finding_columns, RY_FINDING_COLUMNS);

    for (size_t i = 0; i < quote->n; i++) {
        const struct ry_currency *currency = quote->at[i].currency;
        size_t before = 0;
        while (before < i && quote->at[before].currency != currency)
            before++;
        if (currency && before == i)
            ry_finding(table, false, currency->part.name,
                       ry_currency_said(arena, currency));
    }
    return table;
}

static enum ry_err reconcile(struct ry_planned *planned, const struct ry_site_bill *bill,
                             const struct bom_options *options, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(planned->arena, struct ry_problems, 1);
    struct ry_quote quote;
    struct ry_quote_findings found;

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, options->quote, "cannot read it");
    const enum ry_err err = ry_quote_read(planned->arena, &planned->catalog,
                                          options->quote, problems, &quote);
    if (problems->count > 0)
        return ry_problems_print(problems, diag);
    if (err != RY_OK)
        return ry_fail(diag, err, options->quote, "cannot read it");
    RY_TRY(ry_bom_reconcile(planned->arena, &bill->bom, &quote, &found, diag));
    struct ry_table *table =
        ry_table_create(planned->arena, difference_columns, DIFFERENCE_COLUMNS);
    for (size_t i = 0; i < found.n; i++)
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(ry_quote_issue_name(found.at[i].issue)),
                                RY_TEXT(found.at[i].part), RY_NUM(found.at[i].wanted),
                                RY_NUM(found.at[i].quoted), RY_TEXT(found.at[i].text)});
    const struct ry_section sections[] = {
        {"differences", "Differences", table},
        {"rates", "Rates of the quote", rate_table(planned->arena, &quote)}};
    RY_TRY(ry_sections_print(sections, 2, (enum ry_table_format)options->format, diag));
    if (found.n == 0 && ry_format_for_people(options->format))
        (void)printf("the quote agrees with the bill, line by line\n");
    return found.n > 0 ? RY_ERR_NO : RY_OK;
}

static enum ry_err print(struct ry_planned *planned, const void *ctx,
                         struct ry_diag *diag)
{
    const struct bom_options *options = ctx;
    const struct ry_currency *in = planned->catalog.shown;
    struct ry_site_bill bill;
    struct ry_table *notes =
        ry_table_create(planned->arena, ry_finding_columns, RY_FINDING_COLUMNS);

    RY_TRY(ry_site_bill(planned->arena, &planned->catalog, &planned->layout.facility,
                        &bill, diag));
    if (options->quote)
        return reconcile(planned, &bill, options, diag);
    const enum ry_err verdict = ry_planned_faults(planned, notes);
    if (verdict == RY_ERR_NOMEM)
        return ry_fail(diag, verdict, "bom", "cannot verify the site");
    ry_currency_note(planned->arena, notes, in);
    for (size_t i = 0; i < bill.notes_n; i++)
        ry_finding(notes, false, "not in the bill", bill.notes[i]);
    const struct ry_section sections[] = {
        {"lines", "Bill of materials", line_table(planned->arena, in, &bill.bom)},
        {"figures", "Sums", figure_table(planned->arena, in, &bill.bom)},
        {"notes", "Notes", notes},
        {"currency", NULL, ry_currency_table(planned->arena, in)},
    };
    if (options->format == FORMAT_XLSX) {
        const struct ry_sheet sheets[] = {{"bill", sections[0].table},
                                          {"sums", sections[1].table},
                                          {"notes", sections[2].table}};
        RY_TRY(ry_xlsx_write(options->out, sheets, 3, diag));
        return verdict;
    }
    RY_TRY(ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]),
                             (enum ry_table_format)options->format, diag));
    return verdict;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    const struct bom_options *given = options;

    if (given->format == FORMAT_XLSX && !given->out)
        return ry_fail(diag, RY_ERR_USAGE, "--format",
                       "xlsx is a file: give it with -o FILE");
    if (given->format != FORMAT_XLSX && given->out)
        return ry_fail(diag, RY_ERR_USAGE, "-o", "only --format xlsx writes a file");
    if (given->format == FORMAT_XLSX && given->quote)
        return ry_fail(diag, RY_ERR_USAGE, "--quote",
                       "differences are printed, not written as xlsx");
    if (given->facility.catalog.currency && given->quote)
        return ry_fail(
            diag, RY_ERR_USAGE, "--quote",
            "differences are in dollars, by the quote's own rate; --currency goes "
            "without it");
    return ry_planned_run(arena, &given->facility, args->at[0],
                          &(struct ry_planned_work){print, given}, diag);
}

static const struct bom_options defaults = {
#include "cli/facility_defaults.def"
};

static const char *const formats[] = {
#define X(code, name, ...) name,
#include "report/formats.def"
#undef X
    "xlsx",
    NULL,
};

#define OPTIONS struct bom_options
static const struct ry_opt opts[] = {
#include "cli/facility_opts.def"
    RY_OPT_CURRENCY(OPTIONS, facility.catalog),
    {.kind = RY_OPT_STRING,
     .offset = offsetof(OPTIONS, quote),
     .name = "quote",
     .value = "FILE",
     .help = "a vendor's quote (CSV: part,quantity,unit_price_usd, or "
             "unit_price,currency): what differs from the bill"},
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     .offset = offsetof(OPTIONS, out),
     .name = "output",
     .value = "FILE",
     .help = "of --format xlsx"},
    {.kind = RY_OPT_CHOICE,
     .offset = offsetof(OPTIONS, format),
     .name = "format",
     .value = "FORMAT",
     .choices = formats,
     .help = "how it is printed"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_bom = {
    .name = "bom",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Bill of materials of a design with prices, their dates and sources",
    .example = "railyard bom examples/h100-32-ndr-rail.json",
    .opts = opts,
    .options_bytes = sizeof(struct bom_options),
    .defaults = &defaults,
    .run = run,
};
