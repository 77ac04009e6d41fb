/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/comm_model.h"

#include "base/names.h"
#include "io/data.h"
#include "io/json.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {"domain", "fabric", NULL};
static const char *const origins[] = {"measured", "published", "nccl",
                                      "scaled",   "assumed",   NULL};
static const char *const link_names[] = {"pcie", "bridge", "mesh", "switched", NULL};
static const char *const transports[] = {"none",      "ib",  "roce", "efa",
                                         "omni-path", "tcp", NULL};
static const char *const top_keys[] = {
    "schema", "name", "kind",  "summary",         "origin",    "sources",
    "notes",  "link", "gpus",  "domain_gpus",     "transport", "parameters",
    "curves", "like", "lines", "tree_correction", "fit",       NULL};

/* A parameter: a number, or {"value": number, ...}. */
static double param(struct ry_json object, const char *key, double fallback)
{
    const struct ry_json at = ry_json_get(object, key);
    const double value = ry_json_type(at) == RY_JSON_OBJECT
                             ? ry_json_as_number(ry_json_need(at, "value"), fallback)
                             : ry_json_as_number(at, fallback);

    if (!(value >= 0.0) || isinf(value)) {
        ry_json_problem(at, RY_ERR_RANGE, "%s %g is not 0 or more", key, value);
        return fallback;
    }
    return value;
}

static double needed(struct ry_json object, const char *key)
{
    if (!ry_json_has(object, key)) {
        ry_json_problem(object, RY_ERR_NOTFOUND, "parameter '%s' is missing", key);
        return 1.0;
    }
    const double value = param(object, key, 1.0);
    if (value > 0.0)
        return value;
    ry_json_problem(ry_json_get(object, key), RY_ERR_RANGE, "%s must be over 0", key);
    return 1.0;
}

/* Curves. */

static void read_piece(struct ry_json at, struct ry_coll_curve *curve)
{
    static const char *const keys[] = {"from_bytes",
                                       "alpha_s",
                                       "busbw_bytes_per_s",
                                       "alpha_lo90_s",
                                       "alpha_hi90_s",
                                       "busbw_lo90_bytes_per_s",
                                       "busbw_hi90_bytes_per_s",
                                       "points",
                                       "median_error",
                                       "worst_error",
                                       "note",
                                       NULL};
    struct ry_coll_piece *piece = &curve->piece[curve->pieces];

    ry_json_known_keys(at, keys);
    piece->from_bytes = param(at, "from_bytes", 0.0);
    piece->alpha_s = param(at, "alpha_s", 0.0);
    piece->busbw_bytes_per_s = needed(at, "busbw_bytes_per_s");
    if (curve->pieces == 0 && piece->from_bytes > 0.0)
        ry_json_problem(at, RY_ERR_RANGE, "the first piece must begin at 0 bytes");
    if (curve->pieces > 0 && !(piece->from_bytes > piece[-1].from_bytes))
        ry_json_problem(at, RY_ERR_RANGE, "pieces must ascend in from_bytes");
    curve->pieces++;
}

static void read_curve(struct ry_json at, struct ry_net_domain *domain)
{
    static const char *const keys[] = {
        "collective", "ranks",        "origin",      "from",   "points",
        "dropped",    "median_error", "worst_error", "pieces", NULL};
    const char *name = ry_json_as_text(ry_json_need(at, "collective"), "all_reduce");
    const size_t coll = ry_coll_find(name);
    const struct ry_json pieces = ry_json_need(at, "pieces");

    ry_json_known_keys(at, keys);
    if (coll == RY_COLLS) {
        ry_json_problem(at, RY_ERR_NOTFOUND, "collective '%s' is not known", name);
        return;
    }
    const size_t n = domain->coll[coll].n;
    if (n == RY_CURVES_MOST || ry_json_size(pieces) > RY_PIECES_MOST ||
        ry_json_size(pieces) == 0) {
        ry_json_problem(at, RY_ERR_RANGE,
                        "%d curves a collective and 1 to %d pieces a curve at most",
                        RY_CURVES_MOST, RY_PIECES_MOST);
        return;
    }
    struct ry_coll_curve *curve = &domain->coll[coll].at[n];
    curve->ranks = ry_json_count(at, "ranks", (struct ry_json_bounds){2, 1 << 20}, 2);
    if (n > 0 && curve->ranks <= curve[-1].ranks)
        ry_json_problem(at, RY_ERR_RANGE, "curves of %s must ascend in ranks", name);
    for (size_t i = 0; i < ry_json_size(pieces); i++)
        read_piece(ry_json_at(pieces, i), curve);
    domain->coll[coll].n++;
}

