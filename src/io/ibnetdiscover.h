/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * `ibnetdiscover`: the switches, host adapters and cables of an InfiniBand subnet.
 */
#ifndef RY_IO_IBNETDISCOVER_H
#define RY_IO_IBNETDISCOVER_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum ry_ib_kind {
    RY_IB_SWITCH,
    RY_IB_ADAPTER,     /**< of a host */
    RY_IB_AGGREGATION, /**< SHARP agent of a switch: an adapter, but no host */
    RY_IB_ROUTER,
};

enum { RY_IB_NODES_MOST = 1 << 18, RY_IB_ENDS_MOST = 1 << 22 };

struct ry_ib_node {
    enum ry_ib_kind kind;
    const char *guid;   /**< "S-b8cef60300000002" */
    const char *name;   /**< description: "node-01 mlx5_0", "MF0;sw-01:MQM8700/U1" */
    const char *host;   /**< of an adapter: "node-01"; NULL else */
    const char *device; /**< of an adapter: "mlx5_0"; NULL when not said */
    size_t ports;       /**< 0: only named by a peer */
    bool described;     /**< has a record of its own */
    size_t line;
};

struct ry_ib_link {
    size_t a, a_port, b, b_port; /**< a < b, or a == b and a_port <= b_port */
    size_t lanes;                /**< 4 of "4xHDR"; 0: not said */
    double bytes_per_s;          /**< data rate, one direction; NAN: not said */
    const char *speed;           /**< "4xHDR" or NULL */
    size_t seen;                 /**< 2: both ends have it; 1: one end only */
    bool ends_differ;            /**< the ends say different speeds */
    size_t line;
};

struct ry_ib_fabric {
    size_t n_nodes, n_links;
    struct ry_ib_node *nodes; /**< [n_nodes] in the order met */
    struct ry_ib_link *links; /**< [n_links] by (a, a_port), each cable once */
    size_t switches, adapters, hosts, aggregation;
    size_t one_sided; /**< links that an end with a record does not have */
};

/**
 * Read a fabric.  Hosts alone, without switches, are legal.
 * @return RY_OK, RY_ERR_SYNTAX (no record in it), RY_ERR_RANGE (too many) or
 *         RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_ibnet_parse(struct ry_arena *arena, const char *path,
                                       const char *text, size_t bytes,
                                       struct ry_ib_fabric *fabric, struct ry_diag *diag);

#endif
