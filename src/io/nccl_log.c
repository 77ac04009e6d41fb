/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_log.h"

#include "base/hash.h"
#include "base/names.h"
#include "io/nccl_message.h"
#include "io/text.h"

#include <stdint.h>
#include <string.h>

enum { HOST_SLOTS = 4 * RY_LOG_HOSTS_MOST };

static const double unknown = (double)NAN;

struct reader {
    struct ry_nccl_reading reading;
    /* Met last in this file: logs come in long stretches of one host. */
    struct ry_log_host *last;
    size_t n_slots;  /* by the length of the texts: a short one costs little */
    uint32_t *slots; /* [n_slots] index of a host plus one */
    size_t room;
    struct ry_lines lines;
};

static struct ry_log_host *add_host(struct reader *reader, struct ry_slice name)
{
    struct ry_nccl_log *log = reader->reading.log;

    if (log->n_hosts == RY_LOG_HOSTS_MOST || 2 * log->n_hosts >= reader->n_slots)
        return NULL;
    if (log->n_hosts == reader->room) {
        const size_t room = reader->room ? 2 * reader->room : 16;
        struct ry_log_host *hosts =
            RY_NEW(reader->reading.arena, struct ry_log_host, room);
        if (!hosts) {
            reader->reading.out_of_memory = true;
            return NULL;
        }
        if (log->n_hosts)
            memcpy(hosts, log->hosts, log->n_hosts * sizeof(*hosts));
        log->hosts = hosts;
        reader->room = room;
        reader->last = NULL;
    }
    struct ry_log_host *host = &log->hosts[log->n_hosts++];
    host->name = ry_nccl_keep(&reader->reading, name);
    return host;
}

static struct ry_log_host *find_host(struct reader *reader, struct ry_slice name)
{
    size_t slot = ry_hash(RY_HASH_START, name.at, name.n) % reader->n_slots;

    if (reader->last && ry_slice_eq(name, reader->last->name))
        return reader->last;
    for (; reader->slots[slot]; slot = (slot + 1) % reader->n_slots) {
        struct ry_log_host *host = &reader->reading.log->hosts[reader->slots[slot] - 1];
        if (ry_slice_eq(name, host->name))
            return host;
    }
    struct ry_log_host *host = add_host(reader, name);
    if (host)
        reader->slots[slot] = (uint32_t)reader->reading.log->n_hosts;
    return host;
}

/* Digits at the end of @p text; shortens it by them and by the colon before. */
static bool cut_number(struct ry_slice *text)
{
    size_t n = text->n;

    while (n > 0 && text->at[n - 1] >= '0' && text->at[n - 1] <= '9')
        n--;
    if (n == text->n || n < 2 || text->at[n - 1] != ':')
        return false;
    text->n = n - 1;
    return true;
}

/* "host:pid:tid", behind a tag without a blank such as "[1,0]<stdout>:". */
static bool host_of_word(struct ry_slice word, struct ry_slice *host)
{
    if (!cut_number(&word) || !cut_number(&word)) /* NOLINT(misc-redundant-expression) */
        return false;
    size_t begin = word.n;
    while (begin > 0 && strchr(":>]|)", word.at[begin - 1]) == NULL)
        begin--;
    *host = (struct ry_slice){word.at + begin, word.n - begin};
    return host->n > 0 && host->n < 256;
}

/* The last such word before the message. */
static bool find_prefix(struct ry_slice before, struct ry_slice *host)
{
    size_t end = before.n;

    for (int words = 0; words < 8; words++) {
        while (end > 0 && before.at[end - 1] == ' ')
            end--;
        size_t begin = end;
        while (begin > 0 && before.at[begin - 1] != ' ')
            begin--;
        if (begin == end)
            return false;
        if (host_of_word((struct ry_slice){before.at + begin, end - begin}, host))
            return true;
        end = begin;
    }
    return false;
}

static void take_host(struct reader *reader, struct ry_slice name)
{
    reader->reading.host = find_host(reader, name);
    reader->last = reader->reading.host;
    if (!reader->reading.host || !reader->reading.pending_version)
        return;
    if (!reader->reading.host->version) {
        reader->reading.host->version = reader->reading.pending_version;
        reader->reading.host->version_place =
            (struct ry_log_place){reader->reading.path, reader->reading.pending_line};
    }
    reader->reading.pending_version = NULL;
}

/* Calls @p read for each message of a line; several may stand in a torn one. */
static void split_line(struct reader *reader, struct ry_slice line,
                       void (*read)(struct ry_nccl_reading *, struct ry_slice))
{
    static const char *const marks[] = {"NCCL INFO ", "NCCL WARN "};
    struct ry_slice rest = line;

    for (;;) {
        const char *info = ry_slice_find(rest, marks[0]);
        const char *warn = ry_slice_find(rest, marks[1]);
        const char *mark = !info || (warn && warn < info) ? warn : info;
        struct ry_slice name;
        if (!mark)
            return;
        const struct ry_slice before = {rest.at, (size_t)(mark - rest.at)};
        const char *begin = mark + strlen(marks[0]);
        rest = (struct ry_slice){begin, rest.n - (size_t)(begin - rest.at)};
        if (!find_prefix(before, &name))
            continue;
        take_host(reader, name);
        if (!reader->reading.host)
            return;
        reader->reading.log->n_lines++;
        const char *next = ry_slice_find(rest, marks[0]);
        read(&reader->reading,
             (struct ry_slice){rest.at, next ? (size_t)(next - rest.at) : rest.n});
    }
}

