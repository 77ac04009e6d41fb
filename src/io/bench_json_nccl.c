/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEVICES_MOST = 1 << 16, HOSTS_MOST = 4096 };

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

static void set_wrong(struct ry_bench_draft *draft, struct ry_draft_row *row,
                      double wrong)
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
    row->row.bytes = ry_member_number(item, "size");
    row->row.count = ry_member_number(item, "count");
    row->row.dtype = ry_member_kept(draft, ry_member_text(item, "type"));
    row->row.redop = ry_member_kept(draft, ry_member_text(item, "redop"));
    row->row.root = ry_member_number(item, "root");
    row->row.iterations = ry_member_number(item, "actual_iterations");
    row->row.place = place;
    row->row.min_s = ry_member_number(spread, "min_us") / 1e6;
    row->row.max_s = ry_member_number(spread, "max_us") / 1e6;
    if (!cJSON_IsObject(half)) {
        ry_draft_spoil(row, "torn or truncated: the figures are not whole");
        return;
    }
    set_figures(row, ry_member_number_of(half_time(half)),
                ry_member_number(half, "alg_bw"), ry_member_number(half, "bus_bw"));
    set_wrong(draft, row, ry_member_number(half, "nwrong"));
}

static bool is_known(const char *const *names, size_t n, const char *name)
{
    for (size_t i = n; i-- > 0;)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void read_devices(struct ry_bench_draft *draft, struct ry_draft_run *run,
                         const cJSON *devices)
{
    const char **hosts = RY_NEW(draft->arena, const char *, HOSTS_MOST);
    size_t n_hosts = 0, n = 0;
    const cJSON *device;

    draft->out_of_memory |= hosts == NULL;
    cJSON_ArrayForEach (device, devices) {
        if (!hosts || n++ == DEVICES_MOST)
            return;
        const double rank = ry_member_number(device, "rank");
        const double index = ry_member_number(device, "device");
        const char *host = ry_member_text(device, "hostname");
        if (host && n_hosts < HOSTS_MOST && !is_known(hosts, n_hosts, host))
            hosts[n_hosts++] = host;
        run->listed_lines++;
        run->listed_ranks = fmax(run->listed_ranks, rank + 1.0);
        run->listed_devices = fmax(run->listed_devices, index + 1.0);
        if (!run->run.gpu)
            run->run.gpu = ry_member_kept(draft, ry_member_text(device, "device_info"));
    }
    run->listed_hosts = (double)n_hosts;
}

static const char *name_of_program(const cJSON *root)
{
    const cJSON *arg =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(root, "args"), 0);

    if (!cJSON_IsString(arg))
        return NULL;
    return ry_bench_collective_of_command(
        (struct ry_slice){arg->valuestring, strlen(arg->valuestring)});
}

static void judge_nccl_json(struct ry_bench_draft *draft, struct ry_draft_run *run,
                            const cJSON *root)
{
    const cJSON *bounds = cJSON_GetObjectItemCaseSensitive(root, "out_of_bounds");
    const char *okay = ry_member_text(bounds, "okay");
    const cJSON *errors = cJSON_GetObjectItemCaseSensitive(root, "errors");

    run->run.checks_failed = ry_member_number(bounds, "count");
    if ((okay && strcmp(okay, "false") == 0) || run->run.checks_failed > 0.0) {
        run->run.valid = false;
        run->run.reason =
            ry_draft_text(draft, "data check failed, %.0f values out of bounds",
                          run->run.checks_failed);
    } else if (cJSON_GetArraySize(errors) > 0) {
        run->run.valid = false;
        run->run.reason = "the run ended with errors";
    }
}

