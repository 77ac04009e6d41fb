/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_check.h"

#include <stdio.h>
#include <string.h>

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
                        char text[RY_NCCL_WORDS_BYTES])
{
    size_t n = 0, first = 0;
    size_t last = 0, used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < host->n_nics; i++) {
        if (gdr_of(&host->nics[i]) != state)
            continue;
        first = n == 0 ? i : first;
        last = i;
        if (used < RY_NCCL_WORDS_BYTES - 60)
            used += (size_t)snprintf(text + used, RY_NCCL_WORDS_BYTES - used,
                                     "%s%zu%s%.24s%s", n ? ", " : "", i,
                                     host->nics[i].name ? " (" : "",
                                     host->nics[i].name ? host->nics[i].name : "",
                                     host->nics[i].name ? ")" : "");
        n++;
    }
    if (n > 2 && last - first + 1 == n)
        (void)snprintf(text, RY_NCCL_WORDS_BYTES, "%zu..%zu", first, last);
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
    char nics[RY_NCCL_WORDS_BYTES];
};

static struct gdr_hosts find_gdr(const struct ry_nccl_context *context,
                                 enum gdr_state state)
{
    struct gdr_hosts found = {.first = NULL};
    char nics[RY_NCCL_WORDS_BYTES];

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

static struct ry_log_place first_gdr_place(const struct ry_log_host *host,
                                           enum gdr_state state)
{
    for (size_t k = 0; k < host->n_nics; k++) {
        const struct ry_log_place place = gdr_place(&host->nics[k]);
        if (gdr_of(&host->nics[k]) == state && place.line > 0)
            return place;
    }
    return (struct ry_log_place){NULL, 0};
}

/* One finding a set of NICs: hosts that look the same are counted, not repeated. */
static void check_gdr_state(struct ry_nccl_context *context, enum gdr_state state)
{
    const struct gdr_hosts found = find_gdr(context, state);
    char text[2 * RY_NCCL_WORDS_BYTES];

    if (!found.first)
        return;
    (void)snprintf(text, sizeof(text), "%s on NIC%s %s of %.48s", gdr_texts[state].what,
                   found.off == 1 ? "" : "s", found.nics, found.first->name);
    const size_t used = strlen(text);
    if (found.others)
        (void)snprintf(text + used, sizeof(text) - used,
                       ", and on NICs of %zu more hosts", found.others);
    struct ry_finding *finding =
        ry_nccl_add(context, gdr_texts[state].severity, gdr_texts[state].id,
                    first_gdr_place(found.first, state));
    ry_nccl_say(context, finding, text, gdr_texts[state].action);
    if (!finding || state != GDR_OFF)
        return;
    const double share = (double)found.off / (double)found.first->n_nics;
    ry_nccl_cost(context, finding, RY_LOSS_NO_GPUDIRECT);
    ry_nccl_cost_network(context, finding, 1.0 - share * (1.0 - finding->left_frac),
                         finding->basis);
    finding->loses_of = finding->left_frac;
}

void ry_nccl_check_gdr(struct ry_nccl_context *context)
{
    for (int state = GDR_OFF; state <= GDR_PARTLY; state++)
        check_gdr_state(context, (enum gdr_state)state);
}

/* NICs: as many on every host, and as planned. */

static double nics_wanted(const struct ry_nccl_context *context)
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

void ry_nccl_check_nics(struct ry_nccl_context *context)
{
    const double wanted = nics_wanted(context);
    const double rate = context->plan.nic_bytes_per_s > 0.0
                            ? context->plan.nic_bytes_per_s * RY_NIC_USABLE_FRAC
                            : context->log->net_bytes_per_s;
    size_t named = 0;

    for (size_t i = 0; i < context->log->n_hosts && named < 32; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        const double n = (double)host->n_nics;
        char text[RY_NCCL_WORDS_BYTES];
        if (!host->nics_listed || !(n < wanted))
            continue;
        (void)snprintf(text, sizeof(text), "%.48s uses %.0f of %.0f NICs", host->name, n,
                       wanted);
        struct ry_finding *finding =
            ry_nccl_add(context, RY_FINDING_ERROR, "nics-missing", host->nics_place);
        ry_nccl_say(
            context, finding, text,
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

void ry_nccl_check_links(struct ry_nccl_context *context)
{
    for (size_t i = 0; i < context->log->n_hosts; i++) {
        const struct ry_log_host *host = &context->log->hosts[i];
        for (size_t k = 1; k < host->n_nics; k++) {
            const char *a = host->nics[0].link;
            const char *b = host->nics[k].link;
            char text[RY_NCCL_WORDS_BYTES];
            if (!a || !b || strcmp(a, b) == 0)
                continue;
            (void)snprintf(text, sizeof(text),
                           "%.48s uses %s (%.24s) and %s (%.24s) side by side",
                           host->name, a, host->nics[0].name, b, host->nics[k].name);
            ry_nccl_say(
                context,
                ry_nccl_add(context, RY_FINDING_WARNING, "mixed-links",
                            host->nics[k].place),
                text,
                "name the NICs of the compute network in NCCL_IB_HCA: one of them is for "
                "storage or management");
            return;
        }
    }
}
