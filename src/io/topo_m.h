/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * `nvidia-smi topo -m`: how GPUs and NICs of one node reach each other.
 */
#ifndef RY_IO_TOPO_M_H
#define RY_IO_TOPO_M_H

#include "base/arena.h"
#include "base/err.h"

#include <stddef.h>

/** Kinds of path, nearest first (NVIDIA's names). */
enum ry_topo_path {
    RY_TOPO_SELF, /**< X */
    RY_TOPO_NV,   /**< NVLink, see `nvlinks` */
    RY_TOPO_C2C,  /**< Grace */
    RY_TOPO_PIX,  /**< at most one PCIe bridge */
    RY_TOPO_PXB,  /**< several PCIe bridges, not the host bridge */
    RY_TOPO_PHB,  /**< a PCIe host bridge: the CPU */
    RY_TOPO_NODE, /**< host bridges of one NUMA node */
    RY_TOPO_SYS,  /**< between NUMA nodes */
    RY_TOPO_NONE, /**< N/A, or the row is missing */
};

struct ry_topo_cell {
    enum ry_topo_path path;
    size_t nvlinks; /**< bonded links of RY_TOPO_NV */
};

enum { RY_TOPO_DEVICES_MOST = 256 };

struct ry_topo_m {
    size_t gpus, nics;
    const char **names;   /**< [gpus + nics] as in the header: "GPU0", "NIC0", "mlx5_0" */
    const char **devices; /**< [nics] of the NIC legend or the header: "mlx5_0" */
    struct ry_topo_cell *cells; /**< [gpus + nics][gpus + nics] row by row */
    const char **cpus;          /**< [gpus] CPU affinity, NULL when not said */
    double *numa;               /**< [gpus] NUMA node, NAN when not said */
    size_t rows_missing;        /**< rows of the matrix that the text lacks */
    size_t gpu_rows_missing;    /**< those of them that are of GPUs */
    size_t line;                /**< of the header */
};

/**
 * Read a matrix, with TABs or blanks between columns, coloured or not.
 * @return RY_OK, RY_ERR_SYNTAX (no such matrix), RY_ERR_RANGE (too many devices) or
 *         RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_topo_m_parse(struct ry_arena *arena, const char *path,
                                        const char *text, size_t bytes,
                                        struct ry_topo_m *topo, struct ry_diag *diag);

/** The path between two devices by their places in `names`. */
struct ry_topo_cell ry_topo_m_cell(const struct ry_topo_m *topo, size_t a, size_t b);

/** The NIC (0 to nics - 1) that is nearest to a GPU, the first of equals; nics if
 * none. */
size_t ry_topo_m_nearest_nic(const struct ry_topo_m *topo, size_t gpu);

/** "PIX", "NV", ...  Never NULL. */
const char *ry_topo_path_text(enum ry_topo_path path);

#endif
