/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_check.h"

#include <stdio.h>
#include <string.h>

enum { NAMED_HOSTS_MOST = 4 };

/* "node-01, node-02 and 14 more hosts" of those that have @p has. */
static void name_hosts(const struct ry_nccl_context *context,
                       bool (*has)(const struct ry_nccl_context *,
                                   const struct ry_log_host *),
                       char text[RY_NCCL_WORDS_BYTES])
{
    size_t n = 0, used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        if (!has(context, host))
            continue;
        if (n++ < NAMED_HOSTS_MOST && used < RY_NCCL_WORDS_BYTES - 80)
            used += (size_t)snprintf(text + used, RY_NCCL_WORDS_BYTES - used, "%s%.48s",
                                     n > 1 ? ", " : "", host->name);
    }
    if (n > NAMED_HOSTS_MOST)
        (void)snprintf(text + used, RY_NCCL_WORDS_BYTES - used, " and %zu more hosts",
                       n - NAMED_HOSTS_MOST);
}

static bool one_node(const struct ry_nccl_context *context)
{
    return context->log->nodes == 1.0 && context->log->n_hosts == 1 &&
           ry_nccl_log_event(context->log, RY_LOG_NET_SOCKET).count == 0;
}

/* Another network than InfiniBand's own was chosen: EFA, a plug-in. */
static bool other_network(const struct ry_nccl_context *context)
{
    const struct ry_log_event network = ry_nccl_log_event(context->log, RY_LOG_NETWORK);

    return (network.count > 0 &&
            ry_nccl_log_event(context->log, RY_LOG_NETWORK_SOCKET).count == 0) ||
           ry_nccl_log_event(context->log, RY_LOG_NET_IB).count > 0;
}

static size_t most_ifaces(const struct ry_nccl_context *context,
                          const struct ry_log_host **host)
{
    size_t most = 0;

    *host = NULL;
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        if (context->log->hosts[i].n_ifaces > most) {
            most = context->log->hosts[i].n_ifaces;
            *host = &context->log->hosts[i];
        }
    }
    return most;
}

static bool by_sockets(const struct ry_nccl_context *context,
                       const struct ry_log_host *host)
{
    (void)context;
    return host->events[RY_LOG_NETWORK_SOCKET].count > 0 ||
           host->events[RY_LOG_NET_SOCKET].count > 0;
}

static void check_sockets(struct ry_nccl_context *context)
{
    const struct ry_log_event chosen =
        ry_nccl_log_event(context->log, RY_LOG_NETWORK_SOCKET);
    const struct ry_log_event used = ry_nccl_log_event(context->log, RY_LOG_NET_SOCKET);
    const struct ry_log_host *host = NULL;
    const size_t ifaces = most_ifaces(context, &host);
    char hosts[RY_NCCL_WORDS_BYTES];
    char text[2 * RY_NCCL_WORDS_BYTES];

    if ((chosen.count == 0 && used.count == 0) || one_node(context))
        return;
    name_hosts(context, by_sockets, hosts);
    (void)snprintf(text, sizeof(text),
                   "TCP sockets instead of RDMA on %s, %zu interface%s%s%.40s", hosts,
                   ifaces, ifaces == 1 ? "" : "s", ifaces ? ": " : "",
                   ifaces ? host->ifaces[0].name : "");
    struct ry_finding *finding = ry_nccl_add(context, RY_FINDING_ERROR, "sockets",
                                             chosen.count ? chosen.first : used.first);
    ry_nccl_say(context, finding, text,
                "make the RDMA devices visible to the job and set NCCL_NET=IB, so that a "
                "fallback is an error");
    ry_nccl_cost(context, finding, RY_LOSS_SOCKETS);
}

static void check_no_device(struct ry_nccl_context *context)
{
    const struct ry_log_event none = ry_nccl_log_event(context->log, RY_LOG_NO_IB_DEVICE);
    const struct ry_log_event boot = ry_nccl_log_event(context->log, RY_LOG_BOOTSTRAP);
    const char *iface = boot.text ? boot.text : "";
    char text[RY_NCCL_WORDS_BYTES];

    if (none.count == 0 || other_network(context))
        return;
    if (strncmp(iface, "ib", 2) == 0)
        (void)snprintf(
            text, sizeof(text),
            "no verbs device, although the IPoIB interface %.40s is there: the "
            "container lacks the device files",
            iface);
    else
        (void)snprintf(text, sizeof(text),
                       "no verbs device is visible to the job (bootstrap over %.40s)",
                       iface[0] ? iface : "an interface that is not said");
    struct ry_finding *finding =
        ry_nccl_add(context, one_node(context) ? RY_FINDING_NOTE : RY_FINDING_ERROR,
                    "no-verbs-device", none.first);
    ry_nccl_say(
        context, finding, text,
        "give the container /dev/infiniband and an unlimited memlock, install rdma-core, "
        "check ibv_devices and NCCL_IB_HCA");
    if (!one_node(context))
        ry_nccl_cost(context, finding, RY_LOSS_SOCKETS);
}

