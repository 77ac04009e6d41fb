/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/slurm.h"

#include "base/names.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 18, NUMBER_TEXT_BYTES = 32 };

/* A growing text in an arena; what it outgrows stays behind, at most as much again. */
struct text {
    struct ry_arena *arena;
    char *at;
    size_t n, room;
    bool failed;
};

static void append(struct text *text, const char *piece, size_t bytes)
{
    if (text->failed)
        return;
    if (text->n + bytes + 1 > text->room) {
        const size_t room = 2 * (text->n + bytes + 1) + 62;
        char *bigger = RY_NEW(text->arena, char, room);
        if (!bigger) {
            text->failed = true;
            return;
        }
        if (text->n > 0)
            memcpy(bigger, text->at, text->n);
        text->at = bigger;
        text->room = room;
    }
    memcpy(text->at + text->n, piece, bytes);
    text->n += bytes;
    text->at[text->n] = '\0';
}

static void append_text(struct text *text, const char *piece)
{
    append(text, piece, strlen(piece));
}

struct host {
    const char *name;
    size_t prefix; /* characters before the trailing digits */
    size_t digits;
    uint64_t number;
};

static struct host split_host(const char *name)
{
    struct host host = {.name = name, .prefix = strlen(name)};

    while (host.prefix > 0 && host.digits < DIGITS_MOST && name[host.prefix - 1] >= '0' &&
           name[host.prefix - 1] <= '9') {
        host.prefix--;
        host.digits++;
    }
    for (size_t i = 0; i < host.digits; i++)
        host.number = 10 * host.number + (uint64_t)(name[host.prefix + i] - '0');
    return host;
}

static int prefix_order(const struct host *a, const struct host *b)
{
    const size_t shorter = a->prefix < b->prefix ? a->prefix : b->prefix;
    const int order = memcmp(a->name, b->name, shorter);

    if (order != 0)
        return order;
    return (a->prefix > b->prefix) - (a->prefix < b->prefix);
}

static int host_order(const void *left, const void *right)
{
    const struct host *a = left;
    const struct host *b = right;
    const int order = prefix_order(a, b);

    if (order != 0)
        return order;
    if (a->digits != b->digits)
        return a->digits < b->digits ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool padded(const struct host *host)
{
    return host->digits > 1 && host->name[host->prefix] == '0';
}

static bool follows(const struct host *a, const struct host *b)
{
    return b->number == a->number + 1 &&
           (a->digits == b->digits || (!padded(a) && !padded(b)));
}

static void append_ranges(struct text *text, const struct host hosts[], size_t n)
{
    for (size_t i = 0, last; i < n; i = last + 1) {
        last = i;
        while (last + 1 < n && follows(&hosts[last], &hosts[last + 1]))
            last++;
        if (i > 0)
            append(text, ",", 1);
        append(text, hosts[i].name + hosts[i].prefix, hosts[i].digits);
        if (last > i) {
            append(text, "-", 1);
            append(text, hosts[last].name + hosts[last].prefix, hosts[last].digits);
        }
    }
}

const char *ry_hostlist_fold(struct ry_arena *arena, const char *const names[], size_t n,
                             bool sorted)
{
    struct text text = {.arena = arena};
    struct host *hosts = RY_NEW(arena, struct host, n + 1);

    if (!hosts)
        return NULL;
    for (size_t i = 0; i < n; i++)
        hosts[i] = split_host(names[i]);
    if (sorted)
        qsort(hosts, n, sizeof(*hosts), host_order);
    append(&text, "", 0);
    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        while (end < n && hosts[i].digits > 0 && hosts[end].digits > 0 &&
               prefix_order(&hosts[i], &hosts[end]) == 0)
            end++;
        if (i > 0)
            append(&text, ",", 1);
        append(&text, hosts[i].name, hosts[i].prefix);
        if (end - i > 1)
            append(&text, "[", 1);
        append_ranges(&text, hosts + i, end - i);
        if (end - i > 1)
            append(&text, "]", 1);
    }
    return text.failed ? NULL : text.at;
}

/* Expanding: the names made so far of one comma-separated term, times what comes next. */
struct expansion {
    struct ry_arena *arena;
    struct ry_names done; /* of earlier terms */
    size_t room;
    struct ry_names term; /* of the current term */
};

static enum ry_err too_many(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_RANGE, "host list", "more than %d hosts", RY_HOSTS_MOST);
}

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "host list", "out of memory");
}

