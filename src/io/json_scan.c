/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json_scan.h"

#include "io/file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_BYTES = 64, /* cJSON's own buffer for a number, with its NUL */
};

struct scan {
    const struct ry_json_text *text;
    const struct ry_json_limits *limits;
    struct ry_json_lines *lines;
    struct ry_diag *diag;
    size_t at;
    size_t room; /* of lines */
    size_t depth;
    unsigned line;
};

void ry_json_line(const struct ry_json_text *text, size_t at, char *where, size_t room)
{
    size_t line = 1;

    for (size_t i = 0; i < at && i < text->bytes; i++)
        line += text->data[i] == '\n';
    (void)snprintf(where, room, "%s:%zu", text->name, line);
}

static enum ry_err wrong(const struct scan *scan, enum ry_err code, const char *what)
{
    char where[160];

    (void)snprintf(where, sizeof(where), "%s:%u", scan->text->name, scan->line);
    return ry_fail(scan->diag, code, where, "%s", what);
}

static unsigned char byte_at(const struct scan *scan, size_t i)
{
    return i < scan->text->bytes ? (unsigned char)scan->text->data[i] : 0;
}

static enum ry_err add_value(struct scan *scan)
{
    if (scan->lines->n == scan->limits->values) {
        char text[64];
        (void)snprintf(text, sizeof(text), "more than %zu values", scan->limits->values);
        return wrong(scan, RY_ERR_RANGE, text);
    }
    if (scan->lines->n == scan->room) /* cannot be JSON: values touch one another */
        return wrong(scan, RY_ERR_SYNTAX, "not JSON: values without ',' between them");
    scan->lines->line[scan->lines->n++] = scan->line;
    return RY_OK;
}

static bool is_escape(const struct scan *scan, size_t i, const char *digits)
{
    return scan->text->bytes - i >= 6 && memcmp(scan->text->data + i, "\\u", 2) == 0 &&
           memcmp(scan->text->data + i + 2, digits, 4) == 0;
}

/* From the opening quote to after the closing one. */
static enum ry_err scan_string(struct scan *scan)
{
    for (scan->at++; scan->at < scan->text->bytes;) {
        const unsigned char c = byte_at(scan, scan->at);
        const size_t n =
            ry_utf8_bytes(scan->text->data + scan->at, scan->text->bytes - scan->at);
        if (c == '"') {
            scan->at++;
            return RY_OK;
        }
        if (n == 0)
            return wrong(scan, RY_ERR_SYNTAX, "invalid UTF-8 in a string");
        if (c < 0x20)
            return wrong(scan, RY_ERR_SYNTAX,
                         c == '\n' ? "a string does not end on its line"
                                   : "a control character in a string");
        if (is_escape(scan, scan->at, "0000"))
            return wrong(scan, RY_ERR_SYNTAX, "\\u0000 in a string");
        scan->at += c == '\\' ? 2 : n;
    }
    return wrong(scan, RY_ERR_SYNTAX, "a string does not end");
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* The grammar of RFC 8259: no plus, no leading zero, digits on both sides of the
 * point. */
static bool is_number(const char *text)
{
    text += *text == '-';
    const size_t whole = digits_at(text);
    if (whole == 0 || (whole > 1 && *text == '0'))
        return false;
    text += whole;
    if (*text == '.') {
        const size_t part = digits_at(text + 1);
        if (part == 0)
            return false;
        text += 1 + part;
    }
    if (*text == 'e' || *text == 'E') {
        text += text[1] == '+' || text[1] == '-' ? 2 : 1;
        const size_t power = digits_at(text);
        if (power == 0)
            return false;
        text += power;
    }
    return *text == '\0';
}

static enum ry_err wrong_word(const struct scan *scan, enum ry_err code, const char *word,
                              const char *why)
{
    char text[160];

    (void)snprintf(text, sizeof(text), "'%.40s%s' %s", word,
                   strlen(word) > 40 ? "..." : "", why);
    return wrong(scan, code, text);
}

static bool in_word(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '+' || c == '-' || c == '.' || c == '_';
}

/* A number, or true, false, null. */
static enum ry_err scan_word(struct scan *scan)
{
    char word[NUMBER_BYTES];
    size_t n = 0;

