/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/launch_facts.h"

#include "base/names.h"
#include "catalog/parts.h"
#include "comm/net_build.h"
#include "plan/rank_map.h"
#include "sim/layout.h"

#include <math.h>
#include <string.h>

enum { FACTS_MOST = 96, VALUES_MOST = 40 };

struct builder {
    struct ry_arena *arena;
    const struct ry_launch_job *job;
    struct ry_fact *facts;
    struct ry_fact_value *values;
    size_t n, values_n;
    bool out_of_memory;
};

static void fact(struct builder *b, const char *name, bool holds)
{
    if (b->n < FACTS_MOST)
        b->facts[b->n++] = (struct ry_fact){name, holds};
}

static void text(struct builder *b, const char *name, const char *value)
{
    b->out_of_memory = b->out_of_memory || !value;
    if (b->values_n < VALUES_MOST)
        b->values[b->values_n++] = (struct ry_fact_value){name, value ? value : ""};
}

static void number(struct builder *b, const char *name, double value)
{
    text(b, name, ry_strfmt(b->arena, "%.15g", value));
}

static bool begins(const char *text_, const char *start)
{
    return strncmp(text_, start, strlen(start)) == 0;
}

const char *ry_launch_nearest_nics(struct ry_arena *arena, const struct ry_topo_m *topo)
{
    bool used[RY_TOPO_DEVICES_MOST] = {false};
    const char *list = "";

    for (size_t g = 0; g < topo->gpus; g++) {
        const size_t nic = ry_topo_m_nearest_nic(topo, g);
        if (nic < topo->nics)
            used[nic] = true;
    }
    for (size_t i = 0; list && i < topo->nics; i++)
        if (used[i])
            list = ry_strfmt(arena, "%s%s%s", list, list[0] ? "," : "", topo->devices[i]);
    return list;
}

/* The longest way from a GPU to its nearest NIC. */
static enum ry_topo_path farthest_nic(const struct ry_topo_m *topo)
{
    enum ry_topo_path far = RY_TOPO_SELF;

    for (size_t g = 0; topo && g < topo->gpus; g++) {
        const size_t nic = ry_topo_m_nearest_nic(topo, g);
        if (nic >= topo->nics)
            continue;
        const enum ry_topo_path path = ry_topo_m_cell(topo, g, topo->gpus + nic).path;
        far = path > far ? path : far;
    }
    return far;
}

/* RDMA devices of a node that are not for training, for people; "" when none is
 * planned. */
static const char *other_nics(struct builder *b)
{
    const struct ry_design *design = b->job->design;
    const char *list = design->node->frontend_nics ? design->node->frontend_nics : "";

    for (size_t i = 0; i < design->sides_n && list; i++) {
        if (design->sides[i].nics_per_node > 0 && design->sides[i].nic)
            list = ry_strfmt(b->arena, "%s%s%zu of the %s network", list,
                             list[0] ? ", " : "", design->sides[i].nics_per_node,
                             design->sides[i].name);
    }
    return list ? list : "";
}

static void add_fabric(struct builder *b)
{
    const struct ry_design *design = b->job->design;
    const struct ry_fabric_inputs *fabric = &design->fabric;
    const enum ry_transport transport =
        ry_transport_of(fabric->technology, design->nic ? design->nic->part.name : NULL);
    const enum ry_topo_path far = farthest_nic(b->job->topo);
    const size_t hosts = ry_rank_hosts(design, ry_rank_count(b->job->strategy));
    const char *others = other_nics(b);

    fact(b, "multi-node", hosts > 1 && transport != RY_TRANSPORT_NONE);
    fact(b, "ib", transport == RY_TRANSPORT_IB);
    fact(b, "roce", transport == RY_TRANSPORT_ROCE);
    fact(b, "verbs", transport == RY_TRANSPORT_IB || transport == RY_TRANSPORT_ROCE);
    fact(b, "efa", transport == RY_TRANSPORT_EFA);
    fact(b, "tcp", transport == RY_TRANSPORT_TCP);
    fact(b, "rdma-nic", design->nic && design->nic->rdma && design->nic->rdma[0]);
    fact(b, "other-nics", others[0] != '\0');
    fact(b, "rail-only", strcmp(fabric->family ? fabric->family : "", "rail-only") == 0);
    fact(b, "adaptive", fabric->adaptive_routing);
    fact(b, "hashed", !fabric->adaptive_routing);
    fact(b, "queue-pairs", fabric->queue_pairs > 1.0);
    fact(b, "sharp", fabric->in_network_reduction && transport == RY_TRANSPORT_IB);
    fact(b, "given-hca", b->job->hca != NULL);
    fact(b, "given-interface", b->job->interface != NULL);
    fact(b, "given-topo", b->job->topo != NULL);
    fact(b, "far-nic", far == RY_TOPO_PHB || far == RY_TOPO_NODE || far == RY_TOPO_SYS);
    text(b, "other_nics", others);
    text(b, "hca", b->job->hca ? b->job->hca : "");
    text(b, "interface", b->job->interface ? b->job->interface : "");
    text(b, "gdr_level", ry_topo_path_text(far));
    number(b, "nics", (double)ry_host_nics(design));
    number(b, "queue_pairs", fabric->queue_pairs);
    number(b, "hosts", (double)hosts);
}