static void learn_rank(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const double rank = ry_slice_number_after(message, " rank ");

    /* Communicators of groups number their ranks anew: the first one counts. */
    if (rank >= 0.0 && rank < (double)reading->n_ranks &&
        reading->rank_hosts[(size_t)rank] == 0 && ry_slice_find(message, "comm "))
        reading->rank_hosts[(size_t)rank] =
            (uint32_t)(reading->host - reading->log->hosts) + 1;
}

static void start_file(struct reader *reader, const struct ry_log_text *text)
{
    reader->reading.path = ry_strdup(reader->reading.arena, text->path);
    if (!reader->reading.path) {
        reader->reading.out_of_memory = true;
        reader->reading.path = "";
    }
    reader->reading.pending_version = NULL;
    reader->last = NULL;
    reader->lines.at = text->text;
    reader->lines.end = text->text + text->bytes;
    reader->lines.number = 0;
}

/* Which rank is on which host, before channels name ranks. */
static void read_ranks(struct reader *reader, const struct ry_log_text *text)
{
    struct ry_slice line;

    start_file(reader, text);
    while (ry_lines_next(&reader->lines, &line) && !reader->reading.out_of_memory) {
        if (ry_slice_find(line, " nranks ") || ry_slice_find(line, " nRanks "))
            split_line(reader, line, learn_rank);
    }
}

static void read_text(struct reader *reader, const struct ry_log_text *text)
{
    struct ry_slice line;

    start_file(reader, text);
    while (ry_lines_next(&reader->lines, &line) && !reader->reading.out_of_memory) {
        reader->reading.line = reader->lines.number;
        if (ry_slice_find(line, "NCCL INFO ") || ry_slice_find(line, "NCCL WARN "))
            split_line(reader, line, ry_nccl_message_read);
        else if (ry_slice_find(line, "NCCL version ")) {
            reader->reading.host = reader->last;
            ry_nccl_version_read(&reader->reading, line);
        }
    }
}

/* A line that names a host or a rank is longer than 16 bytes. */
static size_t room_for(size_t n, const struct ry_log_text *texts, size_t most)
{
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += texts[i].bytes;
    const size_t room = bytes / 4 + 64;
    return room < most ? room : most;
}

static bool all_ranks_seen(const struct reader *reader)
{
    const double ranks = reader->reading.log->ranks;

    if (!(ranks >= 1.0) || ranks > (double)reader->reading.n_ranks)
        return false;
    for (size_t i = 0; i < (size_t)ranks; i++)
        if (reader->reading.rank_hosts[i] == 0)
            return false;
    return true;
}

enum ry_err ry_nccl_log_parse(struct ry_arena *arena, size_t n,
                              const struct ry_log_text *texts, struct ry_nccl_log *log,
                              struct ry_diag *diag)
{
    struct reader *reader = RY_NEW(arena, struct reader, 1);
    const size_t n_slots = room_for(n, texts, HOST_SLOTS);
    const size_t n_ranks = room_for(n, texts, RY_LOG_RANKS_MOST);
    uint32_t *slots = RY_NEW(arena, uint32_t, n_slots);
    uint32_t *rank_hosts = RY_NEW(arena, uint32_t, n_ranks);
    struct ry_nccl_log found = {
        .ranks = unknown, .nodes = unknown, .net_bytes_per_s = unknown};

    if (!reader || !slots || !rank_hosts)
        return ry_fail(diag, RY_ERR_NOMEM, n ? texts[0].path : "log", "no memory");
    reader->reading.arena = arena;
    reader->reading.log = &found;
    reader->slots = slots;
    reader->reading.rank_hosts = rank_hosts;
    reader->n_slots = n_slots;
    reader->reading.n_ranks = n_ranks;
    for (size_t i = 0; i < n; i++)
        read_ranks(reader, &texts[i]);
    found.n_lines = 0;
    for (size_t i = 0; i < n; i++)
        read_text(reader, &texts[i]);
    if (reader->reading.out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, n ? texts[0].path : "log", "no memory");
    if (isnan(found.nodes) && found.n_hosts == 1 && all_ranks_seen(reader))
        found.nodes = 1.0;
    if (found.n_lines == 0)
        return ry_fail(diag, RY_ERR_SYNTAX, n ? texts[0].path : "log",
                       "no line of NCCL in it: run with NCCL_DEBUG=INFO");
    *log = found;
    return RY_OK;
}

struct ry_log_event ry_nccl_log_event(const struct ry_nccl_log *log,
                                      enum ry_log_event_id id)
{
    struct ry_log_event sum = {.count = 0};

    for (size_t i = 0; i < log->n_hosts; i++) {
        const struct ry_log_event *event = &log->hosts[i].events[id];
        if (event->count > 0 && sum.count == 0)
            sum = *event;
        else
            sum.count += event->count;
    }
    return sum;
}
