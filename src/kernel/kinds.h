/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a GPU is asked to do: products, attention, memory-bound kernels.
 *
 * Plain descriptions, no times: compute_model.h turns them into seconds.
 * Counts are doubles because shapes come from divisions that sizes allow (a share of
 * tokens), and to keep products of four of them exact enough.
 */
#ifndef RY_KERNEL_KINDS_H
#define RY_KERNEL_KINDS_H

#include <stdbool.h>
#include <stddef.h>

enum ry_precision {
    RY_BF16,
    RY_FP16, /**< same rate as bf16 on every part we know */
    RY_FP32, /**< without TF32 */
    RY_FP8,  /**< e4m3 with a scale a tensor or a row */
    RY_MXFP8,
    RY_NVFP4,
    RY_PRECISIONS
};

/** "bf16", "fp16", "fp32", "fp8", "mxfp8", "nvfp4". */
const char *ry_precision_name(enum ry_precision precision);

/** Bytes of one element, its share of block scales included. */
double ry_precision_bytes(enum ry_precision precision);

/**
 * Which product of a linear layer: this decides the operands' layouts.  In row-major
 * terms (PyTorch) forward is NT, dgrad NN, wgrad TN; in the column-major terms of
 * cuBLAS the same three are TN, NN and NT.
 */
enum ry_role { RY_FORWARD, RY_DGRAD, RY_WGRAD, RY_ROLES };

/** C[m][n] = A[m][k] B[k][n], `batch` times. */
struct ry_gemm {
    double m, n, k;
    double batch; /**< independent products of this shape; 0 means 1 */
    enum ry_precision precision;
    enum ry_role role;
    double out_bytes; /**< of an element of C; 0 means 2 */
    bool accumulate;  /**< C += : C is read too (gradient accumulation in the product) */
};

/**
 * `groups` products that share n and k but not their rows (experts).  For RY_WGRAD the
 * rows are the reduced dimension: each group makes a [n][k] gradient from its rows.
 */
struct ry_grouped_gemm {
    double groups;
    double rows; /**< tokens of all groups together */
    double n, k;
    enum ry_precision precision;
    enum ry_role role;
    double out_bytes;
    bool accumulate;
    bool uneven; /**< rows differ between groups as routing leaves them */
};

enum ry_attn_impl {
    RY_ATTN_CUDNN, /**< best fused kernel of the part: cuDNN, FlashAttention-3 or -4 */
    RY_ATTN_CUDNN_2025, /**< cuDNN to 9.13, slower on Blackwell than later ones */
    RY_ATTN_FLASH3,
    RY_ATTN_FLASH2,
    RY_ATTN_FLASH1,  /**< 2022-23, also the Triton kernels of that time */
    RY_ATTN_UNFUSED, /**< batched products with softmax and dropout kernels between */
    RY_ATTN_IMPLS
};

struct ry_attention {
    double batch, heads, kv_heads;
    double head_dim;   /**< of queries and keys */
    double head_dim_v; /**< of values; 0 means head_dim */
    double seq_q, seq_kv;
    bool causal;
    bool dropout; /**< only RY_ATTN_UNFUSED: a kernel more */
    enum ry_attn_impl impl;
};

/**
 * Memory-bound kernels.  The bytes that a caller gives are what a kernel must read and
 * write at least (each tensor once); what it moves beyond that is in the efficiency of
 * its kind, whose meaning is the comment of streams.def.
 */
enum ry_stream {
#define X(symbol, name, efficiency, note) symbol,
#include "kernel/streams.def"
#undef X
    RY_STREAMS
};

/** "copy", "norm_eager", ...  Never NULL. */
const char *ry_stream_name(enum ry_stream stream);

/** What the host issues.  Views and transposes also cost (RY_HOST_VIEW). */
enum ry_host_op {
    RY_HOST_GEMM,
    RY_HOST_ATTENTION,
    RY_HOST_NORM,
    RY_HOST_ELEMENTWISE,
    RY_HOST_VIEW,
    RY_HOST_OPS
};

enum ry_launch { RY_EAGER, RY_COMPILED, RY_CUDA_GRAPH, RY_LAUNCHES };

/** What carries a collective, as far as compute beside it is concerned. */
enum ry_beside {
    RY_BESIDE_NVLINK,
    RY_BESIDE_PCIE,
    RY_BESIDE_NIC,
    RY_BESIDE_SOCKET,
    RY_BESIDES
};

#endif
