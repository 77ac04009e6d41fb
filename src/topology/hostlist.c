/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/hostlist.h"

#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 18 };

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
    const struct host *a = left, *b = right;
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
    if (e->term.n > 0)
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
            return ry_fail(diag, RY_ERR_SYNTAX, "host list", "empty name in '%.60s'",
                           text);
        RY_TRY(expand_term(&e, &at, diag));
        if (*at == ',' && *++at == '\0')
            return ry_fail(diag, RY_ERR_SYNTAX, "host list", "'%.60s' ends with a comma",
                           text);
    }
    *hosts = e.done;
    return RY_OK;
}

bool ry_names_create(struct ry_arena *arena, size_t room, struct ry_names *names)
{
    *names = (struct ry_names){0, RY_NEW(arena, const char *, room)};
    return names->at != NULL;
}

bool ry_names_add(struct ry_names *names, const char *name)
{
    if (!name)
        return false;
    names->at[names->n++] = name;
    return true;
}
