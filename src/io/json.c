/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json.h"

#include "base/names.h"
#include "io/file.h"
#include "io/json_node.h"
#include "io/json_scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const type_names[] = {
    [RY_JSON_ABSENT] = "nothing",     [RY_JSON_NULL] = "null",
    [RY_JSON_BOOL] = "true or false", [RY_JSON_NUMBER] = "a number",
    [RY_JSON_TEXT] = "a string",      [RY_JSON_LIST] = "a list",
    [RY_JSON_OBJECT] = "an object",
};

enum ry_json_type ry_json_type(struct ry_json at)
{
    return at.node ? at.node->type : RY_JSON_ABSENT;
}

static bool here(struct ry_json at)
{
    return at.node && at.node->type != RY_JSON_NULL;
}

struct ry_json ry_json_get(struct ry_json at, const char *key)
{
    if (ry_json_type(at) != RY_JSON_OBJECT)
        return (struct ry_json){NULL, at.doc};
    size_t low = 0;
    size_t high = at.node->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(key, at.node->sorted[middle]->key);
        if (order == 0)
            return (struct ry_json){at.node->sorted[middle], at.doc};
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (struct ry_json){NULL, at.doc};
}

struct ry_json ry_json_need(struct ry_json at, const char *key)
{
    const struct ry_json member = ry_json_get(at, key);

    if (here(member))
        return member;
    if (member.node)
        ry_json_problem(member, RY_ERR_SYNTAX, "is null, a value is needed");
    else if (ry_json_type(at) == RY_JSON_OBJECT)
        ry_json_problem(at, RY_ERR_SYNTAX, "has no '%s', which is needed", key);
    return (struct ry_json){NULL, at.doc};
}

bool ry_json_has(struct ry_json at, const char *key)
{
    return here(ry_json_get(at, key));
}

size_t ry_json_size(struct ry_json at)
{
    return at.node ? at.node->n : 0;
}

struct ry_json ry_json_at(struct ry_json at, size_t i)
{
    return (struct ry_json){i < ry_json_size(at) ? &at.node->children[i] : NULL, at.doc};
}

const char *ry_json_key(struct ry_json at)
{
    return at.node ? at.node->key : NULL;
}

/* Appends a token of a JSON pointer, escaped as RFC 6901 says. */
static size_t put_token(char *text, size_t used, size_t room,
                        const struct ry_json_node *node)
{
    char digits[24];
    char shown[RY_SHOWN_BYTES];
    const char *token = digits;

    (void)snprintf(digits, sizeof(digits), "%zu", node->index);
    if (node->key)
        token = ry_shown(node->key, shown);
    if (used + 2 * strlen(token) + 2 > room)
        return used;
    text[used++] = '/';
    for (; *token != '\0'; token++) {
        const bool escape = *token == '~' || *token == '/';
        text[used++] = escape ? '~' : *token;
        if (escape)
            text[used++] = *token == '~' ? '0' : '1';
    }
    text[used] = '\0';
    return used;
}

static void pointer(const struct ry_json_node *node, char *text, size_t room)
{
    const struct ry_json_node *path[RY_JSON_DEPTH_MOST + 1];
    size_t depth = 0, used = 0;

    for (; node && node->parent && depth <= RY_JSON_DEPTH_MOST; node = node->parent)
        path[depth++] = node;
    text[0] = '\0';
    while (depth > 0)
        used = put_token(text, used, room, path[--depth]);
}

const char *ry_json_where(struct ry_json at)
{
    char place[512];

    if (!at.doc)
        return "";
    if (!at.node)
        return at.doc->name;
    pointer(at.node, place, sizeof(place));
    const char *where = ry_strfmt(at.doc->arena, "%s:%u: %s", at.doc->name, at.node->line,
                                  place[0] ? place : "/");
    return where ? where : "";
}

