/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "design/design.h"

static const struct ry_page_key step_keys[RY_PAGE_STEP_GROUPS] = {
    {"Matrix products", "c1", "Products of all layers, the embedding and the LM head."},
    {"Attention", "c2", "The attention core, forward and backward."},
    {"Memory-bound, recomputed", "c3", "Norms, activations, and what is computed again."},
    {"Tensor, context, experts", "n1", "Traffic inside a layer that is not hidden."},
    {"Pipeline", "n2", "Exchanges between stages, and the bubble."},
    {"Data parallel", "n3", "Gradients and parameters, where not hidden."},
    {"Optimizer", "o1", "Optimizer step and copies to the host."},
    {"Launch and other", "o2",
     "Host issue, slow-down beside traffic, stragglers, constant."},
};

static const int step_group[RY_PARTS] = {
    [RY_PART_GEMM] = 0,    [RY_PART_HEAD] = 0,      [RY_PART_ATTENTION] = 1,
    [RY_PART_MEMORY] = 2,  [RY_PART_RECOMPUTE] = 2, [RY_PART_TP] = 3,
    [RY_PART_CP] = 3,      [RY_PART_EP] = 3,        [RY_PART_PP] = 4,
    [RY_PART_BUBBLE] = 4,  [RY_PART_DP] = 5,        [RY_PART_OPTIMIZER] = 6,
    [RY_PART_OFFLOAD] = 6, [RY_PART_HOST] = 7,      [RY_PART_SLOWDOWN] = 7,
    [RY_PART_FIXED] = 7,   [RY_PART_JITTER] = 7,
};

static const struct ry_page_key memory_keys[RY_PAGE_MEMORY_GROUPS] = {
    {"parameters", "c1", ""},  {"gradients", "c2", ""}, {"optimizer states", "c3", ""},
    {"activations", "n2", ""}, {"logits", "n3", ""},    {"buffers, slack", "o2", ""},
};

static const int memory_group[RY_MEMORY_PARTS] = {
    [RY_MEM_PARAMETERS] = 0,  [RY_MEM_GRADIENTS] = 1, [RY_MEM_OPTIMIZER] = 2,
    [RY_MEM_ACTIVATIONS] = 3, [RY_MEM_LOGITS] = 4,    [RY_MEM_BUFFERS] = 5,
    [RY_MEM_OVERHEAD] = 5,
};

const struct ry_page_key *ry_page_step_key(size_t i)
{
    return &step_keys[i];
}

const struct ry_page_key *ry_page_memory_key(size_t i)
{
    return &memory_keys[i];
}

void ry_page_step_groups(const struct ry_step *step, double sum[RY_PAGE_STEP_GROUPS])
{
    for (int i = 0; i < RY_PAGE_STEP_GROUPS; i++)
        sum[i] = 0.0;
    for (int i = 0; i < RY_PARTS; i++)
        sum[step_group[i]] += step->part_s[i];
}

void ry_page_memory_groups(const struct ry_step *step, double sum[RY_PAGE_MEMORY_GROUPS])
{
    for (int i = 0; i < RY_PAGE_MEMORY_GROUPS; i++)
        sum[i] = 0.0;
    for (int i = 0; i < RY_MEMORY_PARTS; i++)
        sum[memory_group[i]] += step->memory_bytes[i];
}

static double computing(const double sum[RY_PAGE_STEP_GROUPS])
{
    return sum[0] + sum[1] + sum[2];
}

static double waiting(const double sum[RY_PAGE_STEP_GROUPS])
{
    return sum[3] + sum[4] + sum[5];
}

static const struct ry_page_design *first_that_fits(const struct ry_page *page)
{
    for (size_t i = 0; i < page->n; i++)
        if (page->at[i].fits)
            return &page->at[i];
    return NULL;
}

