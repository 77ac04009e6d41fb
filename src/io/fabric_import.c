/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fabric_import.h"

#include "base/names.h"
#include "topology/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A switch with fewer hosts than this share of its links is no leaf: a host's cable is in
 * the wrong switch. */
static const double leaf_hosts_frac = 0.1;

enum { TIERS = 3, NIC_NUMBERS = 4096, NICS_MOST = 256 };

struct adapter {
    const char *host;
    size_t nic;      /* as it is numbered, then as counted in its host */
    size_t node;     /* of the fabric */
    size_t host_at;  /* of its host in order, SIZE_MAX of a manager */
    size_t leaf;     /* of the fabric, SIZE_MAX: not linked */
};

struct leaf {
    size_t node;
    size_t ends, ups, first_up; /* first_up: its lowest port to a switch */
    size_t host_at, nic;        /* medians of what is on it */
    size_t key;
    const char *name;
};

struct import {
    struct ry_arena *arena;
    const struct ry_ib_fabric *f;
    struct ry_fabric_import *out;
    struct ry_diag *diag;
    size_t *tier;            /* [nodes] 0 none, 1 leaf, 2 spine, 3 core */
    struct adapter *adapters; /* by host and NIC */
    size_t *adapter_of;      /* [nodes] */
    size_t n_adapters, managers, hosts;
    struct leaf *at[TIERS];
    size_t n[TIERS];
    size_t *sample;          /* [nodes + links] */
    size_t nics, rails, unit, down, up, radix, spine_radix;
    double speed;
};

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "import", "out of memory");
}