void ry_json_problem(struct ry_json at, enum ry_err code, const char *fmt, ...)
{
    char text[sizeof(((struct ry_diag *)0)->text)];
    va_list args;

    if (!at.doc)
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    const bool kept = at.doc->problems->count < RY_PROBLEMS_KEPT;
    ry_problem(at.doc->problems, code, kept ? ry_json_where(at) : "", "%s", text);
}

size_t ry_json_problem_count(struct ry_json at)
{
    return at.doc ? at.doc->problems->count : 0;
}

/* "the string 'x'", "the number 3", "a list": what stands here. */
static const char *describe(struct ry_json at, char text[RY_SHOWN_BYTES + 16])
{
    char shown[RY_SHOWN_BYTES];
    const size_t room = RY_SHOWN_BYTES + 16;

    if (at.node->type == RY_JSON_TEXT)
        (void)snprintf(text, room, "'%s'", ry_shown(at.node->text, shown));
    else if (at.node->type == RY_JSON_NUMBER)
        (void)snprintf(text, room, "%.12g", at.node->number);
    else if (at.node->type == RY_JSON_BOOL)
        (void)snprintf(text, room, "%s", at.node->truth ? "true" : "false");
    else
        (void)snprintf(text, room, "%s", type_names[at.node->type]);
    return text;
}

static void complain(struct ry_json at, const char *wanted)
{
    char text[RY_SHOWN_BYTES + 16];

    ry_json_problem(at, RY_ERR_SYNTAX, "%s is not %s", describe(at, text), wanted);
}

bool ry_json_expect(struct ry_json at, enum ry_json_type type)
{
    if (ry_json_type(at) == type)
        return true;
    if (at.node)
        complain(at, type_names[type]);
    return false;
}

static double parse_quantity(struct ry_json at, enum ry_dim dim, double fallback)
{
    struct ry_diag diag = {0};
    double value = fallback;

    if (strlen(at.node->text) >= RY_SHOWN_BYTES ||
        ry_quantity_parse("", at.node->text, dim, &value, &diag) != RY_OK) {
        if (diag.text[0] == '\0')
            complain(at, "a number with a unit");
        else
            ry_json_problem(at, diag.code, "%s", diag.text);
        return fallback;
    }
    return value;
}

double ry_json_as_quantity(struct ry_json at, enum ry_dim dim, double fallback)
{
    if (!here(at))
        return fallback;
    if (at.node->type == RY_JSON_TEXT)
        return parse_quantity(at, dim, fallback);
    if (at.node->type != RY_JSON_NUMBER) {
        complain(at, "a number or a string with a unit");
        return fallback;
    }
    if (at.node->number < 0.0) {
        ry_json_problem(at, RY_ERR_RANGE, "%.12g is negative", at.node->number);
        return fallback;
    }
    return at.node->number;
}

double ry_json_as_number(struct ry_json at, double fallback)
{
    return here(at) && ry_json_expect(at, RY_JSON_NUMBER) ? at.node->number : fallback;
}

size_t ry_json_as_count(struct ry_json at, struct ry_json_bounds bounds, size_t fallback)
{
    if (!here(at) || !ry_json_expect(at, RY_JSON_NUMBER))
        return fallback;
    const double number = at.node->number;
    if (number != floor(number)) {
        complain(at, "a whole number");
        return fallback;
    }
    if (number < (double)bounds.least || number > (double)bounds.most) {
        ry_json_problem(at, RY_ERR_RANGE, "%.12g is not between %zu and %zu", number,
                        bounds.least, bounds.most);
        return fallback;
    }
    return number < 18446744073709549568.0 ? (size_t)number : fallback;
}

const char *ry_json_as_text(struct ry_json at, const char *fallback)
{
    return here(at) && ry_json_expect(at, RY_JSON_TEXT) ? at.node->text : fallback;
}

