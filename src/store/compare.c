/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/compare.h"

#include "base/order.h"

#include <stdlib.h>
#include <string.h>

static const double small_bytes = 64.0 * 1024.0;
static const double large_bytes = 1024.0 * 1024.0;

struct point {
    double bytes, time_s;
    int place;
};

static int by_size(const void *a, const void *b)
{
    const struct point *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->time_s < y->time_s ? -1 : x->time_s > y->time_s;
}

static bool same(const struct point *a, const struct point *b)
{
    return a->bytes == b->bytes && a->place == b->place;
}

/* Valid rows by size, each size once: of repeats the median stays. */
static size_t points_of(const struct ry_bench_run *run, struct point *points)
{
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i];
        const double time_s =
            row->time_s > 0.0 ? row->time_s : row->bytes / row->busbw_bytes_per_s;
        if (row->valid && row->bytes > 0.0 && time_s > 0.0 && isfinite(time_s))
            points[n++] = (struct point){row->bytes, time_s, (int)row->place};
    }
    if (n > 0)
        qsort(points, n, sizeof(*points), by_size);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && same(&points[i], &points[end]))
            end++;
        points[kept++] = points[i + (end - i) / 2];
        i = end;
    }
    return kept;
}

static double median_between(const struct ry_run_compare *compare, double lo, double hi,
                             double *scratch)
{
    size_t n = 0;

    for (size_t i = 0; i < compare->n; i++)
        if (compare->changes[i].bytes >= lo && compare->changes[i].bytes <= hi)
            scratch[n++] = compare->changes[i].ratio;
    if (n == 0)
        return RY_UNKNOWN;
    return ry_median(scratch, n);
}

static void pair(const struct point *a, size_t n_a, const struct point *b, size_t n_b,
                 struct ry_run_compare *compare)
{
    size_t i = 0, k = 0;

    while (i < n_a && k < n_b) {
        if (same(&a[i], &b[k])) {
            compare->changes[compare->n++] =
                (struct ry_run_change){.bytes = a[i].bytes,
                                       .place = (enum ry_bench_place)a[i].place,
                                       .before_s = a[i].time_s,
                                       .after_s = b[k].time_s,
                                       .ratio = b[k].time_s / a[i].time_s};
            i++;
            k++;
        } else if (a[i].bytes < b[k].bytes ||
                   (a[i].bytes == b[k].bytes && a[i].place < b[k].place)) {
            compare->only_before++;
            i++;
        } else {
            compare->only_after++;
            k++;
        }
    }
    compare->only_before += n_a - i;
    compare->only_after += n_b - k;
}

enum ry_err ry_run_compare(struct ry_arena *arena, const struct ry_bench_run *before,
                           const struct ry_bench_run *after,
                           struct ry_run_compare *compare, struct ry_diag *diag)
{
    struct point *a = RY_NEW(arena, struct point, before->n_rows + 1);
    struct point *b = RY_NEW(arena, struct point, after->n_rows + 1);
    double *scratch = RY_NEW(arena, double, before->n_rows + 1);
    struct ry_run_compare found = {.worst_ratio = RY_UNKNOWN, .worst_bytes = RY_UNKNOWN};

    found.changes = RY_NEW(arena, struct ry_run_change, before->n_rows + 1);
    if (!a || !b || !scratch || !found.changes)
        return ry_fail(diag, RY_ERR_NOMEM, "compare", "no memory for the rows");
    const size_t n_a = points_of(before, a);
    const size_t n_b = points_of(after, b);
    pair(a, n_a, b, n_b, &found);
    if (found.n == 0)
        return ry_fail(diag, RY_ERR_DEGENERATE, "compare",
                       "the runs have no size in common");
    found.small_ratio = median_between(&found, 0.0, small_bytes, scratch);
    found.large_ratio = median_between(&found, large_bytes, (double)INFINITY, scratch);
    for (size_t i = 0; i < found.n; i++) {
        if (found.changes[i].ratio > found.worst_ratio || isnan(found.worst_ratio)) {
            found.worst_ratio = found.changes[i].ratio;
            found.worst_bytes = found.changes[i].bytes;
        }
    }
    *compare = found;
    return RY_OK;
}
