/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/ablation.h"

const char *ry_ablation_text(enum ry_ablation ablation)
{
    static const char *const texts[] = {
#define X(symbol, text) text,
#include "report/ablation.def"
#undef X
    };
    return ablation < RY_ABLATIONS ? texts[ablation] : "";
}

/* So fast that the term vanishes, but still a number. */
static const double vast = 1e9;

static void ablate_model(enum ry_ablation a, struct ry_compute_model *m)
{
    if (a == RY_ABLATE_STREAMS) {
        for (int i = 0; i < RY_STREAMS; i++)
            m->stream_frac[i] = vast;
        m->stream_fixed_s = 0;
    }
    if (a == RY_ABLATE_ATTENTION)
        for (int way = 0; way < 2; way++) {
            m->attn_flop_per_s[way] *= vast;
            m->attn_fixed_s[way] = m->attn_row_s[way] = 0;
        }
    if (a == RY_ABLATE_RAMP)
        for (int p = 0; p < RY_PRECISIONS; p++)
            m->gemm[p].k0 = 0;
    if (a == RY_ABLATE_WAVES)
        m->wave_q = m->tail_waves = 0;
    if (a == RY_ABLATE_ALIGNMENT)
        m->align_rate[0] = m->align_rate[1] = m->align_rate[2] = 1;
    if (a == RY_ABLATE_CLOCK)
        m->clock_most = 1;
    if (a == RY_ABLATE_SLOWDOWN)
        for (int i = 0; i < RY_BESIDES; i++)
            m->beside[i].tensor = m->beside[i].memory = m->beside[i].comm =
                m->beside[i].comm_memory = 1;
}

void ry_ablate(enum ry_ablation a, struct ry_compute_model *model, struct ry_traits *t)
{
    ablate_model(a, model);
    switch (a) {
    case RY_ABLATE_HOST:
        t->host_op_scale = t->moe_host_s = 1 / vast;
        break;
    case RY_ABLATE_STRAGGLERS:
        t->jitter_frac = 0;
        break;
    case RY_ABLATE_LOSS:
        t->loss_bytes = 1 / vast;
        t->metric_losses = 0;
        break;
    case RY_ABLATE_ACCUMULATE:
        t->fused_gradient_add = true;
        break;
    case RY_ABLATE_COPIES:
        t->expert_copies_deduplicated = false;
        break;
    case RY_ABLATE_SENDS:
        t->whole_gradient_sends = false;
        break;
    case RY_ABLATE_GATHERS:
        t->gathers_in_product_precision = false;
        break;
    case RY_ABLATE_FIXED:
        t->step_fixed_s = 0;
        break;
    case RY_ABLATE_NONE:
    case RY_ABLATE_STREAMS:
    case RY_ABLATE_ATTENTION:
    case RY_ABLATE_RAMP:
    case RY_ABLATE_WAVES:
    case RY_ABLATE_ALIGNMENT:
    case RY_ABLATE_CLOCK:
    case RY_ABLATE_SLOWDOWN:
    case RY_ABLATIONS:
        break;
    }
}