const char *ry_json_as_name(struct ry_json at, const char *fallback)
{
    const char *name = ry_json_as_text(at, fallback);

    if (ry_has_control(name))
        ry_json_problem(at, RY_ERR_SYNTAX,
                        "a control character in a name (a line break, an escape)");
    if (name && strlen(name) > RY_JSON_NAME_MOST)
        ry_json_problem(at, RY_ERR_RANGE, "a name of %zu bytes, at most %d", strlen(name),
                        RY_JSON_NAME_MOST);
    return name;
}

bool ry_json_as_bool(struct ry_json at, bool fallback)
{
    return here(at) && ry_json_expect(at, RY_JSON_BOOL) ? at.node->truth : fallback;
}

static const char *choice_at(const void *ctx, size_t i)
{
    return ((const char *const *)ctx)[i];
}

static void wrong_choice(struct ry_json at, const char *const choices[])
{
    char known[160] = "";
    char shown[RY_SHOWN_BYTES];

    for (size_t i = 0; choices[i]; i++) {
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
                       choices[i]);
    }
    const size_t near = ry_name_nearest(at.node->text, choice_at, choices);
    if (near != (size_t)-1)
        ry_json_problem(at, RY_ERR_NOTFOUND, "'%s' is unknown, did you mean '%s'? (%s)",
                        ry_shown(at.node->text, shown), choices[near], known);
    else
        ry_json_problem(at, RY_ERR_NOTFOUND, "'%s' is not one of %s",
                        ry_shown(at.node->text, shown), known);
}

int ry_json_as_choice(struct ry_json at, const char *const choices[], int fallback)
{
    if (!here(at) || !ry_json_expect(at, RY_JSON_TEXT))
        return fallback;
    for (int i = 0; choices[i]; i++)
        if (strcmp(choices[i], at.node->text) == 0)
            return i;
    wrong_choice(at, choices);
    return fallback;
}

double ry_json_quantity(struct ry_json at, const char *key, enum ry_dim dim,
                        double fallback)
{
    return ry_json_as_quantity(ry_json_get(at, key), dim, fallback);
}

double ry_json_number(struct ry_json at, const char *key, double fallback)
{
    return ry_json_as_number(ry_json_get(at, key), fallback);
}

size_t ry_json_count(struct ry_json at, const char *key, struct ry_json_bounds bounds,
                     size_t fallback)
{
    return ry_json_as_count(ry_json_get(at, key), bounds, fallback);
}

const char *ry_json_text(struct ry_json at, const char *key, const char *fallback)
{
    return ry_json_as_text(ry_json_get(at, key), fallback);
}

bool ry_json_bool(struct ry_json at, const char *key, bool fallback)
{
    return ry_json_as_bool(ry_json_get(at, key), fallback);
}

int ry_json_choice(struct ry_json at, const char *key, const char *const choices[],
                   int fallback)
{
    return ry_json_as_choice(ry_json_get(at, key), choices, fallback);
}

static bool is_known(const char *key, const char *const keys[])
{
    for (size_t i = 0; keys[i]; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void unknown_key(struct ry_json member, const char *const keys[])
{
    /* The nearest name is not worth its time when nobody will see it. */
    const bool kept = member.doc->problems->count < RY_PROBLEMS_KEPT;
    const size_t near =
        kept ? ry_name_nearest(member.node->key, choice_at, keys) : (size_t)-1;

    if (near == (size_t)-1)
        ry_json_problem(member, RY_ERR_NOTFOUND, "unknown key");
    else
        ry_json_problem(member, RY_ERR_NOTFOUND, "unknown key, did you mean '%s'?",
                        keys[near]);
}

void ry_json_known_keys(struct ry_json at, const char *const keys[])
{
    if (ry_json_type(at) != RY_JSON_OBJECT)
        return;
    for (size_t i = 0; i < at.node->n; i++)
        if (!is_known(at.node->children[i].key, keys))
            unknown_key(ry_json_at(at, i), keys);
}
