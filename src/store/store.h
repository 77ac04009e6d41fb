/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The store of benchmark runs, fitted models, searches and rankings (store/jobs.h): one
 * SQLite file.
 *
 * Write-ahead log, full synchronisation and one transaction an import: what was reported
 * as saved is there after a crash, and two processes may write at the same time.  The
 * schema has a version: an older file is migrated on opening, a newer one refused.
 */
#ifndef RY_STORE_STORE_H
#define RY_STORE_STORE_H

#include "base/arena.h"
#include "base/err.h"
#include "io/bench.h"

struct ry_store;

/** The schema that this program writes. */
enum { RY_STORE_SCHEMA = 3 };

/** $XDG_DATA_HOME/railyard/railyard.db, else under ~/.local/share; NULL: no memory. */
const char *ry_store_default_path(struct ry_arena *arena);

/**
 * Open a store, made with its folders when it is new.
 * @return RY_OK, RY_ERR_SYNTAX (another or a damaged file, or one of a newer railyard),
 *         RY_ERR_IO or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_store_open(const char *path, struct ry_store **store,
                                      struct ry_diag *diag);

/** Close it; NULL is allowed. */
void ry_store_close(struct ry_store *store);

/**
 * Look at every page, index and reference.  Opening does less: it reads the pages once.
 * @return RY_OK, RY_ERR_SYNTAX (damaged, and how), RY_ERR_IO.
 */
RY_MUST_USE enum ry_err ry_store_check(struct ry_store *store, struct ry_diag *diag);

/** A run as listed. */
struct ry_stored_run {
    long long id;
    const char *imported; /**< UTC, "2026-11-30T17:20:00Z" */
    const char *label;    /**< the user's, "" for none */
    const char *file, *sha256, *tool, *collective, *gpu, *nccl,
        *launch;         /**< "" unknown */
    double ranks, nodes; /**< NAN unknown */
    double rows, valid_rows;
    double best_busbw_bytes_per_s; /**< of valid rows, NAN without */
};

struct ry_stored_runs {
    size_t n;
    struct ry_stored_run *at; /**< [n] oldest first */
};

/** Where an import comes from. */
struct ry_import {
    const char *label;    /**< "" for none */
    const char *sha256;   /**< of the file */
    const char *imported; /**< UTC time */
};

/**
 * Keep all runs of a file, or none.
 * @param added how many; 0 when this very file is in the store already.
 */
RY_MUST_USE enum ry_err ry_store_import(struct ry_store *store,
                                        const struct ry_bench_file *file,
                                        const struct ry_import *from, size_t *added,
                                        struct ry_diag *diag);

/** All runs. */
RY_MUST_USE enum ry_err ry_store_runs(struct ry_store *store, struct ry_arena *arena,
                                      struct ry_stored_runs *runs, struct ry_diag *diag);

/** The rows of a run, with what the store keeps of them; RY_ERR_NOTFOUND: no such run. */
RY_MUST_USE enum ry_err ry_store_rows(struct ry_store *store, struct ry_arena *arena,
                                      long long id, struct ry_bench_run *run,
                                      struct ry_diag *diag);

/** A fitted model as kept. */
struct ry_stored_fit {
    long long id;
    const char *saved, *name, *sha256, *json;
};

struct ry_stored_fits {
    size_t n;
    struct ry_stored_fit *at; /**< [n] oldest first */
};

/** Keep a model; the same text under the same name is kept once. */
RY_MUST_USE enum ry_err ry_store_add_fit(struct ry_store *store,
                                         const struct ry_stored_fit *fit,
                                         struct ry_diag *diag);

/** All models; `json` of each. */
RY_MUST_USE enum ry_err ry_store_fits(struct ry_store *store, struct ry_arena *arena,
                                      struct ry_stored_fits *fits, struct ry_diag *diag);

#endif
