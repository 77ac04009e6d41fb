/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/machine.h"

#include "catalog/parts.h"

#include <math.h>
#include <string.h>

/* PCIe line rate, one direction: 128b/130b coding; gen 3 8 GT/s a lane, doubling each
 * generation. */
static double slot_bytes_per_s(const struct ry_gpu *gpu)
{
    if (!(gpu->pcie_gen >= 3.0) || !(gpu->pcie_lanes >= 1.0))
        return 0.0;
    return gpu->pcie_lanes * 1e9 * exp2(gpu->pcie_gen - 3.0) * (128.0 / 130.0);
}

/* Copies of a GH200 reach 346 of 450 GB/s (github.com/NVIDIA/nvbandwidth, issue 23); PCIe
 * adds 24 B to 256 B. */
double ry_host_link_bytes_per_s(const struct ry_gpu *gpu)
{
    return gpu->c2c_bytes_per_s > 0.0 ? gpu->c2c_bytes_per_s * (346.0 / 450.0)
                                      : slot_bytes_per_s(gpu) * (256.0 / 280.0);
}

/* Of what joins the GPUs of a domain. */
static double wire_bytes_per_s(const struct ry_design *design)
{
    const bool own =
        design->local_link == RY_LOCAL_MESH || design->local_link == RY_LOCAL_SWITCHED;

    return own ? design->gpu->scaleup_bytes_per_s : slot_bytes_per_s(design->gpu);
}

enum ry_err ry_design_network(const struct ry_design *design, struct ry_network *network,
                              struct ry_diag *diag)
{
    const struct ry_fabric_inputs *fabric = &design->fabric;

    *network = (struct ry_network){.oversubscription = 1.0};
    if (fabric->technology == RY_FABRIC_NONE)
        return RY_OK;
    const struct ry_network_input in = {
        .name = design->name,
        .nodes = design->nodes,
        .rails = design->nics_per_node,
        .leaf_radix = ry_switch_radix(fabric->leaf, design->nic_bytes_per_s),
        .spine_radix = ry_switch_radix(fabric->spine, design->nic_bytes_per_s),
        .oversubscription = fabric->oversubscription,
        .rail_optimised = fabric->rail_optimised,
        .rail_only = strcmp(fabric->family, "rail-only") == 0,
        .management_ports = fabric->management_ports,
        .tiers = fabric->tiers,
    };
    return ry_network_count(&in, network, diag);
}

enum ry_err ry_machine_build(const struct ry_design *design,
                             const struct ry_contention *contention,
                             const struct ry_models *models,
                             struct ry_built_machine *built, struct ry_diag *diag)
{
    const struct ry_gpu *gpu = design->gpu;
    const bool joined = design->fabric.technology != RY_FABRIC_NONE;
    struct ry_net_spec spec = {
        .gpu = gpu->part.name,
        .link = design->local_link,
        .wire_bytes_per_s = wire_bytes_per_s(design),
        .gpus = ry_design_gpus(design),
        .domain_gpus = design->domain_gpus,
        .nics_per_domain = joined ? (double)design->nics_per_node *
                                        (double)design->domain_gpus /
                                        (double)design->gpus_per_node
                                  : 0.0,
        .nic_bytes_per_s = joined ? design->nic_bytes_per_s : 0.0,
        .transport = ry_transport_of(design->fabric.technology,
                                     design->nic ? design->nic->part.name : NULL),
        .sharp = design->fabric.in_network_reduction,
    };

    spec.tiers = contention->tiers;
    memcpy(spec.tier, contention->tier, sizeof(spec.tier));
    RY_TRY(ry_net_build(models->comm, &spec, &built->net, diag));
    const double usable = isfinite(gpu->hbm_usable_bytes) ? gpu->hbm_usable_bytes
                          : isfinite(gpu->hbm_bytes)      ? gpu->hbm_bytes
                                                          : gpu->mem_nominal_bytes;
    built->machine = (struct ry_machine){
        .compute = models->compute,
        .net = &built->net,
        .gpus = (double)spec.gpus,
        .gpus_per_node = (double)design->gpus_per_host,
        .hbm_usable_bytes = usable,
        .host_ram_bytes = isfinite(design->host_ram_bytes) ? design->host_ram_bytes : 0.0,
        .pcie_bytes_per_s = ry_host_link_bytes_per_s(gpu),
        .power_cap_w =
            design->gpu_power_cap_w < gpu->power_max_w ? design->gpu_power_cap_w : 0.0,
    };
    return RY_OK;
}
