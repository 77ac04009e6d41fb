/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/bundle_diff.h"

#include "base/names.h"
#include "io/csv.h"
#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVES_MOST = 200000, DEPTH_MOST = 64, PATH_MOST = 512 };

static const struct ry_column columns[RY_BUNDLE_DIFF_COLUMNS] = {
    {.key = "of", .title = "of"},
    {.key = "file", .title = "file"},
    {.key = "what", .title = "what"},
    {.key = "a", .title = "A"},
    {.key = "b", .title = "B"},
    {.key = "difference", .title = NULL, .show = RY_SHOW_NUMBER},
    {.key = "ratio", .title = "B / A", .show = RY_SHOW_NUMBER},
};

/* A value of a document by where it is. */
struct leaf {
    const char *path;
    const char *text;
};

struct leaves {
    struct ry_arena *arena;
    size_t n;
    struct leaf *at; /* [n], room for LEAVES_MOST */
    bool failed, full;
};

struct compared {
    struct ry_arena *arena;
    struct ry_table *table;
    const char *full; /* a file of too many values */
    bool failed;
};

static void add(struct compared *c, const char *of, const char *file,
                const struct leaf *a, const struct leaf *b)
{
    char *end[2] = {NULL, NULL};
    const char *text[2] = {a ? a->text : "-", b ? b->text : "-"};
    const double value[2] = {strtod(text[0], &end[0]), strtod(text[1], &end[1])};
    const bool numbers = a && b && end[0] != text[0] && end[1] != text[1] &&
                         *end[0] == '\0' && *end[1] == '\0';

    ry_table_row(c->table, (const struct ry_cell[RY_BUNDLE_DIFF_COLUMNS]){
                               RY_TEXT(of), RY_TEXT(file), RY_TEXT(a ? a->path : b->path),
                               RY_TEXT(text[0]), RY_TEXT(text[1]),
                               RY_NUM(numbers ? value[1] - value[0] : (double)NAN),
                               numbers && value[0] != 0.0 ? RY_NUM(value[1] / value[0])
                                                          : RY_NUM_AS((double)NAN, "")});
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct leaf *)a)->path, ((const struct leaf *)b)->path);
}

/* Which of two sorted lists has the next path: below 0 the first, above 0 the second. */
static int next_of(const struct leaves *a, size_t i, const struct leaves *b, size_t k)
{
    if (i == a->n)
        return 1;
    return k == b->n ? -1 : strcmp(a->at[i].path, b->at[k].path);
}

/* Both sorted; what one has alone, and what differs. */
static void add_leaves(struct compared *c, const char *of, const char *file,
                       struct leaves *a, struct leaves *b)
{
    size_t i = 0, k = 0;

    qsort(a->at, a->n, sizeof(a->at[0]), by_path);
    qsort(b->at, b->n, sizeof(b->at[0]), by_path);
    c->failed = c->failed || a->failed || b->failed;
    c->full = a->full || b->full ? file : c->full;
    while (i < a->n || k < b->n) {
        const int order = next_of(a, i, b, k);
        if (order != 0 || strcmp(a->at[i].text, b->at[k].text) != 0)
            add(c, of, file, order <= 0 ? &a->at[i] : NULL,
                order >= 0 ? &b->at[k] : NULL);
        i += order <= 0;
        k += order >= 0;
    }
}

static struct leaves no_leaves(struct ry_arena *arena)
{
    struct leaves leaves = {.arena = arena, .at = RY_NEW(arena, struct leaf, 4096)};

    leaves.failed = !leaves.at;
    return leaves;
}

static void add_leaf(struct leaves *leaves, const char *path, const char *text)
{
    const size_t n = leaves->n;

    if (n >= 4096 && (n & (n - 1)) == 0 && n < LEAVES_MOST && !leaves->failed) {
        struct leaf *more = RY_NEW(leaves->arena, struct leaf, 2 * n);
        if (more)
            memcpy(more, leaves->at, n * sizeof(more[0]));
        leaves->failed = !more;
        leaves->at = more ? more : leaves->at;
    }
    leaves->full = n == LEAVES_MOST;
    if (leaves->failed || leaves->full)
        return;
    leaves->at[n] = (struct leaf){ry_strdup(leaves->arena, path), text};
    leaves->failed = !leaves->at[n].path || !text;
    leaves->n += !leaves->failed;
}