/* Every name of the term followed by every suffix. */
static enum ry_err multiply(struct expansion *e, const struct ry_names *suffixes,
                            struct ry_diag *diag)
{
    const size_t n = e->term.n * suffixes->n;

    if (n > RY_HOSTS_MOST)
        return too_many(diag);
    const char **made = RY_NEW(e->arena, const char *, n + 1);
    if (!made)
        return no_memory(diag);
    for (size_t i = 0; i < n; i++) {
        made[i] = ry_strfmt(e->arena, "%s%s", e->term.at[i / suffixes->n],
                            suffixes->at[i % suffixes->n]);
        if (!made[i])
            return no_memory(diag);
    }
    e->term = (struct ry_names){n, made};
    return RY_OK;
}

struct range {
    uint64_t first, last;
    size_t width;
};

static bool read_number(const char **at, uint64_t *number, size_t *width)
{
    const char *start = *at;

    *number = 0;
    while (**at >= '0' && **at <= '9' && *at - start < DIGITS_MOST) {
        *number = 10 * *number + (uint64_t)(**at - '0');
        (*at)++;
    }
    *width = (size_t)(*at - start);
    return *width > 0;
}

static bool read_range(const char **at, struct range *range)
{
    size_t ignored = 0;

    if (!read_number(at, &range->first, &range->width))
        return false;
    range->last = range->first;
    if (**at != '-')
        return true;
    (*at)++;
    return read_number(at, &range->last, &ignored) && range->last >= range->first;
}

/* The numbers of a bracket: *at is after '[' and ends after ']'. */
static enum ry_err read_bracket(struct ry_arena *arena, const char **at,
                                struct ry_names *numbers, struct ry_diag *diag)
{
    struct range range = {0};
    size_t count = 0;

    for (const char *scan = *at;; scan++) {
        if (!read_range(&scan, &range) || (*scan != ',' && *scan != ']'))
            return ry_fail(diag, RY_ERR_SYNTAX, "host list", "bad range at '%.20s'", *at);
        if (range.last - range.first >= RY_HOSTS_MOST)
            return too_many(diag);
        count += (size_t)(range.last - range.first) + 1;
        if (count > RY_HOSTS_MOST)
            return too_many(diag);
        if (*scan == ']')
            break;
    }
    *numbers = (struct ry_names){0, RY_NEW(arena, const char *, count)};
    if (!numbers->at)
        return no_memory(diag);
    for (;; (*at)++) {
        (void)read_range(at, &range);
        for (uint64_t v = range.first; v <= range.last; v++) {
            const char *text =
                ry_strfmt(arena, "%0*llu", (int)range.width, (unsigned long long)v);
            if (!text)
                return no_memory(diag);
            numbers->at[numbers->n++] = text;
        }
        if (**at == ']')
            break;
    }
    (*at)++;
    return RY_OK;
}

static enum ry_err finish_term(struct expansion *e, struct ry_diag *diag)
{
    const size_t n = e->done.n + e->term.n;

    if (n > RY_HOSTS_MOST)
        return too_many(diag);
    if (n > e->room) {
        const size_t room = 2 * n;
        const char **bigger = RY_NEW(e->arena, const char *, room);
        if (!bigger)
            return no_memory(diag);
        if (e->done.n > 0)
            memcpy(bigger, e->done.at, e->done.n * sizeof(*bigger));
        e->done.at = bigger;
        e->room = room;
    }
    memcpy(e->done.at + e->done.n, e->term.at, e->term.n * sizeof(*e->term.at));
    e->done.n = n;
    return RY_OK;
}

static enum ry_err expand_term(struct expansion *e, const char **at, struct ry_diag *diag)
{
    const char **one = RY_NEW(e->arena, const char *, 1);

    if (!one)
        return no_memory(diag);
    one[0] = "";
    e->term = (struct ry_names){1, one};
    while (**at != '\0' && **at != ',') {
        struct ry_names suffixes = {0};
        if (**at == '[') {
            (*at)++;
            RY_TRY(read_bracket(e->arena, at, &suffixes, diag));
        } else {
            const size_t plain = strcspn(*at, "[,");
            const char *text = ry_strfmt(e->arena, "%.*s", (int)plain, *at);
            if (!text)
                return no_memory(diag);
            suffixes = (struct ry_names){1, &text};
            *at += plain;
            RY_TRY(multiply(e, &suffixes, diag));
            continue;
        }
        RY_TRY(multiply(e, &suffixes, diag));
    }
    return finish_term(e, diag);
}

