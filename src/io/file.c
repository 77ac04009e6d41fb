/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_BYTES = 64 * 1024 };

/* A regular file is read into memory of its size; of others the size is not known. */
static enum ry_err check(FILE *file, const char *path, size_t max_bytes,
                         size_t *size_bytes, struct ry_diag *diag)
{
    struct stat info;

    if (fstat(fileno(file), &info) != 0)
        return ry_fail(diag, RY_ERR_IO, path, "%s", strerror(errno));
    if (S_ISDIR(info.st_mode))
        return ry_fail(diag, RY_ERR_SYNTAX, path, "is a folder, a file is wanted");
    *size_bytes = S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    if (*size_bytes > max_bytes)
        return ry_fail(diag, RY_ERR_RANGE, path, "%zu bytes, at most %zu are read",
                       *size_bytes, max_bytes);
    return RY_OK;
}

/* Doubles the buffer in the arena; the halves left behind sum up to less than it. */
static enum ry_err read_all(struct ry_arena *arena, FILE *file, const char *path,
                            size_t max_bytes, struct ry_text *text, struct ry_diag *diag)
{
    size_t room = 0, used = 0;
    char *data = NULL;

    RY_TRY(check(file, path, max_bytes, &room, diag));
    room = room > 0 ? room : FIRST_BYTES;
    for (;;) {
        char *more = RY_NEW(arena, char, room + 2); /* one to see the end, one NUL */
        if (!more)
            return ry_fail(diag, RY_ERR_NOMEM, path, "%zu bytes", room);
        if (used > 0)
            memcpy(more, data, used);
        data = more;
        used += fread(data + used, 1, room + 1 - used, file);
        if (ferror(file))
            return ry_fail(diag, RY_ERR_IO, path, "%s", strerror(errno));
        if (used <= room)
            break;
        if (used > max_bytes)
            return ry_fail(diag, RY_ERR_RANGE, path, "over %zu bytes", max_bytes);
        room = room < max_bytes / 2 ? room * 2 : max_bytes;
    }
    data[used] = '\0';
    *text = (struct ry_text){data, used};
    return RY_OK;
}

enum ry_err ry_file_read(struct ry_arena *arena, const char *path, size_t max_bytes,
                         struct ry_text *text, struct ry_diag *diag)
{
    FILE *file = fopen(path, "rbe");

    if (!file && (errno == ENOENT || errno == ENOTDIR))
        return ry_fail(diag, RY_ERR_NOTFOUND, path, "no such file");
    if (!file)
        return ry_fail(diag, RY_ERR_IO, path, "%s", strerror(errno));
    const enum ry_err err = read_all(arena, file, path, max_bytes, text, diag);
    (void)fclose(file);
    return err;
}

bool ry_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool ry_folder_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

size_t ry_utf8_bytes(const char *text, size_t room)
{
    const unsigned char *at = (const unsigned char *)text;
    const unsigned char c = room > 0 ? at[0] : 0xff;
    const size_t n = c < 0x80                ? 1
                     : c >= 0xc2 && c < 0xe0 ? 2
                     : c >= 0xe0 && c < 0xf0 ? 3
                     : c >= 0xf0 && c < 0xf5 ? 4
                                             : 0;

    if (n > room)
        return 0;
    for (size_t k = 1; k < n; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f) ||
        (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] > 0x8f))
        return 0; /* overlong, a surrogate, or past U+10FFFF */
    return n;
}

bool ry_has_control(const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            return true;
    }
    return false;
}

const char *ry_shown(const char *text, char shown[RY_SHOWN_BYTES])
{
    size_t n = 0;

    for (; n < RY_SHOWN_BYTES - 4 && text[n] != '\0'; n++) {
        const unsigned char c = (unsigned char)text[n];
        shown[n] = c < 0x20 || c == 0x7f ? '?' : text[n];
    }
    if (text[n] != '\0') {
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
            n--; /* not within a character */
        memcpy(shown + n, "...", 3);
        n += 3;
    }
    shown[n] = '\0';
    return shown;
}