static void put_heading(const struct ry_page *page, FILE *out)
{
    const struct ry_page_design *d = first_that_fits(page);
    double sum[RY_PAGE_STEP_GROUPS];

    (void)fputs(
        "<section id=\"step\"><header><p class=\"q\">Where does the step time go?</p>",
        out);
    if (!d) {
        (void)fputs("<h2>No design can run a step</h2></header>\n", out);
        return;
    }
    const struct ry_step *step = &d->c->result.step;
    ry_page_step_groups(step, sum);
    ry_html(out,
            "<h2>%s of the step on <bdi>%s</bdi> is computing, %s waits for the "
            "network</h2><p>One step "
            "takes %s: %s tokens.",
            ry_said(page->arena, RY_SAY_FRACTION, computing(sum) / step->step_time_s),
            d->name,
            ry_said(page->arena, RY_SAY_FRACTION, waiting(sum) / step->step_time_s),
            ry_said(page->arena, RY_SAY_SECONDS, step->step_time_s),
            ry_said(page->arena, RY_SAY_SCALED, step->tokens));
    if (ry_page_rival(page)) {
        const struct ry_step *next = &ry_page_rival(page)->c->result.step;
        ry_page_step_groups(next, sum);
        ry_html(out, " On %s it is %s, of which %s are computing and %s waiting.",
                ry_page_rival(page)->name,
                ry_said(page->arena, RY_SAY_SECONDS, next->step_time_s),
                ry_said(page->arena, RY_SAY_SECONDS, computing(sum)),
                ry_said(page->arena, RY_SAY_SECONDS, waiting(sum)));
    }
    (void)fputs("</p></header>\n", out);
}

static void put_key(const struct ry_page *page, const struct ry_page_key keys[], size_t n,
                    FILE *out)
{
    if (page->charts.bytes == 0)
        return;
    (void)fputs("<div class=\"key\">", out);
    for (size_t i = 0; i < n; i++)
        ry_html(out, "<span><i style=\"--c:var(--%s)\"></i>%s</span>", keys[i].colour,
                keys[i].name);
    (void)fputs("</div>", out);
}

static void put_chart(const struct ry_page *page, const char *id, const char *label,
                      FILE *out)
{
    if (page->charts.bytes > 0)
        ry_html(out, "<div class=\"chart\" id=\"%s\" aria-label=\"%s\"></div>", id,
                label);
}

/* The folded table of a chart's numbers; unfolded where there is no chart. */
static void open_numbers(const struct ry_page *page, FILE *out)
{
    (void)fputs(page->charts.bytes > 0 ? "<details class=\"more\">"
                                       : "<details class=\"more keep\" open>",
                out);
    (void)fputs("<summary>The numbers</summary><div class=\"scroll\" tabindex=\"0\">",
                out);
}

static void put_number(const struct ry_page *page, enum ry_say say, double value,
                       FILE *out)
{
    (void)fputs("<td class=\"n\" data-v=\"", out);
    ry_page_exact(out, value);
    ry_html(out, "\">%s</td>",
            value == 0.0                            ? "0"
            : say == RY_SAY_SECONDS && value < 1e-6 ? "under 1\xc2\xa0\xc2\xb5s"
                                                    : ry_said(page->arena, say, value));
}

/* Designs with bars and numbers of their own. */
static size_t shown(const struct ry_page *page)
{
    return page->n < RY_PAGE_BARS_MOST ? page->n : RY_PAGE_BARS_MOST;
}

static bool any_part(const struct ry_page *page, int part)
{
    for (size_t i = 0; i < shown(page); i++)
        if (page->at[i].fits && page->at[i].c->result.step.part_s[part] != 0.0)
            return true;
    return false;
}

static const char *upper(const struct ry_page *page, const char *text)
{
    const char first = text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 32) : text[0];

    return ry_page_fmt(page, "%c%s", first, text + 1);
}

