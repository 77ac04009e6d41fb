/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fabric_import.h"

#include "base/names.h"
#include "io/fabric_survey.h"
#include "topology/family.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct import {
    struct ry_arena *arena;
    struct ry_fabric_survey s;
    struct ry_fabric_import *out;
    struct ry_diag *diag;
};

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "import", "out of memory");
}

static int by_key(const void *x, const void *y)
{
    const struct ry_survey_switch *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    const int names = ry_names_by_nature(a->name, b->name);
    return names != 0 ? names : a->node < b->node ? -1 : 1;
}

static const char *plan_text(struct import *im)
{
    const bool alone = im->s.n[1] == 0 && im->s.n[0] > 1;
    const bool rails = im->s.rails > 1;
    const size_t tiers = im->s.n[2] > 0 ? 3 : im->s.n[1] > 0 ? 2 : 1;
    const char *text =
        ry_strfmt(im->arena, "%s:nodes=%zu,nics=%zu,gpus_per_node=%zu,radix=%zu",
                  alone   ? "rail_only"
                  : rails ? "rail_optimized"
                          : "fat_tree",
                  im->s.hosts, im->s.nics, im->s.nics, im->s.radix);

    if (text && rails)
        text = ry_strfmt(im->arena, "%s,rails=%zu", text, im->s.rails);
    if (text && rails && !alone)
        text = ry_strfmt(im->arena, "%s,su_nodes=%zu", text, im->s.unit);
    if (text)
        text = ry_strfmt(im->arena, "%s,tiers=%zu", text, tiers);
    if (text && tiers > 1)
        text = ry_strfmt(im->arena, "%s,spine_radix=%zu,down=%zu,up=%zu", text,
                         im->s.spine_radix, im->s.down, im->s.up);
    if (text && im->s.managers > 0)
        text = ry_strfmt(im->arena, "%s,ufm=%zu", text, im->s.managers);
    if (text && im->s.speed > 0.0)
        text = ry_strfmt(im->arena, "%s,speed=%.0fMbps", text, im->s.speed);
    return text;
}

static size_t count_class(const struct ry_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->n_classes; i++)
        if (strcmp(graph->classes[i].name, name) == 0)
            return graph->classes[i].count;
    return 0;
}

static enum ry_err build(struct import *im, const char *text)
{
    struct ry_topo_specs *specs = RY_NEW(im->arena, struct ry_topo_specs, 1);
    struct ry_diag why = {0};

    if (!text || !specs)
        return no_memory(im->diag);
    im->out->text = text;
    enum ry_err err = ry_topo_parse(text, specs, &why);
    if (err == RY_OK)
        err = ry_topo_build(im->arena, specs, &im->out->graph, &why);
    if (err == RY_OK || err == RY_ERR_NOMEM)
        return err;
    return ry_fail(im->out->graph ? NULL : im->diag, RY_ERR_INFEASIBLE, "import",
                   "what was found looks like %s, which cannot be planned: %s", text,
                   why.text);
}

static bool same_switches(const struct import *im)
{
    const struct ry_graph *graph = im->out->graph;

    return im->s.n[0] == count_class(graph, "leaf") &&
           im->s.n[1] == count_class(graph, "spine") &&
           im->s.n[2] == count_class(graph, "core");
}

/* Balanced spines, else the fewest; other numbers of switches are no plan of ours. */
static enum ry_err build_plan(struct import *im)
{
    const char *text = plan_text(im);

    RY_TRY(build(im, text));
    if (same_switches(im))
        return RY_OK;
    const struct ry_graph *graph = im->out->graph;
    const enum ry_err no = ry_fail(
        im->diag, RY_ERR_INFEASIBLE, "import",
        "%zu leaves, %zu spines and %zu cores are no whole Clos: %s has %zu, %zu and %zu",
        im->s.n[0], im->s.n[1], im->s.n[2], text, count_class(graph, "leaf"),
        count_class(graph, "spine"), count_class(graph, "core"));
    if (im->s.n[1] == 0 || text == NULL)
        return no;
    text = ry_strfmt(im->arena, "%s,policy=min", text);
    return build(im, text) == RY_OK && same_switches(im) ? RY_OK : no;
}

static bool has_plan_names(const struct import *im)
{
    for (size_t t = 0; t < RY_SURVEY_TIERS; t++) {
        for (size_t i = 0; i < im->s.n[t]; i++) {
            const char *guid = im->s.f->nodes[im->s.at[t][i].node].guid;
            if (!guid || strncmp(guid, "S-", 2) != 0 ||
                ry_graph_find(im->out->graph, guid + 2) == RY_NONE)
                return false;
        }
    }
    return true;
}

