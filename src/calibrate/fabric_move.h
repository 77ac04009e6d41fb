/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the parameters of a fabric fit do to a fabric model.
 */
#ifndef RY_CALIBRATE_FABRIC_MOVE_H
#define RY_CALIBRATE_FABRIC_MOVE_H

#include "calibrate/fabric_fit.h"

/**
 * Move a fabric away from the base model.
 * @param theta logarithm of a factor for each parameter, but the difference of the loss.
 */
void ry_fabric_move(const double theta[RY_FABRIC_PARAMETERS],
                    struct ry_net_fabric *fabric);

/** Parameter @p i as struct ry_fabric_fit has it, moved by @p theta from @p base. */
double ry_fabric_value(const struct ry_net_fabric *base, size_t i, double theta);

/** A base fabric with fitted parameters put in. */
void ry_fabric_apply(const struct ry_fabric_fit *fit, struct ry_net_fabric *fabric);

#endif
