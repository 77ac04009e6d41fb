/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_json.h"

#include <math.h>
#include <string.h>

enum { MARKS_MOST = 6000000 }; /* commas and brackets: bounds the memory of the tree */

/* perftest --out_json: units follow an option that the file does not hold. */
static double perftest_unit(double average, double rate_mpps, double bytes)
{
    const double units[] = {1048576.0, 0.125e9, 1e6};
    const double rate = rate_mpps * 1e6 * bytes;

    for (size_t i = 0; i < 3; i++)
        if (fabs(average * units[i] / rate - 1.0) < 0.02)
            return units[i];
    return RY_UNKNOWN;
}

static const char *perftest_name(const char *test)
{
    static const char *const names[][2] = {{"Write", "rdma_write"},
                                           {"Read", "rdma_read"},
                                           {"Send", "rdma_send"},
                                           {"Atomic", "rdma_atomic"}};
    for (size_t i = 0; test && i < 4; i++)
        if (strstr(test, names[i][0]))
            return names[i][1];
    return NULL;
}

static bool read_perftest(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *info = cJSON_GetObjectItemCaseSensitive(root, "test_info");
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    const cJSON *first =
        cJSON_IsArray(results) ? cJSON_GetArrayItem(results, 0) : results;

    if (!cJSON_IsObject(info) || !cJSON_IsObject(first) ||
        !cJSON_GetObjectItemCaseSensitive(first, "MsgSize"))
        return false;
    struct ry_draft_run *run = ry_draft_add_run(draft, "perftest JSON", 0);
    run->run.collective = perftest_name(ry_member_text(info, "test"));
    run->run.ranks = 2.0;
    const bool both = ry_member_text(info, "test") &&
                      strstr(ry_member_text(info, "test"), "Bidirectional");
    for (const cJSON *item = first; item;
         item = cJSON_IsArray(results) ? item->next : NULL) {
        struct ry_draft_row *row = ry_draft_add_row(draft, run, 0);
        row->row.bytes = ry_member_number(item, "MsgSize");
        row->row.iterations = ry_member_number(item, "n_iterations");
        row->row.time_s = ry_member_number(item, "t_typical") / 1e6;
        if (isnan(row->row.time_s))
            row->row.time_s = ry_member_number(item, "t_avg") / 1e6;
        row->row.min_s = ry_member_number(item, "t_min") / 1e6;
        row->row.max_s = ry_member_number(item, "t_max") / 1e6;
        const double average = ry_member_number(item, "BW_average");
        const double unit =
            perftest_unit(average, ry_member_number(item, "MsgRate"), row->row.bytes);
        row->row.algbw_bytes_per_s = row->row.busbw_bytes_per_s = average * unit;
        if (isfinite(average) && isnan(unit))
            ry_draft_spoil(row, "BW_average agrees with MsgRate in no unit");
        if (both)
            ry_draft_spoil(row, "both directions are added up");
    }
    return true;
}

/* node-bench: SI units, names of PyTorch; of a run of the store the buffers are said
 * where node-bench has how it was launched. */

static enum ry_bench_place place_of(const char *launch)
{
    if (launch && strcmp(launch, "in-place") == 0)
        return RY_PLACE_IN;
    return launch && strcmp(launch, "out-of-place") == 0 ? RY_PLACE_OUT
                                                         : RY_PLACE_UNKNOWN;
}

