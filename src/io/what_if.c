/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/what_if.h"

#include "base/names.h"
#include "comm/algo.h"
#include "io/csv.h"
#include "io/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row, and the setting that it is applied to. */
struct effect_input {
    const char *value;
    double share;
    const struct ry_what_if_input *input;
    struct ry_diag *diag;
};

typedef enum ry_err effect_fn(const struct effect_input *in, struct ry_what_if *what);

static enum ry_err no_effect(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->kind = RY_WHAT_IF_NONE;
    return RY_OK;
}

static enum ry_err not_modelled(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->kind = RY_WHAT_IF_UNKNOWN;
    return RY_OK;
}

static enum ry_err use_sockets(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->degrade.sockets = true;
    return RY_OK;
}

static enum ry_err stage_at_host(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->degrade.host_staged = true;
    return RY_OK;
}

static enum ry_err lose_rate(const struct effect_input *in, struct ry_what_if *what)
{
    what->degrade.rate_frac = in->share;
    return RY_OK;
}

static enum ry_err lose_rate_at_most(const struct effect_input *in,
                                     struct ry_what_if *what)
{
    what->degrade.rate_frac = in->share;
    what->kind = RY_WHAT_IF_MOST;
    return RY_OK;
}

static enum ry_err lose_nvls(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->degrade.no_nvls = true;
    return RY_OK;
}

static enum ry_err lose_sharp(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->degrade.no_sharp = true;
    return RY_OK;
}

static enum ry_err hash_flows(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->degrade.hashed = true;
    return RY_OK;
}

static enum ry_err spread_packets(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->degrade.spread = true;
    return RY_OK;
}

static enum ry_err block_launches(const struct effect_input *in, struct ry_what_if *what)
{
    (void)in;
    what->blocking = true;
    return RY_OK;
}

static enum ry_err set_queue_pairs(const struct effect_input *in, struct ry_what_if *what)
{
    char *end = NULL;
    const double n = strtod(in->value, &end);

    if (end == in->value || *end || !(n >= 1.0 && n <= 128.0) || n != floor(n))
        return ry_fail(in->diag, RY_ERR_RANGE, what->variable,
                       "'%.40s' is not a whole number from 1 to 128", in->value);
    what->degrade.queue_pairs = n;
    return RY_OK;
}

/* The word of @p words that the first @p bytes of a list are; n: none. */
static size_t find_word(const char *at, size_t bytes, const char *const words[], size_t n)
{
    char word[24] = "";
    size_t i = 0;

    if (bytes < sizeof(word))
        memcpy(word, at, bytes);
    while (i < n && !ry_name_eq(word, words[i]))
        i++;
    return i;
}

/* Whether a list such as "Ring,Tree" or "^NVLS" leaves a word in; unknown words are
 * told. */
static enum ry_err listed(const struct effect_input *in, const char *variable,
                          const char *const words[], size_t n, bool left[])
{
    const bool excludes = in->value[0] == '^';
    const char *at = in->value + excludes;

    for (size_t i = 0; i < n; i++)
        left[i] = excludes;
    while (*at) {
        const size_t bytes = strcspn(at, ",");
        const size_t found = find_word(at, bytes, words, n);
        if (found == n)
            return ry_fail(in->diag, RY_ERR_RANGE, variable,
                           "'%.*s' is none of those known",
                           (int)(bytes < 40 ? bytes : 40), at);
        left[found] = !excludes;
        at += bytes + (at[bytes] == ',');
    }
    return RY_OK;
}

enum { RING, TREE, COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE, PAT, NCCL_ALGOS };

/* Whether none of an algorithm's words is left; one that NCCL does not name stays. */
static bool is_lost(const struct ry_algo *algo, const char *const words[],
                    const bool left[])
{
    if (!algo || !algo->nccl)
        return false;
    for (const char *at = algo->nccl; *at; at += strcspn(at, ","), at += *at == ',') {
        const size_t found = find_word(at, strcspn(at, ","), words, NCCL_ALGOS);
        if (found < NCCL_ALGOS && left[found])
            return false;
    }
    return true;
}

