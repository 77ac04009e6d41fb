/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file or text -> the tree that a cursor walks. */
#include "base/names.h"
#include "io/file.h"
#include "io/json.h"
#include "io/json_scan.h"
#include "io/json_tree.h"

#include <assert.h>

const struct ry_json_limits ry_json_default_limits = {
    .file_bytes = (size_t)64 << 20, .depth = 64, .values = 2000000};

enum ry_err ry_json_open_limited(struct ry_arena *arena, const char *path,
                                 const struct ry_json_limits *limits,
                                 struct ry_problems *problems, struct ry_json *root)
{
    struct ry_diag diag = {0};
    struct ry_text text = {0};
    struct ry_arena *scratch = ry_arena_create(0);

    enum ry_err err = scratch
                          ? ry_file_read(scratch, path, limits->file_bytes, &text, &diag)
                          : ry_fail(&diag, RY_ERR_NOMEM, path, "cannot read it");
    if (err == RY_OK)
        err = ry_json_parse(arena, &(struct ry_json_text){path, text.data, text.bytes},
                            limits, problems, root);
    else
        ry_problem_diag(problems, &diag);
    ry_arena_destroy(scratch);
    return err;
}

enum ry_err ry_json_open(struct ry_arena *arena, const char *path,
                         struct ry_problems *problems, struct ry_json *root)
{
    return ry_json_open_limited(arena, path, &ry_json_default_limits, problems, root);
}

static enum ry_err parse(struct ry_arena *arena, struct ry_arena *scratch,
                         const struct ry_json_text *text,
                         const struct ry_json_limits *limits, struct ry_json_build *build,
                         struct ry_diag *diag)
{
    RY_TRY(ry_json_scan(scratch, text, limits, build->lines, diag));
    return ry_json_tree(arena, text, build, diag);
}

enum ry_err ry_json_parse(struct ry_arena *arena, const struct ry_json_text *text,
                          const struct ry_json_limits *limits,
                          struct ry_problems *problems, struct ry_json *root)
{
    struct ry_diag diag = {0};
    struct ry_json_doc *doc = RY_NEW(arena, struct ry_json_doc, 1);
    struct ry_arena *scratch = ry_arena_create(0);
    struct ry_json_lines lines = {0};
    struct ry_json_build build = {.doc = doc, .lines = &lines, .root = NULL};
    enum ry_err err = RY_ERR_NOMEM;

    assert(limits->depth <= RY_JSON_DEPTH_MOST);
    const size_t before = problems->count;
    if (doc)
        *doc = (struct ry_json_doc){arena, problems, ry_strdup(arena, text->name)};
    if (doc && doc->name && scratch)
        err = parse(arena, scratch, text, limits, &build, &diag);
    else
        (void)ry_fail(&diag, RY_ERR_NOMEM, text->name, "cannot read it");
    ry_arena_destroy(scratch);
    if (err != RY_OK) {
        ry_problem_diag(problems, &diag);
        return err;
    }
    if (problems->count > before)
        return RY_ERR_SYNTAX; /* duplicate keys */
    *root = (struct ry_json){build.root, doc};
    return RY_OK;
}
