/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

#include <math.h>
#include <string.h>

enum { COUNT_MOST = 1 << 26, NETWORKS_MOST = 8 };
static const struct ry_json_bounds counted = {1, COUNT_MOST};

/* Keys that say nothing that has a place here, and why. */
struct passed {
    const char *key, *why;
};

static const struct passed execution_passed[] = {
    {"tensor_par_net", "ranks are placed in order: TP in the domain first"},
    {"pipeline_par_net", "ranks are placed in order: PP outermost"},
    {"data_par_net", "ranks are placed in order: DP over what TP leaves"},
    {"fused_activation", "what is fused is the framework preset's"},
    {"seq_par_ag_redo", "the gather in backward is part of sequence parallelism here"},
    {NULL, NULL}};

static const struct passed system_passed[] = {
    {"vector", "memory-bound kernels come from the GPU's measured model"},
    {"mem2", "host memory and its slot are those of the node"},
    {"processing_mode", "compute and memory overlap as the kernels' model says"},
    {NULL, NULL}};

static const char *passed_why(const struct passed list[], const char *key)
{
    for (size_t i = 0; list[i].key; i++)
        if (strcmp(list[i].key, key) == 0)
            return list[i].why;
    return NULL;
}

static bool listed(const char *const list[], const char *key)
{
    for (size_t i = 0; list[i]; i++)
        if (strcmp(list[i], key) == 0)
            return true;
    return false;
}

/* Every key is taken, passed with its reason, or told. */
static void note_others(struct ry_peer *peer, struct ry_json at,
                        const char *const taken[], const struct passed passed[])
{
    for (size_t i = 0; i < ry_json_size(at); i++) {
        const char *key = ry_json_key(ry_json_at(at, i));
        const char *why = passed ? passed_why(passed, key) : NULL;
        if (why)
            ry_peer_note(peer, key, "%s", why);
        else if (!listed(taken, key))
            ry_peer_note(peer, key, "is no key of Calculon that is known here");
    }
}

static unsigned count(struct ry_json at, const char *key)
{
    (void)ry_json_need(at, key);
    return (unsigned)ry_json_count(at, key, counted, 1);
}

/* Calculon counts 51,200 words for its parameters (llm.py, num_parameters) and leaves
 * embedding and head out of its times. */
static void read_model(struct ry_peer *peer, struct ry_json at)
{
    static const char *const taken[] = {"hidden",     "feedforward", "seq_size",
                                        "attn_heads", "attn_size",   "num_blocks",
                                        NULL};

    peer->has_arch = true;
    peer->arch = (struct ry_arch){.layers = count(at, "num_blocks"),
                                  .hidden = count(at, "hidden"),
                                  .heads = count(at, "attn_heads"),
                                  .kv_heads = count(at, "attn_heads"),
                                  .head_dim = count(at, "attn_size"),
                                  .ffn = count(at, "feedforward"),
                                  .layer_norm = true,
                                  .linear_bias = true,
                                  .tied_embeddings = true,
                                  .positions = RY_POSITIONS_LEARNED,
                                  .vocab = 51200};
    peer->strategy.seq = count(at, "seq_size");
    peer->arch.max_positions = peer->strategy.seq;
    ry_peer_note(peer, "vocabulary",
                 "51,200 as Calculon counts parameters; it leaves the "
                 "times of embedding and head out, they are in here");
    note_others(peer, at, taken, NULL);
}

static void read_precision(struct ry_peer *peer, struct ry_json at)
{
    static const char *const types[] = {"bfloat16", "float16", "float8", "float32", NULL};
    static const enum ry_train_precision precision[] = {RY_TRAIN_BF16, RY_TRAIN_FP16,
                                                        RY_TRAIN_FP8, RY_TRAIN_FP32};

    peer->strategy.precision = precision[ry_json_choice(at, "datatype", types, 0)];
}

static void read_recompute(struct ry_peer *peer, struct ry_json at)
{
    static const char *const modes[] = {"none", "attn_only", "full", NULL};
    static const enum ry_recompute recompute[] = {
        RY_RECOMPUTE_NONE, RY_RECOMPUTE_SELECTIVE, RY_RECOMPUTE_FULL};

    peer->strategy.recompute =
        recompute[ry_json_choice(at, "activation_recompute", modes, 0)];
}

static void read_traffic(struct ry_peer *peer, struct ry_json at)
{
    static const char *const kinds[] = {"ar", "p2p_rs_ag", "rs_ag", NULL};
    static const char *const overlaps[] = {"none", "ring", "pipe", NULL};
    static const char *const attention[] = {"multihead", "multiquery", NULL};
    struct ry_strategy *s = &peer->strategy;
    const int kind = ry_json_choice(at, "tensor_par_comm_type", kinds, 0);

    s->sequence_parallel = kind == 2 && s->tp > 1;
    if (kind == 1)
        ry_peer_note(peer, "tensor_par_comm_type",
                     "p2p_rs_ag: stage exchanges are split over "
                     "TP by the preset, not by the workload");
    s->tp_overlap = ry_json_choice(at, "tensor_par_overlap", overlaps, 0) > 0;
    s->dp_overlap = ry_json_bool(at, "data_par_overlap", false);
    if (ry_json_choice(at, "attention_type", attention, 0) == 1 && peer->has_arch)
        peer->arch.kv_heads = 1;
}

