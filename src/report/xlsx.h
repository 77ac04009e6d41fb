/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Tables as sheets of an Excel workbook.  Texts are written as texts: none is a formula.
 */
#ifndef RY_REPORT_XLSX_H
#define RY_REPORT_XLSX_H

#include "base/err.h"
#include "report/table.h"

#include <stddef.h>

struct ry_sheet {
    const char *name;
    const struct ry_table *table;
};

/**
 * Write a workbook; the file is whole or not there.
 * @param path   of the file.
 * @param sheets [n] in order; columns with a key become columns, their title row frozen.
 */
RY_MUST_USE enum ry_err ry_xlsx_write(const char *path, const struct ry_sheet sheets[],
                                      size_t n, struct ry_diag *diag);

#endif
