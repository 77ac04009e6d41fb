/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/kernel_rows.h"

#include <math.h>
#include <string.h>

/* What the files call a memory-bound kernel. */
static const struct {
    const char *name;
    enum ry_stream stream;
} kernels[] = {
    {"copy", RY_STREAM_COPY},
    {"add", RY_STREAM_ADD},
    {"autograd_add_into", RY_STREAM_ADD},
    {"gelu", RY_STREAM_ELEMENTWISE},
    {"silu_mul", RY_STREAM_SILU_MUL_EAGER},
    {"layer_norm", RY_STREAM_LAYER_NORM},
    {"rms_norm", RY_STREAM_RMS_NORM},
    {"cross_entropy_fp32", RY_STREAM_CROSS_ENTROPY_EAGER},
    {"adamw_fused_fp32", RY_STREAM_ADAM_FUSED},
    {"host_to_device", RY_STREAM_HOST_TO_DEVICE},
    {"device_to_host", RY_STREAM_DEVICE_TO_HOST},
    {"fused_rms_norm", RY_STREAM_NORM_FUSED},
    {"fused_layer_norm", RY_STREAM_LAYER_NORM_FUSED},
    {"fused_add_rms_norm", RY_STREAM_ADD_NORM_FUSED},
    {"fused_swiglu", RY_STREAM_SWIGLU},
    {"fused_bias_gelu", RY_STREAM_BIAS_GELU},
    {"fp8_quantise_per_tensor", RY_STREAM_QUANTISE_TENSOR},
    {"fp8_quantise_per_row", RY_STREAM_QUANTISE_ROW},
    {"fp8_quantise_block_128", RY_STREAM_QUANTISE_BLOCK},
    {"transpose", RY_STREAM_TRANSPOSE},
    {"gather_rows", RY_STREAM_GATHER_ROWS},
    {"index_add_rows", RY_STREAM_SCATTER_ADD_ROWS},
    {"grad_accumulate_fp32", RY_STREAM_GRAD_ACCUMULATE},
    {"fused_rotary", RY_STREAM_ROTARY},
    {"fused_cross_entropy_forward", RY_STREAM_CROSS_ENTROPY_FUSED},
    {"grad_norm_foreach", RY_STREAM_GRAD_NORM},
    {"scale_foreach", RY_STREAM_SCALE},
    {"softmax", RY_STREAM_SOFTMAX},
    {"dropout", RY_STREAM_DROPOUT},
    {"cross_entropy_backward", RY_STREAM_CROSS_ENTROPY_BACKWARD},
    {"optimizer_master", RY_STREAM_OPTIMIZER_MASTER},
    {"cast", RY_STREAM_CAST},
};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

void *ry_kernel_more(struct ry_kernel_reader *r, void *old, size_t n, size_t *room,
                     size_t bytes)
{
    if (n < *room)
        return old;
    const size_t wanted = *room == 0 ? 64 : *room * 2;
    void *grown = ry_arena_alloc(r->arena, wanted, bytes);
    if (!grown) {
        r->out_of_memory = true;
        return old;
    }
    if (n > 0)
        memcpy(grown, old, n * bytes);
    *room = wanted;
    return grown;
}

double ry_kernel_positive(struct ry_json row, const char *key)
{
    const struct ry_json at = ry_json_need(row, key);
    const double value = ry_json_as_number(at, 1.0);

    if (!(value > 0.0) || !isfinite(value)) {
        ry_json_problem(at, RY_ERR_RANGE, "%g is not above 0", value);
        return 1.0;
    }
    return value;
}

static void add(struct ry_kernel_reader *r, struct ry_sample sample)
{
    struct ry_kernel_data *d = r->data;

    d->sample =
        ry_kernel_more(r, d->sample, d->samples, &d->samples_room, sizeof(*d->sample));
    if (r->out_of_memory)
        return;
    sample.fitted_s = sample.held_out_s = NAN;
    d->sample[d->samples++] = sample;
    r->added++;
}

static enum ry_precision precision(struct ry_json row)
{
    static const char *const names[] = {"bf16",  "fp16",  "fp32", "fp8",
                                        "mxfp8", "nvfp4", NULL};

    return (enum ry_precision)ry_json_choice(row, "dtype", names, RY_BF16);
}

/* Column-major layouts of cuBLAS, as published tables write them. */
static enum ry_role role_of(const char *layout)
{
    if (strcmp(layout, "NN") == 0)
        return RY_DGRAD;
    return strcmp(layout, "NT") == 0 ? RY_WGRAD : RY_FORWARD;
}

