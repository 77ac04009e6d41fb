/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A fabric as it was discovered against the plan: cables in the wrong port, missing, too
 * many, or at another speed.
 */
#ifndef RY_IO_FABRIC_MATCH_H
#define RY_IO_FABRIC_MATCH_H

#include "base/problems.h"
#include "io/ibnetdiscover.h"
#include "topology/graph.h"

struct ry_fabric_matched {
    size_t planned, found; /**< links */
    size_t same, missing, elsewhere, extra,
        slower;     /**< planned: same + missing + elsewhere */
    size_t unknown; /**< discovered devices that no planned one is named like */
};

/**
 * Compare by names: a switch is "S-leaf3" or described as "leaf3"; an adapter
 * "H-node7-mlx2", or described as "node7 mlx5_2".
 * @param arena    scratch.
 * @param graph    the plan; its first fabric is compared.
 * @param fabric   what was discovered.
 * @param problems gets every difference, RY_ERR_NO, with port and both peers.
 * @param matched  set on RY_OK.
 */
RY_MUST_USE enum ry_err ry_fabric_match(struct ry_arena *arena,
                                        const struct ry_graph *graph,
                                        const struct ry_ib_fabric *fabric,
                                        struct ry_problems *problems,
                                        struct ry_fabric_matched *matched,
                                        struct ry_diag *diag);

#endif
