/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double first_s = 1.0;
static const double between_s = 0.1;

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

double ry_now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ry_interrupt_keep(void)
{
    const struct sigaction keep_found = {.sa_handler = interrupt,
                                         .sa_flags = (int)SA_RESETHAND};

    (void)sigaction(SIGINT, &keep_found, NULL);
}

struct ry_progress ry_progress_start(const char *what, bool quiet)
{
    return (struct ry_progress){
        .shown = !quiet && isatty(STDERR_FILENO), .start_s = ry_now_s(), .what = what};
}

void ry_progress_show(struct ry_progress *p, size_t done, size_t all)
{
    if (!p->shown || done == 0)
        return;
#pragma omp critical(ry_progress)
    {
        const double now = ry_now_s();
        const double taken_s = now - p->start_s;
        if (taken_s > first_s && now - p->last_s > between_s) {
            const double rate = (double)done / taken_s;
            (void)fprintf(stderr, "\r%zu of %zu %s, %.3g a second, %.0f s left \033[K",
                          done, all, p->what, rate, (double)(all - done) / rate);
            p->last_s = now;
        }
    }
}

double ry_progress_end(struct ry_progress *p)
{
    if (p->last_s > 0.0)
        (void)fprintf(stderr, "\r\033[K");
    p->last_s = 0.0;
    return ry_now_s() - p->start_s;
}

bool ry_interrupted(void)
{
    return interrupted != 0;
}
