/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include <string.h>

/* The first and last size of a design at which it fits. */
static void ends(const struct ry_page_design *d, const struct ry_page_scale **first,
                 const struct ry_page_scale **last)
{
    *first = NULL;
    for (size_t i = 0; i < d->scales_n; i++) {
        if (!d->scales[i].fits)
            continue;
        if (!*first)
            *first = &d->scales[i];
        *last = &d->scales[i];
    }
}

static double per_gpu(const struct ry_page_scale *scale)
{
    return scale->tokens_per_s / (double)scale->gpus;
}

static void put_heading(const struct ry_page *page, FILE *out)
{
    const struct ry_page_design *d = page->at;
    const struct ry_page_scale *first = NULL, *last = NULL;

    (void)fputs("<section id=\"scale\"><header><p class=\"q\">How does it scale?</p><h2>",
                out);
    while (d->scales_n == 0) /* the section is there when one has some */
        d++;
    ends(d, &first, &last);
    if (first && first != last) {
        const double change = per_gpu(last) / per_gpu(first) - 1.0;
        ry_html(out, "From %s to %s GPUs, <bdi>%s</bdi> %s %s of its speed per GPU",
                ry_said(page->arena, RY_SAY_COUNT, (double)first->gpus),
                ry_said(page->arena, RY_SAY_COUNT, (double)last->gpus), d->name,
                change < 0.0 ? "loses" : "gains",
                ry_said(page->arena, RY_SAY_FRACTION, fabs(change)));
    } else {
        ry_html(out, "<bdi>%s</bdi> fits at no other size", d->name);
    }
    ry_html(
        out,
        "</h2><p>Each size is ranked again with its own best strategy and network. The "
        "global batch stays at %s sequences, so more GPUs mean less work for each "
        "between gradient exchanges.</p></header>\n",
        ry_said(page->arena, RY_SAY_COUNT, (double)page->workload->base.global_batch));
}

static void put_cell(const struct ry_page *page, const struct ry_page_scale *scale,
                     bool days, FILE *out)
{
    if (!scale->fits) {
        ry_html(out, "<td class=\"n muted\" title=\"%s\">does not fit</td>", scale->why);
        return;
    }
    (void)fputs("<td class=\"n\" data-v=\"", out);
    ry_page_exact(out, days ? scale->days : scale->tokens_per_s);
    ry_html(out, "\">%s%s</td>",
            days ? ry_said(page->arena, RY_SAY_DAYS, scale->days)
                 : ry_said(page->arena, RY_SAY_SCALED, scale->tokens_per_s),
            scale->planned ? " *" : "");
}

static void put_table(const struct ry_page *page, FILE *out)
{
    (void)fputs(
        "<table id=\"scale-table\" class=\"stack\"><thead><tr><th "
        "scope=\"col\">Design</th><th "
        "scope=\"col\" class=\"n\">GPUs</th><th scope=\"col\" class=\"n\">Tokens a "
        "second</th><th scope=\"col\" class=\"n\">Per GPU</th><th scope=\"col\" "
        "class=\"n\">Time to train</th></tr></thead><tbody>\n",
        out);
    for (size_t i = 0; i < page->n; i++) {
        const struct ry_page_design *d = &page->at[i];
        for (size_t k = 0; k < d->scales_n; k++) {
            const struct ry_page_scale *scale = &d->scales[k];
            ry_html(out,
                    "<tr><th scope=\"row\"><bdi>%s</bdi></th><td class=\"n\" "
                    "data-l=\"GPUs\">%s</td>",
                    d->name, ry_said(page->arena, RY_SAY_COUNT, (double)scale->gpus));
            put_cell(page, scale, false, out);
            ry_html(out, "<td class=\"n\" data-l=\"Per GPU\">%s</td>",
                    scale->fits ? ry_said(page->arena, RY_SAY_SCALED, per_gpu(scale))
                                : "\xe2\x80\x93");
            put_cell(page, scale, true, out);
            (void)fputs("</tr>\n", out);
        }
    }
    (void)fputs(
        "</tbody></table></div></details><figcaption>* the planned size.</figcaption>",
        out);
}

void ry_page_scaling(const struct ry_page *page, FILE *out)
{
    put_heading(page, out);
    (void)fputs(
        "<figure><div class=\"fighead\"><h3><span id=\"scale-y\">Tokens a second per "
        "GPU</span><small>Before failures. Large dot: the planned size. Band: the "
        "step\xe2\x80\x99s 90\xc2\xa0% interval.</small></h3>",
        out);
    if (page->charts.bytes > 0)
        (void)fputs(
            "<div class=\"seg\" id=\"scale-unit\" role=\"group\" aria-label=\"Quantity\">"
            "<button type=\"button\" aria-pressed=\"true\" data-v=\"per_gpu\">Per GPU"
            "</button><button type=\"button\" aria-pressed=\"false\" "
            "data-v=\"days\">Days "
            "to train</button></div></div><div class=\"chart\" id=\"c-scale\" "
            "aria-label=\"Lines of tokens a second per GPU over the number of GPUs, one "
            "line a design; numbers below\"></div><details class=\"more\">",
            out);
    else
        (void)fputs("</div><details class=\"more keep\" open>", out);
    (void)fputs("<summary>The numbers</summary><div class=\"scroll\" tabindex=\"0\">",
                out);
    put_table(page, out);
    (void)fputs("</figure></section>\n", out);
}
