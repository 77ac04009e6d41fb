/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share/schema against the readers' own tables of keys and choices, and the shipped
 * examples against share/schema.  A key that is added to a reader is added there too. */
#include "plan_fixture.h"

#include "io/data.h"
#include "io/design_keys.h"
#include "io/strategy_file.h"

#include <stdlib.h>

enum { DEPTH_MOST = 40 };

static struct ry_json schema_of(const char *name)
{
    struct ry_json root = {0};
    char path[200];

    (void)snprintf(path, sizeof(path), "share/schema/%s.schema.json", name);
    ck_assert_int_eq(ry_json_open(arena, ry_data_path(arena, path), &problems, &root),
                     RY_OK);
    return root;
}

/* "#/$defs/any" or "design.schema.json" in place of what names it. */
static struct ry_json resolved(struct ry_json root, struct ry_json at)
{
    const char *ref = ry_json_text(at, "$ref", NULL);

    if (!ref)
        return at;
    if (strncmp(ref, "#/$defs/", 8) != 0) {
        char name[60];
        (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(ref, "."), ref);
        return schema_of(name);
    }
    const struct ry_json found = ry_json_get(ry_json_get(root, "$defs"), ref + 8);
    ck_assert_msg(ry_json_type(found) == RY_JSON_OBJECT, "no %s", ref);
    return found;
}

/* The alternative that is an object of known keys. */
static struct ry_json object_of(struct ry_json root, struct ry_json at)
{
    at = resolved(root, at);
    const struct ry_json any = ry_json_get(at, "anyOf");
    for (size_t i = 0; i < ry_json_size(any); i++) {
        const struct ry_json one = resolved(root, ry_json_at(any, i));
        if (ry_json_has(one, "properties") &&
            !ry_json_has(ry_json_get(one, "properties"), "any"))
            return one;
    }
    return at;
}

/* The schema of the object at a pointer. */
static struct ry_json schema_at(struct ry_json root, const char *pointer)
{
    struct ry_json at = root;

    while (*pointer) {
        char key[60];
        const size_t bytes = strcspn(pointer + 1, "/");
        (void)snprintf(key, sizeof(key), "%.*s", (int)bytes, pointer + 1);
        at = strcmp(key, "0") == 0 ? ry_json_get(at, "items")
                                   : ry_json_get(ry_json_get(at, "properties"), key);
        at = object_of(root, at);
        pointer += 1 + bytes;
    }
    return at;
}

static void same_keys(const char *name, struct ry_json at, const char *const keys[],
                      const char *pointer)
{
    const struct ry_json properties = ry_json_get(at, "properties");
    size_t n = 0;

    ck_assert(!ry_json_bool(at, "additionalProperties", true));
    for (; keys[n]; n++)
        ck_assert_msg(ry_json_type(ry_json_get(properties, keys[n])) != RY_JSON_ABSENT,
                      "share/schema/%s.schema.json lacks the key '%s' of %s/", name,
                      keys[n], pointer);
    for (size_t i = 0; i < ry_json_size(properties); i++) {
        bool known = false;
        for (size_t k = 0; k < n && !known; k++)
            known = strcmp(keys[k], ry_json_key(ry_json_at(properties, i))) == 0;
        ck_assert_msg(known,
                      "share/schema/%s.schema.json has '%s' in %s/, no reader knows it",
                      name, ry_json_key(ry_json_at(properties, i)), pointer);
    }
}

START_TEST(designs_have_the_keys_of_their_reader)
{
    const struct ry_json root = schema_of("design");

    for (size_t i = 0; ry_design_key_tables[i].pointer; i++)
        same_keys("design", schema_at(root, ry_design_key_tables[i].pointer),
                  ry_design_key_tables[i].keys, ry_design_key_tables[i].pointer);
    show_problems();
}
END_TEST

START_TEST(workloads_have_the_keys_of_their_reader)
{
    const struct ry_json root = schema_of("workload");
    const char *keys[64] = {NULL};

    for (size_t i = 0; ry_workload_key_tables[i].pointer; i++)
        same_keys("workload", schema_at(root, ry_workload_key_tables[i].pointer),
                  ry_workload_key_tables[i].keys, ry_workload_key_tables[i].pointer);
    for (size_t i = 0; ry_bounds_key(i); i++)
        keys[i] = ry_bounds_key(i);
    same_keys("workload", schema_at(root, "/strategy"), keys, "/strategy");
    show_problems();
}
END_TEST

static const struct {
    const char *pointer, *key;
    const char *const *choices;
} enumerated[] = {
    {"", "task", ry_task_choices},
    {"", "precision", ry_precision_choices},
    {"", "cuda_graph", ry_cuda_graph_choices},
    {"/strategy", "recompute", ry_recompute_choices},
    {"/strategy", "schedule", ry_schedule_choices},
    {"/strategy", "cp_kind", ry_cp_kind_choices},
};

