/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/fabric_move.h"

#include "base/order.h"
#include "comm/algo.h"

#include <math.h>

/* Factors on the lines of every algorithm. */
struct factors {
    double ll, ll128, simple, rate_ll128;
};

static void scale_lines(struct ry_net_lines *lines, const struct factors *times,
                        bool inside)
{
    lines->inter_step_s[RY_PROTO_LL] *= times->ll;
    lines->inter_step_s[RY_PROTO_LL128] *= times->ll128;
    lines->inter_step_s[RY_PROTO_SIMPLE] *= times->simple;
    lines->rate_frac[RY_PROTO_LL128] =
        ry_min(lines->rate_frac[RY_PROTO_LL128] * times->rate_ll128, 1.0);
    if (inside)
        lines->intra_step_s[RY_PROTO_SIMPLE] *= times->simple;
}

static void scale_all(struct ry_net_fabric *fabric, const struct factors *times)
{
    for (enum ry_coll_algo a = 0; a < RY_COLL_ALGOS; a++)
        if (ry_coll_algo_has_lines(a))
            scale_lines(&fabric->lines[a], times, ry_algo_at(a)->inside_fitted);
    fabric->send_s *= times->ll;
}

void ry_fabric_move(const double theta[RY_FABRIC_PARAMETERS],
                    struct ry_net_fabric *fabric)
{
    const struct factors times = {
        exp(theta[RY_FABRIC_STEP]), exp(theta[RY_FABRIC_STEP_LL128]),
        exp(theta[RY_FABRIC_STEP_SIMPLE]), exp(theta[RY_FABRIC_RATE_LL128])};

    scale_all(fabric, &times);
    fabric->message_s *= exp(theta[RY_FABRIC_MESSAGE]);
    fabric->nic_frac = ry_min(fabric->nic_frac * exp(theta[RY_FABRIC_NIC]), 1.0);
    fabric->tree_frac = ry_min(fabric->tree_frac * exp(theta[RY_FABRIC_TREE]), 1.0);
    fabric->loss_per_doubling =
        fmax(0.0, fabric->loss_per_doubling + theta[RY_FABRIC_LOSS]);
}

double ry_fabric_value(const struct ry_net_fabric *base, size_t i, double theta)
{
    double move_by[RY_FABRIC_PARAMETERS] = {0};
    struct ry_net_fabric fabric = *base;

    move_by[i] = theta;
    ry_fabric_move(move_by, &fabric);
    switch ((enum ry_fabric_parameter)i) {
    case RY_FABRIC_STEP:
    case RY_FABRIC_STEP_LL128:
    case RY_FABRIC_STEP_SIMPLE:
    case RY_FABRIC_RATE_LL128:
    case RY_FABRIC_MESSAGE:
        return exp(theta);
    case RY_FABRIC_NIC:
        return fabric.nic_frac;
    case RY_FABRIC_TREE:
        return fabric.tree_frac;
    case RY_FABRIC_LOSS:
        return fabric.loss_per_doubling;
    }
    return NAN;
}

void ry_fabric_apply(const struct ry_fabric_fit *fit, struct ry_net_fabric *fabric)
{
    const struct factors times = {fit->parameter[RY_FABRIC_STEP].value,
                                  fit->parameter[RY_FABRIC_STEP_LL128].value,
                                  fit->parameter[RY_FABRIC_STEP_SIMPLE].value,
                                  fit->parameter[RY_FABRIC_RATE_LL128].value};

    scale_all(fabric, &times);
    fabric->message_s *= fit->parameter[RY_FABRIC_MESSAGE].value;
    fabric->nic_frac = fit->parameter[RY_FABRIC_NIC].value;
    fabric->tree_frac = fit->parameter[RY_FABRIC_TREE].value;
    fabric->loss_per_doubling = fit->parameter[RY_FABRIC_LOSS].value;
    fabric->rel_sigma = fmax(fabric->rel_sigma, fit->rel_sigma);
}
