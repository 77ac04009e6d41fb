/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_findings.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

enum loss {
#define LOSS(id, left, source) id,
#include "io/nccl_findings.def"
    LOSS_UNKNOWN
};

static const struct {
    double left;
    const char *source;
} losses[] = {
#define LOSS(id, left, source) {left, source},
#include "io/nccl_findings.def"
};

static const struct {
    const char *name, *value;
    enum ry_finding_severity severity;
    enum loss loss;
    const char *effect, *action;
} settings[] = {
#define ENV(name, value, severity, loss, effect, action) \
    {name, value, severity, loss, effect, action},
#include "io/nccl_findings.def"
};

enum { WORDS_BYTES = 240, NAMED_HOSTS_MOST = 4 };

static const double unknown = (double)NAN;

struct context {
    const struct ry_nccl_log *log;
    struct ry_log_plan plan;
    size_t n_measured;
    const struct ry_log_measured *measured;
    struct ry_findings *findings;
};

/* What a node should move: from the plan, else from the NICs and speeds of the log. */
static double expected_rate(const struct context *context)
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

static struct ry_finding *add(struct context *context, enum ry_finding_severity severity,
                              const char *id, struct ry_log_place place)
{
    struct ry_finding *finding = ry_findings_add(context->findings, severity, id, "", "");

    ry_finding_at(finding, place.file, place.line);
    return finding;
}

static void say(struct context *context, struct ry_finding *finding, const char *text,
                const char *action)
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

/* What is left of the network of a node. */
static void cost_network(const struct context *context, struct ry_finding *finding,
                         double left, const char *basis)
{
    if (!finding)
        return;
    finding->left_frac = left;
    finding->basis = basis;
    finding->expected_bytes_per_s = expected_rate(context);
    finding->left_bytes_per_s = finding->expected_bytes_per_s * left;
}

static double interfaces(const struct context *context)
{
    size_t most = 0;

    for (size_t i = 0; i < context->log->n_hosts; i++)
        most = context->log->hosts[i].n_ifaces > most ? context->log->hosts[i].n_ifaces : most;
    return (double)most;
}

static void cost(const struct context *context, struct ry_finding *finding, enum loss loss)
{
    static const enum ry_finding_loses loses[] = {
        [LOSS_SOCKETS] = RY_LOSES_TO_SOCKETS,
        [LOSS_NO_GPUDIRECT] = RY_LOSES_RATE,
        [LOSS_NO_PEER_ACCESS] = RY_LOSES_PEER_ACCESS,
        [LOSS_NO_NVLS] = RY_LOSES_NVLS,
    };

    if (!finding || loss == LOSS_UNKNOWN)
        return;
    finding->loses = loses[loss];
    finding->loses_of = loss == LOSS_SOCKETS ? interfaces(context) : losses[loss].left;
    if (loss == LOSS_SOCKETS || loss == LOSS_NO_GPUDIRECT)
        cost_network(context, finding, losses[loss].left, losses[loss].source);
    else {
        finding->left_frac = losses[loss].left;
        finding->basis = losses[loss].source;
    }
}

/* "node-01, node-02 and 14 more hosts" of those that have @p has. */
static void name_hosts(const struct context *context,
                       bool (*has)(const struct context *, const struct ry_log_host *),
                       char text[WORDS_BYTES])
{
    size_t n = 0;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        if (!has(context, host))
            continue;
        if (n++ < NAMED_HOSTS_MOST && used < WORDS_BYTES - 80)
            used += (size_t)snprintf(text + used, WORDS_BYTES - used, "%s%.48s",
                                     n > 1 ? ", " : "", host->name);
    }
    if (n > NAMED_HOSTS_MOST)
        (void)snprintf(text + used, WORDS_BYTES - used, " and %zu more hosts",
                       n - NAMED_HOSTS_MOST);
}

static bool one_node(const struct context *context)
{
    return context->log->nodes == 1.0 && context->log->n_hosts == 1 &&
           ry_nccl_log_event(context->log, RY_LOG_NET_SOCKET).count == 0;
}

