/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "store/jobs_rank.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];
static char path[96];
static struct ry_arena *arena;
static struct ry_store *store;

static void open_again(void)
{
    struct ry_diag diag = {.text = ""};

    ry_store_close(store);
    store = NULL;
    ck_assert_msg(ry_store_open(path, &store, &diag) == RY_OK, "%s", diag.text);
}

static void set_up(void)
{
    arena = ry_arena_create(0);
    (void)snprintf(folder, sizeof(folder), "/tmp/railyard-jobs-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/x.db", folder);
}

static void tear_down(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[128];

    ry_store_close(store);
    store = NULL;
    ry_arena_destroy(arena);
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof(name), "%s%s", path, ends[i]);
        (void)unlink(name);
    }
    (void)rmdir(folder);
}

/* A user's query on the file: the first column of the first row as text, "" for none. */
static const char *asked(const char *sql)
{
    static char text[256];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;

    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK,
                  "%s: %s", sql, sqlite3_errmsg(db));
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    const unsigned char *said = row ? sqlite3_column_text(statement, 0) : NULL;
    (void)snprintf(text, sizeof(text), "%s", said ? (const char *)said : "");
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return text;
}

static void execute(const char *sql)
{
    sqlite3 *db = NULL;

    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(db));
    (void)sqlite3_close(db);
}

static struct ry_job begun(const char *command, const char *inputs)
{
    const struct ry_job_ask ask = {command, "[\"--top=3\"]", inputs,
                                   "2026-11-30T00:00:00Z"};
    struct ry_job job;

    ck_assert_int_eq(ry_job_begin(store, &ask, &job, NULL), RY_OK);
    return job;
}

/* Piece @p i of three cases: 40 strategies, each slower than the last by a second. */
static struct ry_job_piece piece_of(size_t i)
{
    struct ry_job_piece piece = {.case_i = i % 3, .piece = i / 3};
    struct ry_search_tally *t = &piece.tally;

    *t = (struct ry_search_tally){.evaluated = 100 + i,
                                  .too_large = 7,
                                  .indivisible = i,
                                  .best_n = 40,
                                  .least_missing_bytes = 1e9 + (double)(50 - i),
                                  .least_missing_index = 1000 + i,
                                  .first_indivisible_index = 5000 - i};
    for (size_t k = 0; k < t->best_n; k++)
        t->best[k] = (struct ry_search_found){1000 * i + k, 0.1 * (double)i + (double)k};
    return piece;
}

static void assert_same_tally(const struct ry_search_tally *a,
                              const struct ry_search_tally *b)
{
    ck_assert_uint_eq(a->evaluated, b->evaluated);
    ck_assert_uint_eq(a->too_large, b->too_large);
    ck_assert_uint_eq(a->indivisible, b->indivisible);
    ck_assert_double_eq(a->least_missing_bytes, b->least_missing_bytes);
    ck_assert_uint_eq(a->least_missing_index, b->least_missing_index);
    ck_assert_uint_eq(a->first_indivisible_index, b->first_indivisible_index);
    ck_assert_uint_eq(a->best_n, b->best_n);
    for (size_t k = 0; k < a->best_n; k++) {
        ck_assert_uint_eq(a->best[k].index, b->best[k].index);
        ck_assert_double_eq(a->best[k].step_time_s, b->best[k].step_time_s);
    }
}

/* Against ry_search_merge() of the same pieces in memory. */
START_TEST(kept_pieces_come_back_as_their_merged_tally)
{
    struct ry_job_piece pieces[12];
    struct ry_search_tally want = {0};
    struct ry_search_tally got = {0};
    bool known[5] = {false};

    open_again();
    const struct ry_job job = begun("search", "aa");
    for (size_t i = 0; i < 12; i++) {
        pieces[i] = piece_of(i);
        if (i % 3 == 1)
            ry_search_merge(&want, &pieces[i].tally);
    }
    ck_assert_int_eq(ry_job_keep(store, job.id, pieces, 5, NULL), RY_OK);
    ck_assert_int_eq(ry_job_keep(store, job.id, pieces + 5, 7, NULL), RY_OK);
    ck_assert_int_eq(ry_job_keep(store, job.id, pieces, 12, NULL), RY_OK); /* once more */
    open_again();
    const struct ry_job_case of = {job.id, 1, 5};
    ck_assert_int_eq(ry_job_known(store, &of, known, &got, NULL), RY_OK);
    ck_assert(known[0] && known[1] && known[2] && known[3] && !known[4]);
    ck_assert_uint_eq(want.best_n,
                      RY_SEARCH_KEPT); /* of 160: what is slower is not kept */
    assert_same_tally(&got, &want);
    ck_assert_str_eq(asked("SELECT count(*) FROM found"), "192");
    ck_assert_str_eq(asked("SELECT evaluated FROM job_progress"), "1266"); /* 1200 + 66 */
}
END_TEST

