/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "design/design.h"
#include "facility/facility.h"
#include "report/pic_power.h"
#include "report/pic_rack.h"
#include "report/pic_room.h"
#include "report/pic_topology.h"
#include "report/rack_groups.h"
#include "topology/graph.h"

#include <math.h>

/* A row of What, Value, Limit, State. */
struct fact {
    const char *what, *value, *limit, *state, *tone;
};

static void open_facts(const char *third, const char *fourth, FILE *out)
{
    ry_html(out,
            "<div class=\"scroll\" tabindex=\"0\"><table class=\"stack\"><thead><tr><th "
            "scope=\"col\">What</th><th scope=\"col\" class=\"n\">Value</th><th "
            "scope=\"col\" class=\"n\">%s</th><th "
            "scope=\"col\">%s</th></tr></thead><tbody>\n",
            third, fourth);
}

static void put_fact(const struct fact *f, const char *third, const char *fourth,
                     FILE *out)
{
    ry_html(
        out,
        "<tr><td>%s</td><td class=\"n\" data-l=\"Value\">%s</td><td class=\"n\" "
        "data-l=\"%s\">%s</td><td data-l=\"%s\"><span class=\"%s\">%s</span></td></tr>\n",
        f->what, f->value, third, f->limit ? f->limit : "\xe2\x80\x93", fourth,
        f->tone ? f->tone : "", f->state ? f->state : "\xe2\x80\x93");
}

static void close_facts(FILE *out)
{
    (void)fputs("</tbody></table></div>\n", out);
}

static void put_loss(const struct ry_page *page, const struct ry_rack_power *kind,
                     const char *what, double watts, bool ok, FILE *out)
{
    put_fact(&(struct fact){ry_page_fmt(page, "%zu %s %s like R%zu: %s", kind->racks,
                                        ry_rack_use_name(kind->use),
                                        kind->racks == 1 ? "rack" : "racks",
                                        kind->example + 1, what),
                            ry_said(page->arena, RY_SAY_WATTS, watts),
                            ry_said(page->arena, RY_SAY_WATTS, kind->circuit_w),
                            ok ? "runs" : "over the limit", ok ? "ok" : "bad"},
             "Limit", "State", out);
}

/* A picture with ids of its own: panel and number make the prefix. */
static void put_picture(const struct ry_page *page, const struct ry_page_design *d,
                        const struct ry_picture *picture, const char *name, FILE *out)
{
    if (picture->width > 0.0)
        (void)ry_picture_html(picture,
                              ry_page_fmt(page, "%s%s", ry_page_id(page, d), name),
                              picture->width > 720.0 ? "pic wide" : "pic", out);
}

static void put_power(const struct ry_page *page, const struct ry_page_design *d,
                      FILE *out)
{
    const struct ry_facility *f = d->site;
    const struct ry_power_plan *power = &f->power;

    (void)fputs(
        "<h3>Power tree</h3><p class=\"small muted\">Bar: load now. Mark: load if a feed "
        "fails. End: what the circuit may carry.</p><div class=\"picwrap\" "
        "tabindex=\"0\">",
        out);
    const struct ry_picture tree = ry_power_picture(page->arena, f);
    put_picture(page, d, &tree, "p", out);
    (void)fputs("</div>", out);
    (void)fputs(
        "<h3>Circuits, normally and after one loss</h3><p class=\"small muted\">The "
        "fullest circuit of a rack, at nameplate, against what it may carry.</p>",
        out);
    open_facts("Limit", "State", out);
    for (size_t i = 0; i < power->kinds_n; i++) {
        const struct ry_rack_power *kind = &power->kinds[i];
        put_loss(page, kind, ry_page_fmt(page, "%zu circuits, all well", kind->circuits),
                 kind->normal_w, kind->ok_normal, out);
        put_loss(page, kind, "one circuit lost", kind->circuit_lost_w,
                 kind->ok_circuit_lost, out);
        put_loss(page, kind, "one feed lost", kind->feed_lost_w, kind->ok_feed_lost, out);
    }
    close_facts(out);
    for (size_t i = 0; i < power->findings_n; i++)
        ry_html(out, "<p class=\"note%s\"><b>%s:</b> %s.</p>",
                power->findings[i].fails ? " bad" : "", power->findings[i].what,
                power->findings[i].text);
}