/* A row that the benchmark could not run says why in "error". */
static bool failed(struct ry_kernel_reader *r, struct ry_json row)
{
    if (!ry_json_has(row, "error"))
        return false;
    r->data->skipped++;
    return true;
}

static void read_gemms(struct ry_kernel_reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        struct ry_sample s = {.kind = RY_SAMPLE_GEMM};

        if (failed(r, row))
            continue;
        s.gemm = (struct ry_gemm){
            .m = ry_kernel_positive(row, "m"),
            .n = ry_kernel_positive(row, "n"),
            .k = ry_kernel_positive(row, "k"),
            .batch = ry_json_number(row, "batch", 1.0),
            .precision = precision(row),
            .role = role_of(ry_json_text(row, "layout", "TN")),
            .accumulate = ry_json_bool(row, "accumulate", false),
        };
        s.gemm.out_bytes =
            strcmp(ry_json_text(row, "out_dtype", "bf16"), "fp32") == 0 ? 4.0 : 2.0;
        s.time_s = ry_kernel_positive(row, "time_s");
        s.floor = s.gemm.precision == RY_FP8 ? RY_FLOOR_FP8 : RY_FLOOR_GEMM;
        add(r, s);
    }
}

/* PyTorch's row-major names here: NT forward, NN, TN weight gradient. */
static void read_layouts(struct ry_kernel_reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *kernel = ry_json_text(row, "kernel", "");
        const char *layout = ry_json_text(row, "layout", "");
        struct ry_sample s = {.kind = RY_SAMPLE_GEMM, .run = RY_RUN_LAYOUT};

        if (failed(r, row))
            continue;
        s.gemm.m = ry_kernel_positive(row, "m");
        s.gemm.n = ry_kernel_positive(row, "n");
        s.gemm.k = ry_kernel_positive(row, "k");
        s.time_s = ry_kernel_positive(row, "time_s");
        if (strcmp(kernel, "gemm_fp32_tf32_off") == 0) {
            s.gemm.precision = RY_FP32;
            s.gemm.out_bytes = 4.0;
            s.run = RY_RUN_MAIN;
        } else if (strcmp(kernel, "gemm_layout") != 0 || strncmp(layout, "TT", 2) == 0) {
            r->data->skipped++;
            continue;
        }
        s.gemm.role = strncmp(layout, "NN", 2) == 0   ? RY_DGRAD
                      : strncmp(layout, "TN", 2) == 0 ? RY_WGRAD
                                                      : RY_FORWARD;
        add(r, s);
    }
}

static void read_grouped(struct ry_kernel_reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *kernel = ry_json_text(row, "kernel", "grouped_mm");
        const char *stage = ry_json_text(row, "stage", "fwd");
        struct ry_sample s = {.kind = RY_SAMPLE_GROUPED, .floor = RY_FLOOR_GROUPED};

        if (failed(r, row))
            continue;
        if (strncmp(kernel, "grouped_mm", 10) != 0) {
            r->data->skipped++; /* a batched product of equal parts: bmm */
            continue;
        }
        s.grouped = (struct ry_grouped_gemm){
            .groups = ry_kernel_positive(row, "groups"),
            .n = ry_kernel_positive(row, "n"),
            .k = ry_kernel_positive(row, "k"),
            .precision = precision(row),
            .accumulate = ry_json_bool(row, "accumulate", false),
            .uneven = strcmp(kernel, "grouped_mm_uneven") == 0,
        };
        s.grouped.rows = s.grouped.groups * ry_kernel_positive(row, "m_per_group");
        if (strcmp(stage, "bwd_grad_w") == 0) {
            s.grouped.role = RY_WGRAD;
            s.grouped.out_bytes =
                strcmp(ry_json_text(row, "main_grad_dtype", "bf16"), "fp32") == 0 ? 4.0
                                                                                  : 2.0;
        } else if (strcmp(stage, "bwd_grad_act") == 0) {
            s.grouped.role = RY_DGRAD;
        }
        s.time_s = ry_kernel_positive(row, "time_s");
        add(r, s);
    }
}

static void add_attention(struct ry_kernel_reader *r, struct ry_attention a,
                          bool backward, double time_s)
{
    add(r, (struct ry_sample){.kind = RY_SAMPLE_ATTENTION,
                              .attention = a,
                              .backward = backward,
                              .time_s = time_s,
                              .floor = backward ? RY_FLOOR_BACKWARD : RY_FLOOR_FORWARD});
}

