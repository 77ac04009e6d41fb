/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/layout.h"

#include "sim/build.h"

#include <math.h>
#include <stdio.h>

/** Micro-batches whose activations stage @p i (0-based) of pp holds at its peak: never
 * more than the m of a step. */
static double in_flight(const struct ry_strategy *s, double m, double i)
{
    const double pp = ry_degree(s->pp), v = ry_degree(s->vpp);
    if (pp <= 1)
        return 1;
    switch (s->schedule) {
    case RY_SCHEDULE_GPIPE:
        return m;
    case RY_SCHEDULE_DUALPIPE:
        return fmin(m, pp + 1);
    case RY_SCHEDULE_1F1B:
    case RY_SCHEDULE_ZERO_BUBBLE:
        break;
    }
    if (v <= 1)
        return fmin(pp - i, m);
    /* Interleaved: 2 (pp - 1 - i) and v - 1 groups of warm-up chunks, and the one at
     * work. */
    const double group = ry_chunk_group(s->pp, (unsigned)fmin(m, 1e9));
    return fmin((2 * (pp - 1 - i) + (v - 1) * group + 1) / v, m);
}

double ry_stage_kept_bytes(const struct ry_step_inputs *in, const struct ry_stage *stage)
{
    const struct ry_strategy *s = in->strategy;
    const struct ry_shape_cost *c = in->shape;
    const double share = ry_recomputed_share(s, stage);
    double dense = c->dense.kept_bytes[s->recompute];
    double moe = c->moe.kept_bytes[s->recompute];
    if (s->recompute == RY_RECOMPUTE_LAYERS) {
        dense = share * dense + (1 - share) * c->dense.kept_bytes[RY_RECOMPUTE_NONE];
        moe = share * moe + (1 - share) * c->moe.kept_bytes[RY_RECOMPUTE_NONE];
    }
    return stage->dense * dense + stage->moe * moe +
           (stage->head ? c->mtp.kept_bytes[s->recompute] : 0);
}

/** Most that recomputing a layer of the stage holds at once. */
static double working_bytes(const struct ry_step_inputs *in, const struct ry_stage *stage)
{
    const struct ry_shape_cost *c = in->shape;
    const enum ry_recompute mode = in->strategy->recompute;
    if (mode != RY_RECOMPUTE_FULL && mode != RY_RECOMPUTE_LAYERS)
        return 0;
    return fmax(stage->dense > 0 ? c->dense.working_bytes : 0,
                stage->moe > 0 ? c->moe.working_bytes : 0);
}

/** Bytes of a frozen parameter. */
static double frozen_bytes(const struct ry_traits *t, const struct ry_strategy *s)
{
    if (!t->frozen_in_product_precision)
        return ry_parameter_bytes(t, s);
    return s->precision == RY_TRAIN_FP8     ? ry_precision_bytes(RY_FP8)
           : s->precision == RY_TRAIN_MXFP8 ? ry_precision_bytes(RY_MXFP8)
           : s->precision == RY_TRAIN_NVFP4 ? ry_precision_bytes(RY_NVFP4)
                                            : ry_parameter_bytes(t, s);
}

/** Bytes of the states of a parameter. */
static double state_bytes(const struct ry_traits *t, const struct ry_strategy *s)
{
    return s->fsdp && t->fsdp_fp32_shards ? 8 : ry_optimizer_bytes(t, s);
}

