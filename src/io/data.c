/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/data.h"

#include "base/names.h"
#include "base/order.h"
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RY_PKGDATADIR
#define RY_PKGDATADIR "/usr/local/share/railyard"
#endif

static bool holds_data(const char *folder)
{
    char path[PATH_MAX + 16];

    (void)snprintf(path, sizeof(path), "%s/catalog", folder);
    if (!ry_folder_exists(path))
        return false;
    (void)snprintf(path, sizeof(path), "%s/models", folder);
    return ry_folder_exists(path);
}

/* A folder above the program that holds the data: build/railyard,
 * build/.libs/railyard. */
static bool find_above(char folder[PATH_MAX])
{
    const ssize_t bytes = readlink("/proc/self/exe", folder, PATH_MAX - 1);

    if (bytes <= 0)
        return false;
    folder[bytes] = '\0';
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(folder, '/');
        if (!slash || slash == folder)
            return false;
        *slash = '\0';
        if (up > 0 && holds_data(folder))
            return true;
    }
    return false;
}

const char *ry_data_path(struct ry_arena *arena, const char *name)
{
    char above[PATH_MAX];
    const char *folder = getenv("RAILYARD_DATA");

    if (!folder || folder[0] == '\0')
        folder = find_above(above) ? above : RY_PKGDATADIR;
    return ry_strfmt(arena, "%s/%s", folder, name);
}

static bool ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

static enum ry_err collect(struct ry_arena *arena, DIR *folder, const char *suffix,
                           struct ry_file_names *names)
{
    size_t room = 0;
    const char **list = NULL;
    const struct dirent *entry = NULL;

    *names = (struct ry_file_names){0};
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.' || !ends_with(entry->d_name, suffix))
            continue;
        if (names->n == room) {
            room = room ? room * 2 : 64;
            const char **more = RY_NEW(arena, const char *, room);
            if (!more)
                return RY_ERR_NOMEM;
            if (list)
                memcpy(more, list, names->n * sizeof(list[0]));
            list = more;
        }
        list[names->n] = ry_strdup(arena, entry->d_name);
        if (!list[names->n++])
            return RY_ERR_NOMEM;
    }
    if (list)
        qsort(list, names->n, sizeof(list[0]), ry_by_text);
    names->at = list;
    return RY_OK;
}

enum ry_err ry_folder_list(struct ry_arena *arena, const char *folder, const char *suffix,
                           struct ry_file_names *names, struct ry_diag *diag)
{
    DIR *handle = opendir(folder);

    if (!handle)
        return ry_fail(diag, errno == ENOENT ? RY_ERR_NOTFOUND : RY_ERR_IO, folder, "%s",
                       strerror(errno));
    const enum ry_err err = collect(arena, handle, suffix, names);
    (void)closedir(handle);
    return err == RY_OK ? RY_OK : ry_fail(diag, err, folder, "the names of its files");
}
