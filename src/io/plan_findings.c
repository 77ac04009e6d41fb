/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan_findings.h"

#include "base/names.h"
#include "catalog/parts.h"
#include "io/fabric_match.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 320 };

/* ------------------------------------------------------------ nvidia-smi topo -m */

struct matrix {
    const struct ry_topo_m *topo;
    const char *file;
    const struct ry_design *design;
    struct ry_findings *findings;
};

static struct ry_finding *add(const struct matrix *m, enum ry_finding_severity severity,
                              const char *id, const char *text, const char *action)
{
    struct ry_finding *finding = ry_findings_add(m->findings, severity, id, text, action);

    ry_finding_at(finding, m->file, m->topo->line);
    return finding;
}

static size_t of_host(const struct ry_design *d, size_t of_node)
{
    const size_t gpus = d->gpus_per_host ? d->gpus_per_host : d->gpus_per_node;

    return of_node * gpus / d->gpus_per_node;
}

static void compare_gpus(const struct matrix *m)
{
    const size_t planned = of_host(m->design, m->design->gpus_per_node);
    char text[TEXT_BYTES];

    if (m->topo->gpus == planned)
        return;
    (void)snprintf(text, sizeof(text),
                   "%zu GPUs are seen, %zu of a host are planned (%.60s)", m->topo->gpus,
                   planned, m->design->node->part.name);
    struct ry_finding *finding = add(
        m, m->topo->gpus < planned ? RY_FINDING_ERROR : RY_FINDING_WARNING, "plan-gpus",
        text,
        m->topo->gpus < planned
            ? "look at dmesg for Xid 79 (fallen off the bus) and at CUDA_VISIBLE_DEVICES"
            : "this is another machine than the design's: give its own design");
    if (finding && m->topo->gpus < planned) {
        finding->left_frac = (double)m->topo->gpus / (double)planned;
        finding->basis = "GPUs that are there";
    }
}

static void compare_nics(const struct matrix *m)
{
    const size_t planned = of_host(m->design, m->design->nics_per_node);
    const double rate = m->design->nic_bytes_per_s;
    char text[TEXT_BYTES];

    if (m->topo->nics >= planned)
        return;
    (void)snprintf(text, sizeof(text), "%zu NICs are seen, %zu of a host are planned",
                   m->topo->nics, planned);
    struct ry_finding *finding =
        add(m, RY_FINDING_ERROR, "plan-nics", text,
            "find the missing ones: lspci -d 15b3:, ibstat, and the driver's log");
    if (!finding)
        return;
    finding->left_frac = (double)m->topo->nics / (double)planned;
    finding->basis = "NICs that are there";
    finding->expected_bytes_per_s = rate * (double)planned;
    finding->left_bytes_per_s = rate * (double)m->topo->nics;
}

struct nvlinks {
    size_t pairs, joined, least;
};

static struct nvlinks count_nvlinks(const struct ry_topo_m *topo)
{
    struct nvlinks n = {.least = SIZE_MAX};

    for (size_t a = 0; a < topo->gpus; a++) {
        for (size_t b = a + 1; b < topo->gpus; b++) {
            const struct ry_topo_cell cell = ry_topo_m_cell(topo, a, b);
            n.pairs++;
            if (cell.path != RY_TOPO_NV)
                continue;
            n.joined++;
            n.least = cell.nvlinks < n.least ? cell.nvlinks : n.least;
        }
    }
    return n;
}

/* On NVSwitch every pair has all links of a GPU; the part says how many. */
static void compare_nvlinks(const struct matrix *m)
{
    const struct nvlinks seen = count_nvlinks(m->topo);
    const bool switched = m->design->local_link == RY_LOCAL_SWITCHED;
    const double links = m->design->gpu->scaleup_links;
    char text[TEXT_BYTES];

    if (!switched && m->design->local_link == RY_LOCAL_PCIE && seen.joined > 0)
        (void)add(
            m, RY_FINDING_NOTE, "plan-nvlink", "NVLink is there, none is planned",
            "the design is slower than the machine: say its node or fabric as it is");
    if (!switched || seen.pairs == 0)
        return;
    if (seen.joined < seen.pairs) {
        (void)snprintf(
            text, sizeof(text),
            "%zu of %zu pairs of GPUs have no NVLink, all are planned on NVSwitch",
            seen.pairs - seen.joined, seen.pairs);
        (void)add(
            m, RY_FINDING_ERROR, "plan-nvlink", text,
            "look at nvidia-smi nvlink -s and at the fabric manager's service and log");
    }
    if (seen.joined == 0 || !(links >= 1.0) || (double)seen.least >= links)
        return;
    (void)snprintf(text, sizeof(text), "NV%zu, %.60s has %.0f links", seen.least,
                   m->design->gpu->part.name, links);
    struct ry_finding *finding = add(
        m, RY_FINDING_ERROR, "plan-nvlinks", text,
        "look at nvidia-smi nvlink -s for links that are down; another model of GPU has "
        "fewer");
    if (finding) {
        finding->left_frac = (double)seen.least / links;
        finding->basis = "links that are up";
    }
}

