/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Print all mistakes of an input, a line each, to stderr.
 */
#ifndef RY_IO_PROBLEMS_PRINT_H
#define RY_IO_PROBLEMS_PRINT_H

#include "base/problems.h"

/**
 * Print every mistake kept and how many more there were; nothing for an empty list.
 * @param problems the list.
 * @param diag     its text is emptied when something was printed, so that main() does
 *                 not say it again.
 * @return RY_OK for an empty list, else the code of its first mistake.
 */
RY_MUST_USE enum ry_err ry_problems_print(const struct ry_problems *problems,
                                          struct ry_diag *diag);

#endif
