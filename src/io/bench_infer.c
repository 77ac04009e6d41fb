/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_draft.h"
#include "io/bench_ratio.h"

#include <math.h>
#include <string.h>

/* size = count * element * ranks of gathers and scatters: exact, or RY_UNKNOWN. */
static double ranks_by_count(const struct ry_draft_run *run)
{
    double ranks = RY_UNKNOWN;

    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i].row;
        const double element = ry_bench_dtype_bytes(row->dtype);
        if (!(row->bytes > 0.0) || !(row->count > 0.0) || !isfinite(element))
            continue;
        const double n = row->bytes / (row->count * element);
        if (n != floor(n) || n < 1.0 || (isfinite(ranks) && n != ranks))
            return RY_UNKNOWN;
        ranks = n;
    }
    return ranks;
}

static bool unchecked_in_place(const struct ry_draft_run *run)
{
    bool checked_out = false, any_in = false;

    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i].row;
        if (!isfinite(row->time_s))
            continue;
        if (row->place == RY_PLACE_OUT)
            checked_out |= isfinite(row->wrong);
        else if (isfinite(row->wrong))
            return false;
        else
            any_in = true;
    }
    return run->in_place_unchecked || (checked_out && any_in);
}

static bool reduces(const struct ry_bench_row *row)
{
    return row->redop && strcmp(row->redop, "none") != 0;
}

static bool in_name(const struct ry_draft_run *run, const char *word)
{
    const char *slash = strrchr(run->run.file, '/');
    const char *name = slash ? slash + 1 : run->run.file;
    const char *found = strstr(name, word);

    /* "reduce" must not be found in "all_reduce", nor "gather" in "all_gather". */
    return found && (found == name || (found[-1] != '_' && found[-1] != 'l'));
}

/* Which of the two that look alike, by the file's name; NULL when it does not say. */
static const char *by_name(const struct ry_draft_run *run, const char *const names[])
{
    const char *said = NULL;

    for (size_t i = 0; names[i]; i++) {
        if (!in_name(run, names[i]))
            continue;
        if (said)
            return NULL;
        said = names[i];
    }
    return said;
}

static const char *guess_share(const struct ry_draft_run *run)
{
    static const char *const rooted[] = {"gather", "scatter", NULL};
    static const char *const plain[] = {"all_gather", "alltoall", NULL};
    const struct ry_bench_row *row = &run->rows[0].row;

    if (reduces(row))
        return "reduce_scatter";
    if (row->root >= 0.0)
        return by_name(run, rooted);
    if (unchecked_in_place(run))
        return "alltoall";
    const char *named = by_name(run, plain);
    if (named)
        return named;
    /* A check of in-place results is not made for alltoall. */
    for (size_t i = 0; i < run->n_rows; i++)
        if (run->rows[i].row.place == RY_PLACE_IN && isfinite(run->rows[i].row.wrong))
            return "all_gather";
    return NULL;
}

static const char *guess_one(const struct ry_draft_run *run)
{
    const struct ry_bench_row *row = &run->rows[0].row;

    if (row->root >= 0.0)
        return reduces(row) ? "reduce" : "broadcast";
    if (unchecked_in_place(run))
        return "sendrecv";
    return reduces(row) ? "all_reduce" : NULL;
}

static const char *guess_collective(const struct ry_draft_run *run,
                                    enum ry_ratio_class class)
{
    switch (class) {
    case RY_RATIO_TWICE:
        return "all_reduce";
    case RY_RATIO_SHARE:
        return guess_share(run);
    case RY_RATIO_ONE:
        return guess_one(run);
    case RY_RATIO_ZERO:
    case RY_RATIO_UNKNOWN:
        break;
    }
    return NULL;
}

/* Whether the figures can be of that collective. */
static bool can_be(const char *collective, enum ry_ratio_class class)
{
    const double of_many = ry_bench_factor(collective, 1e6);

    if (class == RY_RATIO_TWICE)
        return !isfinite(of_many) || of_many > 1.5;
    if (class == RY_RATIO_SHARE)
        return !isfinite(of_many) || of_many < 1.0;
    return true;
}

static void infer_collective(struct ry_bench_draft *draft, struct ry_draft_run *run,
                             enum ry_ratio_class class)
{
    struct ry_bench_run *out = &run->run;

    if (draft->hints && draft->hints->collective)
        out->collective = draft->hints->collective;
    if (out->collective && !can_be(out->collective, class)) {
        ry_draft_note(draft, out->line, "%s is named, but busbw / algbw is not its ratio",
                      out->collective);
        out->collective = NULL;
    }
    if (out->collective)
        return;
    out->collective = guess_collective(run, class);
    if (out->collective) {
        out->collective_inferred = true;
        ry_draft_note(draft, out->line, "collective %s inferred from busbw / algbw",
                      out->collective);
    } else
        ry_draft_note(draft, out->line, "the collective is not said; use --collective");
}

