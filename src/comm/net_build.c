/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/net_build.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

static const char *const transport_names[RY_TRANSPORTS] = {
    [RY_TRANSPORT_NONE] = "none",     [RY_TRANSPORT_IB] = "ib",
    [RY_TRANSPORT_ROCE] = "roce",     [RY_TRANSPORT_EFA] = "efa",
    [RY_TRANSPORT_OPA] = "omni-path", [RY_TRANSPORT_TCP] = "tcp",
};

const char *ry_transport_name(enum ry_transport transport)
{
    return transport_names[transport];
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool starts_with(const char *text, const char *start)
{
    while (*start && lower(*text) == lower(*start)) {
        text++;
        start++;
    }
    return *start == '\0';
}

static bool contains(const char *text, const char *part)
{
    for (; *text; text++)
        if (starts_with(text, part))
            return true;
    return false;
}

enum ry_transport ry_transport_of(enum ry_fabric_technology technology, const char *nic)
{
    if (technology != RY_FABRIC_NONE && nic) {
        if (contains(nic, "efa"))
            return RY_TRANSPORT_EFA;
        if (contains(nic, "omni") || contains(nic, "cornelis"))
            return RY_TRANSPORT_OPA;
    }
    switch (technology) {
    case RY_FABRIC_NONE:
        return RY_TRANSPORT_NONE;
    case RY_FABRIC_INFINIBAND:
        return RY_TRANSPORT_IB;
    case RY_FABRIC_ROCE:
        return RY_TRANSPORT_ROCE;
    case RY_FABRIC_TCP:
        return RY_TRANSPORT_TCP;
    }
    return RY_TRANSPORT_NONE;
}

static bool serves(const struct ry_comm_model *model, const char *gpu)
{
    for (size_t i = 0; i < model->names; i++)
        if (starts_with(gpu, model->gpu[i]))
            return true;
    return model->names == 0;
}

static const struct ry_comm_model *by_name(const struct ry_comm_models *models,
                                           const char *name, bool between)
{
    for (size_t i = 0; i < models->n; i++)
        if (models->at[i]->between == between && ry_name_eq(models->at[i]->name, name))
            return models->at[i];
    return NULL;
}

/* Bridges join two or four cards; the node as a whole is carried by PCIe. */
static bool is_host(const struct ry_net_spec *spec)
{
    return spec->link == RY_LOCAL_PCIE || spec->link == RY_LOCAL_BRIDGE;
}

static const struct ry_comm_model *find_domain(const struct ry_comm_models *models,
                                               const struct ry_net_spec *spec)
{
    const struct ry_comm_model *any = NULL;

    if (spec->domain_model)
        return by_name(models, spec->domain_model, false);
    for (size_t i = 0; i < models->n; i++) {
        const struct ry_comm_model *model = models->at[i];
        if (model->between || (model->link == RY_LOCAL_PCIE) != is_host(spec) ||
            !serves(model, spec->gpu))
            continue;
        if (model->names > 0)
            return model;
        any = any ? any : model;
    }
    return is_host(spec) ? NULL : any; /* slots differ in rate */
}

/* Of the models of a transport, the one whose NIC is nearest in rate; of two, the one
 * that names the GPU. */
static const struct ry_comm_model *find_fabric(const struct ry_comm_models *models,
                                               const struct ry_net_spec *spec)
{
    const struct ry_comm_model *best = NULL;
    double best_far = INFINITY;

    if (spec->fabric_model)
        return by_name(models, spec->fabric_model, true);
    for (size_t i = 0; i < models->n; i++) {
        const struct ry_comm_model *model = models->at[i];
        if (!model->between || model->transport != spec->transport ||
            !serves(model, spec->gpu))
            continue;
        const double far = fabs(log(model->line_bytes_per_s / spec->nic_bytes_per_s)) +
                           (model->names > 0 ? 0.0 : 1e-6);
        if (far < best_far) {
            best = model;
            best_far = far;
        }
    }
    return best;
}

/* Curves that were measured with switch reduction, on a ring. */
static void without_nvls(struct ry_net_domain *domain)
{
    for (size_t i = 0; i < domain->coll[RY_COLL_ALL_REDUCE].n; i++) {
        struct ry_coll_curve *curve = &domain->coll[RY_COLL_ALL_REDUCE].at[i];
        const double n = (double)curve->ranks;
        const double nvls = domain->nvls_bytes_per_s * 2.0 * (n - 1.0) / n;
        const double times = fmin(1.0, domain->ring_bytes_per_s / nvls);
        for (size_t p = 0; curve->ranks > 2 && p < curve->pieces; p++)
            curve->piece[p].busbw_bytes_per_s *= times;
    }
    domain->nvls_bytes_per_s = 0.0;
}

void ry_net_without_nvls(struct ry_net *net)
{
    if (net->domain.nvls_bytes_per_s > 0.0)
        without_nvls(&net->domain);
}

/* One standard deviation of a rate that is scaled by the wire's alone: shares of the wire
 * that V100 to B200 reach in rings and in the switch differ by 7 and 13 %. */
static const double scaled_sigma = 0.15;

/* Of PCIe a model is for all that no other names; without a rate it is taken. */
static double far_off(const struct ry_comm_model *model, double bytes_per_s)
{
    return (bytes_per_s > 0.0 ? fabs(log(model->domain.wire_bytes_per_s / bytes_per_s))
                              : 0.0) +
           (model->names > 0 ? 1e-6 : 0.0);
}

/* The model of NVSwitch, or of PCIe, whose wire is nearest in rate. */
static const struct ry_comm_model *sibling(const struct ry_comm_models *models,
                                           const struct ry_net_spec *spec)
{
    const struct ry_comm_model *best = NULL;

    if (!is_host(spec) &&
        (spec->link != RY_LOCAL_SWITCHED || !(spec->wire_bytes_per_s > 0.0)))
        return NULL;
    for (size_t i = 0; i < models->n; i++) {
        const struct ry_comm_model *model = models->at[i];
        if (!model->between &&
            model->link == (is_host(spec) ? RY_LOCAL_PCIE : spec->link) &&
            (!best || far_off(model, spec->wire_bytes_per_s) <
                          far_off(best, spec->wire_bytes_per_s)))
            best = model;
    }
    return best;
}

/* Slots of one generation and width are one thing, NVLink of two GPUs is not. */
static bool is_other(const struct ry_comm_model *model, const struct ry_net_spec *spec)
{
    return !is_host(spec) || far_off(model, spec->wire_bytes_per_s) > 0.01;
}

/* Rates by those of the wire; start-up stays. */
static void scale(struct ry_net_domain *domain, double wire_bytes_per_s)
{
    const double times = wire_bytes_per_s / domain->wire_bytes_per_s;

    domain->wire_bytes_per_s = wire_bytes_per_s;
    domain->ring_bytes_per_s *= times;
    domain->nvls_bytes_per_s *= times;
    domain->rel_sigma = fmax(domain->rel_sigma, scaled_sigma);
    for (size_t c = 0; c < RY_COLLS; c++)
        for (size_t i = 0; i < domain->coll[c].n; i++)
            for (size_t p = 0; p < domain->coll[c].at[i].pieces; p++)
                domain->coll[c].at[i].piece[p].busbw_bytes_per_s *= times;
}

static enum ry_err build_domain(const struct ry_comm_models *models,
                                const struct ry_net_spec *spec, struct ry_net *net,
                                struct ry_diag *diag)
{
    const struct ry_comm_model *model = find_domain(models, spec);

    if (!model && !spec->domain_model) {
        model = sibling(models, spec);
        net->domain_scaled = model && is_other(model, spec);
    }
    if (!model && spec->domain_model)
        return ry_fail(diag, RY_ERR_NOTFOUND, "communication model",
                       "no model '%s' of a domain in models/comm", spec->domain_model);
    if (!model)
        return ry_fail(diag, RY_ERR_NOTFOUND, "communication model",
                       "no model in models/comm covers GPU '%s' over %s", spec->gpu,
                       ry_local_link_text(spec->link));
    net->domain = model->domain;
    net->domain_model = model->name;
    if (net->domain_scaled)
        scale(&net->domain, spec->wire_bytes_per_s);
    net->domain.gpus = spec->domain_gpus;
    if (net->domain.nvls_bytes_per_s > 0.0 &&
        (spec->nvls_off || spec->link != RY_LOCAL_SWITCHED))
        without_nvls(&net->domain);
    net->fabric.pcie_bytes_per_s =
        spec->pcie_bytes_per_s > 0.0 ? spec->pcie_bytes_per_s : model->pcie_bytes_per_s;
    return RY_OK;
}

static enum ry_err build_fabric(const struct ry_comm_models *models,
                                const struct ry_net_spec *spec, struct ry_net *net,
                                struct ry_diag *diag)
{
    const double pcie = net->fabric.pcie_bytes_per_s;

    if (!(spec->nics_per_domain > 0.0) || !(spec->nic_bytes_per_s > 0.0))
        return ry_fail(diag, RY_ERR_RANGE, "network",
                       "%g NICs a domain at %g B/s cannot join domains",
                       spec->nics_per_domain, spec->nic_bytes_per_s);
    const struct ry_comm_model *model = find_fabric(models, spec);
    if (!model)
        return ry_fail(diag, RY_ERR_NOTFOUND, "communication model",
                       "no model in models/comm for transport '%s'",
                       spec->fabric_model ? spec->fabric_model
                                          : ry_transport_name(spec->transport));
    net->fabric = model->fabric;
    net->fabric.nics_per_domain = spec->nics_per_domain;
    net->fabric.nic_line_bytes_per_s = spec->nic_bytes_per_s;
    net->fabric.nic_bytes_per_s = spec->nic_bytes_per_s * model->usable_frac;
    net->fabric.pcie_bytes_per_s = pcie;
    net->fabric.sharp = spec->sharp && spec->transport == RY_TRANSPORT_IB;
    net->fabric.tiers = spec->tiers;
    memcpy(net->fabric.tier, spec->tier, sizeof(spec->tier));
    return RY_OK;
}

enum ry_err ry_net_build(const struct ry_comm_models *models,
                         const struct ry_net_spec *spec, struct ry_net *net,
                         struct ry_diag *diag)
{
    struct ry_net built = {.gpus = spec->gpus};

    if (spec->domain_gpus < 1)
        return ry_fail(diag, RY_ERR_RANGE, "network", "a domain of no GPUs");
    RY_TRY(build_domain(models, spec, &built, diag));
    if (spec->transport != RY_TRANSPORT_NONE)
        RY_TRY(build_fabric(models, spec, &built, diag));
    *net = built;
    return RY_OK;
}
