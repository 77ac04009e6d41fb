/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a found fabric is made of: its hosts and their NICs, the tiers of its switches,
 * and the sizes that most of them have.
 */
#ifndef RY_IO_FABRIC_SURVEY_H
#define RY_IO_FABRIC_SURVEY_H

#include "io/ibnetdiscover.h"

#include <stdbool.h>
#include <stddef.h>

/** Leaves, spines and cores. */
enum { RY_SURVEY_TIERS = 3 };

struct ry_survey_adapter {
    const char *host;
    size_t nic;     /**< as it is numbered, then as counted in its host */
    size_t node;    /**< of the fabric */
    size_t host_at; /**< of its host in order, SIZE_MAX of a manager */
    size_t leaf;    /**< of the fabric, SIZE_MAX: not linked */
};

struct ry_survey_switch {
    size_t node;
    size_t ends, ups, first_up; /**< first_up: its lowest port to a switch */
    size_t host_at, nic;        /**< medians of what is on it */
    size_t key;                 /**< what its tier is put in order by; 0 until then */
    const char *name;
};

struct ry_fabric_survey {
    struct ry_arena *arena;
    const struct ry_ib_fabric *f;
    struct ry_survey_adapter *adapters; /**< [n_adapters] by host and NIC */
    size_t n_adapters, managers, hosts;
    struct ry_survey_switch *at[RY_SURVEY_TIERS];
    size_t n[RY_SURVEY_TIERS];
    /** What most have: NICs of a host, leaves that a host is on, hosts of a leaf as one
     * rail, ports down and up of a leaf, ports of a leaf and of a spine. */
    size_t nics, rails, unit, down, up, radix, spine_radix;
    double speed; /**< of most links, Mb/s; 0: not said */
    /* What the survey works with. */
    size_t *tier;       /**< [nodes] 0 none, 1 leaf, 2 spine, 3 core */
    size_t *adapter_of; /**< [nodes] */
    size_t *sample;     /**< [nodes + links] */
};

/**
 * Survey a fabric.
 * @param arena owns what @p s points at; @p found must outlive it.
 * @return RY_OK; RY_ERR_INFEASIBLE without hosts or leaves, or with hosts of one NIC on
 *         all of many switches; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_fabric_survey(struct ry_arena *arena,
                                         const struct ry_ib_fabric *found,
                                         struct ry_fabric_survey *s,
                                         struct ry_diag *diag);

/** Take the adapters of a survey, by host, and count hosts and NICs; `sample` has the
 * NICs of each host then.  False when out of memory. */
bool ry_survey_hosts(struct ry_fabric_survey *s);

/** Order names, numbers in them as numbers: "leaf9" before "leaf10"; as strcmp(). */
int ry_names_by_nature(const char *a, const char *b);

#endif