void ry_topo_m_plan_findings(const struct ry_topo_m *topo, const char *file,
                             const struct ry_design *design, struct ry_findings *findings)
{
    const struct matrix m = {topo, file, design, findings};

    compare_gpus(&m);
    compare_nics(&m);
    compare_nvlinks(&m);
}

/* -------------------------------------------------------------------- ibnetdiscover */

/* What fabric_match.c calls a difference, and what to do. */
static const struct {
    const char *where, *id, *action;
    enum ry_finding_severity severity;
} kinds[] = {
    {"missing link", "plan-missing-link",
     "plug the cable, or replace it: the port may be dead", RY_FINDING_ERROR},
    {"wrong port", "plan-wrong-port", "move the cable to the planned port",
     RY_FINDING_ERROR},
    {"slow link", "plan-slow-link", "reseat or replace the cable", RY_FINDING_WARNING},
    {"extra link", "plan-extra-link", "nothing, when the design leaves it out on purpose",
     RY_FINDING_WARNING},
    {"device", "plan-device", "name it as in the plan, or add it to the plan",
     RY_FINDING_WARNING},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void add_difference(const struct ry_diag *difference, const char *file,
                           struct ry_findings *findings)
{
    size_t k = 0;

    while (k + 1 < KINDS && strcmp(kinds[k].where, difference->where) != 0)
        k++;
    ry_finding_at(ry_findings_add(findings, kinds[k].severity, kinds[k].id,
                                  difference->text, kinds[k].action),
                  file, 1);
}

static void add_rest(const struct ry_fabric_matched *matched, const char *file,
                     size_t rest, struct ry_findings *findings)
{
    char text[TEXT_BYTES];

    (void)snprintf(
        text, sizeof(text),
        "%zu more differences; of %zu planned links %zu are as planned, %zu missing, "
        "%zu elsewhere, %zu slow; %zu are not planned",
        rest, matched->planned, matched->same, matched->missing, matched->elsewhere,
        matched->slower, matched->extra);
    ry_finding_at(ry_findings_add(findings, RY_FINDING_ERROR, "plan-more", text,
                                  "set right what is named, read the fabric again"),
                  file, 1);
}

enum ry_err ry_ibnet_plan_findings(const struct ry_ib_fabric *fabric, const char *file,
                                   const struct ry_graph *plan,
                                   struct ry_findings *findings, struct ry_diag *diag)
{
    struct ry_problems *found = RY_NEW(findings->arena, struct ry_problems, 1);
    struct ry_fabric_matched matched;

    if (!found)
        return ry_fail(diag, RY_ERR_NOMEM, "diagnose", "out of memory");
    RY_TRY(ry_fabric_match(findings->arena, plan, fabric, found, &matched, diag));
    if (matched.found == 0) {
        ry_finding_at(
            ry_findings_add(findings, RY_FINDING_ERROR, "plan-names",
                            "no link is between devices that the plan names: leaf3, "
                            "spine0, adapters node7 mlx5_2",
                            "make the plan with railyard import, which keeps the "
                            "site's names, or name devices as in the plan"),
            file, 1);
        return RY_OK;
    }
    const size_t kept = found->count < RY_PROBLEMS_KEPT ? found->count : RY_PROBLEMS_KEPT;
    for (size_t i = 0; i < kept; i++)
        add_difference(&found->diags[i], file, findings);
    if (found->count > kept)
        add_rest(&matched, file, found->count - kept, findings);
    return RY_OK;
}
