/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The machine that a step runs on: one GPU type, its node, its network.
 */
#ifndef RY_SIM_MACHINE_H
#define RY_SIM_MACHINE_H

#include <stdbool.h>

struct ry_compute_model; /* kernel/compute_model.h */
struct ry_net;           /* comm/net.h */

struct ry_machine {
    const struct ry_compute_model *compute;
    const struct ry_net *net;
    double gpus;
    double gpus_per_node;
    double hbm_usable_bytes; /**< of one GPU, what the driver leaves */
    double host_ram_bytes;   /**< of one node; 0: unknown, no offload */
    double pcie_bytes_per_s; /**< GPU to host, one way */
    double power_cap_w;      /**< of one GPU; 0: its default limit */
};

#endif
