/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/bound.h"

#include "kernel/compute_model.h"
#include "sim/build.h"

#include <math.h>

/* Work that the GPU cannot do faster than at its highest clock; the host may take
 * longer. */
static double side_s(const struct ry_step_inputs *in, const struct ry_pass *p)
{
    const double scale = 1.0 / in->machine->compute->clock_most;
    const double gpu =
        scale * (p->gemm_s + p->attention_s) + p->memory_s + p->tp_s + p->cp_s + p->ep_s;
    const bool blocking = in->traits->host_mode == RY_HOST_BLOCKING;

    return (blocking ? gpu + p->host_s : fmax(gpu, p->host_s)) + p->host_add_s;
}

/* One micro-batch through all stages, forward and backward, so many layers of each
 * kind. */
static double through_s(const struct ry_step_inputs *in, double dense, double moe,
                        bool again)
{
    const struct ry_shape_cost *c = in->shape;
    const enum ry_recompute mode = in->strategy->recompute;
    const double share =
        mode == RY_RECOMPUTE_LAYERS ? 0.0 : 1.0; /* a part of them: left out */
    struct ry_pass forward = {0};
    struct ry_pass backward = {0};

    ry_pass_add(&forward, &c->dense.forward, dense);
    ry_pass_add(&forward, &c->moe.forward, moe);
    ry_pass_add(&backward, &c->dense.backward, dense);
    ry_pass_add(&backward, &c->moe.backward, moe);
    if (again) {
        ry_pass_add(&backward, &c->dense.again[mode], share * dense);
        ry_pass_add(&backward, &c->moe.again[mode], share * moe);
    }
    const struct ry_layer_cost *const ends[] = {&c->embedding, &c->head, &c->mtp};
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        ry_pass_add(&forward, &ends[i]->forward, 1.0);
        ry_pass_add(&backward, &ends[i]->backward, 1.0);
    }
    return side_s(in, &forward) + side_s(in, &backward);
}

/* The leading dense layers of a mixture of experts are on the first stage as far as they
 * fit there, so between none and all of them count. */
static double least_through_s(const struct ry_step_inputs *in, bool again)
{
    const struct ry_arch *arch = in->arch;
    const double layers = arch->layers;
    const double period = arch->moe_period > 1 ? arch->moe_period : 1;

    if (arch->experts == 0)
        return through_s(in, layers, 0.0, again);
    const double most = layers / period;
    const double least = fmax(layers - arch->dense_layers, 0.0) / period;
    return fmin(through_s(in, layers - most, most, again),
                through_s(in, layers - least, least, again));
}

static bool fills_bubble(const struct ry_strategy *s)
{
    return s->schedule == RY_SCHEDULE_ZERO_BUBBLE || s->schedule == RY_SCHEDULE_DUALPIPE;
}

double ry_step_least_s(const struct ry_step_inputs *in, enum ry_bound_of of)
{
    const struct ry_strategy *s = in->strategy;
    const double pp = ry_degree(s->pp);
    const double stage_s = least_through_s(in, of == RY_BOUND_STRATEGY) / pp;
    const double micro_batches = ry_strategy_micro_batches(s);
    const bool filled = of == RY_BOUND_SHAPE_FILLED || fills_bubble(s);
    const double bubbles = filled ? 0.0 : (pp - 1.0) / ry_degree(s->vpp);

    return stage_s * (micro_batches + bubbles) * (1.0 - RY_BOUND_ROUNDING);
}