bool ry_bench_json_nccl(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(root, "config");
    const cJSON *item;

    if (!cJSON_IsArray(results) ||
        !(config || cJSON_GetObjectItemCaseSensitive(root, "nccl_version")))
        return false;
    struct ry_draft_run *run = ry_draft_add_run(draft, "nccl-tests JSON", 0);
    const double version = ry_member_number(root, "nccl_version");
    if (version >= 10000.0 && version < 1e7)
        run->run.nccl =
            ry_draft_text(draft, "%.0f.%.0f.%.0f", floor(version / 10000.0),
                          fmod(floor(version / 100.0), 100.0), fmod(version, 100.0));
    run->run.version =
        ry_draft_text(draft, "JSON %.0f", ry_member_number(root, "version"));
    run->process_ranks =
        ry_member_number(config, "nthreads") * ry_member_number(config, "ngpus");
    run->run.iterations = ry_member_number(config, "iterations");
    read_devices(draft, run, cJSON_GetObjectItemCaseSensitive(config, "devices"));
    run->run.collective = name_of_program(root);
    cJSON_ArrayForEach (item, results) {
        if (!run->run.collective)
            run->run.collective =
                ry_member_collective(draft, ry_member_text(item, "experiment_name"));
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
        const char *in_error = ry_member_text(item, error);
        const char *out_error = ry_member_text(item, "oop_error");
        run->in_place_unchecked |= in_error && strcmp(in_error, "N/A") == 0 &&
                                   !(out_error && strcmp(out_error, "N/A") == 0);
    }
    if (!cJSON_GetObjectItemCaseSensitive(item, time))
        return;
    struct ry_draft_row *row = ry_draft_add_row(draft, run, 0);
    row->row.bytes = bytes;
    row->row.count = ry_member_number(item, "count");
    row->row.dtype = ry_member_kept(draft, ry_member_text(item, "type"));
    row->row.redop = ry_member_kept(draft, ry_member_text(item, "redop"));
    row->row.root = ry_member_number(item, "root");
    row->row.place = place;
    set_figures(row, ry_member_number(item, time), ry_member_number(item, algbw),
                ry_member_number(item, busbw));
    set_wrong(draft, row, ry_member_number(item, error));
}

static bool read_keyed_object(struct ry_bench_draft *draft, struct ry_draft_run **run,
                              const cJSON *object)
{
    const cJSON *item;
    bool any = false;

    cJSON_ArrayForEach (item, object) {
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

bool ry_bench_json_keyed(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "benchmark");
    struct ry_draft_run *run = NULL;
    bool any = read_keyed_object(draft, &run, root);
    const cJSON *item;

    if (cJSON_IsObject(list))
        any |= read_keyed_object(draft, &run, list);
    else
        cJSON_ArrayForEach (item, list)
            any |= read_keyed_object(draft, &run, item);
    if (any) {
        const char *name = ry_member_text(root, "identifier");
        if (name)
            run->run.collective =
                ry_bench_collective((struct ry_slice){name, strlen(name)});
    }
    return any;
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
        .collective = ry_member_collective(draft, ry_member_text(record, "name")),
        .ranks = ry_member_number(record, "ranks") *
                 positive(ry_member_number(record, "gpusPerRank"), 1.0),
        .nodes = ry_member_number(record, "nodes"),
    };

    if (isnan(like.ranks)) {
        like.ranks = ry_member_number(record, "gpus");
        like.nodes = isnan(like.nodes) ? 1.0 : like.nodes; /* built without MPI */
    }
    struct ry_draft_run *run = ry_draft_run_like(draft, "rccl-tests JSON", &like);
    struct ry_draft_row *row = ry_draft_add_row(draft, run, line);
    row->row.bytes = ry_member_number(record, "size");
    row->row.dtype = ry_member_kept(draft, ry_member_text(record, "type"));
    row->row.redop = ry_member_kept(draft, ry_member_text(record, "redop"));
    row->row.place =
        ry_member_number(record, "inPlace") == 1.0 ? RY_PLACE_IN : RY_PLACE_OUT;
    set_figures(row, ry_member_number(record, "time"), ry_member_number(record, "algBw"),
                ry_member_number(record, "busBw"));
    const double wrong = ry_member_number(record, "wrong");
    set_wrong(draft, row, isnan(wrong) ? ry_member_number(record, "#wrong") : wrong);
}

bool ry_bench_json_rccl(struct ry_bench_draft *draft, const cJSON *root)
{
    const cJSON *record;

    if (!cJSON_IsArray(root) || !is_rccl(cJSON_GetArrayItem(root, 0)))
        return false;
    cJSON_ArrayForEach (record, root)
        if (is_rccl(record))
            add_rccl(draft, record, 0);
    return true;
}

bool ry_bench_json_rccl_lines(struct ry_bench_draft *draft, struct ry_slice all)
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
        cJSON *record =
            begin ? cJSON_ParseWithLength(begin, line.n - (size_t)(begin - line.at))
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
