/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/net_input.h"

#include "base/names.h"
#include "catalog/parts.h"
#include "cli/catalog_opts.h"
#include "io/comm_model.h"
#include "io/design_file.h"
#include "io/json.h"
#include "io/problems_print.h"
#include "plan/machine.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static enum ry_err open_own(struct ry_net_source *source, const char *path,
                            struct ry_problems *problems, struct ry_diag *diag)
{
    struct ry_comm_model *own = RY_NEW(source->arena, struct ry_comm_model, 1);

    source->own = own;
    if (!own)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    if (ry_comm_model_read(source->arena, path, problems, own) != RY_OK)
        return ry_problems_print(problems, diag);
    ry_comm_models_prefer(&source->models, own);
    return RY_OK;
}

enum ry_err ry_net_source_open(struct ry_arena *arena,
                               const struct ry_net_options *options,
                               struct ry_net_source *source, struct ry_diag *diag)
{
    static const struct ry_catalog_sources shipped = {0};
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_catalog *catalog = RY_NEW(arena, struct ry_catalog, 1);

    if (!problems || !catalog)
        return ry_fail(diag, RY_ERR_NOMEM, "models", "no memory");
    *source = (struct ry_net_source){.arena = arena, .catalog = catalog};
    if (ry_comm_models_read(arena, NULL, problems, &source->models) != RY_OK)
        return ry_problems_print(problems, diag);
    if (options->model)
        RY_TRY(open_own(source, options->model, problems, diag));
    return ry_catalog_opened(arena, &shipped, catalog, diag);
}

static bool begins(const char *text, const char *start)
{
    return strncasecmp(text, start, strlen(start)) == 0;
}

/* "NVIDIA H100 80GB HBM3" and "H100-SXM5-80GB" have one model; it knows both names. */
static const struct ry_comm_model *model_of(const struct ry_comm_models *models,
                                            const char *gpu)
{
    for (size_t i = 0; i < models->n; i++)
        for (size_t k = 0; k < models->at[i]->names; k++)
            if (!models->at[i]->between && begins(gpu, models->at[i]->gpu[k]))
                return models->at[i];
    return NULL;
}

/* The first node of the catalog with a GPU of that model. */
static const struct ry_node *usual_node(const struct ry_net_source *source,
                                        const struct ry_comm_model *model)
{
    for (size_t k = 0; k < model->names; k++)
        for (size_t i = 0;; i++) {
            const struct ry_node *node =
                (const struct ry_node *)(const void *)ry_catalog_at(source->catalog,
                                                                    RY_KIND_NODE, i);
            if (!node)
                break;
            if (node->gpu_model && begins(node->gpu_model, model->gpu[k]) &&
                node->gpu_count == (double)model->domain.gpus &&
                node->scaleout_nic_count > 0.0)
                return node;
        }
    return NULL;
}

static size_t transport_find(const char *name)
{
    size_t i = 0;

    while (i < RY_TRANSPORTS &&
           !ry_name_eq(ry_transport_name((enum ry_transport)i), name))
        i++;
    return i;
}

static enum ry_transport transport_by_nic(const char *type)
{
    if (!type)
        return RY_TRANSPORT_IB;
    if (strstr(type, "RoCE") || strstr(type, "TCPX") || strstr(type, "thernet"))
        return RY_TRANSPORT_ROCE;
    return ry_transport_of(RY_FABRIC_INFINIBAND, type);
}

enum ry_err ry_net_of_design(const struct ry_net_source *source,
                             const struct ry_design *design, struct ry_net *net,
                             struct ry_diag *diag)
{
    struct ry_built_machine *built = RY_NEW(source->arena, struct ry_built_machine, 1);
    const struct ry_models models = {.comm = &source->models};
    struct ry_contention contention;
    struct ry_network network;

    if (!built)
        return ry_fail(diag, RY_ERR_NOMEM, design->name, "no memory");
    RY_TRY(ry_design_network(design, &network, diag));
    RY_TRY(ry_contention_make(source->arena, design, &network, &contention, diag));
    RY_TRY(ry_machine_build(design, &contention, &models, built, diag));
    *net = built->net;
    return RY_OK;
}

static enum ry_err of_design(const struct ry_net_source *source, const char *path,
                             struct ry_net_known *known, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(source->arena, struct ry_problems, 1);
    struct ry_design *design = RY_NEW(source->arena, struct ry_design, 1);
    struct ry_json root = {0};

    if (!problems || !design)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    if (ry_json_open(source->arena, path, problems, &root) != RY_OK)
        return ry_problems_print(problems, diag);
    const struct ry_json at =
        ry_json_has(root, "design") ? ry_json_get(root, "design") : root;
    RY_TRY(ry_design_read(source->arena, at, source->catalog, path, design));
    ry_design_read_check(at, design);
    if (problems->count > 0)
        return ry_problems_print(problems, diag);
    RY_TRY(ry_net_of_design(source, design, &known->net, diag));
    known->from = ry_strfmt(source->arena, "design %s", path);
    return RY_OK;
}

