/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/arch.h"

bool ry_arch_layer_is_moe(const struct ry_arch *arch, unsigned i)
{
    if (arch->experts == 0 || i < arch->dense_layers)
        return false;
    const unsigned period = arch->moe_period > 1 ? arch->moe_period : 1;
    return (i - arch->dense_layers) % period == period - 1;
}

unsigned ry_arch_moe_layers(const struct ry_arch *arch, unsigned n)
{
    if (arch->experts == 0 || n <= arch->dense_layers)
        return 0;
    return (n - arch->dense_layers) / (arch->moe_period > 1 ? arch->moe_period : 1);
}

unsigned ry_arch_qk_dim(const struct ry_arch *arch)
{
    return arch->attention == RY_ATTENTION_MLA ? arch->qk_nope + arch->qk_rope
                                               : arch->head_dim;
}

static double attention_params(const struct ry_arch *a)
{
    const double h = a->hidden;
    const double heads = a->heads;
    if (a->attention == RY_ATTENTION_MLA) {
        const double qk = ry_arch_qk_dim(a);
        const double q = a->q_lora > 0
                             ? h * a->q_lora + a->q_lora + a->q_lora * heads * qk
                             : h * heads * qk;
        const double kv = h * (a->kv_lora + a->qk_rope) + a->kv_lora +
                          (double)a->kv_lora * heads * (a->qk_nope + a->head_dim);
        return q + kv + heads * a->head_dim * h;
    }
    const double q_width = heads * a->head_dim;
    const double qkv_width = q_width + 2.0 * a->kv_heads * a->head_dim;
    const double bias = a->linear_bias ? qkv_width + h : a->qkv_bias ? qkv_width : 0;
    return h * qkv_width + q_width * h + bias + (a->qk_norm ? 2.0 * a->head_dim : 0);
}

static double ffn_params(const struct ry_arch *a, double width)
{
    const double in = a->gated ? 2 * width : width;
    return (in + width) * a->hidden + (a->linear_bias ? in + a->hidden : 0);
}

struct ry_params ry_arch_params(const struct ry_arch *a, unsigned vocab)
{
    struct ry_params p = {0};
    const double h = a->hidden;
    const double norm = a->layer_norm ? 2 * h : h;
    const double moe_layers = ry_arch_moe_layers(a, a->layers);
    const double dense_layers = a->layers - moe_layers;
    p.attention = attention_params(a);
    p.dense_ffn = ffn_params(a, a->ffn);
    p.norms = norm * ((a->parallel_block ? 1 : 2) + (a->post_norms ? 2 : 0));
    if (a->experts > 0) {
        const double shared =
            a->shared_ffn > 0 ? a->shared_ffn : (double)a->shared_experts * a->moe_ffn;
        p.router = h * a->experts;
        p.expert = ffn_params(a, a->moe_ffn);
        p.shared = shared > 0 ? ffn_params(a, shared) : 0;
    }
    p.embedding = h * vocab;
    if (a->positions == RY_POSITIONS_LEARNED)
        p.embedding += h * a->max_positions;
    p.head = a->tied_embeddings ? 0 : h * vocab;
    p.mtp = 2 * h * h + 3 * norm;
    const double moe_ffn = p.router + a->experts * p.expert + p.shared;
    const double moe_used = p.router + a->top_k * p.expert + p.shared;
    const double common = p.attention + p.norms;
    const double last_ffn = a->experts > 0 ? moe_ffn : p.dense_ffn;
    const double ends = p.embedding + p.head + norm;
    p.total = a->layers * common + dense_layers * p.dense_ffn + moe_layers * moe_ffn +
              ends + a->mtp_layers * (common + last_ffn + p.mtp);
    p.active =
        a->layers * common + dense_layers * p.dense_ffn + moe_layers * moe_used + ends;
    return p;
}

/** Products of one token in matrix parameters: those that a token multiplies. */
static double used_matrix_params(const struct ry_arch *a)
{
    const struct ry_params p = ry_arch_params(a, a->vocab);
    const double moe_layers = ry_arch_moe_layers(a, a->layers);
    const double moe = p.router + a->top_k * p.expert + p.shared;
    const double mtp_ffn = a->experts > 0 ? moe : p.dense_ffn;
    return a->layers * p.attention + (a->layers - moe_layers) * p.dense_ffn +
           moe_layers * moe + (double)a->hidden * a->vocab * (1.0 + a->mtp_layers) +
           a->mtp_layers * (p.attention + mtp_ffn + p.mtp);
}

double ry_arch_flop_per_token(const struct ry_arch *a, double seq, bool causal)
{
    const double span = seq * (causal ? 0.5 : 1.0);
    const double window = a->window > 0 && a->window < span ? (double)a->window : span;
    const double layers = (double)a->layers + a->mtp_layers;
    const double spans = (layers - a->window_layers) * span + a->window_layers * window;
    const double dims = (double)ry_arch_qk_dim(a) + a->head_dim;
    return 6 * used_matrix_params(a) + 6 * spans * a->heads * dims;
}

static enum ry_err check_sizes(const struct ry_arch *a, struct ry_diag *diag)
{
    const struct {
        const char *name;
        unsigned value;
    } sizes[] = {{"layers", a->layers},     {"hidden", a->hidden},
                 {"heads", a->heads},       {"kv_heads", a->kv_heads},
                 {"head_dim", a->head_dim}, {"vocab", a->vocab}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].value == 0 || sizes[i].value > 100000000u)
            return ry_fail(diag, RY_ERR_RANGE, sizes[i].name,
                           "%u is not between 1 and 1e8", sizes[i].value);
    if (a->ffn == 0 && a->experts == 0)
        return ry_fail(diag, RY_ERR_RANGE, "ffn", "0, and there are no experts");
    return RY_OK;
}

enum ry_err ry_arch_check(const struct ry_arch *a, struct ry_diag *diag)
{
    RY_TRY(check_sizes(a, diag));
    if (a->heads % a->kv_heads != 0)
        return ry_fail(diag, RY_ERR_RANGE, "kv_heads", "%u does not divide %u heads",
                       a->kv_heads, a->heads);
    if (a->dense_layers > a->layers)
        return ry_fail(diag, RY_ERR_RANGE, "dense_layers", "%u is above %u layers",
                       a->dense_layers, a->layers);
    if (a->experts > 0 && (a->top_k == 0 || a->top_k > a->experts || a->moe_ffn == 0))
        return ry_fail(diag, RY_ERR_RANGE, "top_k", "%u of %u experts of width %u",
                       a->top_k, a->experts, a->moe_ffn);
    if (a->attention == RY_ATTENTION_MLA && (a->kv_lora == 0 || a->qk_nope == 0))
        return ry_fail(diag, RY_ERR_RANGE, "kv_lora", "0 in latent attention");
    return RY_OK;
}
