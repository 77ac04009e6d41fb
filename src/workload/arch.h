/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Architecture of a transformer: what a Hugging Face config or a model file says.
 *
 * Plain data.  A count that does not apply is 0.  Head sizes are in elements.
 */
#ifndef RY_WORKLOAD_ARCH_H
#define RY_WORKLOAD_ARCH_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum ry_attention_kind {
    RY_ATTENTION_GQA, /**< multi-head, grouped-query or multi-query, by kv_heads */
    RY_ATTENTION_MLA, /**< multi-head latent attention (DeepSeek-V2/V3) */
};

enum ry_positions {
    RY_POSITIONS_ROTARY,
    RY_POSITIONS_LEARNED, /**< a table of max_positions x hidden */
    RY_POSITIONS_ALIBI,
    RY_POSITIONS_NONE,
};

struct ry_arch {
    const char *name;      /**< may be NULL */
    unsigned layers;       /**< all transformer layers, MTP layers not counted */
    unsigned dense_layers; /**< leading layers with a dense FFN in a MoE model */
    unsigned moe_period;   /**< every how many layers after those is MoE; 0 or 1: each */
    unsigned mtp_layers;   /**< multi-token-prediction layers, each with its own head */
    unsigned hidden;
    unsigned heads;
    unsigned kv_heads;
    unsigned head_dim;    /**< of queries and keys (GQA); of values (MLA) */
    unsigned ffn;         /**< width of a dense FFN */
    bool gated;           /**< gate and up products (SwiGLU, GeGLU) */
    bool parallel_block;  /**< attention and FFN read the same norm (GPT-NeoX, Falcon) */
    bool layer_norm;      /**< LayerNorm (mean and bias) instead of RMSNorm */
    bool linear_bias;     /**< every linear layer of a block has a bias (GPT-2/3) */
    bool qkv_bias;        /**< only q, k, v have one (Qwen2) */
    bool qk_norm;         /**< norm over each head's q and k (Qwen3) */
    bool post_norms;      /**< norms after attention and FFN too (Gemma 2/3) */
    bool tied_embeddings; /**< LM head shares the embedding table */
    enum ry_positions positions;
    unsigned max_positions; /**< rows of a learned position table */
    unsigned vocab;         /**< as in the tokenizer config, before padding */
    unsigned window;        /**< sliding-window attention span; 0: none */
    unsigned window_layers; /**< how many of the layers use the window */
    /* mixture of experts: experts == 0 means dense */
    unsigned experts;
    unsigned top_k;
    unsigned route_groups; /**< most nodes that one token's experts sit on; 0: no limit */
    unsigned moe_ffn;      /**< width of one routed expert */
    unsigned shared_experts; /**< always-on experts of width shared_ffn in sum */
    unsigned shared_ffn; /**< total width of the shared experts; 0: shared * moe_ffn */
    /* latent attention, only with RY_ATTENTION_MLA */
    enum ry_attention_kind attention;
    unsigned q_lora; /**< 0: queries are projected directly */
    unsigned kv_lora;
    unsigned qk_nope;
    unsigned qk_rope;
};

/** Parameters by kind; a layer's own, the whole model's, and those a token uses. */
struct ry_params {
    double attention; /**< one layer: projections, q/k norms and biases */
    double dense_ffn; /**< one dense FFN */
    double router;    /**< one MoE layer */
    double expert;    /**< one routed expert */
    double shared;    /**< shared experts of one MoE layer */
    double norms;     /**< norms of one layer */
    double embedding; /**< token table and learned positions */
    double head;      /**< LM head; 0 when tied */
    double mtp;       /**< what one MTP layer adds beside an ordinary layer */
    double total;
    double active; /**< total with top_k of the routed experts, without MTP */
};

/** Whether layer @p i (0-based) has routed experts. */
bool ry_arch_layer_is_moe(const struct ry_arch *arch, unsigned i);

/** How many of the first @p n layers are MoE layers. */
unsigned ry_arch_moe_layers(const struct ry_arch *arch, unsigned n);

/** Size of a query/key head in elements (MLA: qk_nope + qk_rope). */
unsigned ry_arch_qk_dim(const struct ry_arch *arch);

/** Parameter counts with a vocabulary of @p vocab rows (padded or not). */
struct ry_params ry_arch_params(const struct ry_arch *arch, unsigned vocab);

/**
 * Model FLOPs of one token, forward and backward: 6 a matrix parameter (LM head
 * included, embedding look-up not) and 12 s d a attention products a layer, halved
 * where causal.  Recomputation is not in it.
 * Source: Narayanan et al. 2021, arXiv:2104.04473, appendix; Korthikanti et al. 2022,
 * arXiv:2205.05198, appendix A.
 */
double ry_arch_flop_per_token(const struct ry_arch *arch, double seq, bool causal);

/** Check that the numbers describe a model; RY_ERR_RANGE names the first that does
 * not. */
RY_MUST_USE enum ry_err ry_arch_check(const struct ry_arch *arch, struct ry_diag *diag);

#endif
