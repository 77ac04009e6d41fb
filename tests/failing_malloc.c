/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded, it makes the allocation number FAIL_AT of a program fail, and with FAIL_ON
 * set all after it.  FAIL_SITES names a file for the numbers of the allocations that came
 * from somewhere new, one a line: to fail each of those is to fail everywhere once. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 20, SEEN = 1 << 16 };

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long made, fails_at;
static int fails_on, ready;
static uintptr_t seen[SEEN]; /* hashes of stacks */
static FILE *sites;
static _Thread_local int within;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void set_up(void)
{
    void *frames[FRAMES];
    const char *path = getenv("FAIL_SITES");

    (void)backtrace(frames, FRAMES); /* it allocates the first time */
    fails_at = number("FAIL_AT");
    fails_on = getenv("FAIL_ON") != NULL;
    sites = path ? fopen(path, "we") : NULL;
    ready = 1;
}

__attribute__((destructor)) static void tear_down(void)
{
    ready = 0;
    if (sites)
        (void)fclose(sites);
}

static int is_new(void)
{
    void *frames[FRAMES];
    const int n = backtrace(frames, FRAMES);
    uintptr_t hash = 1;

    for (int i = 0; i < n; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * (uintptr_t)0x100000001b3u;
    for (size_t i = hash % SEEN;; i = (i + 1) % SEEN) {
        if (seen[i] == hash)
            return 0;
        if (seen[i] == 0) {
            seen[i] = hash;
            return 1;
        }
    }
}

static int fails(void)
{
    int now = 0;

    if (!ready || within)
        return 0;
    within = 1;
    (void)pthread_mutex_lock(&lock);
    made++;
    if (sites && is_new())
        (void)fprintf(sites, "%ld\n", made);
    now = fails_at > 0 && (fails_on ? made >= fails_at : made == fails_at);
    (void)pthread_mutex_unlock(&lock);
    within = 0;
    if (now)
        errno = ENOMEM;
    return now;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(old, bytes);
}
