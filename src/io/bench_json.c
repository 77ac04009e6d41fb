/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_draft.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARKS_MOST = 6000000, /* commas and brackets: bounds the memory of the tree */
    DEPTH_MOST = 200,
    DEVICES_MOST = 1 << 16,
    HOSTS_MOST = 4096,
    RUNS_SEARCHED = 64,
};

/* Numbers also come as strings: "nan", "N/A", "    -1". */
static double number_of(const cJSON *node)
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

static double number(const cJSON *object, const char *key)
{
    return number_of(cJSON_GetObjectItemCaseSensitive(object, key));
}

static const char *text(const cJSON *object, const char *key)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(node) ? node->valuestring : NULL;
}

static const char *kept(struct ry_bench_draft *draft, const char *word)
{
    return word ? ry_draft_word(draft, (struct ry_slice){word, strlen(word)}) : NULL;
}

static const char *collective_of(struct ry_bench_draft *draft, const char *word)
{
    if (!word)
        return NULL;
    const char *known = ry_bench_collective((struct ry_slice){word, strlen(word)});
    return known ? known : kept(draft, word);
}

/* Half a unit of the last decimal that was printed; tools print at least two. */
static double half_of(double value)
{
    for (int decimals = 2; decimals < 9; decimals++) {
        const double scaled = value * pow(10.0, decimals);
        if (fabs(scaled - round(scaled)) < 1e-6)
            return 0.5 * pow(10.0, -decimals);
    }
    return 1e-9 * fabs(value);
}

/* Figures of one half in the tools' units: us and GB/s. */
static void set_figures(struct ry_draft_row *row, double time_us, double algbw,
                        double busbw)
{
    row->row.time_s = time_us / 1e6;
    row->row.algbw_bytes_per_s = algbw * 1e9;
    row->row.busbw_bytes_per_s = busbw * 1e9;
    row->algbw_half = half_of(algbw) * 1e9;
    row->busbw_half = half_of(busbw) * 1e9;
    if (!(time_us > 0.0) || isnan(algbw) || isnan(busbw)) {
        ry_draft_spoil(row, "a figure is missing or not a number");
        return;
    }
    const double rate = row->row.bytes / row->row.time_s;
    if (fabs(rate - row->row.algbw_bytes_per_s) > 1.02 * row->algbw_half + 0.002 * rate)
        ry_draft_spoil(row, "time does not give the bandwidth of the row");
}

static void set_wrong(struct ry_bench_draft *draft, struct ry_draft_row *row, double wrong)
{
    row->row.wrong = wrong;
    if (wrong > 0.0)
        ry_draft_spoil(row, ry_draft_text(draft, "%.0f wrong elements", wrong));
}

/* nccl-tests -J, schema versions 1 to 3. */

static const cJSON *half_time(const cJSON *half)
{
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(half, "time");
    return time ? time : cJSON_GetObjectItemCaseSensitive(half, "cpu_time");
}

static void add_nccl_half(struct ry_bench_draft *draft, struct ry_draft_run *run,
                          const cJSON *item, enum ry_bench_place place)
{
    const bool in = place == RY_PLACE_IN;
    const cJSON *half =
        cJSON_GetObjectItemCaseSensitive(item, in ? "in_place" : "out_of_place");
    const cJSON *spread = cJSON_GetObjectItemCaseSensitive(
        item, in ? "in_place_per_iter" : "out_of_place_per_iter");

    if (cJSON_IsNull(half))
        return;
    struct ry_draft_row *row = ry_draft_add_row(draft, run, 0);
    row->row.bytes = number(item, "size");
    row->row.count = number(item, "count");
    row->row.dtype = kept(draft, text(item, "type"));
    row->row.redop = kept(draft, text(item, "redop"));
    row->row.root = number(item, "root");
    row->row.iterations = number(item, "actual_iterations");
    row->row.place = place;
    row->row.min_s = number(spread, "min_us") / 1e6;
    row->row.max_s = number(spread, "max_us") / 1e6;
    if (!cJSON_IsObject(half)) {
        ry_draft_spoil(row, "torn or truncated: the figures are not whole");
        return;
    }
    set_figures(row, number_of(half_time(half)), number(half, "alg_bw"),
                number(half, "bus_bw"));
    set_wrong(draft, row, number(half, "nwrong"));
}

