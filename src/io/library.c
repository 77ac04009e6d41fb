/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/library.h"

#include "base/names.h"
#include "io/comm_model.h"
#include "io/data.h"
#include "io/traits_file.h"

static enum ry_err open_optimizers(struct ry_library *library,
                                   struct ry_problems *problems)
{
    const char *path = ry_data_path(library->arena, "models/optimizers.json");
    struct ry_json root;

    if (!path)
        return RY_ERR_NOMEM;
    RY_TRY(ry_json_open(library->arena, path, problems, &root));
    library->optimizers = ry_json_get(root, "optimizers");
    library->host_update_s =
        ry_json_number(ry_json_get(root, "host_update"), "s_per_parameter", 0.0);
    return RY_OK;
}

enum ry_err ry_library_open(struct ry_arena *arena, const struct ry_catalog *catalog,
                            struct ry_problems *problems, struct ry_library *library)
{
    *library = (struct ry_library){.arena = arena, .catalog = catalog};
    library->presets = RY_NEW(arena, struct ry_presets, 1);
    library->comm = RY_NEW(arena, struct ry_comm_models, 1);
    if (!library->presets || !library->comm)
        return RY_ERR_NOMEM;
    RY_TRY(ry_presets_read(arena, problems, library->presets));
    RY_TRY(ry_comm_models_read(arena, NULL, problems, library->comm));
    return open_optimizers(library, problems);
}

bool ry_library_optimizer(const struct ry_library *library, const char *name,
                          double *state_bytes)
{
    const struct ry_json found = ry_json_get(library->optimizers, name);

    if (ry_json_type(found) != RY_JSON_OBJECT)
        return false;
    *state_bytes = ry_json_number(found, "state_bytes", 0.0);
    return true;
}

const char *ry_library_optimizer_names(const struct ry_library *library)
{
    const char *names = "";

    for (size_t i = 0; names && i < ry_json_size(library->optimizers); i++)
        names = ry_strfmt(library->arena, "%s%s%s", names, i ? ", " : "",
                          ry_json_key(ry_json_at(library->optimizers, i)));
    return names ? names : "";
}
