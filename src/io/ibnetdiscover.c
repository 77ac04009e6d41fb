/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/ibnetdiscover.h"

#include "base/hash.h"
#include "base/order.h"
#include "io/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Data rate of four lanes, Gb/s (InfiniBand Trade Association's roadmap; encoding taken
 * off: 8b/10b to QDR, 64b/66b from FDR). */
static const struct {
    const char *word;
    double gb_per_s;
} speeds[] = {
    {"FDR10", 40.0}, {"SDR", 8.0},   {"DDR", 16.0},  {"QDR", 32.0},  {"FDR", 54.5},
    {"EDR", 100.0},  {"HDR", 200.0}, {"NDR", 400.0}, {"XDR", 800.0},
};

/* One line of a record: this end of a cable. */
struct end {
    uint32_t node, port, peer, peer_port;
    size_t lanes;
    double bytes_per_s;
    const char *speed;
    size_t line;
};

struct reader {
    struct ry_arena *arena;
    struct ry_ib_fabric fabric;
    size_t node_room, n_ends, end_room;
    struct end *ends;
    size_t n_slots;
    uint32_t *slots;  /* [n_slots] index of a node plus one */
    uint32_t current; /* node whose ports follow, plus one; 0: none */
    size_t line;
    bool out_of_memory, too_many;
    struct ry_lines lines;
};

/* Twice the room of an array in the arena. */
static void *grown(struct reader *reader, const void *old, size_t n, size_t *room,
                   size_t size)
{
    const size_t wanted = *room ? 2 * *room : 64;
    void *more = ry_arena_alloc(reader->arena, wanted, size);

    if (!more) {
        reader->out_of_memory = true;
        return NULL;
    }
    if (n > 0)
        memcpy(more, old, n * size);
    *room = wanted;
    return more;
}

static enum ry_ib_kind kind_of(struct ry_slice guid)
{
    return guid.at[0] == 'S'   ? RY_IB_SWITCH
           : guid.at[0] == 'R' ? RY_IB_ROUTER
                               : RY_IB_ADAPTER;
}

/* Index plus one of the node, made when it is new; 0 when it does not fit. */
static uint32_t node_of(struct reader *reader, struct ry_slice guid)
{
    struct ry_ib_fabric *fabric = &reader->fabric;
    const size_t n_slots = reader->n_slots;
    size_t slot = ry_hash(RY_HASH_START, guid.at, guid.n) % n_slots;

    for (; reader->slots[slot]; slot = (slot + 1) % n_slots)
        if (ry_slice_eq(guid, fabric->nodes[reader->slots[slot] - 1].guid))
            return reader->slots[slot];
    if (fabric->n_nodes == RY_IB_NODES_MOST) {
        reader->too_many = true;
        return 0;
    }
    if (fabric->n_nodes == reader->node_room) {
        struct ry_ib_node *more = grown(reader, fabric->nodes, fabric->n_nodes,
                                        &reader->node_room, sizeof(*more));
        if (!more)
            return 0;
        fabric->nodes = more;
    }
    const char *kept = ry_slice_dup(reader->arena, guid);
    if (!kept) {
        reader->out_of_memory = true;
        return 0;
    }
    fabric->nodes[fabric->n_nodes++] =
        (struct ry_ib_node){.kind = kind_of(guid), .guid = kept, .line = reader->line};
    reader->slots[slot] = (uint32_t)fabric->n_nodes;
    return reader->slots[slot];
}

/* The text between the first two quotes; moves @p rest behind them. */
static bool quoted(struct ry_slice *rest, struct ry_slice *text)
{
    const char *open = rest->n ? memchr(rest->at, '"', rest->n) : NULL;
    if (!open)
        return false;
    const size_t left = rest->n - (size_t)(open + 1 - rest->at);
    const char *close = left ? memchr(open + 1, '"', left) : NULL;
    if (!close)
        return false;
    *text = (struct ry_slice){open + 1, (size_t)(close - open - 1)};
    *rest = (struct ry_slice){close + 1, left - text->n - 1};
    return true;
}

static void set_name(struct reader *reader, struct ry_ib_node *node, struct ry_slice name)
{
    struct ry_slice words[RY_WORDS_MOST];

    if (node->name || name.n == 0)
        return;
    node->name = ry_slice_dup(reader->arena, name);
    if (node->kind != RY_IB_ADAPTER)
        return;
    if (ry_slice_find(name, "Aggregation Node")) {
        node->kind = RY_IB_AGGREGATION;
        return;
    }
    const size_t n = ry_words(name, words);
    if (n > 0)
        node->host = ry_slice_dup(reader->arena, words[0]);
    if (n > 1)
        node->device = ry_slice_dup(reader->arena, words[n - 1]);
}