static bool is_known(const char *const *names, size_t n, const char *name)
{
    for (size_t i = n; i-- > 0;) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static void read_devices(struct ry_bench_draft *draft, struct ry_draft_run *run,
                         const cJSON *devices)
{
    const char **hosts = RY_NEW(draft->arena, const char *, HOSTS_MOST);
    size_t n_hosts = 0;
    size_t n = 0;
    const cJSON *device;

    draft->out_of_memory |= hosts == NULL;
    cJSON_ArrayForEach(device, devices)
    {
        if (!hosts || n++ == DEVICES_MOST)
            return;
        const double rank = number(device, "rank");
        const double index = number(device, "device");
        const char *host = text(device, "hostname");
        if (host && n_hosts < HOSTS_MOST && !is_known(hosts, n_hosts, host))
            hosts[n_hosts++] = host;
        run->listed_lines++;
        run->listed_ranks = fmax(run->listed_ranks, rank + 1.0);
        run->listed_devices = fmax(run->listed_devices, index + 1.0);
        if (!run->run.gpu)
            run->run.gpu = kept(draft, text(device, "device_info"));
    }
    run->listed_hosts = (double)n_hosts;
}

static const char *name_of_program(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *arg =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(root, "args"), 0);

    (void)draft;
    if (!cJSON_IsString(arg))
        return NULL;
    return ry_bench_collective_of_command(
        (struct ry_slice){arg->valuestring, strlen(arg->valuestring)});
}

static void judge_nccl_json(struct ry_bench_draft *draft, struct ry_draft_run *run,
                            const cJSON *root)
{
    const cJSON *bounds = cJSON_GetObjectItemCaseSensitive(root, "out_of_bounds");
    const char *okay = text(bounds, "okay");
    const cJSON *errors = cJSON_GetObjectItemCaseSensitive(root, "errors");

    run->run.checks_failed = number(bounds, "count");
    if ((okay && strcmp(okay, "false") == 0) || run->run.checks_failed > 0.0) {
        run->run.valid = false;
        run->run.reason = ry_draft_text(draft, "data check failed, %.0f values out of bounds",
                                        run->run.checks_failed);
    } else if (cJSON_GetArraySize(errors) > 0) {
        run->run.valid = false;
        run->run.reason = "the run ended with errors";
    }
}

static bool read_nccl(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(root, "config");
    const cJSON *item;

    if (!cJSON_IsArray(results) ||
        !(config || cJSON_GetObjectItemCaseSensitive(root, "nccl_version")))
        return false;
    struct ry_draft_run *run = ry_draft_add_run(draft, "nccl-tests JSON", 0);
    const double version = number(root, "nccl_version");
    if (version >= 10000.0 && version < 1e7)
        run->run.nccl = ry_draft_text(draft, "%.0f.%.0f.%.0f", floor(version / 10000.0),
                                      fmod(floor(version / 100.0), 100.0),
                                      fmod(version, 100.0));
    run->run.version = ry_draft_text(draft, "JSON %.0f", number(root, "version"));
    run->process_ranks = number(config, "nthreads") * number(config, "ngpus");
    run->run.iterations = number(config, "iterations");
    read_devices(draft, run, cJSON_GetObjectItemCaseSensitive(config, "devices"));
    run->run.collective = name_of_program(draft, root);
    cJSON_ArrayForEach(item, results)
    {
        if (!run->run.collective)
            run->run.collective = collective_of(draft, text(item, "experiment_name"));
        add_nccl_half(draft, run, item, RY_PLACE_OUT);
        add_nccl_half(draft, run, item, RY_PLACE_IN);
    }
    judge_nccl_json(draft, run, root);
    return true;
}

/* Sizes as keys: nccl-tests pull request 318. */

