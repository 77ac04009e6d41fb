/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/corrections.h"

#include "io/json.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum ry_err ry_corrections_read(struct ry_arena *arena, const char *path,
                                struct ry_problems *problems,
                                struct ry_corrections *corrections)
{
    struct ry_json root;
    if (access(path, R_OK) != 0)
        return RY_OK;
    RY_TRY(ry_json_open(arena, path, problems, &root));
    const struct ry_json list = ry_json_need(root, "corrections");
    const size_t n = ry_json_size(list);
    for (size_t i = 0; i < n && corrections->n < RY_CORRECTIONS_MOST; i++) {
        const struct ry_json at = ry_json_at(list, i);
        static const char *const keys[] = {"id",        "file",      "step_time_s",
                                           "recompute", "precision", "micro_batch",
                                           "reason",    NULL};
        ry_json_known_keys(at, keys);
        corrections->at[corrections->n++] = (struct ry_correction){
            .id = ry_json_text(at, "id", NULL),
            .file = ry_json_text(at, "file", NULL),
            .step_time_s = ry_json_number(at, "step_time_s", (double)NAN),
            .no_recompute = strcmp(ry_json_text(at, "recompute", ""), "none") == 0,
            .nvfp4 = strcmp(ry_json_text(at, "precision", ""), "nvfp4") == 0,
            .micro_batch = (unsigned)ry_json_count(at, "micro_batch",
                                                   (struct ry_json_bounds){1, 65536}, 0),
            .reason = ry_json_text(at, "reason", ""),
        };
    }
    return ry_problems_err(problems, NULL);
}

const struct ry_correction *ry_correction_of(const struct ry_corrections *corrections,
                                             const char *name, const char *id)
{
    for (size_t i = 0; i < corrections->n; i++) {
        const struct ry_correction *c = &corrections->at[i];
        if ((c->id != NULL && strcmp(c->id, id) == 0) ||
            (c->file != NULL && strcmp(c->file, name) == 0))
            return c;
    }
    return NULL;
}
