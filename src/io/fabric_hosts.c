/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fabric_survey.h"

#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NIC_NUMBERS = 4096 };

int ry_names_by_nature(const char *a, const char *b)
{
    while (*a && *b) {
        if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
            char *end_a = NULL, *end_b = NULL;
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
    const struct ry_survey_adapter *a = x, *b = y;
    const int nature = ry_names_by_nature(a->host, b->host);
    const int hosts = nature ? nature : strcmp(a->host, b->host); /* node1 and node01 */

    if (hosts != 0)
        return hosts;
    if (a->nic != b->nic)
        return a->nic < b->nic ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static size_t last_number(const char *text)
{
    size_t n = strlen(text);

    while (n > 0 && text[n - 1] >= '0' && text[n - 1] <= '9')
        n--;
    return text[n] == '\0' ? 0 : strtoul(text + n, NULL, 10);
}

/* "H-node7-mlx2" as ibsim's files have it; else what the description says. */
static bool take_adapter(struct ry_fabric_survey *s, size_t node)
{
    const struct ry_ib_node *at = &s->f->nodes[node];
    const char *guid = at->guid ? at->guid : "";
    const char *dash = strncmp(guid, "H-", 2) == 0 ? strstr(guid, "-mlx") : NULL;
    struct ry_survey_adapter *a = &s->adapters[s->n_adapters++];

    *a = (struct ry_survey_adapter){.host = at->host ? at->host : guid,
                                    .node = node,
                                    .leaf = SIZE_MAX,
                                    .nic = at->device ? last_number(at->device) : 0};
    if (dash) {
        a->host = ry_strfmt(s->arena, "%.*s", (int)(dash - guid - 2), guid + 2);
        a->nic = last_number(guid);
    }
    return a->host != NULL;
}

static bool is_manager(const char *host)
{
    return strncmp(host, "manager", 7) == 0 || strncmp(host, "ufm", 3) == 0;
}

/* Adapters by host, their NICs counted from 0 where the numbers have gaps. */
static bool take_hosts(struct ry_fabric_survey *s)
{
    for (size_t i = 0; i < s->f->n_nodes; i++) {
        s->adapter_of[i] = SIZE_MAX;
        if (s->f->nodes[i].kind == RY_IB_ADAPTER && !take_adapter(s, i))
            return false;
    }
    qsort(s->adapters, s->n_adapters, sizeof(s->adapters[0]), by_host);
    for (size_t i = 0, first = 0; i < s->n_adapters; i++) {
        struct ry_survey_adapter *a = &s->adapters[i];
        const bool same = i > 0 && strcmp(a->host, s->adapters[i - 1].host) == 0;
        s->adapter_of[a->node] = i;
        first = same ? first : i;
        a->host_at = SIZE_MAX;
        if (is_manager(a->host)) {
            s->managers++;
            continue;
        }
        s->hosts += !same;
        a->host_at = s->hosts - 1;
        s->sample[a->host_at] = i - first + 1;
    }
    return true;
}

/* NICs numbered 1, 4, 7, 10 in most hosts are their first, second, ...: the place of a
 * number among those that at least half of the hosts have. */
static bool count_nics(struct ry_fabric_survey *s)
{
    size_t *hosts = RY_NEW(s->arena, size_t, NIC_NUMBERS);
    size_t *place = RY_NEW(s->arena, size_t, NIC_NUMBERS);

    if (!hosts || !place)
        return false;
    for (size_t i = 0; i < s->n_adapters; i++) {
        const struct ry_survey_adapter *a = &s->adapters[i];
        if (a->host_at != SIZE_MAX && a->nic < NIC_NUMBERS)
            hosts[a->nic]++;
    }
    for (size_t k = 0, n = 0; k < NIC_NUMBERS; k++) {
        place[k] = n;
        n += 2 * hosts[k] >= s->hosts;
    }
    for (size_t i = 0, k = 0; i < s->n_adapters; i++) {
        struct ry_survey_adapter *a = &s->adapters[i];
        const bool same = i > 0 && a->host_at == s->adapters[i - 1].host_at;
        k = same ? k + 1 : 0;
        a->nic =
            a->nic < NIC_NUMBERS && 2 * hosts[a->nic] >= s->hosts ? place[a->nic] : k;
    }
    return true;
}

bool ry_survey_hosts(struct ry_fabric_survey *s)
{
    return take_hosts(s) && count_nics(s);
}
