/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/data.h"
#include "io/file.h"
#include "io/outfile.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[512];
static char path[600];
static struct ry_arena *arena;

static void set_up(void)
{
    (void)snprintf(folder, sizeof(folder), "%s/railyard-outfile-XXXXXX",
                   getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/out.json", folder);
    arena = ry_arena_create(0);
}

static void tear_down(void)
{
    (void)unlink(path);
    ck_assert_int_eq(rmdir(folder), 0); /* nothing but the file may be left */
    ry_arena_destroy(arena);
}

static void write_old(void)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs("old", file);
    (void)fclose(file);
    (void)chmod(path, 0640);
}

static void expect(const char *text)
{
    struct ry_text read = {0};
    ck_assert_int_eq(ry_file_read(arena, path, 1000, &read, NULL), RY_OK);
    ck_assert_str_eq(read.data, text);
}

START_TEST(a_new_file_appears_whole_at_commit)
{
    struct ry_outfile out;

    ck_assert_int_eq(ry_outfile_open(&out, path, NULL), RY_OK);
    (void)fputs("new", out.file);
    ck_assert(!ry_file_exists(path));
    ck_assert_int_eq(ry_outfile_commit(&out, NULL), RY_OK);
    expect("new");
}
END_TEST

START_TEST(an_old_file_stays_until_commit_and_keeps_its_permissions)
{
    struct ry_outfile out;
    struct stat info;

    write_old();
    ck_assert_int_eq(ry_outfile_open(&out, path, NULL), RY_OK);
    (void)fputs("new", out.file);
    (void)fflush(out.file);
    expect("old");
    ck_assert_int_eq(ry_outfile_commit(&out, NULL), RY_OK);
    expect("new");
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & 07777, 0640);
}
END_TEST

START_TEST(abort_leaves_the_old_file)
{
    struct ry_outfile out;

    write_old();
    ck_assert_int_eq(ry_outfile_open(&out, path, NULL), RY_OK);
    (void)fputs("new", out.file);
    ry_outfile_abort(&out);
    expect("old");
}
END_TEST

START_TEST(a_full_disk_is_an_error_and_a_device_is_written_directly)
{
    struct ry_outfile out;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_outfile_open(&out, "/dev/full", &diag), RY_OK);
    (void)fputs("new", out.file);
    ck_assert_int_eq(ry_outfile_commit(&out, &diag), RY_ERR_IO);
    ck_assert_str_eq(diag.where, "/dev/full");
    ck_assert_ptr_nonnull(strstr(diag.text, "No space left"));
}
END_TEST

START_TEST(a_folder_or_a_missing_folder_cannot_be_written)
{
    struct ry_outfile out;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_outfile_open(&out, folder, &diag), RY_ERR_IO);
    ck_assert_str_eq(diag.text, "is a folder");
    ck_assert_int_eq(ry_outfile_open(&out, "/no/such/folder/x", &diag), RY_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.text, "No such file"));
}
END_TEST

START_TEST(a_folder_is_listed_by_name_and_suffix)
{
    struct ry_file_names names = {0};

    write_old();
    ck_assert_int_eq(ry_folder_list(arena, folder, ".json", &names, NULL), RY_OK);
    ck_assert_uint_eq(names.n, 1);
    ck_assert_str_eq(names.at[0], "out.json");
    ck_assert_int_eq(ry_folder_list(arena, folder, ".csv", &names, NULL), RY_OK);
    ck_assert_uint_eq(names.n, 0);
    ck_assert_int_eq(ry_folder_list(arena, "/no/such", "", &names, NULL),
                     RY_ERR_NOTFOUND);
}
END_TEST

START_TEST(a_shown_text_has_no_control_characters_and_ends_between_characters)
{
    char shown[RY_SHOWN_BYTES];
    static const char longer[] = "0123456789012345678901234567890123456789012345678901234"
                                 "567\xc3\xa9\xc3\xa9\xc3\xa9";

    ck_assert_str_eq(ry_shown("a\x1b[31m\n", shown), "a?[31m?");
    ck_assert_str_eq(
        ry_shown(longer, shown),
        "0123456789012345678901234567890123456789012345678901234567\xc3\xa9...");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("outfile");
    TCase *tcase = tcase_create("outfile");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_new_file_appears_whole_at_commit);
    tcase_add_test(tcase, an_old_file_stays_until_commit_and_keeps_its_permissions);
    tcase_add_test(tcase, abort_leaves_the_old_file);
    tcase_add_test(tcase, a_full_disk_is_an_error_and_a_device_is_written_directly);
    tcase_add_test(tcase, a_folder_or_a_missing_folder_cannot_be_written);
    tcase_add_test(tcase, a_folder_is_listed_by_name_and_suffix);
    tcase_add_test(tcase,
                   a_shown_text_has_no_control_characters_and_ends_between_characters);
    suite_add_tcase(suite, tcase);
    return suite;
}
