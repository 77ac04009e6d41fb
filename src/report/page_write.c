/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page as a whole: its sections in their order, in the slots of the template. */
#include "report/page.h"
#include "report/page_part.h"

#include <string.h>

static void write_title(const struct ry_page *page, FILE *out)
{
    ry_html(out, "%s: %s \xc2\xb7 Railyard", page->workload->name,
            page->n == 1 ? page->at[0].name
                         : ry_page_fmt(page, "%s designs ranked",
                                       ry_say_small(page->arena, page->n)));
}

static const struct {
    const char *id, *title;
} contents[] = {
    {"answer", "Answer"}, {"why", "Ranking"},          {"step", "Step time"},
    {"scale", "Scaling"}, {"decides", "What decides"}, {"buy", "What to buy"},
    {"room", "The room"}, {"network", "The network"},  {"sources", "Assumptions"}};

static bool has_scaling(const struct ry_page *page)
{
    for (size_t i = 0; i < page->n; i++)
        if (page->at[i].scales_n > 0)
            return true;
    return false;
}

static bool has_step(const struct ry_page *page)
{
    for (size_t i = 0; i < page->n; i++)
        if (page->at[i].c->best.step.usable_bytes > 0.0)
            return true;
    return false;
}

static void write_contents(const struct ry_page *page, FILE *out)
{
    for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        if ((strcmp(contents[i].id, "scale") == 0 && !has_scaling(page)) ||
            (strcmp(contents[i].id, "step") == 0 && !has_step(page)) ||
            (strcmp(contents[i].id, "decides") == 0 && page->tornado.n == 0))
            continue;
        ry_html(out, "<li><a href=\"#%s\">%s</a></li>", contents[i].id,
                contents[i].title);
    }
}

static void write_main(const struct ry_page *page, FILE *out)
{
    ry_page_answer(page, out);
    ry_page_ranking(page, out);
    if (has_step(page))
        ry_page_step(page, out);
    if (has_scaling(page))
        ry_page_scaling(page, out);
    if (page->tornado.n > 0)
        ry_page_decides(page, out);
    ry_page_one_design(page, out);
    ry_page_sources(page, out);
}

static void write_footer(const struct ry_page *page, FILE *out)
{
    ry_html(
        out,
        "Railyard %s \xc2\xb7 made %s from <code>%s</code> \xc2\xb7 the same numbers are "
        "in <code>railyard rank --format json --draws %zu --seed %zu</code> with the "
        "same files "
        "and limits.",
        page->version, page->date, page->inputs, page->draws, page->seed);
}

static void put_base64(FILE *out, const struct ry_text *text)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = (const unsigned char *)text->data;

    for (size_t i = 0; i < text->bytes; i += 3) {
        const size_t left = text->bytes - i;
        const unsigned bits = (unsigned)at[i] << 16 |
                              (unsigned)(left > 1 ? at[i + 1] : 0) << 8 |
                              (unsigned)(left > 2 ? at[i + 2] : 0);
        (void)fputc(digits[bits >> 18], out);
        (void)fputc(digits[bits >> 12 & 63], out);
        (void)fputc(left > 1 ? digits[bits >> 6 & 63] : '=', out);
        (void)fputc(left > 2 ? digits[bits & 63] : '=', out);
    }
}

static void write_style(const struct ry_page *page, FILE *out)
{
    (void)fputs(page->style.data, out);
    if (page->type.bytes == 0)
        return;
    (void)fputs("@font-face { font-family:\"Inter Railyard\"; font-weight:100 900; "
                "font-display:block; src:url(data:font/woff2;base64,",
                out);
    put_base64(out, &page->type);
    (void)fputs(") format(\"woff2\") }\n", out);
}

static void slot(FILE *out, const char *name, const void *ctx)
{
    const struct ry_page *page = ctx;

    if (strcmp(name, "title") == 0)
        write_title(page, out);
    else if (strcmp(name, "style") == 0)
        write_style(page, out);
    else if (strcmp(name, "contents") == 0)
        write_contents(page, out);
    else if (strcmp(name, "date") == 0)
        ry_html_text(out, page->date);
    else if (strcmp(name, "main") == 0)
        write_main(page, out);
    else if (strcmp(name, "footer") == 0)
        write_footer(page, out);
    else if (strcmp(name, "data") == 0)
        ry_page_data(page, out);
    else if (strcmp(name, "charts") == 0 && page->charts.bytes > 0)
        (void)fwrite(page->charts.data, 1, page->charts.bytes, out);
    else if (strcmp(name, "script") == 0)
        (void)fputs(page->script.data, out);
}

void ry_page_write(const struct ry_page *page, FILE *out)
{
    ry_html_template(out, &page->shell, slot, page);
}
