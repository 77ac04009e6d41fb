/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_check.h"

#include "base/names.h"

static const struct {
    double left;
    const char *source;
} losses[] = {
#define LOSS(id, left, source) {left, source},
#include "io/nccl_findings.def"
};

static const double unknown = (double)NAN;

/* What a node should move: from the plan, else from the NICs and speeds of the log. */
static double expected_rate(const struct ry_nccl_context *context)
{
    const struct ry_log_plan *plan = &context->plan;
    size_t most = 0;

    if (plan->nics_per_node > 0.0 && plan->nic_bytes_per_s > 0.0)
        return plan->nics_per_node * plan->nic_bytes_per_s * RY_NIC_USABLE_FRAC;
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        if (host->nics_listed && host->n_nics > most)
            most = host->n_nics;
    }
    return most ? (double)most * context->log->net_bytes_per_s : unknown;
}

struct ry_finding *ry_nccl_add(struct ry_nccl_context *context,
                               enum ry_finding_severity severity, const char *id,
                               struct ry_log_place place)
{
    struct ry_finding *finding = ry_findings_add(context->findings, severity, id, "", "");

    ry_finding_at(finding, place.file, place.line);
    return finding;
}

void ry_nccl_say(struct ry_nccl_context *context, struct ry_finding *finding,
                 const char *text, const char *action)
{
    if (!finding)
        return;
    finding->text = ry_strdup(context->findings->arena, text);
    finding->action = ry_strdup(context->findings->arena, action);
    if (!finding->text || !finding->action) {
        context->findings->out_of_memory = true;
        finding->text = finding->action = "";
    }
}

void ry_nccl_cost_network(const struct ry_nccl_context *context,
                          struct ry_finding *finding, double left, const char *basis)
{
    if (!finding)
        return;
    finding->left_frac = left;
    finding->basis = basis;
    finding->expected_bytes_per_s = expected_rate(context);
    finding->left_bytes_per_s = finding->expected_bytes_per_s * left;
}

static double interfaces(const struct ry_nccl_context *context)
{
    size_t most = 0;

    for (size_t i = 0; i < context->log->n_hosts; i++)
        most = context->log->hosts[i].n_ifaces > most ? context->log->hosts[i].n_ifaces
                                                      : most;
    return (double)most;
}

void ry_nccl_cost(const struct ry_nccl_context *context, struct ry_finding *finding,
                  enum ry_nccl_loss loss)
{
    static const enum ry_finding_loses loses[] = {
        [RY_LOSS_SOCKETS] = RY_LOSES_TO_SOCKETS,
        [RY_LOSS_NO_GPUDIRECT] = RY_LOSES_RATE,
        [RY_LOSS_NO_PEER_ACCESS] = RY_LOSES_PEER_ACCESS,
        [RY_LOSS_NO_NVLS] = RY_LOSES_NVLS,
    };

    if (!finding || loss == RY_LOSS_UNKNOWN)
        return;
    finding->loses = loses[loss];
    finding->loses_of = loss == RY_LOSS_SOCKETS ? interfaces(context) : losses[loss].left;
    if (loss == RY_LOSS_SOCKETS || loss == RY_LOSS_NO_GPUDIRECT)
        ry_nccl_cost_network(context, finding, losses[loss].left, losses[loss].source);
    else {
        finding->left_frac = losses[loss].left;
        finding->basis = losses[loss].source;
    }
}
