/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan_file.h"

#include "io/design_file.h"
#include "io/design_keys.h"
#include "io/json_family.h"
#include "io/workload_file.h"

#include <string.h>

enum { ROOM_FIRST = 16, KEYS_MOST = 64 };

/* What adding one file needs at hand. */
struct reader {
    const struct ry_library *library;
    const char *path;
    struct ry_problems *problems;
    struct ry_plan_files *files;
};

/* A larger copy of an array in the arena, or NULL. */
static void *larger(struct ry_arena *arena, const void *old, size_t n, size_t room,
                    size_t size)
{
    void *more = ry_arena_alloc(arena, room, size);

    if (more && n > 0)
        memcpy(more, old, n * size);
    return more;
}

static enum ry_err add_design(const struct reader *r, struct ry_design *design)
{
    struct ry_plan_files *f = r->files;

    if (f->designs_n == f->designs_room) {
        const size_t room = f->designs_room ? 2 * f->designs_room : ROOM_FIRST;
        f->designs = larger(r->library->arena, f->designs, f->designs_n, room,
                            sizeof(*f->designs));
        if (!f->designs)
            return RY_ERR_NOMEM;
        f->designs_room = room;
    }
    f->designs[f->designs_n++] = (struct ry_plan_design){.design = design};
    return RY_OK;
}

static enum ry_err add_workload(const struct reader *r, struct ry_workload *workload,
                                bool own)
{
    struct ry_plan_files *f = r->files;

    if (f->workloads_n == f->workloads_room) {
        const size_t room = f->workloads_room ? 2 * f->workloads_room : ROOM_FIRST;
        f->workloads = larger(r->library->arena, f->workloads, f->workloads_n, room,
                              sizeof(struct ry_workload *));
        f->own = larger(r->library->arena, f->own, f->workloads_n, room, sizeof(bool));
        if (!f->workloads || !f->own)
            return RY_ERR_NOMEM;
        f->workloads_room = room;
    }
    f->own[f->workloads_n] = own;
    f->workloads[f->workloads_n++] = workload;
    return RY_OK;
}

static enum ry_err read_design(const struct reader *r,
                               const struct ry_json_member *member, bool alone)
{
    struct ry_arena *arena = r->library->arena;
    struct ry_design *design = RY_NEW(arena, struct ry_design, 1);

    if (!design)
        return RY_ERR_NOMEM;
    RY_TRY(ry_design_read(arena, member->root, r->library->catalog, r->path, design));
    design->choice = member->choice;
    if (alone)
        ry_design_read_check(member->root, design);
    return add_design(r, design);
}

static enum ry_err read_workload(const struct reader *r,
                                 const struct ry_json_member *member, bool own)
{
    struct ry_workload *workload = RY_NEW(r->library->arena, struct ry_workload, 1);

    if (!workload)
        return RY_ERR_NOMEM;
    RY_TRY(ry_workload_read(r->library, member->root, r->path, r->problems, workload));
    workload->choice = member->choice;
    return add_workload(r, workload, own);
}

enum what { DESIGN, WORKLOAD, OWN_WORKLOAD };

/* Every member of a family; after one with mistakes the others would repeat them. */
static enum ry_err read_family(const struct reader *r, struct ry_json at, enum what what)
{
    const size_t before = r->problems->count;
    struct ry_json_family family;

    if (ry_json_family(at, &family) != RY_OK)
        return RY_OK;
    for (size_t i = 0; i < family.n && r->problems->count == before; i++) {
        struct ry_json_member member;
        RY_TRY(ry_json_family_at(r->library->arena, &family, i, &member));
        RY_TRY(what == DESIGN ? read_design(r, &member, family.n == 1)
                              : read_workload(r, &member, what == OWN_WORKLOAD));
    }
    return RY_OK;
}

static enum ry_err read_both(const struct reader *r, struct ry_json root)
{
    static const char *const known[] = {"design", "workload", "note", NULL};
    struct ry_plan_files *f = r->files;
    const size_t design = f->designs_n;
    const size_t workload = f->workloads_n;

    ry_json_known_keys(root, known);
    RY_TRY(read_family(r, ry_json_need(root, "design"), DESIGN));
    RY_TRY(read_family(r, ry_json_need(root, "workload"), OWN_WORKLOAD));
    for (size_t i = design; i < f->designs_n; i++) {
        f->designs[i].own_first = workload;
        f->designs[i].own_n = f->workloads_n - workload;
    }
    return RY_OK;
}

static size_t append(const char *const keys[], const char *all[], size_t n)
{
    for (size_t i = 0; keys[i] && n < KEYS_MOST; i++)
        all[n++] = keys[i];
    all[n] = NULL;
    return n;
}

/* What it is was perhaps only mistyped: name the nearest key of each unknown one. */
static void is_neither(struct ry_json root)
{
    static const char *const both[] = {"design", "workload", NULL};
    const char *all[KEYS_MOST + 1];
    size_t n = append(ry_design_keys, all, 0);

    n = append(ry_workload_keys, all, n);
    (void)append(both, all, n);
    ry_json_known_keys(root, all);
    ry_json_problem(root, RY_ERR_SYNTAX,
                    "neither a design (it has no \"node\") nor a workload (it has no "
                    "\"model\")");
}

enum ry_err ry_plan_file_read(const struct ry_library *library, const char *path,
                              struct ry_problems *problems, struct ry_plan_files *files)
{
    const struct reader r = {library, path, problems, files};
    struct ry_json root;

    const enum ry_err err = ry_json_open(library->arena, path, problems, &root);
    if (err != RY_OK)
        return err == RY_ERR_NOMEM ? err : RY_OK;
    if (!ry_json_expect(root, RY_JSON_OBJECT))
        return RY_OK;
    if (ry_json_has(root, "design") || ry_json_has(root, "workload"))
        return read_both(&r, root);
    if (ry_json_has(root, "node"))
        return read_family(&r, root, DESIGN);
    if (ry_json_has(root, "model"))
        return read_family(&r, root, WORKLOAD);
    is_neither(root);
    return RY_OK;
}
