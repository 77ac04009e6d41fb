/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fabric_survey.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A switch with fewer hosts than this share of its links is no leaf: a host's cable is in
 * the wrong switch. */
static const double leaf_hosts_frac = 0.1;

enum { NICS_MOST = 256 };

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "import", "out of memory");
}

static int by_size(const void *x, const void *y)
{
    const size_t a = *(const size_t *)x;
    const size_t b = *(const size_t *)y;

    return a < b ? -1 : a > b;
}

/* The most frequent of n numbers, the larger of two as frequent; 0 of none. */
static size_t mode(size_t numbers[], size_t n)
{
    size_t best = 0, most = 0;

    qsort(numbers, n, sizeof(numbers[0]), by_size);
    for (size_t i = 0, run = 0; i < n; i++) {
        run = i > 0 && numbers[i] == numbers[i - 1] ? run + 1 : 1;
        if (run >= most) {
            most = run;
            best = numbers[i];
        }
    }
    return best;
}

static const char *switch_name(const struct ry_ib_node *node)
{
    if (node->name && node->name[0])
        return node->name;
    return node->guid && strncmp(node->guid, "S-", 2) == 0 ? node->guid + 2
           : node->guid                                    ? node->guid
                                                           : "";
}

static bool create(struct ry_fabric_survey *s)
{
    const size_t n = s->f->n_nodes + 1;

    s->tier = RY_NEW(s->arena, size_t, n);
    s->adapters = RY_NEW(s->arena, struct ry_survey_adapter, n);
    s->adapter_of = RY_NEW(s->arena, size_t, n);
    s->sample = RY_NEW(s->arena, size_t, n + s->f->n_links);
    for (size_t t = 0; t < RY_SURVEY_TIERS; t++) {
        s->at[t] = RY_NEW(s->arena, struct ry_survey_switch, n);
        if (!s->at[t])
            return false;
    }
    return s->tier && s->adapters && s->adapter_of && s->sample;
}

static bool is_switch(const struct ry_fabric_survey *s, size_t node)
{
    return s->f->nodes[node].kind == RY_IB_SWITCH;
}

/* Leaves have hosts, spines leaves below them, cores spines. */
static void find_tiers(struct ry_fabric_survey *s)
{
    const struct ry_ib_fabric *f = s->f;
    size_t *links = s->sample; /* [nodes] */
    size_t *hosts = s->tier;

    memset(links, 0, f->n_nodes * sizeof(links[0]));
    for (size_t i = 0; i < f->n_links; i++) {
        const struct ry_ib_link *l = &f->links[i];
        links[l->a]++;
        links[l->b]++;
        hosts[l->a] += s->adapter_of[l->b] != SIZE_MAX;
        hosts[l->b] += s->adapter_of[l->a] != SIZE_MAX;
    }
    for (size_t i = 0; i < f->n_nodes; i++)
        s->tier[i] = is_switch(s, i) && hosts[i] > 0 &&
                     (double)hosts[i] >= leaf_hosts_frac * (double)links[i];
    for (size_t t = 1; t < RY_SURVEY_TIERS; t++) {
        for (size_t i = 0; i < f->n_links; i++) {
            const size_t a = f->links[i].a;
            const size_t b = f->links[i].b;
            if (s->tier[a] == t && is_switch(s, b) && s->tier[b] == 0)
                s->tier[b] = t + 1;
            if (s->tier[b] == t && is_switch(s, a) && s->tier[a] == 0)
                s->tier[a] = t + 1;
        }
    }
    for (size_t i = 0; i < f->n_nodes; i++) {
        const size_t t = s->tier[i];
        if (t > 0)
            s->at[t - 1][s->n[t - 1]++] =
                (struct ry_survey_switch){.node = i, .name = switch_name(&f->nodes[i])};
    }
}

static void count_end(struct ry_fabric_survey *s, size_t leaf, size_t port, size_t peer,
                      struct ry_survey_switch *at)
{
    const size_t a = s->adapter_of[peer];

    if (a != SIZE_MAX) {
        s->adapters[a].leaf = leaf;
        at->ends++;
    } else if (is_switch(s, peer)) {
        at->ups++;
        at->first_up = at->first_up == 0 || port < at->first_up ? port : at->first_up;
    }
}

static bool count_leaves(struct ry_fabric_survey *s)
{
    size_t *index = RY_NEW(s->arena, size_t, s->f->n_nodes + 1);

    if (!index)
        return false;
    for (size_t i = 0; i < s->n[0]; i++)
        index[s->at[0][i].node] = i;
    for (size_t i = 0; i < s->f->n_links; i++) {
        const struct ry_ib_link *l = &s->f->links[i];
        if (s->tier[l->a] == 1)
            count_end(s, index[l->a], l->a_port, l->b, &s->at[0][index[l->a]]);
        if (s->tier[l->b] == 1)
            count_end(s, index[l->b], l->b_port, l->a, &s->at[0][index[l->b]]);
    }
    return true;
}

