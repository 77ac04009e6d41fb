/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/link_fit.h"

#include "base/order.h"
#include "calibrate/link_line.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Timings repeat to six in a thousand at best: differences below do not count. */
static const double noise_floor = 0.006;
/* Times of one size repeat about so well; see weigh(). */
static const double repeat = 0.02;
enum { neighbours = 3 };
/* Sizes up to this one show start-up only; nothing larger can tell it. */
static const double small_bytes = 4096.0;
static const double alpha_bytes = 65536.0;

static int by_size(const void *a, const void *b)
{
    const struct ry_link_point *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

/* Sort, take the median of equal sizes, then of neighbours while there are too many. */
static size_t group(struct ry_link_point *points, size_t n)
{
    size_t kept = 0;

    qsort(points, n, sizeof(*points), by_size);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && points[end].bytes == points[i].bytes)
            end++;
        const size_t middle = i + (end - i) / 2;
        const double median_s =
            (end - i) % 2 ? points[middle].time_s
                          : 0.5 * (points[middle - 1].time_s + points[middle].time_s);
        points[kept++] = (struct ry_link_point){points[i].bytes, median_s};
        i = end;
    }
    return kept;
}

/* Of many sizes keep the ones spread evenly: the shape survives. */
static void thin(const struct ry_link_point *points, size_t n,
                 struct ry_link_sizes *sizes)
{
    const size_t keep = n < RY_LINK_SIZES_MOST ? n : RY_LINK_SIZES_MOST;

    sizes->n = keep;
    sizes->slope_least = INFINITY;
    for (size_t i = 0; i < keep; i++) {
        const size_t at = keep == n ? i : i * (n - 1) / (keep - 1);
        sizes->bytes[i] = points[at].bytes;
        sizes->time_s[i] = points[at].time_s;
    }
    for (size_t i = 0; i < n; i++)
        if (points[i].time_s / points[i].bytes < sizes->slope_least)
            sizes->slope_least = points[i].time_s / points[i].bytes;
}

/* How far a size is from the middle of its neighbours, in log of time. */
static double roughness(const struct ry_link_sizes *sizes, size_t i)
{
    if (i == 0 || i + 1 >= sizes->n)
        return NAN;
    const double part = log(sizes->bytes[i] / sizes->bytes[i - 1]) /
                        log(sizes->bytes[i + 1] / sizes->bytes[i - 1]);
    const double between =
        (1.0 - part) * log(sizes->time_s[i - 1]) + part * log(sizes->time_s[i + 1]);

    return fabs(log(sizes->time_s[i]) - between);
}

/* Start-up times scatter by a tenth where large ones repeat to a hundredth: the median
 * roughness of the seven sizes around says which, and spikes do not move it. */
static void weigh(struct ry_link_sizes *sizes)
{
    double sum = 0.0;

    for (size_t i = 0; i < sizes->n; i++) {
        double around[2 * neighbours + 1];
        size_t n = 0;
        const size_t first = i > neighbours ? i - neighbours : 0;
        for (size_t k = first; k <= i + neighbours && k < sizes->n; k++)
            if (isfinite(roughness(sizes, k)))
                around[n++] = roughness(sizes, k);
        sizes->weight[i] = 1.0 / ((n ? ry_median(around, n) : 0.0) + repeat);
        sum += sizes->weight[i];
    }
    for (size_t i = 0; i < sizes->n; i++)
        sizes->weight[i] *= (double)sizes->n / sum;
}

/* Breakpoints: the cheapest way to cut sizes [0, n) into k runs. */

struct cuts {
    const struct ry_link_sizes *sizes;
    struct ry_link_line *line; /* [n + 1][n + 1] of sizes first .. end */
    double *cost;              /* [k][n + 1] cheapest for the first `end` sizes */
    size_t *from;              /* [k][n + 1] where the last run begins */
};

static struct ry_link_line *line_at(const struct cuts *cuts, size_t first, size_t end)
{
    return &cuts->line[first * (cuts->sizes->n + 1) + end];
}

static void fit_all_lines(const struct cuts *cuts)
{
    const size_t n = cuts->sizes->n;

    for (size_t first = 0; first + RY_LINK_PIECE_POINTS <= n; first++)
        for (size_t end = first + RY_LINK_PIECE_POINTS; end <= n; end++)
            *line_at(cuts, first, end) = ry_link_line_fit(cuts->sizes, first, end);
}