static struct ry_job_best recalled[4];

static void take_best(void *ctx, const struct ry_job_best *best)
{
    (void)ctx;
    recalled[best->case_i] = *best;
}

START_TEST(cases_of_a_ranking_come_back_as_they_were)
{
    struct ry_job_best kept[2] = {{.case_i = 3,
                                   .found = {.chosen = true,
                                             .best = {.found = true,
                                                      .at = {123456789012ULL, 0.1},
                                                      .figure = 3e5,
                                                      .evaluated = 10,
                                                      .pruned = 90,
                                                      .pruned_least = 3.1e5,
                                                      .infeasible = 7,
                                                      .uncut = 2,
                                                      .why = ""}}},
                                  {.case_i = 1,
                                   .found = {.best = {.figure = (double)NAN,
                                                      .pruned_least = (double)INFINITY,
                                                      .infeasible = 5,
                                                      .why = "70.6B's \"parameters\""}}}};
    struct ry_diag diag;

    open_again();
    const struct ry_job job = begun("rank", "aa");
    ck_assert_int_eq(ry_job_keep_bests(store, job.id, kept, 2, NULL), RY_OK);
    kept[0].found.best.evaluated = 99; /* kept once */
    ck_assert_int_eq(ry_job_keep_bests(store, job.id, kept, 2, NULL), RY_OK);
    ck_assert_int_eq(ry_job_bests(store, job.id, 4, take_best, NULL, NULL), RY_OK);
    const struct ry_best *best = &recalled[3].found.best;
    ck_assert(recalled[3].found.chosen && best->found);
    ck_assert_uint_eq(best->at.index, 123456789012ULL);
    ck_assert_double_eq(best->at.step_time_s, 0.1);
    ck_assert_double_eq(best->figure, 3e5);
    ck_assert_uint_eq(best->evaluated + best->pruned + best->infeasible + best->uncut,
                      109);
    ck_assert_double_eq(best->pruned_least, 3.1e5);
    best = &recalled[1].found.best;
    ck_assert(!best->found && isnan(best->figure) && isinf(best->pruned_least));
    ck_assert_str_eq(best->why, "70.6B's \"parameters\"");
    ck_assert_int_eq(ry_job_bests(store, job.id, 3, take_best, NULL, &diag),
                     RY_ERR_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "case 3 of ranking"));
}
END_TEST

START_TEST(a_job_is_its_inputs_and_a_new_one_knows_nothing)
{
    bool known[2] = {false};
    struct ry_search_tally tally = {0};
    const struct ry_job_piece piece = piece_of(4);
    struct ry_diag diag;

    open_again();
    const struct ry_job a = begun("search", "aa");
    const struct ry_job b = begun("search", "bb");
    ck_assert_int_ne((int)a.id, (int)b.id);
    ck_assert_int_eq((int)begun("search", "aa").id, (int)a.id);
    ck_assert_int_eq(ry_job_keep(store, a.id, &piece, 1, NULL), RY_OK);
    const struct ry_job_case of = {b.id, 1, 2};
    ck_assert_int_eq(ry_job_known(store, &of, known, &tally, NULL), RY_OK);
    ck_assert(!known[0] && !known[1] && tally.evaluated == 0 && tally.best_n == 0);
    const struct ry_job_case shorter = {a.id, 1, 1}; /* the piece is number 1 */
    ck_assert_int_eq(ry_job_known(store, &shorter, known, &tally, &diag), RY_ERR_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "out of range"));
}
END_TEST

