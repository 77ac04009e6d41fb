/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_log.h"

#include "base/hash.h"
#include "base/names.h"
#include "io/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOST_SLOTS = 4 * RY_LOG_HOSTS_MOST,
    RANKS_MOST = 1 << 20,
    PREDICTIONS_MOST = 256,
    IFACES_MOST = 64,
};

static const double unknown = (double)NAN;

struct reader {
    struct ry_arena *arena;
    struct ry_nccl_log *log;
    bool out_of_memory;
    const char *path; /* owned by the arena */
    size_t line;
    struct ry_log_host *host;    /* of the line */
    struct ry_log_host *last;    /* met last in this file */
    const char *pending_version; /* printed before any host was named */
    size_t pending_line;
    size_t n_slots, n_ranks; /* by the length of the texts: a short one costs little */
    uint32_t *slots;         /* [n_slots] index of a host plus one */
    uint32_t *rank_hosts;    /* [n_ranks] index of a host plus one */
    size_t room;
    /* Host asked for last: logs come in long stretches of one host. */
    struct ry_slice last_name;
    struct ry_lines lines;
};

static struct ry_log_place here(const struct reader *reader)
{
    return (struct ry_log_place){reader->path, reader->line};
}

static const char *kept(struct reader *reader, struct ry_slice word)
{
    const char *copy = ry_slice_dup(reader->arena, word);

    reader->out_of_memory |= copy == NULL;
    return copy ? copy : "";
}

static struct ry_log_host *add_host(struct reader *reader, struct ry_slice name)
{
    struct ry_nccl_log *log = reader->log;

    if (log->n_hosts == RY_LOG_HOSTS_MOST || 2 * log->n_hosts >= reader->n_slots)
        return NULL;
    if (log->n_hosts == reader->room) {
        const size_t room = reader->room ? 2 * reader->room : 16;
        struct ry_log_host *hosts = RY_NEW(reader->arena, struct ry_log_host, room);
        if (!hosts) {
            reader->out_of_memory = true;
            return NULL;
        }
        if (log->n_hosts)
            memcpy(hosts, log->hosts, log->n_hosts * sizeof(*hosts));
        log->hosts = hosts;
        reader->room = room;
        reader->last = NULL;
    }
    struct ry_log_host *host = &log->hosts[log->n_hosts++];
    host->name = kept(reader, name);
    return host;
}

static struct ry_log_host *find_host(struct reader *reader, struct ry_slice name)
{
    size_t slot = ry_hash(RY_HASH_START, name.at, name.n) % reader->n_slots;

    if (reader->last && ry_slice_eq(name, reader->last->name))
        return reader->last;
    for (; reader->slots[slot]; slot = (slot + 1) % reader->n_slots) {
        struct ry_log_host *host = &reader->log->hosts[reader->slots[slot] - 1];
        if (ry_slice_eq(name, host->name))
            return host;
    }
    struct ry_log_host *host = add_host(reader, name);
    if (host)
        reader->slots[slot] = (uint32_t)reader->log->n_hosts;
    return host;
}

static void note(struct reader *reader, enum ry_log_event_id id, struct ry_slice word)
{
    struct ry_log_event *event = &reader->host->events[id];

    if (event->count++ > 0)
        return;
    event->first = here(reader);
    if (word.n > 0)
        event->text = kept(reader, word);
}

static const struct ry_slice nothing = {NULL, 0};

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

static double number_after(struct ry_slice text, const char *word)
{
    const struct ry_slice rest = ry_slice_trim(ry_slice_after(text, word));
    struct ry_printed number;

    return rest.n > 0 && ry_slice_number(rest, &number) ? number.value : unknown;
}

static struct ry_slice until(struct ry_slice text, const char *stops)
{
    size_t n = 0;

    while (n < text.n && strchr(stops, text.at[n]) == NULL)
        n++;
    return (struct ry_slice){text.at, n};
}

/* NICs. */

static struct ry_log_nic *nic_at(struct reader *reader, double index)
{
    struct ry_log_host *host = reader->host;

    if (!(index >= 0.0 && index < RY_LOG_NICS_MOST))
        return NULL;
    if (!host->nics)
        host->nics = RY_NEW(reader->arena, struct ry_log_nic, RY_LOG_NICS_MOST);
    if (!host->nics) {
        reader->out_of_memory = true;
        return NULL;
    }
    while (host->n_nics <= (size_t)index)
        host->nics[host->n_nics++] = (struct ry_log_nic){.place = here(reader)};
    return &host->nics[(size_t)index];
}