static void add_keyed_half(struct ry_bench_draft *draft, struct ry_draft_run *run,
                           const cJSON *item, double bytes, enum ry_bench_place place)
{
    const char *prefix = place == RY_PLACE_IN ? "ip" : "oop";
    char time[16], algbw[16], busbw[16], error[16];

    (void)snprintf(time, sizeof(time), "%s_time", prefix);
    (void)snprintf(algbw, sizeof(algbw), "%s_algbw", prefix);
    (void)snprintf(busbw, sizeof(busbw), "%s_busbw", prefix);
    (void)snprintf(error, sizeof(error), "%s_error", prefix);
    if (place == RY_PLACE_IN) {
        const char *in_error = text(item, error);
        const char *out_error = text(item, "oop_error");
        run->in_place_unchecked |= in_error && strcmp(in_error, "N/A") == 0 &&
                                   !(out_error && strcmp(out_error, "N/A") == 0);
    }
    if (!cJSON_GetObjectItemCaseSensitive(item, time))
        return;
    struct ry_draft_row *row = ry_draft_add_row(draft, run, 0);
    row->row.bytes = bytes;
    row->row.count = number(item, "count");
    row->row.dtype = kept(draft, text(item, "type"));
    row->row.redop = kept(draft, text(item, "redop"));
    row->row.root = number(item, "root");
    row->row.place = place;
    set_figures(row, number(item, time), number(item, algbw), number(item, busbw));
    set_wrong(draft, row, number(item, error));
}

static bool read_keyed_object(struct ry_bench_draft *draft, struct ry_draft_run **run,
                              const cJSON *object)
{
    const cJSON *item;
    bool any = false;

    cJSON_ArrayForEach(item, object)
    {
        double bytes = RY_UNKNOWN;
        const char *key = item->string;
        if (!key || !ry_slice_is_number((struct ry_slice){key, strlen(key)}, &bytes) ||
            (!cJSON_GetObjectItemCaseSensitive(item, "oop_time") &&
             !cJSON_GetObjectItemCaseSensitive(item, "ip_time")))
            continue;
        if (!*run)
            *run = ry_draft_add_run(draft, "size-keyed JSON", 0);
        add_keyed_half(draft, *run, item, bytes, RY_PLACE_OUT);
        add_keyed_half(draft, *run, item, bytes, RY_PLACE_IN);
        any = true;
    }
    return any;
}

static bool read_keyed(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "benchmark");
    struct ry_draft_run *run = NULL;
    bool any = read_keyed_object(draft, &run, root);
    const cJSON *item;

    if (cJSON_IsObject(list))
        any |= read_keyed_object(draft, &run, list);
    else
        cJSON_ArrayForEach(item, list) any |= read_keyed_object(draft, &run, item);
    if (any) {
        const char *name = text(root, "identifier");
        if (name)
            run->run.collective =
                ry_bench_collective((struct ry_slice){name, strlen(name)});
    }
    return any;
}

/* Records that name their collective and size: find the run they belong to. */
static struct ry_draft_run *run_of(struct ry_bench_draft *draft, const char *tool,
                                   const struct ry_bench_run *like)
{
    size_t searched = 0;

    for (struct ry_draft_run *run = draft->first; run && searched < RUNS_SEARCHED;
         run = run->next, searched++) {
        const char *a = run->run.launch ? run->run.launch : "";
        const char *b = like->launch ? like->launch : "";
        const bool same_ranks = run->run.ranks == like->ranks ||
                                (isnan(run->run.ranks) && isnan(like->ranks));
        if (strcmp(run->run.collective ? run->run.collective : "",
                   like->collective ? like->collective : "") == 0 &&
            same_ranks && strcmp(a, b) == 0)
            return run;
    }
    struct ry_draft_run *run = ry_draft_add_run(draft, tool, 0);
    run->run.collective = like->collective;
    run->run.launch = kept(draft, like->launch);
    run->run.ranks = like->ranks;
    run->run.nodes = like->nodes;
    return run;
}

/* rccl-tests: one record a half. */

static bool is_rccl(const cJSON *record)
{
    return cJSON_GetObjectItemCaseSensitive(record, "inPlace") &&
           cJSON_GetObjectItemCaseSensitive(record, "size") &&
           cJSON_GetObjectItemCaseSensitive(record, "time");
}

static double positive(double a, double otherwise)
{
    return a > 0.0 ? a : otherwise;
}

