/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Logs that NCCL writes with NCCL_DEBUG=INFO: which network, which NICs, which transport
 * a channel got, on every host, with the line that says so.
 *
 * Lines of any number of ranks in any order, from 2.4 (2018) to 2.30 (2026), behind any
 * prefix of a launcher.  Names of the lines: NCCL's src/transport/net_ib.cc,
 * net_socket.cc, init.cc, graph/.
 */
#ifndef RY_IO_NCCL_LOG_H
#define RY_IO_NCCL_LOG_H

#include "base/arena.h"
#include "base/err.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { RY_LOG_NICS_MOST = 64, RY_LOG_HOSTS_MOST = 1 << 16, RY_LOG_ENV_MOST = 64 };

/** Largest log that is read. */
enum { RY_LOG_BYTES_MOST = 1 << 29 };

/** Where something was said; line 0: nowhere. */
struct ry_log_place {
    const char *file;
    size_t line;
};

/** What happened, counted, with the first place. */
struct ry_log_event {
    size_t count;
    struct ry_log_place first;
    const char *text; /**< a word of that line, or NULL */
};

enum ry_log_event_id {
    RY_LOG_NO_IB_DEVICE,   /**< NET/IB : No device found. */
    RY_LOG_NO_LIBIBVERBS,  /**< Failed to open libibverbs.so */
    RY_LOG_PLUGIN_SYMBOL,  /**< Failed to find ncclNetPlugin_vN symbol */
    RY_LOG_PLUGIN_FAILED,  /**< Failed to initialize NET plugin X */
    RY_LOG_NETWORK,        /**< Using network X: text */
    RY_LOG_NETWORK_SOCKET, /**< Using network Socket */
    RY_LOG_BOOTSTRAP,      /**< Bootstrap : Using IF:ADDR<0>: text is IF */
    RY_LOG_OOB,            /**< "OOB IF:ADDR": text is IF */
    RY_LOG_NO_NVLS,        /**< NVLS multicast support is not available */
    RY_LOG_WITH_NVLS,
    RY_LOG_PATH_FALLBACK,    /**< falling back to simple order */
    RY_LOG_COMPLETION_ERROR, /**< Got completion with error: text is the number */
    RY_LOG_IOMMU,            /**< Missing "iommu=pt" */
    RY_LOG_NUMA_BALANCING,
    RY_LOG_GDR_READ_OFF, /**< GPU Direct RDMA Enabled ..., read 0 */
    RY_LOG_SHM,          /**< a channel through shared memory: text "0 -> 1" */
    RY_LOG_P2P,          /**< a channel by peer access */
    RY_LOG_NET_SOCKET,   /**< a channel by NET/Socket */
    RY_LOG_NET_IB,       /**< a channel by NET/IB or a plug-in */
    RY_LOG_NET_LOCAL,    /**< a channel by the network between ranks of one host */
    RY_LOG_EVENTS
};

enum ry_log_gdr { RY_GDR_UNSAID, RY_GDR_ON, RY_GDR_OFF };

struct ry_log_nic {
    const char *name; /**< "mlx5_0"; NULL when only channels name its number */
    const char *link; /**< "IB", "RoCE" or NULL */
    struct ry_log_place place;
    enum ry_log_gdr gdr; /**< NET/IB : GPU Direct RDMA ... for HCA */
    struct ry_log_place gdr_place;
    /** Channels by direction: [0] send, [1] receive; with and without GDRDMA. */
    size_t with_gdr[2], without_gdr[2];
    struct ry_log_place without_place[2];
};

struct ry_log_iface {
    const char *name;
    struct ry_log_place place;
};

struct ry_log_host {
    const char *name;
    const char *version; /**< of NCCL, "2.28.9"; NULL when not said on this host */
    struct ry_log_place version_place;
    size_t n_nics;
    struct ry_log_nic
        *nics;        /**< [n_nics], in NCCL's numbering, at most RY_LOG_NICS_MOST */
    bool nics_listed; /**< by a NET/IB : Using line */
    struct ry_log_place nics_place;
    size_t n_ifaces;
    struct ry_log_iface *ifaces; /**< [n_ifaces] of the NET/Socket : Using line */
    struct ry_log_event events[RY_LOG_EVENTS];
};

/** NCCL_X set to VALUE, over all hosts: one entry a value. */
struct ry_log_env {
    const char *name, *value;
    size_t count;
    struct ry_log_place place;
};

/** N Bytes -> Algo a proto p time T: what NCCL's model expects. */
struct ry_log_prediction {
    double bytes, time_s;
    struct ry_log_place place;
};

struct ry_nccl_log {
    size_t n_lines; /**< NCCL lines seen */
    size_t n_hosts;
    struct ry_log_host *hosts; /**< [n_hosts] in the order met */
    double ranks;              /**< NAN: not said */
    double nodes;              /**< nNodes, as NCCL counts them; NAN: not said */
    size_t n_env;
    struct ry_log_env env[RY_LOG_ENV_MOST];
    size_t n_predictions;
    struct ry_log_prediction *predictions; /**< [n_predictions] one a size */
    double net_bytes_per_s; /**< fastest "+ NET[50.0]" seen, B/s; NAN: not said */
};

struct ry_log_text {
    const char *path;
    const char *text;
    size_t bytes;
};

/**
 * Read logs together, as of one job.
 * @param arena owns the result.
 * @param texts [n] contents; they may be of one rank each, or all in one.
 * @return RY_OK, RY_ERR_SYNTAX (no line of NCCL in them) or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_nccl_log_parse(struct ry_arena *arena, size_t n,
                                          const struct ry_log_text *texts,
                                          struct ry_nccl_log *log, struct ry_diag *diag);

/** Events of all hosts, summed; the first place is of the first host that has it. */
struct ry_log_event ry_nccl_log_event(const struct ry_nccl_log *log,
                                      enum ry_log_event_id id);

#endif