/** Parameters, gradients, optimizer states of a stage class. */
static void states(const struct ry_step_inputs *in, int which,
                   double out[RY_MEMORY_PARTS])
{
    const struct ry_traits *t = in->traits;
    const struct ry_strategy *s = in->strategy;
    const struct ry_layout_cost *l = in->layout;
    const double trained = l->trained[which] + l->trained_experts[which];
    const double owned =
        l->trained[which] / l->shard + l->trained_experts[which] / l->expert_shard;
    const double frozen = l->parameters[which] - l->trained[which];
    const double frozen_experts = l->experts[which] - l->trained_experts[which];
    const bool whole = !s->fsdp && s->zero_stage < 3;
    const double copies = s->schedule == RY_SCHEDULE_DUALPIPE ? 2 : 1;
    const double kept = whole ? trained : owned;
    const double frozen_kept = whole
                                   ? frozen + frozen_experts
                                   : frozen / l->shard + frozen_experts / l->expert_shard;
    const double live = s->fsdp && t->fsdp_fp32_shards ? 0 : kept;
    out[RY_MEM_PARAMETERS] =
        copies * (ry_parameter_bytes(t, s) * live + frozen_bytes(t, s) * frozen_kept);
    if (s->fsdp && t->fsdp_fp32_shards)
        out[RY_MEM_PARAMETERS] += 4 * owned;
    const double grads = s->fsdp || s->zero_stage >= 2 ? owned : trained;
    out[RY_MEM_GRADIENTS] = copies * ry_gradient_bytes(t, s) * grads;
    if (s->fsdp && t->fsdp_fp32_shards)
        out[RY_MEM_GRADIENTS] = 4 * grads;
    out[RY_MEM_OPTIMIZER] = (1 - s->offload_optimizer_frac) * state_bytes(t, s) * owned;
}

/** FSDP: whole weights of the layer at work and of the one fetched; DDP: buckets. */
static double buffers(const struct ry_step_inputs *in)
{
    const struct ry_traits *t = in->traits;
    const struct ry_shape_cost *c = in->shape;
    const struct ry_layout_cost *l = in->layout;
    const double reduce = ry_reduce_bytes(t, in->strategy);
    if (in->strategy->fsdp) {
        const double layer = fmax(c->dense.parameters + c->dense.expert_parameters,
                                  c->moe.parameters + c->moe.expert_parameters);
        const double root = c->embedding.parameters +
                            (in->arch->tied_embeddings ? 0 : c->head.parameters);
        return ry_parameter_bytes(t, in->strategy) * (3 * layer + root) + reduce * layer;
    }
    const bool many = ry_degree(in->strategy->dp) * ry_degree(in->strategy->cp) > 1;
    if (t->dp_style != RY_DP_TORCH || !many)
        return 0;
    /* Buckets beside the gradients that are reduced. */
    return 2 * reduce *
           (l->trained[RY_STAGE_LAST] + (ry_expert_ranks(t, in->strategy) > 1
                                             ? l->trained_experts[RY_STAGE_LAST]
                                             : 0));
}

/** Returns the activations that are kept in the host's memory, bytes. */
static double of_stage(const struct ry_step_inputs *in, int which,
                       double out[RY_MEMORY_PARTS])
{
    const struct ry_traits *t = in->traits;
    const struct ry_strategy *s = in->strategy;
    const struct ry_stage stage = ry_stage_of(in->arch, s, in->layout, which);
    const double pp = ry_degree(s->pp);
    const double i = which == RY_STAGE_FIRST ? 0 : which == RY_STAGE_MIDDLE ? 1 : pp - 1;
    const double m = in->layout->micro_batches, flights = in_flight(s, m, i);
    for (int k = 0; k < RY_MEMORY_PARTS; k++)
        out[k] = 0;
    states(in, which, out);
    const double kept = flights * ry_stage_kept_bytes(in, &stage);
    const double moved = s->offload_activations_frac * kept;
    out[RY_MEM_ACTIVATIONS] = kept - moved + working_bytes(in, &stage);
    if (stage.head) {
        out[RY_MEM_LOGITS] = in->shape->logits_bytes;
        if (t->keeps_all_logits && pp > 1)
            out[RY_MEM_LOGITS] += (m - 1) * in->shape->logits_bytes / 6;
    }
    out[RY_MEM_BUFFERS] = buffers(in);
    if (t->transient_gradients) {
        /* Gradients appear as activations go: the larger of two moments counts. */
        const double trained =
            in->layout->trained[which] + in->layout->trained_experts[which];
        const double late = t->step_peak_bytes > 0
                                ? (t->step_peak_bytes - ry_parameter_bytes(t, s) -
                                   ry_optimizer_bytes(t, s)) *
                                      trained
                                : out[RY_MEM_GRADIENTS];
        const double early = out[RY_MEM_ACTIVATIONS] + out[RY_MEM_LOGITS] +
                             (m > 1 ? out[RY_MEM_GRADIENTS] : 0);
        if (late > early) {
            out[RY_MEM_GRADIENTS] = late;
            out[RY_MEM_ACTIVATIONS] = out[RY_MEM_LOGITS] = 0;
        } else if (m <= 1)
            out[RY_MEM_GRADIENTS] = 0;
    }
    double sum = 0;
    for (int k = 0; k < RY_MEM_OVERHEAD; k++)
        sum += out[k];
    out[RY_MEM_OVERHEAD] = t->memory_overhead_bytes + t->fragmentation_frac * sum;
    return moved;
}