/* Another network than InfiniBand's own was chosen: EFA, a plug-in. */
static bool other_network(const struct context *context)
{
    const struct ry_log_event network =
        ry_nccl_log_event(context->log, RY_LOG_NETWORK);

    return (network.count > 0 &&
            ry_nccl_log_event(context->log, RY_LOG_NETWORK_SOCKET).count == 0) ||
           ry_nccl_log_event(context->log, RY_LOG_NET_IB).count > 0;
}

static size_t most_ifaces(const struct context *context, const struct ry_log_host **host)
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

static bool by_sockets(const struct context *context, const struct ry_log_host *host)
{
    (void)context;
    return host->events[RY_LOG_NETWORK_SOCKET].count > 0 ||
           host->events[RY_LOG_NET_SOCKET].count > 0;
}

static void check_sockets(struct context *context)
{
    const struct ry_log_event chosen =
        ry_nccl_log_event(context->log, RY_LOG_NETWORK_SOCKET);
    const struct ry_log_event used = ry_nccl_log_event(context->log, RY_LOG_NET_SOCKET);
    const struct ry_log_host *host = NULL;
    const size_t ifaces = most_ifaces(context, &host);
    char hosts[WORDS_BYTES];
    char text[2 * WORDS_BYTES];

    if ((chosen.count == 0 && used.count == 0) || one_node(context))
        return;
    name_hosts(context, by_sockets, hosts);
    (void)snprintf(text, sizeof(text), "TCP sockets instead of RDMA on %s, %zu interface%s%s%.40s",
                   hosts, ifaces, ifaces == 1 ? "" : "s", ifaces ? ": " : "",
                   ifaces ? host->ifaces[0].name : "");
    struct ry_finding *finding =
        add(context, RY_FINDING_ERROR, "sockets",
            chosen.count ? chosen.first : used.first);
    say(context, finding, text,
        "make the RDMA devices visible to the job and set NCCL_NET=IB, so that a fallback "
        "is an error");
    cost(context, finding, LOSS_SOCKETS);
}

static void check_no_device(struct context *context)
{
    const struct ry_log_event none = ry_nccl_log_event(context->log, RY_LOG_NO_IB_DEVICE);
    const struct ry_log_event boot = ry_nccl_log_event(context->log, RY_LOG_BOOTSTRAP);
    const char *iface = boot.text ? boot.text : "";
    char text[WORDS_BYTES];

    if (none.count == 0 || other_network(context))
        return;
    if (strncmp(iface, "ib", 2) == 0)
        (void)snprintf(text, sizeof(text),
                       "no verbs device, although the IPoIB interface %.40s is there: the "
                       "container lacks the device files", iface);
    else
        (void)snprintf(text, sizeof(text),
                       "no verbs device is visible to the job (bootstrap over %.40s)",
                       iface[0] ? iface : "an interface that is not said");
    struct ry_finding *finding =
        add(context, one_node(context) ? RY_FINDING_NOTE : RY_FINDING_ERROR,
            "no-verbs-device", none.first);
    say(context, finding, text,
        "give the container /dev/infiniband and an unlimited memlock, install rdma-core, "
        "check ibv_devices and NCCL_IB_HCA");
    if (!one_node(context))
        cost(context, finding, LOSS_SOCKETS);
}

static void check_plugins(struct context *context)
{
    const struct ry_log_event verbs =
        ry_nccl_log_event(context->log, RY_LOG_NO_LIBIBVERBS);
    const struct ry_log_event symbol =
        ry_nccl_log_event(context->log, RY_LOG_PLUGIN_SYMBOL);
    const bool harmless = other_network(context) || one_node(context);

    if (verbs.count > 0)
        say(context,
            add(context, harmless ? RY_FINDING_NOTE : RY_FINDING_ERROR, "no-libibverbs",
                verbs.first),
            "libibverbs cannot be loaded: the image lacks rdma-core",
            "install rdma-core (libibverbs1, ibverbs-providers) in the image");
    if (symbol.count > 0)
        say(context,
            add(context, harmless ? RY_FINDING_NOTE : RY_FINDING_ERROR, "plugin-not-loaded",
                symbol.first),
            "the network plug-in did not load: it is made for another version of NCCL",
            "install the plug-in that fits this NCCL, and pin NCCL_NET to its name");
}

