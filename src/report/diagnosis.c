/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/diagnosis.h"

#include "base/names.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct ry_column columns[] = {
    {.key = "severity", .title = "severity"},
    {.key = "id", .title = "finding"},
    {.key = "file", .title = NULL},
    {.key = "line", .title = NULL, .show = RY_SHOW_COUNT},
    {.key = "where", .title = "where"},
    {.key = "text", .title = "what is seen", .wrap = true},
    {.key = "action", .title = "what to do", .wrap = true},
    {.key = "left_frac", .title = "left", .show = RY_SHOW_FRACTION, .less = 1},
    {.key = "expected_bytes_per_s",
     .title = "of",
     .show = RY_SHOW_BYTES_PER_S,
     .less = 2},
    {.key = "left_bytes_per_s", .title = NULL, .show = RY_SHOW_BYTES_PER_S},
    {.key = "basis", .title = NULL},
    {.key = "step_time_with_s", .title = "step with it", .show = RY_SHOW_SECONDS},
    {.key = "step_times_planned", .title = "times", .show = RY_SHOW_NUMBER},
    {.key = "step_basis", .title = NULL},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* The columns; those of the step are for people only where it is asked for. */
static const struct ry_column *columns_of(struct ry_arena *arena,
                                          const struct ry_diagnosis *d)
{
    struct ry_column *own = RY_NEW(arena, struct ry_column, COLUMNS);

    for (size_t i = 0; own && i < COLUMNS; i++) {
        own[i] = columns[i];
        if (strncmp(own[i].key, "step_time", strlen("step_time")) == 0 &&
            !(d->costs->planned_s > 0.0))
            own[i].title = NULL;
    }
    return own;
}

static struct ry_table *table_of(struct ry_arena *arena, const struct ry_diagnosis *d)
{
    const struct ry_column *own = columns_of(arena, d);
    struct ry_table *table = own ? ry_table_create(arena, own, COLUMNS) : NULL;
    const bool planned = d->costs->planned_s > 0.0;

    for (size_t i = 0; i < d->findings->n; i++) {
        const struct ry_finding *finding = &d->findings->at[i];
        const double with_s = planned ? d->costs->with_s[i] : (double)NAN;
        char where[320] = "";
        if (finding->file)
            (void)snprintf(where, sizeof(where), "%s:%zu", finding->file, finding->line);
        ry_table_row(table,
                     (struct ry_cell[]){
                         RY_TEXT(ry_finding_severity_text(finding->severity)),
                         RY_TEXT(finding->id),
                         RY_TEXT(finding->file),
                         RY_NUM(finding->file ? (double)finding->line : (double)NAN),
                         RY_TEXT(ry_strdup(arena, where)),
                         RY_TEXT(finding->text),
                         RY_TEXT(finding->action),
                         RY_NUM(finding->left_frac),
                         RY_NUM(finding->expected_bytes_per_s),
                         RY_NUM(finding->left_bytes_per_s),
                         RY_TEXT(finding->basis),
                         RY_NUM(with_s),
                         RY_NUM(with_s / d->costs->planned_s),
                         RY_TEXT(planned ? d->costs->basis[i] : NULL),
                     });
    }
    return table;
}

/* What the log says, apart from what is wrong. */

static size_t count(const struct ry_diagnosis *d, enum ry_log_event_id id)
{
    return ry_nccl_log_event(d->log, id).count;
}

static const char *transport(const struct ry_diagnosis *d)
{
    const struct ry_log_event network = ry_nccl_log_event(d->log, RY_LOG_NETWORK);

    if (network.text)
        return network.text;
    if (count(d, RY_LOG_NET_SOCKET))
        return "Socket";
    return count(d, RY_LOG_NET_IB) ? "IB" : NULL;
}

/* -1 not said, 0 off somewhere, 1 on wherever it is said. */
static int gdr_of(const struct ry_diagnosis *d, int direction)
{
    size_t with = 0, without = 0;

    for (size_t i = 0; i < d->log->n_hosts; i++) {
        for (size_t k = 0; k < d->log->hosts[i].n_nics; k++) {
            const struct ry_log_nic *nic = &d->log->hosts[i].nics[k];
            const bool channels = nic->with_gdr[0] + nic->with_gdr[1] +
                                      nic->without_gdr[0] + nic->without_gdr[1] >
                                  0;
            if (direction >= 0) {
                with += nic->with_gdr[direction];
                without += nic->without_gdr[direction];
                continue;
            }
            with += nic->with_gdr[0] + nic->with_gdr[1] + (nic->gdr == RY_GDR_ON);
            without += nic->without_gdr[0] + nic->without_gdr[1] +
                       (nic->gdr == RY_GDR_OFF && !channels);
        }
    }
    return without ? 0 : with ? 1 : -1;
}

