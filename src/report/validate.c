/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/validate.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/** Sorts @p v, which has an element at least. */
static double quantile(double *v, size_t n, double share)
{
    gsl_sort(v, 1, n);
    return gsl_stats_quantile_from_sorted_data(v, 1, n, share);
}

static bool counts(const struct ry_check *c, size_t file)
{
    return c->predicted.skip == NULL && (file == (size_t)-1 || c->file == file);
}

struct ry_errors ry_errors_of(struct ry_arena *arena, const struct ry_check *checks,
                              size_t n, size_t file)
{
    struct ry_errors e = {
        .mape = NAN, .bias = NAN, .p95 = NAN, .median = NAN, .corrected = NAN};
    double *abs = RY_NEW(arena, double, n + 1);
    double sum = 0, bias = 0, corrected = 0;
    for (size_t i = 0; i < n && abs != NULL; i++) {
        if (!counts(&checks[i], file))
            continue;
        abs[e.used++] = fabs(checks[i].error);
        sum += fabs(checks[i].error);
        bias += checks[i].error;
        corrected += fabs(checks[i].corrected_error);
    }
    if (e.used == 0)
        return e;
    e.mape = sum / (double)e.used;
    e.corrected = corrected / (double)e.used;
    e.bias = bias / (double)e.used;
    e.median = quantile(abs, e.used, 0.5);
    e.p95 = quantile(abs, e.used, 0.95);
    return e;
}

double ry_mean_of_files(struct ry_arena *arena, const struct ry_checks *checks)
{
    double sum = 0, files = 0;
    for (size_t f = 0; f < checks->files; f++) {
        const struct ry_errors e = ry_errors_of(arena, checks->check, checks->n, f);
        if (e.used > 0) {
            sum += e.mape;
            files++;
        }
    }
    return files > 0 ? sum / files : (double)NAN;
}

double ry_coverage_of(const struct ry_check *checks, size_t n, size_t file)
{
    size_t used = 0, inside = 0;
    for (size_t i = 0; i < n; i++) {
        if (!counts(&checks[i], file))
            continue;
        const double t = checks[i].measured->step_time_s;
        used++;
        inside +=
            t >= checks[i].predicted.step.lo_s && t <= checks[i].predicted.step.hi_s;
    }
    return used > 0 ? (double)inside / (double)used : (double)NAN;
}

const char *ry_kind_of_run_name(enum ry_kind_of_run kind)
{
    static const char *const names[RY_RUN_KINDS] = {"dense", "lora", "experts"};
    return kind < RY_RUN_KINDS ? names[kind] : "";
}

static enum ry_kind_of_run kind_of(const struct ry_check *c)
{
    if (c->run->arch.experts > 0)
        return RY_RUN_EXPERTS;
    return c->run->strategy.task == RY_TASK_LORA ? RY_RUN_LORA : RY_RUN_DENSE;
}

/** Half-widths of the rows of @p preset and @p kind, and the share of each that is
 * needed. */
static size_t intervals_of(const struct ry_check *checks, size_t n, const char *preset,
                           enum ry_kind_of_run kind, double *half, double *share)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ry_check *c = &checks[i];
        if (!counts(c, (size_t)-1) || kind_of(c) != kind ||
            (preset != NULL && strcmp(preset, c->predicted.traits.name) != 0))
            continue;
        const struct ry_step *p = &c->predicted.step;
        const double off = fabs(log(c->measured->step_time_s / p->step_time_s));
        half[used] = p->hi_s / p->step_time_s - 1;
        share[used++] = off / log(p->hi_s / p->step_time_s);
    }
    return used;
}

/** Sorts both. */
static struct ry_widths widths(double *half, double *share, size_t n)
{
    struct ry_widths w = {.used = n, .coverage = NAN, .half_width = NAN, .needed = NAN};
    size_t inside = 0;
    if (n == 0)
        return w;
    for (size_t i = 0; i < n; i++)
        inside += share[i] <= 1;
    w.coverage = (double)inside / (double)n;
    w.half_width = quantile(half, n, 0.5);
    w.needed = quantile(share, n, 0.9);
    return w;
}

struct ry_widths ry_widths_of(struct ry_arena *arena, const struct ry_check *checks,
                              size_t n, const char *preset, enum ry_kind_of_run kind)
{
    double *half = RY_NEW(arena, double, n + 1), *share = RY_NEW(arena, double, n + 1);
    if (half == NULL || share == NULL)
        return widths(NULL, NULL, 0);
    return widths(half, share, intervals_of(checks, n, preset, kind, half, share));
}