/* `Switch 41 "S-GUID"  # "NAME" ...`; also Ca, Hca and Rt. */
static bool read_record(struct reader *reader, struct ry_slice line)
{
    static const char *const kinds[] = {"Switch", "Ca", "Hca", "Rt"};
    struct ry_slice guid;
    struct ry_slice name = {NULL, 0};
    struct ry_slice rest = line;
    bool known = false;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const size_t n = strlen(kinds[i]);
        known |= ry_slice_starts(line, kinds[i]) && line.n > n &&
                 (line.at[n] == ' ' || line.at[n] == '\t');
    }
    if (!known || !quoted(&rest, &guid) || guid.n < 3 || guid.n > 64)
        return false;
    reader->current = node_of(reader, guid);
    if (!reader->current)
        return true;
    struct ry_ib_node *node = &reader->fabric.nodes[reader->current - 1];
    node->described = true;
    node->line = reader->line;
    struct ry_slice count = ry_slice_after(line, line.at[0] == 'S' ? "Switch" : "a");
    struct ry_printed ports;
    if (line.at[0] == 'R')
        count = ry_slice_after(line, "Rt");
    count = ry_slice_trim(count);
    if (ry_slice_number(count, &ports) && ports.whole && ports.value >= 0.0 &&
        ports.value < 65536.0)
        node->ports = (size_t)ports.value;
    if (quoted(&rest, &name))
        set_name(reader, node, name);
    return true;
}

/* "[21]" at the start of @p rest. */
static bool bracketed(struct ry_slice *rest, uint32_t *port)
{
    struct ry_printed number;

    if (rest->n < 3 || rest->at[0] != '[')
        return false;
    const struct ry_slice digits = {rest->at + 1, rest->n - 1};
    if (!ry_slice_number(digits, &number) || !number.whole || number.value < 0.0 ||
        number.value > 65535.0 || number.used >= digits.n ||
        digits.at[number.used] != ']')
        return false;
    *port = (uint32_t)number.value;
    *rest = (struct ry_slice){digits.at + number.used + 1, digits.n - number.used - 1};
    return true;
}

/* The last word such as 4xHDR. */
static void read_speed(struct reader *reader, struct ry_slice comment, struct end *end)
{
    struct ry_slice words[RY_WORDS_MOST];
    const size_t n = ry_words(comment, words);

    for (size_t i = n; i-- > 0;) {
        struct ry_printed lanes;
        if (!ry_slice_number(words[i], &lanes) || !lanes.whole || lanes.value < 1.0 ||
            lanes.value > 16.0 || lanes.used + 1 >= words[i].n ||
            words[i].at[lanes.used] != 'x')
            continue;
        const struct ry_slice name = {words[i].at + lanes.used + 1,
                                      words[i].n - lanes.used - 1};
        for (size_t k = 0; k < sizeof(speeds) / sizeof(speeds[0]); k++) {
            if (!ry_slice_eq(name, speeds[k].word))
                continue;
            end->lanes = (size_t)lanes.value;
            end->bytes_per_s = speeds[k].gb_per_s * lanes.value / 4.0 * 1e9 / 8.0;
            end->speed = ry_slice_dup(reader->arena, words[i]);
            return;
        }
    }
}

static void add_end(struct reader *reader, const struct end *end)
{
    if (reader->n_ends == RY_IB_ENDS_MOST) {
        reader->too_many = true;
        return;
    }
    if (reader->n_ends == reader->end_room) {
        struct end *more =
            grown(reader, reader->ends, reader->n_ends, &reader->end_room, sizeof(*more));
        if (!more)
            return;
        reader->ends = more;
    }
    reader->ends[reader->n_ends++] = *end;
}

/* `[1](guid) "S-GUID"[21](guid)  # ... "NAME" lid L 4xHDR` */
static void read_port(struct reader *reader, struct ry_slice line)
{
    struct end end = {.bytes_per_s = (double)NAN, .line = reader->line};
    struct ry_slice rest = line;
    struct ry_slice guid;
    struct ry_slice name;

    if (!reader->current || !bracketed(&rest, &end.port) || !quoted(&rest, &guid) ||
        guid.n < 3 || guid.n > 64 || !bracketed(&rest, &end.peer_port))
        return;
    end.node = reader->current - 1;
    const uint32_t peer = node_of(reader, guid);
    if (!peer)
        return;
    end.peer = peer - 1;
    struct ry_slice comment = ry_slice_after(rest, "#");
    read_speed(reader, comment, &end);
    if (quoted(&comment, &name))
        set_name(reader, &reader->fabric.nodes[end.peer], name);
    add_end(reader, &end);
}

static void read_line(struct reader *reader, struct ry_slice line)
{
    if (line.n == 0 || line.at[0] == '#')
        return;
    if (line.at[0] == '[')
        read_port(reader, line);
    else if (!read_record(reader, line) && ry_slice_find(line, "guid="))
        reader->current = 0;
}

/* Both lines of a cable next to each other: lower end first. */
static bool is_lower(const struct end *end)
{
    return end->node < end->peer ||
           (end->node == end->peer && end->port <= end->peer_port);
}

