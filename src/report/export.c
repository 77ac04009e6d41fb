/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/export.h"

#include "base/names.h"

#include <string.h>

#define X(symbol) extern const struct ry_export symbol;
#include "report/exports.def"
#undef X

static const struct ry_export *const exports[] = {
#define X(symbol) &symbol,
#include "report/exports.def"
#undef X
};

const struct ry_export *ry_export_at(size_t i)
{
    return i < sizeof(exports) / sizeof(exports[0]) ? exports[i] : NULL;
}

const struct ry_export *ry_export_find(const char *name)
{
    for (size_t i = 0; i < sizeof(exports) / sizeof(exports[0]); i++)
        if (strcmp(exports[i]->name, name) == 0)
            return exports[i];
    return NULL;
}

enum ry_err ry_export_no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "export", "out of memory");
}

const char *ry_export_device(const struct ry_export_input *in, uint32_t device)
{
    char text[RY_DEVICE_NAME_BYTES];
    const char *kept = ry_strdup(in->arena, ry_graph_name(in->graph, device, text));

    return kept ? kept : "";
}

const char *ry_export_port(const struct ry_export_input *in, uint32_t port)
{
    char text[RY_DEVICE_NAME_BYTES];
    const char *kept = ry_strdup(in->arena, ry_graph_port_name(in->graph, port, text));

    return kept ? kept : "";
}