/* GPUDirect, NIC by NIC. */

enum gdr_state { GDR_FINE, GDR_OFF, GDR_SEND_OFF, GDR_RECEIVE_OFF, GDR_PARTLY };

static enum gdr_state gdr_of(const struct ry_log_nic *nic)
{
    const bool with[] = {nic->with_gdr[0] > 0, nic->with_gdr[1] > 0};
    const bool without[] = {nic->without_gdr[0] > 0, nic->without_gdr[1] > 0};

    if (!with[0] && !with[1])
        return nic->gdr == RY_GDR_OFF || without[0] || without[1] ? GDR_OFF : GDR_FINE;
    if (without[0] && !with[0])
        return GDR_SEND_OFF;
    if (without[1] && !with[1])
        return GDR_RECEIVE_OFF;
    return without[0] || without[1] ? GDR_PARTLY : GDR_FINE;
}

static struct ry_log_place gdr_place(const struct ry_log_nic *nic)
{
    if (nic->gdr == RY_GDR_OFF)
        return nic->gdr_place;
    return nic->without_gdr[0] ? nic->without_place[0] : nic->without_place[1];
}

/* "0, 2 (mlx5_0, mlx5_2)" or "0..3". */
static size_t name_nics(const struct ry_log_host *host, enum gdr_state state,
                        char text[WORDS_BYTES])
{
    size_t n = 0;
    size_t first = 0;
    size_t last = 0;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < host->n_nics; i++) {
        if (gdr_of(&host->nics[i]) != state)
            continue;
        first = n == 0 ? i : first;
        last = i;
        if (used < WORDS_BYTES - 60)
            used += (size_t)snprintf(text + used, WORDS_BYTES - used, "%s%zu%s%.24s%s",
                                     n ? ", " : "", i, host->nics[i].name ? " (" : "",
                                     host->nics[i].name ? host->nics[i].name : "",
                                     host->nics[i].name ? ")" : "");
        n++;
    }
    if (n > 2 && last - first + 1 == n)
        (void)snprintf(text, WORDS_BYTES, "%zu..%zu", first, last);
    return n;
}

static const struct {
    const char *id, *what, *action;
    enum ry_finding_severity severity;
} gdr_texts[] = {
    [GDR_FINE] = {"", "", "", RY_FINDING_NOTE},
    [GDR_OFF] = {"gpudirect-off", "GPUDirect off",
                 "load nvidia-peermem (or a driver with dma-buf), turn PCIe ACS off, "
                 "check NCCL_NET_GDR_LEVEL",
                 RY_FINDING_ERROR},
    [GDR_SEND_OFF] = {"gpudirect-off-send", "GPUDirect off on the send side",
                      "sends copy through the host: set NCCL_NET_GDR_READ=1, or use a "
                      "NCCL newer than 2.6",
                      RY_FINDING_WARNING},
    [GDR_RECEIVE_OFF] = {"gpudirect-off-receive", "GPUDirect off on the receive side",
                         "check nvidia-peermem and PCIe ACS on the receiving host",
                         RY_FINDING_WARNING},
    [GDR_PARTLY] = {"gpudirect-partly", "GPUDirect off on some channels",
                    "some GPUs are too far from the NIC: check the order of NICs and "
                    "NCCL_NET_GDR_LEVEL against nvidia-smi topo -m",
                    RY_FINDING_WARNING},
};

/* The first host with NICs in a state, and how many others there are. */
struct gdr_hosts {
    const struct ry_log_host *first;
    size_t off;    /* NICs of the first */
    size_t others; /* hosts */
    char nics[WORDS_BYTES];
};

