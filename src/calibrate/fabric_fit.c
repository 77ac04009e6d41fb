/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/fabric_fit.h"

#include "base/normal.h"
#include "base/order.h"
#include "calibrate/fabric_move.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two runs of one configuration differ by so much (log of time); the cost of a point
 * further off than so many of these grows with its logarithm only: spikes. */
static const double scatter = 0.08;
static const double far_units = 4.0;
/* Sizes of one run share its luck: they count for so many of independent ones. */
static const double run_points = 6.0;

/* Standard deviations of the priors: of logs of factors, but of the loss itself. */
static const double prior_sd[RY_FABRIC_PARAMETERS] = {
    [RY_FABRIC_STEP] = 0.7,        [RY_FABRIC_STEP_LL128] = 0.7,
    [RY_FABRIC_STEP_SIMPLE] = 0.7, [RY_FABRIC_RATE_LL128] = 0.7,
    [RY_FABRIC_NIC] = 0.05,        [RY_FABRIC_TREE] = 0.10,
    [RY_FABRIC_LOSS] = 0.02,       [RY_FABRIC_MESSAGE] = 0.7,
};
/* Narrowed to this share of its prior, a parameter counts as known. */
static const double narrowed = 0.7;

/* Healthy clusters of one kind differ by so much (log of time). */
static const double cluster_sd = 0.05;

enum { ITERATIONS_MOST = 800 };

struct problem {
    const struct ry_fabric_case *cases;
    size_t n;
    const struct ry_net_fabric *base; /* the priors' middle */
    double *error, *sorted;           /* [points of all runs] scratch */
    size_t leave_out;                 /* a domain count, or 0 */
};

static size_t domains_of(const struct ry_fabric_case *one)
{
    return (one->group.ranks + one->group.per_domain - 1) / one->group.per_domain;
}

static bool counts(const struct problem *problem, const struct ry_fabric_case *one)
{
    const size_t domains = domains_of(one);

    return domains > 1 && domains != problem->leave_out;
}

static struct ry_coll_time predict(const struct ry_fabric_case *one,
                                   const double theta[RY_FABRIC_PARAMETERS], double bytes)
{
    struct ry_net net = *one->net;

    ry_fabric_move(theta, &net.fabric);
    return ry_collective(&net, one->run->coll, &one->group, bytes);
}

/* Log errors of one run. */
static size_t log_errors(const struct ry_fabric_case *one,
                         const double theta[RY_FABRIC_PARAMETERS], double error[])
{
    const struct ry_coll_run *run = one->run;
    struct ry_net net = *one->net;

    ry_fabric_move(theta, &net.fabric);
    for (size_t i = 0; i < run->n; i++)
        error[i] =
            log(ry_collective_s(&net, run->coll, &one->group, run->points[i].bytes) /
                run->points[i].time_s);
    return run->n;
}

static double point_cost(double error)
{
    const double units = fabs(error) / scatter;

    return units < far_units ? units : far_units * (1.0 + log(units / far_units));
}

/* All runs of one file: clusters of one kind differ by a constant, which the shrunken
 * median takes out, so that the trend over sizes and nodes inside a file still counts. */
static double file_cost(const struct problem *problem, size_t first,
                        const double theta[RY_FABRIC_PARAMETERS])
{
    double *error = problem->error;
    double *sorted = problem->sorted;
    size_t n = 0;

    for (size_t i = first; i < problem->n; i++)
        if (counts(problem, &problem->cases[i]) &&
            problem->cases[i].run->file == problem->cases[first].run->file)
            n += log_errors(&problem->cases[i], theta, &error[n]);
    if (n == 0)
        return 0.0;
    memcpy(sorted, error, n * sizeof(*error));
    gsl_sort(sorted, 1, n);
    const double effective = ry_min((double)n, run_points);
    const double offset = sorted[n / 2] * effective /
                          (effective + scatter * scatter / (cluster_sd * cluster_sd));
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += point_cost(error[i] - offset);
    return sum * effective / (double)n +
           0.5 * offset * offset / (cluster_sd * cluster_sd);
}

static bool first_of_file(const struct problem *problem, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (problem->cases[k].run->file == problem->cases[i].run->file)
            return false;
    return true;
}

