/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

#include "base/names.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS_MOST = 1 << 20, SWITCHES_MOST = 1 << 20 };

/* "nodes GPUs-a-server NVSwitches switches links GPU", the ids of the switches, then
 * "from to rate latency errors" a line. */
struct topology {
    struct ry_peer *peer;
    const char *path;
    size_t line, nodes, per_server, nvswitches, switches, links, gpus;
    size_t *leaf;      /* [gpus] switch of its first NIC, SIZE_MAX: none */
    size_t *nics;      /* [gpus] */
    double *down, *up; /* [switches] B/s below and above */
    double link_rate, nic_rate;
    bool mixed, errors, shared;
};

static void wrong(const struct topology *t, const char *text)
{
    char where[160];

    (void)snprintf(where, sizeof(where), "%s:%zu", t->path, t->line);
    ry_problem(t->peer->problems, RY_ERR_SYNTAX, where, "%s", text);
}

/* The next word of a line, ended in place; NULL at its end. */
static char *word(char **at)
{
    *at += strspn(*at, " \t\r");
    char *start = *at;
    const size_t bytes = strcspn(start, " \t\r");

    if (bytes == 0)
        return NULL;
    *at = start + bytes + (start[bytes] != '\0');
    start[bytes] = '\0';
    return start;
}

static bool number(char **at, size_t most, size_t *value)
{
    const char *text = word(at);
    char *end = NULL;
    const unsigned long long read = text ? strtoull(text, &end, 10) : 0;

    if (!text || end == text || *end != '\0' || text[0] == '-' || read > most)
        return false;
    *value = (size_t)read;
    return true;
}

/* "400Gbps"; SimAI writes rates in Gb/s. */
static double rate_of(const char *text)
{
    char *end = NULL;
    const double value = text ? strtod(text, &end) : 0.0;

    return text && end != text && strcmp(end, "Gbps") == 0 && value > 0.0 ? value * 1.25e8
                                                                          : (double)NAN;
}

static bool read_head(struct topology *t, char *line)
{
    const size_t most = (size_t)GPUS_MOST + SWITCHES_MOST;
    const char *gpu = NULL;

    if (!number(&line, most, &t->nodes) || !number(&line, 1024, &t->per_server) ||
        !number(&line, SWITCHES_MOST, &t->nvswitches) ||
        !number(&line, SWITCHES_MOST, &t->switches) ||
        !number(&line, SIZE_MAX / 2, &t->links) || !(gpu = word(&line)))
        return false;
    t->peer->gpu = ry_strdup(t->peer->arena, gpu);
    if (t->per_server == 0 || t->nodes <= t->nvswitches + t->switches)
        return false;
    t->gpus = t->nodes - t->nvswitches - t->switches;
    return t->gpus <= GPUS_MOST && t->gpus % t->per_server == 0;
}

static bool make_room(struct topology *t)
{
    t->leaf = RY_NEW(t->peer->arena, size_t, t->gpus);
    t->nics = RY_NEW(t->peer->arena, size_t, t->gpus);
    t->down = RY_NEW(t->peer->arena, double, t->switches + 1);
    t->up = RY_NEW(t->peer->arena, double, t->switches + 1);
    for (size_t i = 0; t->leaf && i < t->gpus; i++)
        t->leaf[i] = SIZE_MAX;
    return t->leaf && t->nics && t->down && t->up;
}

static void add_gpu_link(struct topology *t, size_t gpu, size_t other, double rate)
{
    if (other < t->gpus + t->nvswitches) {
        t->mixed = t->mixed || (t->link_rate > 0.0 && t->link_rate != rate && gpu == 0);
        t->link_rate += gpu == 0 ? rate : 0.0;
        return;
    }
    const size_t s = other - t->gpus - t->nvswitches;
    t->mixed = t->mixed || (t->nic_rate > 0.0 && t->nic_rate != rate);
    t->nic_rate = rate;
    t->nics[gpu]++;
    if (t->leaf[gpu] == SIZE_MAX)
        t->leaf[gpu] = s;
    t->down[s] += rate;
}

