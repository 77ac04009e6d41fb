/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shard_file.h"

#include "cli/commands.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SHARD_N_MOST = 1 << 20 };

/* A search of ten thousand designs keeps 64 strategies of each. */
static const struct ry_json_limits limits = {
    .file_bytes = 256UL << 20, .depth = 16, .values = 16UL << 20};

/* Indices and counts of strategies: whole in a double. */
static const struct ry_json_bounds any_count = {0, (size_t)1 << 53};

static void read_file(struct ry_arena *arena, const char *path,
                      struct ry_problems *problems, struct ry_shards *shards)
{
    struct ry_shard_file *file = &shards->at[shards->n];
    struct ry_json root;

    if (ry_json_open_limited(arena, path, &limits, problems, &root) != RY_OK)
        return;
    const struct ry_json shard = ry_json_get(root, "shard");
    if (ry_json_type(shard) != RY_JSON_OBJECT) {
        ry_problem(problems, RY_ERR_SYNTAX, path,
                   "is no shard; 'railyard search --shard I/N --format json' writes one");
        return;
    }
    *file = (struct ry_shard_file){
        .path = path,
        .command = ry_json_as_text(ry_json_need(shard, "command"), ""),
        .inputs = ry_json_as_text(ry_json_need(shard, "inputs"), ""),
        .of = ry_json_as_count(ry_json_need(shard, "of"),
                               (struct ry_json_bounds){1, SHARD_N_MOST}, 1),
        .arguments = ry_json_need(shard, "arguments"),
        .cases = ry_json_need(shard, "cases"),
        .seconds = ry_json_number(root, "seconds", 0.0),
        .strategies_per_s = ry_json_number(root, "strategies_per_s", 0.0),
    };
    file->index = ry_json_as_count(ry_json_need(shard, "index"),
                                   (struct ry_json_bounds){0, file->of - 1}, 0);
    (void)ry_json_expect(file->arguments, RY_JSON_LIST);
    (void)ry_json_expect(file->cases, RY_JSON_LIST);
    if (!ry_json_bool(shard, "whole", false))
        ry_problem(problems, RY_ERR_SYNTAX, path,
                   "was interrupted: its part of the work is not whole");
    shards->n++;
}

/* The command, when its work can be sharded. */
static const struct ry_cmd *find_command(const char *name)
{
    const struct ry_cmd *cmd = NULL;

    for (size_t i = 0; (cmd = ry_command_at(i)) != NULL; i++)
        if (strcmp(cmd->name, name) == 0)
            break;
    return cmd && (strcmp(name, "search") == 0 || strcmp(name, "rank") == 0) ? cmd : NULL;
}

/* Against the first file, then against all before it. */
static void check_file(const struct ry_shards *shards, size_t i,
                       struct ry_problems *problems)
{
    const struct ry_shard_file *first = &shards->at[0];
    const struct ry_shard_file *file = &shards->at[i];

    if (strcmp(file->command, first->command) != 0)
        ry_problem(problems, RY_ERR_RANGE, file->path, "is of '%s', %s of '%s'",
                   file->command, first->path, first->command);
    else if (file->of != first->of)
        ry_problem(problems, RY_ERR_RANGE, file->path, "is one of %zu shards, %s of %zu",
                   file->of, first->path, first->of);
    else if (strcmp(file->inputs, first->inputs) != 0)
        ry_problem(problems, RY_ERR_RANGE, file->path,
                   "has other inputs, options or another railyard than %s", first->path);
    else if (ry_json_size(file->cases) != ry_json_size(first->cases))
        ry_problem(problems, RY_ERR_RANGE, file->path, "has %zu cases, %s has %zu",
                   ry_json_size(file->cases), first->path, ry_json_size(first->cases));
    for (size_t k = 0; k < i; k++) {
        if (shards->at[k].index == file->index)
            ry_problem(problems, RY_ERR_RANGE, file->path, "is shard %zu/%zu, as is %s",
                       file->index, file->of, shards->at[k].path);
    }
}

static bool is_there(const struct ry_shards *shards, size_t index)
{
    for (size_t i = 0; i < shards->n; i++)
        if (shards->at[i].index == index)
            return true;
    return false;
}

static void check_all(const struct ry_shards *shards, struct ry_problems *problems)
{
    for (size_t i = 1; i < shards->n; i++)
        check_file(shards, i, problems);
    if (!find_command(shards->at[0].command))
        ry_problem(problems, RY_ERR_SYNTAX, shards->at[0].path,
                   "shard of '%.32s', which is not search or rank",
                   shards->at[0].command);
    for (size_t i = 0; i < shards->at[0].of && problems->count < RY_PROBLEMS_KEPT; i++) {
        if (!is_there(shards, i))
            ry_problem(problems, RY_ERR_RANGE, "merge", "shard %zu/%zu is missing", i,
                       shards->at[0].of);
    }
}

static uint64_t count_of(struct ry_json at, const char *key)
{
    return ry_json_as_count(ry_json_need(at, key), any_count, 0);
}