static struct gdr_hosts find_gdr(const struct context *context, enum gdr_state state)
{
    struct gdr_hosts found = {.first = NULL};
    char nics[WORDS_BYTES];

    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        const size_t n = name_nics(host, state, nics);
        if (n > 0 && found.first) {
            found.others++;
        } else if (n > 0) {
            found.first = host;
            found.off = n;
            memcpy(found.nics, nics, sizeof(nics));
        }
    }
    return found;
}

static struct ry_log_place first_gdr_place(const struct ry_log_host *host, enum gdr_state state)
{
    for (size_t k = 0; k < host->n_nics; k++) {
        const struct ry_log_place place = gdr_place(&host->nics[k]);
        if (gdr_of(&host->nics[k]) == state && place.line > 0)
            return place;
    }
    return (struct ry_log_place){NULL, 0};
}

/* One finding a set of NICs: hosts that look the same are counted, not repeated. */
static void check_gdr_state(struct context *context, enum gdr_state state)
{
    const struct gdr_hosts found = find_gdr(context, state);
    char text[2 * WORDS_BYTES];

    if (!found.first)
        return;
    (void)snprintf(text, sizeof(text), "%s on NIC%s %s of %.48s", gdr_texts[state].what,
                   found.off == 1 ? "" : "s", found.nics, found.first->name);
    const size_t used = strlen(text);
    if (found.others)
        (void)snprintf(text + used, sizeof(text) - used, ", and on NICs of %zu more hosts",
                       found.others);
    struct ry_finding *finding = add(context, gdr_texts[state].severity, gdr_texts[state].id,
                                     first_gdr_place(found.first, state));
    say(context, finding, text, gdr_texts[state].action);
    if (!finding || state != GDR_OFF)
        return;
    const double share = (double)found.off / (double)found.first->n_nics;
    cost(context, finding, LOSS_NO_GPUDIRECT);
    cost_network(context, finding, 1.0 - share * (1.0 - losses[LOSS_NO_GPUDIRECT].left),
                 losses[LOSS_NO_GPUDIRECT].source);
    finding->loses_of = finding->left_frac;
}

static void check_gdr(struct context *context)
{
    for (int state = GDR_OFF; state <= GDR_PARTLY; state++)
        check_gdr_state(context, (enum gdr_state)state);
}

/* Names that are prefixes. */

/* "mlx5_1" takes "mlx5_10": it goes on with another digit. */
static bool is_trap(const char *name, const char *entry, size_t n)
{
    return n > 0 && entry[n - 1] >= '0' && entry[n - 1] <= '9' &&
           strncmp(name, entry, n) == 0 && name[n] >= '0' && name[n] <= '9';
}

static size_t find_trapped(const struct context *context, bool nics, const char *entry,
                           size_t n, char names[WORDS_BYTES])
{
    size_t found = 0;
    size_t used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < context->log->n_hosts && found == 0; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        const size_t most = nics ? host->n_nics : host->n_ifaces;
        for (size_t k = 0; k < most; k++) {
            const char *name = nics ? host->nics[k].name : host->ifaces[k].name;
            if (!name || !is_trap(name, entry, n))
                continue;
            if (used < WORDS_BYTES - 60)
                used += (size_t)snprintf(names + used, WORDS_BYTES - used, "%s%.40s",
                                         found ? ", " : "", name);
            found++;
        }
    }
    return found;
}

