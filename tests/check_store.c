/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "store/compare.h"
#include "store/store.h"
#include "unit.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 256 };

static char folder[64];

static void set_up(void)
{
    (void)snprintf(folder, sizeof(folder), "/tmp/railyard-store-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void)
{
    static const char *const names[] = {"a/b/x.db", "a/b/x.db-wal", "a/b/x.db-shm"};
    char path[PATH_BYTES];

    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof(path), "%s/a/b", folder);
    (void)rmdir(path);
    (void)snprintf(path, sizeof(path), "%s/a", folder);
    (void)rmdir(path);
    (void)rmdir(folder);
}

static const char *path_of_store(void)
{
    static char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "%s/a/b/x.db", folder);
    return path;
}

static struct ry_store *open_store(void)
{
    struct ry_store *store = NULL;
    struct ry_diag diag = {.text = ""};

    ck_assert_msg(ry_store_open(path_of_store(), &store, &diag) == RY_OK, "%s",
                  diag.text);
    return store;
}

/* An all-reduce whose time is 20 us + bytes / rate, times @p slow. */
static struct ry_bench_file sample(struct ry_arena *arena, double slow)
{
    char text[4096];
    size_t used = 0;
    struct ry_bench_file file;

    used += (size_t)snprintf(text, sizeof(text), "{\"collectives\":[");
    for (int i = 10; i <= 30; i++) {
        const double bytes = (double)(1L << i);
        used +=
            (size_t)snprintf(text + used, sizeof(text) - used,
                             "%s{\"op\":\"all_reduce\",\"ranks\":8,\"nodes\":1,\"bytes\":"
                             "%.0f,\"time_s\":%.9e,\"busbw_bytes_per_s\":1e9}",
                             i > 10 ? "," : "", bytes, slow * (2e-5 + bytes / 1e11));
    }
    (void)snprintf(text + used, sizeof(text) - used, "]}");
    ck_assert_int_eq(ry_bench_parse(arena, "x", (struct ry_text){text, strlen(text)},
                                    NULL, &file, NULL),
                     RY_OK);
    return file;
}

static size_t import(struct ry_store *store, const struct ry_bench_file *file,
                     const char *sha256)
{
    const struct ry_import from = {"label", sha256, "2026-11-30T00:00:00Z"};
    size_t added = 99;

    ck_assert_int_eq(ry_store_import(store, file, &from, &added, NULL), RY_OK);
    return added;
}

START_TEST(what_is_imported_is_there_after_reopening)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_bench_file file = sample(arena, 1.0);
    struct ry_store *store = open_store();
    struct ry_stored_runs runs;
    struct ry_bench_run run;

    ck_assert_uint_eq(import(store, &file, "aa"), 1);
    ck_assert_uint_eq(import(store, &file, "aa"), 0); /* the same file once */
    ry_store_close(store);
    store = open_store();
    ck_assert_int_eq(ry_store_runs(store, arena, &runs, NULL), RY_OK);
    ck_assert_uint_eq(runs.n, 1);
    ck_assert_str_eq(runs.at[0].collective, "all_reduce");
    ck_assert_str_eq(runs.at[0].label, "label");
    ck_assert_double_eq(runs.at[0].ranks, 8.0);
    ck_assert_double_eq(runs.at[0].valid_rows, 21.0);
    ck_assert_int_eq(ry_store_rows(store, arena, runs.at[0].id, &run, NULL), RY_OK);
    ck_assert_uint_eq(run.n_rows, 21);
    ck_assert_rel(run.rows[20].time_s, 2e-5 + 1073741824.0 / 1e11, 1e-8);
    ck_assert_int_eq(ry_store_rows(store, arena, 77, &run, NULL), RY_ERR_NOTFOUND);
    ry_store_close(store);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(a_slower_run_is_seen_in_its_medians)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_bench_file a = sample(arena, 1.0);
    struct ry_bench_file b = sample(arena, 1.1);
    struct ry_run_compare compare;

    b.runs[0].rows[3].time_s *= 25.0; /* one outlier does not move a median */
    ck_assert_int_eq(ry_run_compare(arena, &a.runs[0], &b.runs[0], &compare, NULL),
                     RY_OK);
    ck_assert_uint_eq(compare.n, 21);
    ck_assert_rel(compare.small_ratio, 1.1, 1e-6);
    ck_assert_rel(compare.large_ratio, 1.1, 1e-6);
    ck_assert_rel(compare.worst_ratio, 27.5, 1e-6);
    ck_assert_double_eq(compare.worst_bytes, 8192.0);
    b.runs[0].n_rows = 5;
    ck_assert_int_eq(ry_run_compare(arena, &a.runs[0], &b.runs[0], &compare, NULL),
                     RY_OK);
    ck_assert_uint_eq(compare.only_before, 16);
    ck_assert(isnan(compare.large_ratio));
    b.runs[0].n_rows = 0;
    ck_assert_int_eq(ry_run_compare(arena, &a.runs[0], &b.runs[0], &compare, NULL),
                     RY_ERR_DEGENERATE);
    ry_arena_destroy(arena);
}
END_TEST