static const char *scalar_text(struct ry_arena *arena, struct ry_json at)
{
    char number[RY_NUMBER_BYTES];

    switch (ry_json_type(at)) {
    case RY_JSON_NULL:
        return "null";
    case RY_JSON_BOOL:
        return ry_json_as_bool(at, false) ? "true" : "false";
    case RY_JSON_NUMBER:
        return ry_strdup(arena, ry_number_exact(ry_json_as_number(at, 0.0), number));
    case RY_JSON_TEXT:
        return ry_json_as_text(at, "");
    case RY_JSON_ABSENT:
    case RY_JSON_LIST:
    case RY_JSON_OBJECT:
        break;
    }
    return "";
}

/* What a member of a list is called: by its names, else its place. */
static void put_name(struct ry_json at, size_t i, char *out, size_t room)
{
    static const char *const names[] = {"workload", "design", "name", "part", "figure"};
    size_t used = 0;

    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        const struct ry_json name = ry_json_get(at, names[k]);
        if (ry_json_type(name) == RY_JSON_TEXT && used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used ? "," : "/",
                                     ry_json_as_text(name, ""));
    }
    if (used == 0)
        (void)snprintf(out, room, "/%zu", i);
}

/* Values below a place, without recursion: a stack of places and how far each is done. */
static void walk(struct leaves *leaves, struct ry_json root)
{
    struct {
        struct ry_json at;
        size_t next, path;
    } stack[DEPTH_MOST] = {{root, 0, 0}};
    char path[PATH_MOST] = "";
    size_t depth = 1;

    while (depth > 0) {
        const struct ry_json at = stack[depth - 1].at;
        const size_t i = stack[depth - 1].next++;
        path[stack[depth - 1].path] = '\0';
        if (ry_json_type(at) != RY_JSON_OBJECT && ry_json_type(at) != RY_JSON_LIST)
            add_leaf(leaves, path, scalar_text(leaves->arena, at));
        const struct ry_json child = ry_json_at(at, i);
        if (ry_json_type(child) == RY_JSON_ABSENT) {
            depth--;
            continue;
        }
        const size_t used = stack[depth - 1].path;
        if (ry_json_key(child))
            (void)snprintf(path + used, sizeof(path) - used, "/%s", ry_json_key(child));
        else
            put_name(child, i, path + used, sizeof(path) - used);
        if (depth == DEPTH_MOST)
            continue;
        stack[depth].at = child;
        stack[depth].next = 0;
        stack[depth++].path = strlen(path);
    }
}

static bool json_leaves(struct ry_arena *arena, const char *name, struct ry_text text,
                        struct leaves *leaves)
{
    if (text.bytes == 0) {
        *leaves = no_leaves(arena);
        return true;
    }
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    const struct ry_json_text document = {name, text.data, text.bytes};
    struct ry_json root;

    *leaves = no_leaves(arena);
    if (!problems || ry_json_parse(arena, &document, &ry_json_default_limits, problems,
                                   &root) != RY_OK)
        return false;
    walk(leaves, root);
    return true;
}

static bool csv_leaves(struct ry_arena *arena, const char *name, struct ry_text text,
                       struct leaves *leaves)
{
    if (text.bytes == 0) {
        *leaves = no_leaves(arena);
        return true;
    }
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_csv csv;

    *leaves = no_leaves(arena);
    if (!problems ||
        ry_csv_parse(arena, name, text.data, text.bytes, problems, &csv) != RY_OK)
        return false;
    for (size_t i = 0; i < csv.n; i++) {
        for (size_t k = 1; k < csv.header.n; k++) {
            const char *path = ry_strfmt(arena, "%s: %s", ry_csv_cell(&csv.rows[i], 0),
                                         csv.header.cells[k]);
            add_leaf(leaves, path ? path : "", ry_csv_cell(&csv.rows[i], k));
        }
    }
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t bytes = strlen(text);

    return bytes >= strlen(end) && strcmp(text + bytes - strlen(end), end) == 0;
}

static const char *kind_of(const char *path)
{
    return strncmp(path, "in/", 3) == 0       ? "input"
           : strncmp(path, "catalog", 7) == 0 ? "catalog"
                                              : "model";
}

/* Value by value; false: a text cannot be read so. */
static bool add_values(struct compared *c, const char *of, const char *path,
                       const struct ry_text text[2])
{
    struct leaves leaves[2] = {0};

    for (size_t i = 0; i < 2; i++) {
        if (!(ends_with(path, ".csv") ? csv_leaves : json_leaves)(c->arena, path, text[i],
                                                                  &leaves[i]))
            return false;
    }
    add_leaves(c, of, path, &leaves[0], &leaves[1]);
    return true;
}