static void note_iface(struct reader *reader, struct ry_slice name)
{
    struct ry_log_host *host = reader->host;

    if (!host->ifaces)
        host->ifaces = RY_NEW(reader->arena, struct ry_log_iface, IFACES_MOST);
    if (!host->ifaces) {
        reader->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < host->n_ifaces; i++) {
        if (ry_slice_eq(name, host->ifaces[i].name))
            return;
    }
    if (host->n_ifaces < IFACES_MOST)
        host->ifaces[host->n_ifaces++] =
            (struct ry_log_iface){kept(reader, name), here(reader)};
}

/* "[0]mlx5_0:1/IB": name, port, link. */
static void read_nic(struct reader *reader, double index, struct ry_slice rest)
{
    const struct ry_slice name = until(rest, ":/ ;");
    const struct ry_slice link = until(ry_slice_after(until(rest, " ;"), "/"), " ;[");
    struct ry_log_nic *nic = name.n > 0 ? nic_at(reader, index) : NULL;

    if (!nic)
        return;
    reader->host->nics_listed = true;
    if (reader->host->nics_place.line == 0)
        reader->host->nics_place = here(reader);
    if (nic->name)
        return;
    nic->name = kept(reader, name);
    nic->link = link.n > 0 && link.n < 16 ? kept(reader, link) : NULL;
    nic->place = here(reader);
}

/* "NET/IB : Using [0]mlx5_0:1/IB [1]... [RO]; OOB eth0:ADDR<0>", and NET/Socket's. */
static void read_using(struct reader *reader, struct ry_slice message)
{
    const bool socket = ry_slice_find(message, "NET/Socket") != NULL;
    struct ry_slice rest = ry_slice_after(message, "Using ");

    for (int i = 0; rest.n > 0 && i < 2 * RY_LOG_NICS_MOST; i++) {
        const char *open = memchr(rest.at, '[', rest.n);
        if (!open)
            break;
        rest = (struct ry_slice){open + 1, rest.n - (size_t)(open + 1 - rest.at)};
        struct ry_printed index;
        if (!ry_slice_number(rest, &index) || !index.whole || index.used >= rest.n ||
            rest.at[index.used] != ']')
            continue;
        rest = (struct ry_slice){rest.at + index.used + 1, rest.n - index.used - 1};
        if (socket)
            note_iface(reader, until(rest, ": "));
        else
            read_nic(reader, index.value, rest);
    }
    const struct ry_slice oob = ry_slice_trim(ry_slice_after(message, "OOB "));
    if (oob.n > 0)
        note(reader, RY_LOG_OOB, until(oob, ": "));
}

static void read_network(struct reader *reader, struct ry_slice message)
{
    const struct ry_slice name = ry_slice_trim(ry_slice_after(message, "Using network "));

    note(reader, RY_LOG_NETWORK, name);
    if (ry_slice_eq(name, "Socket"))
        note(reader, RY_LOG_NETWORK_SOCKET, name);
}

static void read_bootstrap(struct reader *reader, struct ry_slice message)
{
    const struct ry_slice rest = ry_slice_trim(ry_slice_after(message, "Using "));

    if (rest.n > 0)
        note(reader, RY_LOG_BOOTSTRAP, until(rest, ": "));
}

/* "... Enabled|Disabled for HCA 0 'mlx5_0'", or "for GPU x / HCA 0 (distance 7 > 4)":
 * far pairs are off on every healthy node, so a pair says little about its NIC. */
static void read_gdr(struct reader *reader, struct ry_slice message)
{
    const bool on = ry_slice_find(message, " Enabled ") != NULL;
    const bool pair = ry_slice_find(message, " GPU ") &&
                      ry_slice_find(message, "for GPU ") != NULL;
    struct ry_log_nic *nic = nic_at(reader, number_after(message, "HCA "));

    if (!nic || (!on && !ry_slice_find(message, " Disabled ")))
        return;
    const struct ry_slice name = until(ry_slice_after(message, "'"), "' ");
    if (!nic->name && name.n > 0)
        nic->name = kept(reader, name);
    if (nic->gdr == RY_GDR_UNSAID || (pair && on)) {
        nic->gdr = on ? RY_GDR_ON : RY_GDR_OFF;
        nic->gdr_place = here(reader);
    }
    if (on && number_after(message, "read ") == 0.0)
        note(reader, RY_LOG_GDR_READ_OFF, nothing);
}

