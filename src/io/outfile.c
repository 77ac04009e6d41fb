/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 100 };

static void release(struct ry_outfile *out)
{
    free(out->path);
    free(out->temp);
    *out = (struct ry_outfile){0};
}

/* The file behind a symbolic link, or the path itself when it does not exist yet. */
static char *target(const char *path)
{
    char *real = realpath(path, NULL);
    return real || errno == ENOMEM ? real : strdup(path);
}

static enum ry_err open_stream(struct ry_outfile *out, int fd, const char *path,
                               struct ry_diag *diag)
{
    out->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (out->file)
        return RY_OK;
    const int cause = errno;
    if (fd >= 0)
        (void)close(fd);
    if (fd >= 0 && out->temp)
        (void)unlink(out->temp);
    release(out);
    return ry_fail(diag, RY_ERR_IO, path, "cannot write: %s", strerror(cause));
}

/* A new file beside the target, with the old one's permissions. */
static int open_temp(struct ry_outfile *out, const struct stat *old)
{
    const size_t room = strlen(out->path) + 40;
    int fd = -1;

    out->temp = malloc(room);
    for (int i = 0; out->temp && fd < 0 && i < NAMES_TRIED; i++) {
        (void)snprintf(out->temp, room, "%s.%ld-%d.tmp", out->path, (long)getpid(), i);
        fd = open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0 && old)
        (void)fchmod(fd, old->st_mode & 07777);
    return fd;
}

enum ry_err ry_outfile_open(struct ry_outfile *out, const char *path,
                            struct ry_diag *diag)
{
    struct stat old;

    *out = (struct ry_outfile){0};
    if (strcmp(path, "-") == 0)
        return open_stream(out, dup(STDOUT_FILENO), path, diag);
    const bool exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return ry_fail(diag, RY_ERR_IO, path, "is a folder");
    out->path = target(path);
    if (!out->path)
        return ry_fail(diag, RY_ERR_NOMEM, path, "its name");
    if (exists && !S_ISREG(old.st_mode))
        return open_stream(out, open(path, O_WRONLY | O_CLOEXEC), path, diag);
    if (exists && access(path, W_OK) != 0)
        return open_stream(out, -1, path, diag);
    return open_stream(out, open_temp(out, exists ? &old : NULL), path, diag);
}

/* The rename itself must reach the disk: sync the folder, where that is possible. */
static void sync_folder(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return;
    char *slash = strrchr(copy, '/');
    if (slash)
        slash[slash == copy ? 1 : 0] = '\0';
    const int fd = open(slash ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(copy);
}

enum ry_err ry_outfile_commit(struct ry_outfile *out, struct ry_diag *diag)
{
    char where[PATH_MAX];

    (void)snprintf(where, sizeof(where), "%s", out->path ? out->path : "standard output");
    bool good = !ferror(out->file) && fflush(out->file) == 0;
    good = good && (!out->temp || fsync(fileno(out->file)) == 0);
    int cause = errno;
    if (fclose(out->file) != 0 && good) {
        good = false;
        cause = errno;
    }
    if (good && out->temp && rename(out->temp, out->path) != 0) {
        good = false;
        cause = errno;
    }
    if (good && out->temp)
        sync_folder(out->path);
    else if (!good && out->temp)
        (void)unlink(out->temp);
    release(out);
    return good ? RY_OK
                : ry_fail(diag, RY_ERR_IO, where, "cannot write: %s", strerror(cause));
}

void ry_outfile_abort(struct ry_outfile *out)
{
    if (out->file)
        (void)fclose(out->file);
    if (out->temp)
        (void)unlink(out->temp);
    release(out);
}