static void add_rccl(struct ry_bench_draft *draft, const cJSON *record, size_t line)
{
    struct ry_bench_run like = {
        .collective = collective_of(draft, text(record, "name")),
        .ranks = number(record, "ranks") * positive(number(record, "gpusPerRank"), 1.0),
        .nodes = number(record, "nodes"),
    };

    if (isnan(like.ranks)) {
        like.ranks = number(record, "gpus");
        like.nodes = isnan(like.nodes) ? 1.0 : like.nodes; /* built without MPI */
    }
    struct ry_draft_run *run = run_of(draft, "rccl-tests JSON", &like);
    struct ry_draft_row *row = ry_draft_add_row(draft, run, line);
    row->row.bytes = number(record, "size");
    row->row.dtype = kept(draft, text(record, "type"));
    row->row.redop = kept(draft, text(record, "redop"));
    row->row.place = number(record, "inPlace") == 1.0 ? RY_PLACE_IN : RY_PLACE_OUT;
    set_figures(row, number(record, "time"), number(record, "algBw"),
                number(record, "busBw"));
    const double wrong = number(record, "wrong");
    set_wrong(draft, row, isnan(wrong) ? number(record, "#wrong") : wrong);
}

static bool read_rccl_list(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *record;

    if (!cJSON_IsArray(root) || !is_rccl(cJSON_GetArrayItem(root, 0)))
        return false;
    cJSON_ArrayForEach(record, root)
    {
        if (is_rccl(record))
            add_rccl(draft, record, 0);
    }
    return true;
}

/* One object a line; the last may be cut off. */
static bool read_rccl_lines(struct ry_bench_draft *draft, struct ry_slice all)
{
    struct ry_lines *lines = RY_NEW(draft->arena, struct ry_lines, 1);
    struct ry_slice line;
    bool any = false;

    if (!lines) {
        draft->out_of_memory = true;
        return false;
    }
    if (!ry_slice_find(all, "\"busBw\""))
        return false;
    lines->at = all.at;
    lines->end = all.at + all.n;
    while (ry_lines_next(lines, &line)) {
        if (!ry_slice_find(line, "\"busBw\"") && !ry_slice_find(line, "\"algBw\""))
            continue;
        const char *begin = memchr(line.at, '{', line.n);
        cJSON *record = begin ? cJSON_ParseWithLength(
                                    begin, line.n - (size_t)(begin - line.at))
                              : NULL;
        if (record && is_rccl(record)) {
            add_rccl(draft, record, lines->number);
            any = true;
        } else
            ry_draft_note(draft, lines->number, "a record is torn: not read");
        cJSON_Delete(record);
    }
    return any;
}

/* perftest --out_json: units follow an option that the file does not hold. */
static double perftest_unit(double average, double rate_mpps, double bytes)
{
    const double units[] = {1048576.0, 0.125e9, 1e6};
    const double rate = rate_mpps * 1e6 * bytes;

    for (size_t i = 0; i < 3; i++) {
        if (fabs(average * units[i] / rate - 1.0) < 0.02)
            return units[i];
    }
    return RY_UNKNOWN;
}

static const char *perftest_name(const char *test)
{
    static const char *const names[][2] = {{"Write", "rdma_write"},
                                           {"Read", "rdma_read"},
                                           {"Send", "rdma_send"},
                                           {"Atomic", "rdma_atomic"}};
    for (size_t i = 0; test && i < 4; i++) {
        if (strstr(test, names[i][0]))
            return names[i][1];
    }
    return NULL;
}

static bool read_perftest(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *info = cJSON_GetObjectItemCaseSensitive(root, "test_info");
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    const cJSON *first = cJSON_IsArray(results) ? cJSON_GetArrayItem(results, 0) : results;

    if (!cJSON_IsObject(info) || !cJSON_IsObject(first) ||
        !cJSON_GetObjectItemCaseSensitive(first, "MsgSize"))
        return false;
    struct ry_draft_run *run = ry_draft_add_run(draft, "perftest JSON", 0);
    run->run.collective = perftest_name(text(info, "test"));
    run->run.ranks = 2.0;
    const bool both = text(info, "test") && strstr(text(info, "test"), "Bidirectional");
    for (const cJSON *item = first; item; item = cJSON_IsArray(results) ? item->next : NULL) {
        struct ry_draft_row *row = ry_draft_add_row(draft, run, 0);
        row->row.bytes = number(item, "MsgSize");
        row->row.iterations = number(item, "n_iterations");
        row->row.time_s = number(item, "t_typical") / 1e6;
        if (isnan(row->row.time_s))
            row->row.time_s = number(item, "t_avg") / 1e6;
        row->row.min_s = number(item, "t_min") / 1e6;
        row->row.max_s = number(item, "t_max") / 1e6;
        const double average = number(item, "BW_average");
        const double unit =
            perftest_unit(average, number(item, "MsgRate"), row->row.bytes);
        row->row.algbw_bytes_per_s = row->row.busbw_bytes_per_s = average * unit;
        if (isfinite(average) && isnan(unit))
            ry_draft_spoil(row, "BW_average agrees with MsgRate in no unit");
        if (both)
            ry_draft_spoil(row, "both directions are added up");
    }
    return true;
}

