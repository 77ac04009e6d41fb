/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include "base/names.h"

#include <string.h>

#define X(symbol) extern const struct ry_cmd symbol;
#include "cli/cmds.def"
#undef X

static const struct ry_cmd *const commands[] = {
#define X(symbol) &symbol,
#include "cli/cmds.def"
#undef X
    NULL,
};

const struct ry_cmd *ry_command_at(size_t i)
{
    return i < sizeof(commands) / sizeof(commands[0]) ? commands[i] : NULL;
}

/* How many commands come before this one by name. */
static size_t place_of(const struct ry_cmd *cmd)
{
    size_t before = 0;

    for (size_t i = 0; commands[i]; i++)
        before += strcmp(commands[i]->name, cmd->name) < 0;
    return before;
}

const struct ry_cmd *ry_command_sorted(size_t i)
{
    for (size_t k = 0; commands[k]; k++)
        if (place_of(commands[k]) == i)
            return commands[k];
    return NULL;
}

static const char *name_at(const void *ctx, size_t i)
{
    (void)ctx;
    return commands[i] ? commands[i]->name : NULL;
}

const struct ry_cmd *ry_command_nearest(const char *typed)
{
    const size_t near = ry_name_nearest(typed, name_at, NULL);

    return near == (size_t)-1 ? NULL : commands[near];
}