struct ry_widths ry_widths_quarter(struct ry_arena *arena, const struct ry_check *checks,
                                   size_t n, enum ry_kind_of_run kind, size_t quarter)
{
    double *half = RY_NEW(arena, double, n + 1), *share = RY_NEW(arena, double, n + 1);
    if (half == NULL || share == NULL)
        return widths(NULL, NULL, 0);
    const size_t used = intervals_of(checks, n, NULL, kind, half, share);
    const size_t from = quarter * used / 4, to = (quarter + 1) * used / 4;
    gsl_sort2(half, 1, share, 1, used);
    return widths(half + from, share + from, to - from);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/**
 * The same job, cut in another way: a choice of strategy.  Rows of two releases are none:
 * their times differ by software, which no strategy chooses.
 */
static bool same_job(const struct ry_check *a, const struct ry_check *b)
{
    const struct ry_job *x = a->run, *y = b->run;
    return a->file == b->file && x->gpus == y->gpus && strcmp(x->gpu, y->gpu) == 0 &&
           strcmp(x->arch.name, y->arch.name) == 0 && x->arch.layers == y->arch.layers &&
           x->arch.heads == y->arch.heads && x->arch.hidden == y->arch.hidden &&
           x->strategy.seq == y->strategy.seq && x->strategy.task == y->strategy.task &&
           x->strategy.global_batch == y->strategy.global_batch &&
           x->strategy.precision == y->strategy.precision &&
           strcmp(x->framework, y->framework) == 0 && same_text(x->release, y->release);
}

static void add_pairs(const struct ry_check *checks, size_t n, size_t i, size_t file,
                      struct ry_order *o, double *right)
{
    for (size_t k = i + 1; k < n; k++) {
        if (!counts(&checks[k], file) || !same_job(&checks[i], &checks[k]))
            continue;
        const double ratio =
            checks[i].measured->step_time_s / checks[k].measured->step_time_s;
        const double p = checks[i].predicted.step.step_time_s,
                     q = checks[k].predicted.step.step_time_s;
        if ((ratio < 1.05 && ratio > 1 / 1.05) || p == q)
            continue;
        o->pairs++;
        *right += (ratio > 1) == (p > q);
    }
}

/* What a choice takes: the mean of the runs of its job that are predicted alike, which
 * are repeats of one configuration; the best of many noisy repeats is no choice. */
static double time_of_choice(const struct ry_check *checks, size_t n, size_t i,
                             size_t file)
{
    const double predicted_s = checks[i].predicted.step.step_time_s;
    double sum_s = 0;
    size_t runs = 0;
    for (size_t k = 0; k < n; k++)
        if (counts(&checks[k], file) && same_job(&checks[i], &checks[k]) &&
            checks[k].predicted.step.step_time_s == predicted_s) {
            sum_s += checks[k].measured->step_time_s;
            runs++;
        }
    return sum_s / (double)runs;
}

/** Regret of the group whose first row is i; NAN when i is not the first, or alone. */
static double group_regret(const struct ry_check *checks, size_t n, size_t i, size_t file)
{
    size_t members = 1, chosen = i;
    double best_s = time_of_choice(checks, n, i, file);
    for (size_t k = 0; k < n; k++) {
        if (k == i || !counts(&checks[k], file) || !same_job(&checks[i], &checks[k]))
            continue;
        if (k < i)
            return NAN;
        members++;
        best_s = fmin(best_s, time_of_choice(checks, n, k, file));
        if (checks[k].predicted.step.step_time_s <
            checks[chosen].predicted.step.step_time_s)
            chosen = k;
    }
    return members > 1 ? time_of_choice(checks, n, chosen, file) / best_s - 1
                       : (double)NAN;
}

struct ry_order ry_order_of(const struct ry_check *checks, size_t n, size_t file)
{
    struct ry_order o = {.right_frac = NAN, .regret = NAN};
    double right = 0, regret = 0;
    for (size_t i = 0; i < n; i++) {
        if (!counts(&checks[i], file))
            continue;
        add_pairs(checks, n, i, file, &o, &right);
        const double one = group_regret(checks, n, i, file);
        if (isfinite(one)) {
            o.groups++;
            regret += one;
        }
    }
    if (o.pairs > 0)
        o.right_frac = right / (double)o.pairs;
    if (o.groups > 0)
        o.regret = regret / (double)o.groups;
    return o;
}