/* Numbers in names count as numbers: "leaf9" before "leaf10". */
static int by_nature(const char *a, const char *b)
{
    while (*a && *b) {
        if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
            char *end_a = NULL;
            char *end_b = NULL;
            const unsigned long long x = strtoull(a, &end_a, 10);
            const unsigned long long y = strtoull(b, &end_b, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a = end_a;
            b = end_b;
        } else if (*a != *b) {
            return *a < *b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : 0;
}

static int by_host(const void *x, const void *y)
{
    const struct adapter *a = x;
    const struct adapter *b = y;
    const int hosts = by_nature(a->host, b->host);

    if (hosts != 0)
        return hosts;
    if (a->nic != b->nic)
        return a->nic < b->nic ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static int by_key(const void *x, const void *y)
{
    const struct leaf *a = x;
    const struct leaf *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    const int names = by_nature(a->name, b->name);
    return names != 0 ? names : a->node < b->node ? -1 : 1;
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
    size_t best = 0;
    size_t most = 0;

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

static size_t last_number(const char *text)
{
    size_t n = strlen(text);

    while (n > 0 && text[n - 1] >= '0' && text[n - 1] <= '9')
        n--;
    return text[n] == '\0' ? 0 : strtoul(text + n, NULL, 10);
}

static const char *switch_name(const struct ry_ib_node *node)
{
    if (node->name && node->name[0])
        return node->name;
    return node->guid && strncmp(node->guid, "S-", 2) == 0 ? node->guid + 2
           : node->guid                                    ? node->guid
                                                           : "";
}

/* "H-node7-mlx2" as ibsim's files have it; else what the description says. */
static bool take_adapter(struct import *im, size_t node)
{
    const struct ry_ib_node *at = &im->f->nodes[node];
    const char *guid = at->guid ? at->guid : "";
    const char *dash = strncmp(guid, "H-", 2) == 0 ? strstr(guid, "-mlx") : NULL;
    struct adapter *a = &im->adapters[im->n_adapters++];

    *a = (struct adapter){.host = at->host ? at->host : guid, .node = node, .leaf = SIZE_MAX,
                          .nic = at->device ? last_number(at->device) : 0};
    if (dash) {
        a->host = ry_strfmt(im->arena, "%.*s", (int)(dash - guid - 2), guid + 2);
        a->nic = last_number(guid);
    }
    return a->host != NULL;
}

static bool create(struct import *im)
{
    const size_t n = im->f->n_nodes + 1;

    im->tier = RY_NEW(im->arena, size_t, n);
    im->adapters = RY_NEW(im->arena, struct adapter, n);
    im->adapter_of = RY_NEW(im->arena, size_t, n);
    im->sample = RY_NEW(im->arena, size_t, n + im->f->n_links);
    for (size_t t = 0; t < TIERS; t++) {
        im->at[t] = RY_NEW(im->arena, struct leaf, n);
        if (!im->at[t])
            return false;
    }
    return im->tier && im->adapters && im->adapter_of && im->sample;
}

static bool is_manager(const char *host)
{
    return strncmp(host, "manager", 7) == 0 || strncmp(host, "ufm", 3) == 0;
}

/* Adapters by host, their NICs counted from 0 where the numbers have gaps. */
static bool take_hosts(struct import *im)
{
    for (size_t i = 0; i < im->f->n_nodes; i++) {
        im->adapter_of[i] = SIZE_MAX;
        if (im->f->nodes[i].kind == RY_IB_ADAPTER && !take_adapter(im, i))
            return false;
    }
    qsort(im->adapters, im->n_adapters, sizeof(im->adapters[0]), by_host);
    for (size_t i = 0, first = 0; i < im->n_adapters; i++) {
        struct adapter *a = &im->adapters[i];
        const bool same = i > 0 && strcmp(a->host, im->adapters[i - 1].host) == 0;
        im->adapter_of[a->node] = i;
        first = same ? first : i;
        a->host_at = SIZE_MAX;
        if (is_manager(a->host)) {
            im->managers++;
            continue;
        }
        im->hosts += !same;
        a->host_at = im->hosts - 1;
        im->sample[a->host_at] = i - first + 1;
    }
    im->nics = mode(im->sample, im->hosts);
    return true;
}

/* NICs numbered 1, 4, 7, 10 in most hosts are their first, second, ...: the place of a
 * number among those that at least half of the hosts have. */
static bool count_nics(struct import *im)
{
    size_t *hosts = RY_NEW(im->arena, size_t, NIC_NUMBERS);
    size_t *place = RY_NEW(im->arena, size_t, NIC_NUMBERS);

    if (!hosts || !place)
        return false;
    for (size_t i = 0; i < im->n_adapters; i++) {
        const struct adapter *a = &im->adapters[i];
        if (a->host_at != SIZE_MAX && a->nic < NIC_NUMBERS)
            hosts[a->nic]++;
    }
    for (size_t k = 0, n = 0; k < NIC_NUMBERS; k++) {
        place[k] = n;
        n += 2 * hosts[k] >= im->hosts;
    }
    for (size_t i = 0, k = 0; i < im->n_adapters; i++) {
        struct adapter *a = &im->adapters[i];
        const bool same = i > 0 && a->host_at == im->adapters[i - 1].host_at;
        k = same ? k + 1 : 0;
        a->nic = a->nic < NIC_NUMBERS && 2 * hosts[a->nic] >= im->hosts ? place[a->nic] : k;
    }
    return true;
}

static bool is_switch(const struct import *im, size_t node)
{
    return im->f->nodes[node].kind == RY_IB_SWITCH;
}

/* Leaves have hosts, spines leaves below them, cores spines. */
static void find_tiers(struct import *im)
{
    const struct ry_ib_fabric *f = im->f;
    size_t *links = im->sample; /* [nodes] */
    size_t *hosts = im->tier;

    memset(links, 0, f->n_nodes * sizeof(links[0]));
    for (size_t i = 0; i < f->n_links; i++) {
        const struct ry_ib_link *l = &f->links[i];
        links[l->a]++;
        links[l->b]++;
        hosts[l->a] += im->adapter_of[l->b] != SIZE_MAX;
        hosts[l->b] += im->adapter_of[l->a] != SIZE_MAX;
    }
    for (size_t i = 0; i < f->n_nodes; i++)
        im->tier[i] =
            is_switch(im, i) && hosts[i] > 0 &&
            (double)hosts[i] >= leaf_hosts_frac * (double)links[i];
    for (size_t t = 1; t < TIERS; t++) {
        for (size_t i = 0; i < f->n_links; i++) {
            const size_t a = f->links[i].a;
            const size_t b = f->links[i].b;
            if (im->tier[a] == t && is_switch(im, b) && im->tier[b] == 0)
                im->tier[b] = t + 1;
            if (im->tier[b] == t && is_switch(im, a) && im->tier[a] == 0)
                im->tier[a] = t + 1;
        }
    }
    for (size_t i = 0; i < f->n_nodes; i++) {
        const size_t t = im->tier[i];
        if (t > 0)
            im->at[t - 1][im->n[t - 1]++] =
                (struct leaf){.node = i, .name = switch_name(&f->nodes[i])};
    }
}

static void count_end(struct import *im, size_t leaf, size_t port, size_t peer,
                      struct leaf *at)
{
    const size_t a = im->adapter_of[peer];

    if (a != SIZE_MAX) {
        im->adapters[a].leaf = leaf;
        at->ends++;
    } else if (is_switch(im, peer)) {
        at->ups++;
        at->first_up = at->first_up == 0 || port < at->first_up ? port : at->first_up;
    }
}

static bool count_leaves(struct import *im)
{
    size_t *index = RY_NEW(im->arena, size_t, im->f->n_nodes + 1);

    if (!index)
        return false;
    for (size_t i = 0; i < im->n[0]; i++)
        index[im->at[0][i].node] = i;
    for (size_t i = 0; i < im->f->n_links; i++) {
        const struct ry_ib_link *l = &im->f->links[i];
        if (im->tier[l->a] == 1)
            count_end(im, index[l->a], l->a_port, l->b, &im->at[0][index[l->a]]);
        if (im->tier[l->b] == 1)
            count_end(im, index[l->b], l->b_port, l->a, &im->at[0][index[l->b]]);
    }
    return true;
}

/* The middle host and NIC of each leaf: one wrong cable does not move them. */
static bool take_medians(struct import *im)
{
    const size_t leaves = im->n[0];
    size_t *first = RY_NEW(im->arena, size_t, leaves + 2);
    size_t *hosts = RY_NEW(im->arena, size_t, im->n_adapters + 1);
    size_t *nics = RY_NEW(im->arena, size_t, im->n_adapters + 1);

    if (!first || !hosts || !nics)
        return false;
    for (size_t i = 0; i < im->n_adapters; i++)
        if (im->adapters[i].leaf != SIZE_MAX && im->adapters[i].host_at != SIZE_MAX)
            first[im->adapters[i].leaf + 2]++;
    for (size_t i = 2; i < leaves + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < im->n_adapters; i++) {
        const struct adapter *a = &im->adapters[i];
        if (a->leaf == SIZE_MAX || a->host_at == SIZE_MAX)
            continue;
        nics[first[a->leaf + 1]] = a->nic;
        hosts[first[a->leaf + 1]++] = a->host_at;
    }
    for (size_t i = 0; i < leaves; i++) {
        const size_t n = first[i + 1] - first[i];
        qsort(hosts + first[i], n, sizeof(hosts[0]), by_size);
        qsort(nics + first[i], n, sizeof(nics[0]), by_size);
        im->at[0][i].host_at = n ? hosts[first[i] + n / 2] : 0;
        im->at[0][i].nic = n ? nics[first[i] + n / 2] : 0;
    }
    return true;
}

/* Leaves that the NICs of most hosts are on. */
static size_t leaves_a_host(struct import *im)
{
    size_t hosts = 0;

    for (size_t i = 0; i < im->n_adapters;) {
        size_t distinct = 0;
        size_t end = i;
        while (end < im->n_adapters && im->adapters[end].host_at == im->adapters[i].host_at) {
            size_t k = end > i + NICS_MOST ? end - NICS_MOST : i;
            while (k < end && im->adapters[k].leaf != im->adapters[end].leaf)
                k++;
            distinct += k == end;
            end++;
        }
        if (im->adapters[i].host_at != SIZE_MAX)
            im->sample[hosts++] = distinct;
        i = end;
    }
    return mode(im->sample, hosts);
}

static size_t mode_of_ports(struct import *im, size_t tier)
{
    for (size_t i = 0; i < im->n[tier]; i++)
        im->sample[i] = im->f->nodes[im->at[tier][i].node].ports;
    return mode(im->sample, im->n[tier]);
}

static void take_sizes(struct import *im)
{
    size_t n = 0;

    im->rails = leaves_a_host(im);
    im->radix = mode_of_ports(im, 0);
    im->spine_radix = mode_of_ports(im, 1);
    for (size_t i = 0; i < im->n[0]; i++)
        im->sample[i] = im->at[0][i].ups;
    im->up = mode(im->sample, im->n[0]);
    for (size_t i = 0; i < im->n[0]; i++) {
        if (im->at[0][i].ups > 0)
            im->sample[n++] = im->at[0][i].first_up - 1;
    }
    im->down = mode(im->sample, n);
    for (size_t i = 0; i < im->n[0]; i++)
        im->sample[i] = im->at[0][i].ends * im->rails / im->nics;
    im->unit = mode(im->sample, im->n[0]);
    n = 0;
    for (size_t i = 0; i < im->f->n_links; i++) {
        if (im->f->links[i].bytes_per_s > 0.0)
            im->sample[n++] = (size_t)(im->f->links[i].bytes_per_s * 8e-6 + 0.5);
    }
    im->speed = (double)mode(im->sample, n); /* Mb/s */
}

static const char *plan_text(struct import *im)
{
    const bool alone = im->n[1] == 0 && im->n[0] > 1;
    const bool rails = im->rails > 1;
    const size_t tiers = im->n[2] > 0 ? 3 : im->n[1] > 0 ? 2 : 1;
    const char *text = ry_strfmt(im->arena, "%s:nodes=%zu,nics=%zu,gpus_per_node=%zu,radix=%zu",
                                 alone   ? "rail_only"
                                 : rails ? "rail_optimized"
                                         : "fat_tree",
                                 im->hosts, im->nics, im->nics, im->radix);

    if (text && rails)
        text = ry_strfmt(im->arena, "%s,rails=%zu", text, im->rails);
    if (text && rails && !alone)
        text = ry_strfmt(im->arena, "%s,su_nodes=%zu", text, im->unit);
    if (text)
        text = ry_strfmt(im->arena, "%s,tiers=%zu", text, tiers);
    if (text && tiers > 1)
        text = ry_strfmt(im->arena, "%s,spine_radix=%zu,down=%zu,up=%zu", text,
                         im->spine_radix, im->down, im->up);
    if (text && im->managers > 0)
        text = ry_strfmt(im->arena, "%s,ufm=%zu", text, im->managers);
    if (text && im->speed > 0.0)
        text = ry_strfmt(im->arena, "%s,speed=%.0fMbps", text, im->speed);
    return text;
}

static size_t count_class(const struct ry_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->n_classes; i++) {
        if (strcmp(graph->classes[i].name, name) == 0)
            return graph->classes[i].count;
    }
    return 0;
}

static enum ry_err build(struct import *im, const char *text)
{
    struct ry_topo_specs *specs = RY_NEW(im->arena, struct ry_topo_specs, 1);
    struct ry_diag why = {0};

    if (!text || !specs)
        return no_memory(im->diag);
    im->out->text = text;
    enum ry_err err = ry_topo_parse(text, specs, &why);
    if (err == RY_OK)
        err = ry_topo_build(im->arena, specs, &im->out->graph, &why);
    if (err == RY_OK || err == RY_ERR_NOMEM)
        return err;
    return ry_fail(im->out->graph ? NULL : im->diag, RY_ERR_INFEASIBLE, "import",
                   "what was found looks like %s, which cannot be planned: %s", text,
                   why.text);
}

static bool same_switches(const struct import *im)
{
    const struct ry_graph *graph = im->out->graph;

    return im->n[0] == count_class(graph, "leaf") && im->n[1] == count_class(graph, "spine") &&
           im->n[2] == count_class(graph, "core");
}

/* Balanced spines, else the fewest; other numbers of switches are no plan of ours. */
static enum ry_err build_plan(struct import *im)
{
    const char *text = plan_text(im);

    RY_TRY(build(im, text));
    if (same_switches(im))
        return RY_OK;
    const struct ry_graph *graph = im->out->graph;
    const enum ry_err no = ry_fail(
        im->diag, RY_ERR_INFEASIBLE, "import",
        "%zu leaves, %zu spines and %zu cores are no whole Clos: %s has %zu, %zu and %zu",
        im->n[0], im->n[1], im->n[2], text, count_class(graph, "leaf"),
        count_class(graph, "spine"), count_class(graph, "core"));
    if (im->n[1] == 0 || text == NULL)
        return no;
    text = ry_strfmt(im->arena, "%s,policy=min", text);
    return build(im, text) == RY_OK && same_switches(im) ? RY_OK : no;
}

static bool has_plan_names(const struct import *im)
{
    for (size_t t = 0; t < TIERS; t++) {
        for (size_t i = 0; i < im->n[t]; i++) {
            const char *guid = im->f->nodes[im->at[t][i].node].guid;
            if (!guid || strncmp(guid, "S-", 2) != 0 ||
                ry_graph_find(im->out->graph, guid + 2) == RY_NONE)
                return false;
        }
    }
    return true;
}

static void order_switches(struct import *im)
{
    for (size_t i = 0; i < im->n[0]; i++) {
        struct leaf *at = &im->at[0][i];
        const size_t per_leaf = im->rails ? im->nics / im->rails : 1;
        at->key = im->rails > 1 && im->unit > 0
                      ? at->host_at / im->unit * im->rails +
                            at->nic / (per_leaf ? per_leaf : 1)
                      : at->host_at;
    }
    for (size_t t = 0; t < TIERS; t++)
        qsort(im->at[t], im->n[t], sizeof(im->at[t][0]), by_key);
}

static bool add_name(struct import *im, const char *plan, const struct ry_ib_node *node)
{
    const bool said = node->kind == RY_IB_SWITCH ? node->name && node->name[0]
                                                 : node->host && node->device;

    im->out->names[im->out->n_names++] =
        (struct ry_fabric_name){plan, said ? node->name : node->guid};
    return plan != NULL;
}

static enum ry_err name_devices(struct import *im)
{
    static const char *const classes[TIERS] = {"leaf", "spine", "core"};
    const struct ry_ib_fabric *f = im->f;
    bool ok = true;

    im->out->names = RY_NEW(im->arena, struct ry_fabric_name, f->n_nodes + 1);
    if (!im->out->names)
        return no_memory(im->diag);
    order_switches(im);
    for (size_t t = 0; t < TIERS; t++) {
        for (size_t i = 0; ok && i < im->n[t]; i++)
            ok = add_name(im, ry_strfmt(im->arena, "%s%zu", classes[t], i),
                          &f->nodes[im->at[t][i].node]);
    }
    for (size_t i = 0; ok && i < im->n_adapters; i++) {
        const struct adapter *a = &im->adapters[i];
        if (a->host_at != SIZE_MAX)
            ok = add_name(im, ry_strfmt(im->arena, "node%zu-mlx%zu", a->host_at, a->nic),
                          &f->nodes[a->node]);
    }
    if (!ok)
        return no_memory(im->diag);
    return ry_fabric_rename(im->arena, &im->out->fabric, im->out->names, im->out->n_names,
                            im->diag);
}

enum ry_err ry_fabric_import(struct ry_arena *arena, const struct ry_ib_fabric *found,
                             struct ry_fabric_import *import, struct ry_diag *diag)
{
    struct import im = {.arena = arena, .f = found, .out = import, .diag = diag};

    *import = (struct ry_fabric_import){.fabric = *found};
    if (!create(&im) || !take_hosts(&im) || !count_nics(&im))
        return no_memory(diag);
    if (im.hosts == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "import", "no hosts in it");
    find_tiers(&im);
    if (im.n[0] == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "import", "no switch has hosts on it");
    if (im.n[1] == 0 && im.n[0] > 1 && im.nics < 2)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "import",
                       "hosts on all %zu switches, none above: no Clos", im.n[0]);
    if (!count_leaves(&im) || !take_medians(&im))
        return no_memory(diag);
    take_sizes(&im);
    import->hosts = im.hosts;
    import->nics = im.nics;
    memcpy(import->switches, im.n, sizeof(im.n));
    RY_TRY(build_plan(&im));
    return has_plan_names(&im) ? RY_OK : name_devices(&im);
}

static int by_found(const void *x, const void *y)
{
    const struct ry_fabric_name *a = x;
    const struct ry_fabric_name *b = y;

    return strcmp(a->found, b->found);
}

enum ry_err ry_fabric_rename(struct ry_arena *arena, struct ry_ib_fabric *fabric,
                             const struct ry_fabric_name names[], size_t n,
                             struct ry_diag *diag)
{
    struct ry_fabric_name *sorted = RY_NEW(arena, struct ry_fabric_name, n + 1);
    struct ry_ib_node *nodes = RY_NEW(arena, struct ry_ib_node, fabric->n_nodes + 1);

    if (!sorted || !nodes)
        return no_memory(diag);
    if (n > 0)
        memcpy(sorted, names, n * sizeof(names[0]));
    qsort(sorted, n, sizeof(sorted[0]), by_found);
    for (size_t i = 0; i < fabric->n_nodes; i++) {
        struct ry_fabric_name key = {NULL, fabric->nodes[i].name};
        const struct ry_fabric_name *name = NULL;
        nodes[i] = fabric->nodes[i];
        if (key.found)
            name = bsearch(&key, sorted, n, sizeof(sorted[0]), by_found);
        key.found = fabric->nodes[i].guid;
        if (!name && key.found)
            name = bsearch(&key, sorted, n, sizeof(sorted[0]), by_found);
        if (!name)
            continue;
        nodes[i].guid = ry_strfmt(arena, "%s-%s",
                                  nodes[i].kind == RY_IB_SWITCH ? "S" : "H", name->plan);
        if (!nodes[i].guid)
            return no_memory(diag);
    }
    fabric->nodes = nodes;
    return RY_OK;
}