static double objective(const double theta[RY_FABRIC_PARAMETERS],
                        const struct problem *problem)
{
    double sum = 0.0;

    for (size_t i = 0; i < RY_FABRIC_PARAMETERS; i++)
        sum += 0.5 * theta[i] * theta[i] / (prior_sd[i] * prior_sd[i]);
    for (size_t i = 0; i < problem->n; i++)
        if (first_of_file(problem, i))
            sum += file_cost(problem, i, theta);
    return sum;
}

static double gsl_objective(const gsl_vector *x, void *params)
{
    double theta[RY_FABRIC_PARAMETERS];

    for (size_t i = 0; i < RY_FABRIC_PARAMETERS; i++)
        theta[i] = gsl_vector_get(x, i) * prior_sd[i];
    return objective(theta, params);
}

/* In units of the priors, so that the simplex is round. */
static enum ry_err minimise(struct problem *problem, double theta[RY_FABRIC_PARAMETERS])
{
    gsl_multimin_function function = {gsl_objective, RY_FABRIC_PARAMETERS, problem};
    gsl_vector *x = gsl_vector_calloc(RY_FABRIC_PARAMETERS);
    gsl_vector *step = gsl_vector_alloc(RY_FABRIC_PARAMETERS);
    gsl_multimin_fminimizer *work = gsl_multimin_fminimizer_alloc(
        gsl_multimin_fminimizer_nmsimplex2, RY_FABRIC_PARAMETERS);
    const bool ok = x && step && work;

    if (ok) {
        gsl_vector_set_all(step, 0.5);
        (void)gsl_multimin_fminimizer_set(work, &function, x, step);
        for (int i = 0; i < ITERATIONS_MOST; i++)
            if (gsl_multimin_fminimizer_iterate(work) != GSL_SUCCESS ||
                gsl_multimin_test_size(gsl_multimin_fminimizer_size(work), 1e-4) ==
                    GSL_SUCCESS)
                break;
        for (size_t i = 0; i < RY_FABRIC_PARAMETERS; i++)
            theta[i] = gsl_vector_get(work->x, i) * prior_sd[i];
    }
    gsl_multimin_fminimizer_free(work);
    gsl_vector_free(step);
    gsl_vector_free(x);
    return ok ? RY_OK : RY_ERR_NOMEM;
}

/* How far one parameter can go, the others staying, before the cost rises by 1.35 (half
 * of the 90 % quantile of chi-squared): one side of its interval. */
