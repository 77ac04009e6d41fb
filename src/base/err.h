/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Error codes and the one diagnostic a failing call leaves behind.
 *
 * A function that can fail returns `enum ry_err`, takes a nullable
 * `struct ry_diag *` as its last parameter, and writes its results only when it
 * returns RY_OK.  A function that cannot fail returns its value.  A caller's
 * mistake (a null pointer, a negative count) is an assert, never an error.
 */
#ifndef RY_BASE_ERR_H
#define RY_BASE_ERR_H

#if defined(__GNUC__)
#define RY_MUST_USE __attribute__((warn_unused_result))
#define RY_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define RY_MUST_USE
#define RY_PRINTF(fmt, first)
#endif

enum ry_err {
#define X(code, exit_status, text) code,
#include "base/err.def"
#undef X
};

/** What went wrong, and where.  Plain data: copy it, print it, compare it. */
struct ry_diag {
    enum ry_err code;
    char where[160]; /**< the input at fault: "--ranks", "a.json: /nodes/3/gpu" */
    char text[240];  /**< one line, no full stop, the offending value included */
};

/** The fixed text of @p code, e.g. "out of memory".  Never NULL. */
const char *ry_err_text(enum ry_err code);

/** The process exit status that @p code maps to (0 to 4, see err.def). */
int ry_err_exit_status(enum ry_err code);

/**
 * Fill @p diag (if not NULL) and return @p code, so that a failure is one line:
 *
 *     return ry_fail(diag, RY_ERR_RANGE, "ranks", "%zu is below 1", ranks);
 */
enum ry_err ry_fail(struct ry_diag *diag, enum ry_err code, const char *where,
                    const char *fmt, ...) RY_PRINTF(4, 5);
#ifdef __clang_analyzer__ /* which sees one file: what is not RY_OK stays so */
#define ry_fail(diag, code, ...) ((void)ry_fail(diag, code, __VA_ARGS__), (code))
#endif

/** Puts '?' for every control character of @p text: names of others stay on one line. */
void ry_one_line(char *text);

/**
 * Return from the enclosing function if @p expr fails.  Only for functions that
 * own nothing but arena memory: there is then nothing to clean up.
 */
#define RY_TRY(expr)                                                                     \
    do {                                                                                 \
        const enum ry_err ry_try_code = (expr);                                          \
        if (ry_try_code != RY_OK)                                                        \
            return ry_try_code;                                                          \
    } while (0)

#endif
