/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A node or a fabric against its plan: what `nvidia-smi topo -m` or `ibnetdiscover` shows
 * that a design does not have, or lacks.
 */
#ifndef RY_IO_PLAN_FINDINGS_H
#define RY_IO_PLAN_FINDINGS_H

#include "design/design.h"
#include "io/findings.h"
#include "io/ibnetdiscover.h"
#include "io/topo_m.h"
#include "topology/graph.h"

/**
 * One host's matrix against a design: GPUs of a host, NVLink and how many links, NICs of
 * the compute fabric (more are storage's or management's).
 */
void ry_topo_m_plan_findings(const struct ry_topo_m *topo, const char *file,
                             const struct ry_design *design,
                             struct ry_findings *findings);

/**
 * A discovered fabric, under the names of the plan, against its first fabric
 * (fabric_match.h): cables missing, elsewhere, too many or slow; devices not planned.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_ibnet_plan_findings(const struct ry_ib_fabric *fabric,
                                               const char *file,
                                               const struct ry_graph *plan,
                                               struct ry_findings *findings,
                                               struct ry_diag *diag);

#endif
