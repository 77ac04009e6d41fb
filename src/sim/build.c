/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/build.h"

#include <math.h>

static double padded_vocab(const struct ry_arch *arch, const struct ry_traits *traits,
                           double tp)
{
    if (traits->vocab_padding == RY_VOCAB_AS_IS)
        return arch->vocab;
    const double multiple = 128 * tp; /* Megatron's make-vocab-size-divisible-by */
    return ceil(arch->vocab / multiple) * multiple;
}

enum ry_precision ry_inner_precision(enum ry_train_precision precision)
{
    switch (precision) {
    case RY_TRAIN_BF16:
        return RY_BF16;
    case RY_TRAIN_FP16:
        return RY_FP16;
    case RY_TRAIN_FP8:
        return RY_FP8;
    case RY_TRAIN_MXFP8:
        return RY_MXFP8;
    case RY_TRAIN_NVFP4:
        return RY_NVFP4;
    case RY_TRAIN_FP32:
        return RY_FP32;
    }
    return RY_BF16;
}

double ry_parameter_bytes(const struct ry_traits *traits, const struct ry_strategy *s)
{
    return s->precision == RY_TRAIN_FP32 ? 4 : traits->parameter_bytes;
}

double ry_optimizer_bytes(const struct ry_traits *traits, const struct ry_strategy *s)
{
    const double bytes = traits->optimizer_bytes;
    return s->precision == RY_TRAIN_FP32 && bytes >= 12 ? bytes - 4 : bytes;
}

double ry_reduce_bytes(const struct ry_traits *traits, const struct ry_strategy *s)
{
    return fmax(ry_gradient_bytes(traits, s) > traits->gradient_bytes
                    ? ry_gradient_bytes(traits, s)
                    : traits->reduce_bytes,
                s->precision == RY_TRAIN_FP32 ? 4 : 0);
}

double ry_gradient_bytes(const struct ry_traits *traits, const struct ry_strategy *s)
{
    if (s->precision == RY_TRAIN_FP32)
        return 4;
    return traits->gradient_bytes_bf16 > 0 && s->precision != RY_TRAIN_FP16
               ? traits->gradient_bytes_bf16
               : traits->gradient_bytes;
}

static void place_groups(struct ry_build *b)
{
    const size_t tp = (size_t)b->tp, cp = (size_t)b->cp;
    b->tp_group = ry_group_place(b->net, tp, 1);
    b->cp_group = ry_group_place(b->net, cp, tp);
    b->ep_group = ry_group_place(b->net, (size_t)b->ep, (size_t)b->etp);
}

void ry_build_init(struct ry_build *b, const struct ry_machine *machine,
                   const struct ry_arch *a, const struct ry_traits *traits,
                   const struct ry_strategy *s)
{
    const double tp = ry_degree(s->tp);
    *b = (struct ry_build){.model = machine->compute,
                           .net = machine->net,
                           .arch = a,
                           .traits = traits,
                           .strategy = s};
    b->tp = tp;
    b->cp = ry_degree(s->cp);
    b->ep = ry_degree(s->ep);
    b->etp = s->etp > 0 ? s->etp : traits->etp_follows_tp ? tp : 1;
    b->tokens = (double)s->micro_batch * s->seq / b->cp;
    b->sequence_parallel = s->sequence_parallel && tp > 1;
    b->shared_tokens = b->sequence_parallel ? b->tokens / tp : b->tokens;
    b->vocab_tp = traits->vocab_replicated ? 1 : tp;
    b->vocab = padded_vocab(a, traits, b->vocab_tp);
    b->q_width = (double)a->heads * ry_arch_qk_dim(a) / tp;
    const double kv_heads = fmax(a->kv_heads / tp, 1);
    b->kv_width = kv_heads * ry_arch_qk_dim(a);
    b->v_width = kv_heads * a->head_dim;
    b->ffn = a->ffn / tp;
    b->inner = ry_inner_precision(s->precision);
    b->fusion = s->compile ? RY_FUSION_COMPILE : traits->fusion;
    b->launch = s->cuda_graph == RY_GRAPH_FULL   ? RY_CUDA_GRAPH
                : b->fusion == RY_FUSION_COMPILE ? RY_COMPILED
                                                 : RY_EAGER;
    b->launch_scale = traits->host_op_scale > 0 ? traits->host_op_scale : 1;
    b->gradient_bytes = ry_gradient_bytes(traits, s);
    b->reduce_bytes = ry_reduce_bytes(traits, s);
    b->width = s->precision == RY_TRAIN_FP32 ? 2 : 1;
    b->lora = s->task == RY_TASK_LORA;
    b->fuses_operations = traits->fuses_operations && tp <= 1;
    place_groups(b);
}

void ry_add_host(const struct ry_build *b, struct ry_pass *pass, enum ry_host_op op,
                 double count)
{
    pass->host_s +=
        count * b->launch_scale * ry_host_issue_s(b->model, op, b->launch, false);
}

static void add_host_back(const struct ry_build *b, struct ry_pass *pass,
                          enum ry_host_op op, double count)
{
    pass->host_s +=
        count * b->launch_scale * ry_host_issue_s(b->model, op, b->launch, true);
}

