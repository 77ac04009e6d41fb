/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/run_machine.h"

#include "base/names.h"
#include "catalog/parts.h"
#include "io/catalog_csv.h"
#include "io/compute_model.h"
#include "io/run_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS_MOST = 32 };

/** The compute model and memory of a GPU that some run has. */
struct run_gpu {
    const char *name; /**< as the run says it */
    struct ry_compute_model model;
    double usable_bytes;
    double power_cap_w;
    double host_link_bytes_per_s; /**< NVLink-C2C; 0: PCIe */
    struct ry_run_platform platform;
};

struct ry_run_parts {
    bool untuned;
    struct ry_run_nets *nets;
    struct ry_catalog catalog;
    size_t n;
    struct run_gpu gpu[GPUS_MOST];
};

enum ry_err ry_run_parts_read(struct ry_arena *arena, bool untuned,
                              struct ry_problems *problems, struct ry_run_parts **parts)
{
    const struct ry_catalog_sources shipped = {0};
    *parts = RY_NEW(arena, struct ry_run_parts, 1);
    if (*parts == NULL)
        return RY_ERR_NOMEM;
    (*parts)->untuned = untuned;
    RY_TRY(ry_catalog_load(arena, &shipped, problems, &(*parts)->catalog));
    return ry_run_nets_read(arena, problems, &(*parts)->nets);
}

/** Catalog names of what tables call otherwise; by the start of the text. */
static const char *catalog_name(const char *gpu)
{
    static const struct {
        const char *start, *name;
    } others[] = {{"NVIDIA H200", "H200-SXM-141GB"}, {"NVIDIA H100", "H100-SXM5-80GB"},
                  {"H100-SXM5", "H100-SXM5-80GB"},   {"GB200", "GB200-GPU"},
                  {"GB300", "GB300-GPU"},            {"V100-SXM3", "V100-SXM2-32GB"},
                  {"MI300X", "MI300X"},              {"MI325X", "MI325X"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strncmp(gpu, others[i].start, strlen(others[i].start)) == 0)
            return others[i].name;
    return gpu;
}

/** The number before @p unit in a text such as "(500 W power limit, 2.4 TB/s)"; or 0. */
static double before_unit(const char *text, const char *unit)
{
    const char *at = strstr(text, unit);
    if (at == NULL)
        return 0;
    while (at > text && (at[-1] == ' ' || at[-1] == '.' || (at[-1] >= '0' && at[-1] <= '9')))
        at--;
    return strtod(at, NULL);
}

static bool same_architecture(const struct ry_catalog *catalog, const struct ry_gpu *gpu,
                              const struct ry_node *node)
{
    const struct ry_gpu *other = ry_find_gpu(catalog, node->gpu_model);
    return other != NULL && gpu->architecture[0] != '\0' &&
           strcmp(other->architecture, gpu->architecture) == 0;
}

/** Of the first nodes with the GPU, and, where none has a NIC, of one of its architecture. */
static struct ry_run_platform platform_of(const struct ry_catalog *catalog,
                                          const struct ry_gpu *gpu)
{
    struct ry_run_platform platform = {0};
    double alike_bytes_per_s = 0;
    const struct ry_node *node;
    for (size_t i = 0; (node = (const struct ry_node *)(const void *)ry_catalog_at(
                            catalog, RY_KIND_NODE, i)) != NULL;
         i++) {
        const bool same = ry_name_eq(node->gpu_model, gpu->part.name);
        if (same && platform.rack_gpus == 0 && strcmp(node->kind, "rack") == 0)
            platform.rack_gpus = node->gpu_count;
        if (!(node->scaleout_nic_bytes_per_s > 0))
            continue;
        if (same && platform.nic_bytes_per_s == 0)
            platform.nic_bytes_per_s = node->scaleout_nic_bytes_per_s;
        if (alike_bytes_per_s == 0 && same_architecture(catalog, gpu, node))
            alike_bytes_per_s = node->scaleout_nic_bytes_per_s;
    }
    if (platform.nic_bytes_per_s == 0)
        platform.nic_bytes_per_s = alike_bytes_per_s;
    return platform;
}

static enum ry_err add_gpu(struct ry_arena *arena, struct ry_run_parts *parts,
                           const char *gpu, struct ry_diag *diag)
{
    struct ry_problems problems = {0};
    struct ry_compute_file file;
    const char *name = catalog_name(gpu);
    struct run_gpu *g = &parts->gpu[parts->n];
    const struct ry_gpu *part = ry_find_gpu(&parts->catalog, name);
    if (parts->n == GPUS_MOST || part == NULL ||
        ry_compute_model_load(arena, name, &problems, &file) != RY_OK)
        return ry_fail(diag, RY_ERR_NOTFOUND, gpu, "no compute model for %s", gpu);
    if (parts->untuned)
        ry_compute_model_untune(&file);
    *g = (struct run_gpu){.name = gpu, .model = file.model,
                          .usable_bytes = part->hbm_usable_bytes,
                          .host_link_bytes_per_s =
                              part->c2c_bytes_per_s > 0 ? part->c2c_bytes_per_s : 0,
                          .platform = platform_of(&parts->catalog, part)};
    const double hbm = before_unit(gpu, " TB/s");
    if (hbm > 0)
        g->model.hbm_bytes_per_s = hbm * 1e12;
    g->power_cap_w = before_unit(gpu, " W power limit");
    if (strstr(gpu, "-96GB-") != NULL)
        g->usable_bytes *= 96.0 / 80.0;
    parts->n++;
    return RY_OK;
}

static const struct run_gpu *find_gpu(struct ry_arena *arena, struct ry_run_parts *parts,
                                      const char *gpu, struct ry_diag *diag)
{
    for (size_t i = 0; i < parts->n; i++)
        if (strcmp(parts->gpu[i].name, gpu) == 0)
            return &parts->gpu[i];
    return add_gpu(arena, parts, gpu, diag) == RY_OK ? &parts->gpu[parts->n - 1] : NULL;
}

enum ry_err ry_run_machine(struct ry_arena *arena, struct ry_run_parts *parts,
                           const struct ry_job *run, struct ry_machine *machine,
                           struct ry_diag *diag)
{
    const struct run_gpu *g = find_gpu(arena, parts, run->gpu, diag);
    const struct ry_net *net = NULL;
    if (g == NULL)
        return RY_ERR_NOTFOUND;
    RY_TRY(ry_run_net_of(arena, parts->nets, run, &g->platform, &net, diag));
    *machine = (struct ry_machine){
        .compute = &g->model,
        .net = net,
        .gpus = run->gpus,
        .gpus_per_node = run->gpus_per_node,
        .hbm_usable_bytes = g->usable_bytes,
        .pcie_bytes_per_s = g->host_link_bytes_per_s > 0 ? 0.8 * g->host_link_bytes_per_s
                                                         : ry_run_net_pcie(net),
        .power_cap_w = g->power_cap_w,
    };
    return RY_OK;
}