static void put_bool(const char *key, int value)
{
    printf("  \"%s\": %s,\n", key, value < 0 ? "null" : value ? "true" : "false");
}

static const struct ry_log_host *host_with_most(const struct ry_diagnosis *d, bool nics)
{
    static const struct ry_log_host nobody = {.name = NULL};
    const struct ry_log_host *best = &nobody;

    for (size_t i = 0; i < d->log->n_hosts; i++) {
        const struct ry_log_host *host = &d->log->hosts[i];
        if (nics ? host->n_nics > best->n_nics : host->n_ifaces > best->n_ifaces)
            best = host;
    }
    return best;
}

static void put_names(const struct ry_diagnosis *d)
{
    const struct ry_log_host *nics = host_with_most(d, true);
    const struct ry_log_host *ifaces = host_with_most(d, false);

    printf("  \"nics\": [");
    for (size_t i = 0; i < nics->n_nics; i++) {
        printf("%s", i ? ", " : "");
        ry_json_put_text(stdout, nics->nics[i].name);
    }
    printf("],\n  \"link\": ");
    ry_json_put_text(stdout, nics->n_nics ? nics->nics[0].link : NULL);
    printf(",\n  \"interfaces\": [");
    for (size_t i = 0; i < ifaces->n_ifaces; i++) {
        printf("%s", i ? ", " : "");
        ry_json_put_text(stdout, ifaces->ifaces[i].name);
    }
    printf("],\n  \"bootstrap_interface\": ");
    ry_json_put_text(stdout, ry_nccl_log_event(d->log, RY_LOG_BOOTSTRAP).text);
}

/* Channels by the transport that each got. */
static const struct {
    enum ry_log_event_id id;
    const char *key, *text;
} channel_kinds[] = {
    {RY_LOG_P2P, "peer_access", "peer access"},
    {RY_LOG_SHM, "host_memory", "host memory"},
    {RY_LOG_NET_IB, "rdma", "RDMA"},
    {RY_LOG_NET_SOCKET, "sockets", "sockets"},
};
enum { CHANNEL_KINDS = sizeof(channel_kinds) / sizeof(channel_kinds[0]) };

static size_t channels_with_gdr(const struct ry_diagnosis *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->log->n_hosts; i++) {
        for (size_t k = 0; k < d->log->hosts[i].n_nics; k++)
            n += d->log->hosts[i].nics[k].with_gdr[0] +
                 d->log->hosts[i].nics[k].with_gdr[1];
    }
    return n;
}

static void put_channels(const struct ry_diagnosis *d)
{
    printf("  \"channels\": {");
    for (size_t i = 0; i < CHANNEL_KINDS; i++)
        printf("\"%s\": %zu, ", channel_kinds[i].key, count(d, channel_kinds[i].id));
    printf("\"with_gpudirect\": %zu, \"network_within_host\": %zu},\n",
           channels_with_gdr(d), count(d, RY_LOG_NET_LOCAL));
}

/* "channels: 14 by peer access, 8 by RDMA, 8 with GPUDirect" */
static void print_channels(const struct ry_diagnosis *d)
{
    const char *comma = "channels:";

    for (size_t i = 0; i < CHANNEL_KINDS; i++) {
        const size_t n = count(d, channel_kinds[i].id);
        if (n > 0)
            printf("%s %zu by %s", comma, n, channel_kinds[i].text);
        comma = n > 0 ? "," : comma;
    }
    if (channels_with_gdr(d) > 0)
        printf(", %zu with GPUDirect", channels_with_gdr(d));
    if (count(d, RY_LOG_NET_LOCAL) > 0)
        printf(", %zu of them within a host", count(d, RY_LOG_NET_LOCAL));
    if (*comma == ',')
        printf("\n");
}

