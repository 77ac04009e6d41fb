/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every NAME.log of tests/nccl is diagnosed and compared with NAME.want, written by hand
 * from the published case or the form of the lines:
 *
 *     plan NICS_A_NODE NIC_BYTES_PER_S     (0: not said)
 *     finding SEVERITY ID LINE START OF THE TEXT */
#include "io/bench.h"
#include "io/file.h"
#include "io/nccl_findings.h"
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 200, PATH_BYTES = 800, MEASURED_MOST = 64 };

static struct {
    size_t n;
    char names[FILES_MOST][256];
} samples;

static const char *folder(void)
{
    static char path[256];
    const char *data = getenv("RAILYARD_DATA");

    (void)snprintf(path, sizeof(path), "%s/tests/nccl", data ? data : ".");
    return path;
}

static void list_samples(void)
{
    DIR *stream = opendir(folder());
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && samples.n < FILES_MOST) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".log") == 0)
            (void)snprintf(samples.names[samples.n++], sizeof(samples.names[0]), "%s",
                           entry->d_name);
    }
    if (stream)
        (void)closedir(stream);
}

static size_t timings(struct ry_arena *arena, const struct ry_text *text,
                      struct ry_log_measured measured[MEASURED_MOST])
{
    struct ry_bench_file file;
    size_t n = 0;

    if (ry_bench_parse(arena, "log", *text, NULL, &file, NULL) != RY_OK)
        return 0;
    for (size_t i = 0; i < file.runs[0].n_rows && n < MEASURED_MOST; i++) {
        if (file.runs[0].rows[i].valid)
            measured[n++] = (struct ry_log_measured){file.runs[0].rows[i].bytes,
                                                     file.runs[0].rows[i].time_s};
    }
    return n;
}

static void compare(const char *name, const struct ry_findings *findings, FILE *want)
{
    char severity[16], id[64], text[200];
    size_t line = 0;
    size_t n = 0;

    while (fscanf(want, " finding %15s %63s %zu %199[^\n]", severity, id, &line, text) ==
           4) {
        ck_assert_msg(n < findings->n, "%s: %zu findings, %s is missing", name, n, id);
        const struct ry_finding *got = &findings->at[n++];
        ck_assert_msg(strcmp(got->id, id) == 0, "%s: %s, expected %s", name, got->id, id);
        ck_assert_msg(strcmp(ry_finding_severity_text(got->severity), severity) == 0,
                      "%s: %s is not %s", name, id, severity);
        ck_assert_msg(got->line == line, "%s: %s on line %zu, expected %zu", name, id,
                      got->line, line);
        ck_assert_msg(strncmp(got->text, text, strlen(text)) == 0, "%s: '%s'", name,
                      got->text);
        ck_assert(got->action[0] != '\0');
    }
    ck_assert_msg(n == findings->n, "%s: also %s: %s", name, findings->at[n].id,
                  findings->at[n].text);
}

static void diagnose(const char *name, FILE *want)
{
    char path[PATH_BYTES];
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_text text;
    struct ry_nccl_log log;
    struct ry_findings findings = {.arena = arena};
    struct ry_log_plan plan = {.nodes = 0.0};
    struct ry_log_measured measured[MEASURED_MOST];

    (void)snprintf(path, sizeof(path), "%s/%s", folder(), name);
    ck_assert_int_eq(ry_file_read(arena, path, 1 << 20, &text, NULL), RY_OK);
    const struct ry_log_text one = {name, text.data, text.bytes};
    ck_assert_int_eq(
        fscanf(want, " plan %lf %lf", &plan.nics_per_node, &plan.nic_bytes_per_s), 2);
    ck_assert_int_eq(ry_nccl_log_parse(arena, 1, &one, &log, NULL), RY_OK);
    const size_t n = timings(arena, &text, measured);
    ck_assert_int_eq(ry_nccl_findings(&log, &plan, n, measured, &findings, NULL), RY_OK);
    compare(name, &findings, want);
    ry_arena_destroy(arena);
}

START_TEST(every_log_gives_its_findings)
{
    const char *name = samples.names[_i];
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "%s/%.200s", folder(), name);
    (void)strcpy(strrchr(path, '.'), ".want");
    FILE *want = fopen(path, "r");
    ck_assert_msg(want != NULL, "%s is missing", path);
    diagnose(name, want);
    (void)fclose(want);
}
END_TEST

START_TEST(bandwidth_left_is_that_of_the_nics_in_use)
{
    /* nccl-tests#29: one EDR of four: 12 of 48 GB/s. */
    static const char text[] =
        "a:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB ; OOB x:1<0>\n";
    const struct ry_log_text one = {"a.log", text, sizeof(text) - 1};
    const struct ry_log_plan plan = {.nics_per_node = 4, .nic_bytes_per_s = 12.5e9};
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_nccl_log log;
    struct ry_findings findings = {.arena = arena};

    ck_assert_int_eq(ry_nccl_log_parse(arena, 1, &one, &log, NULL), RY_OK);
    ck_assert_int_eq(ry_nccl_findings(&log, &plan, 0, NULL, &findings, NULL), RY_OK);
    ck_assert_uint_eq(findings.n, 1);
    ck_assert_rel(findings.at[0].expected_bytes_per_s, 48e9, 1e-9);
    ck_assert_rel(findings.at[0].left_bytes_per_s, 12e9, 1e-9);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(logs_of_many_files_are_one_job)
{
    static const char a[] = "a:1:2 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n";
    static const char b[] = "b:1:2 [0] NCCL INFO NCCL version 2.27.3+cuda13.0\n";
    const struct ry_log_text two[] = {{"a.log", a, sizeof(a) - 1},
                                      {"b.log", b, sizeof(b) - 1}};
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_nccl_log log;
    struct ry_findings findings = {.arena = arena};

    ck_assert_int_eq(ry_nccl_log_parse(arena, 2, two, &log, NULL), RY_OK);
    ck_assert_uint_eq(log.n_hosts, 2);
    ck_assert_int_eq(ry_nccl_findings(&log, NULL, 0, NULL, &findings, NULL), RY_OK);
    ck_assert_uint_eq(findings.n, 1);
    ck_assert_str_eq(findings.at[0].file, "b.log");
    ck_assert_uint_eq(findings.at[0].line, 1);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(a_log_without_nccl_is_refused)
{
    const struct ry_log_text one = {"x", "hello\nNCCL INFO\n:1:2 NCCL INFO x\n", 33};
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_nccl_log log;
    struct ry_diag diag;

    ck_assert_int_eq(ry_nccl_log_parse(arena, 1, &one, &log, &diag), RY_ERR_SYNTAX);
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("nccl_log");
    TCase *files = tcase_create("samples");
    TCase *rules = tcase_create("rules");

    list_samples();
    tcase_add_loop_test(files, every_log_gives_its_findings, 0, (int)samples.n);
    tcase_add_test(rules, bandwidth_left_is_that_of_the_nics_in_use);
    tcase_add_test(rules, logs_of_many_files_are_one_job);
    tcase_add_test(rules, a_log_without_nccl_is_refused);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, rules);
    return suite;
}
