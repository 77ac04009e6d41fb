/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_findings.h"

#include "base/names.h"
#include "io/nccl_check.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *value;
    enum ry_finding_severity severity;
    enum ry_nccl_loss loss;
    const char *effect, *action;
} settings[] = {
#define ENV(name, value, severity, loss, effect, action)                                 \
    {name, value, severity, loss, effect, action},
#include "io/nccl_findings.def"
};

/* Names that are prefixes. */

/* "mlx5_1" takes "mlx5_10": it goes on with another digit. */
static bool is_trap(const char *name, const char *entry, size_t n)
{
    return n > 0 && entry[n - 1] >= '0' && entry[n - 1] <= '9' &&
           strncmp(name, entry, n) == 0 && name[n] >= '0' && name[n] <= '9';
}

static size_t find_trapped(const struct ry_nccl_context *context, bool nics,
                           const char *entry, size_t n, char names[RY_NCCL_WORDS_BYTES])
{
    size_t found = 0, used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < context->log->n_hosts && found == 0; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        const size_t most = nics ? host->n_nics : host->n_ifaces;
        for (size_t k = 0; k < most; k++) {
            const char *name = nics ? host->nics[k].name : host->ifaces[k].name;
            if (!name || !is_trap(name, entry, n))
                continue;
            if (used < RY_NCCL_WORDS_BYTES - 60)
                used += (size_t)snprintf(names + used, RY_NCCL_WORDS_BYTES - used,
                                         "%s%.40s", found ? ", " : "", name);
            found++;
        }
    }
    return found;
}

static void check_filter(struct ry_nccl_context *context, const struct ry_log_env *env,
                         bool nics)
{
    const char *entry = env->value;

    if (entry[0] == '=' || (entry[0] == '^' && entry[1] == '='))
        return;
    const bool exclude = entry[0] == '^';
    for (entry += exclude; *entry != '\0';) {
        const size_t n = strcspn(entry, ",");
        const size_t name_n = strcspn(entry, ",:");
        char names[RY_NCCL_WORDS_BYTES];
        char text[2 * RY_NCCL_WORDS_BYTES];
        char action[RY_NCCL_WORDS_BYTES];
        if (!exclude && find_trapped(context, nics, entry, name_n, names) > 0) {
            (void)snprintf(text, sizeof(text),
                           "%s=%.40s is a prefix and takes %s as well", env->name,
                           env->value, names);
            (void)snprintf(action, sizeof(action), "set %s==%.160s for exact names",
                           env->name, env->value);
            ry_nccl_say(
                context,
                ry_nccl_add(context, RY_FINDING_WARNING, "filter-prefix", env->place),
                text, action);
            return;
        }
        entry += n + (entry[n] == ',');
    }
}

static void check_settings(struct ry_nccl_context *context)
{
    for (size_t i = 0; i < context->log->n_env; i++) {
        const struct ry_log_env *env = &context->log->env[i];
        if (strcmp(env->name, "NCCL_IB_HCA") == 0)
            check_filter(context, env, true);
        if (strcmp(env->name, "NCCL_SOCKET_IFNAME") == 0)
            check_filter(context, env, false);
        for (size_t k = 0; k < sizeof(settings) / sizeof(settings[0]); k++) {
            char text[RY_NCCL_WORDS_BYTES];
            if (strcmp(env->name, settings[k].name) != 0 ||
                (settings[k].value && !ry_name_eq(env->value, settings[k].value)))
                continue;
            (void)snprintf(text, sizeof(text), "%s=%.40s: %s", env->name, env->value,
                           settings[k].effect);
            struct ry_finding *finding =
                ry_nccl_add(context, settings[k].severity, "setting", env->place);
            ry_nccl_say(context, finding, text, settings[k].action);
            ry_nccl_cost(context, finding, settings[k].loss);
        }
    }
}

static void check_versions(struct ry_nccl_context *context)
{
    const struct ry_log_host *first = NULL;

    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        char text[RY_NCCL_WORDS_BYTES];
        if (!host->version)
            continue;
        if (!first) {
            first = host;
            continue;
        }
        if (strcmp(first->version, host->version) == 0)
            continue;
        (void)snprintf(text, sizeof(text), "NCCL %s on %.48s, but %s on %.48s",
                       first->version, first->name, host->version, host->name);
        ry_nccl_say(context,
                    ry_nccl_add(context, RY_FINDING_ERROR, "version-mismatch",
                                host->version_place),
                    text, "use one image on all hosts");
        return;
    }
}

/* GPUs of one node. */

static void check_local(struct ry_nccl_context *context)
{
    const struct ry_log_event shm = ry_nccl_log_event(context->log, RY_LOG_SHM);
    const struct ry_log_event net = ry_nccl_log_event(context->log, RY_LOG_NET_LOCAL);
    char text[RY_NCCL_WORDS_BYTES];

    if (shm.count > 0) {
        (void)snprintf(text, sizeof(text),
                       "%zu channels go through host memory: no peer access between GPUs",
                       shm.count);
        struct ry_finding *finding =
            ry_nccl_add(context, RY_FINDING_WARNING, "no-peer-access", shm.first);
        ry_nccl_say(
            context, finding, text,
            "check nvidia-smi topo -p2p r, PCIe ACS and IOMMU; in a virtual machine the "
            "GPUs must share a PCIe root");
        ry_nccl_cost(context, finding, RY_LOSS_NO_PEER_ACCESS);
    }
    if (net.count > 0) {
        (void)snprintf(text, sizeof(text),
                       "%zu channels between GPUs of one host go through the network",
                       net.count);
        struct ry_finding *finding =
            ry_nccl_add(context, RY_FINDING_ERROR, "local-over-network", net.first);
        ry_nccl_say(context, finding, text,
                    "allow peer access and shared memory: unset NCCL_P2P_DISABLE and "
                    "NCCL_SHM_DISABLE, give the container --ipc=host");
        ry_nccl_cost(context, finding, RY_LOSS_NO_PEER_ACCESS);
    }
    const struct ry_log_event nvls = ry_nccl_log_event(context->log, RY_LOG_NO_NVLS);
    if (nvls.count > 0) {
        struct ry_finding *finding = ry_nccl_add(
            context, context->plan.nvswitch ? RY_FINDING_WARNING : RY_FINDING_NOTE,
            "no-nvls", nvls.first);
        ry_nccl_say(
            context, finding,
            "NVSwitch does not reduce (NVLS): multicast is not available",
            "start the fabric manager and allow multicast; older GPUs than H100 have "
            "none");
        ry_nccl_cost(context, finding, RY_LOSS_NO_NVLS);
    }
}