static void print_json(const struct ry_diagnosis *d, const struct ry_table *table)
{
    printf("{\n  \"healthy\": %s,\n",
           d->findings->worst == RY_FINDING_NOTE ? "true" : "false");
    printf("  \"hosts\": %zu,\n  \"ranks\": ", d->log->n_hosts);
    ry_json_put_number(stdout, d->log->ranks);
    printf(",\n  \"nodes\": ");
    ry_json_put_number(stdout, d->log->nodes);
    printf(",\n  \"transport\": ");
    ry_json_put_text(stdout, transport(d));
    printf(",\n");
    put_bool("gdr", gdr_of(d, -1));
    put_bool("gdr_send", gdr_of(d, 0));
    put_bool("gdr_receive", gdr_of(d, 1));
    put_bool("p2p", count(d, RY_LOG_P2P) ? 1 : count(d, RY_LOG_SHM) ? 0 : -1);
    put_bool("nvls", count(d, RY_LOG_NO_NVLS) ? 0 : count(d, RY_LOG_WITH_NVLS) ? 1 : -1);
    put_bool("plugin_failed", count(d, RY_LOG_PLUGIN_SYMBOL) > 0);
    put_channels(d);
    put_names(d);
    if (d->fabric->n_nodes > 0)
        printf(",\n  \"fabric\": {\"switches\": %zu, \"hosts\": %zu, \"adapters\": %zu, "
               "\"aggregation_nodes\": %zu, \"links\": %zu}",
               d->fabric->switches, d->fabric->hosts, d->fabric->adapters,
               d->fabric->aggregation, d->fabric->n_links);
    if (d->costs->planned_s > 0.0) {
        printf(",\n  \"step_time_planned_s\": ");
        ry_json_put_number(stdout, d->costs->planned_s);
        printf(",\n  \"step_time_with_all_s\": ");
        ry_json_put_number(stdout, d->costs->all_s);
        printf(",\n  \"strategy\": ");
        ry_json_put_text(stdout, d->costs->strategy);
    }
    printf(",\n  \"findings\": ");
    ry_table_print_json(table, stdout, 2);
    printf("\n}\n");
}

static void print_summary(const struct ry_diagnosis *d)
{
    const char *network = transport(d);
    const struct ry_log_host *nics = host_with_most(d, true);

    if (d->fabric->n_nodes > 0)
        printf("fabric: %zu switches, %zu hosts with %zu adapters, %zu links\n",
               d->fabric->switches, d->fabric->hosts, d->fabric->adapters,
               d->fabric->n_links);
    if (d->log->n_hosts == 0) {
        if (d->findings->n == 0)
            printf("nothing wrong is seen\n");
        return;
    }
    printf("%zu host%s", d->log->n_hosts, d->log->n_hosts == 1 ? "" : "s");
    if (isfinite(d->log->ranks))
        printf(", %.0f ranks", d->log->ranks);
    printf(", network %s", network ? network : "not said");
    if (nics->n_nics)
        printf(", %zu NIC%s a host", nics->n_nics, nics->n_nics == 1 ? "" : "s");
    const int gdr = gdr_of(d, -1);
    if (gdr >= 0)
        printf(", GPUDirect %s", gdr ? "on" : "off or in part");
    printf("%s\n", d->findings->n ? "" : ": nothing wrong is seen");
    print_channels(d);
}

/* "step as planned 32.0 s, with what is found about 246 s, 7.7 times" */
static void print_costs(const struct ry_diagnosis *d)
{
    const struct ry_finding_costs *c = d->costs;
    char planned[RY_NUMBER_BYTES];
    char with[RY_NUMBER_BYTES];

    if (!(c->planned_s > 0.0))
        return;
    printf("%s, %s: step as planned %s", c->design, c->strategy,
           ry_number_show(RY_SHOW_SECONDS, c->planned_s, planned));
    if (c->all_s > c->planned_s * 1.0005)
        printf(", with what is found %s %s, %.3g times", c->least ? "at least" : "about",
               ry_number_show(RY_SHOW_SECONDS, c->all_s, with), c->all_s / c->planned_s);
    printf("\n");
}

enum ry_err ry_diagnosis_print(struct ry_arena *arena, const struct ry_diagnosis *d,
                               enum ry_table_format format, struct ry_diag *diag)
{
    struct ry_table *table = table_of(arena, d);

    if (!table)
        return ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
    if (format == RY_TABLE_JSON) {
        print_json(d, table);
        return RY_OK;
    }
    if (ry_table_for_people(format)) {
        print_summary(d);
        print_costs(d);
    }
    if (ry_table_for_people(format) && d->findings->n == 0)
        return RY_OK;
    return ry_table_print(table, stdout, format, diag);
}