static void put_cooling(const struct ry_page *page, const struct ry_facility *f,
                        FILE *out)
{
    struct ry_arena *arena = page->arena;
    const struct ry_cooling_plan *c = &f->cooling;

    (void)fputs("<h3>Cooling and floor</h3>", out);
    open_facts("Rest", "Note", out);
    put_fact(&(struct fact){"Facility power at nameplate",
                            ry_said(arena, RY_SAY_WATTS, f->power.facility_w), NULL,
                            ry_page_fmt(page, "IT %s and cooling",
                                        ry_said(arena, RY_SAY_WATTS, f->power.it_max_w)),
                            NULL},
             "Rest", "Note", out);
    put_fact(&(struct fact){"Heat to air", ry_said(arena, RY_SAY_WATTS, c->air_w), NULL,
                            ry_page_fmt(page, "%s CFM of air",
                                        ry_said(arena, RY_SAY_COUNT, round(c->cfm))),
                            NULL},
             "Rest", "Note", out);
    if (c->liquid_w > 0.0)
        put_fact(
            &(struct fact){"Heat to liquid", ry_said(arena, RY_SAY_WATTS, c->liquid_w),
                           NULL,
                           ry_page_fmt(page, "%s L/min",
                                       ry_said(arena, RY_SAY_COUNT, round(c->l_per_min))),
                           NULL},
            "Rest", "Note", out);
    put_fact(
        &(struct fact){"Heaviest rack",
                       ry_said(arena, RY_SAY_KILOGRAMS, f->racks.heaviest_kg), NULL,
                       ry_page_fmt(page, "all racks %s",
                                   ry_said(arena, RY_SAY_KILOGRAMS, f->racks.weight_kg)),
                       NULL},
        "Rest", "Note", out);
    close_facts(out);
    for (size_t i = 0; i < c->findings_n; i++)
        ry_html(out, "<p class=\"note%s\"><b>%s:</b> %s.</p>",
                c->findings[i].fails ? " bad" : "", c->findings[i].what,
                c->findings[i].text);
}

static void put_rack_group(const struct ry_page *page, const struct ry_page_design *d,
                           const struct ry_rack_group *group, FILE *out)
{
    const char *const names[] = {"Power", "Weight", "Space"};
    const char *const values[] = {group->power, group->weight, group->space};
    const struct ry_picture picture =
        ry_rack_picture(page->arena, d->site, group->example);

    (void)fputs("<figure>", out);
    put_picture(page, d, &picture, ry_page_fmt(page, "r%zu", group->example), out);
    ry_html(out, "<figcaption><b>%s</b> %s<dl>", group->title, group->places);
    for (int i = 0; i < 3; i++)
        ry_html(out, "<dt>%s</dt><dd class=\"%s\">%s</dd>", names[i],
                i == group->binding ? "b" : "", values[i]);
    (void)fputs("</dl></figcaption></figure>\n", out);
}

static void put_racks(const struct ry_page *page, const struct ry_page_design *d,
                      FILE *out)
{
    struct ry_rack_groups groups;

    if (ry_rack_groups_make(page->arena, d->site, &groups, NULL) != RY_OK)
        return;
    (void)fputs(
        "<h3>Rack elevations</h3><p class=\"small muted\">Identical racks are drawn "
        "once. Bold: the limit that is reached first.</p><div class=\"racks\">",
        out);
    for (size_t g = 0; g < groups.n; g++)
        put_rack_group(page, d, &groups.at[g], out);
    if (groups.others > 0)
        ry_html(out, "<p class=\"small\">%s racks of further kinds are not drawn.</p>",
                ry_page_fmt(page, "%zu", groups.others));
    (void)fputs(
        "</div><h3>Floor plan</h3><p class=\"small muted\">From above. Dashed: cable "
        "tray. Teal: nodes, orange: network.</p><div class=\"picwrap\" tabindex=\"0\">",
        out);
    const struct ry_picture floor = ry_floor_picture(page->arena, d->site);
    put_picture(page, d, &floor, "f", out);
    (void)fputs("</div>\n", out);
}

static void page_room(const struct ry_page *page, const struct ry_page_design *d,
                      FILE *out)
{
    const struct ry_facility *f = d->site;

    ry_html(out, "<p>%zu %s in %zu %s: %zu for nodes, %zu for the network.</p>",
            f->racks.racks_n, f->racks.racks_n == 1 ? "rack" : "racks", f->racks.rows,
            f->racks.rows == 1 ? "row" : "rows",
            f->racks.compute_racks + f->racks.whole_racks, f->racks.network_racks);
    put_racks(page, d, out);
    put_power(page, d, out);
    put_cooling(page, f, out);
    for (size_t i = 0; i < f->notes_n; i++)
        ry_html(out, "<p class=\"note\">%s.</p>", f->notes[i]);
}

static void put_fabric(const struct ry_page *page, const struct ry_graph *g,
                       const struct ry_fabric *fabric, FILE *out)
{
    struct ry_arena *arena = page->arena;

    if (fabric->bisection_bytes_per_s > 0.0)
        put_fact(&(struct fact){"Bisection",
                                ry_said(arena, RY_SAY_BITS_PER_S,
                                        fabric->bisection_bytes_per_s),
                                NULL, "one direction, between halves of the nodes", NULL},
                 "Rest", "Note", out);
    for (size_t i = 0; i < g->n_classes; i++) {
        const struct ry_device_class *c = &g->classes[i];
        if (c->kind == RY_DEVICE_NODE || c->count == 0)
            continue;
        const struct ry_device *device = &g->devices[c->first];
        size_t used = 0;
        for (uint32_t p = 0; p < device->ports; p++)
            used += g->ports[device->first_port + p].cable != RY_NONE;
        put_fact(
            &(struct fact){
                ry_page_fmt(page, "%zu %s", (size_t)c->count, c->name),
                ry_page_fmt(page, "%zu of %zu ports", used, (size_t)device->ports),
                ry_page_fmt(page, "%zu free", (size_t)device->ports - used),
                "the first of them", NULL},
            "Rest", "Note", out);
    }
    if (fabric->diameter_links > 0)
        put_fact(&(struct fact){"Longest path",
                                ry_page_fmt(page, "%zu hops", fabric->diameter_links),
                                NULL,
                                fabric->survives_switch
                                    ? "any one switch above the leaves may fail"
                                    : NULL,
                                NULL},
                 "Rest", "Note", out);
}

