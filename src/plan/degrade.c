/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/degrade.h"

struct ry_degrade ry_degrade_nothing(void)
{
    return (struct ry_degrade){.nics_frac = 1.0, .rate_frac = 1.0};
}

bool ry_degrade_has_fabric(const struct ry_site *site)
{
    return site->built.net.fabric.nics_per_domain > 0.0;
}

static enum ry_err check_share(const char *what, double share, struct ry_diag *diag)
{
    return share > 0.0 && share <= 1.0
               ? RY_OK
               : ry_fail(diag, RY_ERR_RANGE, what, "%g is not above 0 and at most 1",
                         share);
}

/* The design as the transport, the links and the routing now are. */
static struct ry_design changed_design(const struct ry_design *design,
                                       const struct ry_degrade *what)
{
    struct ry_design changed = *design;

    if (what->sockets && design->fabric.technology != RY_FABRIC_NONE) {
        changed.fabric.technology = RY_FABRIC_TCP;
        changed.nic = NULL; /* its name would choose EFA or Omni-Path again */
        changed.fabric.adaptive_routing = false;
    }
    if (what->host_staged)
        changed.local_link = RY_LOCAL_PCIE;
    if (what->spread)
        changed.fabric.adaptive_routing = true;
    if (what->hashed)
        changed.fabric.adaptive_routing = false;
    if (what->queue_pairs > 0.0)
        changed.fabric.queue_pairs = what->queue_pairs;
    return changed;
}

static void lose_algorithms(struct ry_net *net, const struct ry_degrade *what)
{
    for (size_t a = 0; a < RY_COLL_ALGOS; a++) {
        net->fabric.off[a] = what->no_algo[a];
        for (size_t proto = 0; proto < RY_PROTOS; proto++)
            if (what->no_proto[proto])
                net->fabric.lines[a].rate_frac[proto] = 0.0;
    }
    if (what->no_sharp)
        net->fabric.sharp = false;
    if (what->no_nvls)
        ry_net_without_nvls(net);
}

/* Flows collide otherwise where routing, transport or queue pairs are others. */
static enum ry_err contention_of(const struct ry_design *changed,
                                 const struct ry_network *network,
                                 struct ry_contention *contention, struct ry_diag *diag)
{
    struct ry_arena *scratch = ry_arena_create(0);

    if (!scratch)
        return ry_fail(diag, RY_ERR_NOMEM, changed->name, "its contention");
    const enum ry_err err =
        ry_contention_make(scratch, changed, network, contention, diag);
    ry_arena_destroy(scratch);
    return err;
}

enum ry_err ry_degrade_site(const struct ry_site *site, const struct ry_degrade *what,
                            struct ry_site *out, struct ry_diag *diag)
{
    const struct ry_design changed = changed_design(site->design, what);
    struct ry_contention contention;

    RY_TRY(check_share("NICs used", what->nics_frac, diag));
    RY_TRY(check_share("rate of a NIC", what->rate_frac, diag));
    if (what->host_staged && site->design->domain_gpus > site->design->gpus_per_host)
        return ry_fail(
            diag, RY_ERR_RANGE, site->design->name,
            "an NVLink domain of several hosts without peer access is not modelled");
    *out = *site;
    RY_TRY(contention_of(&changed, &site->network, &contention, diag));
    RY_TRY(ry_machine_build(&changed, &contention, &site->models, &out->built, diag));
    out->built.net.fabric.nics_per_domain *= what->nics_frac;
    out->built.net.fabric.nic_bytes_per_s *= what->rate_frac;
    lose_algorithms(&out->built.net, what);
    return RY_OK;
}