/* Inputs and catalog value by value; models and what cannot be read by digest. */
static void add_file(struct compared *c, const struct ry_bundle_file *a,
                     const struct ry_bundle_file *b)
{
    const struct ry_bundle_file *one = a ? a : b;

    if (!one || (a && b && strcmp(a->sha256, b->sha256) == 0))
        return;
    const char *of = kind_of(one->path);
    const struct ry_text text[2] = {a ? a->text : (struct ry_text){"", 0},
                                    b ? b->text : (struct ry_text){"", 0}};
    if (strcmp(of, "model") != 0 && add_values(c, of, one->path, text))
        return;
    const struct leaf digest[2] = {{"sha256", a ? a->sha256 : "-"},
                                   {"sha256", b ? b->sha256 : "-"}};
    add(c, of, one->path, a ? &digest[0] : NULL, b ? &digest[1] : NULL);
}

static void add_files(struct compared *c, const struct ry_bundle *a,
                      const struct ry_bundle *b)
{
    size_t i = 0, k = 0;

    while (i < a->files_n || k < b->files_n) {
        const int order = i == a->files_n   ? 1
                          : k == b->files_n ? -1
                                            : strcmp(a->files[i].path, b->files[k].path);
        add_file(c, order <= 0 ? &a->files[i] : NULL, order >= 0 ? &b->files[k] : NULL);
        i += order <= 0;
        k += order >= 0;
    }
}

/* Lines of an output that is no JSON. */
static void line_leaves(struct ry_arena *arena, struct ry_text text,
                        struct leaves *leaves)
{
    size_t line = 0;

    *leaves = no_leaves(arena);
    for (const char *at = text.data; *at;) {
        const size_t bytes = strcspn(at, "\n");
        const char *path = ry_strfmt(arena, "line %4zu", ++line);
        add_leaf(leaves, path ? path : "", ry_strfmt(arena, "%.*s", (int)bytes, at));
        at += bytes + (at[bytes] == '\n');
    }
}

static void add_output(struct compared *c, const struct ry_bundle *a,
                       const struct ry_bundle *b)
{
    struct leaves leaves[2];

    if (strcmp(a->output.data, b->output.data) == 0)
        return;
    if (!json_leaves(c->arena, "A", a->output, &leaves[0]) ||
        !json_leaves(c->arena, "B", b->output, &leaves[1])) {
        line_leaves(c->arena, a->output, &leaves[0]);
        line_leaves(c->arena, b->output, &leaves[1]);
    }
    add_leaves(c, "result", "output", &leaves[0], &leaves[1]);
}

static const char *joined(struct ry_arena *arena, const struct ry_bundle *bundle)
{
    const char *text = "";

    for (size_t i = 0; i < bundle->arguments_n && text; i++)
        text = ry_strfmt(arena, "%s%s%s", text, i ? " " : "", bundle->arguments[i]);
    return text;
}

enum ry_err ry_bundle_diff(struct ry_arena *arena, const struct ry_bundle *a,
                           const struct ry_bundle *b, struct ry_table **table,
                           struct ry_diag *diag)
{
    struct compared c = {
        .arena = arena, .table = ry_table_create(arena, columns, RY_BUNDLE_DIFF_COLUMNS)};
    const struct leaf version[2] = {{"version", a->version}, {"version", b->version}};
    const struct leaf command[2] = {{"command", joined(arena, a)},
                                    {"command", joined(arena, b)}};

    if (!c.table || !command[0].text || !command[1].text)
        return ry_fail(diag, RY_ERR_NOMEM, "bundle diff", "out of memory");
    if (strcmp(version[0].text, version[1].text) != 0)
        add(&c, "program", "", &version[0], &version[1]);
    if (strcmp(command[0].text, command[1].text) != 0)
        add(&c, "program", "", &command[0], &command[1]);
    add_files(&c, a, b);
    add_output(&c, a, b);
    *table = c.table;
    if (c.full)
        return ry_fail(diag, RY_ERR_RANGE, c.full, "more than %d values to compare",
                       LEAVES_MOST);
    return c.failed ? ry_fail(diag, RY_ERR_NOMEM, "bundle diff", "out of memory") : RY_OK;
}
