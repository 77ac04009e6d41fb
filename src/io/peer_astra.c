/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DIMS_MOST = 8, KEY_MOST = 64 };

/* A network of dimensions, the innermost first. */
struct network {
    size_t topology_n, counts_n, rates_n, delays_n;
    const char *topology[DIMS_MOST];
    double counts[DIMS_MOST], rates[DIMS_MOST], delays[DIMS_MOST]; /* GB/s, ns */
};

struct reading {
    struct ry_peer *peer;
    const char *path;
    struct network network;
};

static void wrong(const struct reading *r, size_t line, const char *what,
                  const char *text)
{
    char where[160];

    (void)snprintf(where, sizeof(where), "%s:%zu", r->path, line);
    ry_problem(r->peer->problems, RY_ERR_SYNTAX, where, "%s '%.60s'", what, text);
}

static void add_number(const struct reading *r, double list[], size_t *n,
                       const char *text, size_t line)
{
    char *end = NULL;
    const double value = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(value) || value <= 0.0) {
        wrong(r, line, "is no number above 0:", text);
        return;
    }
    if (*n < DIMS_MOST)
        list[(*n)++] = value;
    else
        wrong(r, line, "more dimensions than 8 at", text);
}

static void add_count(const struct reading *r, double list[], size_t *n, const char *text,
                      size_t line)
{
    const size_t before = *n;

    add_number(r, list, n, text, line);
    if (*n > before && list[before] != floor(list[before]))
        wrong(r, line, "is no whole number:", text);
}

static void add_topology(struct reading *r, const char *text, size_t line)
{
    static const char *const known[] = {"Ring", "FullyConnected", "Switch"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i], text) == 0 && r->network.topology_n < DIMS_MOST) {
            r->network.topology[r->network.topology_n++] = known[i];
            return;
        }
    }
    wrong(r, line, "is none of Ring, FullyConnected, Switch:", text);
}

/* One value of a key; keys without a place are noted once. */
static void take(struct reading *r, const char *key, const char *text, size_t line)
{
    struct network *n = &r->network;

    if (strcmp(key, "topology") == 0)
        add_topology(r, text, line);
    else if (strcmp(key, "npus_count") == 0)
        add_count(r, n->counts, &n->counts_n, text, line);
    else if (strcmp(key, "bandwidth") == 0)
        add_number(r, n->rates, &n->rates_n, text, line);
    else if (strcmp(key, "latency") == 0)
        add_number(r, n->delays, &n->delays_n, text, line);
    else
        ry_peer_note(r->peer, key,
                     "is no key of ASTRA-sim's analytical network that is known "
                     "here");
}

/* How the event changes the depth: a list or mapping begins, or ends. */
static int depth_change(const yaml_event_t *event)
{
    const bool begins = event->type == YAML_MAPPING_START_EVENT ||
                        event->type == YAML_SEQUENCE_START_EVENT;
    const bool ends =
        event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT;

    return begins - ends;
}

/* A key, or a value of the key before it. */
static void take_scalar(struct reading *r, const char *text, size_t line,
                        char key[KEY_MOST], int depth)
{
    const bool is_key = depth == 1 && key[0] == '\0';

    if (is_key)
        (void)snprintf(key, KEY_MOST, "%s", text);
    else
        take(r, key, text, line);
    if (depth == 1 && !is_key)
        key[0] = '\0';
}

/* A mapping of keys to a value or a list of values; nothing nested deeper. */
static void take_event(struct reading *r, const yaml_event_t *event, char key[KEY_MOST],
                       int *depth)
{
    const size_t line = event->start_mark.line + 1;
    const bool scalar = event->type == YAML_SCALAR_EVENT;
    const char *text = scalar ? (const char *)event->data.scalar.value : "";
    const int change = depth_change(event);

    *depth += change;
    if (event->type == YAML_ALIAS_EVENT)
        wrong(r, line, "is an alias, which no network of ASTRA-sim has:", key);
    else if (*depth > 2 || (*depth == 0 && scalar))
        wrong(r, line, "is not a key with a list of values:", key[0] ? key : text);
    else if (scalar)
        take_scalar(r, text, line, key, *depth);
    else if (change < 0 && *depth == 1)
        key[0] = '\0';
}

static void read_events(struct reading *r, yaml_parser_t *parser)
{
    char key[KEY_MOST] = "";
    int depth = 0;
    bool done = false;
    const size_t before = r->peer->problems->count;

    while (!done && r->peer->problems->count == before) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            wrong(r, parser->problem_mark.line + 1,
                  "is no YAML:", parser->problem ? parser->problem : "");
            return;
        }
        take_event(r, &event, key, &depth);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
}

static double product(const double values[], size_t first, size_t n)
{
    double all = 1.0;

    for (size_t i = first; i < n; i++)
        all *= values[i];
    return all;
}

