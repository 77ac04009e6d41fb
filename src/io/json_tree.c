/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json_tree.h"

#include "base/names.h"
#include "io/file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A container whose children are being visited. */
struct level {
    struct ry_json_node *node;
    const cJSON *next; /* child to visit */
    size_t i;          /* its index */
};

struct walk {
    struct ry_arena *arena;
    struct ry_json_build *build;
    size_t values; /* visited so far, in file order */
    size_t depth;
    struct level levels[RY_JSON_DEPTH_MOST];
};

static int by_key(const void *a, const void *b)
{
    const struct ry_json_node *x = *(const struct ry_json_node *const *)a;
    const struct ry_json_node *y = *(const struct ry_json_node *const *)b;
    const int order = strcmp(x->key, y->key);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* All keys are there: sort them, and see whether one stands twice. */
static void close_object(const struct walk *walk, struct ry_json_node *node)
{
    for (size_t i = 0; i < node->n; i++)
        node->sorted[i] = &node->children[i];
    qsort(node->sorted, node->n, sizeof(node->sorted[0]), by_key);
    for (size_t i = 1; i < node->n; i++) {
        if (strcmp(node->sorted[i - 1]->key, node->sorted[i]->key) == 0)
            ry_json_problem((struct ry_json){node->sorted[i], walk->build->doc},
                            RY_ERR_SYNTAX, "the key stands twice, first on line %u",
                            node->sorted[i - 1]->line);
    }
}

static bool open_container(struct walk *walk, struct ry_json_node *node,
                           const cJSON *item)
{
    const size_t n = (size_t)cJSON_GetArraySize(item);

    node->type = cJSON_IsObject(item) ? RY_JSON_OBJECT : RY_JSON_LIST;
    if (n == 0)
        return true;
    node->children = RY_NEW(walk->arena, struct ry_json_node, n);
    if (node->type == RY_JSON_OBJECT)
        node->sorted = RY_NEW(walk->arena, const struct ry_json_node *, n);
    if (!node->children || (node->type == RY_JSON_OBJECT && !node->sorted))
        return false;
    node->n = n;
    walk->levels[walk->depth++] = (struct level){node, item->child, 0};
    return true;
}

static bool visit(struct walk *walk, struct ry_json_node *node, const cJSON *item)
{
    node->line = walk->build->lines->line[walk->values++];
    if (item->string) {
        node->key = ry_strdup(walk->arena, item->string);
        if (!node->key)
            return false;
    }
    if (cJSON_IsObject(item) || cJSON_IsArray(item))
        return open_container(walk, node, item);
    if (cJSON_IsString(item)) {
        node->type = RY_JSON_TEXT;
        node->text = ry_strdup(walk->arena, item->valuestring);
        return node->text != NULL;
    }
    node->number = item->valuedouble;
    node->truth = cJSON_IsTrue(item);
    node->type = cJSON_IsNumber(item) ? RY_JSON_NUMBER
                 : cJSON_IsBool(item) ? RY_JSON_BOOL
                                      : RY_JSON_NULL;
    return true;
}

/* In file order, which is how the lines are numbered; the scan bounded the depth. */
static bool copy_tree(struct walk *walk, struct ry_json_node *root, const cJSON *item)
{
    if (!visit(walk, root, item))
        return false;
    while (walk->depth > 0) {
        struct level *level = &walk->levels[walk->depth - 1];
        if (!level->next) {
            if (level->node->type == RY_JSON_OBJECT)
                close_object(walk, level->node);
            walk->depth--;
            continue;
        }
        struct ry_json_node *child = &level->node->children[level->i];
        const cJSON *next = level->next;
        child->index = level->i++;
        child->parent = level->node;
        level->next = next->next;
        if (!visit(walk, child, next))
            return false;
    }
    return true;
}

/* cJSON says where it stopped; the character there and before tell most about why. */
static enum ry_err syntax_error(const struct ry_json_text *text, size_t at,
                                struct ry_diag *diag)
{
    char where[160];
    char shown[RY_SHOWN_BYTES];
    char near[24] = "";
    size_t before = at;

    while (at < text->bytes && strchr(" \t\r\n", text->data[at]))
        at++;
    while (before > 0 && strchr(" \t\r\n", text->data[before - 1]))
        before--;
    ry_json_line(text, at, where, sizeof(where));
    if (at >= text->bytes)
        return ry_fail(diag, RY_ERR_SYNTAX, where, "the text ends within a value");
    for (size_t i = 0; i + 1 < sizeof(near) && at + i < text->bytes; i++)
        near[i] = text->data[at + i];
    for (size_t i = strlen(near); i > 0 && (near[i - 1] & 0x80); i--)
        near[i - 1] = '\0'; /* perhaps half a character */
    const char *why = before > 0 && text->data[before - 1] == ','
                          ? "a value or key is missing after ','"
                          : "',' or ':' or a bracket is missing or wrong";
    return ry_fail(diag, RY_ERR_SYNTAX, where, "not JSON at '%s': %s",
                   ry_shown(near, shown), why);
}

static enum ry_err no_memory(const struct ry_json_text *text, struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, text->name, "the values of %zu bytes",
                   text->bytes);
}

static enum ry_err build_tree(struct ry_arena *arena, const struct ry_json_text *text,
                              const cJSON *item, struct ry_json_build *build,
                              struct ry_diag *diag)
{
    struct ry_json_node *root = RY_NEW(arena, struct ry_json_node, 1);
    struct walk walk = {.arena = arena, .build = build};

    if (!root || !copy_tree(&walk, root, item))
        return no_memory(text, diag);
    build->root = root;
    return RY_OK;
}

enum ry_err ry_json_tree(struct ry_arena *arena, const struct ry_json_text *text,
                         struct ry_json_build *build, struct ry_diag *diag)
{
    const char *end = text->data;
    size_t rest = 0;

    errno = 0;
    cJSON *item = cJSON_ParseWithLengthOpts(text->data, text->bytes, &end, 0);
    if (!item && errno == ENOMEM) /* cJSON does not say */
        return no_memory(text, diag);
    if (!item)
        return syntax_error(text, (size_t)(end - text->data), diag);
    for (rest = (size_t)(end - text->data); rest < text->bytes; rest++)
        if (!strchr(" \t\r\n", text->data[rest]))
            break;
    enum ry_err err = RY_OK;
    if (rest < text->bytes) {
        char where[160];
        ry_json_line(text, rest, where, sizeof(where));
        err = ry_fail(diag, RY_ERR_SYNTAX, where, "text after the end of the value");
    } else {
        err = build_tree(arena, text, item, build, diag);
    }
    cJSON_Delete(item);
    return err;
}