/* Names that would end a statement or a text, were they put into one. */
static const char rank_rows[] =
    "[{\"workload\": \"w\", \"rank\": 1, \"design\": \"a'); DROP TABLE jobs; --\","
    " \"strategy\": \"tp8 \\\"x\\\"\", \"gpus\": 64, \"step_time_s\": 12.5,"
    " \"tokens_per_s\": 1e5, \"mfu_frac\": 0.5, \"capex_usd\": 2e6, \"tco_usd\": 3e6,"
    " \"usd_per_trillion_tokens\": 4e5, \"days\": 30, \"feasible\": true, \"reason\": "
    "null},"
    " {\"workload\": \"w\", \"rank\": null, \"design\": \"b,\\n=1+1\", \"feasible\": "
    "false,"
    " \"reason\": \"too large\"}]";

START_TEST(an_answer_is_read_and_asked_for_by_the_views)
{
    struct ry_answer answer;
    struct ry_listed_jobs jobs;

    open_again();
    const struct ry_job job = begun("rank", "aa");
    ck_assert(!job.finished);
    ck_assert_int_eq(
        ry_job_answer(store, job.id, "2026-12-01T00:00:00Z", rank_rows, NULL), RY_OK);
    ck_assert_int_eq(
        ry_job_answer(store, job.id, "2026-12-01T00:00:00Z", rank_rows, NULL),
        RY_OK); /* replaced, not added */
    ck_assert(begun("rank", "aa").finished);
    ck_assert_int_eq(ry_job_read(store, arena, job.id, &answer, NULL), RY_OK);
    ck_assert_uint_eq(answer.n, 2);
    ck_assert_str_eq(answer.at[0].design, "a'); DROP TABLE jobs; --");
    ck_assert_str_eq(answer.at[0].strategy, "tp8 \"x\"");
    ck_assert_double_eq(answer.at[0].step_time_s, 12.5);
    ck_assert_str_eq(answer.at[1].design, "b,\n=1+1");
    ck_assert(isnan(answer.at[1].step_time_s) && isnan(answer.at[1].place));
    ck_assert_str_eq(answer.at[1].reason, "too large");
    ck_assert_int_eq(ry_jobs_list(store, arena, &jobs, NULL), RY_OK);
    ck_assert_uint_eq(jobs.n, 1);
    ck_assert_double_eq(jobs.at[0].rows, 2.0);
    ck_assert_double_eq(jobs.at[0].best_step_time_s, 12.5);
    ck_assert_int_eq(ry_job_read(store, arena, 9, &answer, NULL), RY_ERR_NOTFOUND);
    ck_assert_str_eq(
        asked("SELECT design FROM rank_results WHERE feasible ORDER BY place"),
        "a'); DROP TABLE jobs; --");
    ck_assert_str_eq(asked("SELECT tco_usd FROM rank_results WHERE row=0"), "3000000.0");
    ck_assert_str_eq(asked("SELECT count(*) FROM search_results"), "0");
}
END_TEST

/* Every column that doc/runs.md names. */
START_TEST(the_views_have_the_columns_that_users_are_told)
{
    static const char *const queries[] = {
        "SELECT job, command, arguments, inputs, started, finished, pieces, evaluated,"
        " infeasible, indivisible FROM job_progress",
        "SELECT job, finished, row, workload, design, place, strategy, tp, pp, vpp, dp, "
        "cp,"
        " ep, micro_batch, step_time_s, step_time_lo_s, step_time_hi_s, tokens_per_s,"
        " mfu_frac, peak_bytes FROM search_results",
        "SELECT job, finished, row, workload, design, place, feasible, reason, strategy,"
        " gpus, step_time_s, step_time_lo_s, step_time_hi_s, tokens_per_s, mfu_frac,"
        " capex_usd, capex_unpriced_parts, tco_usd, usd_per_trillion_tokens, racks, "
        "power_w,"
        " joules_per_token, days, usd_to_train, json FROM rank_results",
        "SELECT run, imported, label, collective, ranks, nodes, gpu, nccl, bytes, dtype,"
        " time_s, algbw_bytes_per_s, busbw_bytes_per_s, valid, reason FROM run_rows",
    };

    open_again();
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        ck_assert_str_eq(asked(queries[i]), "");
}
END_TEST