static void add_node(struct builder *b)
{
    const struct ry_design *design = b->job->design;
    const struct ry_gpu *gpu = design->gpu;
    const char *architecture = gpu->architecture ? gpu->architecture : "";
    const bool nvidia = gpu->vendor && ry_name_eq(gpu->vendor, "nvidia");

    fact(b, "nvidia", nvidia);
    fact(b, "nccl", nvidia || (gpu->vendor && ry_name_eq(gpu->vendor, "amd")));
    fact(b, "before-blackwell",
         begins(architecture, "Volta") || begins(architecture, "Ampere") ||
             begins(architecture, "Ada") || begins(architecture, "Hopper"));
    fact(b, "nvlink", design->local_link != RY_LOCAL_PCIE);
    fact(b, "nvswitch", design->local_link == RY_LOCAL_SWITCHED);
    fact(b, "rack-domain", design->domain_gpus > design->gpus_per_host);
    fact(b, "megatron",
         begins(b->job->workload->traits.name, "megatron") ||
             begins(b->job->workload->traits.name, "nemo"));
    number(b, "gpus_per_host", (double)design->gpus_per_host);
}

static void add_cuts(struct builder *b)
{
    const struct ry_strategy *s = b->job->strategy;
    const struct ry_arch *arch = &b->job->workload->arch;
    const size_t cuts = (size_t)(s->pp > 1 ? s->pp : 1) * (s->vpp > 1 ? s->vpp : 1);
    struct ry_layout_cost stages = {0};

    ry_layout_stages(arch, s, &stages);
    const bool even = arch->layers % cuts == 0 && s->first_stage_layers == 0 &&
                      s->last_stage_layers == 0;
    fact(b, "uneven", s->pp > 1 && !even);
    fact(b, "ends-count", s->pp > 1 && !even && (arch->layers + 2) % cuts == 0);
    number(b, "first_layers", s->pp > 1 ? stages.layers_first : stages.layers_last);
    number(b, "last_layers", stages.layers_last);
    number(b, "layers", arch->layers);
}

static void degree(struct builder *b, const char *name, unsigned value)
{
    fact(b, name, value > 1);
    number(b, name, value > 1 ? value : 1);
}

static void add_degrees(struct builder *b)
{
    const struct ry_strategy *s = b->job->strategy;
    const double shards = (double)(s->dp > 1 ? s->dp : 1) * (s->cp > 1 ? s->cp : 1);
    const double cp = s->cp > 1 ? s->cp : 1;
    const bool hybrid = s->shard_ranks > 0 && s->shard_ranks < shards;

    degree(b, "tp", s->tp);
    degree(b, "pp", s->pp);
    degree(b, "vpp", s->vpp);
    degree(b, "dp", s->dp);
    degree(b, "cp", s->cp);
    degree(b, "ep", s->ep);
    degree(b, "etp", s->etp);
    fact(b, "sp", s->sequence_parallel && s->tp > 1);
    fact(b, "moe", b->job->workload->arch.experts > 0);
    fact(b, "hsdp", hybrid);
    number(b, "replicas", hybrid ? shards / s->shard_ranks : 1.0);
    number(b, "shard_dp", (hybrid ? s->shard_ranks : shards) / cp);
    number(b, "shard_ranks", hybrid ? s->shard_ranks : shards);
    number(b, "gpus", (double)ry_rank_count(s));
    number(b, "micro_batch", s->micro_batch);
    number(b, "global_batch", s->global_batch);
    number(b, "micro_batches", ry_strategy_micro_batches(s));
    number(b, "local_batch", s->micro_batch * ry_strategy_micro_batches(s));
    number(b, "seq", s->seq);
}

