/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/nccl_message.h"

#include <string.h>

enum { PREDICTIONS_MOST = 256, IFACES_MOST = 64 };

static const double unknown = (double)NAN;

static struct ry_log_place here(const struct ry_nccl_reading *reading)
{
    return (struct ry_log_place){reading->path, reading->line};
}

const char *ry_nccl_keep(struct ry_nccl_reading *reading, struct ry_slice word)
{
    const char *copy = ry_slice_dup(reading->arena, word);

    reading->out_of_memory |= copy == NULL;
    return copy ? copy : "";
}

static void note(struct ry_nccl_reading *reading, enum ry_log_event_id id,
                 struct ry_slice word)
{
    struct ry_log_event *event = &reading->host->events[id];

    if (event->count++ > 0)
        return;
    event->first = here(reading);
    if (word.n > 0)
        event->text = ry_nccl_keep(reading, word);
}

static const struct ry_slice nothing = {NULL, 0};

/* NICs. */

static struct ry_log_nic *nic_at(struct ry_nccl_reading *reading, double index)
{
    struct ry_log_host *host = reading->host;

    if (!(index >= 0.0 && index < RY_LOG_NICS_MOST))
        return NULL;
    if (!host->nics)
        host->nics = RY_NEW(reading->arena, struct ry_log_nic, RY_LOG_NICS_MOST);
    if (!host->nics) {
        reading->out_of_memory = true;
        return NULL;
    }
    while (host->n_nics <= (size_t)index)
        host->nics[host->n_nics++] = (struct ry_log_nic){.place = here(reading)};
    return &host->nics[(size_t)index];
}

static void note_iface(struct ry_nccl_reading *reading, struct ry_slice name)
{
    struct ry_log_host *host = reading->host;

    if (!host->ifaces)
        host->ifaces = RY_NEW(reading->arena, struct ry_log_iface, IFACES_MOST);
    if (!host->ifaces) {
        reading->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < host->n_ifaces; i++)
        if (ry_slice_eq(name, host->ifaces[i].name))
            return;
    if (host->n_ifaces < IFACES_MOST)
        host->ifaces[host->n_ifaces++] =
            (struct ry_log_iface){ry_nccl_keep(reading, name), here(reading)};
}

/* "[0]mlx5_0:1/IB": name, port, link. */
static void read_nic(struct ry_nccl_reading *reading, double index, struct ry_slice rest)
{
    const struct ry_slice name = ry_slice_until(rest, ":/ ;");
    const struct ry_slice link =
        ry_slice_until(ry_slice_after(ry_slice_until(rest, " ;"), "/"), " ;[");
    struct ry_log_nic *nic = name.n > 0 ? nic_at(reading, index) : NULL;

    if (!nic)
        return;
    reading->host->nics_listed = true;
    if (reading->host->nics_place.line == 0)
        reading->host->nics_place = here(reading);
    if (nic->name)
        return;
    nic->name = ry_nccl_keep(reading, name);
    nic->link = link.n > 0 && link.n < 16 ? ry_nccl_keep(reading, link) : NULL;
    nic->place = here(reading);
}

/* "NET/IB : Using [0]mlx5_0:1/IB [1]... [RO]; OOB eth0:ADDR<0>", and NET/Socket's. */
static void read_using(struct ry_nccl_reading *reading, struct ry_slice message)
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
            note_iface(reading, ry_slice_until(rest, ": "));
        else
            read_nic(reading, index.value, rest);
    }
    const struct ry_slice oob = ry_slice_trim(ry_slice_after(message, "OOB "));
    if (oob.n > 0)
        note(reading, RY_LOG_OOB, ry_slice_until(oob, ": "));
}

static void read_network(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const struct ry_slice name = ry_slice_trim(ry_slice_after(message, "Using network "));

    note(reading, RY_LOG_NETWORK, name);
    if (ry_slice_eq(name, "Socket"))
        note(reading, RY_LOG_NETWORK_SOCKET, name);
}

static void read_bootstrap(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const struct ry_slice rest = ry_slice_trim(ry_slice_after(message, "Using "));

    if (rest.n > 0)
        note(reading, RY_LOG_BOOTSTRAP, ry_slice_until(rest, ": "));
}