static void check_filter(struct context *context, const struct ry_log_env *env, bool nics)
{
    const char *entry = env->value;

    if (entry[0] == '=' || (entry[0] == '^' && entry[1] == '='))
        return;
    const bool exclude = entry[0] == '^';
    for (entry += exclude; *entry != '\0';) {
        const size_t n = strcspn(entry, ",");
        const size_t name_n = strcspn(entry, ",:");
        char names[WORDS_BYTES];
        char text[2 * WORDS_BYTES];
        char action[WORDS_BYTES];
        if (!exclude && find_trapped(context, nics, entry, name_n, names) > 0) {
            (void)snprintf(text, sizeof(text), "%s=%.40s is a prefix and takes %s as well",
                           env->name, env->value, names);
            (void)snprintf(action, sizeof(action), "set %s==%.160s for exact names",
                           env->name, env->value);
            say(context, add(context, RY_FINDING_WARNING, "filter-prefix", env->place), text,
                action);
            return;
        }
        entry += n + (entry[n] == ',');
    }
}

static void check_settings(struct context *context)
{
    for (size_t i = 0; i < context->log->n_env; i++) {
        const struct ry_log_env *env = &context->log->env[i];
        if (strcmp(env->name, "NCCL_IB_HCA") == 0)
            check_filter(context, env, true);
        if (strcmp(env->name, "NCCL_SOCKET_IFNAME") == 0)
            check_filter(context, env, false);
        for (size_t k = 0; k < sizeof(settings) / sizeof(settings[0]); k++) {
            char text[WORDS_BYTES];
            if (strcmp(env->name, settings[k].name) != 0 ||
                (settings[k].value && !ry_name_eq(env->value, settings[k].value)))
                continue;
            (void)snprintf(text, sizeof(text), "%s=%.40s: %s", env->name, env->value,
                           settings[k].effect);
            struct ry_finding *finding =
                add(context, settings[k].severity, "setting", env->place);
            say(context, finding, text, settings[k].action);
            cost(context, finding, settings[k].loss);
        }
    }
}

/* Interfaces that lead nowhere. */