static void add_link(struct topology *t, size_t a, size_t b, double rate)
{
    const size_t low = a < b ? a : b;
    const size_t high = a < b ? b : a;
    const size_t first = t->gpus + t->nvswitches;

    if (low < t->gpus)
        add_gpu_link(t, low, high, rate);
    else if (low >= first) {
        /* the switch that has GPUs is the lower one, whichever has the lower number */
        const size_t lower = t->down[low - first] > 0.0 ? low : high;
        t->up[lower - first] += rate;
    }
}

static bool read_link(struct topology *t, char *line)
{
    size_t a = 0, b = 0;

    if (!number(&line, t->nodes - 1, &a) || !number(&line, t->nodes - 1, &b))
        return false;
    const double rate = rate_of(word(&line));
    const char *delay = word(&line);
    const char *errors = word(&line);
    if (isnan(rate) || !delay || !errors || a == b || (a < t->gpus && b < t->gpus))
        return false;
    t->errors = t->errors || strtod(errors, NULL) > 0.0;
    add_link(t, a, b, rate);
    return true;
}

static bool share_a_leaf(const size_t leaf[], size_t n)
{
    for (size_t i = 1; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            if (leaf[i] == leaf[k])
                return true;
    }
    return false;
}

/* Whether no two GPUs of a server share a leaf. */
static bool railed(const struct topology *t)
{
    for (size_t first = 0; first < t->gpus; first += t->per_server)
        if (share_a_leaf(t->leaf + first, t->per_server))
            return false;
    return t->per_server > 1;
}

static void take_topology(struct topology *t)
{
    struct ry_peer *peer = t->peer;
    double down = 0.0, up = 0.0;
    size_t nics = 0;
    const size_t servers = t->gpus > t->per_server ? t->gpus / t->per_server : 1;

    for (size_t i = 0; i < t->gpus; i++)
        nics += t->nics[i];
    for (size_t s = 0; s < t->switches; s++) {
        down += t->down[s];
        up += t->down[s] > 0.0 ? t->up[s] : 0.0;
    }
    peer->cluster = true;
    peer->ethernet = true;
    peer->gpus = t->gpus;
    peer->domain_gpus = t->per_server;
    peer->link_bytes_per_s = t->link_rate > 0.0 ? t->link_rate : (double)NAN;
    peer->nics_per_domain = nics / servers;
    peer->nic_bytes_per_s = t->nic_rate;
    peer->oversubscription = up > 0.0 && down > up ? down / up : 1.0;
    peer->rail_optimised = nics > 0 && railed(t);
    ry_peer_note(peer, "latency", "the start-up comes from measured collectives");
    ry_peer_note(peer, "switches",
                 "%zu: as many as the fabric's rules take are counted here", t->switches);
    if (t->errors)
        ry_peer_note(peer, "error_rate", "links lose nothing here");
    if (t->mixed)
        ry_peer_note(peer, "bandwidth", "links of more than one rate: the last is taken");
    if (nics % servers != 0)
        ry_peer_note(peer, "links", "servers have unequal numbers of NICs: %zu for all",
                     peer->nics_per_domain);
}

/* One line; false: it is wrong, which is told, or there is no memory. */
static bool read_line(struct topology *t, char *line, size_t *links)
{
    const bool empty = line[strspn(line, " \t\r")] == '\0';

    t->line++;
    if (t->line == 1 && !read_head(t, line)) {
        wrong(t,
              "is no first line of a SimAI topology: nodes, GPUs a server, NVSwitches, "
              "switches, links, GPU");
        return false;
    }
    if (t->line == 1)
        return make_room(t);
    if (t->line == 2 || empty)
        return true;
    ++*links;
    if (!read_link(t, line)) {
        wrong(t, "is no link: from, to, a rate such as 400Gbps, latency, error rate");
        return false;
    }
    return true;
}

enum ry_err ry_simai_read(struct ry_peer *peer, const char *path, struct ry_text text)
{
    const size_t before = peer->problems->count;
    struct topology t = {.peer = peer, .path = path};
    char *line = ry_strdup(peer->arena, text.data);
    size_t links = 0;

    if (!line)
        return RY_ERR_NOMEM;
    while (line) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!read_line(&t, line, &links))
            return peer->problems->count > before ? RY_OK : RY_ERR_NOMEM;
        line = next;
    }
    if (links == 0)
        wrong(&t, "a topology without links");
    else
        take_topology(&t);
    return RY_OK;
}
