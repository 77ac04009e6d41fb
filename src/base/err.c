/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    int exit_status;
    const char *text;
} errors[] = {
#define X(code, exit_status, text) [code] = {exit_status, text},
#include "base/err.def"
#undef X
};

const char *ry_err_text(enum ry_err code)
{
    return errors[code].text;
}

int ry_err_exit_status(enum ry_err code)
{
    return errors[code].exit_status;
}

void ry_one_line(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

#undef ry_fail /* what the analyser is told of it */
enum ry_err ry_fail(struct ry_diag *diag, enum ry_err code, const char *where,
                    const char *fmt, ...)
{
    if (!diag)
        return code;

    diag->code = code;
    (void)snprintf(diag->where, sizeof(diag->where), "%s", where);

    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(diag->text, sizeof(diag->text), fmt, args);
    va_end(args);
    ry_one_line(diag->where);
    ry_one_line(diag->text);
    return code;
}
