/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos.h"

#include "base/order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double SLACK = 1e-9;
enum { RATIO_SCALE_MOST = 1000 };

double ry_ceil_div(double a, double b)
{
    return ceil(a / b - SLACK);
}

double ry_floor_div(double a, double b)
{
    return floor(a / b + SLACK);
}

size_t ry_power(size_t base, size_t exponent)
{
    size_t power = 1;

    for (size_t i = 0; i < exponent; i++) {
        if (base != 0 && power > SIZE_MAX / base)
            return SIZE_MAX;
        power *= base;
    }
    return power;
}

bool ry_ratio_parse(const char *text, struct ry_ratio *ratio)
{
    char *end = NULL;
    const double down = strtod(text, &end);

    if (end == text || *end != ':')
        return false;
    const char *second = end + 1;
    const double up = strtod(second, &end);
    if (end == second || *end != '\0' || !isfinite(down) || !isfinite(up) ||
        down <= 0.0 || up <= 0.0)
        return false;
    *ratio = (struct ry_ratio){down, up};
    return true;
}

size_t ry_balanced_spines(size_t least, size_t up)
{
    for (size_t s = least ? least : 1; s <= up; s++)
        if (up % s == 0)
            return s;
    return least;
}

/* "1.5:1" is 3:2: the smallest multiple that is whole, if there is a small one. */
static struct ry_ratio whole(struct ry_ratio ratio)
{
    for (int m = 1; m <= RATIO_SCALE_MOST; m++) {
        const double down = ratio.down * m;
        const double up = ratio.up * m;
        if (fabs(down - round(down)) < SLACK * down && fabs(up - round(up)) < SLACK * up)
            return (struct ry_ratio){round(down), round(up)};
    }
    return ratio;
}

struct ry_split ry_port_split(size_t radix, struct ry_ratio ratio)
{
    const struct ry_ratio r = whole(ratio);
    const double m = ry_floor_div((double)radix, r.down + r.up);
    const size_t down = (size_t)(m * r.down + SLACK);
    const size_t up = (size_t)(m * r.up + SLACK);

    return (struct ry_split){down, up, radix - down - up};
}

/* Uplinks of a spine, at least @p need, and cores of each spine index: the fewest
 * cores. */
static void set_cores(struct ry_pods_input in, size_t need, size_t most,
                      struct ry_pods *p)
{
    p->spine_up = need;
    p->spine_cores = SIZE_MAX;
    for (size_t up = need; up <= most; up++) {
        const size_t least = ry_div_up(p->pods * up, in.spine_radix);
        const size_t cores =
            in.policy == RY_SPINES_MIN ? least : ry_balanced_spines(least, up);
        if (cores <= up && cores < p->spine_cores) {
            p->spine_up = up;
            p->spine_cores = cores;
        }
    }
}

/* So many pods, as even as units allow. */
static struct ry_pods pods_of(struct ry_pods_input in, struct ry_split split,
                              size_t quantum, size_t pods)
{
    struct ry_pods p = {.spine_down_most = split.down};

    p.pod_leaves = ry_div_up(ry_div_up(in.leaves, pods), quantum) * quantum;
    p.pods = ry_div_up(in.leaves, p.pod_leaves);
    const size_t least = ry_div_up(p.pod_leaves * in.leaf_up, split.down);
    p.pod_spines =
        in.policy == RY_SPINES_MIN ? least : ry_balanced_spines(least, in.leaf_up);
    const size_t spine_down = ry_div_up(p.pod_leaves * in.leaf_up, p.pod_spines);
    set_cores(in, (size_t)ry_ceil_div((double)spine_down * in.ratio.up, in.ratio.down),
              split.up, &p);
    p.fits = p.pod_spines <= in.leaf_up && p.spine_cores != SIZE_MAX;
    if (!p.fits)
        p.spine_cores = 0;
    p.spines = p.pods * p.pod_spines;
    p.cores = p.pod_spines * p.spine_cores;
    p.spine_core_links = p.spines * p.spine_up;
    return p;
}

struct ry_pods ry_clos_pods(struct ry_pods_input in)
{
    const struct ry_split split = ry_port_split(in.spine_radix, in.ratio);
    const size_t quantum = in.quantum > 0 && in.quantum <= split.down ? in.quantum : 1;

    if (split.down == 0 || split.up == 0 || in.leaves == 0 || in.leaf_up == 0)
        return (struct ry_pods){.spine_down_most = split.down};
    const size_t fewest = ry_div_up(in.leaves, split.down / quantum * quantum);
    struct ry_pods best = pods_of(in, split, quantum, fewest);
    /* Where cores are as fast as leaves, smaller pods may take fewer switches. */
    const size_t most = in.ratio.down > in.ratio.up ? fewest : 4 * fewest;
    for (size_t pods = fewest + 1; pods <= most && pods <= in.leaves; pods++) {
        const struct ry_pods p = pods_of(in, split, quantum, pods);
        if (p.fits && (!best.fits || p.spines + p.cores < best.spines + best.cores))
            best = p;
    }
    return best;
}