enum ry_err ry_hostlist_expand(struct ry_arena *arena, const char *text,
                               struct ry_names *hosts, struct ry_diag *diag)
{
    struct expansion e = {.arena = arena};

    for (const char *at = text; *at != '\0';) {
        if (*at == ',')
            return ry_fail(diag, RY_ERR_SYNTAX, "host list", "empty name in '%.60s'", text);
        RY_TRY(expand_term(&e, &at, diag));
        if (*at == ',' && *++at == '\0')
            return ry_fail(diag, RY_ERR_SYNTAX, "host list", "'%.60s' ends with a comma",
                           text);
    }
    *hosts = e.done;
    return RY_OK;
}

/* Lines with room for all of them. */
static bool lines_create(struct ry_arena *arena, size_t room, struct ry_names *lines)
{
    *lines = (struct ry_names){0, RY_NEW(arena, const char *, room)};
    return lines->at != NULL;
}

static bool add_line(struct ry_names *lines, const char *line)
{
    if (!line)
        return false;
    lines->at[lines->n++] = line;
    return true;
}

enum ry_err ry_slurm_tree(struct ry_arena *arena, const struct ry_slurm_leaf leaves[],
                          size_t n, const char *top, struct ry_names *lines,
                          struct ry_diag *diag)
{
    const char **names = RY_NEW(arena, const char *, n + 1);

    if (!names || !lines_create(arena, n + 1, lines))
        return no_memory(diag);
    for (size_t i = 0; i < n; i++) {
        names[i] = leaves[i].name;
        if (!add_line(lines, ry_strfmt(arena, "SwitchName=%s Nodes=%s", leaves[i].name,
                                       leaves[i].nodes)))
            return no_memory(diag);
    }
    const char *all = ry_hostlist_fold(arena, names, n, false);
    if (!all || !add_line(lines, ry_strfmt(arena, "SwitchName=%s Switches=%s", top, all)))
        return no_memory(diag);
    return RY_OK;
}

enum ry_err ry_slurm_load(struct ry_arena *arena, const struct ry_slurm_leaf leaves[],
                          size_t n, struct ry_slurm_loaded *loaded, struct ry_diag *diag)
{
    struct text all = {.arena = arena};
    struct ry_names nodes = {0};

    append(&all, "", 0);
    for (size_t i = 0; i < n; i++) {
        append(&all, ",", i > 0);
        append_text(&all, leaves[i].nodes);
    }
    if (all.failed)
        return no_memory(diag);
    RY_TRY(ry_hostlist_expand(arena, all.at, &nodes, diag));
    *loaded = (struct ry_slurm_loaded){
        .leaf_level = 0,
        .root_level = 1,
        .root_nodes = ry_hostlist_fold(arena, nodes.at, nodes.n, false),
        .leaf_leaf_hops = 2,
        .leaf_root_hops = 1,
    };
    return loaded->root_nodes ? RY_OK : no_memory(diag);
}

/* "n[first-last]", or one name, or nothing to fold. */
static const char *span(struct ry_arena *arena, const char *prefix, size_t first,
                        size_t last)
{
    return first == last ? ry_strfmt(arena, "%s%zu", prefix, first)
                         : ry_strfmt(arena, "%s[%zu-%zu]", prefix, first, last);
}

enum ry_err ry_slurm_pods(struct ry_arena *arena, size_t pods, size_t leaves_per_pod,
                          size_t nodes_per_leaf, struct ry_names *lines,
                          struct ry_diag *diag)
{
    const size_t leaves = pods * leaves_per_pod;

    if (pods == 0 || leaves_per_pod == 0 || nodes_per_leaf == 0)
        return ry_fail(diag, RY_ERR_RANGE, "topology.conf", "no pods, leaves or nodes");
    if (!lines_create(arena, leaves + pods + 1, lines))
        return no_memory(diag);
    for (size_t i = 0; i < leaves; i++) {
        const char *nodes =
            span(arena, "n", i * nodes_per_leaf + 1, (i + 1) * nodes_per_leaf);
        if (!nodes ||
            !add_line(lines, ry_strfmt(arena, "SwitchName=leaf%zu Nodes=%s", i, nodes)))
            return no_memory(diag);
    }
    for (size_t i = 0; i < pods; i++) {
        const char *below =
            span(arena, "leaf", i * leaves_per_pod, (i + 1) * leaves_per_pod - 1);
        if (!below ||
            !add_line(lines, ry_strfmt(arena, "SwitchName=pod%zu Switches=%s", i, below)))
            return no_memory(diag);
    }
    const char *all = span(arena, "pod", 0, pods - 1);
    if (!all || !add_line(lines, ry_strfmt(arena, "SwitchName=core Switches=%s", all)))
        return no_memory(diag);
    return RY_OK;
}