/* A collective without curves of its own: those of another, times two factors. */
static void read_like(struct ry_json at, struct ry_net_domain *domain)
{
    static const char *const keys[] = {"collective", "of",   "alpha_frac", "busbw_frac",
                                       "origin",     "from", NULL};
    const size_t to = ry_coll_find(ry_json_as_text(ry_json_need(at, "collective"), ""));
    const size_t from = ry_coll_find(ry_json_as_text(ry_json_need(at, "of"), ""));

    ry_json_known_keys(at, keys);
    if (to == RY_COLLS || from == RY_COLLS || domain->coll[from].n == 0) {
        ry_json_problem(at, RY_ERR_NOTFOUND,
                        "'collective' and 'of' must be collectives, 'of' with curves");
        return;
    }
    if (domain->coll[to].n > 0)
        return;
    domain->coll[to] = domain->coll[from];
    const double alpha = param(at, "alpha_frac", 1.0);
    const double busbw = needed(at, "busbw_frac");
    for (size_t i = 0; i < domain->coll[to].n; i++) {
        struct ry_coll_curve *curve = &domain->coll[to].at[i];
        for (size_t p = 0; p < curve->pieces; p++) {
            curve->piece[p].alpha_s *= alpha;
            curve->piece[p].busbw_bytes_per_s *= busbw;
        }
    }
}

static void read_domain(struct ry_json root, struct ry_comm_model *model)
{
    static const char *const keys[] = {
        "wire_bytes_per_s", "ring_bytes_per_s", "nvls_bytes_per_s", "step_s",
        "host_bytes_per_s", "pcie_bytes_per_s", "rel_sigma",        NULL};
    const struct ry_json params = ry_json_need(root, "parameters");
    const struct ry_json curves = ry_json_need(root, "curves");
    const struct ry_json like = ry_json_get(root, "like");
    struct ry_net_domain *domain = &model->domain;

    ry_json_known_keys(params, keys);
    model->link =
        (enum ry_local_link)ry_json_choice(root, "link", link_names, RY_LOCAL_SWITCHED);
    domain->gpus =
        ry_json_count(root, "domain_gpus", (struct ry_json_bounds){1, 1 << 20}, 8);
    domain->wire_bytes_per_s = needed(params, "wire_bytes_per_s");
    domain->ring_bytes_per_s = needed(params, "ring_bytes_per_s");
    domain->nvls_bytes_per_s = param(params, "nvls_bytes_per_s", 0.0);
    domain->step_s = param(params, "step_s", 0.0);
    domain->host_bytes_per_s = param(params, "host_bytes_per_s", 0.0);
    domain->rel_sigma = needed(params, "rel_sigma");
    domain->limit =
        model->link == RY_LOCAL_PCIE ? RY_NET_LIMIT_HOST : RY_NET_LIMIT_NVLINK;
    model->pcie_bytes_per_s = needed(params, "pcie_bytes_per_s");
    for (size_t i = 0; i < ry_json_size(curves); i++)
        read_curve(ry_json_at(curves, i), domain);
    for (size_t i = 0; i < ry_json_size(like); i++)
        read_like(ry_json_at(like, i), domain);
    for (size_t i = 0; i < RY_COLLS; i++)
        if (domain->coll[i].n == 0)
            ry_json_problem(curves, RY_ERR_NOTFOUND, "no curve of %s, and no 'like'",
                            ry_coll_name((enum ry_coll)i));
}

/* Fabrics. */

