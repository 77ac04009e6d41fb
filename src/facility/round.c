/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/round.h"

#include <math.h>

double ry_count_up(double x)
{
    const double up = ceil(x - RY_ROUND_SLACK);
    return up > 0.0 ? up : 0.0;
}

double ry_count_down(double x)
{
    const double down = floor(x + RY_ROUND_SLACK);
    return down > 0.0 ? down : 0.0;
}
