/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shard found, in its JSON; cli/shard_file.c reads it. */
#include "cli/work.h"

#include <stdio.h>

static void print_count(const char *key, uint64_t count)
{
    printf(", \"%s\": %llu", key, (unsigned long long)count);
}

static void print_tally(const struct ry_search_tally *tally)
{
    printf("{\"evaluated\": %llu", (unsigned long long)tally->evaluated);
    print_count("infeasible", tally->too_large);
    print_count("indivisible", tally->indivisible);
    printf(", \"least_missing_bytes\": ");
    ry_json_put_number(stdout, tally->least_missing_bytes);
    print_count("least_missing", tally->least_missing_index);
    print_count("first_indivisible", tally->first_indivisible_index);
    printf(", \"found\": [");
    for (size_t i = 0; i < tally->best_n; i++) {
        printf("%s[%llu, ", i ? ", " : "", (unsigned long long)tally->best[i].index);
        ry_json_put_number(stdout, tally->best[i].step_time_s);
        printf("]");
    }
    printf("]}");
}

static void print_number(const char *key, double number)
{
    printf(", \"%s\": ", key);
    ry_json_put_number(stdout, number);
}

/* A case that another shard has, or that has no strategies, is null. */
static void print_best(const struct ry_case *c)
{
    const struct ry_best *best = &c->best;

    if (c->err != RY_OK || c->strategies == 0) {
        printf("null");
        return;
    }
    printf("{\"found\": %s, \"chosen\": %s", best->found ? "true" : "false",
           c->chosen ? "true" : "false");
    print_count("strategy", best->at.index);
    print_number("step_time_s", best->at.step_time_s);
    print_number("figure", best->figure);
    print_count("evaluated", best->evaluated);
    print_count("pruned", best->pruned);
    print_number("pruned_least", best->pruned_least); /* null: infinite, none */
    print_count("infeasible", best->infeasible);
    print_count("indivisible", best->uncut);
    printf(", \"why\": ");
    ry_json_put_text(stdout, best->why);
    printf("}");
}

void ry_work_print_shard(const struct ry_work *work, const struct ry_shard_part *part)
{
    if (work->shards == 0)
        return;
    printf(",\n  \"shard\": {\n    \"command\": ");
    ry_json_put_text(stdout, work->cmd->name);
    printf(",\n    \"index\": %zu,\n    \"of\": %zu,\n    \"inputs\": ", work->shard,
           work->shards);
    ry_json_put_text(stdout, work->inputs);
    printf(",\n    \"arguments\": %s,\n    \"whole\": %s,\n    \"cases\": [",
           ry_work_words_json(work), part->whole ? "true" : "false");
    for (size_t i = 0; i < part->n; i++) {
        printf("%s\n      ", i ? "," : "");
        if (part->search)
            print_tally(part->search[i]);
        else
            print_best(&part->rank[i]);
    }
    printf("\n    ]\n  }");
}
