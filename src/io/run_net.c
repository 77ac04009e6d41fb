/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/run_models.h"

#include "comm/net_build.h"
#include "io/comm_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *after(const char *text, const char *word)
{
    const char *at = text != NULL ? strstr(text, word) : NULL;
    return at != NULL ? at + strlen(word) : NULL;
}

/** "8x ", "4x ": how many; 0 where the text has no such word. */
static double count_of(const char *text)
{
    for (const char *at = text; at != NULL && *at != '\0'; at++)
        if (*at >= '1' && *at <= '9' && (at == text || at[-1] == ' ')) {
            char *end;
            const double n = strtod(at, &end);
            if (end[0] == 'x' && end[1] == ' ')
                return n;
        }
    return 0;
}

/** The first rate in a text: "400 Gb/s", "400Gb/s", "1600 Gbps"; or of "HDR", "NDR". */
static double rate_of(const char *text)
{
    for (const char *at = text; at != NULL && *at != '\0'; at++) {
        if (*at < '1' || *at > '9' || (at > text && at[-1] >= '0' && at[-1] <= '9'))
            continue;
        char *end;
        const double n = strtod(at, &end);
        while (*end == ' ')
            end++;
        if (strncmp(end, "Gb", 2) == 0)
            return n * 1e9 / 8;
        at = end > at + 1 ? end - 1 : at;
    }
    if (after(text, "XDR"))
        return 100e9;
    if (after(text, "NDR"))
        return 50e9;
    return after(text, "HDR") ? 25e9 : 0;
}

/** Of clauses "2x ConnectX-7 400Gb/s, Compute: 8x ... 400Gb/s" the one that carries
 * most. */
static void best_clause(const char *head, double *count, double *rate)
{
    char clause[200];
    double best = 0;
    for (const char *at = head; *at != '\0';) {
        const size_t n = strcspn(at, ",+");
        memcpy(clause, at, n);
        clause[n] = '\0';
        at += n + (at[n] != '\0');
        const double c = count_of(clause), r = rate_of(clause);
        const bool other = strstr(clause, "Storage:") || strstr(clause, "Management");
        if (c * r <= best || other)
            continue;
        best = c * r;
        *count = c;
        *rate = r;
    }
}

static void stated_nics(const struct ry_job *run, struct ry_net_spec *spec)
{
    const char *text = run->network;
    const char *compute = after(text, "Compute:");
    char head[200] = "";
    if (compute != NULL)
        text = compute;
    if (text != NULL) { /* what joins GPUs inside a node comes after "accelerator" */
        const char *end = strstr(text, "accelerator");
        size_t n = end != NULL ? (size_t)(end - text) : strlen(text);
        n = n < sizeof head - 1 ? n : sizeof head - 1;
        memcpy(head, text, n);
    }
    double count = count_of(head), rate = rate_of(head);
    best_clause(head, &count, &rate);
    const bool total = after(head, "inter-node") || after(head, "(per node)") ||
                       after(head, "node-node");
    spec->transport = after(head, "RoCE") || after(head, "ROCE") || after(head, "RDMA")
                          ? RY_TRANSPORT_ROCE
                          : RY_TRANSPORT_IB;
    if (after(head, "Omni-Path"))
        spec->transport = RY_TRANSPORT_OPA;
    const double per_node = run->gpus_per_node;
    spec->nics_per_domain = per_node;
    if (after(head, "ConnectX-6 25Gb") || after(head, "Gig"))
        return; /* the management network of a single node */
    if (total && rate > 0) {
        spec->nics_per_domain = count > 0 ? count : fmax(rate / 25e9, 1);
        spec->nic_bytes_per_s = rate / spec->nics_per_domain;
    } else if (rate >= 12.5e9 && (count > 0 || after(head, "per GPU"))) {
        spec->nics_per_domain = count > 0 ? fmin(count, per_node) : per_node;
        spec->nic_bytes_per_s = rate;
    }
}

static enum ry_err build(const struct ry_comm_models *models, const struct ry_job *run,
                         const struct ry_run_platform *platform, struct ry_net *net,
                         struct ry_diag *diag)
{
    struct ry_net_spec spec = {.gpu = run->gpu,
                               .link = RY_LOCAL_SWITCHED,
                               .gpus = (size_t)run->gpus,
                               .nic_bytes_per_s = platform->nic_bytes_per_s,
                               .domain_gpus = (size_t)run->gpus_per_node};
    stated_nics(run, &spec);
    if (platform->rack_gpus > 0) {
        spec.nics_per_domain *= platform->rack_gpus / run->gpus_per_node;
        spec.domain_gpus = (size_t)platform->rack_gpus;
    }
    if (run->link != NULL) { /* node-bench: NVLS off, one node */
        spec.nvls_off = true;
        spec.nics_per_domain = 0;
        spec.nic_bytes_per_s = 0;
        spec.transport = RY_TRANSPORT_NONE;
    }
    if (run->link != NULL && strcmp(run->link, "p2p-off") == 0) {
        spec.link = RY_LOCAL_PCIE;
        spec.domain_model = "pcie-gen5";
    }
    if (run->link != NULL && strcmp(run->link, "socket") == 0) {
        spec.link = RY_LOCAL_PCIE;
        spec.domain_model = "socket-host";
    }
    return ry_net_build(models, &spec, net, diag);
}

/** A network that was built, and what it was built from. */
struct made {
    const char *gpu, *network, *link;
    double gpus, per_node;
    struct ry_net net;
};

enum { MADE_MOST = 512 };

struct ry_run_nets {
    struct ry_comm_models models;
    size_t n;
    struct made *made[MADE_MOST];
};

enum ry_err ry_run_nets_read(struct ry_arena *arena, struct ry_problems *problems,
                             struct ry_run_nets **nets)
{
    *nets = RY_NEW(arena, struct ry_run_nets, 1);
    if (*nets == NULL)
        return RY_ERR_NOMEM;
    return ry_comm_models_read(arena, NULL, problems, &(*nets)->models);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool matches(const struct made *m, const struct ry_job *r)
{
    return same_text(m->gpu, r->gpu) && same_text(m->network, r->network) &&
           same_text(m->link, r->link) && m->gpus == r->gpus &&
           m->per_node == r->gpus_per_node;
}

enum ry_err ry_run_net_of(struct ry_arena *arena, struct ry_run_nets *nets,
                          const struct ry_job *run,
                          const struct ry_run_platform *platform,
                          const struct ry_net **net, struct ry_diag *diag)
{
    for (size_t i = 0; i < nets->n; i++)
        if (matches(nets->made[i], run)) {
            *net = &nets->made[i]->net;
            return RY_OK;
        }
    struct made *m = RY_NEW(arena, struct made, 1);
    if (m == NULL)
        return RY_ERR_NOMEM;
    m->gpu = run->gpu;
    m->network = run->network;
    m->link = run->link;
    m->gpus = run->gpus;
    m->per_node = run->gpus_per_node;
    RY_TRY(build(&nets->models, run, platform, &m->net, diag));
    if (nets->n < MADE_MOST)
        nets->made[nets->n++] = m;
    *net = &m->net;
    return RY_OK;
}
