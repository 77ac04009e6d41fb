/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every file of tests/bench is read and compared with the NAME.want beside it, which was
 * made from the published figures or by the generator of the layout, not by this program:
 *
 *     run COLLECTIVE RANKS NODES INFERRED REFUSED
 *     row BYTES PLACE TIME_US ALGBW_GB BUSBW_GB VALID
 *
 * "-" is unknown; runs and rows are in the order of the file. */
#include "io/bench.h"
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 400, PATH_BYTES = 512, WORD_BYTES = 32 };

static struct {
    size_t n;
    char names[FILES_MOST][256];
} samples;

static const char *folder(void)
{
    static char path[PATH_BYTES];
    const char *data = getenv("RAILYARD_DATA");

    (void)snprintf(path, sizeof(path), "%s/tests/bench", data ? data : ".");
    return path;
}

static void list_samples(void)
{
    DIR *stream = opendir(folder());
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && samples.n < FILES_MOST) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".want") == 0 || entry->d_name[0] == '.')
            continue;
        (void)snprintf(samples.names[samples.n++], sizeof(samples.names[0]), "%s",
                       entry->d_name);
    }
    if (stream)
        (void)closedir(stream);
}

static double figure(const char *word)
{
    return strcmp(word, "-") == 0 ? (double)NAN : strtod(word, NULL);
}

static void assert_figure(const char *name, size_t row, const char *what, double got,
                          const char *want)
{
    const double expected = figure(want);
    const bool same =
        isnan(expected) ? isnan(got) : fabs(got - expected) <= 1e-6 * fabs(expected);

    ck_assert_msg(same, "%s row %zu: %s is %.9g, expected %s", name, row, what, got,
                  want);
}

static void compare_run(const char *name, const struct ry_bench_file *file, size_t k,
                        FILE *want)
{
    char collective[WORD_BYTES], ranks[WORD_BYTES], nodes[WORD_BYTES],
        inferred[WORD_BYTES];
    int refused = -1;

    ck_assert_msg(fscanf(want, " %31s %31s %31s %31s %d", collective, ranks, nodes,
                         inferred, &refused) == 5,
                  "%s.want: a run line is not whole", name);
    ck_assert_msg(k < file->n_runs, "%s: %zu runs only", name, k);
    const struct ry_bench_run *run = &file->runs[k];
    const char *said = run->collective ? run->collective : "-";
    ck_assert_msg(strcmp(said, collective) == 0, "%s: %s, expected %s", name, said,
                  collective);
    assert_figure(name, 0, "ranks", run->ranks, ranks);
    assert_figure(name, 0, "nodes", run->nodes, nodes);
    ck_assert_msg(strcmp(run->ranks_inferred ? "yes" : "no", inferred) == 0,
                  "%s: ranks inferred is not %s", name, inferred);
    ck_assert_msg(ry_bench_refused(file) == (refused == 1), "%s: refused is not %d: %s",
                  name, refused, run->reason ? run->reason : "");
}

static void compare_row(const char *name, const struct ry_bench_run *run, size_t i,
                        FILE *want)
{
    char w[6][WORD_BYTES];

    ck_assert_msg(fscanf(want, " %31s %31s %31s %31s %31s %31s", w[0], w[1], w[2], w[3],
                         w[4], w[5]) == 6,
                  "%s.want: a row is not whole", name);
    ck_assert_msg(i < run->n_rows, "%s: %zu rows only", name, i);
    const struct ry_bench_row *row = &run->rows[i];
    const char *place = row->place == RY_PLACE_OUT  ? "out"
                        : row->place == RY_PLACE_IN ? "in"
                                                    : "-";
    assert_figure(name, i, "bytes", row->bytes, w[0]);
    ck_assert_msg(strcmp(place, w[1]) == 0, "%s row %zu: %s", name, i, place);
    assert_figure(name, i, "time", row->time_s * 1e6, w[2]);
    assert_figure(name, i, "algbw", row->algbw_bytes_per_s / 1e9, w[3]);
    assert_figure(name, i, "busbw", row->busbw_bytes_per_s / 1e9, w[4]);
    ck_assert_msg(row->valid == (strcmp(w[5], "yes") == 0), "%s row %zu: %s", name, i,
                  row->reason ? row->reason : "valid");
    ck_assert_msg(row->valid == (row->reason == NULL), "%s row %zu: reason", name, i);
}

