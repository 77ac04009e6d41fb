/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Progress of long work, and Ctrl-C.
 *
 * A line on stderr after the first second, then about ten times a second: how much is
 * done, how fast, how long it will take.  Only on a terminal, and not with --quiet.
 * The first Ctrl-C asks the work to stop and keep what it found; the second ends the
 * program as usual.
 */
#ifndef RY_CLI_PROGRESS_H
#define RY_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct ry_progress {
    bool shown;             /**< wanted, and stderr is a terminal */
    double start_s, last_s; /**< last_s 0: no line is on the terminal */
    const char *what;       /**< counted: "designs" */
};

/** From here on the first Ctrl-C sets ry_interrupted(). */
void ry_interrupt_keep(void);

/** A clock that only runs forward. */
double ry_now_s(void);

/** Begin. */
struct ry_progress ry_progress_start(const char *what, bool quiet);

/** Show @p done of @p all; any thread may call it, one at a time prints. */
void ry_progress_show(struct ry_progress *progress, size_t done, size_t all);

/** Take the line away.  @return seconds since the start. */
double ry_progress_end(struct ry_progress *progress);

/** Whether Ctrl-C was pressed since ry_interrupt_keep(). */
bool ry_interrupted(void);

#endif
