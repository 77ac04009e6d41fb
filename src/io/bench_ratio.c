/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench_ratio.h"

#include <math.h>

static const double SHARP_FRAC = 0.005;

static bool shows_ratio(const struct ry_draft_row *row)
{
    return isfinite(row->row.time_s) && isfinite(row->row.busbw_bytes_per_s) &&
           row->row.algbw_bytes_per_s > 4.0 * row->algbw_half &&
           row->row.busbw_bytes_per_s >= 0.0;
}

static struct ry_bench_ratio ratio_of(const struct ry_draft_row *row)
{
    const double algbw = row->row.algbw_bytes_per_s;
    const double busbw = row->row.busbw_bytes_per_s;

    return (struct ry_bench_ratio){
        .lo = (busbw - row->busbw_half) / (algbw + row->algbw_half),
        .hi = (busbw + row->busbw_half) / (algbw - row->algbw_half),
        .known = true,
    };
}

/* Digits that leave under 0.5 %: large sizes.  Small ones are mostly rounding. */
static bool is_sharp(const struct ry_draft_row *row)
{
    return shows_ratio(row) &&
           row->algbw_half <= SHARP_FRAC * row->row.algbw_bytes_per_s &&
           row->busbw_half <= SHARP_FRAC * row->row.busbw_bytes_per_s;
}

static bool any_sharp(const struct ry_draft_run *run)
{
    for (size_t i = 0; i < run->n_rows; i++)
        if (is_sharp(&run->rows[i]))
            return true;
    return false;
}

/* Of the rows that tell the ratio the one of the largest size, then the sharpest: noise
 * and overhead are smallest there. */
static bool tells_more(const struct ry_draft_row *row, const struct ry_draft_row *best)
{
    if (row->row.bytes != best->row.bytes)
        return row->row.bytes > best->row.bytes;
    const struct ry_bench_ratio a = ratio_of(row);
    const struct ry_bench_ratio b = ratio_of(best);
    return a.hi - a.lo < b.hi - b.lo;
}

struct ry_bench_ratio ry_ratio_of_run(const struct ry_draft_run *run)
{
    const struct ry_draft_row *best = NULL;
    bool (*const usable)(const struct ry_draft_row *) =
        any_sharp(run) ? is_sharp : shows_ratio;

    for (size_t i = 0; i < run->n_rows; i++)
        if (usable(&run->rows[i]) && (!best || tells_more(&run->rows[i], best)))
            best = &run->rows[i];
    const struct ry_bench_ratio sharpest =
        best ? ratio_of(best) : (struct ry_bench_ratio){.known = false};
    struct ry_bench_ratio narrow = sharpest;
    for (size_t i = 0; i < run->n_rows && sharpest.known; i++) {
        if (!usable(&run->rows[i]))
            continue;
        const struct ry_bench_ratio ratio = ratio_of(&run->rows[i]);
        const double lo = fmax(narrow.lo, ratio.lo);
        const double hi = fmin(narrow.hi, ratio.hi);
        if (lo <= hi) {
            narrow.lo = lo;
            narrow.hi = hi;
        }
    }
    return narrow;
}

enum ry_ratio_class ry_ratio_class_of(struct ry_bench_ratio ratio)
{
    if (!ratio.known)
        return RY_RATIO_UNKNOWN;
    if (ratio.hi < 0.02)
        return RY_RATIO_ZERO;
    if (ratio.hi < 1.0 - 5e-4) /* figures of two tools: one rounds, the other does not */
        return RY_RATIO_SHARE;
    /* 2 (n - 1) / n is 1 for two ranks and 4/3 for three: between is rounding. */
    return ratio.lo <= 1.05 ? RY_RATIO_ONE : RY_RATIO_TWICE;
}