/* Channels: "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA", old "Ring 00 :". */
struct channel {
    double from, to;
    int direction; /* 0 send, 1 receive, -1 not said */
    struct ry_slice via;
};

static bool parse_channel(struct ry_slice message, struct channel *channel)
{
    const struct ry_slice ends = ry_slice_after(message, " : ");
    const struct ry_slice to = ry_slice_trim(ry_slice_after(ends, "->"));

    channel->via = ry_slice_trim(ry_slice_after(message, " via "));
    if (!to.at || channel->via.n == 0)
        return false;
    channel->from = number_after(message, " : ");
    channel->to = number_after(message, "->");
    channel->direction = ry_slice_find(message, "[send]")      ? 0
                         : ry_slice_find(message, "[receive]") ? 1
                                                               : -1;
    return channel->from >= 0.0 && channel->to >= 0.0;
}

static bool same_host(const struct reader *reader, const struct channel *channel)
{
    return channel->from < (double)reader->n_ranks &&
           channel->to < (double)reader->n_ranks &&
           reader->rank_hosts[(size_t)channel->from] != 0 &&
           reader->rank_hosts[(size_t)channel->from] ==
               reader->rank_hosts[(size_t)channel->to];
}

/* The number of "NET/NAME/3(4)/GDRDMA"; a NAME may hold blanks. */
static double device_of(struct ry_slice via)
{
    struct ry_printed number;

    for (size_t i = strlen("NET/"); i + 1 < via.n; i++) {
        const struct ry_slice rest = {via.at + i + 1, via.n - i - 1};
        if (via.at[i] == '/' && ry_slice_number(rest, &number) && number.whole)
            return number.value;
    }
    return unknown;
}

static void read_net_channel(struct reader *reader, const struct channel *channel)
{
    const bool socket = ry_slice_starts(channel->via, "NET/Socket") ||
                        ry_slice_starts(channel->via, "NET/FastSocket");
    const bool gdr = ry_slice_find(channel->via, "GDRDMA") != NULL;

    note(reader, socket ? RY_LOG_NET_SOCKET : RY_LOG_NET_IB, nothing);
    if (same_host(reader, channel))
        note(reader, RY_LOG_NET_LOCAL, nothing);
    if (socket || channel->direction < 0)
        return;
    struct ry_log_nic *nic = nic_at(reader, device_of(channel->via));
    if (!nic)
        return;
    if (gdr) {
        nic->with_gdr[channel->direction]++;
        return;
    }
    if (nic->without_gdr[channel->direction]++ == 0)
        nic->without_place[channel->direction] = here(reader);
}

static void read_channel(struct reader *reader, struct ry_slice message)
{
    struct channel channel;

    if (!parse_channel(message, &channel))
        return;
    if (ry_slice_starts(channel.via, "NET/"))
        read_net_channel(reader, &channel);
    else if (ry_slice_starts(channel.via, "SHM"))
        note(reader, RY_LOG_SHM,
             ry_slice_trim(until(ry_slice_after(message, " : "), "v")));
    else if (ry_slice_starts(channel.via, "P2P"))
        note(reader, RY_LOG_P2P, nothing);
}

/* "NCCL_IB_HCA set to mlx5_1", "... set by environment to 1." */
static void read_env(struct reader *reader, struct ry_slice message)
{
    const struct ry_slice named = {ry_slice_find(message, "NCCL_"), 0};
    struct ry_nccl_log *log = reader->log;
    struct ry_slice value = ry_slice_after(message, " set by environment to ");

    if (!value.at)
        value = ry_slice_after(message, " set to ");
    value = ry_slice_trim(value);
    if (value.n > 0 && value.at[value.n - 1] == '.')
        value.n--;
    const struct ry_slice name = until(
        (struct ry_slice){named.at, message.n - (size_t)(named.at - message.at)}, " ");
    if (value.n == 0 || value.n > 512 || name.n > 64)
        return;
    for (size_t i = 0; i < log->n_env; i++) {
        if (ry_slice_eq(name, log->env[i].name) && ry_slice_eq(value, log->env[i].value)) {
            log->env[i].count++;
            return;
        }
    }
    if (log->n_env < RY_LOG_ENV_MOST)
        log->env[log->n_env++] = (struct ry_log_env){
            kept(reader, name), kept(reader, value), 1, here(reader)};
}

