/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json_family.h"

#include "base/names.h"
#include "io/json_node.h"

#include <string.h>

enum { DEPTH_MOST = 256, VALUES_MOST = 200000000 };

static bool is_any(const struct ry_json_node *node)
{
    return node->type == RY_JSON_OBJECT && node->n == 1 &&
           strcmp(node->children[0].key, "any") == 0 &&
           node->children[0].type == RY_JSON_LIST;
}

/* The node after @p node in the order of the file, below @p root; its own children are
 * left out when @p skip. */
static const struct ry_json_node *after(const struct ry_json_node *node,
                                        const struct ry_json_node *root, bool skip)
{
    if (!skip && node->n > 0)
        return &node->children[0];
    while (node != root) {
        const struct ry_json_node *parent = node->parent;
        if (node->index + 1 < parent->n)
            return &parent->children[node->index + 1];
        node = parent;
    }
    return NULL;
}

static enum ry_err refuse(struct ry_json root, const struct ry_json_node *node,
                          const char *why)
{
    ry_json_problem((struct ry_json){node, root.doc}, RY_ERR_RANGE, "%s", why);
    return RY_ERR_RANGE;
}

static enum ry_err add_choice(struct ry_json_family *family,
                              const struct ry_json_node *node)
{
    const struct ry_json_node *list = &node->children[0];
    const struct ry_json_node *inside = list;

    if (list->n == 0)
        return refuse(family->root, node,
                      "\"any\" of an empty list; give 1 value or more");
    size_t values = 0;
    for (; (inside = after(inside, list, false)) != NULL; values++) {
        if (is_any(inside))
            return refuse(family->root, inside,
                          "an \"any\" inside an \"any\"; write its values out");
    }
    if (family->choices == RY_FAMILY_CHOICES_MOST)
        return refuse(family->root, node, "more than 32 \"any\" in one file");
    if (list->n > RY_FAMILY_MEMBERS_MOST / family->n)
        return refuse(family->root, node,
                      "the product of all \"any\" is over 1,000,000 members");
    family->n *= list->n;
    family->any[family->choices++] = node;
    family->values += values / list->n;
    return RY_OK;
}

enum ry_err ry_json_family(struct ry_json root, struct ry_json_family *family)
{
    *family = (struct ry_json_family){.root = root, .n = 1};

    for (const struct ry_json_node *node = root.node; node;) {
        const bool any = is_any(node);
        if (any)
            RY_TRY(add_choice(family, node));
        node = after(node, root.node, any);
        family->values++;
    }
    if (family->choices > 0 && family->values > VALUES_MOST / family->n)
        return refuse(root, root.node,
                      "all members of \"any\" have over 200,000,000 values together");
    return RY_OK;
}

struct copier {
    struct ry_arena *arena;
    const struct ry_json_family *family;
    size_t digit[RY_FAMILY_CHOICES_MOST];
};

/* What stands in the member where @p from stands in the file. */
static const struct ry_json_node *chosen(const struct copier *c,
                                         const struct ry_json_node *from)
{
    for (size_t i = 0; i < c->family->choices; i++)
        if (c->family->any[i] == from)
            return &from->children[0].children[c->digit[i]];
    return from;
}

/* Copy one node without its children, which are allocated. */
static bool copy_node(const struct copier *c, const struct ry_json_node *from,
                      struct ry_json_node *to)
{
    const struct ry_json_node *value = chosen(c, from);
    const struct ry_json_node *parent = to->parent;

    *to = *value;
    to->key = from->key;
    to->index = from->index;
    to->parent = parent;
    if (value->n == 0)
        return true;
    to->children = RY_NEW(c->arena, struct ry_json_node, value->n);
    if (!to->children)
        return false;
    if (value->type != RY_JSON_OBJECT)
        return true;
    to->sorted = RY_NEW(c->arena, const struct ry_json_node *, value->n);
    for (size_t i = 0; to->sorted && i < value->n; i++)
        to->sorted[i] = &to->children[value->sorted[i]->index];
    return to->sorted != NULL;
}

struct frame {
    const struct ry_json_node *from; /* its value: after the choice */
    struct ry_json_node *to;
    size_t next;
};

static bool copy_tree(const struct copier *c, const struct ry_json_node *root,
                      struct ry_json_node *to)
{
    struct frame stack[DEPTH_MOST];
    size_t depth = 0;

    if (!copy_node(c, root, to))
        return false;
    stack[depth++] = (struct frame){chosen(c, root), to, 0};
    while (depth > 0) {
        struct frame *top = &stack[depth - 1];
        if (top->next == top->from->n) {
            depth--;
            continue;
        }
        const struct ry_json_node *from = &top->from->children[top->next];
        struct ry_json_node *child = &top->to->children[top->next++];
        child->parent = top->to;
        if (!copy_node(c, from, child))
            return false;
        if (child->n > 0 && depth < DEPTH_MOST)
            stack[depth++] = (struct frame){chosen(c, from), child, 0};
    }
    return true;
}

/* "32", "QM9700", "#2" for a list or an object without a name. */
static const char *value_text(struct ry_arena *arena, struct ry_json value, size_t digit)
{
    switch (ry_json_type(value)) {
    case RY_JSON_NUMBER:
        return ry_strfmt(arena, "%g", value.node->number);
    case RY_JSON_TEXT:
        return value.node->text;
    case RY_JSON_BOOL:
        return value.node->truth ? "true" : "false";
    case RY_JSON_OBJECT: {
        const struct ry_json name = ry_json_get(value, "name");
        if (ry_json_type(name) == RY_JSON_TEXT)
            return name.node->text;
        break;
    }
    case RY_JSON_LIST:
    case RY_JSON_NULL:
    case RY_JSON_ABSENT:
        break;
    }
    return ry_strfmt(arena, "#%zu", digit + 1);
}

static const char *choice_text(const struct copier *c)
{
    const char *text = "";

    for (size_t i = 0; text && i < c->family->choices; i++) {
        const struct ry_json_node *any = c->family->any[i];
        const struct ry_json value = {&any->children[0].children[c->digit[i]],
                                      c->family->root.doc};
        const char *shown = value_text(c->arena, value, c->digit[i]);
        text = ry_strfmt(c->arena, "%s%s%s=%s", text, i ? ", " : "",
                         any->key ? any->key : "", shown ? shown : "");
    }
    return text;
}

enum ry_err ry_json_family_at(struct ry_arena *arena, const struct ry_json_family *family,
                              size_t i, struct ry_json_member *member)
{
    struct copier c = {.arena = arena, .family = family};

    if (family->choices == 0) {
        *member = (struct ry_json_member){family->root, ""};
        return RY_OK;
    }
    for (size_t k = family->choices; k-- > 0;) {
        const size_t n = family->any[k]->children[0].n;
        c.digit[k] = i % n;
        i /= n;
    }
    struct ry_json_node *root = RY_NEW(arena, struct ry_json_node, 1);
    const char *choice = choice_text(&c);
    if (!root || !choice || !copy_tree(&c, family->root.node, root))
        return RY_ERR_NOMEM;
    *member = (struct ry_json_member){{root, family->root.doc}, choice};
    return RY_OK;
}