START_TEST(choices_are_those_of_the_reader)
{
    const struct ry_json at = schema_at(schema_of("workload"), enumerated[_i].pointer);
    const struct ry_json property =
        ry_json_get(ry_json_get(at, "properties"), enumerated[_i].key);
    const struct ry_json list =
        ry_json_get(ry_json_at(ry_json_get(property, "anyOf"), 0), "enum");
    size_t n = 0;

    for (; enumerated[_i].choices[n]; n++)
        ck_assert_str_eq(ry_json_as_text(ry_json_at(list, n), "absent"),
                         enumerated[_i].choices[n]);
    ck_assert_uint_eq(ry_json_size(list), n);
}
END_TEST

/* The part of JSON Schema that share/schema uses, but for "pattern". */

static bool has_type(enum ry_json_type type, double number, const char *name)
{
    return (strcmp(name, "object") == 0 && type == RY_JSON_OBJECT) ||
           (strcmp(name, "array") == 0 && type == RY_JSON_LIST) ||
           (strcmp(name, "string") == 0 && type == RY_JSON_TEXT) ||
           (strcmp(name, "boolean") == 0 && type == RY_JSON_BOOL) ||
           (strcmp(name, "null") == 0 && type == RY_JSON_NULL) ||
           (strcmp(name, "number") == 0 && type == RY_JSON_NUMBER) ||
           (strcmp(name, "integer") == 0 && type == RY_JSON_NUMBER &&
            floor(number) == number);
}

static bool type_fits(struct ry_json schema, struct ry_json at)
{
    const struct ry_json type = ry_json_get(schema, "type");
    const enum ry_json_type its = ry_json_type(at);
    const double number = its == RY_JSON_NUMBER ? ry_json_as_number(at, 0.0) : 0.0;

    if (ry_json_type(type) == RY_JSON_TEXT)
        return has_type(its, number, ry_json_as_text(type, ""));
    for (size_t i = 0; i < ry_json_size(type); i++) {
        if (has_type(its, number, ry_json_as_text(ry_json_at(type, i), "")))
            return true;
    }
    return ry_json_type(type) == RY_JSON_ABSENT;
}

static bool scalar_fits(struct ry_json schema, struct ry_json at)
{
    const struct ry_json list = ry_json_get(schema, "enum");
    bool listed = ry_json_type(list) == RY_JSON_ABSENT;

    for (size_t i = 0; i < ry_json_size(list) && ry_json_type(at) == RY_JSON_TEXT; i++)
        listed = listed || strcmp(ry_json_as_text(ry_json_at(list, i), ""),
                                  ry_json_as_text(at, "-")) == 0;
    if (ry_json_type(at) != RY_JSON_NUMBER)
        return listed;
    const double number = ry_json_as_number(at, 0.0);
    return listed && number >= ry_json_number(schema, "minimum", -INFINITY) &&
           number <= ry_json_number(schema, "maximum", INFINITY);
}

static bool validates(struct ry_json root, struct ry_json schema, struct ry_json at,
                      int depth);

static bool members_fit(struct ry_json root, struct ry_json schema, struct ry_json at,
                        int depth)
{
    const struct ry_json properties = ry_json_get(schema, "properties");
    const struct ry_json required = ry_json_get(schema, "required");

    for (size_t i = 0; i < ry_json_size(required); i++) {
        if (ry_json_type(ry_json_get(at, ry_json_as_text(ry_json_at(required, i), ""))) ==
            RY_JSON_ABSENT)
            return false;
    }
    for (size_t i = 0; i < ry_json_size(at); i++) {
        const struct ry_json member = ry_json_at(at, i);
        const struct ry_json its = ry_json_get(properties, ry_json_key(member));
        if (ry_json_type(its) == RY_JSON_ABSENT
                ? !ry_json_bool(schema, "additionalProperties", true)
                : !validates(root, its, member, depth + 1))
            return false;
    }
    return true;
}

static bool validates(struct ry_json root, struct ry_json schema, struct ry_json at,
                      int depth)
{
    const struct ry_json before = schema;
    schema = resolved(root, schema);
    const struct ry_json any = ry_json_get(schema, "anyOf");
    bool one = ry_json_type(any) == RY_JSON_ABSENT;

    ck_assert_int_lt(depth, DEPTH_MOST);
    if (strncmp(ry_json_text(before, "$ref", "#"), "#", 1) != 0)
        root = schema;
    for (size_t i = 0; i < ry_json_size(any) && !one; i++)
        one = validates(root, ry_json_at(any, i), at, depth + 1);
    if (!one || !type_fits(schema, at) || !scalar_fits(schema, at))
        return false;
    if (ry_json_type(at) == RY_JSON_LIST) {
        const struct ry_json items = ry_json_get(schema, "items");
        bool all = (double)ry_json_size(at) >= ry_json_number(schema, "minItems", 0.0);
        for (size_t i = 0; i < ry_json_size(at) && ry_json_type(items) == RY_JSON_OBJECT;
             i++)
            all = all && validates(root, items, ry_json_at(at, i), depth + 1);
        return all;
    }
    return ry_json_type(at) != RY_JSON_OBJECT || members_fit(root, schema, at, depth);
}