static enum ry_err only_algorithms(const struct effect_input *in, struct ry_what_if *what)
{
    static const char *const words[NCCL_ALGOS] = {
        "Ring", "Tree", "CollnetDirect", "CollnetChain", "NVLS", "NVLSTree", "PAT"};
    bool left[NCCL_ALGOS];

    RY_TRY(listed(in, what->variable, words, NCCL_ALGOS, left));
    if (!left[RING]) {
        what->kind = RY_WHAT_IF_UNKNOWN;
        what->note = "without Ring, gathers and reduce-scatters fail since NCCL 2.24";
        return RY_OK;
    }
    for (enum ry_coll_algo a = 0; a < RY_COLL_ALGOS; a++)
        what->degrade.no_algo[a] = is_lost(ry_algo_at(a), words, left);
    what->degrade.no_nvls = !left[NVLS] && !left[NVLS_TREE];
    return RY_OK;
}

static enum ry_err only_protocols(const struct effect_input *in, struct ry_what_if *what)
{
    static const char *const words[RY_PROTOS] = {
        [RY_PROTO_LL] = "LL", [RY_PROTO_LL128] = "LL128", [RY_PROTO_SIMPLE] = "Simple"};
    bool left[RY_PROTOS];

    RY_TRY(listed(in, what->variable, words, RY_PROTOS, left));
    for (size_t i = 0; i < RY_PROTOS; i++)
        what->degrade.no_proto[i] = !left[i];
    if (!left[RY_PROTO_LL] && !left[RY_PROTO_LL128] && !left[RY_PROTO_SIMPLE])
        return ry_fail(in->diag, RY_ERR_RANGE, what->variable,
                       "'%.40s' leaves no protocol", in->value);
    what->kind = RY_WHAT_IF_LEAST;
    return RY_OK;
}