static void note_dimensions(struct ry_peer *peer, const struct network *n)
{
    for (size_t i = 1; i < n->topology_n; i++) {
        if (strcmp(n->topology[i], "Switch") != 0)
            ry_peer_note(peer, "topology",
                         "dimension %zu is a %s: nodes are joined by leaf and "
                         "spine switches here",
                         i + 1, n->topology[i]);
    }
    for (size_t i = 3; i < n->rates_n; i++)
        ry_peer_note(peer, "bandwidth",
                     "dimension %zu, %g GB/s: two levels of switches are "
                     "taken over",
                     i + 1, n->rates[i]);
    if (n->delays_n > 0)
        ry_peer_note(peer, "latency", "the start-up comes from measured collectives");
}

static void take_network(struct ry_peer *peer, const struct network *n)
{
    const double domain = n->counts_n > 0 ? n->counts[0] : 1.0;

    peer->cluster = true;
    peer->domain_gpus = (size_t)domain;
    peer->gpus = (size_t)product(n->counts, 0, n->counts_n);
    if (n->rates_n > 0)
        peer->link_bytes_per_s = n->rates[0] * 1e9;
    if (n->counts_n > 1) {
        peer->nics_per_domain = (size_t)domain;
        if (n->rates_n > 1)
            peer->nic_bytes_per_s = n->rates[1] * 1e9;
    }
    if (n->rates_n > 2 && n->rates[1] > n->rates[2])
        peer->oversubscription = n->rates[1] / n->rates[2];
    note_dimensions(peer, n);
}

static enum ry_err read_network(struct ry_peer *peer, const char *path,
                                struct ry_text text)
{
    struct reading r = {.peer = peer, .path = path};
    const struct network *n = &r.network;
    const size_t before = peer->problems->count;
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser))
        return RY_ERR_NOMEM;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.data, text.bytes);
    read_events(&r, &parser);
    yaml_parser_delete(&parser);
    if (peer->problems->count > before)
        return RY_OK;
    if (n->counts_n == 0 || n->topology_n != n->counts_n || n->rates_n != n->counts_n)
        ry_problem(
            peer->problems, RY_ERR_SYNTAX, path,
            "topology, npus_count and bandwidth have %zu, %zu and %zu values; as many of "
            "each, 1 or more",
            n->topology_n, n->counts_n, n->rates_n);
    else if (product(n->counts, 0, n->counts_n) > 1e7)
        ry_problem(peer->problems, RY_ERR_RANGE, path, "%g NPUs are more than 10 million",
                   product(n->counts, 0, n->counts_n));
    else
        take_network(peer, n);
    return RY_OK;
}

/* {"logical-dims": ["8", "2"]} of the ns-3 backend. */
static void read_dims(struct ry_peer *peer, struct ry_json list)
{
    struct network n = {0};

    if (!ry_json_expect(list, RY_JSON_LIST))
        return;
    for (size_t i = 0; i < ry_json_size(list) && i < DIMS_MOST; i++) {
        const struct ry_json at = ry_json_at(list, i);
        char *end = NULL;
        const char *text = ry_json_as_text(at, "");
        const double value = strtod(text, &end);
        if (end == text || *end != '\0' || !(value >= 1.0 && value <= 1e7) ||
            value != floor(value)) {
            ry_json_problem(at, RY_ERR_SYNTAX, "is no count such as \"8\"");
            return;
        }
        n.counts[n.counts_n++] = value;
    }
    take_network(peer, &n);
}

/* Of a system only what the GPU is; the rest is how the simulator runs. */
static void read_system(struct ry_peer *peer, struct ry_json root)
{
    for (size_t i = 0; i < ry_json_size(root); i++) {
        const char *key = ry_json_key(ry_json_at(root, i));
        if (strstr(key, "implementation"))
            ry_peer_note(peer, key, "NCCL chooses the algorithm by size here");
        else if (strcmp(key, "peak-perf") != 0 && strcmp(key, "local-mem-bw") != 0 &&
                 strcmp(key, "logical-dims") != 0)
            ry_peer_note(peer, key, "is about the simulator, not about the cluster");
    }
    peer->mem_bytes_per_s = 1e9 * ry_json_number(root, "local-mem-bw", NAN);
    if (ry_json_has(root, "peak-perf"))
        ry_peer_note(peer, "peak-perf",
                     "%g TFLOP/s: rates come from the GPU's measured model",
                     ry_json_number(root, "peak-perf", NAN));
}

static void take_json(struct ry_peer *peer, struct ry_json root)
{
    if (ry_json_has(root, "logical-dims"))
        read_dims(peer, ry_json_get(root, "logical-dims"));
    else if (!ry_json_has(root, "scheduling-policy") && !ry_json_has(root, "peak-perf"))
        ry_json_problem(root, RY_ERR_SYNTAX,
                        "is neither logical dimensions (\"logical-dims\") nor a system "
                        "(\"scheduling-policy\", \"peak-perf\") of ASTRA-sim");
    read_system(peer, root);
}

enum ry_err ry_astra_read(struct ry_peer *peer, const char *path, struct ry_text text)
{
    return ry_peer_is_json(text) ? ry_peer_read_json(peer, path, text, take_json)
                                 : read_network(peer, path, text);
}