static bool is_virtual(const char *name)
{
    static const char *const starts[] = {
        "docker", "virbr", "veth", "br-", "cni", "flannel", "cali", "cilium", "podman",
        "lxc", "lxd", "vmnet", "vnet", "tun", "tap", "dummy", "kube", "nerdctl", "weave"};

    if (name && (strcmp(name, "lo") == 0 || strcmp(name, "lo0") == 0))
        return true;
    for (size_t i = 0; name && i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

static bool on_sockets(const struct context *context)
{
    return ry_nccl_log_event(context->log, RY_LOG_NETWORK_SOCKET).count > 0 ||
           ry_nccl_log_event(context->log, RY_LOG_NET_SOCKET).count > 0;
}

static void check_interfaces(struct context *context)
{
    char text[WORDS_BYTES];

    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        for (size_t k = 0; k < host->n_ifaces && on_sockets(context); k++) {
            if (!is_virtual(host->ifaces[k].name))
                continue;
            (void)snprintf(text, sizeof(text),
                           "traffic goes over %.40s of %.48s, a bridge inside the host",
                           host->ifaces[k].name, host->name);
            say(context,
                add(context, host->n_ifaces == 1 ? RY_FINDING_ERROR : RY_FINDING_WARNING,
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
        say(context,
            add(context, alone ? RY_FINDING_NOTE : RY_FINDING_WARNING, "wrong-interface",
                boot->first),
            text, "set NCCL_SOCKET_IFNAME to an interface that all hosts reach");
        return;
    }
}

static void check_oob(struct context *context)
{
    const struct ry_log_event oob = ry_nccl_log_event(context->log, RY_LOG_OOB);
    char text[WORDS_BYTES];

    if (oob.count == 0 || !is_virtual(oob.text))
        return;
    (void)snprintf(text, sizeof(text), "%.40s is named for set-up only: no network", oob.text);
    say(context, add(context, RY_FINDING_NOTE, "virtual-interface", oob.first), text,
        "nothing, unless set-up is slow or fails: then set NCCL_SOCKET_IFNAME");
}

/* NICs: as many on every host, and as planned. */

static double nics_wanted(const struct context *context)
{
    double most = context->plan.nics_per_node;

    if (most > 0.0)
        return most;
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        if (host->nics_listed)
            most = fmax(most, (double)host->n_nics);
    }
    return most;
}

static void check_nics(struct context *context)
{
    const double wanted = nics_wanted(context);
    const double rate = context->plan.nic_bytes_per_s > 0.0
                            ? context->plan.nic_bytes_per_s * RY_NIC_USABLE_FRAC
                            : context->log->net_bytes_per_s;
    size_t named = 0;

    for (size_t i = 0; i < context->log->n_hosts && named < 32; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        const double n = (double)host->n_nics;
        char text[WORDS_BYTES];
        if (!host->nics_listed || !(n < wanted))
            continue;
        (void)snprintf(text, sizeof(text), "%.48s uses %.0f of %.0f NICs", host->name, n,
                       wanted);
        struct ry_finding *finding =
            add(context, RY_FINDING_ERROR, "nics-missing", host->nics_place);
        say(context, finding, text,
            "check ibstat, ibv_devices and NCCL_IB_HCA on this host: a port is down, not "
            "mounted or filtered out");
        if (finding) {
            finding->left_frac = n / wanted;
            finding->loses = RY_LOSES_NICS;
            finding->loses_of = n / wanted;
            finding->expected_bytes_per_s = wanted * rate;
            finding->left_bytes_per_s = n * rate;
        }
        named++;
    }
}

static void check_links(struct context *context)
{
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        for (size_t k = 1; k < host->n_nics; k++) {
            const char *a = host->nics[0].link;
            const char *b = host->nics[k].link;
            char text[WORDS_BYTES];
            if (!a || !b || strcmp(a, b) == 0)
                continue;
            (void)snprintf(text, sizeof(text),
                           "%.48s uses %s (%.24s) and %s (%.24s) side by side", host->name,
                           a, host->nics[0].name, b, host->nics[k].name);
            say(context,
                add(context, RY_FINDING_WARNING, "mixed-links", host->nics[k].place), text,
                "name the NICs of the compute network in NCCL_IB_HCA: one of them is for "
                "storage or management");
            return;
        }
    }
}

static void check_versions(struct context *context)
{
    const struct ry_log_host *first = NULL;

    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        char text[WORDS_BYTES];
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
        say(context,
            add(context, RY_FINDING_ERROR, "version-mismatch", host->version_place), text,
            "use one image on all hosts");
        return;
    }
}

/* GPUs of one node. */

static void check_local(struct context *context)
{
    const struct ry_log_event shm = ry_nccl_log_event(context->log, RY_LOG_SHM);
    const struct ry_log_event net = ry_nccl_log_event(context->log, RY_LOG_NET_LOCAL);
    char text[WORDS_BYTES];

    if (shm.count > 0) {
        (void)snprintf(text, sizeof(text),
                       "%zu channels go through host memory: no peer access between GPUs",
                       shm.count);
        struct ry_finding *finding =
            add(context, RY_FINDING_WARNING, "no-peer-access", shm.first);
        say(context, finding, text,
            "check nvidia-smi topo -p2p r, PCIe ACS and IOMMU; in a virtual machine the "
            "GPUs must share a PCIe root");
        cost(context, finding, LOSS_NO_PEER_ACCESS);
    }
    if (net.count > 0) {
        (void)snprintf(text, sizeof(text),
                       "%zu channels between GPUs of one host go through the network",
                       net.count);
        struct ry_finding *finding =
            add(context, RY_FINDING_ERROR, "local-over-network", net.first);
        say(context, finding, text,
            "allow peer access and shared memory: unset NCCL_P2P_DISABLE and "
            "NCCL_SHM_DISABLE, give the container --ipc=host");
        cost(context, finding, LOSS_NO_PEER_ACCESS);
    }
    const struct ry_log_event nvls = ry_nccl_log_event(context->log, RY_LOG_NO_NVLS);
    if (nvls.count > 0) {
        struct ry_finding *finding =
            add(context, context->plan.nvswitch ? RY_FINDING_WARNING : RY_FINDING_NOTE,
                "no-nvls", nvls.first);
        say(context, finding, "NVSwitch does not reduce (NVLS): multicast is not available",
            "start the fabric manager and allow multicast; older GPUs than H100 have none");
        cost(context, finding, LOSS_NO_NVLS);
    }
}

static void check_events(struct context *context)
{
    static const struct {
        enum ry_log_event_id id;
        enum ry_finding_severity severity;
        const char *name, *text, *action;
    } checks[] = {
        {RY_LOG_COMPLETION_ERROR, RY_FINDING_ERROR, "transport-error",
         "a transfer failed, completion error",
         "12: retries exceeded, look for a flapping link or lost PFC; 4: memory protection, "
         "look at GPUDirect and PCIe ACS"},
        {RY_LOG_PATH_FALLBACK, RY_FINDING_WARNING, "no-path",
         "NCCL found no path between GPUs and took a simple order",
         "the topology is hidden: give NCCL_TOPO_FILE, or fix the virtual machine's PCIe tree"},
        {RY_LOG_IOMMU, RY_FINDING_WARNING, "iommu", "IOMMU without pass-through",
         "boot with iommu=pt"},
        {RY_LOG_NUMA_BALANCING, RY_FINDING_WARNING, "numa-balancing",
         "automatic NUMA balancing is on", "sysctl kernel.numa_balancing=0"},
    };

    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        const struct ry_log_event event = ry_nccl_log_event(context->log, checks[i].id);
        char text[WORDS_BYTES];
        if (event.count == 0)
            continue;
        (void)snprintf(text, sizeof(text), "%s%s%.16s", checks[i].text,
                       event.text ? " " : "", event.text ? event.text : "");
        say(context, add(context, checks[i].severity, checks[i].name, event.first), text,
            checks[i].action);
    }
}

