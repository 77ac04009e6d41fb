/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Inputs of other planners: Calculon (LLM, execution and system JSON), ASTRA-sim (network
 * YAML of its analytical backend, logical dimensions of ns-3, system JSON) and SimAI
 * (topology text).
 *
 * What they say of a cluster, a model and its training is taken over; every key that has
 * no place here is noted with the reason, so that nothing is dropped silently.
 * Formats: calculon-ai/calculon (system.py, network.py, llm/llm.py, 2024-02),
 * astra-sim/astra-sim (inputs/network, inputs/system, 2026-03), aliyun/SimAI
 * (astra-sim-alibabacloud/inputs/topo/gen_Topo_Template.py, 2026-08).
 */
#ifndef RY_IO_PEER_H
#define RY_IO_PEER_H

#include "base/arena.h"
#include "base/problems.h"
#include "io/file.h"
#include "io/json.h"
#include "workload/arch.h"
#include "workload/strategy.h"

/** Names of the planners of peers.def, for an option; ends with NULL. */
extern const char *const ry_peer_choices[];

enum { RY_PEER_NOTES_MOST = 256 };

struct ry_peer_note {
    const char *what; /**< a key of the input, or what had to be assumed */
    const char *text;
};

/** What was said; 0, NAN or NULL: not said. */
struct ry_peer {
    struct ry_arena *arena;
    struct ry_problems *problems;
    bool cluster;
    const char *gpu;   /**< a word of its name: "H100" */
    double flop_per_s; /**< of a GPU, 16-bit products */
    double mem_bytes, mem_bytes_per_s;
    size_t gpus, domain_gpus;
    double link_bytes_per_s; /**< of a GPU inside a domain, one direction */
    size_t nics_per_domain;
    double nic_bytes_per_s;  /**< of one NIC */
    double oversubscription; /**< 1 or more */
    bool rail_optimised, ethernet;
    bool has_arch;
    struct ry_arch arch;
    bool training;
    struct ry_strategy strategy; /**< seq 0: not said */
    size_t notes_n;
    struct ry_peer_note
        notes[RY_PEER_NOTES_MOST]; /**< [notes_n] in the order of the input */
};

/** Start: @p arena owns the texts, @p problems gets every mistake. */
void ry_peer_init(struct ry_peer *peer, struct ry_arena *arena,
                  struct ry_problems *problems);

/** Note what could not be taken over. */
void ry_peer_note(struct ry_peer *peer, const char *what, const char *fmt, ...)
    RY_PRINTF(3, 4);

/**
 * Read one file of a peer and add what it says.
 * @param path   for messages.
 * @param text   of the file, a NUL after it.
 * @return RY_OK, also with problems; RY_ERR_NOMEM.
 */
typedef enum ry_err ry_peer_reader(struct ry_peer *peer, const char *path,
                                   struct ry_text text);

#define X(name, read) ry_peer_reader read;
#include "io/peers.def"
#undef X

/** The same by the index of its name in ry_peer_choices. */
RY_MUST_USE enum ry_err ry_peer_read(struct ry_peer *peer, size_t planner,
                                     const char *path, struct ry_text text);

/* For readers. */

/** Whether the text is a JSON object. */
bool ry_peer_is_json(struct ry_text text);

/** Parse a JSON object and @p take what it says; another root is a problem. */
RY_MUST_USE enum ry_err ry_peer_read_json(struct ry_peer *peer, const char *path,
                                          struct ry_text text,
                                          void (*take)(struct ry_peer *peer,
                                                       struct ry_json root));

#endif