static void change(const char *sql)
{
    sqlite3 *db = NULL;

    ck_assert_int_eq(sqlite3_open(path_of_store(), &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(db));
    (void)sqlite3_close(db);
}

START_TEST(a_model_is_kept_once_beside_the_runs)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_bench_file file = sample(arena, 1.0);
    struct ry_store *store = open_store();
    struct ry_stored_runs runs;
    struct ry_stored_fits fits;
    const struct ry_stored_fit fit = {
        .saved = "2026", .name = "m.json", .sha256 = "bb", .json = "{}"};

    ck_assert_uint_eq(import(store, &file, "aa"), 1);
    ry_store_close(store);
    store = open_store();
    ck_assert_int_eq(ry_store_add_fit(store, &fit, NULL), RY_OK);
    ck_assert_int_eq(ry_store_add_fit(store, &fit, NULL), RY_OK); /* kept once */
    ck_assert_int_eq(ry_store_fits(store, arena, &fits, NULL), RY_OK);
    ck_assert_uint_eq(fits.n, 1);
    ck_assert_str_eq(fits.at[0].json, "{}");
    ck_assert_int_eq(ry_store_runs(store, arena, &runs, NULL), RY_OK);
    ck_assert_uint_eq(runs.n, 1);
    ry_store_close(store);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(newer_foreign_and_damaged_files_are_refused)
{
    struct ry_store *store = open_store();
    struct ry_diag diag;

    ry_store_close(store);
    change("PRAGMA user_version=99");
    ck_assert_int_eq(ry_store_open(path_of_store(), &store, &diag), RY_ERR_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "newer railyard: schema 99"));
    change("PRAGMA user_version=1; PRAGMA application_id=7");
    ck_assert_int_eq(ry_store_open(path_of_store(), &store, &diag), RY_ERR_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "another program"));
    FILE *file = fopen(path_of_store(), "w");
    ck_assert(file && fputs("this is not a database, whatever its name says", file) >= 0);
    (void)fclose(file);
    ck_assert_int_eq(ry_store_open(path_of_store(), &store, &diag), RY_ERR_SYNTAX);
    ck_assert_int_eq(ry_store_open("/proc/nowhere/x.db", &store, &diag), RY_ERR_IO);
}
END_TEST

/* Imports until it is killed; reports each import that was said to be saved. */
static void write_until_killed(int report, int worker)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_bench_file file = sample(arena, 1.0);
    struct ry_store *store = NULL;

    if (ry_store_open(path_of_store(), &store, NULL) != RY_OK)
        _exit(3);
    for (int i = 0;; i++) {
        char sha256[32];
        const struct ry_import from = {"", sha256, "2026"};
        size_t added = 0;
        (void)snprintf(sha256, sizeof(sha256), "%d-%d", worker, i);
        if (ry_store_import(store, &file, &from, &added, NULL) != RY_OK)
            _exit(4);
        if (write(report, "x", 1) != 1)
            _exit(5);
    }
}

START_TEST(what_was_reported_survives_a_kill_with_two_writers)
{
    int pipes[2];
    pid_t workers[2];
    char byte;
    size_t reported = 0;
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_stored_runs runs;

    ry_store_close(open_store());
    ck_assert_int_eq(pipe(pipes), 0);
    for (int i = 0; i < 2; i++) {
        workers[i] = fork();
        if (workers[i] == 0)
            write_until_killed(pipes[1], i);
    }
    (void)close(pipes[1]);
    while (reported < 12 && read(pipes[0], &byte, 1) == 1)
        reported++;
    for (int i = 0; i < 2; i++) {
        (void)kill(workers[i], SIGKILL);
        (void)waitpid(workers[i], NULL, 0);
    }
    while (read(pipes[0], &byte, 1) == 1)
        reported++;
    (void)close(pipes[0]);
    struct ry_store *store = open_store();
    ck_assert_int_eq(ry_store_runs(store, arena, &runs, NULL), RY_OK);
    ck_assert_uint_ge(reported, 12);
    ck_assert_uint_ge(runs.n, reported);
    for (size_t i = 0; i < runs.n; i++)
        ck_assert_double_eq(runs.at[i].rows, 21.0); /* never half a run */
    ry_store_close(store);
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("store");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, what_is_imported_is_there_after_reopening);
    tcase_add_test(all, a_slower_run_is_seen_in_its_medians);
    tcase_add_test(all, a_model_is_kept_once_beside_the_runs);
    tcase_add_test(all, newer_foreign_and_damaged_files_are_refused);
    tcase_add_test(all, what_was_reported_survives_a_kill_with_two_writers);
    suite_add_tcase(suite, all);
    return suite;
}