bool ry_hca_list_takes(const char *list, const char *name)
{
    const bool excludes = *list == '^';
    list += excludes;
    const bool exact = *list == '=';
    list += exact;

    while (*list) {
        const size_t bytes = strcspn(list, ",:");
        if (bytes > 0 && strncmp(list, name, bytes) == 0 &&
            (!exact || name[bytes] == '\0'))
            return !excludes;
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return excludes;
}

static enum ry_err only_nics(const struct effect_input *in, struct ry_what_if *what)
{
    size_t taken = 0;

    for (size_t i = 0; i < in->input->nics_n; i++)
        taken += ry_hca_list_takes(in->value, in->input->nics[i]);
    if (in->input->nics_n == 0)
        return no_effect(in, what);
    if (taken == 0)
        return ry_fail(
            in->diag, RY_ERR_RANGE, what->variable,
            "'%.40s' takes none of the %zu compute NICs (%.20s, ...): the job would "
            "run over TCP; name them with --hca, or ask for NCCL_IB_DISABLE=1",
            in->value, in->input->nics_n, in->input->nics[0]);
    what->degrade.nics_frac = (double)taken / (double)in->input->nics_n;
    if (taken == in->input->nics_n)
        return no_effect(in, what);
    return RY_OK;
}

static const struct {
    const char *name;
    effect_fn *apply;
} effects[] = {
    {"none", no_effect},
    {"not-modelled", not_modelled},
    {"sockets", use_sockets},
    {"host-staged", stage_at_host},
    {"rate", lose_rate},
    {"rate-at-most", lose_rate_at_most},
    {"no-nvls", lose_nvls},
    {"no-sharp", lose_sharp},
    {"hashed", hash_flows},
    {"spread", spread_packets},
    {"blocking", block_launches},
    {"queue-pairs", set_queue_pairs},
    {"algorithms", only_algorithms},
    {"protocols", only_protocols},
    {"nics", only_nics},
};

static enum ry_err apply(const char *name, const struct effect_input *in,
                         struct ry_what_if *what)
{
    for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
        if (strcmp(effects[i].name, name) == 0)
            return effects[i].apply(in, what);
    return ry_fail(in->diag, RY_ERR_NOTFOUND, "share/launch/what-if.csv",
                   "no effect '%.40s'", name);
}

struct rows {
    struct ry_csv csv;
    size_t variable, value, effect, share, note, source;
};

static const char *name_at(const void *ctx, size_t i)
{
    const struct rows *rows = ctx;
    return i < rows->csv.n ? ry_csv_cell(&rows->csv.rows[i], rows->variable) : NULL;
}

static enum ry_err unknown_variable(const struct rows *rows, const char *variable,
                                    struct ry_diag *diag)
{
    char shown[RY_SHOWN_BYTES];
    const size_t near = ry_name_nearest(variable, name_at, rows);

    if (near == (size_t)-1)
        return ry_fail(
            diag, RY_ERR_NOTFOUND, "--what-if",
            "'%s' is not known; 'railyard launch --settings' lists those that are",
            ry_shown(variable, shown));
    return ry_fail(
        diag, RY_ERR_NOTFOUND, "--what-if",
        "'%s' is not known; did you mean %s? ('railyard launch --settings' lists "
        "them all)",
        ry_shown(variable, shown), name_at(rows, near));
}

/* The row of the variable and value; one of any value ("*") comes last. */
static const struct ry_csv_row *find_row(const struct rows *rows, const char *variable,
                                         const char *value, bool *known)
{
    *known = false;
    for (size_t i = 0; i < rows->csv.n; i++) {
        const struct ry_csv_row *row = &rows->csv.rows[i];
        if (strcmp(ry_csv_cell(row, rows->variable), variable) != 0)
            continue;
        *known = true;
        const char *meant = ry_csv_cell(row, rows->value);
        if (strcmp(meant, "*") == 0 || ry_name_eq(meant, value))
            return row;
    }
    return NULL;
}

static enum ry_err open_rows(struct ry_arena *arena, const char *path, struct rows *rows,
                             struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, path, "out of memory");
    if (ry_csv_open(arena, path, problems, &rows->csv) != RY_OK)
        return ry_problems_err(problems, diag);
    rows->variable = ry_csv_column(&rows->csv, "variable");
    rows->value = ry_csv_column(&rows->csv, "value");
    rows->effect = ry_csv_column(&rows->csv, "effect");
    rows->share = ry_csv_column(&rows->csv, "share");
    rows->note = ry_csv_column(&rows->csv, "note");
    rows->source = ry_csv_column(&rows->csv, "source");
    return RY_OK;
}

enum ry_err ry_what_if_read(struct ry_arena *arena, const char *path,
                            const struct ry_what_if_input *input, struct ry_what_if *what,
                            struct ry_diag *diag)
{
    const char *equals = strchr(input->assignment, '=');
    struct rows rows = {0};
    bool known = false;

    if (!equals || equals == input->assignment || equals[1] == '\0')
        return ry_fail(diag, RY_ERR_USAGE, "--what-if", "'%.60s' is not NAME=VALUE",
                       input->assignment);
    char *variable = ry_strdup(arena, input->assignment);
    if (!variable)
        return ry_fail(diag, RY_ERR_NOMEM, "--what-if", "out of memory");
    variable[equals - input->assignment] = '\0';
    RY_TRY(open_rows(arena, path, &rows, diag));
    const struct ry_csv_row *row = find_row(&rows, variable, equals + 1, &known);
    if (!known)
        return unknown_variable(&rows, variable, diag);
    if (!row)
        return ry_fail(diag, RY_ERR_RANGE, variable,
                       "nothing is known of the value '%.40s'", equals + 1);
    const struct effect_input in = {
        equals + 1, strtod(ry_csv_cell(row, rows.share), NULL), input, diag};
    *what = (struct ry_what_if){.variable = variable,
                                .value = equals + 1,
                                .kind = RY_WHAT_IF_STEP,
                                .degrade = ry_degrade_nothing(),
                                .note = ry_csv_cell(row, rows.note),
                                .source = ry_csv_cell(row, rows.source)};
    return apply(ry_csv_cell(row, rows.effect), &in, what);
}