static void put_cables(const struct ry_page *page, const struct ry_facility *f, FILE *out)
{
    struct ry_arena *arena = page->arena;

    if (f->cables.links == 0)
        return;
    put_fact(
        &(struct fact){"Links cabled",
                       ry_said(arena, RY_SAY_COUNT, (double)f->cables.links),
                       f->cables.uncovered ? ry_page_fmt(page, "%zu without a product",
                                                         f->cables.uncovered)
                                           : NULL,
                       ry_page_fmt(page, "longest %s, mean %s",
                                   ry_said(arena, RY_SAY_METRES, f->cables.longest_m),
                                   ry_said(arena, RY_SAY_METRES, f->cables.mean_m)),
                       NULL},
        "Rest", "Note", out);
}

static void page_network(const struct ry_page *page, const struct ry_page_design *d,
                         FILE *out)
{
    const struct ry_graph *g = d->graph;

    if (d->c->design->fabric.technology == RY_FABRIC_NONE || !g || g->n_fabrics == 0) {
        (void)fputs("<p class=\"muted\">There is no network between nodes to draw: all "
                    "traffic stays inside.</p>",
                    out);
        return;
    }
    (void)fputs("<p class=\"small muted\">Drawn by group, not by port. Blue: the first "
                "group of the lowest switches and what hangs on it.</p><div "
                "class=\"picwrap\" tabindex=\"0\">",
                out);
    const struct ry_picture picture = ry_topology_picture(page->arena, g);
    put_picture(page, d, &picture, "t", out);
    (void)fputs("</div>", out);
    open_facts("Rest", "Note", out);
    put_fabric(page, g, &g->fabrics[0], out);
    put_cables(page, d->site, out);
    close_facts(out);
}

typedef void put_panel(const struct ry_page *page, const struct ry_page_design *d,
                       FILE *out);

static void put_panels(const struct ry_page *page, put_panel *put, FILE *out)
{
    for (size_t i = 0; i < page->n && i < RY_PAGE_SITES_MOST; i++) {
        const struct ry_page_design *d = &page->at[i];
        ry_html(out, "<div class=\"panel\" data-id=\"%s\"", ry_page_id(page, d));
        (void)fputs(i ? " hidden>" : ">", out);
        if (d->site && d->bill)
            put(page, d, out);
        else
            ry_html(out,
                    "<div class=\"failbox\"><h3>Nothing was planned for "
                    "%s</h3><p>%s.</p></div>",
                    d->name, d->site_why ? d->site_why : d->c->why);
        (void)fputs("</div>\n", out);
    }
}

static void put_control(const struct ry_page *page, FILE *out)
{
    (void)fputs(
        "<div class=\"focus\"><label for=\"pick\">What to buy, the room and the network "
        "for</label><select id=\"pick\" class=\"needs-script\">",
        out);
    for (size_t i = 0; i < page->n && i < RY_PAGE_SITES_MOST; i++) {
        const struct ry_page_design *d = &page->at[i];
        ry_html(out, "<option value=\"%s\">%s%s</option>", ry_page_id(page, d), d->name,
                d->meets  ? ""
                : d->fits ? " (misses a limit)"
                          : " (does not fit)");
    }
    ry_html(out, "</select><b class=\"printname\"><bdi>%s</bdi></b></div>\n",
            page->at[0].name);
}

void ry_page_one_design(const struct ry_page *page, FILE *out)
{
    (void)fputs("<div class=\"onedesign\">", out);
    put_control(page, out);
    (void)fputs(
        "<section id=\"buy\"><header><p class=\"q\">What do I order?</p><h2>Bill of "
        "materials</h2><p>Every orderable line with spares. Prices keep their date and "
        "source; your own quote file replaces them "
        "(<code>--prices</code>).</p></header>\n",
        out);
    if (page->n > RY_PAGE_SITES_MOST)
        ry_html(
            out,
            "<p class=\"note\">The first %zu of %zu designs are planned out; "
            "<code>railyard bom</code>, <code>racks</code> and <code>power</code> do the "
            "others.</p>",
            (size_t)RY_PAGE_SITES_MOST, page->n);
    put_panels(page, ry_page_buy, out);
    (void)fputs(
        "</section><section id=\"room\"><header><p class=\"q\">What does the room "
        "need?</p><h2>Racks, power and cooling</h2></header>\n",
        out);
    put_panels(page, page_room, out);
    (void)fputs("</section><section id=\"network\"><header><p class=\"q\">What does the "
                "network look like?</p><h2>Topology</h2></header>\n",
                out);
    put_panels(page, page_network, out);
    (void)fputs("</section></div>\n", out);
}
