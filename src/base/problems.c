/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/problems.h"

#include <stdarg.h>
#include <stdio.h>

void ry_problem(struct ry_problems *problems, enum ry_err code, const char *where,
                const char *fmt, ...)
{
    struct ry_diag diag = {.code = code};

    (void)snprintf(diag.where, sizeof(diag.where), "%s", where);
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(diag.text, sizeof(diag.text), fmt, args);
    va_end(args);
    ry_one_line(diag.where);
    ry_one_line(diag.text);
    ry_problem_diag(problems, &diag);
}

void ry_problem_diag(struct ry_problems *problems, const struct ry_diag *diag)
{
    if (!problems)
        return;
    if (problems->count < RY_PROBLEMS_KEPT)
        problems->diags[problems->count] = *diag;
    problems->count++;
}

enum ry_err ry_problems_err(const struct ry_problems *problems, struct ry_diag *diag)
{
    if (problems->count == 0)
        return RY_OK;
    if (diag)
        *diag = problems->diags[0];
    return problems->diags[0].code;
}

enum ry_err ry_problems_since(const struct ry_problems *problems, size_t before)
{
    if (problems->count == before)
        return RY_OK;
    return before < RY_PROBLEMS_KEPT ? problems->diags[before].code : RY_ERR_SYNTAX;
}