static char *text_of(const char *name)
{
    static char text[8192];
    char from[512];
    const char *data = getenv("RAILYARD_DATA");

    (void)snprintf(from, sizeof(from), "%s/tests/store/%s", data ? data : ".", name);
    FILE *file = fopen(from, "r");
    ck_assert_msg(file != NULL, "%s", from);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

/* Dumps of files that the railyard of that schema wrote: 18 rows of one benchmark run. */
START_TEST(a_store_of_each_older_schema_is_migrated)
{
    static const char *const dumps[] = {"schema-1.sql", "schema-2.sql"};
    struct ry_stored_runs runs;
    struct ry_stored_fits fits;

    execute(text_of(dumps[_i]));
    ck_assert_str_eq(asked("PRAGMA user_version"), _i == 0 ? "1" : "2");
    open_again();
    ck_assert_int_eq(ry_store_check(store, NULL), RY_OK);
    ck_assert_str_eq(asked("PRAGMA user_version"), "3");
    ck_assert_int_eq(ry_store_runs(store, arena, &runs, NULL), RY_OK);
    ck_assert_uint_eq(runs.n, 1);
    ck_assert_double_eq(runs.at[0].rows, 18.0);
    ck_assert_int_eq(ry_store_fits(store, arena, &fits, NULL), RY_OK);
    ck_assert_uint_eq(fits.n, _i == 0 ? 0 : 1);
    ck_assert_str_eq(asked("SELECT max(busbw_bytes_per_s) FROM run_rows"),
                     "89560000000.0");
    ck_assert_int_gt((int)begun("search", "aa").id, 0);
}
END_TEST

START_TEST(damage_is_found_and_a_row_without_its_job_is_damage)
{
    struct ry_diag diag;

    open_again();
    const struct ry_job job = begun("search", "aa");
    const struct ry_job_piece piece = piece_of(0);
    ck_assert_int_eq(ry_job_keep(store, job.id, &piece, 1, NULL), RY_OK);
    ck_assert_int_eq(ry_store_check(store, NULL), RY_OK);
    execute("PRAGMA foreign_keys=OFF; DELETE FROM jobs");
    ck_assert_int_eq(ry_store_check(store, &diag), RY_ERR_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "damaged: a row of"));
}
END_TEST

/* Keeps pieces of one job, each in a transaction of its own. */
static void keep_many(size_t first)
{
    struct ry_store *mine = NULL;
    const struct ry_job_ask ask = {"search", "[]", "aa", "2026"};
    struct ry_job job;

    if (ry_store_open(path, &mine, NULL) != RY_OK ||
        ry_job_begin(mine, &ask, &job, NULL) != RY_OK)
        _exit(1);
    for (size_t i = first; i < first + 30; i++) {
        const struct ry_job_piece piece = piece_of(i);
        if (ry_job_keep(mine, job.id, &piece, 1, NULL) != RY_OK)
            _exit(2);
    }
    ry_store_close(mine);
    _exit(0);
}

START_TEST(two_processes_that_write_at_once_both_succeed)
{
    pid_t child[2];

    for (size_t i = 0; i < 2; i++) {
        child[i] = fork();
        if (child[i] == 0)
            keep_many(15 * i); /* half of the pieces are the other's too */
    }
    for (size_t i = 0; i < 2; i++) {
        int status = -1;
        ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
        ck_assert_int_eq(status, 0);
    }
    open_again();
    ck_assert_int_eq(ry_store_check(store, NULL), RY_OK);
    ck_assert_str_eq(asked("SELECT count(*) FROM jobs"), "1");
    ck_assert_str_eq(asked("SELECT count(*) FROM pieces"), "45");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("jobs");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, kept_pieces_come_back_as_their_merged_tally);
    tcase_add_test(all, cases_of_a_ranking_come_back_as_they_were);
    tcase_add_test(all, a_job_is_its_inputs_and_a_new_one_knows_nothing);
    tcase_add_test(all, an_answer_is_read_and_asked_for_by_the_views);
    tcase_add_test(all, the_views_have_the_columns_that_users_are_told);
    tcase_add_loop_test(all, a_store_of_each_older_schema_is_migrated, 0, 2);
    tcase_add_test(all, damage_is_found_and_a_row_without_its_job_is_damage);
    tcase_add_test(all, two_processes_that_write_at_once_both_succeed);
    suite_add_tcase(suite, all);
    return suite;
}