static void read_found(struct ry_json list, struct ry_search_tally *tally)
{
    const size_t n = ry_json_size(list);

    (void)ry_json_expect(list, RY_JSON_LIST);
    if (n > RY_SEARCH_KEPT)
        ry_json_problem(list, RY_ERR_RANGE, "%zu strategies, at most %d are kept", n,
                        RY_SEARCH_KEPT);
    for (size_t i = 0; i < n && i < RY_SEARCH_KEPT; i++) {
        const struct ry_json pair = ry_json_at(list, i);
        if (ry_json_size(pair) != 2)
            ry_json_problem(pair, RY_ERR_SYNTAX, "is not [strategy, seconds]");
        tally->best[tally->best_n++] =
            (struct ry_search_found){ry_json_as_count(ry_json_at(pair, 0), any_count, 0),
                                     ry_json_as_number(ry_json_at(pair, 1), (double)NAN)};
    }
}

static struct ry_search_tally read_tally(struct ry_json at)
{
    struct ry_search_tally tally = {
        .evaluated = count_of(at, "evaluated"),
        .too_large = count_of(at, "infeasible"),
        .indivisible = count_of(at, "indivisible"),
        .least_missing_bytes = ry_json_number(at, "least_missing_bytes", 0.0),
        .least_missing_index = count_of(at, "least_missing"),
        .first_indivisible_index = count_of(at, "first_indivisible"),
    };

    read_found(ry_json_need(at, "found"), &tally);
    return tally;
}

static void join_search(struct ry_shards *shards)
{
    for (size_t i = 0; i < shards->n; i++) {
        const struct ry_shard_file *file = &shards->at[i];
        shards->joined.seconds += file->seconds;
        shards->joined.timed += file->seconds * file->strategies_per_s;
    }
    for (size_t c = 0; c < shards->joined.cases_n; c++) {
        for (size_t i = 0; i < shards->n; i++) {
            const struct ry_search_tally tally =
                read_tally(ry_json_at(shards->at[i].cases, c));
            ry_search_merge(&shards->joined.search[c], &tally);
        }
    }
}

static struct ry_case_found read_best(struct ry_json at)
{
    struct ry_case_found found = {.chosen = ry_json_bool(at, "chosen", false)};
    struct ry_best *best = &found.best;

    best->found = ry_json_as_bool(ry_json_need(at, "found"), false);
    best->at.index = count_of(at, "strategy");
    best->at.step_time_s = ry_json_number(at, "step_time_s", 0.0);
    best->figure = ry_json_number(at, "figure", (double)NAN);
    best->evaluated = count_of(at, "evaluated");
    best->pruned = count_of(at, "pruned");
    best->pruned_least = ry_json_number(at, "pruned_least", (double)INFINITY);
    best->infeasible = count_of(at, "infeasible");
    best->uncut = count_of(at, "indivisible");
    (void)snprintf(best->why, sizeof(best->why), "%s", ry_json_text(at, "why", ""));
    return found;
}

static enum ry_err join_rank(struct ry_arena *arena, struct ry_shards *shards)
{
    struct ry_joined *joined = &shards->joined;

    joined->rank = RY_NEW(arena, const struct ry_case_found *, joined->cases_n + 1);
    for (size_t c = 0; joined->rank && c < joined->cases_n; c++) {
        for (size_t i = 0; i < shards->n; i++) {
            const struct ry_json at = ry_json_at(shards->at[i].cases, c);
            if (ry_json_type(at) == RY_JSON_NULL)
                continue;
            struct ry_case_found *found = RY_NEW(arena, struct ry_case_found, 1);
            if (!found)
                return RY_ERR_NOMEM;
            *found = read_best(at);
            if (joined->rank[c])
                ry_json_problem(at, RY_ERR_RANGE, "case %zu is in another shard too", c);
            joined->rank[c] = found;
        }
    }
    return joined->rank ? RY_OK : RY_ERR_NOMEM;
}

static enum ry_err join(struct ry_arena *arena, struct ry_shards *shards)
{
    struct ry_joined *joined = &shards->joined;

    shards->cmd = find_command(shards->at[0].command);
    *joined = (struct ry_joined){.first = shards->at[0].path,
                                 .inputs = shards->at[0].inputs,
                                 .cases_n = ry_json_size(shards->at[0].cases)};
    if (strcmp(shards->cmd->name, "rank") == 0)
        return join_rank(arena, shards);
    joined->search = RY_NEW(arena, struct ry_search_tally, joined->cases_n + 1);
    if (!joined->search)
        return RY_ERR_NOMEM;
    join_search(shards);
    return RY_OK;
}

enum ry_err ry_shards_read(struct ry_arena *arena, const struct ry_strings *paths,
                           struct ry_problems *problems, struct ry_shards *shards)
{
    *shards = (struct ry_shards){0};
    for (size_t i = 0; i < paths->n; i++)
        read_file(arena, paths->at[i], problems, shards);
    if (problems->count == 0)
        check_all(shards, problems);
    return problems->count == 0 ? join(arena, shards) : RY_OK;
}