static void compare(const char *name, const struct ry_bench_file *file, FILE *want)
{
    char kind[8];
    size_t runs = 0;
    size_t rows = 0;

    while (fscanf(want, " %7s", kind) == 1) {
        if (strcmp(kind, "run") == 0) {
            ck_assert_msg(runs == 0 || rows == file->runs[runs - 1].n_rows,
                          "%s run %zu: not %zu rows", name, runs, rows);
            compare_run(name, file, runs++, want);
            rows = 0;
        } else
            compare_row(name, &file->runs[runs - 1], rows++, want);
    }
    ck_assert_msg(runs == file->n_runs, "%s: %zu runs, expected %zu", name, file->n_runs,
                  runs);
    ck_assert_msg(rows == file->runs[runs - 1].n_rows, "%s: more than %zu rows", name,
                  rows);
}

START_TEST(every_sample_gives_the_rows_of_its_want_file)
{
    const char *name = samples.names[_i];
    char path[PATH_BYTES + 260];
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_bench_file file;
    struct ry_diag diag = {.text = ""};

    (void)snprintf(path, sizeof(path), "%s/%s", folder(), name);
    ck_assert_msg(ry_bench_read(arena, path, NULL, &file, &diag) == RY_OK, "%s: %s", name,
                  diag.text);
    *strrchr(path, '.') = '\0';
    (void)strcat(path, ".want");
    FILE *want = fopen(path, "r");
    ck_assert_msg(want != NULL, "%s is missing", path);
    compare(name, &file, want);
    (void)fclose(want);
    ry_arena_destroy(arena);
}
END_TEST

static enum ry_err parse(const char *text, struct ry_arena *arena,
                         struct ry_bench_file *file, struct ry_diag *diag)
{
    return ry_bench_parse(arena, "memory", (struct ry_text){text, strlen(text)}, NULL,
                          file, diag);
}

START_TEST(two_runs_in_one_stream_are_named)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_bench_file file;
    static const char text[] =
        "# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor)\n"
        "# Using devices\n"
        "# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor)\n"
        "#  Rank  0 Group  0 Pid 1 on node-01 device  0 [0x03] A\n"
        "#  Rank  1 Group  0 Pid 1 on node-01 device  1 [0x04] A\n"
        "#  Rank  0 Group  0 Pid 2 on node-02 device  0 [0x03] A\n"
        "#  Rank  1 Group  0 Pid 2 on node-02 device  1 [0x04] A\n"
        "  1048576  262144  float  sum  -1  40.64  25.80  25.80  0  45.02  23.29  23.29  "
        "0\n";

    ck_assert_int_eq(parse(text, arena, &file, NULL), RY_OK);
    ck_assert(ry_bench_refused(&file));
    ck_assert_ptr_nonnull(strstr(file.runs[0].reason, "2 runs mixed, 2 ranks each"));
    ck_assert_uint_eq(ry_bench_valid_rows(&file), 0);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(what_is_no_benchmark_is_refused)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "\xff\xfe{}",
        "hello\nworld\n",
        "[1,2,3]",
        "{\"results\":[]}",
        "# OSU MPI Latency Test v7\n",
        "#bytes #iterations BW average[Gb/sec]\n",
    };
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_bench_file file;
    struct ry_diag diag;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_int_eq(parse(texts[i], arena, &file, &diag), RY_ERR_SYNTAX);
    ck_assert_int_eq(ry_bench_read(arena, "/nonexistent", NULL, &file, &diag),
                     RY_ERR_NOTFOUND);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(memory_that_ends_is_an_error_at_every_place)
{
    static const char text[] =
        "# nThread 1 nGpus 8 minBytes 8 maxBytes 64 step: 2(factor)\n"
        "  1048576  262144  float  sum  -1  40.64  25.80  45.15  0  45.02  23.29  40.76  "
        "0\n";
    size_t failures = 0;

    for (size_t limit = 1; limit < 3000000; limit += 20000) {
        struct ry_arena *arena = ry_arena_create(limit);
        struct ry_bench_file file;
        const enum ry_err err = parse(text, arena, &file, NULL);
        ck_assert(err == RY_OK || err == RY_ERR_NOMEM);
        failures += err == RY_ERR_NOMEM;
        ry_arena_destroy(arena);
    }
    ck_assert_uint_gt(failures, 0);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("bench");
    TCase *files = tcase_create("samples");
    TCase *errors = tcase_create("errors");

    list_samples();
    tcase_add_loop_test(files, every_sample_gives_the_rows_of_its_want_file, 0,
                        (int)samples.n);
    tcase_add_test(errors, two_runs_in_one_stream_are_named);
    tcase_add_test(errors, what_is_no_benchmark_is_refused);
    tcase_add_test(errors, memory_that_ends_is_an_error_at_every_place);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, errors);
    return suite;
}