static void check_events(struct ry_nccl_context *context)
{
    static const struct {
        enum ry_log_event_id id;
        enum ry_finding_severity severity;
        const char *name, *text, *action;
    } checks[] = {
        {RY_LOG_COMPLETION_ERROR, RY_FINDING_ERROR, "transport-error",
         "a transfer failed, completion error",
         "12: retries exceeded, look for a flapping link or lost PFC; 4: memory "
         "protection, look at GPUDirect and PCIe ACS"},
        {RY_LOG_PATH_FALLBACK, RY_FINDING_WARNING, "no-path",
         "NCCL found no path between GPUs and took a simple order",
         "the topology is hidden: give NCCL_TOPO_FILE, or fix the virtual machine's PCIe "
         "tree"},
        {RY_LOG_IOMMU, RY_FINDING_WARNING, "iommu", "IOMMU without pass-through",
         "boot with iommu=pt"},
        {RY_LOG_NUMA_BALANCING, RY_FINDING_WARNING, "numa-balancing",
         "automatic NUMA balancing is on", "sysctl kernel.numa_balancing=0"},
    };

    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        const struct ry_log_event event = ry_nccl_log_event(context->log, checks[i].id);
        char text[RY_NCCL_WORDS_BYTES];
        if (event.count == 0)
            continue;
        (void)snprintf(text, sizeof(text), "%s%s%.16s", checks[i].text,
                       event.text ? " " : "", event.text ? event.text : "");
        ry_nccl_say(context,
                    ry_nccl_add(context, checks[i].severity, checks[i].name, event.first),
                    text, checks[i].action);
    }
}

/* The log holds NCCL's own prediction and what was measured. */
static void check_predictions(struct ry_nccl_context *context)
{
    const struct ry_log_prediction *worst = NULL;
    double ratio = 2.0,
           size = 1e6; /* small sizes are latency: NCCL's constants are rough there */

    for (size_t i = 0; i < context->n_measured; i++) {
        for (size_t k = 0; k < context->log->n_predictions; k++) {
            const struct ry_log_prediction *said = &context->log->predictions[k];
            const struct ry_log_measured *seen = &context->measured[i];
            if (said->bytes != seen->bytes || seen->bytes < size ||
                seen->time_s / said->time_s < 2.0)
                continue;
            worst = said;
            size = seen->bytes;
            ratio = seen->time_s / said->time_s;
        }
    }
    if (!worst)
        return;
    char text[RY_NCCL_WORDS_BYTES];
    (void)snprintf(
        text, sizeof(text),
        "badly degraded: %.0f bytes take %.1f times what NCCL expects (%.0f us)",
        worst->bytes, ratio, worst->time_s * 1e6);
    struct ry_finding *finding =
        ry_nccl_add(context, RY_FINDING_ERROR, "slower-than-model", worst->place);
    ry_nccl_say(context, finding, text,
                "the links do not give their rate: look at the other findings, then at "
                "link errors, cabling and congestion");
    if (finding)
        finding->left_frac = 1.0 / ratio;
}

static void check_plan(struct ry_nccl_context *context)
{
    const double nodes = context->log->nodes;
    char text[RY_NCCL_WORDS_BYTES];

    if (!(context->plan.nodes > 0.0) || isnan(nodes) || nodes == context->plan.nodes)
        return;
    (void)snprintf(text, sizeof(text), "NCCL sees %.0f nodes, the plan has %.0f", nodes,
                   context->plan.nodes);
    ry_nccl_say(context,
                ry_nccl_add(context, RY_FINDING_NOTE, "nodes-differ",
                            (struct ry_log_place){NULL, 0}),
                text, "nothing, when the job is smaller than the cluster");
}

enum ry_err ry_nccl_findings(const struct ry_nccl_log *log,
                             const struct ry_log_plan *plan, size_t n_measured,
                             const struct ry_log_measured *measured,
                             struct ry_findings *findings, struct ry_diag *diag)
{
    static ry_nccl_check *const checks[] = {
        ry_nccl_check_network,    ry_nccl_check_gdr,  check_settings,
        ry_nccl_check_interfaces, ry_nccl_check_nics, ry_nccl_check_links,
        check_versions,           check_local,        check_events,
        check_predictions,        check_plan,
    };
    struct ry_nccl_context context = {
        .log = log, .n_measured = n_measured, .measured = measured, .findings = findings};

    if (plan)
        context.plan = *plan;
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        checks[i](&context);
    ry_findings_sort(findings);
    if (findings->out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, "findings", "no memory");
    return RY_OK;
}
