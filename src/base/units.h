/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Quantities with units, read once at the door.
 *
 * Inside the program every number is in the SI unit that its name ends with:
 * `_s`, `_bytes`, `_bytes_per_s`, `_w`, `_usd`.  Only this module knows others.
 */
#ifndef RY_BASE_UNITS_H
#define RY_BASE_UNITS_H

#include "base/err.h"

enum ry_dim {
    RY_DIM_BYTES,
    RY_DIM_SECONDS,
    RY_DIM_BYTES_PER_S,
    RY_DIM_WATTS,
    RY_DIM_USD,
    RY_DIM_USD_PER_KWH,
    RY_DIM_METRES,
    RY_DIM_KILOGRAMS,
    RY_DIM_CELSIUS,
    RY_DIM_VOLTS,
    RY_DIM_AMPERES,
    RY_DIM_FLOP_PER_S,
    RY_DIM_COUNT,    /**< tokens, parameters: "15T", or a plain number */
    RY_DIM_FRACTION, /**< "3 %", or a plain number */
};

/**
 * Read a number with a unit, such as "400Gbps", "1.5 MiB" or "2us".
 * @param where  names the input in a diagnostic: an option, a path in a file.
 * @param text   the text; the whole of it must be used up.
 * @param dim    the dimension its unit must have (units.def lists the units).
 * @param value  set to the quantity in the SI unit of @p dim, finite and >= 0.
 * @param diag   nullable.
 * @return RY_OK, RY_ERR_SYNTAX (no number, or no unit of that dimension; RY_DIM_COUNT and
 *         RY_DIM_FRACTION need none) or RY_ERR_RANGE (negative, not finite, or a share
 *         without a unit over 1).
 */
RY_MUST_USE enum ry_err ry_quantity_parse(const char *where, const char *text,
                                          enum ry_dim dim, double *value,
                                          struct ry_diag *diag);

#endif