static void put_step_table(const struct ry_page *page, FILE *out)
{
    (void)fputs("<table id=\"step-table\"><thead><tr><th scope=\"col\">Not hidden</th>",
                out);
    for (int k = 0; k < RY_PARTS; k++) {
        if (any_part(page, k))
            ry_html(out, "<th scope=\"col\" class=\"n\">%s</th>",
                    upper(page, ry_part_text((enum ry_step_part)k)));
    }
    (void)fputs("<th scope=\"col\" class=\"n\">Step</th></tr></thead><tbody>\n", out);
    for (size_t i = 0; i < shown(page); i++) {
        const struct ry_step *step = &page->at[i].c->result.step;
        if (!page->at[i].fits)
            continue;
        ry_html(out, "<tr><th scope=\"row\"><bdi>%s</bdi></th>", page->at[i].name);
        for (int k = 0; k < RY_PARTS; k++) {
            if (any_part(page, k))
                put_number(page, RY_SAY_SECONDS,
                           step->part_s[k] < 1e-9 * step->step_time_s ? 0.0
                                                                      : step->part_s[k],
                           out);
        }
        put_number(page, RY_SAY_SECONDS, step->step_time_s, out);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div></details>", out);
}

static void put_memory_table(const struct ry_page *page, FILE *out)
{
    (void)fputs("<table id=\"memory-table\"><thead><tr><th scope=\"col\">One GPU</th>",
                out);
    for (int k = 0; k < RY_MEMORY_PARTS; k++)
        ry_html(out, "<th scope=\"col\" class=\"n\">%s</th>",
                upper(page, ry_memory_part_text((enum ry_memory_part)k)));
    (void)fputs("<th scope=\"col\" class=\"n\">All</th><th scope=\"col\" "
                "class=\"n\">Has</th></tr>"
                "</thead><tbody>\n",
                out);
    for (size_t i = 0; i < shown(page); i++) {
        const struct ry_step *step = &page->at[i].c->best.step;
        if (!(step->usable_bytes > 0.0))
            continue;
        ry_html(out, "<tr><th scope=\"row\"><bdi>%s</bdi></th>", page->at[i].name);
        for (int k = 0; k < RY_MEMORY_PARTS; k++)
            put_number(page, RY_SAY_BYTES, step->memory_bytes[k], out);
        put_number(page, RY_SAY_BYTES, step->peak_bytes, out);
        put_number(page, RY_SAY_BYTES, step->usable_bytes, out);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div></details>", out);
}

static void put_memory(const struct ry_page *page, FILE *out)
{
    (void)fputs("<figure class=\"memfig\"><div class=\"fighead\"><h3>Memory per GPU, "
                "worst pipeline "
                "stage<small>The mark is what the GPU has. A bar past its mark cannot "
                "run.</small>"
                "</h3></div>",
                out);
    if (page->n > RY_PAGE_BARS_MOST)
        ry_html(out, "<p class=\"small muted\">The first %zu of %zu designs.</p>",
                shown(page), page->n);
    put_key(page, memory_keys, RY_PAGE_MEMORY_GROUPS, out);
    put_chart(page, "c-mem",
              "Stacked bars of memory per GPU, one bar a design; numbers below", out);
    open_numbers(page, out);
    put_memory_table(page, out);
    for (size_t i = 0; i < page->n && i < RY_PAGE_SITES_MOST; i++) {
        if (!page->at[i].fits && page->at[i].c->best.step.usable_bytes > 0.0)
            ry_html(out, "<p class=\"note bad\"><b>%s does not fit.</b> %s.</p>",
                    page->at[i].name, page->at[i].c->why);
    }
    (void)fputs("</figure></section>\n", out);
}

void ry_page_step(const struct ry_page *page, FILE *out)
{
    put_heading(page, out);
    if (first_that_fits(page)) {
        (void)fputs(
            "<figure><div class=\"fighead\"><h3>One training step<small>Only time that "
            "is "
            "not hidden behind other work, so the parts add up to the step.</small></h3>",
            out);
        if (page->charts.bytes > 0)
            (void)fputs(
                "<div class=\"seg\" id=\"step-unit\" role=\"group\" aria-label=\"Unit\">"
                "<button type=\"button\" aria-pressed=\"true\" data-v=\"s\">Seconds"
                "</button><button type=\"button\" aria-pressed=\"false\" "
                "data-v=\"share\">Share</button><button type=\"button\" "
                "aria-pressed=\"false\" data-v=\"gpu\">Per million tokens</button></div>",
                out);
        (void)fputs("</div>", out);
        put_key(page, step_keys, RY_PAGE_STEP_GROUPS, out);
        put_chart(page, "c-step",
                  "Stacked bars of the step time by part, one bar a design; "
                  "numbers below",
                  out);
        open_numbers(page, out);
        put_step_table(page, out);
        (void)fputs("</figure>\n", out);
    }
    put_memory(page, out);
}