/* The middle host and NIC of each leaf: one wrong cable does not move them. */
static bool take_medians(struct ry_fabric_survey *s)
{
    const size_t leaves = s->n[0];
    size_t *first = RY_NEW(s->arena, size_t, leaves + 2);
    size_t *hosts = RY_NEW(s->arena, size_t, s->n_adapters + 1);
    size_t *nics = RY_NEW(s->arena, size_t, s->n_adapters + 1);

    if (!first || !hosts || !nics)
        return false;
    for (size_t i = 0; i < s->n_adapters; i++)
        if (s->adapters[i].leaf != SIZE_MAX && s->adapters[i].host_at != SIZE_MAX)
            first[s->adapters[i].leaf + 2]++;
    for (size_t i = 2; i < leaves + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < s->n_adapters; i++) {
        const struct ry_survey_adapter *a = &s->adapters[i];
        if (a->leaf == SIZE_MAX || a->host_at == SIZE_MAX)
            continue;
        nics[first[a->leaf + 1]] = a->nic;
        hosts[first[a->leaf + 1]++] = a->host_at;
    }
    for (size_t i = 0; i < leaves; i++) {
        const size_t n = first[i + 1] - first[i];
        qsort(hosts + first[i], n, sizeof(hosts[0]), by_size);
        qsort(nics + first[i], n, sizeof(nics[0]), by_size);
        s->at[0][i].host_at = n ? hosts[first[i] + n / 2] : 0;
        s->at[0][i].nic = n ? nics[first[i] + n / 2] : 0;
    }
    return true;
}

/* Leaves that the NICs of most hosts are on. */
static size_t leaves_a_host(struct ry_fabric_survey *s)
{
    size_t hosts = 0;

    for (size_t i = 0; i < s->n_adapters;) {
        size_t distinct = 0, end = i;
        while (end < s->n_adapters &&
               s->adapters[end].host_at == s->adapters[i].host_at) {
            size_t k = end > i + NICS_MOST ? end - NICS_MOST : i;
            while (k < end && s->adapters[k].leaf != s->adapters[end].leaf)
                k++;
            distinct += k == end;
            end++;
        }
        if (s->adapters[i].host_at != SIZE_MAX)
            s->sample[hosts++] = distinct;
        i = end;
    }
    return mode(s->sample, hosts);
}

static size_t mode_of_ports(struct ry_fabric_survey *s, size_t tier)
{
    for (size_t i = 0; i < s->n[tier]; i++)
        s->sample[i] = s->f->nodes[s->at[tier][i].node].ports;
    return mode(s->sample, s->n[tier]);
}

static void take_sizes(struct ry_fabric_survey *s)
{
    size_t n = 0;

    s->rails = leaves_a_host(s);
    s->radix = mode_of_ports(s, 0);
    s->spine_radix = mode_of_ports(s, 1);
    for (size_t i = 0; i < s->n[0]; i++)
        s->sample[i] = s->at[0][i].ups;
    s->up = mode(s->sample, s->n[0]);
    for (size_t i = 0; i < s->n[0]; i++)
        if (s->at[0][i].ups > 0)
            s->sample[n++] = s->at[0][i].first_up - 1;
    s->down = mode(s->sample, n);
    for (size_t i = 0; i < s->n[0]; i++)
        s->sample[i] = s->at[0][i].ends * s->rails / s->nics;
    s->unit = mode(s->sample, s->n[0]);
    n = 0;
    for (size_t i = 0; i < s->f->n_links; i++)
        if (s->f->links[i].bytes_per_s > 0.0)
            s->sample[n++] = (size_t)(s->f->links[i].bytes_per_s * 8e-6 + 0.5);
    s->speed = (double)mode(s->sample, n); /* Mb/s */
}

enum ry_err ry_fabric_survey(struct ry_arena *arena, const struct ry_ib_fabric *found,
                             struct ry_fabric_survey *s, struct ry_diag *diag)
{
    *s = (struct ry_fabric_survey){.arena = arena, .f = found};
    if (!create(s) || !ry_survey_hosts(s))
        return no_memory(diag);
    s->nics = mode(s->sample, s->hosts);
    if (s->hosts == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "import", "no hosts in it");
    find_tiers(s);
    if (s->n[0] == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "import", "no switch has hosts on it");
    if (s->n[1] == 0 && s->n[0] > 1 && s->nics < 2)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "import",
                       "hosts on all %zu switches, none above: no Clos", s->n[0]);
    if (!count_leaves(s) || !take_medians(s))
        return no_memory(diag);
    take_sizes(s);
    return RY_OK;
}