static enum ry_host_op host_op(enum ry_stream stream)
{
    return stream == RY_STREAM_LAYER_NORM || stream == RY_STREAM_RMS_NORM ||
                   stream == RY_STREAM_NORM_FUSED
               ? RY_HOST_NORM
               : RY_HOST_ELEMENTWISE;
}

void ry_add_stream(const struct ry_build *b, struct ry_pass *pass, enum ry_stream stream,
                   double bytes)
{
    if (!(bytes > 0))
        return;
    pass->memory_s += ry_stream_s(b->model, stream, b->width * bytes);
    ry_add_host(b, pass, host_op(stream), 1);
}

void ry_add_stream_back(const struct ry_build *b, struct ry_pass *pass,
                        enum ry_stream stream, double bytes)
{
    if (!(bytes > 0))
        return;
    pass->memory_s += ry_stream_s(b->model, stream, b->width * bytes);
    add_host_back(b, pass, host_op(stream), 1);
}

bool ry_low_precision(enum ry_precision p)
{
    return p == RY_FP8 || p == RY_MXFP8 || p == RY_NVFP4;
}

double ry_cast_bytes(const struct ry_build *b, enum ry_precision precision, bool trained)
{
    const double layouts = !trained ? 1 : precision == RY_FP8 ? b->model->fp8_layouts : 2;
    return layouts * ry_precision_bytes(precision);
}

/** Casting a tensor to the products' precision: 2 B read, its layouts written. */
static void add_cast(const struct ry_build *b, struct ry_pass *pass,
                     const struct ry_linear *l, double elements, bool fused)
{
    if (!ry_low_precision(l->precision))
        return;
    const double written = ry_cast_bytes(b, l->precision, !l->frozen);
    const enum ry_stream kind =
        l->precision == RY_FP8 ? RY_STREAM_QUANTISE_ROW : RY_STREAM_QUANTISE_BLOCK;
    pass->memory_s += ry_stream_s(b->model, kind, elements * ((fused ? 0 : 2) + written));
    if (!fused)
        ry_add_host(b, pass, RY_HOST_ELEMENTWISE, 1);
}

static struct ry_gemm forward_gemm(const struct ry_linear *l)
{
    return (struct ry_gemm){.m = l->rows,
                            .n = l->out,
                            .k = l->in,
                            .precision = l->precision,
                            .role = RY_FORWARD,
                            .out_bytes = l->precision == RY_FP32 ? 4 : 2};
}

void ry_add_product(const struct ry_build *b, const struct ry_linear *l,
                    struct ry_pass *forward)
{
    const struct ry_gemm g = forward_gemm(l);
    forward->gemm_s += ry_gemm_s(b->model, &g);
    ry_add_host(b, forward, RY_HOST_GEMM, 1);
    add_cast(b, forward, l, l->rows * l->in, l->cast_fused);
}

static void weight_gradient(const struct ry_build *b, const struct ry_gemm *wgrad,
                            struct ry_pass *backward)
{
    const double s = ry_gemm_s(b->model, wgrad);
    backward->gemm_s += s;
    backward->weight_s += s;
}

void ry_add_linear(const struct ry_build *b, const struct ry_linear *l,
                   struct ry_pass *forward, struct ry_pass *backward)
{
    ry_add_product(b, l, forward);
    const bool fused = b->traits->fused_gradient_add;
    const struct ry_gemm dgrad = {.m = l->rows,
                                  .n = l->in,
                                  .k = l->out,
                                  .precision = l->precision,
                                  .role = RY_DGRAD,
                                  .out_bytes = l->precision == RY_FP32 ? 4 : 2};
    const struct ry_gemm wgrad = {.m = l->out,
                                  .n = l->in,
                                  .k = l->rows,
                                  .precision = l->precision,
                                  .role = RY_WGRAD,
                                  .out_bytes = fused ? b->gradient_bytes : 2 * b->width,
                                  .accumulate = fused};
    if (!l->input_frozen)
        backward->gemm_s += ry_gemm_s(b->model, &dgrad);
    if (!l->frozen)
        weight_gradient(b, &wgrad, backward);
    add_host_back(b, backward, RY_HOST_GEMM, 1);
    add_cast(b, backward, l, l->rows * l->out, l->gradient_cast_fused);
    if (b->arch->linear_bias && !l->frozen)
        ry_add_stream_back(b, backward, RY_STREAM_GRAD_NORM, 2 * l->rows * l->out);
}

double ry_all_reduce_s(const struct ry_net *net, const struct ry_group *group,
                       double bytes)
{
    const double one = ry_collective_s(net, RY_COLL_ALL_REDUCE, group, bytes);
    const double two = ry_collective_s(net, RY_COLL_REDUCE_SCATTER, group, bytes) +
                       ry_collective_s(net, RY_COLL_ALL_GATHER, group, bytes);
    return fmin(one, two);
}