static const char *block_sizes_line(struct ry_arena *arena,
                                    const struct ry_block_sizes *sizes)
{
    struct text text = {.arena = arena};

    append_text(&text, "BlockSizes=");
    for (size_t i = 0; i < sizes->n; i++) {
        char number[NUMBER_TEXT_BYTES];
        (void)snprintf(number, sizeof(number), "%s%zu", i ? "," : "", sizes->at[i]);
        append_text(&text, number);
    }
    return text.failed ? NULL : text.at;
}

enum ry_err ry_slurm_blocks(struct ry_arena *arena, size_t racks, size_t trays_per_rack,
                            struct ry_names *lines, struct ry_diag *diag)
{
    char widest[NUMBER_TEXT_BYTES];

    if (racks == 0 || trays_per_rack == 0)
        return ry_fail(diag, RY_ERR_RANGE, "topology.conf", "no racks or trays");
    if (!lines_create(arena, racks + 1, lines))
        return no_memory(diag);
    const int width = snprintf(widest, sizeof(widest), "%zu", racks * trays_per_rack);
    for (size_t i = 0; i < racks; i++) {
        const size_t first = i * trays_per_rack + 1;
        const size_t last = (i + 1) * trays_per_rack;
        const char *line =
            first == last
                ? ry_strfmt(arena, "BlockName=rack%zu Nodes=t%0*zu", i + 1, width, first)
                : ry_strfmt(arena, "BlockName=rack%zu Nodes=t[%0*zu-%0*zu]", i + 1, width,
                            first, width, last);
        if (!add_line(lines, line))
            return no_memory(diag);
    }
    const struct ry_block_sizes sizes = ry_block_sizes(trays_per_rack, racks);
    return add_line(lines, block_sizes_line(arena, &sizes)) ? RY_OK : no_memory(diag);
}

bool ry_block_sizes_valid(const struct ry_block_sizes *sizes)
{
    for (size_t i = 1; i < sizes->n; i++) {
        const size_t times = sizes->at[0] ? sizes->at[i] / sizes->at[0] : 0;
        if (times == 0 || times * sizes->at[0] != sizes->at[i] || (times & (times - 1)) != 0)
            return false;
    }
    return sizes->n > 0 && sizes->at[0] > 0;
}

struct ry_block_sizes ry_block_sizes(size_t smallest_domain, size_t domains)
{
    struct ry_block_sizes sizes = {0};

    for (size_t times = 1; times <= domains && sizes.n < RY_BLOCK_SIZES_MOST; times *= 2)
        sizes.at[sizes.n++] = smallest_domain * times;
    return sizes;
}

struct ry_block_sizes ry_block_sizes_of_subdomain(size_t subdomain, size_t domain)
{
    struct ry_block_sizes sizes = {1, {subdomain}};
    size_t size = subdomain;

    while (size > 0 && size < domain && size <= SIZE_MAX / 2)
        size *= 2;
    if (size > subdomain)
        sizes.at[sizes.n++] = size;
    return sizes;
}

void ry_torus3d_at(const size_t dims[3], size_t index, size_t at[3])
{
    at[0] = index % dims[0];
    at[1] = index / dims[0] % dims[1];
    at[2] = index / (dims[0] * dims[1]);
}

bool ry_netbox_u_height_valid(double u)
{
    return u > 0.0 && fmod(u, 0.5) == 0.0;
}

struct ry_opensm ry_opensm_ftree(struct ry_opensm_input in)
{
    const size_t switches = in.leaves + in.spines;
    const size_t hosts_per_leaf = in.leaves ? (in.hosts + in.leaves - 1) / in.leaves : 0;

    return (struct ry_opensm){
        .accepted = in.spines > 0 && in.links_per_pair > 0 &&
                    hosts_per_leaf + in.spines * in.links_per_pair <= in.radix &&
                    in.leaves * in.links_per_pair <= in.radix,
        .fat_tree_rank = 2,
        .roots = in.spines,
        .leaf_switches = in.leaves,
        .switch_records = switches,
        .ca_records = in.hosts,
        .port_lines = in.hosts + switches * in.radix,
        .switch_switch_links = in.leaves * in.spines * in.links_per_pair,
    };
}