static void read_numbers(struct ry_json list, size_t n, double value[])
{
    if (!ry_json_expect(list, RY_JSON_LIST))
        return;
    if (ry_json_size(list) != n)
        ry_json_problem(list, RY_ERR_RANGE, "%zu numbers, %zu wanted", ry_json_size(list),
                        n);
    for (size_t i = 0; i < n; i++) {
        value[i] = ry_json_as_number(ry_json_at(list, i), 0.0);
        if (value[i] < 0.0) {
            ry_json_problem(ry_json_at(list, i), RY_ERR_RANGE, "below 0");
            value[i] = 0.0;
        }
    }
}

static void read_lines(struct ry_json at, struct ry_net_lines *lines)
{
    static const char *const keys[] = {
        "base_s",          "intra_step_s", "inter_step_s", "rate_frac",
        "cap_bytes_per_s", "origin",       "from",         NULL};
    const struct ry_json caps = ry_json_get(at, "cap_bytes_per_s");

    ry_json_known_keys(at, keys);
    read_numbers(ry_json_need(at, "base_s"), RY_PROTOS, lines->base_s);
    read_numbers(ry_json_need(at, "intra_step_s"), RY_PROTOS, lines->intra_step_s);
    read_numbers(ry_json_need(at, "inter_step_s"), RY_PROTOS, lines->inter_step_s);
    read_numbers(ry_json_need(at, "rate_frac"), RY_PROTOS, lines->rate_frac);
    for (size_t proto = 0; proto < RY_PROTOS && proto < ry_json_size(caps); proto++)
        read_numbers(ry_json_at(caps, proto), 2, lines->cap_bytes_per_s[proto]);
}

/* An algorithm that is left out is one that the transport does not run. */
static void read_algorithms(struct ry_json lines, struct ry_net_fabric *fabric)
{
    const char *keys[RY_COLL_ALGOS + 1] = {NULL};
    size_t n = 0;

    for (enum ry_coll_algo a = 0; a < RY_COLL_ALGOS; a++) {
        if (!ry_coll_algo_has_lines(a))
            continue;
        keys[n++] = ry_coll_algo_name(a);
        if (a == RY_COLL_ALGO_RING || ry_json_has(lines, ry_coll_algo_name(a)))
            read_lines(ry_json_need(lines, ry_coll_algo_name(a)), &fabric->lines[a]);
    }
    ry_json_known_keys(lines, keys);
}

static void read_fabric(struct ry_json root, struct ry_comm_model *model)
{
    static const char *const keys[] = {
        "line_bytes_per_s", "usable_frac",     "nic_frac",          "tree_frac",
        "message_s",        "send_s",          "loss_per_doubling", "sigma_per_doubling",
        "rel_sigma",        "gpu_bytes_per_s", "alpha_sigma",       NULL};
    static const char *const protos[RY_PROTOS] = {"LL", "LL128", "Simple"};
    const struct ry_json params = ry_json_need(root, "parameters");
    const struct ry_json trees = ry_json_get(root, "tree_correction");
    struct ry_net_fabric *fabric = &model->fabric;

    ry_json_known_keys(params, keys);
    model->transport =
        (enum ry_transport)ry_json_choice(root, "transport", transports, RY_TRANSPORT_IB);
    model->line_bytes_per_s = needed(params, "line_bytes_per_s");
    model->usable_frac = needed(params, "usable_frac");
    fabric->nic_frac = needed(params, "nic_frac");
    fabric->tree_frac = needed(params, "tree_frac");
    fabric->message_s = param(params, "message_s", 0.0);
    fabric->send_s = needed(params, "send_s");
    fabric->gpu_bytes_per_s = param(params, "gpu_bytes_per_s", 0.0);
    fabric->loss_per_doubling = param(params, "loss_per_doubling", 0.0);
    fabric->sigma_per_doubling = param(params, "sigma_per_doubling", 0.0);
    fabric->rel_sigma = needed(params, "rel_sigma");
    fabric->alpha_sigma = param(params, "alpha_sigma", fabric->rel_sigma);
    read_algorithms(ry_json_need(root, "lines"), fabric);
    for (size_t proto = 0; proto < RY_PROTOS; proto++) {
        for (size_t i = 0; i < RY_NET_CORRECTIONS; i++)
            fabric->tree_correction[proto][i] = 1.0;
        if (ry_json_has(trees, protos[proto]))
            read_numbers(ry_json_get(trees, protos[proto]), RY_NET_CORRECTIONS,
                         fabric->tree_correction[proto]);
    }
    if (model->usable_frac > 1.0 || fabric->nic_frac > 1.0 || fabric->tree_frac > 1.0)
        ry_json_problem(params, RY_ERR_RANGE,
                        "usable_frac, nic_frac and tree_frac are shares, at most 1");
}

