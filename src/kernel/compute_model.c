/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel/compute_model.h"

#include <math.h>

double ry_stream_s(const struct ry_compute_model *model, enum ry_stream stream,
                   double bytes)
{
    return model->stream_fixed_s +
           bytes / (model->stream_frac[stream] * model->hbm_bytes_per_s);
}

double ry_host_issue_s(const struct ry_compute_model *model, enum ry_host_op op,
                       enum ry_launch launch, bool backward)
{
    const double eager_s =
        backward ? model->host_backward_s[op] : model->host_forward_s[op];

    switch (launch) {
    case RY_EAGER:
        return eager_s;
    case RY_COMPILED:
        return op == RY_HOST_VIEW ? 0.0 : eager_s * model->host_compiled;
    case RY_CUDA_GRAPH:
        return op == RY_HOST_VIEW ? 0.0 : model->host_graph_s;
    case RY_LAUNCHES:
        break;
    }
    return 0.0;
}

/* Watts of products at @p clock (sustained = 1): what does not depend on the clock is
 * taken to be the idle power. */
static double products_w(const struct ry_compute_model *model, double full_w,
                         double clock)
{
    return model->idle_w + (full_w - model->idle_w) * pow(clock, model->clock_exponent);
}

struct demand {
    const struct ry_compute_model *model;
    const struct ry_load *load;
    double other_j, other_s; /* of what does not run with the clock */
};

static double seconds_at(const struct demand *d, double clock)
{
    return d->other_s + (d->load->tensor_s + d->load->attention_s) / clock;
}

static double joules_at(const struct demand *d, double clock)
{
    const struct ry_compute_model *model = d->model;
    const double attention_w =
        products_w(model, model->attention_w, clock / model->attn_burst);

    return d->other_j +
           d->load->tensor_s / clock * products_w(model, model->tensor_w, clock) +
           d->load->attention_s / clock * attention_w;
}

/* Joules over what the cap allows, as constant + slope / clock + curve * clock^(e - 1):
 * work at a clock takes seconds / clock and draws idle + (full - idle) * clock^e. */
struct excess {
    double constant_j, slope_j, curve_j, exponent;
};

static struct excess excess_of(const struct demand *d, double cap_w)
{
    const struct ry_compute_model *m = d->model;
    const double clocked_s = d->load->tensor_s + d->load->attention_s;
    /* attention_w was measured at the highest clock, tensor_w at the sustained one */
    const double attention_w =
        (m->attention_w - m->idle_w) / pow(m->attn_burst, m->clock_exponent);

    return (struct excess){
        .constant_j = d->other_j - cap_w * d->other_s,
        .slope_j = (m->idle_w - cap_w) * clocked_s,
        .curve_j = d->load->tensor_s * (m->tensor_w - m->idle_w) +
                   d->load->attention_s * attention_w,
        .exponent = m->clock_exponent - 1.0,
    };
}

/* Newton's steps from the highest clock down to where the power meets the cap.  The
 * excess is convex in the clock for an exponent of 2 or more and close to it above 1,
 * so few steps do; a step out of bounds ends at the bound. */
static double clock_at_cap(const struct demand *d, double cap_w)
{
    enum { STEPS = 6 };
    const double low = 0.2;
    const double high = d->model->clock_most;
    const struct excess e = excess_of(d, cap_w);
    double clock = high;

    for (int i = 0; i < STEPS; i++) {
        const double curve = e.curve_j * pow(clock, e.exponent);
        const double over = e.constant_j + e.slope_j / clock + curve;
        const double rise = (e.exponent * curve - e.slope_j / clock) / clock;
        if (i == 0 && over <= 0.0)
            return high;
        if (!(rise > 0.0))
            return low;
        const double next = clock - over / rise;
        if (fabs(next - clock) <= 1e-9 * clock)
            return next;
        clock = next < low ? low : next > high ? high : next;
    }
    return clock;
}

struct ry_clock ry_clock(const struct ry_compute_model *model, const struct ry_load *load,
                         double cap_w)
{
    /* a board holds its mean a little below its cap: tensor_w is what it held */
    const double limit_w = model->tensor_w * (cap_w > 0.0 ? cap_w / model->cap_w : 1.0);
    const struct demand demand = {
        .model = model,
        .load = load,
        .other_s = load->memory_s + load->comm_s + load->idle_s,
        .other_j = load->memory_s * model->memory_w + load->comm_s * model->comm_w +
                   load->idle_s * model->idle_w,
    };
    const double clock = clock_at_cap(&demand, limit_w);
    const double energy_j = joules_at(&demand, clock);
    const double seconds = seconds_at(&demand, clock);

    return (struct ry_clock){
        .tensor_scale = 1.0 / clock,
        .power_w = seconds > 0.0 ? energy_j / seconds : model->idle_w,
        .energy_j = energy_j,
    };
}

struct ry_overlap ry_overlap(const struct ry_compute_model *model, enum ry_beside beside,
                             double compute_s, double memory_frac, double comm_s)
{
    const double tensor_frac = 1.0 - memory_frac;
    const double slow_compute = model->beside[beside].tensor * tensor_frac +
                                model->beside[beside].memory * memory_frac;
    const double slow_comm = model->beside[beside].comm * tensor_frac +
                             model->beside[beside].comm_memory * memory_frac;
    const double compute_end = compute_s * slow_compute;
    const double comm_end = comm_s * slow_comm;
    struct ry_overlap out;

    /* the one that ends first was slowed throughout; the other from then on is alone */
    if (compute_end <= comm_end) {
        out.compute_s = compute_end;
        out.comm_s = compute_end + comm_s - compute_end / slow_comm;
    } else {
        out.comm_s = comm_end;
        out.compute_s = comm_end + compute_s - comm_end / slow_compute;
    }
    out.both_s = fmax(out.compute_s, out.comm_s);
    return out;
}
