/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/topo_input.h"

#include "base/names.h"
#include "io/design_file.h"
#include "io/json.h"
#include "io/json_family.h"
#include "io/problems_print.h"
#include "plan/fabric_graph.h"

#include <stdlib.h>
#include <string.h>

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "topology", "out of memory");
}

/* No text form is longer: one that is gets its message without being joined to its
 * end. */
static bool may_grow(const char *text)
{
    return text && strlen(text) <= RY_SPEC_TEXT_MOST;
}

/* The value of a key as the text form has it: 64, 400Gbps, 4x4x4. */
static const char *value_text(struct ry_arena *arena, struct ry_json at)
{
    const char *text = "";

    switch (ry_json_type(at)) {
    case RY_JSON_TEXT:
        return ry_json_as_text(at, "");
    case RY_JSON_BOOL:
        return ry_json_as_bool(at, false) ? "1" : "0";
    case RY_JSON_NUMBER:
        return ry_strfmt(arena, "%.17g", ry_json_as_number(at, 0.0));
    case RY_JSON_LIST:
        for (size_t i = 0; i < ry_json_size(at) && may_grow(text); i++)
            text = ry_strfmt(arena, "%s%s%.17g", text, i ? "x" : "",
                             ry_json_as_number(ry_json_at(at, i), 0.0));
        return text;
    case RY_JSON_OBJECT:
    case RY_JSON_NULL:
    case RY_JSON_ABSENT:
        ry_json_problem(at, RY_ERR_SYNTAX, "is no number, text or list of sizes");
        return text;
    }
    return text;
}

/* {"family": "fat_tree", "radix": 64} as "fat_tree:radix=64". */
static const char *fabric_text(struct ry_arena *arena, struct ry_json at)
{
    const char *text = NULL;

    if (ry_json_type(at) == RY_JSON_TEXT)
        return ry_json_as_text(at, "");
    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return "";
    text = ry_json_as_text(ry_json_need(at, "family"), "");
    for (size_t i = 0, n = 0; i < ry_json_size(at) && may_grow(text); i++) {
        const struct ry_json member = ry_json_at(at, i);
        if (strcmp(ry_json_key(member), "family") == 0)
            continue;
        text = ry_strfmt(arena, "%s%c%s=%s", text, n++ == 0 ? ':' : ',',
                         ry_json_key(member), value_text(arena, member));
    }
    return text;
}

/* {"topology": one fabric or a list of them}, each a text or an object. */
static enum ry_err read_topology(struct ry_arena *arena, struct ry_json at,
                                 struct ry_topo_specs *specs,
                                 struct ry_problems *problems)
{
    struct ry_diag diag = {0};
    const bool list = ry_json_type(at) == RY_JSON_LIST;
    const char *text = list ? "" : fabric_text(arena, at);

    for (size_t i = 0; list && i < ry_json_size(at) && may_grow(text); i++) {
        const char *one = fabric_text(arena, ry_json_at(at, i));
        text = ry_strfmt(arena, "%s%s%s", text, i ? ";" : "", one ? one : "");
    }
    if (!text)
        return RY_ERR_NOMEM;
    if (list && ry_json_size(at) == 0)
        ry_json_problem(at, RY_ERR_SYNTAX, "is an empty list: name at least one fabric");
    if (problems->count == 0 && ry_topo_parse(text, specs, &diag) != RY_OK)
        ry_json_problem(at, diag.code, "%s: %s", diag.where, diag.text);
    return RY_OK;
}

/* {"leaf3": "MF0;rack7:MQM9700/U1"}: names of the plan and of what stands there. */
static enum ry_err read_names(struct ry_arena *arena, struct ry_json at,
                              struct ry_topo_input *input)
{
    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT))
        return RY_OK;
    input->names = RY_NEW(arena, struct ry_fabric_name, ry_json_size(at) + 1);
    if (!input->names)
        return RY_ERR_NOMEM;
    for (size_t i = 0; i < ry_json_size(at); i++)
        input->names[input->n_names++] = (struct ry_fabric_name){
            ry_json_key(ry_json_at(at, i)), ry_json_as_text(ry_json_at(at, i), "")};
    return RY_OK;
}