static void read_sizes(struct reader *reader, struct ry_slice message)
{
    struct ry_nccl_log *log = reader->log;
    double ranks = number_after(message, " nranks ");
    const double nodes = number_after(message, " nNodes ");

    if (isnan(ranks))
        ranks = number_after(message, " nRanks ");
    /* The largest communicator is the job; others are its groups. */
    if (ranks >= 1.0 && ranks <= RANKS_MOST && !(ranks <= log->ranks))
        log->ranks = ranks;
    if (nodes >= 1.0 && nodes <= RANKS_MOST && !(nodes <= log->nodes))
        log->nodes = nodes;
}

static void read_prediction(struct reader *reader, struct ry_slice message)
{
    struct ry_nccl_log *log = reader->log;
    struct ry_printed bytes;
    const double time_us = number_after(message, " time ");

    if (!ry_slice_number(ry_slice_trim(message), &bytes) || !(time_us > 0.0))
        return;
    if (!log->predictions)
        log->predictions =
            RY_NEW(reader->arena, struct ry_log_prediction, PREDICTIONS_MOST);
    if (!log->predictions) {
        reader->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < log->n_predictions; i++) {
        if (log->predictions[i].bytes == bytes.value)
            return;
    }
    if (log->n_predictions < PREDICTIONS_MOST)
        log->predictions[log->n_predictions++] = (struct ry_log_prediction){
            bytes.value, time_us * 1e-6, here(reader)};
}

static void read_net_speed(struct reader *reader, struct ry_slice message)
{
    const double rate = 1e9 * number_after(message, "+ NET[");

    if (rate > 0.0 && !(rate <= reader->log->net_bytes_per_s))
        reader->log->net_bytes_per_s = rate;
}

static void read_version(struct reader *reader, struct ry_slice message)
{
    const struct ry_slice rest = ry_slice_trim(ry_slice_after(message, "NCCL version "));
    const struct ry_slice version = until(rest, "+ ,");

    if (version.n == 0 || version.n > 24 || version.at[0] < '0' || version.at[0] > '9')
        return;
    if (!reader->host) {
        reader->pending_version = kept(reader, version);
        reader->pending_line = reader->line;
    } else if (!reader->host->version) {
        reader->host->version = kept(reader, version);
        reader->host->version_place = here(reader);
    }
}

static void read_completion(struct reader *reader, struct ry_slice message)
{
    note(reader, RY_LOG_COMPLETION_ERROR,
         until(ry_slice_trim(ry_slice_after(message, "with error ")), ", "));
}

/* Messages that need no more than to be counted. */
static const struct {
    const char *needle;
    enum ry_log_event_id id;
} counted[] = {
    {"NET/IB : No device found", RY_LOG_NO_IB_DEVICE},
    {"Failed to open libibverbs", RY_LOG_NO_LIBIBVERBS},
    {"Failed to find ncclNetPlugin", RY_LOG_PLUGIN_SYMBOL},
    {"Failed to find ncclNet_v", RY_LOG_PLUGIN_SYMBOL},
    {"multicast support is not available", RY_LOG_NO_NVLS},
    {"multicast support is available", RY_LOG_WITH_NVLS},
    {"falling back to simple order", RY_LOG_PATH_FALLBACK},
    {"Missing \"iommu=pt\"", RY_LOG_IOMMU},
    {"NUMA auto balancing enabled", RY_LOG_NUMA_BALANCING},
};

/* The rest, by a piece of their text. */
static const struct {
    const char *needle, *second;
    void (*read)(struct reader *, struct ry_slice);
} messages[] = {
    {" via ", "->", read_channel},
    {"NET/", " Using [", read_using},
    {"Using network ", NULL, read_network},
    {"Bootstrap", "Using ", read_bootstrap},
    {"GPU Direct RDMA ", "HCA ", read_gdr},
    {"NCCL_", " set ", read_env},
    {" rank ", " nranks ", read_sizes},
    {" rank ", " nRanks ", read_sizes},
    {" Bytes -> Algo ", " time ", read_prediction},
    {"+ NET[", NULL, read_net_speed},
    {"NCCL version ", NULL, read_version},
    {"Got completion with error ", NULL, read_completion},
};

