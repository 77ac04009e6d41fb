/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What an environment variable does to a job's communication, for planning it again.
 *
 * The variables known are rows of share/launch/what-if.csv; a variable that is in no row
 * is refused.  A row names one of the effects of what_if.c.
 */
#ifndef RY_IO_WHAT_IF_H
#define RY_IO_WHAT_IF_H

#include "base/arena.h"
#include "base/problems.h"
#include "plan/degrade.h"

/** How sure the step with the setting is. */
enum ry_what_if_kind {
    RY_WHAT_IF_NONE,    /**< it changes nothing that the model sees */
    RY_WHAT_IF_STEP,    /**< the step with it */
    RY_WHAT_IF_LEAST,   /**< the step is at least that */
    RY_WHAT_IF_MOST,    /**< between the step as planned and that */
    RY_WHAT_IF_UNKNOWN, /**< no model says */
};

struct ry_what_if {
    const char *variable, *value;
    enum ry_what_if_kind kind;
    struct ry_degrade degrade; /**< of STEP, LEAST and MOST */
    bool blocking;             /**< launches of kernels block the host */
    const char *note, *source; /**< of the row, or why no model says */
};

struct ry_what_if_input {
    const char *assignment;  /**< "NCCL_P2P_DISABLE=1" */
    const char *const *nics; /**< [nics_n] names of the compute NICs of a host */
    size_t nics_n;
};

/**
 * Read one setting.
 * @param path of the rows.
 * @return RY_OK; RY_ERR_USAGE for text without "="; RY_ERR_NOTFOUND: a variable in no
 *         row, with the nearest one; RY_ERR_RANGE for a value that NCCL would not take.
 */
RY_MUST_USE enum ry_err ry_what_if_read(struct ry_arena *arena, const char *path,
                                        const struct ry_what_if_input *input,
                                        struct ry_what_if *what, struct ry_diag *diag);

/** Whether NCCL takes the NIC @p name by the list of NCCL_IB_HCA: "^" excludes, "=" is
 * exact, else a beginning is enough; ":PORT" and what follows is not looked at. */
bool ry_hca_list_takes(const char *list, const char *name);

#endif
