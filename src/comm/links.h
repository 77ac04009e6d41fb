/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the links of a network give a group, whatever the algorithm: its part of the NICs
 * and slots, what the switch tiers leave of it, and the seconds that a collective's bytes
 * need inside the domains and between them.  For comm/net.c and the algorithms.
 */
#ifndef RY_COMM_LINKS_H
#define RY_COMM_LINKS_H

#include "comm/net.h"

/** A group seen by its domains: what the formulas count. */
struct ry_span {
    double n;                 /**< ranks */
    double g;                 /**< of them in a domain */
    double domains;           /**< that it spans */
    double share_bytes_per_s; /**< what it may send out of a domain: NICs or slots */
    enum ry_net_limit limit;  /**< which of the two that is */
};

/** What the wires carry, or what software reaches on them. */
enum ry_rates { RY_RATES_WIRE, RY_RATES_USABLE };

struct ry_span ry_span_of(const struct ry_net *net, enum ry_coll coll,
                          const struct ry_group *group, enum ry_rates rates);

/**
 * The rate out of a domain that the switch tiers leave of @p share, in B/s.
 * @param binding set to the tier that leaves least; RY_TIERS_MOST: none does.
 */
double ry_tier_rate(const struct ry_net *net, const struct ry_group *group,
                    enum ry_coll coll, double share, size_t *binding);

/** Rate of reduction in the NVLink switch for g ranks of a domain that go on between
 * domains, in B/s; 0: none. */
double ry_nvls_between(const struct ry_net_domain *domain, double g);

/** Seconds that the links inside the domains need for their part; and what binds. */
double ry_inside_s(const struct ry_net *net, enum ry_coll coll,
                   const struct ry_span *span, double bytes, enum ry_rates rates,
                   enum ry_net_limit *limit);

/** Seconds that the way between domains needs at @p rate out of a domain, in B/s. */
double ry_between_s(const struct ry_net *net, enum ry_coll coll,
                    const struct ry_span *span, double rate, double bytes,
                    enum ry_rates rates);

#endif
