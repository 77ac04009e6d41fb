/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vectors DIR: run the test vectors of every *.json in DIR through the library. */
#include "vectors.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct vec_kind *const tables[] = {
#define X(table) table,
#include "vectors.def"
#undef X
};

enum { FILES_MOST = 256, PATH_BYTES = 4096, FILE_BYTES_MOST = 64 << 20 };

struct totals {
    size_t passed, failed, skipped;
};

void vec_fail(struct vec *v, const char *fmt, ...)
{
    va_list args;

    if (v->problem[0] != '\0')
        return;
    va_start(args, fmt);
    (void)vsnprintf(v->problem, sizeof(v->problem), fmt, args);
    va_end(args);
}

bool vec_has(const struct vec *v, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(v->in, key) != NULL;
}

const cJSON *vec_item(struct vec *v, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(v->in, key);

    if (!item)
        vec_fail(v, "input has no '%s'", key);
    return item;
}

struct ry_dims vec_dims(struct vec *v, const char *key)
{
    struct ry_dims dims = {0};
    const cJSON *item = NULL;

    cJSON_ArrayForEach (item, vec_item(v, key)) {
        if (dims.n < RY_DIMS_MOST && item->valuedouble >= 1.0)
            dims.at[dims.n++] = (size_t)item->valuedouble;
        else
            vec_fail(v, "bad '%s'", key);
    }
    return dims;
}

double vec_num(struct vec *v, const char *key)
{
    const cJSON *item = vec_item(v, key);

    if (item && !cJSON_IsNumber(item))
        vec_fail(v, "'%s' is not a number", key);
    return item && cJSON_IsNumber(item) ? item->valuedouble : 0.0;
}

size_t vec_count(struct vec *v, const char *key)
{
    const double number = vec_num(v, key);

    if (!(number >= 0.0 && number < 1e15 && number == floor(number))) {
        vec_fail(v, "'%s' is not a count", key);
        return 0;
    }
    return (size_t)number;
}

size_t vec_count_or(struct vec *v, const char *key, size_t otherwise)
{
    return vec_has(v, key) ? vec_count(v, key) : otherwise;
}

const char *vec_text(struct vec *v, const char *key)
{
    const char *text = cJSON_GetStringValue(vec_item(v, key));

    if (!text)
        vec_fail(v, "'%s' is not text", key);
    return text ? text : "";
}

bool vec_flag(struct vec *v, const char *key)
{
    return cJSON_IsTrue(vec_item(v, key));
}

void vec_put(struct vec *v, const char *key, double value)
{
    vec_put_item(v, key, cJSON_CreateNumber(value));
}

void vec_put_flag(struct vec *v, const char *key, bool value)
{
    vec_put_item(v, key, cJSON_CreateBool(value));
}

void vec_put_text(struct vec *v, const char *key, const char *value)
{
    vec_put_item(v, key, cJSON_CreateString(value));
}

void vec_put_item(struct vec *v, const char *key, cJSON *item)
{
    cJSON_DeleteItemFromObjectCaseSensitive(v->out, key);
    if (!item || !cJSON_AddItemToObject(v->out, key, item))
        vec_fail(v, "out of memory");
}

static bool number_near(double got, double expected, const cJSON *tol)
{
    const cJSON *abs_tol = cJSON_GetObjectItemCaseSensitive(tol, "abs");
    const cJSON *rel_tol = cJSON_GetObjectItemCaseSensitive(tol, "rel");
    const double error = fabs(got - expected);

    if (got == expected)
        return true;
    return (cJSON_IsNumber(abs_tol) && error <= abs_tol->valuedouble) ||
           (cJSON_IsNumber(rel_tol) && error <= rel_tol->valuedouble * fabs(expected));
}

/* Only what is expected is compared; vectors nest two or three levels, the depth is
 * bounded. */
static bool matches(const cJSON *got, const cJSON *expected, const cJSON *tol, int depth)
{
    if (!got || depth > 8)
        return false;
    if (cJSON_IsNumber(expected))
        return cJSON_IsNumber(got) &&
               number_near(got->valuedouble, expected->valuedouble, tol);
    if (cJSON_IsString(expected))
        return cJSON_IsString(got) &&
               strcmp(got->valuestring, expected->valuestring) == 0;
    if (cJSON_IsArray(expected)) {
        const cJSON *item = NULL;
        int i = 0;
        if (!cJSON_IsArray(got) ||
            cJSON_GetArraySize(got) != cJSON_GetArraySize(expected))
            return false;
        cJSON_ArrayForEach (item, expected) {
            if (!matches(cJSON_GetArrayItem(got, i++), item, tol, depth + 1))
                return false;
        }
        return true;
    }
    if (cJSON_IsObject(expected)) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, expected) {
            if (!matches(cJSON_GetObjectItemCaseSensitive(got, item->string), item, tol,
                         depth + 1))
                return false;
        }
        return cJSON_IsObject(got);
    }
    return (expected->type & 0xff) == (got->type & 0xff);
}

