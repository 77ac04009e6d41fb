/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json_echo.h"

#include "report/number.h"

#include <math.h>
#include <stdbool.h>

enum { DEPTH_MOST = 256 }; /* what the parser allows */

/* An open list or object, and how many of its members are out. */
struct level {
    struct ry_json at;
    size_t done;
};

static bool is_open(struct ry_json at)
{
    return ry_json_type(at) == RY_JSON_LIST || ry_json_type(at) == RY_JSON_OBJECT;
}

static void put_plain(FILE *out, struct ry_json at)
{
    switch (ry_json_type(at)) {
    case RY_JSON_BOOL:
        (void)fputs(ry_json_as_bool(at, false) ? "true" : "false", out);
        return;
    case RY_JSON_NUMBER:
        ry_json_put_number(out, ry_json_as_number(at, 0.0));
        return;
    case RY_JSON_TEXT:
        ry_json_put_text(out, ry_json_as_text(at, ""));
        return;
    case RY_JSON_ABSENT:
    case RY_JSON_NULL:
    case RY_JSON_LIST:
    case RY_JSON_OBJECT:
        break;
    }
    (void)fputs("null", out);
}

static void line(FILE *out, bool multi, int indent)
{
    if (multi)
        (void)fprintf(out, "\n%*s", indent, "");
}

void ry_json_echo(FILE *out, struct ry_json at, int indent, size_t open)
{
    struct level level[DEPTH_MOST + 1];
    size_t depth = 0;

    if (!is_open(at)) {
        put_plain(out, at);
        return;
    }
    level[0] = (struct level){at, 0};
    (void)fputc(ry_json_type(at) == RY_JSON_LIST ? '[' : '{', out);
    for (;;) {
        struct level *top = &level[depth];
        const bool list = ry_json_type(top->at) == RY_JSON_LIST;
        const bool multi = depth < open && ry_json_size(top->at) > 0;
        const int margin = indent + 2 * (int)depth;
        if (top->done == ry_json_size(top->at)) {
            line(out, multi, margin);
            (void)fputc(list ? ']' : '}', out);
            if (depth-- == 0)
                return;
            continue;
        }
        const struct ry_json member = ry_json_at(top->at, top->done);
        if (top->done++ > 0)
            (void)fputs(multi ? "," : ", ", out);
        line(out, multi, margin + 2);
        if (!list) {
            ry_json_put_text(out, ry_json_key(member));
            (void)fputs(": ", out);
        }
        if (is_open(member) && depth < DEPTH_MOST) {
            level[++depth] = (struct level){member, 0};
            (void)fputc(ry_json_type(member) == RY_JSON_LIST ? '[' : '{', out);
        } else {
            put_plain(out, member);
        }
    }
}