/* "... Enabled|Disabled for HCA 0 'mlx5_0'", or "for GPU x / HCA 0 (distance 7 > 4)":
 * far pairs are off on every healthy node, so a pair says little about its NIC. */
static void read_gdr(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const bool on = ry_slice_find(message, " Enabled ") != NULL;
    const bool pair =
        ry_slice_find(message, " GPU ") && ry_slice_find(message, "for GPU ") != NULL;
    struct ry_log_nic *nic = nic_at(reading, ry_slice_number_after(message, "HCA "));

    if (!nic || (!on && !ry_slice_find(message, " Disabled ")))
        return;
    const struct ry_slice name = ry_slice_until(ry_slice_after(message, "'"), "' ");
    if (!nic->name && name.n > 0)
        nic->name = ry_nccl_keep(reading, name);
    if (nic->gdr == RY_GDR_UNSAID || (pair && on)) {
        nic->gdr = on ? RY_GDR_ON : RY_GDR_OFF;
        nic->gdr_place = here(reading);
    }
    if (on && ry_slice_number_after(message, "read ") == 0.0)
        note(reading, RY_LOG_GDR_READ_OFF, nothing);
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
    channel->from = ry_slice_number_after(message, " : ");
    channel->to = ry_slice_number_after(message, "->");
    channel->direction = ry_slice_find(message, "[send]")      ? 0
                         : ry_slice_find(message, "[receive]") ? 1
                                                               : -1;
    return channel->from >= 0.0 && channel->to >= 0.0;
}