static double reach(const struct problem *problem,
                    const double theta[RY_FABRIC_PARAMETERS], size_t i, double sign)
{
    static const double rise = 1.353;
    double moved[RY_FABRIC_PARAMETERS];
    double low = 0.0;
    double high = 3.0 * prior_sd[i];

    memcpy(moved, theta, sizeof(moved));
    const double limit = objective(theta, problem) + rise;
    for (int step = 0; step < 40; step++) {
        const double middle = 0.5 * (low + high);
        moved[i] = theta[i] + sign * middle;
        if (objective(moved, problem) < limit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void intervals(const struct problem *problem,
                      const double theta[RY_FABRIC_PARAMETERS], struct ry_fabric_fit *fit)
{
    for (size_t i = 0; i < RY_FABRIC_PARAMETERS; i++) {
        const double down = reach(problem, theta, i, -1.0);
        const double up = reach(problem, theta, i, 1.0);
        fit->parameter[i] = (struct ry_estimate){
            ry_fabric_value(problem->base, i, theta[i]),
            ry_fabric_value(problem->base, i, theta[i] - down),
            ry_fabric_value(problem->base, i, theta[i] + up),
        };
        fit->known[i] = down + up < narrowed * 2.0 * RY_Z90 * prior_sd[i];
    }
}

static enum ry_err errors(const struct problem *problem,
                          const double theta[RY_FABRIC_PARAMETERS],
                          struct ry_fabric_fit *fit)
{
    size_t n = 0;

    for (size_t i = 0; i < problem->n; i++)
        n += counts(problem, &problem->cases[i]) ? problem->cases[i].run->n : 0;
    double *error = malloc((n + 1) * sizeof(*error));
    if (!error)
        return RY_ERR_NOMEM;
    n = 0;
    for (size_t i = 0; i < problem->n; i++) {
        const struct ry_fabric_case *one = &problem->cases[i];
        for (size_t k = 0; counts(problem, one) && k < one->run->n; k++) {
            const struct ry_link_point *point = &one->run->points[k];
            error[n++] = fabs(predict(one, theta, point->bytes).s / point->time_s - 1.0);
        }
    }
    qsort(error, n, sizeof(*error), ry_by_value);
    fit->points = n;
    fit->median_error = error[n / 2];
    fit->worst_error = error[n - 1];
    fit->rel_sigma = fmax(0.03, 1.4826 * fit->median_error);
    free(error);
    return RY_OK;
}

static struct problem problem_of(const struct ry_fabric_case cases[], size_t n)
{
    struct problem problem = {
        .cases = cases, .n = n, .base = n ? &cases[0].net->fabric : NULL};
    size_t points = 1;

    for (size_t i = 0; i < n; i++)
        points += cases[i].run->n;
    problem.error = malloc(2 * points * sizeof(*problem.error));
    problem.sorted = problem.error ? problem.error + points : NULL;
    return problem;
}

static enum ry_err fit_problem(struct problem *problem, double theta[],
                               struct ry_fabric_fit *fit, struct ry_diag *diag)
{
    size_t used = 0;

    for (size_t i = 0; i < problem->n; i++)
        used += counts(problem, &problem->cases[i]) && problem->cases[i].run->n > 0;
    if (used == 0 || !problem->base)
        return ry_fail(diag, RY_ERR_DEGENERATE, "fabric",
                       "no run over two or more domains to fit");
    if (!problem->error)
        return ry_fail(diag, RY_ERR_NOMEM, "fabric", "%zu runs", problem->n);
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    enum ry_err err = minimise(problem, theta);
    gsl_set_error_handler(before);
    if (err == RY_OK)
        err = errors(problem, theta, fit);
    return err == RY_OK ? RY_OK : ry_fail(diag, err, "fabric", "%zu runs", problem->n);
}

enum ry_err ry_fabric_fit(const struct ry_fabric_case cases[], size_t n,
                          struct ry_fabric_fit *fit, struct ry_diag *diag)
{
    struct problem problem = problem_of(cases, n);
    double theta[RY_FABRIC_PARAMETERS] = {0};
    struct ry_fabric_fit made = {0};
    const enum ry_err err = fit_problem(&problem, theta, &made, diag);

    if (err == RY_OK) {
        intervals(&problem, theta, &made);
        *fit = made;
    }
    free(problem.error);
    return err;
}

/* Predict the runs of one domain count with a fit of the others. */
static struct ry_left_out left_out(const struct problem *problem,
                                   const double theta[RY_FABRIC_PARAMETERS], bool fitted)
{
    struct ry_left_out row = {.domains = problem->leave_out, .fitted = fitted};
    double *error = problem->error;

    for (size_t i = 0; i < problem->n; i++) {
        const struct ry_fabric_case *one = &problem->cases[i];
        for (size_t k = 0; error && domains_of(one) == row.domains && k < one->run->n;
             k++) {
            const struct ry_link_point *point = &one->run->points[k];
            const struct ry_coll_time time = predict(one, theta, point->bytes);
            const double half = RY_Z90 * time.rel_sigma;
            error[row.points++] = fabs(time.s / point->time_s - 1.0);
            row.bias += time.s / point->time_s - 1.0;
            row.covered += fabs(log(time.s / point->time_s)) <= half;
            row.above_bound += time.s < time.bound_s;
            row.half_width = half;
        }
    }
    if (row.points > 0) {
        qsort(error, row.points, sizeof(*error), ry_by_value);
        row.median_error = error[row.points / 2];
        row.worst_error = error[row.points - 1];
        row.bias /= (double)row.points;
    }
    return row;
}

size_t ry_fabric_leave_one_out(const struct ry_fabric_case cases[], size_t n,
                               struct ry_left_out out[], size_t most)
{
    struct problem problem = problem_of(cases, n);
    size_t rows = 0, last = 1;

    while (rows < most) {
        size_t next = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t domains = domains_of(&cases[i]);
            if (domains > last && (next == 0 || domains < next))
                next = domains;
        }
        if (next == 0)
            break;
        double theta[RY_FABRIC_PARAMETERS] = {0};
        struct ry_fabric_fit fit;
        problem.leave_out = last = next;
        const bool fitted = fit_problem(&problem, theta, &fit, NULL) == RY_OK;
        out[rows++] = left_out(&problem, theta, fitted);
    }
    free(problem.error);
    return rows;
}