/** Bytes of a gather of activations that were @p bytes in 16 bits. */
static double gathered_bytes(const struct ry_build *b, double bytes)
{
    const double width = ry_precision_bytes(b->inner);
    return b->traits->gathers_in_product_precision && width < 2 ? bytes * width / 2
                                                                : bytes;
}

double ry_tp_pair_s(const struct ry_build *b, double bytes)
{
    if (b->tp <= 1)
        return 0;
    if (!b->sequence_parallel)
        return ry_all_reduce_s(b->net, &b->tp_group, bytes);
    return ry_collective_s(b->net, RY_COLL_ALL_GATHER, &b->tp_group,
                           gathered_bytes(b, bytes)) +
           ry_collective_s(b->net, RY_COLL_REDUCE_SCATTER, &b->tp_group, bytes);
}

/** Share of the products of a layer that read a gathered input: query-key-value, up. */
static double column_frac(const struct ry_arch *a)
{
    const double qkv = ((double)a->heads + 2.0 * a->kv_heads) * a->head_dim;
    const double up = (a->gated ? 2.0 : 1.0) * a->ffn;
    return (qkv + up) / (qkv + (double)a->heads * a->head_dim + up + a->ffn);
}

/** The share @p cut of traffic is cut in tp pieces, one of which nothing hides. */
static double overlapped_s(const struct ry_build *b, double total, double cut,
                           double gemm_s)
{
    const double hidden = cut * total * (1 - 1 / b->tp);
    return total - hidden + fmax(hidden - gemm_s, 0);
}

static void add_seen(struct ry_pass *pass, double seen, double total)
{
    pass->tp_s += seen;
    pass->tp_hidden_s += fmax(total - seen, 0);
}

void ry_add_tp(const struct ry_build *b, struct ry_layer_cost *l, double pairs)
{
    if (b->tp <= 1)
        return;
    const double bytes = 2 * b->width * b->tokens * b->arch->hidden;
    const double pair = pairs * ry_tp_pair_s(b, bytes);
    const double gather =
        b->sequence_parallel && !b->lora
            ? pairs * ry_collective_s(b->net, RY_COLL_ALL_GATHER, &b->tp_group,
                                      gathered_bytes(b, bytes))
            : 0;
    ry_add_host(b, &l->forward, RY_HOST_ELEMENTWISE, pairs);
    ry_add_host(b, &l->backward, RY_HOST_ELEMENTWISE, pairs);
    if (b->strategy->tp_overlap) {
        /* An adapter reads what query-key-value gathers: one of two pairs stays whole. */
        const double cut = b->lora ? 0.75 : 1;
        add_seen(&l->forward, overlapped_s(b, pair, cut, l->forward.gemm_s), pair);
        add_seen(&l->backward, overlapped_s(b, pair + gather, cut, l->backward.gemm_s),
                 pair + gather);
        return;
    }
    add_seen(&l->forward, pair, pair);
    if (!b->traits->tp_async_backward) {
        add_seen(&l->backward, pair + gather, pair + gather);
        return;
    }
    /* Without sequence parallelism the all-reduces run beside weight gradients; with it
     * the scatters do, and the re-gathers of inputs run beside input gradients. */
    const double column = column_frac(b->arch);
    const double async = b->sequence_parallel ? pair : pair + gather;
    const double window =
        column * (b->sequence_parallel ? l->backward.gemm_s : l->backward.weight_s);
    const struct ry_overlap o = ry_overlap(b->model, RY_BESIDE_NVLINK, window, 0, async);
    const double seen = (b->sequence_parallel ? gather : 0) + fmax(o.both_s - window, 0);
    add_seen(&l->backward, seen, pair + gather);
}

void ry_pass_add(struct ry_pass *to, const struct ry_pass *from, double scale)
{
    to->gemm_s += scale * from->gemm_s;
    to->weight_s += scale * from->weight_s;
    to->attention_s += scale * from->attention_s;
    to->memory_s += scale * from->memory_s;
    to->host_s += scale * from->host_s;
    to->host_add_s += scale * from->host_add_s;
    to->tp_s += scale * from->tp_s;
    to->tp_hidden_s += scale * from->tp_hidden_s;
    to->cp_s += scale * from->cp_s;
    to->cp_hidden_s += scale * from->cp_hidden_s;
    to->ep_s += scale * from->ep_s;
    to->ep_hidden_s += scale * from->ep_hidden_s;
}

/** (a^8 + b^8)^(1/8): the slower of two that run side by side, with a soft corner. */
double ry_slower_s(double gpu_s, double host_s)
{
    const double most = fmax(gpu_s, host_s);
    const double ratio = most > 0 ? fmin(gpu_s, host_s) / most : 0;
    const double r2 = ratio * ratio, r4 = r2 * r2;
    return most * sqrt(sqrt(sqrt(1 + r4 * r4)));
}

double ry_pass_s(const struct ry_pass *p, bool blocking)
{
    const double gpu =
        p->gemm_s + p->attention_s + p->memory_s + p->tp_s + p->cp_s + p->ep_s;
    return (blocking ? gpu + p->host_s : ry_slower_s(gpu, p->host_s)) + p->host_add_s;
}