/* node-bench: SI units, names of PyTorch; of a run of the store the buffers are said where
 * node-bench has how it was launched. */

static enum ry_bench_place place_of(const char *launch)
{
    if (launch && strcmp(launch, "in-place") == 0)
        return RY_PLACE_IN;
    return launch && strcmp(launch, "out-of-place") == 0 ? RY_PLACE_OUT : RY_PLACE_UNKNOWN;
}

static void add_node_bench(struct ry_bench_draft *draft, const cJSON *item,
                           const cJSON *root)
{
    const double busbw = number(item, "busbw_bytes_per_s");
    const double algbw = number(item, "algbw_bytes_per_s");
    const double times_s[] = {number(item, "time_s"), number(item, "in_place_time_s")};
    const bool two = isfinite(times_s[1]);
    const enum ry_bench_place place = place_of(text(item, "launch"));
    struct ry_bench_run like = {
        .collective = collective_of(draft, text(item, "op")),
        .ranks = number(item, "ranks"),
        .nodes = number(item, "nodes"),
        .launch = place == RY_PLACE_UNKNOWN ? text(item, "launch") : NULL,
    };
    struct ry_draft_run *run = run_of(draft, "node-bench", &like);

    if (!run->run.env)
        run->run.env = kept(draft, text(root, "tag"));
    if (!run->run.gpu)
        run->run.gpu = kept(draft, text(root, "gpu"));
    if (!run->run.nccl)
        run->run.nccl = kept(draft, text(root, "nccl"));
    for (size_t i = 0; i < (two ? 2 : 1); i++) {
        struct ry_bench_row *row = &ry_draft_add_row(draft, run, 0)->row;
        row->bytes = number(item, "bytes");
        row->dtype = kept(draft, text(item, "dtype"));
        row->time_s = times_s[i];
        row->place = !two ? place : i ? RY_PLACE_IN : RY_PLACE_OUT;
        row->algbw_bytes_per_s =
            i == 0 && isfinite(algbw) ? algbw : row->bytes / row->time_s;
        row->busbw_bytes_per_s =
            i == 0 && isfinite(busbw)
                ? busbw
                : row->algbw_bytes_per_s * ry_bench_factor(like.collective, like.ranks);
        if (i == 0) {
            row->min_s = number(item, "min_s");
            row->max_s = number(item, "max_s");
        }
    }
}

static bool read_node_bench(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "collectives");
    const cJSON *item;

    if (!cJSON_IsArray(list))
        return false;
    cJSON_ArrayForEach(item, list) add_node_bench(draft, item, root);
    return cJSON_GetArraySize(list) > 0;
}

static bool read_tree(struct ry_bench_draft *draft, const cJSON *root)
{
    return read_rccl_list(draft, root) || read_nccl(draft, root) ||
           read_perftest(draft, root) || read_node_bench(draft, root) ||
           read_keyed(draft, root);
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

static cJSON *parse_cut(struct ry_slice all)
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
        return read_rccl_lines(draft, all);
    if (too_many_marks(all))
        return false;
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(all.at, all.n, &end, 0);
    const bool one = root && from_first_bracket((struct ry_slice){
                                 end, all.n - (size_t)(end - all.at)}).n == 0;
    bool found = one && read_tree(draft, root);
    cJSON_Delete(root);
    if (found || draft->out_of_memory)
        return found;
    root = one ? NULL : parse_cut(all);
    found = root && read_tree(draft, root);
    if (found)
        ry_draft_note(draft, 0, "the JSON ends early: what is whole was read");
    cJSON_Delete(root);
    return found || read_rccl_lines(draft, all);
}