static void check_plugins(struct ry_nccl_context *context)
{
    const struct ry_log_event verbs =
        ry_nccl_log_event(context->log, RY_LOG_NO_LIBIBVERBS);
    const struct ry_log_event symbol =
        ry_nccl_log_event(context->log, RY_LOG_PLUGIN_SYMBOL);
    const bool harmless = other_network(context) || one_node(context);

    if (verbs.count > 0)
        ry_nccl_say(context,
                    ry_nccl_add(context, harmless ? RY_FINDING_NOTE : RY_FINDING_ERROR,
                                "no-libibverbs", verbs.first),
                    "libibverbs cannot be loaded: the image lacks rdma-core",
                    "install rdma-core (libibverbs1, ibverbs-providers) in the image");
    if (symbol.count > 0)
        ry_nccl_say(
            context,
            ry_nccl_add(context, harmless ? RY_FINDING_NOTE : RY_FINDING_ERROR,
                        "plugin-not-loaded", symbol.first),
            "the network plug-in did not load: it is made for another version of NCCL",
            "install the plug-in that fits this NCCL, and pin NCCL_NET to its name");
}

void ry_nccl_check_network(struct ry_nccl_context *context)
{
    check_sockets(context);
    check_no_device(context);
    check_plugins(context);
}

/* Interfaces that lead nowhere. */

static bool is_virtual(const char *name)
{
    static const char *const starts[] = {"docker",  "virbr", "veth",    "br-",    "cni",
                                         "flannel", "cali",  "cilium",  "podman", "lxc",
                                         "lxd",     "vmnet", "vnet",    "tun",    "tap",
                                         "dummy",   "kube",  "nerdctl", "weave"};

    if (name && (strcmp(name, "lo") == 0 || strcmp(name, "lo0") == 0))
        return true;
    for (size_t i = 0; name && i < sizeof(starts) / sizeof(starts[0]); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static bool on_sockets(const struct ry_nccl_context *context)
{
    return ry_nccl_log_event(context->log, RY_LOG_NETWORK_SOCKET).count > 0 ||
           ry_nccl_log_event(context->log, RY_LOG_NET_SOCKET).count > 0;
}

static void check_traffic(struct ry_nccl_context *context)
{
    char text[RY_NCCL_WORDS_BYTES];

    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        for (size_t k = 0; k < host->n_ifaces && on_sockets(context); k++) {
            if (!is_virtual(host->ifaces[k].name))
                continue;
            (void)snprintf(text, sizeof(text),
                           "traffic goes over %.40s of %.48s, a bridge inside the host",
                           host->ifaces[k].name, host->name);
            ry_nccl_say(
                context,
                ry_nccl_add(context,
                            host->n_ifaces == 1 ? RY_FINDING_ERROR : RY_FINDING_WARNING,
                            "wrong-interface", host->ifaces[k].place),
                text, "set NCCL_SOCKET_IFNAME to the interface of the cluster network");
            return;
        }
        const struct ry_log_event *boot = &host->events[RY_LOG_BOOTSTRAP];
        const bool alone = context->log->n_hosts == 1 && !(context->log->nodes > 1.0);
        if (boot->count == 0 || !is_virtual(boot->text))
            continue;
        (void)snprintf(text, sizeof(text),
                       "processes of %.48s meet over %.40s, a bridge inside the host",
                       host->name, boot->text);
        ry_nccl_say(context,
                    ry_nccl_add(context, alone ? RY_FINDING_NOTE : RY_FINDING_WARNING,
                                "wrong-interface", boot->first),
                    text, "set NCCL_SOCKET_IFNAME to an interface that all hosts reach");
        return;
    }
}

static void check_oob(struct ry_nccl_context *context)
{
    const struct ry_log_event oob = ry_nccl_log_event(context->log, RY_LOG_OOB);
    char text[RY_NCCL_WORDS_BYTES];

    if (oob.count == 0 || !is_virtual(oob.text))
        return;
    (void)snprintf(text, sizeof(text), "%.40s is named for set-up only: no network",
                   oob.text);
    ry_nccl_say(
        context, ry_nccl_add(context, RY_FINDING_NOTE, "virtual-interface", oob.first),
        text, "nothing, unless set-up is slow or fails: then set NCCL_SOCKET_IFNAME");
}

void ry_nccl_check_interfaces(struct ry_nccl_context *context)
{
    check_traffic(context);
    check_oob(context);
}
