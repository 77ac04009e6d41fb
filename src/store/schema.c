/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/schema.h"

#define RUNS                                                                             \
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, imported TEXT NOT NULL,"    \
    " label TEXT NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL, tool TEXT NOT "     \
    "NULL,"                                                                              \
    " collective TEXT, ranks REAL, nodes REAL, gpu TEXT, nccl TEXT, launch TEXT,"        \
    " valid INTEGER NOT NULL, reason TEXT);"                                             \
    "CREATE INDEX runs_sha256 ON runs(sha256);"                                          \
    "CREATE TABLE rows(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"      \
    " i INTEGER NOT NULL, bytes REAL, place INTEGER NOT NULL, dtype TEXT, time_s REAL,"  \
    " algbw REAL, busbw REAL, valid INTEGER NOT NULL, reason TEXT,"                      \
    " PRIMARY KEY(run, i)) WITHOUT ROWID;"

#define FITS                                                                             \
    "CREATE TABLE fits(id INTEGER PRIMARY KEY AUTOINCREMENT, saved TEXT NOT NULL,"       \
    " name TEXT NOT NULL, sha256 TEXT NOT NULL, json TEXT NOT NULL,"                     \
    " UNIQUE(name, sha256));"

/* jobs: a search or ranking.  pieces: runs of a search that were done.  found: the
 * fastest strategies of each case of a search.  bests: the cases of a ranking that were
 * done.  answers: what was printed at the end, a row each. */
#define JOBS                                                                             \
    "CREATE TABLE jobs(id INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL,"     \
    " arguments TEXT NOT NULL, inputs TEXT NOT NULL UNIQUE, started TEXT NOT NULL,"      \
    " finished TEXT);"                                                                   \
    "CREATE TABLE pieces(job INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,"    \
    " case_i INTEGER NOT NULL, piece INTEGER NOT NULL, evaluated INTEGER NOT NULL,"      \
    " infeasible INTEGER NOT NULL, indivisible INTEGER NOT NULL,"                        \
    " least_missing_bytes REAL NOT NULL, least_missing INTEGER NOT NULL,"                \
    " first_indivisible INTEGER NOT NULL, PRIMARY KEY(job, case_i, piece)) WITHOUT "     \
    "ROWID;"                                                                             \
    "CREATE TABLE found(job INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,"     \
    " case_i INTEGER NOT NULL, strategy INTEGER NOT NULL, step_time_s REAL NOT NULL,"    \
    " PRIMARY KEY(job, case_i, strategy)) WITHOUT ROWID;"                                \
    "CREATE TABLE bests(job INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,"     \
    " case_i INTEGER NOT NULL, found INTEGER NOT NULL, chosen INTEGER NOT NULL,"         \
    " strategy INTEGER NOT NULL,"                                                        \
    " step_time_s REAL NOT NULL, figure REAL, evaluated INTEGER NOT NULL,"               \
    " pruned INTEGER NOT NULL, pruned_least REAL, infeasible INTEGER NOT NULL,"          \
    " indivisible INTEGER NOT NULL, why TEXT NOT NULL, PRIMARY KEY(job, case_i))"        \
    " WITHOUT ROWID;"                                                                    \
    "CREATE TABLE answers(job INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,"   \
    " i INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY(job, i)) WITHOUT ROWID;"

/* For users: doc/runs.md.  Columns are added at the end, never taken away. */
#define VIEWS                                                                            \
    "CREATE VIEW run_rows AS SELECT r.id AS run, r.imported, r.label, r.collective,"     \
    " r.ranks, r.nodes, r.gpu, r.nccl, x.bytes, x.dtype, x.time_s,"                      \
    " x.algbw AS algbw_bytes_per_s, x.busbw AS busbw_bytes_per_s, x.valid, x.reason"     \
    " FROM runs r JOIN rows x ON x.run=r.id;"                                            \
    "CREATE VIEW job_progress AS SELECT j.id AS job, j.command, j.arguments, j.inputs,"  \
    " j.started, j.finished, count(p.done) AS pieces,"                                   \
    " coalesce(sum(p.evaluated), 0) AS evaluated,"                                       \
    " coalesce(sum(p.infeasible), 0) AS infeasible,"                                     \
    " coalesce(sum(p.indivisible), 0) AS indivisible FROM jobs j LEFT JOIN"              \
    " (SELECT job, 1 AS done, evaluated, infeasible, indivisible FROM pieces"            \
    " UNION ALL SELECT job, 1, evaluated, infeasible, indivisible FROM bests) p"         \
    " ON p.job=j.id GROUP BY j.id;"                                                      \
    "CREATE VIEW search_results AS SELECT j.id AS job, j.finished, a.i AS row,"          \
    " json ->> '$.workload' AS workload, json ->> '$.design' AS design,"                 \
    " json ->> '$.rank' AS place, json ->> '$.strategy' AS strategy,"                    \
    " json ->> '$.tp' AS tp, json ->> '$.pp' AS pp, json ->> '$.vpp' AS vpp,"            \
    " json ->> '$.dp' AS dp, json ->> '$.cp' AS cp, json ->> '$.ep' AS ep,"              \
    " json ->> '$.micro_batch' AS micro_batch,"                                          \
    " json ->> '$.step_time_s' AS step_time_s,"                                          \
    " json ->> '$.step_time_lo_s' AS step_time_lo_s,"                                    \
    " json ->> '$.step_time_hi_s' AS step_time_hi_s,"                                    \
    " json ->> '$.tokens_per_s' AS tokens_per_s, json ->> '$.mfu_frac' AS mfu_frac,"     \
    " json ->> '$.peak_bytes' AS peak_bytes"                                             \
    " FROM jobs j JOIN answers a ON a.job=j.id WHERE j.command='search';"                \
    "CREATE VIEW rank_results AS SELECT j.id AS job, j.finished, a.i AS row,"            \
    " json ->> '$.workload' AS workload, json ->> '$.design' AS design,"                 \
    " json ->> '$.rank' AS place, json ->> '$.feasible' AS feasible,"                    \
    " json ->> '$.reason' AS reason, json ->> '$.strategy' AS strategy,"                 \
    " json ->> '$.gpus' AS gpus, json ->> '$.step_time_s' AS step_time_s,"               \
    " json ->> '$.step_time_lo_s' AS step_time_lo_s,"                                    \
    " json ->> '$.step_time_hi_s' AS step_time_hi_s,"                                    \
    " json ->> '$.tokens_per_s' AS tokens_per_s, json ->> '$.mfu_frac' AS mfu_frac,"     \
    " json ->> '$.capex_usd' AS capex_usd, json ->> '$.capex_unpriced_parts' AS"         \
    " capex_unpriced_parts, json ->> '$.tco_usd' AS tco_usd,"                            \
    " json ->> '$.usd_per_trillion_tokens' AS usd_per_trillion_tokens,"                  \
    " json ->> '$.racks' AS racks, json ->> '$.power_w' AS power_w,"                     \
    " json ->> '$.joules_per_token' AS joules_per_token,"                                \
    " json ->> '$.days' AS days, json ->> '$.usd_to_train' AS usd_to_train, a.json"      \
    " FROM jobs j JOIN answers a ON a.job=j.id WHERE j.command='rank';"

const char *const ry_store_migrations[RY_STORE_SCHEMA] = {RUNS, FITS, JOBS VIEWS};
