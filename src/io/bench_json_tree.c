/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 200 };

double ry_member_number_of(const cJSON *node)
{
    struct ry_slice text;
    double value = RY_UNKNOWN;

    if (cJSON_IsNumber(node))
        return isfinite(node->valuedouble) ? node->valuedouble : RY_UNKNOWN;
    if (!cJSON_IsString(node))
        return RY_UNKNOWN;
    text = ry_slice_trim((struct ry_slice){node->valuestring, strlen(node->valuestring)});
    return ry_slice_is_number(text, &value) ? value : RY_UNKNOWN;
}

double ry_member_number(const cJSON *object, const char *key)
{
    return ry_member_number_of(cJSON_GetObjectItemCaseSensitive(object, key));
}

const char *ry_member_text(const cJSON *object, const char *key)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(node) ? node->valuestring : NULL;
}

const char *ry_member_kept(struct ry_bench_draft *draft, const char *word)
{
    return word ? ry_draft_word(draft, (struct ry_slice){word, strlen(word)}) : NULL;
}

const char *ry_member_collective(struct ry_bench_draft *draft, const char *word)
{
    if (!word)
        return NULL;
    const char *known = ry_bench_collective((struct ry_slice){word, strlen(word)});
    return known ? known : ry_member_kept(draft, word);
}

/* A killed run leaves its object open: cut after the last whole value, close the rest. */
struct repair {
    char stack[DEPTH_MOST], kept[DEPTH_MOST];
    size_t depth, kept_depth, cut;
    bool in_string, escaped, bad;
};

static void repair_step(struct repair *state, char c, size_t i)
{
    if (state->in_string) {
        if (state->escaped)
            state->escaped = false;
        else if (c == '\\')
            state->escaped = true;
        else if (c == '"')
            state->in_string = false;
        return;
    }
    if (c == '"')
        state->in_string = true;
    else if (c == '{' || c == '[') {
        if (state->depth == DEPTH_MOST)
            state->bad = true;
        else
            state->stack[state->depth++] = c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
        if (state->depth == 0 || state->stack[state->depth - 1] != c)
            state->bad = true;
        else
            state->depth--;
    }
    if (c == ',' || c == '}' || c == ']') {
        state->cut = c == ',' ? i : i + 1;
        state->kept_depth = state->depth;
        memcpy(state->kept, state->stack, state->depth);
    }
}

cJSON *ry_bench_json_parse_cut(struct ry_slice all)
{
    struct repair state = {.depth = 0};

    for (size_t i = 0; i < all.n && !state.bad; i++)
        repair_step(&state, all.at[i], i);
    if (state.bad || state.cut == 0 || state.kept_depth == 0)
        return NULL;
    char *closed = malloc(state.cut + state.kept_depth + 1);
    if (!closed)
        return NULL;
    memcpy(closed, all.at, state.cut);
    for (size_t i = 0; i < state.kept_depth; i++)
        closed[state.cut + i] = state.kept[state.kept_depth - 1 - i];
    cJSON *root = cJSON_ParseWithLength(closed, state.cut + state.kept_depth);
    free(closed);
    return root;
}