/* Ranks that give @p ratio for the class of the collective: [lo, hi]. */
static struct ry_bench_ratio ranks_of_ratio(const char *collective,
                                            struct ry_bench_ratio ratio)
{
    const double of_many = ry_bench_factor(collective, 1e6);
    struct ry_bench_ratio ranks = {.known = false};

    if (!ratio.known || !isfinite(of_many) || of_many == 1.0)
        return ranks;
    const double top = of_many > 1.5 ? 2.0 : 1.0;
    if (!(ratio.lo < top))
        return ranks;
    ranks.lo = top / (top - ratio.lo);
    ranks.hi = ratio.hi < top ? top / (top - ratio.hi) : (double)INFINITY;
    ranks.known = true;
    return ranks;
}

/* The one whole number in [lo, hi] that the largest of 8, 4, 2, 1 divides. */
static double roundest(struct ry_bench_ratio ranks, double step_hint)
{
    const double steps[] = {step_hint, 8.0, 4.0, 2.0, 1.0};
    const double slack = 1e-6 * ranks.lo;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (!(steps[i] >= 1.0))
            continue;
        const double first = ceil((ranks.lo - slack) / steps[i]) * steps[i];
        if (first > ranks.hi + slack)
            continue;
        return first + steps[i] > ranks.hi + slack ? first : RY_UNKNOWN;
    }
    return RY_UNKNOWN;
}

static void infer_ranks_by_ratio(struct ry_bench_draft *draft, struct ry_draft_run *run,
                                 struct ry_bench_ratio ratio)
{
    struct ry_bench_run *out = &run->run;
    const struct ry_bench_ratio ranks = ranks_of_ratio(out->collective, ratio);

    if (!ranks.known) {
        ry_draft_note(draft, out->line, "ranks are not said and cannot be inferred");
        return;
    }
    out->ranks = roundest(ranks, run->process_ranks);
    if (!isfinite(out->ranks)) {
        ry_draft_note(draft, out->line, "between %.0f and %.0f ranks: not identifiable",
                      floor(ranks.lo), ceil(ranks.hi));
        return;
    }
    out->ranks_inferred = true;
    ry_draft_note(draft, out->line,
                  "%.0f ranks inferred from busbw / algbw (%.1f to %.1f fit)", out->ranks,
                  ranks.lo, ranks.hi);
}

static bool ratio_allows(const char *collective, struct ry_bench_ratio ratio,
                         double ranks)
{
    const double factor = ry_bench_factor(collective, ranks);

    return !ratio.known || !isfinite(factor) ||
           (factor > ratio.lo * 0.999 && factor < ratio.hi * 1.001);
}

static void infer_ranks(struct ry_bench_draft *draft, struct ry_draft_run *run,
                        struct ry_bench_ratio ratio, enum ry_ratio_class class)
{
    struct ry_bench_run *out = &run->run;

    if (draft->hints && draft->hints->ranks) {
        out->ranks = (double)draft->hints->ranks;
        return;
    }
    if (isfinite(out->ranks))
        return;
    const double counted = ranks_by_count(run);
    if (run->listed_ranks > 0.0 &&
        ratio_allows(out->collective, ratio, run->listed_ranks)) {
        out->ranks = run->listed_ranks;
        return;
    }
    if (run->listed_ranks > 0.0)
        ry_draft_note(draft, out->line,
                      "%.0f ranks are listed, but the figures are of others",
                      run->listed_ranks);
    if ((class == RY_RATIO_SHARE || class == RY_RATIO_UNKNOWN) && counted > 1.0 &&
        ratio_allows(out->collective, ratio, counted)) {
        out->ranks = counted;
        out->ranks_inferred = true;
        ry_draft_note(draft, out->line, "%.0f ranks inferred from size / count", counted);
        return;
    }
    if (class == RY_RATIO_ZERO) {
        out->ranks = 1.0;
        out->ranks_inferred = true;
        return;
    }
    infer_ranks_by_ratio(draft, run, ratio);
}

