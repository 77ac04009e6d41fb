/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html.h"

#include <stdarg.h>
#include <string.h>

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* A character that may not stand in a page: control characters but tab and newline. */
static bool is_control(char c)
{
    const unsigned char u = (unsigned char)c;

    return (u < 0x20 && c != '\n' && c != '\t') || u == 0x7f;
}

void ry_html_text(FILE *out, const char *text)
{
    size_t room = text ? strlen(text) : 0;

    while (room > 0) {
        const size_t n = ry_utf8_bytes(text, room);
        const char *safe = n == 1 ? entity(*text) : NULL;
        if (n == 0 || (n == 1 && is_control(*text)))
            safe = "\xef\xbf\xbd";
        if (safe)
            (void)fputs(safe, out);
        else
            (void)fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
        room -= n > 0 ? n : 1;
    }
}

void ry_html(FILE *out, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    for (const char *at = fmt; *at != '\0'; at++) {
        if (*at != '%') {
            (void)fputc(*at, out);
        } else if (at[1] == 's') {
            ry_html_text(out, va_arg(args, const char *));
            at++;
        } else if (at[1] == 'z' && at[2] == 'u') {
            (void)fprintf(out, "%zu", va_arg(args, size_t));
            at += 2;
        } else if (at[1] == '%') {
            (void)fputc('%', out);
            at++;
        }
    }
    va_end(args);
}

void ry_html_json_text(FILE *out, const char *text)
{
    size_t room = text ? strlen(text) : 0;

    (void)fputc('"', out);
    while (room > 0) {
        const size_t n = ry_utf8_bytes(text, room);
        if (n == 0)
            (void)fputs("\\ufffd", out);
        else if (n == 1 && ((unsigned char)*text < 0x20 || strchr("<>&'\"\\\x7f", *text)))
            (void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            (void)fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
        room -= n > 0 ? n : 1;
    }
    (void)fputc('"', out);
}

enum { SLOT_BYTES = 32 };

void ry_html_template(FILE *out, const struct ry_text *text,
                      void (*slot)(FILE *out, const char *name, const void *ctx),
                      const void *ctx)
{
    const char *at = text->data;

    for (;;) {
        const char *open = strstr(at, "{{");
        const char *close = open ? strstr(open, "}}") : NULL;
        char name[SLOT_BYTES] = "";
        if (!close || (size_t)(close - open - 2) >= sizeof(name))
            break;
        memcpy(name, open + 2, (size_t)(close - open - 2));
        (void)fwrite(at, 1, (size_t)(open - at), out);
        slot(out, name, ctx);
        at = close + 2;
    }
    (void)fputs(at, out);
}
