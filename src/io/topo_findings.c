/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/topo_findings.h"

#include "base/order.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 240, LINKS_NAMED_MOST = 8 };

static void add(struct ry_findings *findings, enum ry_finding_severity severity,
                const char *id, const char *text, const char *action)
{
    (void)ry_findings_add(findings, severity, id, text, action);
}

/* GPUs among themselves. */
static void check_gpus(const struct ry_topo_m *topo, struct ry_findings *findings)
{
    size_t least = SIZE_MAX, most = 0;
    size_t without = 0, far = 0;
    size_t pairs = 0;
    char text[TEXT_BYTES];

    for (size_t a = 0; a < topo->gpus; a++) {
        for (size_t b = a + 1; b < topo->gpus; b++) {
            const struct ry_topo_cell cell = ry_topo_m_cell(topo, a, b);
            pairs++;
            far += cell.path == RY_TOPO_SYS || cell.path == RY_TOPO_NODE ||
                   cell.path == RY_TOPO_PHB;
            if (cell.path != RY_TOPO_NV) {
                without++;
                continue;
            }
            least = cell.nvlinks < least ? cell.nvlinks : least;
            most = cell.nvlinks > most ? cell.nvlinks : most;
        }
    }
    if (most > 0 && (least < most || without > 0)) {
        (void)snprintf(
            text, sizeof(text),
            "NVLink is uneven: %zu to %zu links a pair, %zu of %zu pairs have none",
            least, most, without, pairs);
        add(findings, RY_FINDING_NOTE, "nvlink-uneven", text,
            "nothing, when the GPUs are bridged in pairs; else look at nvidia-smi nvlink "
            "-s");
    }
    if (most == 0 && pairs > 0 && far == pairs)
        add(findings, RY_FINDING_WARNING, "no-local-link",
            "no pair of GPUs has NVLink or a common PCIe switch",
            "in a virtual machine pass NVSwitch and the PCIe tree through; else expect "
            "host-staged copies inside the node");
}

/* Of a GPU: the path to its nearest NIC, and how many GPUs share that NIC. */
static void check_nics(const struct ry_topo_m *topo, struct ry_findings *findings)
{
    char names[TEXT_BYTES] = "";
    size_t used = 0, far = 0;
    enum ry_topo_path farthest = RY_TOPO_SELF;
    char text[2 * TEXT_BYTES];

    for (size_t gpu = 0; gpu < topo->gpus && topo->nics > 0; gpu++) {
        const size_t nic = ry_topo_m_nearest_nic(topo, gpu);
        const enum ry_topo_path path =
            nic < topo->nics ? ry_topo_m_cell(topo, gpu, topo->gpus + nic).path
                             : RY_TOPO_NONE;
        if (path <= RY_TOPO_PXB)
            continue;
        if (used < sizeof(names) - 40)
            used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.20s",
                                     far ? ", " : "", topo->names[gpu]);
        farthest = path > farthest ? path : farthest;
        far++;
    }
    if (far == 0)
        return;
    (void)snprintf(text, sizeof(text),
                   "%zu of %zu GPUs have no NIC under their PCIe switch (%s): %s at best",
                   far, topo->gpus, names, ry_topo_path_text(farthest));
    add(findings, far == topo->gpus ? RY_FINDING_WARNING : RY_FINDING_NOTE, "nic-far",
        text,
        "their traffic crosses the CPU or another GPU (PXN): put a NIC beside each GPU, "
        "or "
        "raise NCCL_NET_GDR_LEVEL with care");
}

static void check_shared_nics(const struct ry_topo_m *topo, struct ry_findings *findings)
{
    char text[TEXT_BYTES];

    for (size_t nic = 0; nic < topo->nics; nic++) {
        size_t near = 0;
        for (size_t gpu = 0; gpu < topo->gpus; gpu++)
            near += ry_topo_m_cell(topo, gpu, topo->gpus + nic).path <= RY_TOPO_PXB;
        if (near > 0 || topo->gpus == 0)
            continue;
        (void)snprintf(text, sizeof(text), "%.40s (%.40s) is near no GPU",
                       topo->names[topo->gpus + nic], topo->devices[nic]);
        add(findings, RY_FINDING_NOTE, "nic-apart", text,
            "probably for storage or management: leave it out of NCCL_IB_HCA");
    }
}

static void check_rows(const struct ry_topo_m *topo, struct ry_findings *findings)
{
    char text[TEXT_BYTES];

    /* Rows of NICs only repeat what the rows of GPUs say. */
    if (topo->gpu_rows_missing == 0)
        return;
    (void)snprintf(text, sizeof(text),
                   "%zu of %zu rows of GPUs are missing: the matrix is cut",
                   topo->gpu_rows_missing, topo->gpus);
    add(findings, RY_FINDING_WARNING, "matrix-cut", text, "save the whole output again");
}