static void add_states(struct builder *b)
{
    const struct ry_strategy *s = b->job->strategy;
    const bool sharded = s->zero_stage == 3 || s->fsdp;

    fact(b, "zero0", s->zero_stage == 0 && !s->fsdp);
    fact(b, "zero1", s->zero_stage == 1 && !s->fsdp);
    fact(b, "zero2", s->zero_stage == 2 && !s->fsdp);
    fact(b, "zero3", sharded);
    fact(b, "sharded", sharded);
    fact(b, "fsdp-engine", sharded || s->zero_stage == 2);
    fact(b, "offload-optimizer", s->offload_optimizer_frac > 0.0);
    fact(b, "offload-optimizer-all", s->offload_optimizer_frac >= 1.0);
    fact(b, "offload-activations", s->offload_activations_frac > 0.0);
    number(b, "zero", sharded ? 3.0 : s->zero_stage);
    number(b, "offload_optimizer", s->offload_optimizer_frac);
}

static void add_kernels(struct builder *b)
{
    const struct ry_strategy *s = b->job->strategy;

    fact(b, "tp-overlap", s->tp_overlap && s->tp > 1);
    fact(b, "dp-overlap", s->dp_overlap && s->dp > 1);
    fact(b, "pp-overlap", s->pp_overlap);
    fact(b, "ep-overlap", s->ep_overlap && s->ep > 1);
    fact(b, "compile", s->compile);
    fact(b, "cp-ring", s->cp_kind == RY_CP_RING);
    fact(b, "cp-gather", s->cp_kind == RY_CP_ALL_GATHER);
    fact(b, "cp-all-to-all", s->cp_kind == RY_CP_ALL_TO_ALL);
    fact(b, "1f1b", s->schedule == RY_SCHEDULE_1F1B);
    fact(b, "gpipe", s->pp > 1 && s->schedule == RY_SCHEDULE_GPIPE);
    fact(b, "zero-bubble", s->pp > 1 && s->schedule == RY_SCHEDULE_ZERO_BUBBLE);
    fact(b, "dualpipe", s->pp > 1 && s->schedule == RY_SCHEDULE_DUALPIPE);
    fact(b, "lora", s->task == RY_TASK_LORA);
    number(b, "lora_rank", s->lora_rank ? s->lora_rank : 16);
    number(b, "recompute_layers", s->recompute_layers);
}

static void add_choices(struct builder *b)
{
    static const char *const recompute[] = {
        [RY_RECOMPUTE_NONE] = "recompute-none",
        [RY_RECOMPUTE_SELECTIVE] = "recompute-selective",
        [RY_RECOMPUTE_FULL] = "recompute-full",
        [RY_RECOMPUTE_LAYERS] = "recompute-layers",
        [RY_RECOMPUTE_NORMS] = "recompute-norms",
        [RY_RECOMPUTE_MLP] = "recompute-mlp",
        [RY_RECOMPUTE_PRODUCTS] = "recompute-products",
    };
    static const char *const precision[] = {
        [RY_TRAIN_BF16] = "bf16",   [RY_TRAIN_FP16] = "fp16",   [RY_TRAIN_FP8] = "fp8",
        [RY_TRAIN_MXFP8] = "mxfp8", [RY_TRAIN_NVFP4] = "nvfp4", [RY_TRAIN_FP32] = "fp32",
    };
    const struct ry_strategy *s = b->job->strategy;

    for (size_t i = 0; i < sizeof(recompute) / sizeof(recompute[0]); i++)
        fact(b, recompute[i], (size_t)s->recompute == i);
    for (size_t i = 0; i < sizeof(precision) / sizeof(precision[0]); i++)
        fact(b, precision[i], (size_t)s->precision == i);
}

enum ry_err ry_launch_facts(struct ry_arena *arena, const struct ry_launch_job *job,
                            struct ry_facts *facts)
{
    struct builder b = {.arena = arena,
                        .job = job,
                        .facts = RY_NEW(arena, struct ry_fact, FACTS_MOST),
                        .values = RY_NEW(arena, struct ry_fact_value, VALUES_MOST)};

    if (!b.facts || !b.values)
        return RY_ERR_NOMEM;
    add_fabric(&b);
    add_node(&b);
    add_cuts(&b);
    add_degrees(&b);
    add_states(&b);
    add_kernels(&b);
    add_choices(&b);
    *facts = (struct ry_facts){b.n, b.values_n, b.facts, b.values};
    return b.out_of_memory ? RY_ERR_NOMEM : RY_OK;
}
