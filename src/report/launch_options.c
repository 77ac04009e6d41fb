/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/launch_options.h"

#include "base/names.h"

#include <cjson/cJSON.h>

#include <stdlib.h>
#include <string.h>

enum form {
    FORM_ARGUMENTS, /* --name, value */
    FORM_OVERRIDES, /* name=value */
    FORM_JSON,      /* {"a": {"b": value}} of "a.b" */
};

static const struct {
    const char *name;
    enum form form;
} frameworks[] = {
    {"megatron-lm", FORM_ARGUMENTS}, {"megatron-bridge", FORM_OVERRIDES},
    {"torchtitan", FORM_ARGUMENTS},  {"deepspeed", FORM_JSON},
    {"accelerate", FORM_JSON},
};

const char *ry_launch_framework(size_t i)
{
    return i < sizeof(frameworks) / sizeof(frameworks[0]) ? frameworks[i].name : NULL;
}

static enum form form_of(const char *framework)
{
    for (size_t i = 0; ry_launch_framework(i); i++)
        if (strcmp(frameworks[i].name, framework) == 0)
            return frameworks[i].form;
    return FORM_ARGUMENTS;
}

const char *ry_launch_suffix(const char *framework)
{
    return form_of(framework) == FORM_JSON ? ".json" : ".args";
}

static bool is_option(const struct ry_setting *setting, const char *framework)
{
    return strcmp(setting->target, framework) == 0 && setting->name[0] != '!' &&
           setting->name[0] != '#';
}

const char *ry_launch_refusal(const struct ry_launch_plan *launch, const char *framework)
{
    for (size_t i = 0; i < launch->frameworks.n; i++) {
        const struct ry_setting *setting = &launch->frameworks.at[i];
        if (strcmp(setting->target, framework) == 0 && setting->name[0] == '!')
            return setting->reason;
    }
    return NULL;
}

/* One argument a line, so that a script reads them without splitting words. */
static void put_arguments(const struct ry_launch_plan *launch, const char *framework,
                          FILE *out)
{
    for (size_t i = 0; i < launch->frameworks.n; i++) {
        const struct ry_setting *setting = &launch->frameworks.at[i];
        if (!is_option(setting, framework))
            continue;
        if (form_of(framework) == FORM_OVERRIDES) {
            (void)fprintf(out, "%s=%s\n", setting->name, setting->value);
            continue;
        }
        (void)fprintf(out, "%s\n", setting->name);
        for (const char *at = setting->value; *at;) {
            const size_t bytes = strcspn(at, " ");
            (void)fprintf(out, "%.*s\n", (int)bytes, at);
            at += bytes + (at[bytes] == ' ');
        }
    }
}

static cJSON *value_of(const char *text)
{
    char *end = NULL;
    const double number = strtod(text, &end);

    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return cJSON_CreateBool(text[0] == 't');
    return end != text && *end == '\0' ? cJSON_CreateNumber(number)
                                       : cJSON_CreateString(text);
}

/* The object that "a.b.c" is a member of, made where it is not there, and "c". */
static cJSON *object_of(cJSON *root, const char *path, const char **name)
{
    char key[64];

    for (const char *dot = strchr(path, '.'); root && dot; dot = strchr(path, '.')) {
        const size_t bytes = (size_t)(dot - path);
        if (bytes >= sizeof(key))
            return NULL;
        memcpy(key, path, bytes);
        key[bytes] = '\0';
        cJSON *inner = cJSON_GetObjectItemCaseSensitive(root, key);
        root = inner ? inner : cJSON_AddObjectToObject(root, key);
        path = dot + 1;
    }
    *name = path;
    return root;
}

static bool add_members(const struct ry_launch_plan *launch, const char *framework,
                        cJSON *root)
{
    for (size_t i = 0; i < launch->frameworks.n; i++) {
        const struct ry_setting *setting = &launch->frameworks.at[i];
        const char *name = NULL;
        if (!is_option(setting, framework))
            continue;
        cJSON *object = object_of(root, setting->name, &name);
        if (!object || !cJSON_AddItemToObject(object, name, value_of(setting->value)))
            return false;
    }
    return true;
}

static enum ry_err put_json(const struct ry_launch_plan *launch, const char *framework,
                            FILE *out, struct ry_diag *diag)
{
    cJSON *root = cJSON_CreateObject();
    char *text = root && add_members(launch, framework, root) ? cJSON_Print(root) : NULL;
    const bool printed = text != NULL;

    if (printed)
        (void)fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
    return printed ? RY_OK : ry_fail(diag, RY_ERR_NOMEM, framework, "its options");
}

enum ry_err ry_launch_options(const struct ry_launch_plan *launch, const char *framework,
                              FILE *out, struct ry_diag *diag)
{
    if (form_of(framework) == FORM_JSON)
        return put_json(launch, framework, out, diag);
    put_arguments(launch, framework, out);
    return RY_OK;
}
