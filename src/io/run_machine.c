/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/run_machine.h"

#include "base/names.h"
#include "catalog/parts.h"
#include "io/catalog_csv.h"
#include "io/compute_model.h"
#include "io/run_models.h"
#include "plan/machine.h"

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
    double host_link_bytes_per_s;
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

/** Whether @p text begins with one of @p names, which ; parts. */
static bool begins(const char *text, const char *names)
{
    while (*names != '\0') {
        const size_t n = strcspn(names, ";");
        if (n > 0 && strncmp(text, names, n) == 0)
            return true;
        names += n + (names[n] == ';');
    }
    return false;
}

/** By its name in the catalog, or by what tables call it otherwise; NULL: unknown. */
static const struct ry_gpu *gpu_called(const struct ry_catalog *catalog, const char *text)
{
    const struct ry_gpu *gpu = ry_find_gpu(catalog, text);
    for (size_t i = 0; gpu == NULL; i++) {
        const struct ry_gpu *row =
            (const struct ry_gpu *)(const void *)ry_catalog_at(catalog, RY_KIND_GPU, i);
        if (row == NULL)
            return NULL;
        if (begins(text, row->also_called))
            gpu = row;
    }
    return gpu;
}

/** The number before @p unit in a text such as "(500 W power limit, 2.4 TB/s)"; or 0. */
static double before_unit(const char *text, const char *unit)
{
    const char *at = strstr(text, unit);
    if (at == NULL)
        return 0;
    while (at > text &&
           (at[-1] == ' ' || at[-1] == '.' || (at[-1] >= '0' && at[-1] <= '9')))
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

/** Of the first nodes with the GPU, and, where none has a NIC, of one of its
 * architecture. */
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
    struct run_gpu *g = &parts->gpu[parts->n];
    const struct ry_gpu *part = gpu_called(&parts->catalog, gpu);
    if (parts->n == GPUS_MOST || part == NULL ||
        ry_compute_model_load(arena, part->part.name, &problems, &file) != RY_OK)
        return ry_fail(diag, RY_ERR_NOTFOUND, gpu, "no compute model for %s", gpu);
    if (parts->untuned)
        ry_compute_model_untune(&file);
    *g = (struct run_gpu){.name = gpu,
                          .model = file.model,
                          .usable_bytes = part->hbm_usable_bytes,
                          .host_link_bytes_per_s = ry_host_link_bytes_per_s(part),
                          .platform = platform_of(&parts->catalog, part)};
    const double hbm = before_unit(gpu, " TB/s");
    if (hbm > 0)
        g->model.hbm_bytes_per_s = hbm * 1e12;
    g->power_cap_w = before_unit(gpu, " W power limit");
    const double nominal_bytes = before_unit(gpu, "GB") * 1e9;
    if (nominal_bytes > 0 && part->mem_nominal_bytes > 0)
        g->usable_bytes *= nominal_bytes / part->mem_nominal_bytes;
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
        .pcie_bytes_per_s = g->host_link_bytes_per_s,
        .power_cap_w = g->power_cap_w,
    };
    return RY_OK;
}