static void check_folder(const char *folder, const char *suffix)
{
    struct ry_file_names names;
    const char *path = ry_data_path(arena, folder);

    ck_assert_int_eq(ry_folder_list(arena, path, suffix, &names, NULL), RY_OK);
    ck_assert_uint_gt(names.n, 5);
    for (size_t i = 0; i < names.n; i++) {
        struct ry_json root = {0};
        char file[400];
        (void)snprintf(file, sizeof(file), "%s/%s", path, names.at[i]);
        ck_assert_int_eq(ry_json_open(arena, file, &problems, &root), RY_OK);
        const char *name = ry_json_has(root, "node")    ? "design"
                           : ry_json_has(root, "model") ? "workload"
                                                        : "plan";
        const struct ry_json schema = schema_of(name);
        ck_assert_msg(validates(schema, schema, root, 0), "%s is no %s by its schema",
                      file, name);
    }
    show_problems();
}

START_TEST(every_example_validates)
{
    check_folder("examples", ".json");
    check_folder("examples/workloads", ".json");
}
END_TEST

static const struct {
    const char *schema, *text;
    bool fits;
} documents[] = {
    {"design", "{\"node\": \"DGX-H100\", \"nodes\": 4}", true},
    {"design", "{\"node\": {\"base\": \"DGX-H100\", \"gpu_count\": 4}, \"nodes\": 4}",
     true},
    {"design", "{\"node\": \"DGX-H100\", \"nodes\": {\"any\": [1, 2]}}", true},
    {"design",
     "{\"node\": \"DGX-H100\", \"nodes\": 4, \"facility\": {\"pue\": 1.2,"
     " \"rack_power\": \"40 kW\"}}",
     true},
    {"design", "{\"node\": \"DGX-H100\"}", false},
    {"design", "{\"node\": \"DGX-H100\", \"nodes\": 4.5}", false},
    {"design", "{\"node\": \"DGX-H100\", \"nodes\": 4, \"noeds\": 5}", false},
    {"design",
     "{\"node\": \"DGX-H100\", \"nodes\": 4, \"fabric\": {\"leaf\": \"QM9700\"}}", false},
    {"design",
     "{\"node\": \"DGX-H100\", \"nodes\": 4, \"fabric\": {\"technology\":"
     " \"token-ring\"}}",
     false},
    {"design", "{\"node\": \"DGX-H100\", \"nodes\": 4, \"finance\": {\"pue\": 1.2}}",
     false},
    {"workload",
     "{\"model\": \"llama3-8b\", \"seq\": 1, \"global_batch\": 1, \"tokens\": \"1T\","
     " \"strategy\": {\"tp\": [1, 2], \"recompute\": \"full\"}}",
     true},
    {"workload",
     "{\"model\": \"llama3-8b\", \"seq\": 1, \"global_batch\": 1, \"tokens\": \"1T\","
     " \"strategy\": {\"tp\": [0]}}",
     false},
    {"workload",
     "{\"model\": \"llama3-8b\", \"seq\": 1, \"global_batch\": 1, \"tokens\": true}",
     false},
    {"plan",
     "{\"design\": {\"node\": \"DGX-H100\", \"nodes\": 4}, \"workload\": {\"model\": "
     "\"x\","
     " \"seq\": 1, \"global_batch\": 1, \"tokens\": 1}}",
     true},
    {"plan",
     "{\"design\": {\"node\": \"DGX-H100\"}, \"workload\": {\"model\": \"x\","
     " \"seq\": 1, \"global_batch\": 1, \"tokens\": 1}}",
     false},
};

START_TEST(documents_fit_or_do_not)
{
    const struct ry_json schema = schema_of(documents[_i].schema);
    const struct ry_json at = parse("document", documents[_i].text);

    ck_assert_int_eq(validates(schema, schema, at, 0), documents[_i].fits);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("schema");
    TCase *tcase = tcase_create("schema");

    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_test(tcase, designs_have_the_keys_of_their_reader);
    tcase_add_test(tcase, workloads_have_the_keys_of_their_reader);
    tcase_add_loop_test(tcase, choices_are_those_of_the_reader, 0,
                        sizeof(enumerated) / sizeof(enumerated[0]));
    tcase_add_test(tcase, every_example_validates);
    tcase_add_loop_test(tcase, documents_fit_or_do_not, 0,
                        sizeof(documents) / sizeof(documents[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
