/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 }; /* longer names are compared by their first characters */

char *ry_strdup(struct ry_arena *arena, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = RY_NEW(arena, char, bytes);

    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

char *ry_strfmt(struct ry_arena *arena, const char *fmt, ...)
{
    va_list args;
    va_list again;

    va_start(args, fmt);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = length < 0 ? NULL : RY_NEW(arena, char, (size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return text;
}

const char *ry_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* tolower() depends on the locale; names are ASCII. */
static int fold(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

bool ry_name_eq(const char *a, const char *b)
{
    while (*a != '\0' && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return fold(*a) == fold(*b);
}

static size_t min3(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static size_t length_at_most(const char *text, size_t most)
{
    size_t length = 0;

    while (length < most && text[length] != '\0')
        length++;
    return length;
}

/* Levenshtein distance, one row at a time. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    const size_t columns = length_at_most(b, LONGEST);

    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; i < LONGEST && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            const size_t above = row[j + 1];
            const size_t change = fold(a[i]) == fold(b[j]) ? 0 : 1;
            row[j + 1] = min3(above + 1, row[j] + 1, diagonal + change);
            diagonal = above;
        }
    }
    return row[columns];
}

static bool starts_with(const char *text, const char *start)
{
    while (*start != '\0' && fold(*text) == fold(*start)) {
        text++;
        start++;
    }
    return *start == '\0';
}

bool ry_name_contains(const char *name, const char *part)
{
    for (; *name != '\0'; name++)
        if (starts_with(name, part))
            return true;
    return *part == '\0';
}

size_t ry_name_nearest(const char *name, const char *(*at)(const void *ctx, size_t i),
                       const void *ctx)
{
    size_t best = (size_t)-1;
    size_t best_distance = length_at_most(name, LONGEST) / 2 + 1;
    bool begun = false; /* the best one begins with what was typed */
    const char *known = NULL;

    for (size_t i = 0; (known = at(ctx, i)) != NULL; i++) {
        const bool begins = name[0] != '\0' && starts_with(known, name);
        const size_t d = distance(name, known);
        if ((begun && !begins) || (begins == begun && d >= best_distance))
            continue;
        begun = begins;
        best_distance = d;
        best = i;
    }
    return best;
}