    while (in_word(byte_at(scan, scan->at + n)))
        n++;
    const size_t copied = n < NUMBER_BYTES ? n : NUMBER_BYTES - 1;
    memcpy(word, scan->text->data + scan->at, copied);
    word[copied] = '\0';
    scan->at += n;
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0 ||
        strcmp(word, "null") == 0)
        return RY_OK;
    if (n >= NUMBER_BYTES)
        return wrong_word(scan, RY_ERR_RANGE, word, "is longer than a number may be, 63");
    if (!is_number(word))
        return wrong_word(scan, RY_ERR_SYNTAX, word,
                          "is not a JSON value (a finite number such as 0.5, a string in "
                          "quotes, true, false, null)");
    return isfinite(strtod(word, NULL))
               ? RY_OK
               : wrong_word(scan, RY_ERR_RANGE, word, "does not fit a double");
}

static enum ry_err open_bracket(struct scan *scan)
{
    RY_TRY(add_value(scan));
    scan->at++;
    if (++scan->depth <= scan->limits->depth)
        return RY_OK;
    char text[64];
    (void)snprintf(text, sizeof(text), "nested deeper than %zu", scan->limits->depth);
    return wrong(scan, RY_ERR_RANGE, text);
}

static enum ry_err scan_other(struct scan *scan, unsigned char c)
{
    if (in_word(c)) {
        RY_TRY(add_value(scan));
        return scan_word(scan);
    }
    char text[48];
    (void)snprintf(text, sizeof(text),
                   c > 0x20 && c < 0x7f ? "not JSON: '%c'" : "not JSON: byte 0x%02x", c);
    return wrong(scan, RY_ERR_SYNTAX, c == 0 ? "a NUL byte" : text);
}

static enum ry_err scan_token(struct scan *scan)
{
    const unsigned char c = byte_at(scan, scan->at);

    switch (c) {
    case '\n':
        scan->line++;
        scan->at++;
        return RY_OK;
    case '}':
    case ']':
        scan->depth -= scan->depth > 0;
        scan->at++;
        return RY_OK;
    case ' ':
    case '\t':
    case '\r':
    case ',':
        scan->at++;
        return RY_OK;
    case ':': /* the string before it was a key */
        scan->lines->n -= scan->lines->n > 0;
        scan->at++;
        return RY_OK;
    case '{':
    case '[':
        return open_bracket(scan);
    case '"':
        RY_TRY(add_value(scan));
        return scan_string(scan);
    default:
        return scan_other(scan, c);
    }
}

enum ry_err ry_json_scan(struct ry_arena *scratch, const struct ry_json_text *text,
                         const struct ry_json_limits *limits, struct ry_json_lines *lines,
                         struct ry_diag *diag)
{
    const size_t room = text->bytes / 2 + 2;
    struct scan scan = {.text = text,
                        .limits = limits,
                        .lines = lines,
                        .diag = diag,
                        .room = room < limits->values ? room : limits->values,
                        .line = 1};

    lines->line = RY_NEW(scratch, unsigned, scan.room + 1);
    if (!lines->line)
        return ry_fail(diag, RY_ERR_NOMEM, text->name, "the lines of %zu values",
                       scan.room);
    if (text->bytes >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0)
        return wrong(&scan, RY_ERR_SYNTAX,
                     "starts with a byte order mark, save it as "
                     "plain UTF-8");
    while (scan.at < text->bytes)
        RY_TRY(scan_token(&scan));
    if (scan.depth > 0)
        return wrong(&scan, RY_ERR_SYNTAX, "the text ends within a list or object");
    return lines->n > 0 ? RY_OK : wrong(&scan, RY_ERR_SYNTAX, "is empty");
}
