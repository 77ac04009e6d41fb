/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goodput.h"

#include <math.h>

double ry_job_mtbf_s(double gpu_mtbf_s, double gpus)
{
    return gpus > 0 ? gpu_mtbf_s / gpus : gpu_mtbf_s;
}

double ry_checkpoint_interval_s(double mtbf_s, double checkpoint_s)
{
    if (!(checkpoint_s > 0))
        return 0;
    if (checkpoint_s >= 2 * mtbf_s)
        return mtbf_s;
    const double x = checkpoint_s / (2 * mtbf_s);
    return sqrt(2 * checkpoint_s * mtbf_s) * (1 + sqrt(x) / 3 + x / 9) - checkpoint_s;
}

/**
 * Renewal argument: of the time between two interruptions, W useful and W / interval
 * checkpoints; the interruption adds half an interval (with its checkpoint) of rework
 * and a restart.
 */
struct ry_goodput ry_goodput(const struct ry_goodput_inputs *in)
{
    const double tau = in->interval_s > 0
                           ? in->interval_s
                           : ry_checkpoint_interval_s(in->mtbf_s, in->checkpoint_s);
    const double restart = in->detect_s + in->restart_s;
    const double rework = tau / 2;
    const double per_cycle = in->mtbf_s + restart; /* failures count while it runs */
    const double kept = fmax(in->mtbf_s - rework, 0);
    const double writing = tau > 0 ? in->checkpoint_s / (tau + in->checkpoint_s) : 0;
    struct ry_goodput g = {.interval_s = tau};
    g.restart_frac = restart / per_cycle;
    g.rework_frac = fmin(rework, in->mtbf_s) / per_cycle;
    g.checkpoint_frac = kept * writing / per_cycle;
    g.effective_frac = kept * (1 - writing) / per_cycle;
    g.loss_s = rework + restart;
    return g;
}

double ry_goodput_loss_allowed_s(double mtbf_s, double effective_frac)
{
    return (1 - effective_frac) / effective_frac * mtbf_s;
}
