/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/strategy.h"

#include <math.h>

double ry_strategy_gpus(const struct ry_strategy *s)
{
    return ry_degree(s->tp) * ry_degree(s->pp) * ry_degree(s->dp) * ry_degree(s->cp);
}

double ry_strategy_micro_batches(const struct ry_strategy *s)
{
    if (s->micro_batches > 0)
        return s->micro_batches;
    const double m = s->global_batch / (ry_degree(s->dp) * ry_degree(s->micro_batch));
    return fmax(ceil(m - 1e-9), 1.0);
}

unsigned ry_chunk_group(unsigned stages, unsigned micro_batches)
{
    for (unsigned n = stages > 1 ? stages : 1; n < micro_batches; n++)
        if (micro_batches % n == 0 || micro_batches % n >= stages)
            return n;
    return micro_batches;
}

/** Fails unless @p divisor divides @p number. */
static enum ry_err divides(struct ry_diag *diag, const char *what, double number,
                           const char *by, double divisor)
{
    if (divisor <= 1 || fmod(number, divisor) == 0)
        return RY_OK;
    return ry_fail(diag, RY_ERR_INFEASIBLE, by, "%s %.0f not divisible by %s %.0f", what,
                   number, by, divisor);
}

static enum ry_err check_tensor(const struct ry_strategy *s, const struct ry_arch *a,
                                struct ry_diag *diag)
{
    const double tp = ry_degree(s->tp);
    RY_TRY(divides(diag, "heads", a->heads, "tp", tp));
    if (tp > a->kv_heads)
        RY_TRY(divides(diag, "tp", tp, "kv_heads", a->kv_heads));
    else
        RY_TRY(divides(diag, "kv_heads", a->kv_heads, "tp", tp));
    if (a->ffn > 0)
        RY_TRY(divides(diag, "ffn", a->ffn, "tp", tp));
    if (s->cp > 1)
        RY_TRY(divides(diag, "seq", s->seq, "cp", s->cp));
    if (s->sequence_parallel && tp > 1)
        RY_TRY(divides(diag, "tokens", (double)s->seq / ry_degree(s->cp) * s->micro_batch,
                       "tp", tp));
    return RY_OK;
}

static enum ry_err check_experts(const struct ry_strategy *s, const struct ry_arch *a,
                                 struct ry_diag *diag)
{
    const double ep = ry_degree(s->ep), etp = ry_degree(s->etp);
    if (a->experts == 0)
        return ep > 1 ? ry_fail(diag, RY_ERR_INFEASIBLE, "ep",
                                "%.0f, but the model has no experts", ep)
                      : RY_OK;
    RY_TRY(divides(diag, "experts", a->experts, "ep", ep));
    RY_TRY(divides(diag, "expert width", a->moe_ffn, "etp", etp));
    return divides(diag, "ranks of a stage",
                   ry_degree(s->tp) * ry_degree(s->dp) * ry_degree(s->cp), "ep*etp",
                   ep * etp);
}

static enum ry_err check_pipeline(const struct ry_strategy *s, const struct ry_arch *a,
                                  struct ry_diag *diag)
{
    const double pp = ry_degree(s->pp), vpp = ry_degree(s->vpp);
    if (pp * vpp > (double)a->layers + 2)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "pp", "%.0f stages for %u layers",
                       pp * vpp, a->layers);
    if (vpp > 1 && pp <= 1)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "vpp", "%.0f chunks without a pipeline",
                       vpp);
    if (s->schedule == RY_SCHEDULE_DUALPIPE && fmod(pp, 2) != 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "pp", "%.0f is odd, DualPipe needs pairs",
                       pp);
    return RY_OK;
}

enum ry_err ry_strategy_check(const struct ry_strategy *s, const struct ry_arch *a,
                              struct ry_diag *diag)
{
    if (s->seq == 0 || s->micro_batch == 0)
        return ry_fail(diag, RY_ERR_RANGE, s->seq == 0 ? "seq" : "micro_batch",
                       "0 is below 1");
    RY_TRY(check_tensor(s, a, diag));
    RY_TRY(check_experts(s, a, diag));
    RY_TRY(check_pipeline(s, a, diag));
    if (s->micro_batches == 0 && s->global_batch < ry_degree(s->dp) * s->micro_batch)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "global_batch",
                       "%u sequences are fewer than dp * micro_batch = %.0f",
                       s->global_batch, ry_degree(s->dp) * s->micro_batch);
    return RY_OK;
}