void ry_step_memory(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_strategy *s = in->strategy;
    double moved = 0;
    out->peak_bytes = 0;
    for (int which = 0; which < RY_STAGES; which++) {
        if (!(ry_stage_count(s, which) > 0))
            continue;
        double parts[RY_MEMORY_PARTS], sum = 0;
        moved = fmax(moved, of_stage(in, which, parts));
        for (int k = 0; k < RY_MEMORY_PARTS; k++)
            sum += parts[k];
        if (sum <= out->peak_bytes)
            continue;
        out->peak_bytes = sum;
        out->worst_stage = which == RY_STAGE_FIRST    ? 0
                           : which == RY_STAGE_MIDDLE ? 1
                                                      : (unsigned)ry_degree(s->pp) - 1;
        for (int k = 0; k < RY_MEMORY_PARTS; k++)
            out->memory_bytes[k] = parts[k];
    }
    const struct ry_layout_cost *l = in->layout;
    out->usable_bytes = in->machine->hbm_usable_bytes;
    out->host_bytes =
        in->machine->gpus_per_node *
        (s->offload_optimizer_frac * state_bytes(in->traits, s) * l->owned + moved);
    out->fits =
        out->peak_bytes <= out->usable_bytes &&
        (!(out->host_bytes > 0) || out->host_bytes <= in->machine->host_ram_bytes);
}

void ry_step_why_not(const struct ry_step_inputs *in, const struct ry_step *step,
                     char *text, unsigned size)
{
    const struct ry_traits *t = in->traits;
    text[0] = '\0';
    if (step->fits)
        return;
    if (step->peak_bytes <= step->usable_bytes) {
        snprintf(text, size,
                 "offload needs %.0f GB of host memory a node, it has %.0f GB",
                 step->host_bytes / 1e9, in->machine->host_ram_bytes / 1e9);
        return;
    }
    const double total = ry_arch_params(in->arch, (unsigned)in->arch->vocab).total;
    const double each = ry_parameter_bytes(t, in->strategy) +
                        ry_gradient_bytes(t, in->strategy) +
                        ry_optimizer_bytes(t, in->strategy);
    const double gpus = ry_strategy_gpus(in->strategy), room = gpus * step->usable_bytes;
    if (in->strategy->task != RY_TASK_LORA && each * total > room) {
        snprintf(
            text, size,
            "%.3gB parameters at %.0f B each are %.0f GB, %.0f GPUs hold %.0f GB: add "
            "nodes, offload or 8-bit states",
            total / 1e9, each, each * total / 1e9, gpus, room / 1e9);
        return;
    }
    int most = 0;
    for (int k = 1; k < RY_MEMORY_PARTS; k++)
        if (step->memory_bytes[k] > step->memory_bytes[most])
            most = k;
    snprintf(text, size, "stage %u needs %.1f GB, a GPU has %.1f GB; most is %s, %.1f GB",
             step->worst_stage, step->peak_bytes / 1e9, step->usable_bytes / 1e9,
             ry_memory_part_text((enum ry_memory_part)most),
             step->memory_bytes[most] / 1e9);
}

const char *ry_memory_part_key(enum ry_memory_part part)
{
    static const char *const keys[] = {
#define X(code, key, text) key,
#include "sim/memory_parts.def"
#undef X
    };
    return part < RY_MEMORY_PARTS ? keys[part] : "";
}

const char *ry_memory_part_text(enum ry_memory_part part)
{
    static const char *const texts[] = {
#define X(code, key, text) text,
#include "sim/memory_parts.def"
#undef X
    };
    return part < RY_MEMORY_PARTS ? texts[part] : "";
}