static void infer_nodes(struct ry_bench_draft *draft, struct ry_draft_run *run)
{
    struct ry_bench_run *out = &run->run;
    const double each = run->listed_devices;

    if (draft->hints && draft->hints->nodes)
        out->nodes = (double)draft->hints->nodes;
    if (isfinite(out->nodes) || !isfinite(out->ranks))
        return;
    if (run->listed_lines > 0.0 && run->listed_lines == out->ranks)
        out->nodes = run->listed_hosts;
    else if (run->listed_ranks == out->ranks && run->last_device_listed && each >= 1.0 &&
             fmod(out->ranks, each) == 0.0 && out->ranks / each >= run->listed_hosts) {
        out->nodes = out->ranks / each;
        out->nodes_inferred = true;
        ry_draft_note(draft, out->line, "%.0f nodes inferred: %.0f devices a node",
                      out->nodes, each);
    } else if (out->ranks == run->process_ranks && out->ranks > 1.0)
        out->nodes = 1.0; /* all in one process */
}

static void settle_unit(struct ry_draft_run *run)
{
    size_t us = 0, ms = 0;

    for (size_t i = 0; i < run->n_rows; i++) {
        us += run->rows[i].unit == RY_UNIT_US;
        ms += run->rows[i].unit == RY_UNIT_MS;
    }
    for (size_t i = 0; i < run->n_rows && ms > us; i++) {
        run->rows[i].row.time_s *= 1e3;
        if (run->rows[i].unit == RY_UNIT_US)
            ry_draft_spoil(&run->rows[i], "time is not in the unit of the other rows");
    }
    for (size_t i = 0; i < run->n_rows && us >= ms; i++)
        if (run->rows[i].unit == RY_UNIT_MS)
            ry_draft_spoil(&run->rows[i], "time does not give the printed bandwidth");
}

static void judge_row(const struct ry_draft_run *run, struct ry_draft_row *draft)
{
    const struct ry_bench_row *row = &draft->row;

    if (!run->run.valid)
        ry_draft_spoil(draft, run->run.reason);
    if (row->bytes == 0.0)
        ry_draft_spoil(draft, "0 bytes: nothing was moved");
    if (row->wrong > 0.0)
        ry_draft_spoil(draft, "wrong elements");
    if (run->run.ranks == 1.0)
        ry_draft_spoil(draft, "one rank: nothing was sent");
    if (!(row->time_s > 0.0) && !(row->busbw_bytes_per_s > 0.0))
        ry_draft_spoil(draft, "no time and no bandwidth");
}

/* Started by mpirun, but built without MPI: each process runs alone (nccl-tests#182). */
static void judge_mixing(struct ry_bench_draft *draft, struct ry_draft_run *run)
{
    struct ry_bench_run *out = &run->run;

    if (run->mixed < 2)
        return;
    out->valid = false;
    out->nodes = RY_UNKNOWN;
    if (isfinite(out->ranks) && !out->ranks_inferred)
        out->reason = ry_draft_text(draft,
                                    "%u runs mixed, %.0f ranks each: was the program "
                                    "built without MPI?",
                                    run->mixed, out->ranks);
    else
        out->reason = ry_draft_text(draft, "%u runs mixed in one log", run->mixed);
}

static void compare_average(struct ry_bench_draft *draft, const struct ry_draft_run *run)
{
    double sum = 0.0;

    for (size_t i = 0; i < run->n_rows; i++) {
        if (!isfinite(run->rows[i].row.busbw_bytes_per_s))
            return;
        sum += run->rows[i].row.busbw_bytes_per_s;
    }
    const double mean = sum / (double)run->n_rows;
    if (isfinite(run->average_busbw) && run->n_rows > 0 && run->average_busbw > 0.0 &&
        fabs(mean / run->average_busbw - 1.0) > 0.02)
        ry_draft_note(
            draft, run->run.line,
            "the rows average %.4g GB/s, the footer says %.4g: rows are missing",
            mean / 1e9, run->average_busbw / 1e9);
}

/* v1.0 multiplied the bytes of gathers by (n - 1) / n in algbw already. */
static bool is_first_convention(const struct ry_draft_run *run, enum ry_ratio_class class)
{
    return class == RY_RATIO_ONE && ry_bench_factor(run->run.collective, 2.0) < 1.0 &&
           ranks_by_count(run) > 1.0;
}

void ry_bench_infer(struct ry_bench_draft *draft, struct ry_draft_run *run)
{
    if (run->text_layout)
        settle_unit(run);
    struct ry_bench_ratio ratio = ry_ratio_of_run(run);
    enum ry_ratio_class class = ry_ratio_class_of(ratio);

    infer_collective(draft, run, class);
    if (is_first_convention(run, class)) {
        ry_draft_note(draft, run->run.line,
                      "algbw leaves out the rank's own part, as v1.0");
        ratio.known = false;
        class = RY_RATIO_UNKNOWN;
    }
    infer_ranks(draft, run, ratio, class);
    infer_nodes(draft, run);
    judge_mixing(draft, run);
    for (size_t i = 0; i < run->n_rows; i++)
        judge_row(run, &run->rows[i]);
    compare_average(draft, run);
}