static void cut_all(const struct cuts *cuts)
{
    const size_t n = cuts->sizes->n;

    for (size_t end = 0; end <= n; end++)
        cuts->cost[end] =
            end >= RY_LINK_PIECE_POINTS ? line_at(cuts, 0, end)->cost : HUGE_VAL;
    for (size_t k = 1; k < RY_LINK_PIECES_MOST; k++) {
        double *cost = &cuts->cost[k * (n + 1)];
        const double *fewer = &cuts->cost[(k - 1) * (n + 1)];
        for (size_t end = 0; end <= n; end++) {
            cost[end] = INFINITY;
            for (size_t first = 0; first + RY_LINK_PIECE_POINTS <= end; first++) {
                const double sum = fewer[first] + line_at(cuts, first, end)->cost;
                if (sum < cost[end]) {
                    cost[end] = sum;
                    cuts->from[k * (n + 1) + end] = first;
                }
            }
        }
    }
}

/* Laplace likelihood; a piece has two parameters and chooses where it begins. */
static size_t choose_pieces(const struct cuts *cuts)
{
    const size_t n = cuts->sizes->n;
    const double count = (double)n;
    double best = INFINITY;
    size_t pieces = 1;

    for (size_t k = 0; k < RY_LINK_PIECES_MOST; k++) {
        const double cost = cuts->cost[k * (n + 1) + n];
        if (!isfinite(cost))
            break;
        const double criterion =
            count * log(cost / count + noise_floor) + 1.5 * (double)(k + 1) * log(count);
        if (criterion < best) {
            best = criterion;
            pieces = k + 1;
        }
    }
    return pieces;
}

static double student90(size_t points, size_t parameters)
{
    return points > parameters ? gsl_cdf_tdist_Pinv(0.95, (double)(points - parameters))
                               : HUGE_VAL;
}

static struct ry_estimate inverted(struct ry_estimate slope)
{
    return (struct ry_estimate){
        .value = 1.0 / slope.value,
        .lo90 = 1.0 / slope.hi90,
        .hi90 = slope.lo90 > 0.0 ? 1.0 / slope.lo90 : HUGE_VAL,
    };
}

static void piece_errors(const struct ry_link_sizes *sizes, size_t first, size_t end,
                         const struct ry_link_line *line, struct ry_link_piece *piece)
{
    double error[RY_LINK_SIZES_MOST];

    piece->points = end - first;
    for (size_t i = first; i < end; i++)
        error[i - first] =
            fabs(expm1(ry_link_line_log_error(line, sizes->bytes[i], sizes->time_s[i])));
    piece->median_error = ry_median(error, piece->points);
    piece->worst_error = error[piece->points - 1];
}

static struct ry_link_piece piece_of(const struct ry_link_sizes *sizes, size_t first,
                                     size_t end, const struct ry_link_line *line)
{
    const size_t parameters = line->alpha_open || line->slope_open ? 1 : 2;
    const double t90 = student90(end - first, parameters);
    const double alpha_half = t90 * line->alpha_sd;
    const double slope_half = t90 * line->slope_sd;
    const struct ry_estimate slope = {line->slope, line->slope - slope_half,
                                      line->slope + slope_half};
    struct ry_link_piece piece = {
        .alpha_s = {line->alpha_s, line->alpha_s - alpha_half,
                    line->alpha_s + alpha_half},
        .bytes_per_s = inverted(slope),
        .alpha_open = line->alpha_open,
        .rate_open = line->slope_open,
    };
    if (piece.alpha_s.lo90 < 0.0)
        piece.alpha_s.lo90 = 0.0;
    if (line->alpha_open)
        piece.alpha_s.hi90 = sizes->time_s[first];
    if (line->slope_open)
        piece.bytes_per_s.hi90 = INFINITY;
    piece_errors(sizes, first, end, line, &piece);
    return piece;
}

/* Where two lines cross between two sizes; the middle when they do not. */
static double boundary(const struct ry_link_line *left, const struct ry_link_line *right,
                       double from, double to)
{
    const double slopes = left->slope - right->slope;
    const double cross = slopes != 0.0 ? (right->alpha_s - left->alpha_s) / slopes : 0.0;

    return cross > from && cross < to ? cross : sqrt(from * to);
}

static void collect(const struct cuts *cuts, size_t pieces, struct ry_link_fit *fit)
{
    const size_t n = cuts->sizes->n;
    const struct ry_link_line *after = NULL;
    size_t end = n;

    fit->pieces = pieces;
    for (size_t k = pieces; k-- > 0;) {
        const size_t first = k > 0 ? cuts->from[k * (n + 1) + end] : 0;
        const struct ry_link_line *line = line_at(cuts, first, end);
        fit->piece[k] = piece_of(cuts->sizes, first, end, line);
        if (after)
            fit->piece[k + 1].from_bytes = boundary(
                line, after, cuts->sizes->bytes[end - 1], cuts->sizes->bytes[end]);
        after = line;
        end = first;
    }
}