static void place(struct ry_findings *findings, size_t from, const char *file,
                  size_t line)
{
    for (size_t i = from; i < findings->n; i++)
        ry_finding_at(&findings->at[i], file, line);
}

void ry_topo_m_findings(const struct ry_topo_m *topo, const char *file,
                        struct ry_findings *findings)
{
    const size_t before = findings->n;

    check_rows(topo, findings);
    check_gpus(topo, findings);
    check_nics(topo, findings);
    check_shared_nics(topo, findings);
    place(findings, before, file, topo->line);
}

/* Fabrics. */

static const char *name_of(const struct ry_ib_fabric *fabric, size_t node)
{
    return fabric->nodes[node].name ? fabric->nodes[node].name : fabric->nodes[node].guid;
}

static bool is_to_agent(const struct ry_ib_fabric *fabric, const struct ry_ib_link *link)
{
    return fabric->nodes[link->a].kind == RY_IB_AGGREGATION ||
           fabric->nodes[link->b].kind == RY_IB_AGGREGATION;
}

/* The usual rate of links between switches (or to hosts): the median. */
static double usual_rate(const struct ry_ib_fabric *fabric, bool to_host, double *rates)
{
    size_t n = 0;

    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct ry_ib_link *link = &fabric->links[i];
        const bool host = fabric->nodes[link->a].kind == RY_IB_ADAPTER ||
                          fabric->nodes[link->b].kind == RY_IB_ADAPTER;
        if (host == to_host && isfinite(link->bytes_per_s) && !is_to_agent(fabric, link))
            rates[n++] = link->bytes_per_s;
    }
    if (n == 0)
        return (double)NAN;
    qsort(rates, n, sizeof(*rates), ry_by_value);
    return rates[n / 2];
}

static void check_slow_links(const struct ry_ib_fabric *fabric, const char *file,
                             bool to_host, struct ry_findings *findings)
{
    double *rates = RY_NEW(findings->arena, double, fabric->n_links + 1);
    char text[2 * TEXT_BYTES];
    size_t slow = 0;

    if (!rates) {
        findings->out_of_memory = true;
        return;
    }
    const double usual = usual_rate(fabric, to_host, rates);
    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct ry_ib_link *link = &fabric->links[i];
        const bool host = fabric->nodes[link->a].kind == RY_IB_ADAPTER ||
                          fabric->nodes[link->b].kind == RY_IB_ADAPTER;
        if (host != to_host || !(link->bytes_per_s < usual) ||
            is_to_agent(fabric, link) || slow++ >= LINKS_NAMED_MOST)
            continue;
        (void)snprintf(text, sizeof(text),
                       "%s, where %.0f Gb/s is usual: %.60s port %zu - %.60s port %zu",
                       link->speed, usual * 8e-9, name_of(fabric, link->a), link->a_port,
                       name_of(fabric, link->b), link->b_port);
        struct ry_finding *finding =
            ry_findings_add(findings, RY_FINDING_WARNING, "slow-link", text,
                            "reseat or replace the cable; nothing, when this adapter is "
                            "of an older kind");
        ry_finding_at(finding, file, link->line);
        if (finding) {
            finding->left_frac = link->bytes_per_s / usual;
            finding->expected_bytes_per_s = usual;
            finding->left_bytes_per_s = link->bytes_per_s;
        }
    }
    if (slow > LINKS_NAMED_MOST) {
        (void)snprintf(text, sizeof(text), "%zu more slow links",
                       slow - LINKS_NAMED_MOST);
        add(findings, RY_FINDING_WARNING, "slow-link", text,
            "see ibdiagnet for all of them");
    }
}

static void check_ends(const struct ry_ib_fabric *fabric, const char *file,
                       struct ry_findings *findings)
{
    char text[2 * TEXT_BYTES];
    size_t named = 0;

    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct ry_ib_link *link = &fabric->links[i];
        const bool one = link->seen == 1 && fabric->nodes[link->a].described &&
                         fabric->nodes[link->b].described;
        if ((!one && !link->ends_differ) || named++ >= LINKS_NAMED_MOST)
            continue;
        (void)snprintf(text, sizeof(text), "%s: %.60s port %zu - %.60s port %zu",
                       one ? "only one end has this link" : "the ends differ in speed",
                       name_of(fabric, link->a), link->a_port, name_of(fabric, link->b),
                       link->b_port);
        ry_finding_at(
            ry_findings_add(findings, RY_FINDING_WARNING,
                            one ? "one-sided-link" : "speeds-differ", text,
                            "the fabric changed while it was read, or the file is "
                            "cut: read it again"),
            file, link->line);
    }
}

void ry_ibnet_findings(const struct ry_ib_fabric *fabric, const char *file,
                       struct ry_findings *findings)
{
    check_ends(fabric, file, findings);
    check_slow_links(fabric, file, true, findings);
    check_slow_links(fabric, file, false, findings);
}
