/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/run_resolve.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

/* Share of a GPU's usable memory that launch scripts fill before they change a
 * setting. */
static const double fill_frac = 0.97;

/* What each choice that a row leaves to us adds to the interval. */
static const double guess_sigma_frac = 0.02;

static void stated(const struct ry_job *run, const struct ry_preset *p,
                   struct ry_strategy *s)
{
    const struct ry_run_unstated *u = &run->unstated;
    if (u->zero_stage && !s->fsdp)
        s->zero_stage = p->zero_stage;
    if (u->sequence_parallel)
        s->sequence_parallel = p->sequence_parallel;
    if (s->tp <= 1)
        s->sequence_parallel = false;
    if (u->tp_overlap)
        s->tp_overlap = p->tp_overlap && s->task != RY_TASK_LORA;
    if (!s->sequence_parallel)
        s->tp_overlap = false;
    if (u->ep_overlap)
        s->ep_overlap = p->ep_overlap;
    if (u->cuda_graph)
        s->cuda_graph = p->cuda_graph;
    if (s->task == RY_TASK_LORA)
        s->cp_kind = p->lora_cp_kind;
    s->dp_overlap = p->dp_overlap;
    s->pp_overlap = p->pp_overlap;
    s->compile = s->compile || p->compile;
    if (s->task != RY_TASK_PRETRAIN)
        s->packed_sequence_tokens = p->packed_tokens;
    if (!run->selective)
        return;
    switch (p->traits.selective) {
    case RY_SELECTIVE_CORE:
        s->recompute = RY_RECOMPUTE_SELECTIVE;
        break;
    case RY_SELECTIVE_PRODUCTS:
        s->recompute = RY_RECOMPUTE_PRODUCTS;
        break;
    case RY_SELECTIVE_NORMS:
        s->recompute = RY_RECOMPUTE_NORMS;
        break;
    case RY_SELECTIVE_HALF:
        s->recompute = RY_RECOMPUTE_LAYERS;
        s->recompute_layers = run->arch.layers / 2;
        break;
    }
}

/**
 * Chunks a stage where the row does not print them: of the preset's usual layers a chunk,
 * the most of 4, 3, 2 that divide, else the fewest that do (exchanges of stages overlap
 * only where stages are cut).
 */
static unsigned chunks(const struct ry_job *run, const struct ry_preset *p,
                       const struct ry_strategy *s)
{
    if (!run->unstated.vpp)
        return s->vpp;
    if (s->pp <= 1 || !p->unstated_interleaves)
        return 1;
    const double fixed = run->arch.layers / (s->pp * p->unstated_chunk_layers);
    if (p->unstated_chunk_layers > 0 && fixed >= 1 && fixed == floor(fixed))
        return (unsigned)fixed;
    for (unsigned v = 4; v > 1; v--)
        if (run->arch.layers % (s->pp * v) == 0)
            return v;
    for (unsigned v = 5; s->pp * v <= run->arch.layers; v++)
        if (run->arch.layers % (s->pp * v) == 0)
            return v;
    return 1;
}

static bool predict(const struct ry_job *run, struct ry_resolved *r)
{
    return ry_step_predict(&r->machine, &run->arch, &r->traits, &r->strategy, &r->step,
                           NULL) == RY_OK;
}

static bool fits(const struct ry_resolved *r)
{
    return r->step.peak_bytes <= fill_frac * r->step.usable_bytes;
}

/** Whole layers again: the fewest from @p first on that fit, else all of a stage. */
static bool with_layers(const struct ry_job *run, unsigned first, struct ry_resolved *r)
{
    const double pp = r->strategy.pp > 1 ? r->strategy.pp : 1;
    const unsigned most = (unsigned)ceil(run->arch.layers / pp);
    const unsigned stride = most / 16 + (most < 16);
    r->strategy.recompute = RY_RECOMPUTE_LAYERS;
    for (unsigned n = first; n < most; n += stride) {
        r->strategy.recompute_layers = n;
        if (predict(run, r) && fits(r))
            return true;
    }
    r->strategy.recompute = RY_RECOMPUTE_FULL;
    return predict(run, r);
}

/** Recomputation where the row does not say: the least that fits. */
static bool with_recompute(const struct ry_job *run, const struct ry_preset *p,
                           struct ry_resolved *r)
{
    if (run->selective && p->traits.selective == RY_SELECTIVE_HALF)
        return with_layers(run, r->strategy.recompute_layers, r); /* share not printed */
    if (!run->unstated.recompute)
        return predict(run, r);
    if (r->traits.recompute_default == RY_RECOMPUTE_FULL) {
        r->strategy.recompute = RY_RECOMPUTE_FULL;
        return predict(run, r);
    }
    r->guesses++;
    r->strategy.recompute = RY_RECOMPUTE_NONE;
    if (!predict(run, r))
        return false;
    if (fits(r))
        return true;
    if (p->unstated_recompute_full) {
        r->skip = "recomputation not stated, and without it the run does not fit";
        return false;
    }
    r->strategy.recompute = RY_RECOMPUTE_NORMS;
    if (predict(run, r) && fits(r))
        return true;
    return with_layers(run, 1, r);
}

/** Micro-batch where the row does not say: the fastest of 1, 2, 4, ... 16 that fits. */
static bool with_micro_batch(const struct ry_job *run, const struct ry_preset *p,
                             struct ry_resolved *r)
{
    if (!run->unstated.micro_batch)
        return with_recompute(run, p, r);
    struct ry_resolved best = {0}, first = {0};
    r->guesses++;
    for (unsigned b = 1; b <= 16; b *= 2) {
        struct ry_resolved one = *r;
        one.strategy.micro_batch = b;
        const double each = (double)run->strategy.global_batch / one.strategy.dp;
        if (b > each || fmod(each, b) != 0 || !with_recompute(run, p, &one))
            continue;
        if (first.step.step_time_s == 0)
            first = one;
        if (fits(&one) &&
            (best.step.step_time_s == 0 || one.step.step_time_s < best.step.step_time_s))
            best = one;
    }
    if (best.step.step_time_s == 0)
        best = first;
    if (best.step.step_time_s == 0)
        return false;
    *r = best;
    return true;
}

void ry_run_resolve(struct ry_arena *arena, const struct ry_resolve_how *how,
                    const struct ry_job *run, const struct ry_machine *machine,
                    struct ry_resolved *out)
{
    *out = (struct ry_resolved){.machine = *machine, .strategy = run->strategy};
    if (run->skip != NULL) {
        out->skip = run->skip;
        return;
    }
    out->preset = ry_preset_find(how->presets, run->framework, run->date);
    if (out->preset == NULL) {
        out->skip = ry_strfmt(arena, "no preset for framework %s", run->framework);
        return;
    }
    out->traits = how->untuned ? out->preset->untuned : out->preset->traits;
    if (how->change != NULL)
        how->change(how->context, &out->traits);
    if (run->unfused_attention)
        out->traits.attention = RY_ATTN_UNFUSED;
    out->strategy.vpp = chunks(run, out->preset, &out->strategy);
    stated(run, out->preset, &out->strategy);
    struct ry_diag diag = {0};
    if (with_micro_batch(run, out->preset, out)) {
        ry_step_widen(&out->step, guess_sigma_frac * out->guesses);
        return;
    }
    if (out->skip != NULL)
        return;
    if (ry_step_predict(machine, &run->arch, &out->traits, &out->strategy, &out->step,
                        &diag) != RY_OK)
        out->skip = ry_strdup(arena, diag.text);
    else
        out->skip = "no micro-batch divides the batch";
}