/* Options first; what they leave open, the usual node of the GPU says. */
static enum ry_err fill_spec(const struct ry_net_source *source,
                             const struct ry_net_options *options,
                             const struct ry_net_hint *hint, struct ry_net_spec *spec,
                             struct ry_net_known *known, struct ry_diag *diag)
{
    const char *gpu = options->gpu ? options->gpu : hint->gpu;
    const bool own = source->own && !source->own->between;
    const struct ry_comm_model *model = own   ? source->own
                                        : gpu ? model_of(&source->models, gpu)
                                              : NULL;
    const bool open =
        options->nics <= 0.0 || options->nic_bytes_per_s <= 0.0 || !options->transport;

    if (!model && !(options->pcie && gpu))
        return ry_fail(diag, RY_ERR_NOTFOUND, "hardware",
                       "GPU '%.80s' has no communication model: give --gpu or --design",
                       gpu ? gpu : "(not said)");
    const struct ry_node *node = model ? usual_node(source, model) : NULL;
    const double per_node = options->gpus_per_node >= 1.0 ? options->gpus_per_node
                            : hint->nodes > 0 && hint->ranks >= hint->nodes
                                ? ceil((double)hint->ranks / (double)hint->nodes)
                            : model ? (double)model->domain.gpus
                                    : 8.0;
    spec->gpu = gpu ? gpu : "";
    spec->link = options->pcie || !model ? RY_LOCAL_PCIE : model->link;
    spec->domain_gpus = (size_t)per_node;
    if (model && !options->pcie && model->domain.gpus > spec->domain_gpus &&
        model->domain.gpus >= hint->ranks && options->gpus_per_node < 1.0)
        spec->domain_gpus = model->domain.gpus; /* a rack that is one domain */
    spec->domain_model = model && !options->pcie ? model->name : NULL;
    spec->fabric_model =
        source->own && source->own->between ? source->own->name : options->fabric_model;
    spec->sharp = options->sharp;
    spec->nvls_off = options->nvls_off;
    spec->nics_per_domain = options->nics > 0.0 ? options->nics
                            : node              ? node->scaleout_nic_count
                                                : per_node;
    spec->nic_bytes_per_s = options->nic_bytes_per_s > 0.0 ? options->nic_bytes_per_s
                            : node ? node->scaleout_nic_bytes_per_s
                                   : 50e9;
    const size_t transport =
        options->transport
            ? transport_find(options->transport)
            : (size_t)transport_by_nic(node ? node->scaleout_nic_type : NULL);
    if (transport == RY_TRANSPORTS)
        return ry_fail(diag, RY_ERR_NOTFOUND, "transport",
                       "'%s' is not one of ib, roce, efa, omni-path, tcp",
                       options->transport);
    spec->transport = (enum ry_transport)transport;
    known->assumed = open && hint->ranks > spec->domain_gpus;
    known->from = known->assumed
                      ? ry_strfmt(source->arena, "NICs of a %s assumed",
                                  node ? node->part.name : "node with one NIC a GPU")
                  : options->gpu ? "options"
                                 : "the GPU's name";
    return RY_OK;
}

enum ry_err ry_net_input(const struct ry_net_source *source,
                         const struct ry_net_options *options,
                         const struct ry_net_hint *hint, struct ry_net_known *known,
                         struct ry_diag *diag)
{
    struct ry_net_known made = {.from = ""};
    struct ry_net_spec spec = {0};

    if (options->design) {
        RY_TRY(of_design(source, options->design, &made, diag));
    } else {
        RY_TRY(fill_spec(source, options, hint, &spec, &made, diag));
        RY_TRY(ry_net_build(&source->models, &spec, &made.net, diag));
    }
    const size_t per_node = hint->nodes > 0 && hint->ranks >= hint->nodes
                                ? (hint->ranks + hint->nodes - 1) / hint->nodes
                                : hint->ranks;
    const size_t in_domain = made.net.domain.gpus >= hint->ranks ? hint->ranks
                             : per_node < made.net.domain.gpus   ? per_node
                                                                 : made.net.domain.gpus;
    made.group = (struct ry_group){
        .ranks = hint->ranks,
        .per_domain = hint->nodes > 1 && made.net.domain.gpus <= 8 && per_node < in_domain
                          ? per_node
                          : in_domain,
        .sharing = 1,
    };
    if (made.group.ranks > made.group.per_domain &&
        made.net.fabric.nics_per_domain <= 0.0)
        return ry_fail(diag, RY_ERR_RANGE, "hardware",
                       "%zu ranks on domains of %zu GPUs that no NIC joins",
                       made.group.ranks, made.net.domain.gpus);
    *known = made;
    return RY_OK;
}
