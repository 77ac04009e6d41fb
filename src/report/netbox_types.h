/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Device types of a graph as NetBox has them: one for each part (or class of devices
 * without one) and set of ports.
 *
 * Names, limits and choices: NetBox's dcim import forms and choices, and the schema of
 * netbox-community/devicetype-library (devicetype.json, components.json).
 */
#ifndef RY_REPORT_NETBOX_TYPES_H
#define RY_REPORT_NETBOX_TYPES_H

#include "report/export.h"

#include <stddef.h>
#include <stdint.h>

struct ry_netbox_type {
    struct ry_netbox_type *next;
    const struct ry_device_class *class; /**< of the first device; NULL: a node whose
                                            inside is the graph */
    uint32_t device;                     /**< the first of the type */
    const void *part;                    /**< ry_node or ry_switch; NULL: none is named */
    const struct ry_fabric_inputs *fabric; /**< of a switch; NULL: not said */
    const char *manufacturer;              /**< "nvidia"; "generic" without a part */
    const char *model;      /**< unique: "QM9700"; "QM9700-spine" where ports differ */
    const char *slug;       /**< "nvidia-qm9700" */
    const char *airflow;    /**< one of NetBox's, or "" */
    const char *unverified; /**< of the catalog row */
    double rack_units, weight_kg, max_w; /**< NAN: not known */
    size_t psus;                         /**< 0: not known */
    double psu_w;                        /**< NAN: not known */
    const char *psu_scheme;              /**< "4+2", "N+N"; "" not known */
    const char *inlet;                   /**< "C20", ...; "" not known */
};

struct ry_netbox_types {
    struct ry_netbox_type *first;
    const struct ry_netbox_type *
        *of; /**< [graph->n_devices]; NULL for what is inside a node */
    const struct ry_netbox_type
        *node; /**< of a graph that is the inside of one, or NULL */
};

/** Find them.  @return RY_OK or RY_ERR_NOMEM. */
RY_MUST_USE enum ry_err ry_netbox_types(const struct ry_export_input *in,
                                        struct ry_netbox_types *types,
                                        struct ry_diag *diag);

#endif