static void read_attention(struct ry_kernel_reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const bool published = ry_json_has(row, "efficiency_of_peak");
        struct ry_attention a = {.impl = RY_ATTN_CUDNN};

        if (failed(r, row))
            continue;
        a.batch = ry_kernel_positive(row, "batch");
        a.heads = ry_kernel_positive(row, "heads");
        a.kv_heads = ry_kernel_positive(row, "kv_heads");
        a.head_dim = ry_kernel_positive(row, published ? "qk_head_dim" : "head_dim");
        a.head_dim_v = ry_json_number(row, "v_head_dim", a.head_dim);
        a.seq_q = a.seq_kv = ry_kernel_positive(row, "seq");
        a.causal = ry_json_bool(row, "causal", true);
        if (published) {
            const bool backward =
                strcmp(ry_json_text(row, "direction", "fwd"), "bwd") == 0;
            struct ry_attention square = a;

            square.causal = false;
            add_attention(r, a, backward,
                          ry_attention_flop(&square, backward) /
                              (ry_kernel_positive(row, "efficiency_of_peak") *
                               ry_kernel_positive(row, "peak_flops_per_s")));
            continue;
        }
        add_attention(r, a, false, ry_kernel_positive(row, "fwd_s"));
        add_attention(r, a, true, ry_kernel_positive(row, "bwd_s"));
    }
}

/* What torch.compile makes of these needs one kernel, or two. */
static enum ry_floor stream_floor(const char *kernel)
{
    if (strcmp(kernel, "fp8_quantise_per_tensor") == 0 ||
        strcmp(kernel, "fp8_quantise_block_128") == 0 ||
        strcmp(kernel, "fused_rotary") == 0)
        return RY_FLOOR_COMPILED_TWO;
    if (strncmp(kernel, "fused_", 6) == 0 || strncmp(kernel, "fp8_", 4) == 0 ||
        strcmp(kernel, "transpose") == 0)
        return RY_FLOOR_COMPILED;
    return RY_FLOOR_EAGER;
}

static void read_streams(struct ry_kernel_reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *kernel = ry_json_text(row, "kernel", "");
        struct ry_sample s = {.kind = RY_SAMPLE_STREAM};
        size_t k = 0;

        if (failed(r, row))
            continue;
        while (k < KERNELS && strcmp(kernels[k].name, kernel) != 0)
            k++;
        if (k == KERNELS) {
            r->data->skipped++;
            continue;
        }
        s.stream = kernels[k].stream;
        s.bytes = ry_kernel_positive(row, "bytes_moved");
        s.time_s = ry_kernel_positive(row, "time_s");
        s.floor = stream_floor(kernel);
        add(r, s);
    }
}

/* Published efficiencies of memory-bound work stand for a gigabyte each; those of the
 * loss are left out, as the table does not say which bytes it counts. */
static void read_efficiencies(struct ry_kernel_reader *r, struct ry_json map)
{
    static const struct {
        const char *key;
        enum ry_stream stream;
    } known[] = {{"default", RY_STREAM_COPY}, {"permute_fwd", RY_STREAM_PERMUTE_FUSED}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct ry_json row = ry_json_get(map, known[i].key);
        struct ry_sample s = {.kind = RY_SAMPLE_STREAM,
                              .stream = known[i].stream,
                              .bytes = 1e9,
                              .floor = RY_FLOOR_EAGER};

        if (ry_json_type(row) == RY_JSON_ABSENT)
            continue;
        s.time_s = s.bytes / (ry_kernel_positive(row, "efficiency") *
                              ry_kernel_positive(row, "peak_gbytes_s") * 1e9);
        add(r, s);
    }
}

void ry_kernel_rows_read(struct ry_kernel_reader *r, struct ry_json root)
{
    read_gemms(r, ry_json_get(root, "gemm"));
    read_layouts(r, ry_json_get(root, "layouts"));
    read_grouped(r, ry_json_get(root, "grouped_gemm"));
    read_grouped(r, ry_json_get(root, "experts"));
    read_attention(r, ry_json_get(root, "attention"));
    read_streams(r, ry_json_get(root, "memory_bound"));
    read_streams(r, ry_json_get(root, "fused"));
    read_efficiencies(r, ry_json_get(root, "memory_efficiency"));
}
