/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/origin_table.h"

#include "base/names.h"
#include "cli/plan_cases.h"

#include <math.h>

static const char *price_text(struct ry_arena *arena, const struct ry_price *price)
{
    char text[RY_PRICE_ORIGIN_BYTES];
    const char *copy = ry_strfmt(arena, "%s: %s", ry_price_kind_text(price->kind),
                                 ry_price_origin(price, text));

    return copy ? copy : "";
}

/* Formulas of the figures that a ranking shows. */
static const struct {
    const char *what, *formula;
} formulas[] = {
    {"step", "sim/step: compute, collectives, bubble, optimizer; doc/model.md"},
    {"tokens/s", "global batch x seq / step"},
    {"MFU", "model FLOP (no recomputation) / (step x all GPUs x data-sheet peak of the "
            "precision)"},
    {"head-room", "usable bytes of a GPU - peak bytes of the worst stage"},
    {"capex",
     "that of 'railyard bom', every rack and cable laid out; a part without a price "
     "adds nothing and makes it a lower bound"},
    {"racks", "those of 'railyard racks'"},
    {"power", "(GPUs at the mean power of the step + rest of the nodes + switches and "
              "modules) x PUE; limits hold the nameplate of 'railyard power'"},
    {"TCO", "that of 'railyard cost --workload': present value over the years"},
    {"$/T tokens",
     "level yearly payment of the TCO a useful GPU-hour x those of 1e12 tokens"},
    {"goodput", "mtbf / (mtbf + loss) of the job; mtbf = that of a GPU / GPUs used"},
    {"days", "tokens / (tokens a second x goodput)"},
};

static void origin_row(struct ry_table *table, const char *subject, const char *what,
                       const char *value, const char *from)
{
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(subject), RY_TEXT(what),
                                           RY_TEXT(value), RY_TEXT(from)});
}

static void add_bill_origins(struct ry_table *table, struct ry_arena *arena,
                             const char *subject, const struct ry_case *c)
{
    const struct ry_bill *bill = &c->site->bill;
    const struct ry_currency *in = c->site->catalog->shown;

    for (size_t i = 0; i < bill->n; i++) {
        const struct ry_bill_line *line = &bill->line[i];
        char number[RY_NUMBER_BYTES];
        const char *value = ry_strfmt(arena, "%g x %s", line->count,
                                      isnan(line->price.usd)
                                          ? "no price"
                                          : ry_number_money(in, line->price.usd, number));
        origin_row(table, subject,
                   ry_strfmt(arena, "price of %s (%s)", line->part, line->use), value,
                   price_text(arena, &line->price));
    }
    if (!c->has_result)
        return;
    for (size_t i = 0; i < c->result.tco_lines.n; i++) {
        const struct ry_tco_line *line = &c->result.tco_lines.at[i];
        char number[RY_NUMBER_BYTES];
        origin_row(table, subject, ry_strfmt(arena, "TCO: %s", line->name),
                   ry_strdup(arena, ry_number_money(in, line->total_usd, number)),
                   line->source);
    }
}

static void add_inputs(struct ry_table *table, const char *subject, size_t n,
                       const struct ry_input_origin origins[])
{
    for (size_t i = 0; i < n; i++)
        origin_row(table, subject, origins[i].what, origins[i].value, origins[i].from);
}

struct ry_table *ry_origin_table(struct ry_arena *arena, struct ry_case *const cases[],
                                 size_t n)
{
    static const struct ry_column columns[] = {
        {.key = "subject", .title = "of"},
        {.key = "figure", .title = "figure"},
        {.key = "value", .title = "value"},
        {.key = "from", .title = "from"},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));

    for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++)
        origin_row(table, "formula", formulas[i].what, "", formulas[i].formula);
    for (size_t i = 0; i < n; i++) {
        const struct ry_case *c = cases[i];
        const char *subject = ry_case_design_text(arena, c);
        if (i == 0 || !ry_workload_same(cases[i - 1]->workload, c->workload))
            add_inputs(table, ry_case_workload_text(arena, c), c->workload->origins_n,
                       c->workload->origins);
        if (!ry_workload_same(cases[0]->workload, c->workload))
            continue; /* a design's origins once */
        add_inputs(table, subject, c->design->origins_n, c->design->origins);
        origin_row(table, subject, "compute model", "", c->models.compute_from);
        origin_row(
            table, subject, "communication model", c->site->built.net.domain_model,
            c->site->built.net.domain_scaled
                ? "models/comm: no file names the GPU; scaled to the rate of its links"
                : "models/comm: the file that names the GPU, or its slot");
        if (c->premises && c->premises->made && c->premises->err == RY_OK)
            origin_row(table, subject, "bill, racks, nameplate", "",
                       c->premises->laid_out ? "laid out: every rack, circuit and cable"
                                             : c->premises->refusal);
        add_bill_origins(table, arena, subject, c);
    }
    return table;
}