static void add_node_bench(struct ry_bench_draft *draft, const cJSON *item,
                           const cJSON *root)
{
    const double busbw = ry_member_number(item, "busbw_bytes_per_s");
    const double algbw = ry_member_number(item, "algbw_bytes_per_s");
    const double times_s[] = {ry_member_number(item, "time_s"),
                              ry_member_number(item, "in_place_time_s")};
    const bool two = isfinite(times_s[1]);
    const enum ry_bench_place place = place_of(ry_member_text(item, "launch"));
    struct ry_bench_run like = {
        .collective = ry_member_collective(draft, ry_member_text(item, "op")),
        .ranks = ry_member_number(item, "ranks"),
        .nodes = ry_member_number(item, "nodes"),
        .launch = place == RY_PLACE_UNKNOWN ? ry_member_text(item, "launch") : NULL,
    };
    struct ry_draft_run *run = ry_draft_run_like(draft, "node-bench", &like);

    if (!run->run.env)
        run->run.env = ry_member_kept(draft, ry_member_text(root, "tag"));
    if (!run->run.gpu)
        run->run.gpu = ry_member_kept(draft, ry_member_text(root, "gpu"));
    if (!run->run.nccl)
        run->run.nccl = ry_member_kept(draft, ry_member_text(root, "nccl"));
    for (size_t i = 0; i < (two ? 2 : 1); i++) {
        struct ry_bench_row *row = &ry_draft_add_row(draft, run, 0)->row;
        row->bytes = ry_member_number(item, "bytes");
        row->dtype = ry_member_kept(draft, ry_member_text(item, "dtype"));
        row->time_s = times_s[i];
        row->place = !two ? place : i ? RY_PLACE_IN : RY_PLACE_OUT;
        row->algbw_bytes_per_s =
            i == 0 && isfinite(algbw) ? algbw : row->bytes / row->time_s;
        row->busbw_bytes_per_s =
            i == 0 && isfinite(busbw)
                ? busbw
                : row->algbw_bytes_per_s * ry_bench_factor(like.collective, like.ranks);
        if (i == 0) {
            row->min_s = ry_member_number(item, "min_s");
            row->max_s = ry_member_number(item, "max_s");
        }
    }
}

static bool read_node_bench(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "collectives");
    const cJSON *item;

    if (!cJSON_IsArray(list))
        return false;
    cJSON_ArrayForEach (item, list)
        add_node_bench(draft, item, root);
    return cJSON_GetArraySize(list) > 0;
}

static bool read_tree(struct ry_bench_draft *draft, const cJSON *root)
{
    return ry_bench_json_rccl(draft, root) || ry_bench_json_nccl(draft, root) ||
           read_perftest(draft, root) || read_node_bench(draft, root) ||
           ry_bench_json_keyed(draft, root);
}

static bool too_many_marks(struct ry_slice all)
{
    size_t marks = 0;

    for (size_t i = 0; i < all.n; i++)
        marks += all.at[i] == ',' || all.at[i] == '[' || all.at[i] == '{';
    return marks > MARKS_MOST;
}

static struct ry_slice from_first_bracket(struct ry_slice all)
{
    if (ry_slice_starts(all, "\xef\xbb\xbf"))
        all = (struct ry_slice){all.at + 3, all.n - 3};
    while (all.n > 0 && strchr(" \t\r\n", all.at[0]) && all.at[0] != '\0') {
        all.at++;
        all.n--;
    }
    return all;
}

bool ry_bench_read_json(struct ry_bench_draft *draft, struct ry_slice all)
{
    all = from_first_bracket(all);
    if (all.n == 0 || (all.at[0] != '{' && all.at[0] != '['))
        return ry_bench_json_rccl_lines(draft, all);
    if (too_many_marks(all))
        return false;
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(all.at, all.n, &end, 0);
    const bool one =
        root &&
        from_first_bracket((struct ry_slice){end, all.n - (size_t)(end - all.at)}).n == 0;
    bool found = one && read_tree(draft, root);
    cJSON_Delete(root);
    if (found || draft->out_of_memory)
        return found;
    root = one ? NULL : ry_bench_json_parse_cut(all);
    found = root && read_tree(draft, root);
    if (found)
        ry_draft_note(draft, 0, "the JSON ends early: what is whole was read");
    cJSON_Delete(root);
    return found || ry_bench_json_rccl_lines(draft, all);
}