static void read_message(struct reader *reader, struct ry_slice message)
{
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        if (!ry_slice_find(message, messages[i].needle) ||
            (messages[i].second && !ry_slice_find(message, messages[i].second)))
            continue;
        messages[i].read(reader, message);
        return;
    }
    for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
        if (ry_slice_find(message, counted[i].needle))
            note(reader, counted[i].id, nothing);
    }
    const struct ry_slice failed = ry_slice_after(message, "Failed to initialize NET plugin ");
    if (failed.n > 0)
        note(reader, RY_LOG_PLUGIN_FAILED, until(failed, " "));
}

static void take_host(struct reader *reader, struct ry_slice name)
{
    reader->host = find_host(reader, name);
    reader->last = reader->host;
    if (!reader->host || !reader->pending_version)
        return;
    if (!reader->host->version) {
        reader->host->version = reader->pending_version;
        reader->host->version_place =
            (struct ry_log_place){reader->path, reader->pending_line};
    }
    reader->pending_version = NULL;
}

/* Calls @p read for each message of a line; several may stand in a torn one. */
static void split_line(struct reader *reader, struct ry_slice line,
                       void (*read)(struct reader *, struct ry_slice))
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
        if (!reader->host)
            return;
        reader->log->n_lines++;
        const char *next = ry_slice_find(rest, marks[0]);
        read(reader, (struct ry_slice){rest.at, next ? (size_t)(next - rest.at) : rest.n});
    }
}

static void learn_rank(struct reader *reader, struct ry_slice message)
{
    const double rank = number_after(message, " rank ");

    /* Communicators of groups number their ranks anew: the first one counts. */
    if (rank >= 0.0 && rank < (double)reader->n_ranks && reader->rank_hosts[(size_t)rank] == 0 &&
        ry_slice_find(message, "comm "))
        reader->rank_hosts[(size_t)rank] =
            (uint32_t)(reader->host - reader->log->hosts) + 1;
}

static void start_file(struct reader *reader, const struct ry_log_text *text)
{
    reader->path = ry_strdup(reader->arena, text->path);
    if (!reader->path) {
        reader->out_of_memory = true;
        reader->path = "";
    }
    reader->pending_version = NULL;
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
    while (ry_lines_next(&reader->lines, &line) && !reader->out_of_memory) {
        if (ry_slice_find(line, " nranks ") || ry_slice_find(line, " nRanks "))
            split_line(reader, line, learn_rank);
    }
}

static void read_text(struct reader *reader, const struct ry_log_text *text)
{
    struct ry_slice line;

    start_file(reader, text);
    while (ry_lines_next(&reader->lines, &line) && !reader->out_of_memory) {
        reader->line = reader->lines.number;
        if (ry_slice_find(line, "NCCL INFO ") || ry_slice_find(line, "NCCL WARN "))
            split_line(reader, line, read_message);
        else if (ry_slice_find(line, "NCCL version ")) {
            reader->host = reader->last;
            read_version(reader, line);
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
    const double ranks = reader->log->ranks;

    if (!(ranks >= 1.0) || ranks > (double)reader->n_ranks)
        return false;
    for (size_t i = 0; i < (size_t)ranks; i++) {
        if (reader->rank_hosts[i] == 0)
            return false;
    }
    return true;
}

enum ry_err ry_nccl_log_parse(struct ry_arena *arena, size_t n,
                              const struct ry_log_text *texts, struct ry_nccl_log *log,
                              struct ry_diag *diag)
{
    struct reader *reader = RY_NEW(arena, struct reader, 1);
    const size_t n_slots = room_for(n, texts, HOST_SLOTS);
    const size_t n_ranks = room_for(n, texts, RANKS_MOST);
    uint32_t *slots = RY_NEW(arena, uint32_t, n_slots);
    uint32_t *rank_hosts = RY_NEW(arena, uint32_t, n_ranks);
    struct ry_nccl_log found = {
        .ranks = unknown, .nodes = unknown, .net_bytes_per_s = unknown};

    if (!reader || !slots || !rank_hosts)
        return ry_fail(diag, RY_ERR_NOMEM, n ? texts[0].path : "log", "no memory");
    reader->arena = arena;
    reader->log = &found;
    reader->slots = slots;
    reader->rank_hosts = rank_hosts;
    reader->n_slots = n_slots;
    reader->n_ranks = n_ranks;
    for (size_t i = 0; i < n; i++)
        read_ranks(reader, &texts[i]);
    found.n_lines = 0;
    for (size_t i = 0; i < n; i++)
        read_text(reader, &texts[i]);
    if (reader->out_of_memory)
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
