/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bundle_pack.h"

#include "base/names.h"
#include "cli/bundle_words.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENVIRONMENT_MOST = 256, OUTPUT_BYTES_MOST = 60 << 20 };

static int remove_entry(const char *path, const struct stat *status, int kind,
                        struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

/* What the output may depend on is the same everywhere. */
static enum ry_err environment(struct ry_arena *arena, bool installed, const char *env[],
                               struct ry_diag *diag)
{
    static const char *const fixed[] = {"LC_ALL=C", "NO_COLOR=1",
                                        "XDG_DATA_HOME=/nonexistent", "RAILYARD_DATA=.",
                                        "SOURCE_DATE_EPOCH=0"};
    static const char *const passed[] = {
        "PATH", "HOME", "TMPDIR", "OMP_NUM_THREADS", "LD_LIBRARY_PATH", "RAILYARD_DATA"};
    size_t n = 0;

    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        if (!installed || strncmp(fixed[i], "RAILYARD_DATA", 13) != 0)
            env[n++] = fixed[i];
    for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
        const char *value = getenv(passed[i]);
        if (!value || (!installed && strcmp(passed[i], "RAILYARD_DATA") == 0))
            continue;
        env[n] = ry_strfmt(arena, "%s=%s", passed[i], value);
        if (!env[n++])
            return ry_fail(diag, RY_ERR_NOMEM, "bundle", "out of memory");
    }
    env[n] = NULL;
    return RY_OK;
}

/* RAILYARD_DATA may be relative to where the user is; the command runs elsewhere. */
static enum ry_err absolute_data(struct ry_arena *arena, const char *env[],
                                 struct ry_diag *diag)
{
    for (size_t i = 0; env[i]; i++) {
        if (strncmp(env[i], "RAILYARD_DATA=", 14) != 0 || strcmp(env[i] + 14, ".") == 0)
            continue;
        char *real = realpath(env[i] + 14, NULL);
        env[i] = real ? ry_strfmt(arena, "RAILYARD_DATA=%s", real) : env[i];
        free(real);
        if (!env[i])
            return ry_fail(diag, RY_ERR_NOMEM, "bundle", "out of memory");
    }
    return RY_OK;
}

/* A bundle's run: the folder goes also when a signal ends it. */
struct running {
    struct ry_arena *arena;
    const struct ry_bundle *bundle;
    const char *folder;
    sigset_t before; /* the mask of the command itself */
    int stopped;     /* by which signal, or 0 */
};

static sigset_t awaited(void)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    return set;
}

/* How the child ended; a signal to this program is passed on to it. */
static int wait_for(pid_t child, int *stopped)
{
    const sigset_t set = awaited();
    int ended = -1;

    while (waitpid(child, &ended, WNOHANG) == 0) {
        const int got = sigwaitinfo(&set, NULL);
        if (got > 0 && got != SIGCHLD) {
            *stopped = got;
            (void)kill(child, got);
        }
    }
    return ended;
}

/* The child: in the folder, its output into a file there. */
static void become(const char *folder, const struct ry_bundle *bundle,
                   const char *program, const char *env[])
{
    const char *argv[RY_BUNDLE_ARGUMENTS_MOST + 4] = {"railyard"};
    const int out = chdir(folder) == 0
                        ? open("output", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                        : -1;

    if (out < 0 || dup2(out, STDOUT_FILENO) < 0)
        _exit(4);
    for (size_t i = 0; i < bundle->arguments_n; i++)
        argv[i + 1] = bundle->arguments[i];
    if (strcmp(bundle->arguments[0], "report") == 0) { /* which would write a file */
        argv[bundle->arguments_n + 1] = "--output";
        argv[bundle->arguments_n + 2] = "-";
    }
    (void)execve(program, (char *const *)(void *)argv, (char *const *)(void *)env);
    _exit(4);
}

static enum ry_err run_in(struct running *r, bool installed, int *status,
                          struct ry_diag *diag)
{
    const char *env[ENVIRONMENT_MOST];
    char program[PATH_MAX];
    const ssize_t bytes = readlink("/proc/self/exe", program, sizeof(program) - 1);

    if (bytes <= 0)
        return ry_fail(diag, RY_ERR_IO, "bundle", "cannot find the program itself");
    program[bytes] = '\0';
    RY_TRY(environment(r->arena, installed, env, diag));
    RY_TRY(absolute_data(r->arena, env, diag));
    const pid_t child = fork();
    if (child == 0) {
        (void)sigprocmask(SIG_SETMASK, &r->before, NULL);
        become(r->folder, r->bundle, program, env);
    }
    const int ended = child > 0 ? wait_for(child, &r->stopped) : -1;
    if (!WIFEXITED(ended))
        return ry_fail(diag, RY_ERR_IO, "bundle", "'railyard %s' did not end",
                       r->bundle->arguments[0]);
    *status = WEXITSTATUS(ended);
    return RY_OK;
}

enum ry_err ry_bundle_run(struct ry_arena *arena, const struct ry_bundle *bundle,
                          bool installed, int *status, struct ry_text *output,
                          struct ry_diag *diag)
{
    const char *base = getenv("TMPDIR");
    char *folder =
        ry_strfmt(arena, "%s/railyard-XXXXXX", base && base[0] ? base : "/tmp");

    RY_TRY(ry_bundle_check(bundle->arguments_n, bundle->arguments, diag));
    if (!folder || !mkdtemp(folder))
        return ry_fail(diag, RY_ERR_IO, "bundle", "cannot make a temporary folder: %s",
                       strerror(errno));
    struct running running = {.arena = arena, .bundle = bundle, .folder = folder};
    const sigset_t set = awaited();
    (void)sigprocmask(SIG_BLOCK, &set, &running.before);
    enum ry_err err = ry_bundle_unpack(arena, bundle, folder, diag);
    if (err == RY_OK)
        err = run_in(&running, installed, status, diag);
    const char *path = ry_strfmt(arena, "%s/output", folder);
    if (err == RY_OK && path)
        err = ry_file_read(arena, path, OUTPUT_BYTES_MOST, output, diag);
    (void)nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    (void)sigprocmask(SIG_SETMASK, &running.before, NULL);
    if (running.stopped != 0)
        (void)raise(running.stopped);
    return path ? err : ry_fail(diag, RY_ERR_NOMEM, "bundle", "out of memory");
}