static const struct vec_kind *find_kind(const char *kind)
{
    for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
        for (const struct vec_kind *row = tables[t]; row->kind; row++) {
            if (strcmp(row->kind, kind) == 0)
                return row;
        }
    }
    return NULL;
}

static void print_mismatch(const char *id, const cJSON *item, const cJSON *got)
{
    char *want_text = cJSON_PrintUnformatted(item);
    char *got_text = got ? cJSON_PrintUnformatted(got) : NULL;

    printf("FAIL %s: %s: expected %s, got %s\n", id, item->string,
           want_text ? want_text : "?", got_text ? got_text : "nothing");
    cJSON_free(want_text);
    cJSON_free(got_text);
}

/* A tolerance is of the whole vector, or a map with one for a key. */
static const cJSON *tolerance(const cJSON *tol, const char *key)
{
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(tol, key);
    return cJSON_IsObject(own) ? own : tol;
}

static bool run_vector(const cJSON *vector, const char *id, const struct vec_kind *kind)
{
    const cJSON *expected = cJSON_GetObjectItemCaseSensitive(vector, "expected");
    const cJSON *tol = cJSON_GetObjectItemCaseSensitive(vector, "tol");
    struct vec v = {.in = cJSON_GetObjectItemCaseSensitive(vector, "input"),
                    .out = cJSON_CreateObject(),
                    .arena = ry_arena_create(0)};
    const cJSON *item = NULL;
    bool ok = true;

    kind->run(&v);
    if (v.problem[0] != '\0') {
        printf("FAIL %s: %s\n", id, v.problem);
        ok = false;
    }
    cJSON_ArrayForEach (item, expected) {
        const cJSON *got = cJSON_GetObjectItemCaseSensitive(v.out, item->string);
        if (ok && !matches(got, item, tolerance(tol, item->string), 0)) {
            print_mismatch(id, item, got);
            ok = false;
        }
    }
    ry_arena_destroy(v.arena);
    cJSON_Delete(v.out);
    return ok && cJSON_IsObject(expected);
}

static void count_vector(const cJSON *vector, struct totals *totals)
{
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(vector, "id"));
    const char *name =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(vector, "kind"));
    const char *class =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(vector, "class"));

    if (class && strcmp(class, "fact") == 0) {
        totals->skipped++;
        return;
    }
    const struct vec_kind *kind = name ? find_kind(name) : NULL;
    if (!kind)
        printf("FAIL %s: no handler for kind '%s'\n", id ? id : "?", name ? name : "?");
    if (kind && run_vector(vector, id ? id : "?", kind))
        totals->passed++;
    else
        totals->failed++;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        if (size >= 0 && size <= FILE_BYTES_MOST)
            text = calloc((size_t)size + 1, 1);
        if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    (void)fclose(file);
    return text;
}

static bool run_file(const char *path, struct totals *totals)
{
    char *text = read_file(path);
    cJSON *root = text ? cJSON_Parse(text) : NULL;
    const cJSON *vectors =
        cJSON_IsArray(root) ? root : cJSON_GetObjectItemCaseSensitive(root, "vectors");
    const cJSON *vector = NULL;
    const bool ok = cJSON_IsArray(vectors);

    cJSON_ArrayForEach (vector, vectors)
        count_vector(vector, totals);
    if (!ok) {
        printf("FAIL %s: no JSON file with a list of vectors\n", path);
        totals->failed++;
    }
    cJSON_Delete(root);
    free(text);
    return ok;
}

static int is_json(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".json") == 0;
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    struct dirent **entries = NULL;

    if (argc != 2) {
        (void)fprintf(stderr, "usage: vectors DIR\n");
        return 2;
    }
    const int n = scandir(argv[1], &entries, is_json, alphasort);
    if (n < 0) {
        (void)fprintf(stderr, "vectors: %s: cannot read\n", argv[1]);
        return 3;
    }
    for (int i = 0; i < n; i++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
        (void)run_file(path, &totals);
        free(entries[i]);
    }
    free(entries);
    printf("%zu passed, %zu failed, %zu skipped\n", totals.passed, totals.failed,
           totals.skipped);
    return totals.failed == 0 && n > 0 ? 0 : 1;
}