static void order_switches(struct import *im)
{
    for (size_t i = 0; i < im->s.n[0]; i++) {
        struct ry_survey_switch *at = &im->s.at[0][i];
        const size_t per_leaf = im->s.rails ? im->s.nics / im->s.rails : 1;
        at->key = im->s.rails > 1 && im->s.unit > 0
                      ? at->host_at / im->s.unit * im->s.rails +
                            at->nic / (per_leaf ? per_leaf : 1)
                      : at->host_at;
    }
    for (size_t t = 0; t < RY_SURVEY_TIERS; t++)
        qsort(im->s.at[t], im->s.n[t], sizeof(im->s.at[t][0]), by_key);
}

static bool add_name(struct import *im, const char *plan, const struct ry_ib_node *node)
{
    const bool said = node->kind == RY_IB_SWITCH ? node->name && node->name[0]
                                                 : node->host && node->device;

    im->out->names[im->out->n_names++] =
        (struct ry_fabric_name){plan, said ? node->name : node->guid};
    return plan != NULL;
}

static enum ry_err name_devices(struct import *im)
{
    static const char *const classes[RY_SURVEY_TIERS] = {"leaf", "spine", "core"};
    const struct ry_ib_fabric *f = im->s.f;
    bool ok = true;

    im->out->names = RY_NEW(im->arena, struct ry_fabric_name, f->n_nodes + 1);
    if (!im->out->names)
        return no_memory(im->diag);
    order_switches(im);
    for (size_t t = 0; t < RY_SURVEY_TIERS; t++) {
        for (size_t i = 0; ok && i < im->s.n[t]; i++)
            ok = add_name(im, ry_strfmt(im->arena, "%s%zu", classes[t], i),
                          &f->nodes[im->s.at[t][i].node]);
    }
    for (size_t i = 0; ok && i < im->s.n_adapters; i++) {
        const struct ry_survey_adapter *a = &im->s.adapters[i];
        if (a->host_at != SIZE_MAX)
            ok = add_name(im, ry_strfmt(im->arena, "node%zu-mlx%zu", a->host_at, a->nic),
                          &f->nodes[a->node]);
    }
    if (!ok)
        return no_memory(im->diag);
    return ry_fabric_rename(im->arena, &im->out->fabric, im->out->names, im->out->n_names,
                            im->diag);
}

enum ry_err ry_fabric_import(struct ry_arena *arena, const struct ry_ib_fabric *found,
                             struct ry_fabric_import *import, struct ry_diag *diag)
{
    struct import im = {.arena = arena, .out = import, .diag = diag};

    RY_TRY(ry_fabric_survey(arena, found, &im.s, diag));
    *import = (struct ry_fabric_import){
        .fabric = *found, .hosts = im.s.hosts, .nics = im.s.nics};
    memcpy(import->switches, im.s.n, sizeof(im.s.n));
    RY_TRY(build_plan(&im));
    return has_plan_names(&im) ? RY_OK : name_devices(&im);
}

static int by_found(const void *x, const void *y)
{
    const struct ry_fabric_name *a = x, *b = y;

    return strcmp(a->found, b->found);
}

enum ry_err ry_fabric_rename(struct ry_arena *arena, struct ry_ib_fabric *fabric,
                             const struct ry_fabric_name names[], size_t n,
                             struct ry_diag *diag)
{
    struct ry_fabric_name *sorted = RY_NEW(arena, struct ry_fabric_name, n + 1);
    struct ry_ib_node *nodes = RY_NEW(arena, struct ry_ib_node, fabric->n_nodes + 1);

    if (!sorted || !nodes)
        return no_memory(diag);
    if (n > 0)
        memcpy(sorted, names, n * sizeof(names[0]));
    qsort(sorted, n, sizeof(sorted[0]), by_found);
    for (size_t i = 0; i < fabric->n_nodes; i++) {
        struct ry_fabric_name key = {NULL, fabric->nodes[i].name};
        const struct ry_fabric_name *name = NULL;
        nodes[i] = fabric->nodes[i];
        if (key.found)
            name = bsearch(&key, sorted, n, sizeof(sorted[0]), by_found);
        key.found = fabric->nodes[i].guid;
        if (!name && key.found)
            name = bsearch(&key, sorted, n, sizeof(sorted[0]), by_found);
        if (!name)
            continue;
        nodes[i].guid = ry_strfmt(arena, "%s-%s",
                                  nodes[i].kind == RY_IB_SWITCH ? "S" : "H", name->plan);
        if (!nodes[i].guid)
            return no_memory(diag);
    }
    fabric->nodes = nodes;
    return RY_OK;
}
