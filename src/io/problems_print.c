/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/problems_print.h"

#include <stdio.h>

enum ry_err ry_problems_print(const struct ry_problems *problems, struct ry_diag *diag)
{
    const size_t kept =
        problems->count < RY_PROBLEMS_KEPT ? problems->count : RY_PROBLEMS_KEPT;

    for (size_t i = 0; i < kept; i++)
        (void)fprintf(stderr, "railyard: %s: %s: %s\n",
                      ry_err_text(problems->diags[i].code), problems->diags[i].where,
                      problems->diags[i].text);
    if (kept < problems->count)
        (void)fprintf(stderr, "railyard: and %zu more\n", problems->count - kept);
    const enum ry_err err = ry_problems_err(problems, diag);
    if (err != RY_OK && diag)
        diag->text[0] = '\0';
    return err;
}