/* A topology alone; else the design of a document: all of it, or its member "design". */
static enum ry_err read_document(struct ry_arena *arena, const char *path,
                                 const struct ry_catalog *catalog,
                                 struct ry_problems *problems,
                                 struct ry_topo_input *input)
{
    struct ry_design *design = RY_NEW(arena, struct ry_design, 1);
    struct ry_json_family family;
    struct ry_json_member member;
    struct ry_json root;

    if (!design)
        return RY_ERR_NOMEM;
    RY_TRY(ry_json_open(arena, path, problems, &root));
    RY_TRY(ry_json_family(root, &family));
    RY_TRY(ry_json_family_at(arena, &family, 0, &member));
    const struct ry_json at = ry_json_has(member.root, "design")
                                  ? ry_json_get(member.root, "design")
                                  : member.root;
    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return ry_problems_err(problems, NULL);
    if (ry_json_has(at, "topology")) {
        static const char *const keys[] = {"name", "note", "topology", "names", NULL};
        ry_json_known_keys(at, keys);
        input->name = ry_json_text(at, "name", path);
        RY_TRY(read_names(arena, ry_json_get(at, "names"), input));
        return read_topology(arena, ry_json_get(at, "topology"), &input->specs, problems);
    }
    input->design = design;
    RY_TRY(ry_design_read(arena, at, catalog, path, design));
    ry_design_read_check(at, design);
    return RY_OK;
}

static enum ry_err read_design(struct ry_arena *arena, const char *path,
                               const struct ry_catalog_sources *sources,
                               struct ry_topo_input *input, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_catalog *catalog = RY_NEW(arena, struct ry_catalog, 1);

    if (!problems || !catalog)
        return no_memory(diag);
    RY_TRY(ry_catalog_opened(arena, sources, catalog, diag));
    const enum ry_err err = read_document(arena, path, catalog, problems, input);
    RY_TRY(ry_problems_print(problems, diag));
    if (err != RY_OK)
        return no_memory(diag);
    if (!input->design)
        return RY_OK;
    input->catalog = catalog;
    input->name = input->design->name;
    return ry_design_topology(input->design, &input->specs, diag);
}

static enum ry_err fail_one(struct ry_topo_input *input, const char *name,
                            struct ry_diag *diag)
{
    static const char prefix[] = "cable:";
    struct ry_graph *graph = input->graph;

    if (strncmp(name, prefix, sizeof(prefix) - 1) == 0) {
        char *end = NULL;
        const char *digits = name + sizeof(prefix) - 1;
        const unsigned long number =
            strtoul(digits, &end, 10); /* of its label, C000001 on */
        if (*digits < '0' || *digits > '9' || *end != '\0' || number < 1 ||
            number > graph->n_links)
            return ry_fail(diag, RY_ERR_NOTFOUND, "--fail", "no %.60s; they are 1 to %zu",
                           name, graph->n_links);
        input->failed_links += !graph->links[number - 1].down;
        graph->links[number - 1].down = true;
        return RY_OK;
    }
    const uint32_t device = ry_graph_find(graph, name);
    if (device == RY_NONE) {
        char last[RY_DEVICE_NAME_BYTES];
        return ry_fail(diag, RY_ERR_NOTFOUND, "--fail",
                       "no device '%.60s'; the last one is %s", name,
                       ry_graph_name(graph, (uint32_t)graph->n_devices - 1, last));
    }
    input->failed_links += ry_graph_fail_device(graph, device);
    return RY_OK;
}

enum ry_err ry_topo_input_read(struct ry_arena *arena, const char *arg,
                               const struct ry_catalog_sources *sources,
                               const struct ry_strings *failed,
                               struct ry_topo_input *input, struct ry_diag *diag)
{
    *input = (struct ry_topo_input){.name = arg};
    if (ry_topo_is_text(arg) || (strchr(arg, ':') && !strchr(arg, '/')))
        RY_TRY(ry_topo_parse(arg, &input->specs, diag));
    else
        RY_TRY(read_design(arena, arg, sources, input, diag));
    RY_TRY(ry_topo_build(arena, &input->specs, &input->graph, diag));
    for (size_t i = 0; failed && i < failed->n; i++)
        RY_TRY(fail_one(input, failed->at[i], diag));
    return RY_OK;
}