/* The log holds NCCL's own prediction and what was measured. */
static void check_predictions(struct context *context)
{
    const struct ry_log_prediction *worst = NULL;
    double ratio = 2.0;
    double size = 1e6; /* small sizes are latency: NCCL's constants are rough there */

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
    char text[WORDS_BYTES];
    (void)snprintf(text, sizeof(text),
                   "badly degraded: %.0f bytes take %.1f times what NCCL expects (%.0f us)",
                   worst->bytes, ratio, worst->time_s * 1e6);
    struct ry_finding *finding =
        add(context, RY_FINDING_ERROR, "slower-than-model", worst->place);
    say(context, finding, text,
        "the links do not give their rate: look at the other findings, then at link errors, "
        "cabling and congestion");
    if (finding)
        finding->left_frac = 1.0 / ratio;
}

static void check_plan(struct context *context)
{
    const double nodes = context->log->nodes;
    char text[WORDS_BYTES];

    if (!(context->plan.nodes > 0.0) || isnan(nodes) || nodes == context->plan.nodes)
        return;
    (void)snprintf(text, sizeof(text), "NCCL sees %.0f nodes, the plan has %.0f", nodes,
                   context->plan.nodes);
    say(context, add(context, RY_FINDING_NOTE, "nodes-differ", (struct ry_log_place){NULL, 0}),
        text, "nothing, when the job is smaller than the cluster");
}

enum ry_err ry_nccl_findings(const struct ry_nccl_log *log,
                             const struct ry_log_plan *plan, size_t n_measured,
                             const struct ry_log_measured *measured,
                             struct ry_findings *findings, struct ry_diag *diag)
{
    static void (*const checks[])(struct context *) = {
        check_sockets,  check_no_device,  check_plugins, check_gdr,   check_settings,
        check_interfaces, check_oob,      check_nics,    check_links, check_versions,
        check_local,    check_events,     check_predictions, check_plan,
    };
    struct context context = {.log = log, .n_measured = n_measured, .measured = measured,
                              .findings = findings};

    if (plan)
        context.plan = *plan;
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        checks[i](&context);
    ry_findings_sort(findings);
    if (findings->out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, "findings", "no memory");
    return RY_OK;
}