static void read_execution(struct ry_peer *peer, struct ry_json at)
{
    static const char *const taken[] = {"num_procs",
                                        "tensor_par",
                                        "pipeline_par",
                                        "data_par",
                                        "batch_size",
                                        "microbatch_size",
                                        "datatype",
                                        "attention_type",
                                        "activation_recompute",
                                        "pipeline_interleaving",
                                        "optimizer_sharding",
                                        "tensor_par_comm_type",
                                        "tensor_par_overlap",
                                        "data_par_overlap",
                                        "weight_offload",
                                        "activations_offload",
                                        "optimizer_offload",
                                        "training",
                                        NULL};
    struct ry_strategy *s = &peer->strategy;

    peer->training = true;
    peer->gpus = count(at, "num_procs");
    s->tp = count(at, "tensor_par");
    s->pp = count(at, "pipeline_par");
    s->dp = count(at, "data_par");
    s->vpp = count(at, "pipeline_interleaving");
    s->global_batch = count(at, "batch_size");
    s->micro_batch = count(at, "microbatch_size");
    s->zero_stage = ry_json_bool(at, "optimizer_sharding", false);
    s->offload_optimizer_frac = ry_json_bool(at, "optimizer_offload", false);
    s->offload_activations_frac = ry_json_bool(at, "activations_offload", false);
    read_precision(peer, at);
    read_recompute(peer, at);
    read_traffic(peer, at);
    if ((double)s->tp * s->pp * s->dp != (double)peer->gpus)
        ry_json_problem(at, RY_ERR_RANGE,
                        "tensor_par %u x pipeline_par %u x data_par %u is not "
                        "num_procs %zu",
                        s->tp, s->pp, s->dp, peer->gpus);
    if (!ry_json_bool(at, "training", true))
        ry_json_problem(ry_json_get(at, "training"), RY_ERR_RANGE,
                        "only training is planned");
    if (ry_json_bool(at, "weight_offload", false))
        ry_peer_note(peer, "weight_offload", "weights stay in GPU memory here");
    note_others(peer, at, taken, execution_passed);
}

static void note_efficiency(struct ry_peer *peer, struct ry_json network, size_t i)
{
    static const char *const taken[] = {"bandwidth", "size", NULL};
    static const struct passed passed[] = {
        {"efficiency", "the share that is reached comes from measured collectives"},
        {"latency", "the start-up comes from measured collectives"},
        {"ops", "the traffic of a collective comes from NCCL's algorithms"},
        {"must_be_filled", "a domain is filled before the next one"},
        {"processor_usage", "what traffic takes from compute is measured (overlap)"},
        {NULL, NULL}};

    if (i == 0)
        note_others(peer, network, taken, passed);
}

static void read_networks(struct ry_peer *peer, struct ry_json list)
{
    if (!ry_json_expect(list, RY_JSON_LIST))
        return;
    if (ry_json_size(list) == 0 || ry_json_size(list) > NETWORKS_MOST) {
        ry_json_problem(list, RY_ERR_RANGE, "%zu networks, 1 to %d", ry_json_size(list),
                        NETWORKS_MOST);
        return;
    }
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json network = ry_json_at(list, i);
        if (!ry_json_expect(network, RY_JSON_OBJECT))
            return;
        (void)ry_json_need(network, "bandwidth");
        const double rate = 1e9 * ry_json_number(network, "bandwidth", NAN);
        const size_t size = ry_json_count(network, "size", counted, 1);
        note_efficiency(peer, network, i);
        if (!(rate > 0.0))
            ry_json_problem(ry_json_get(network, "bandwidth"), RY_ERR_RANGE,
                            "is no rate in GB/s");
        if (i == 0) {
            peer->domain_gpus = size;
            peer->link_bytes_per_s = rate;
        } else if (i == 1) {
            peer->nics_per_domain = peer->domain_gpus;
            peer->nic_bytes_per_s = rate;
        } else {
            ry_peer_note(peer, "networks",
                         "the %zuth, %g GB/s to %zu GPUs: the fabric is "
                         "leaf and spine without a loss of rate",
                         i + 1, rate * 1e-9, size);
        }
    }
}

static void read_system(struct ry_peer *peer, struct ry_json at)
{
    static const char *const taken[] = {"matrix", "mem1", "networks", NULL};
    const struct ry_json memory = ry_json_need(at, "mem1");
    const struct ry_json matrix = ry_json_need(at, "matrix");
    struct ry_json half = ry_json_get(matrix, "float16");

    if (ry_json_type(half) == RY_JSON_ABSENT)
        half = ry_json_get(matrix, "bfloat16");
    peer->cluster = true;
    peer->flop_per_s = 1e12 * ry_json_number(half, "tflops", NAN);
    peer->mem_bytes = 1073741824.0 * ry_json_number(memory, "GiB", NAN);
    peer->mem_bytes_per_s = 1e9 * ry_json_number(memory, "GBps", NAN);
    ry_peer_note(peer, "matrix",
                 "rates by size of a product come from the GPU's measured model");
    ry_peer_note(peer, "mem1",
                 "rates by size of a transfer come from the GPU's measured model");
    read_networks(peer, ry_json_need(at, "networks"));
    note_others(peer, at, taken, system_passed);
}

static void take(struct ry_peer *peer, struct ry_json root)
{
    if (ry_json_has(root, "hidden"))
        read_model(peer, root);
    else if (ry_json_has(root, "num_procs"))
        read_execution(peer, root);
    else if (ry_json_has(root, "networks") && ry_json_has(root, "matrix"))
        read_system(peer, root);
    else
        ry_json_problem(
            root, RY_ERR_SYNTAX,
            "is neither an LLM (\"hidden\"), an execution (\"num_procs\") nor a "
            "system (\"matrix\", \"networks\") of Calculon");
}

enum ry_err ry_calculon_read(struct ry_peer *peer, const char *path, struct ry_text text)
{
    return ry_peer_read_json(peer, path, text, take);
}
