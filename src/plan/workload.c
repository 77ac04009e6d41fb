/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/workload.h"

#include <limits.h>
#include <math.h>

static const struct ry_workload *root(const struct ry_workload *workload)
{
    return workload->of ? workload->of : workload;
}

const struct ry_workload *ry_workload_on(struct ry_arena *arena,
                                         const struct ry_workload *workload, size_t gpus)
{
    const struct ry_workload *from = root(workload);

    if (from->batch_at_gpus == 0)
        return workload;
    const double batch = floor((double)from->base.global_batch * (double)gpus /
                                   (double)from->batch_at_gpus +
                               0.5);
    struct ry_workload *copy = RY_NEW(arena, struct ry_workload, 1);
    if (!copy)
        return NULL;
    *copy = *from;
    copy->of = from;
    copy->base.global_batch = (unsigned)fmin(fmax(batch, 1.0), INT_MAX);
    return copy;
}

bool ry_workload_same(const struct ry_workload *a, const struct ry_workload *b)
{
    return root(a) == root(b);
}