static void read_model(struct ry_json root, struct ry_comm_model *model)
{
    const struct ry_json gpus = ry_json_get(root, "gpus");

    model->name = ry_json_as_text(ry_json_need(root, "name"), "");
    model->summary = ry_json_text(root, "summary", "");
    model->origin = (enum ry_comm_origin)ry_json_choice(root, "origin", origins,
                                                        RY_COMM_ORIGIN_ASSUMED);
    for (size_t i = 0; i < ry_json_size(gpus) && i < RY_COMM_NAMES_MOST; i++)
        model->gpu[model->names++] = ry_json_as_text(ry_json_at(gpus, i), "");
    ry_json_need(root, "kind");
    model->between = ry_json_choice(root, "kind", kinds, 0) == 1;
    if (model->between)
        read_fabric(root, model);
    else
        read_domain(root, model);
}

static bool is_of_schema(struct ry_json root)
{
    if (ry_json_type(root) != RY_JSON_OBJECT ||
        strcmp(ry_json_text(root, "schema", ""), "railyard-comm/1") != 0) {
        ry_json_problem(root, RY_ERR_SYNTAX, "schema is not railyard-comm/1");
        return false;
    }
    ry_json_known_keys(root, top_keys);
    return true;
}

void ry_comm_facts_check(struct ry_json root)
{
    (void)is_of_schema(root);
}

enum ry_err ry_comm_model_read(struct ry_arena *arena, const char *path,
                               struct ry_problems *problems, struct ry_comm_model *model)
{
    struct ry_comm_model read = {.file = path};
    struct ry_json root;

    RY_TRY(ry_json_open(arena, path, problems, &root));
    if (is_of_schema(root))
        read_model(root, &read);
    RY_TRY(ry_problems_err(problems, NULL));
    *model = read;
    return RY_OK;
}

enum ry_err ry_comm_models_read(struct ry_arena *arena, const char *folder,
                                struct ry_problems *problems,
                                struct ry_comm_models *models)
{
    const char *where = folder ? folder : ry_data_path(arena, "models/comm");
    struct ry_comm_models read = {0};
    struct ry_file_names names;
    struct ry_diag diag = {0};

    const enum ry_err err = ry_folder_list(arena, where, ".json", &names, &diag);
    if (err != RY_OK) {
        ry_problem_diag(problems, &diag);
        return err;
    }
    for (size_t i = 0; i < names.n && read.n < RY_COMM_MODELS_MOST; i++) {
        if (strncmp(names.at[i], "nccl-", 5) == 0)
            continue;
        struct ry_comm_model *model = RY_NEW(arena, struct ry_comm_model, 1);
        const char *path = ry_strfmt(arena, "%s/%s", where, names.at[i]);
        if (!model || !path)
            return RY_ERR_NOMEM;
        if (ry_comm_model_read(arena, path, problems, model) == RY_OK)
            read.at[read.n++] = model;
    }
    RY_TRY(ry_problems_err(problems, NULL));
    *models = read;
    return RY_OK;
}

void ry_comm_models_prefer(struct ry_comm_models *models,
                           const struct ry_comm_model *model)
{
    if (models->n < RY_COMM_MODELS_MOST)
        models->n++;
    memmove(&models->at[1], &models->at[0], (models->n - 1) * sizeof(models->at[0]));
    models->at[0] = model;
}