static bool same_host(const struct ry_nccl_reading *reading,
                      const struct channel *channel)
{
    return channel->from < (double)reading->n_ranks &&
           channel->to < (double)reading->n_ranks &&
           reading->rank_hosts[(size_t)channel->from] != 0 &&
           reading->rank_hosts[(size_t)channel->from] ==
               reading->rank_hosts[(size_t)channel->to];
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

static void read_net_channel(struct ry_nccl_reading *reading,
                             const struct channel *channel)
{
    const bool socket = ry_slice_starts(channel->via, "NET/Socket") ||
                        ry_slice_starts(channel->via, "NET/FastSocket");
    const bool gdr = ry_slice_find(channel->via, "GDRDMA") != NULL;

    note(reading, socket ? RY_LOG_NET_SOCKET : RY_LOG_NET_IB, nothing);
    if (same_host(reading, channel))
        note(reading, RY_LOG_NET_LOCAL, nothing);
    if (socket || channel->direction < 0)
        return;
    struct ry_log_nic *nic = nic_at(reading, device_of(channel->via));
    if (!nic)
        return;
    if (gdr) {
        nic->with_gdr[channel->direction]++;
        return;
    }
    if (nic->without_gdr[channel->direction]++ == 0)
        nic->without_place[channel->direction] = here(reading);
}

static void read_channel(struct ry_nccl_reading *reading, struct ry_slice message)
{
    struct channel channel;

    if (!parse_channel(message, &channel))
        return;
    if (ry_slice_starts(channel.via, "NET/"))
        read_net_channel(reading, &channel);
    else if (ry_slice_starts(channel.via, "SHM"))
        note(reading, RY_LOG_SHM,
             ry_slice_trim(ry_slice_until(ry_slice_after(message, " : "), "v")));
    else if (ry_slice_starts(channel.via, "P2P"))
        note(reading, RY_LOG_P2P, nothing);
}

/* "NCCL_IB_HCA set to mlx5_1", "... set by environment to 1." */
static void read_env(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const struct ry_slice named = {ry_slice_find(message, "NCCL_"), 0};
    struct ry_nccl_log *log = reading->log;
    struct ry_slice value = ry_slice_after(message, " set by environment to ");

    if (!value.at)
        value = ry_slice_after(message, " set to ");
    value = ry_slice_trim(value);
    if (value.n > 0 && value.at[value.n - 1] == '.')
        value.n--;
    const struct ry_slice name = ry_slice_until(
        (struct ry_slice){named.at, message.n - (size_t)(named.at - message.at)}, " ");
    if (value.n == 0 || value.n > 512 || name.n > 64)
        return;
    for (size_t i = 0; i < log->n_env; i++) {
        if (ry_slice_eq(name, log->env[i].name) &&
            ry_slice_eq(value, log->env[i].value)) {
            log->env[i].count++;
            return;
        }
    }
    if (log->n_env < RY_LOG_ENV_MOST)
        log->env[log->n_env++] = (struct ry_log_env){
            ry_nccl_keep(reading, name), ry_nccl_keep(reading, value), 1, here(reading)};
}

static void read_sizes(struct ry_nccl_reading *reading, struct ry_slice message)
{
    struct ry_nccl_log *log = reading->log;
    double ranks = ry_slice_number_after(message, " nranks ");
    const double nodes = ry_slice_number_after(message, " nNodes ");

    if (isnan(ranks))
        ranks = ry_slice_number_after(message, " nRanks ");
    /* The largest communicator is the job; others are its groups. */
    if (ranks >= 1.0 && ranks <= RY_LOG_RANKS_MOST && !(ranks <= log->ranks))
        log->ranks = ranks;
    if (nodes >= 1.0 && nodes <= RY_LOG_RANKS_MOST && !(nodes <= log->nodes))
        log->nodes = nodes;
}

static void read_prediction(struct ry_nccl_reading *reading, struct ry_slice message)
{
    struct ry_nccl_log *log = reading->log;
    struct ry_printed bytes;
    const double time_us = ry_slice_number_after(message, " time ");

    if (!ry_slice_number(ry_slice_trim(message), &bytes) || !(time_us > 0.0))
        return;
    if (!log->predictions)
        log->predictions =
            RY_NEW(reading->arena, struct ry_log_prediction, PREDICTIONS_MOST);
    if (!log->predictions) {
        reading->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < log->n_predictions; i++)
        if (log->predictions[i].bytes == bytes.value)
            return;
    if (log->n_predictions < PREDICTIONS_MOST)
        log->predictions[log->n_predictions++] =
            (struct ry_log_prediction){bytes.value, time_us * 1e-6, here(reading)};
}

static void read_net_speed(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const double rate = 1e9 * ry_slice_number_after(message, "+ NET[");

    if (rate > 0.0 && !(rate <= reading->log->net_bytes_per_s))
        reading->log->net_bytes_per_s = rate;
}

void ry_nccl_version_read(struct ry_nccl_reading *reading, struct ry_slice message)
{
    const struct ry_slice rest = ry_slice_trim(ry_slice_after(message, "NCCL version "));
    const struct ry_slice version = ry_slice_until(rest, "+ ,");

    if (version.n == 0 || version.n > 24 || version.at[0] < '0' || version.at[0] > '9')
        return;
    if (!reading->host) {
        reading->pending_version = ry_nccl_keep(reading, version);
        reading->pending_line = reading->line;
    } else if (!reading->host->version) {
        reading->host->version = ry_nccl_keep(reading, version);
        reading->host->version_place = here(reading);
    }
}

static void read_completion(struct ry_nccl_reading *reading, struct ry_slice message)
{
    note(reading, RY_LOG_COMPLETION_ERROR,
         ry_slice_until(ry_slice_trim(ry_slice_after(message, "with error ")), ", "));
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
    void (*read)(struct ry_nccl_reading *, struct ry_slice);
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
    {"NCCL version ", NULL, ry_nccl_version_read},
    {"Got completion with error ", NULL, read_completion},
};

void ry_nccl_message_read(struct ry_nccl_reading *reading, struct ry_slice message)
{
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        if (!ry_slice_find(message, messages[i].needle) ||
            (messages[i].second && !ry_slice_find(message, messages[i].second)))
            continue;
        messages[i].read(reading, message);
        return;
    }
    for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
        if (ry_slice_find(message, counted[i].needle))
            note(reading, counted[i].id, nothing);
    const struct ry_slice failed =
        ry_slice_after(message, "Failed to initialize NET plugin ");
    if (failed.n > 0)
        note(reading, RY_LOG_PLUGIN_FAILED, ry_slice_until(failed, " "));
}
