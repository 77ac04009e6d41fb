/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "calibrate/judge.h"
#include "cli/cmd.h"
#include "cli/collective_input.h"
#include "cli/net_input.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>

struct options {
    struct ry_net_options net;
    struct ry_collective_opts files;
    int format;
};

static const struct ry_column columns[] = {
    {.key = "file", .title = "file"},
    {.key = "collective", .title = "collective", .less = 3},
    {.key = "ranks", .title = "ranks", .show = RY_SHOW_COUNT, .less = 4},
    {.key = "domains", .title = "domains", .show = RY_SHOW_COUNT, .less = 6},
    {.key = "bytes", .title = "size", .show = RY_SHOW_BYTES},
    {.key = "busbw_bytes_per_s", .title = "busbw", .show = RY_SHOW_BYTES_PER_S},
    {.key = "expected_busbw_bytes_per_s",
     .title = "expected",
     .show = RY_SHOW_BYTES_PER_S},
    {.key = "usable_busbw_bytes_per_s", .show = RY_SHOW_BYTES_PER_S}, /* at any size */
    {.key = "bound_busbw_bytes_per_s",
     .title = "bound",
     .show = RY_SHOW_BYTES_PER_S,
     .less = 5},
    {.key = "limited_by", .title = "limited by", .less = 2},
    {.key = "algorithm"}, /* of the expected time */
    {.key = "share_of_expected", .title = "share", .show = RY_SHOW_FRACTION},
    {.key = "measured_over_expected_time",
     .title = "slower, times",
     .show = RY_SHOW_NUMBER,
     .less = 9},
    {.key = "nic_bytes_per_s", .title = "a NIC", .show = RY_SHOW_BYTES_PER_S, .less = 8},
    {.key = "verdict", .title = "verdict"},
    {.key = "cause", .title = "likely cause", .wrap = true},
    {.key = "gain", .show = RY_SHOW_NUMBER},
    {.key = "hardware", .title = "hardware from", .wrap = true, .less = 9},
    {.key = "hardware_assumed", .show = RY_SHOW_BOOL},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

struct judging {
    struct ry_arena *arena;
    const struct options *options;
    struct ry_net_source source;
    struct ry_table *table;
    bool low;
};

static const char *cause_text(struct judging *judging, const struct ry_judgement *j,
                              double nics)
{
    if (j->verdict == RY_VERDICT_IMPOSSIBLE)
        return "more than the links can carry: it ran on other hardware than stated";
    if (j->cause == RY_CAUSE_SOME_NICS || j->cause == RY_CAUSE_ONE_NIC)
        return ry_strfmt(judging->arena, "as %.0f of %.0f NICs: %s", j->nics_seen, nics,
                         ry_cause_text(j->cause));
    return j->cause == RY_CAUSE_NONE ? NULL : ry_cause_text(j->cause);
}

static enum ry_err judge_run(struct judging *judging, const struct ry_coll_run *run,
                             struct ry_diag *diag)
{
    const struct ry_net_hint hint = {run->gpu, run->ranks,
                                     run->nodes_known ? run->nodes : 0};
    struct ry_net_known known;

    RY_TRY(ry_net_input(&judging->source, &judging->options->net, &hint, &known, diag));
    const struct ry_judgement j = ry_judge(&known.net, &known.group, run);
    const size_t domains =
        (known.group.ranks + known.group.per_domain - 1) / known.group.per_domain;
    ry_table_row(judging->table,
                 (struct ry_cell[]){
                     RY_TEXT(run->file),
                     RY_TEXT(ry_coll_name(run->coll)),
                     RY_NUM((double)run->ranks),
                     RY_NUM((double)domains),
                     RY_NUM(j.bytes),
                     RY_NUM(j.busbw_bytes_per_s),
                     RY_NUM(j.expected_busbw_bytes_per_s),
                     RY_NUM(j.peak_busbw_bytes_per_s),
                     RY_NUM(j.bound_busbw_bytes_per_s),
                     RY_TEXT(ry_net_limit_text(j.limit)),
                     RY_TEXT(ry_coll_algo_name(j.algo)),
                     RY_NUM(j.busbw_bytes_per_s / j.expected_busbw_bytes_per_s),
                     RY_NUM(j.slow_times),
                     RY_NUM(domains > 1 ? j.nic_bytes_per_s : (double)NAN),
                     RY_TEXT(ry_verdict_name(j.verdict)),
                     RY_TEXT(cause_text(judging, &j, known.net.fabric.nics_per_domain)),
                     RY_NUM(j.gain),
                     RY_TEXT(known.from),
                     RY_NUM(known.assumed),
                 });
    judging->low |= j.verdict != RY_VERDICT_GOOD;
    return RY_OK;
}

static enum ry_err judge(struct judging *judging, const struct ry_strings *args,
                         struct ry_diag *diag)
{
    const struct options *options = judging->options;
    const struct ry_input_rules rules = {
        .hints = {options->files.collective, options->files.ranks, options->files.nodes},
        .mixed_gpus = true,
        .apart = true,
    };
    struct ry_collective_input input;

    RY_TRY(ry_net_source_open(judging->arena, &options->net, &judging->source, diag));
    RY_TRY(ry_collective_input_read(judging->arena, args, &rules, &input, diag));
    judging->table = ry_table_create(judging->arena, columns, COLUMNS);
    for (size_t i = 0; i < input.runs; i++)
        if (input.run[i].n > 0)
            RY_TRY(judge_run(judging, &input.run[i], diag));
    if (!options->files.quiet)
        for (size_t i = 0; i < input.notes; i++)
            (void)fprintf(stderr, "note: %s\n", input.note[i]);
    RY_TRY(ry_table_print(judging->table, stdout, (enum ry_table_format)options->format,
                          diag));
    return judging->low ? RY_ERR_NO : RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    struct judging judging = {.arena = arena, .options = options};

    return judge(&judging, args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPTS_NET(struct options, net),
    RY_OPTS_COLLECTIVE(struct options, files),
    RY_OPT_FORMAT(struct options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_calibrate_judge = {
    .name = "calibrate judge",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Say whether a measured busbw is good for its hardware, and why not",
    .example = "railyard calibrate judge models/data/b200-16g-all_reduce-gcp-roce.txt "
               "--gpu B200-SXM-180GB",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