static struct ry_ib_link link_of(const struct end *end)
{
    const bool lower = is_lower(end);

    return (struct ry_ib_link){
        .a = lower ? end->node : end->peer,
        .a_port = lower ? end->port : end->peer_port,
        .b = lower ? end->peer : end->node,
        .b_port = lower ? end->peer_port : end->port,
        .lanes = end->lanes,
        .bytes_per_s = end->bytes_per_s,
        .speed = end->speed,
        .seen = 1,
        .line = end->line,
    };
}

static int compare(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

static int by_ends(const void *x, const void *y)
{
    const struct ry_ib_link *a = x, *b = y;
    int order = compare(a->a, b->a);

    order = order ? order : compare(a->a_port, b->a_port);
    order = order ? order : compare(a->b, b->b);
    order = order ? order : compare(a->b_port, b->b_port);
    return order ? order : compare(a->line, b->line);
}

static bool same_ends(const struct ry_ib_link *a, const struct ry_ib_link *b)
{
    return a->a == b->a && a->a_port == b->a_port && a->b == b->b &&
           a->b_port == b->b_port;
}

static void join_ends(struct reader *reader)
{
    struct ry_ib_fabric *fabric = &reader->fabric;

    fabric->links = RY_NEW(reader->arena, struct ry_ib_link, reader->n_ends + 1);
    if (!fabric->links) {
        reader->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < reader->n_ends; i++)
        fabric->links[i] = link_of(&reader->ends[i]);
    qsort(fabric->links, reader->n_ends, sizeof(fabric->links[0]), by_ends);
    for (size_t i = 0; i < reader->n_ends; i++) {
        struct ry_ib_link *last =
            fabric->n_links ? &fabric->links[fabric->n_links - 1] : NULL;
        const struct ry_ib_link *next = &fabric->links[i];
        if (last && same_ends(last, next)) {
            last->seen = 2;
            last->ends_differ |= isfinite(last->bytes_per_s) &&
                                 isfinite(next->bytes_per_s) &&
                                 last->bytes_per_s != next->bytes_per_s;
            continue;
        }
        fabric->links[fabric->n_links++] = *next;
    }
}

/* Distinct names of hosts, by sorting pointers. */
static void count_nodes(struct reader *reader)
{
    struct ry_ib_fabric *fabric = &reader->fabric;
    const char **hosts = RY_NEW(reader->arena, const char *, fabric->n_nodes + 1);
    size_t n = 0;

    if (!hosts) {
        reader->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < fabric->n_nodes; i++) {
        const struct ry_ib_node *node = &fabric->nodes[i];
        fabric->switches += node->kind == RY_IB_SWITCH;
        fabric->adapters += node->kind == RY_IB_ADAPTER;
        fabric->aggregation += node->kind == RY_IB_AGGREGATION;
        if (node->host)
            hosts[n++] = node->host;
    }
    if (n > 0)
        qsort(hosts, n, sizeof(hosts[0]), ry_by_text);
    for (size_t i = 0; i < n; i++)
        fabric->hosts += i == 0 || strcmp(hosts[i], hosts[i - 1]) != 0;
    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct ry_ib_link *link = &fabric->links[i];
        fabric->one_sided += link->seen == 1 && fabric->nodes[link->a].described &&
                             fabric->nodes[link->b].described;
    }
}

enum ry_err ry_ibnet_parse(struct ry_arena *arena, const char *path, const char *text,
                           size_t bytes, struct ry_ib_fabric *fabric,
                           struct ry_diag *diag)
{
    struct reader *reader = RY_NEW(arena, struct reader, 1);
    const size_t most = 2 * (size_t)RY_IB_NODES_MOST;
    /* A GUID takes more than 8 bytes: a short text costs little. */
    const size_t n_slots = bytes / 4 + 64 < most ? bytes / 4 + 64 : most;
    uint32_t *slots = RY_NEW(arena, uint32_t, n_slots);
    struct ry_slice line;

    if (!reader || !slots)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    reader->arena = arena;
    reader->slots = slots;
    reader->n_slots = n_slots;
    reader->lines.at = text;
    reader->lines.end = text + bytes;
    while (ry_lines_next(&reader->lines, &line) && !reader->out_of_memory &&
           !reader->too_many) {
        reader->line = reader->lines.number;
        read_line(reader, ry_slice_trim(line));
    }
    if (reader->too_many)
        return ry_fail(diag, RY_ERR_RANGE, path, "over %d nodes or %d ports",
                       RY_IB_NODES_MOST, RY_IB_ENDS_MOST);
    if (reader->fabric.n_nodes == 0 && !reader->out_of_memory)
        return ry_fail(diag, RY_ERR_SYNTAX, path, "no record of ibnetdiscover");
    join_ends(reader);
    count_nodes(reader);
    if (reader->out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory for the fabric");
    *fabric = reader->fabric;
    return RY_OK;
}