/* Over all points given, not only the thinned ones. */
static void summarise(const struct ry_link_point *points, size_t n,
                      struct ry_link_fit *fit, double scratch[])
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        const double error =
            fabs(log(ry_link_fit_s(fit, points[i].bytes) / points[i].time_s));
        if (error < RY_LINK_WORST_LOG)
            scratch[kept++] = expm1(error);
    }
    fit->smallest_bytes = points[0].bytes;
    fit->largest_bytes = points[n - 1].bytes;
    fit->points = n;
    fit->dropped = n - kept;
    fit->median_error = kept ? ry_median(scratch, kept) : (double)NAN;
    fit->worst_error = kept ? scratch[kept - 1] : (double)NAN;
}

static void start_up(const struct ry_link_point *points, size_t n,
                     struct ry_link_fit *fit, double scratch[])
{
    size_t small = 0;

    while (small < n && points[small].bytes <= small_bytes)
        small++;
    if (small < RY_LINK_PIECE_POINTS)
        small = RY_LINK_PIECE_POINTS;
    for (size_t i = 0; i < small; i++)
        scratch[i] = points[i].time_s;
    fit->alpha_known = points[0].bytes <= alpha_bytes;
    fit->alpha0_s = fit->alpha_known ? ry_median(scratch, small) : points[0].time_s;
}

/* Each size counts by its bytes. */
static void asymptote(const struct ry_link_point *points, size_t n,
                      struct ry_link_fit *fit, double scratch[])
{
    size_t first = n - 1;

    while (first > 0 && points[first - 1].bytes * 4.0 >= points[n - 1].bytes)
        first--;
    for (size_t i = first; i < n; i++)
        scratch[i - first] = points[i].bytes / points[i].time_s;
    fit->rate_inf_bytes_per_s = ry_median(scratch, n - first);
    fit->rate_known = !fit->alpha_known || points[n - 1].time_s > 20.0 * fit->alpha0_s;
}

static enum ry_err check(const struct ry_link_point points[], size_t n,
                         struct ry_diag *diag)
{
    for (size_t i = 0; i < n; i++)
        if (!(points[i].bytes > 0.0) || !(points[i].time_s > 0.0) ||
            isinf(points[i].bytes) || isinf(points[i].time_s))
            return ry_fail(diag, RY_ERR_RANGE, "points",
                           "%g bytes in %g s is not a measurement", points[i].bytes,
                           points[i].time_s);
    return RY_OK;
}

enum ry_err ry_link_fit(struct ry_arena *arena, const struct ry_link_point points[],
                        size_t n, struct ry_link_fit *fit, struct ry_diag *diag)
{
    struct ry_link_fit made = {0};
    struct ry_link_sizes *sizes = RY_NEW(arena, struct ry_link_sizes, 1);
    struct ry_link_point *sorted = RY_NEW(arena, struct ry_link_point, n + 1);
    double *scratch = RY_NEW(arena, double, n + 1);

    if (!sizes || !sorted || !scratch)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "%zu points", n);
    RY_TRY(check(points, n, diag));
    memcpy(sorted, points, n * sizeof(*points));
    const size_t m = group(sorted, n);
    if (m < RY_LINK_PIECE_POINTS)
        return ry_fail(diag, RY_ERR_DEGENERATE, "points",
                       "%zu sizes, %d are needed for a line", m, RY_LINK_PIECE_POINTS);
    thin(sorted, m, sizes);
    weigh(sizes);
    const size_t side = sizes->n + 1;
    const struct cuts cuts = {
        .sizes = sizes,
        .line = RY_NEW(arena, struct ry_link_line, side * side),
        .cost = RY_NEW(arena, double, side *RY_LINK_PIECES_MOST),
        .from = RY_NEW(arena, size_t, side * RY_LINK_PIECES_MOST),
    };
    if (!cuts.line || !cuts.cost || !cuts.from)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "%zu sizes", sizes->n);
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    fit_all_lines(&cuts);
    cut_all(&cuts);
    collect(&cuts, choose_pieces(&cuts), &made);
    gsl_set_error_handler(before);
    start_up(sorted, m, &made, scratch);
    asymptote(sorted, m, &made, scratch);
    summarise(sorted, m, &made, scratch);
    *fit = made;
    return RY_OK;
}

double ry_link_fit_s(const struct ry_link_fit *fit, double bytes)
{
    size_t i = fit->pieces - 1;

    while (i > 0 && fit->piece[i].from_bytes > bytes)
        i--;
    return fit->piece[i].alpha_s.value + bytes / fit->piece[i].bytes_per_s.value;
}
