/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the parts of phase 1 share: sizes of one GPU's share, and how a kernel or a
 * collective is added to a pass.  Internal to sim.
 */
#ifndef RY_SIM_BUILD_H
#define RY_SIM_BUILD_H

#include "comm/net.h"
#include "kernel/compute_model.h"
#include "sim/step.h"

struct ry_build {
    const struct ry_compute_model *model;
    const struct ry_net *net;
    const struct ry_arch *arch;
    const struct ry_traits *traits;
    const struct ry_strategy *strategy;
    double tp, cp, ep, etp;
    double tokens;        /**< of a micro-batch on one context-parallel rank */
    double shared_tokens; /**< where sequence parallel: tokens / tp */
    double vocab;         /**< padded */
    double vocab_tp;      /**< ranks that share a vocabulary */
    double width;         /**< bytes of an activation over 2: 1, in fp32 training 2 */
    double q_width, kv_width, v_width, ffn; /**< of one GPU */
    enum ry_precision inner;                /**< of the block's products */
    enum ry_fusion fusion;
    enum ry_launch launch;
    double launch_scale;
    double gradient_bytes; /**< of a parameter, as accumulated */
    double reduce_bytes;   /**< of a parameter, in the reduction */
    bool lora;             /**< base weights are frozen */
    bool fuses_operations; /**< casts and adapters' sums in the kernels beside them */
    bool sequence_parallel;
    struct ry_group tp_group, cp_group, ep_group;
};

/** Fill @p build from the inputs of ry_shape_cost(). */
void ry_build_init(struct ry_build *build, const struct ry_machine *machine,
                   const struct ry_arch *arch, const struct ry_traits *traits,
                   const struct ry_strategy *strategy);

/** Bytes of a parameter in compute, in a reduction, and of its optimizer states: what the
 * preset has, or fp32 throughout without a master copy. */
double ry_parameter_bytes(const struct ry_traits *traits,
                          const struct ry_strategy *strategy);
double ry_reduce_bytes(const struct ry_traits *traits,
                       const struct ry_strategy *strategy);
double ry_optimizer_bytes(const struct ry_traits *traits,
                          const struct ry_strategy *strategy);

/** Bytes of a parameter's gradient as it is accumulated. */
double ry_gradient_bytes(const struct ry_traits *traits,
                         const struct ry_strategy *strategy);

/** A linear layer of one GPU: rows x in -> rows x out. */
struct ry_linear {
    double rows, in, out;
    enum ry_precision precision;
    bool frozen;       /**< no weight gradient */
    bool input_frozen; /**< no gradient of the input either */
    bool cast_fused;   /**< its input leaves the kernel before it in low precision */
    bool gradient_cast_fused; /**< so does the gradient of its output */
};

/** Add the products of a linear layer, its casts and their host time. */
void ry_add_linear(const struct ry_build *build, const struct ry_linear *linear,
                   struct ry_pass *forward, struct ry_pass *backward);

/** Precision of a layer's products. */
enum ry_precision ry_inner_precision(enum ry_train_precision precision);

/** fp8, mxfp8, nvfp4. */
bool ry_low_precision(enum ry_precision precision);

/**
 * Bytes an element that a cast writes.  Forward and weight gradient read a tensor along
 * different dimensions, so it is written twice, but for weights that are not @p trained
 * and where fp8 products read either way.
 */
double ry_cast_bytes(const struct ry_build *build, enum ry_precision precision,
                     bool trained);

/** Only the forward product. */
void ry_add_product(const struct ry_build *build, const struct ry_linear *linear,
                    struct ry_pass *forward);

/** A memory-bound kernel with its host time; nothing when @p bytes is 0. */
void ry_add_stream(const struct ry_build *build, struct ry_pass *pass,
                   enum ry_stream stream, double bytes);

/** Host time alone of @p count operations. */
void ry_add_host(const struct ry_build *build, struct ry_pass *pass, enum ry_host_op op,
                 double count);

/** The same in the backward pass. */
void ry_add_stream_back(const struct ry_build *build, struct ry_pass *pass,
                        enum ry_stream stream, double bytes);

/** All-reduce: its own curve, or a scatter and a gather where those are faster (measured
 * curves of the socket transport cross). */
double ry_all_reduce_s(const struct ry_net *net, const struct ry_group *group,
                       double bytes);

/** Traffic of a tensor-parallel pair: an all-reduce, or gather and scatter. */
double ry_tp_pair_s(const struct ry_build *build, double bytes);

/** Add tensor-parallel traffic of @p pairs pairs each way to a layer with its
 * products. */
void ry_add_tp(const struct ry_build *build, struct ry_layer_cost *layer, double pairs);

/** Add @p scale times @p from to @p to. */
void ry_pass_add(struct ry_pass *to, const struct ry_pass *from, double scale);

/** Seconds of a pass on one GPU: device time or host time, and visible traffic. */
double ry_slower_s(double gpu_s, double host_s);

double ry_pass_s(const struct ry_pass *pass, bool blocking);

/** Attention of a layer: its projections, its core, its traffic and memory. */
void ry_layer_attention(const struct ry_build *build, struct ry_layer_cost *layer);

/** A dense FFN of @p width on one GPU. */
void ry_layer_ffn(const struct ry_build *build, double width,
                  struct ry_layer_cost *layer);

/** Router, experts, shared experts and their traffic. */
void ry_layer_moe(const struct ry_build *build, struct ry_layer_cost *layer);

/** Norms and residual additions of a layer, once attention and FFN are in. */
void ry_layer_frame(const struct ry_build *build, struct ry_layer_cost *layer);

/** Embedding, head and loss, MTP layers. */
void ry_ends_cost(const struct ry_build *build, struct ry_shape_cost *shape);

#endif
