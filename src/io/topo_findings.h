/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What is wrong with a node or a fabric: from `nvidia-smi topo -m` and `ibnetdiscover`.
 */
#ifndef RY_IO_TOPO_FINDINGS_H
#define RY_IO_TOPO_FINDINGS_H

#include "io/findings.h"
#include "io/ibnetdiscover.h"
#include "io/topo_m.h"

/** Judge one node's matrix; @p file names it in the findings. */
void ry_topo_m_findings(const struct ry_topo_m *topo, const char *file,
                        struct ry_findings *findings);

/** Judge a fabric. */
void ry_ibnet_findings(const struct ry_ib_fabric *fabric, const char *file,
                       struct ry_findings *findings);

#endif
