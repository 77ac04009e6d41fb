/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/design_reader.h"

#include "base/names.h"

#include <math.h>

const char *ry_design_text(const struct ry_design_reader *r, double value,
                           const char *unit)
{
    const char *text = ry_strfmt(r->arena, "%.6g%s%s", value, unit[0] ? " " : "", unit);
    return text ? text : "";
}

void ry_design_note(const struct ry_design_reader *r, const char *what, const char *value,
                    const char *from)
{
    ry_design_origin(r->design, what, value ? value : "", from ? from : "");
}

const char *ry_design_row_text(const struct ry_design_reader *r,
                               const struct ry_part *part)
{
    return ry_strfmt(r->arena, "%s:%u: %s; %s", part->file, part->line, part->name,
                     part->source);
}

void ry_design_note_part(const struct ry_design_reader *r, const char *what,
                         const struct ry_part *part)
{
    if (part)
        ry_design_note(r, what, part->name, ry_design_row_text(r, part));
}

void ry_design_note_range(const struct ry_design_reader *r, const char *what,
                          size_t offset, double low, double high)
{
    struct ry_design *design = r->design;

    if (design->ranges && design->ranges_n < RY_DESIGN_RANGES_MOST && isfinite(low) &&
        isfinite(high) && low > 0.0 && high > low)
        design->ranges[design->ranges_n++] =
            (struct ry_input_range){what, offset, low, high};
}

static double rate_default(const struct ry_design_reader *r,
                           const struct ry_design_input *input)
{
    const struct ry_rate *rate =
        input->rate ? ry_find_rate(r->scope.catalog, input->rate) : NULL;

    if (!rate) {
        if (input->rate)
            ry_json_problem(r->at, RY_ERR_NOTFOUND,
                            "\"%s\" is not given and the catalog of rates lacks '%s'",
                            input->key, input->rate);
        ry_design_note(r, input->key, "0", "not given: not counted");
        return 0.0;
    }
    const double value = rate->value * input->rate_si;
    ry_design_note(r, input->key, ry_design_text(r, value, input->unit),
                   ry_design_row_text(r, &rate->part));
    ry_design_note_range(r, input->key, input->offset, rate->low * input->rate_si,
                         rate->high * input->rate_si);
    return value;
}

void ry_design_inputs_read(const struct ry_design_reader *r, struct ry_json at,
                           const struct ry_design_input inputs[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *place = (double *)(void *)((char *)r->design + inputs[i].offset);
        const struct ry_json value = ry_json_get(at, inputs[i].key);
        if (ry_json_type(value) == RY_JSON_ABSENT) {
            *place = rate_default(r, &inputs[i]);
            continue;
        }
        *place = ry_json_as_quantity(value, inputs[i].dim, (double)NAN);
        ry_design_note(r, inputs[i].key, ry_design_text(r, *place, inputs[i].unit),
                       ry_json_where(value));
    }
}
