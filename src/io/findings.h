/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Findings of a diagnosis: what is seen, where, what it costs, what to do.
 */
#ifndef RY_IO_FINDINGS_H
#define RY_IO_FINDINGS_H

#include "base/arena.h"
#include "base/err.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum ry_finding_severity {
    RY_FINDING_NOTE,    /**< worth knowing; no reason to act by itself */
    RY_FINDING_WARNING, /**< costs bandwidth, or will */
    RY_FINDING_ERROR,   /**< the job does not get the network that it should */
};

/** What a plan loses by a finding, so that its cost can be planned. */
enum ry_finding_loses {
    RY_LOSES_UNKNOWN,     /**< nothing that a plan has, or not known how much */
    RY_LOSES_TO_SOCKETS,  /**< RDMA between nodes; `loses_of`: interfaces used, 0 unknown
                           */
    RY_LOSES_RATE,        /**< `loses_of`: share of each NIC's rate that is left */
    RY_LOSES_NICS,        /**< `loses_of`: share of a node's NICs that is left */
    RY_LOSES_PEER_ACCESS, /**< between GPUs of a node */
    RY_LOSES_NVLS,        /**< reduction inside NVSwitch */
};

struct ry_finding {
    enum ry_finding_severity severity;
    const char *id;   /**< stable: "sockets", "gpudirect-off" */
    const char *text; /**< what is seen, one line */
    const char *action;
    const char *file; /**< NULL: no single line shows it */
    size_t line;
    double left_frac;  /**< share of the bandwidth that is left; NAN: not known */
    const char *basis; /**< where that share is from; NULL: none */
    enum ry_finding_loses loses;
    double loses_of;
    /** Per node and direction, NAN where the rate of the NICs is not known. */
    double expected_bytes_per_s, left_bytes_per_s;
};

struct ry_findings {
    struct ry_arena *arena; /**< owns the texts */
    size_t n, room;
    struct ry_finding *at; /**< [n] as found; worst first after ry_findings_sort() */
    enum ry_finding_severity worst; /**< of an empty list: RY_FINDING_NOTE */
    bool out_of_memory;
};

/**
 * Add a finding; all shares and rates are unknown.
 * @param text   and @p action are copied.
 * @return it, in place until the next is added; NULL when out of memory.
 */
struct ry_finding *ry_findings_add(struct ry_findings *findings,
                                   enum ry_finding_severity severity, const char *id,
                                   const char *text, const char *action);

/** The line that shows a finding; NULL finding: nothing. */
void ry_finding_at(struct ry_finding *finding, const char *file, size_t line);

/** Worst first, else as found. */
void ry_findings_sort(struct ry_findings *findings);

/** "note", "warning" or "error". */
const char *ry_finding_severity_text(enum ry_finding_severity severity);

#endif
