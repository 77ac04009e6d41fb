/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the readers of benchmark outputs fill: runs that grow, with the precision of the
 * printed figures, from which bench_infer.c works out what the file does not say.
 */
#ifndef RY_IO_BENCH_DRAFT_H
#define RY_IO_BENCH_DRAFT_H

#include "io/bench.h"
#include "io/text.h"

enum {
    RY_BENCH_ROWS_MOST = 1000000,
    RY_BENCH_RUNS_MOST = 20000,
    RY_BENCH_NOTES_MOST = 200
};

/** The unit that a row's time agrees with. */
enum ry_bench_unit { RY_UNIT_UNSURE, RY_UNIT_US, RY_UNIT_MS };

struct ry_draft_row {
    struct ry_bench_row row;
    double algbw_half, busbw_half; /**< half a unit of the last printed digit, B/s */
    enum ry_bench_unit unit;
};

struct ry_draft_run {
    struct ry_draft_run *next;
    struct ry_bench_run run;
    size_t n_rows, room;
    struct ry_draft_row *rows;
    /* Evidence on ranks and nodes. */
    double listed_ranks;     /**< highest rank of the device list, plus one; 0: no list */
    double listed_lines;     /**< lines of that list */
    double listed_hosts;     /**< distinct names */
    double listed_devices;   /**< highest device number, plus one */
    bool last_device_listed; /**< the highest rank is on the highest device */
    double process_ranks;    /**< threads times GPUs of one process; 0: not said */
    unsigned mixed;          /**< runs in one frame; below 2: not mixed */
    double average_busbw;    /**< of the footer, B/s; NAN: none */
    bool in_place_unchecked; /**< its check is N/A while the other half has one */
    bool nothing_to_infer;   /**< the tool says what it ran, and no busbw of its own */
    bool text_layout;        /**< figures are rounded as nccl-tests prints them */
};

struct ry_bench_draft {
    struct ry_arena *arena;
    const char *path;
    const struct ry_bench_hints *hints;
    bool out_of_memory;
    bool too_many_rows;
    size_t n_rows, n_runs, n_notes, notes_lost;
    struct ry_draft_run *first, *last;
    const char *notes[RY_BENCH_NOTES_MOST];
    struct ry_draft_run spare_run; /**< handed out when memory or a limit ends */
    struct ry_draft_row spare_row;
};

/**
 * A new run with all figures unknown.  Never NULL: failures show in @p draft.
 * @param tool the word for it, "nccl-tests text", which outlives the draft.
 */
struct ry_draft_run *ry_draft_add_run(struct ry_bench_draft *draft, const char *tool,
                                      size_t line);

/** A new row, valid, all figures unknown; stays in place until the next is added. */
struct ry_draft_row *ry_draft_add_row(struct ry_bench_draft *draft,
                                      struct ry_draft_run *run, size_t line);

/** Mark a row as no evidence; the first reason stays. */
void ry_draft_spoil(struct ry_draft_row *row, const char *reason);

/** Say what was inferred or dropped; line 0 when there is none. */
void ry_draft_note(struct ry_bench_draft *draft, size_t line, const char *fmt, ...)
    RY_PRINTF(3, 4);

/** Formatted text in the draft's arena; "" when out of memory. */
const char *ry_draft_text(struct ry_bench_draft *draft, const char *fmt, ...)
    RY_PRINTF(2, 3);

/** A word of the file, kept; NULL for an empty one. */
const char *ry_draft_word(struct ry_bench_draft *draft, struct ry_slice word);

/**
 * The run that a record belongs to, which names its collective itself: one of the first
 * with the same collective, ranks and launch, or a new one.
 * @param like its collective, launch, ranks and nodes count.
 */
struct ry_draft_run *ry_draft_run_like(struct ry_bench_draft *draft, const char *tool,
                                       const struct ry_bench_run *like);

/** The collective that a tool's word means ("AllReduce", "all_reduce_perf"), or NULL. */
const char *ry_bench_collective(struct ry_slice word);

/** The collective named in @p line by a program "NAME_perf", last one; or NULL. */
const char *ry_bench_collective_of_command(struct ry_slice line);

/** busbw / algbw of a collective over @p ranks; NAN when it is not known. */
double ry_bench_factor(const char *collective, double ranks);

/** Bytes of an element by the tool's word; NAN when not known. */
double ry_bench_dtype_bytes(const char *dtype);

/** Work out collective, ranks and nodes of a run and judge its rows. */
void ry_bench_infer(struct ry_bench_draft *draft, struct ry_draft_run *run);

/** A reader adds runs and rows; it returns false when the text is not of its kind. */
typedef bool ry_bench_reader(struct ry_bench_draft *draft, struct ry_slice text);

#define X(read, tool) ry_bench_reader read;
#include "io/bench_readers.def"
#undef X

#endif
