/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/kernel_bench.h"

#include "base/names.h"
#include "io/file.h"
#include "io/json.h"
#include "io/sha256.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

struct reader {
    struct ry_arena *arena;
    struct ry_kernel_data *data;
    size_t added;
    bool out_of_memory;
};

/* Room for one more in an array of the arena, which doubles. */
static void *more(struct reader *r, void *old, size_t n, size_t *room, size_t bytes)
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

static void add(struct reader *r, struct ry_sample sample)
{
    struct ry_kernel_data *d = r->data;

    d->sample = more(r, d->sample, d->samples, &d->samples_room, sizeof(*d->sample));
    if (r->out_of_memory)
        return;
    sample.fitted_s = sample.held_out_s = NAN;
    d->sample[d->samples++] = sample;
    r->added++;
}

/* A positive number of a row; a problem otherwise. */
static double positive(struct ry_json row, const char *key)
{
    const struct ry_json at = ry_json_need(row, key);
    const double value = ry_json_as_number(at, 1.0);

    if (!(value > 0.0) || !isfinite(value)) {
        ry_json_problem(at, RY_ERR_RANGE, "%g is not above 0", value);
        return 1.0;
    }
    return value;
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
static bool failed(struct reader *r, struct ry_json row)
{
    if (!ry_json_has(row, "error"))
        return false;
    r->data->skipped++;
    return true;
}

static void read_gemms(struct reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        struct ry_sample s = {.kind = RY_SAMPLE_GEMM};

        if (failed(r, row))
            continue;
        s.gemm = (struct ry_gemm){
            .m = positive(row, "m"),
            .n = positive(row, "n"),
            .k = positive(row, "k"),
            .batch = ry_json_number(row, "batch", 1.0),
            .precision = precision(row),
            .role = role_of(ry_json_text(row, "layout", "TN")),
            .accumulate = ry_json_bool(row, "accumulate", false),
        };
        s.gemm.out_bytes =
            strcmp(ry_json_text(row, "out_dtype", "bf16"), "fp32") == 0 ? 4.0 : 2.0;
        s.time_s = positive(row, "time_s");
        s.floor = s.gemm.precision == RY_FP8 ? RY_FLOOR_FP8 : RY_FLOOR_GEMM;
        add(r, s);
    }
}

/* PyTorch's row-major names here: NT forward, NN, TN weight gradient. */
static void read_layouts(struct reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *kernel = ry_json_text(row, "kernel", "");
        const char *layout = ry_json_text(row, "layout", "");
        struct ry_sample s = {.kind = RY_SAMPLE_GEMM, .run = RY_RUN_LAYOUT};

        if (failed(r, row))
            continue;
        s.gemm.m = positive(row, "m");
        s.gemm.n = positive(row, "n");
        s.gemm.k = positive(row, "k");
        s.time_s = positive(row, "time_s");
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

static void read_grouped(struct reader *r, struct ry_json list)
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
            .groups = positive(row, "groups"),
            .n = positive(row, "n"),
            .k = positive(row, "k"),
            .precision = precision(row),
            .accumulate = ry_json_bool(row, "accumulate", false),
            .uneven = strcmp(kernel, "grouped_mm_uneven") == 0,
        };
        s.grouped.rows = s.grouped.groups * positive(row, "m_per_group");
        if (strcmp(stage, "bwd_grad_w") == 0) {
            s.grouped.role = RY_WGRAD;
            s.grouped.out_bytes =
                strcmp(ry_json_text(row, "main_grad_dtype", "bf16"), "fp32") == 0 ? 4.0
                                                                                  : 2.0;
        } else if (strcmp(stage, "bwd_grad_act") == 0) {
            s.grouped.role = RY_DGRAD;
        }
        s.time_s = positive(row, "time_s");
        add(r, s);
    }
}

static void add_attention(struct reader *r, struct ry_attention a, bool backward,
                          double time_s)
{
    add(r, (struct ry_sample){.kind = RY_SAMPLE_ATTENTION,
                              .attention = a,
                              .backward = backward,
                              .time_s = time_s,
                              .floor = backward ? RY_FLOOR_BACKWARD : RY_FLOOR_FORWARD});
}

static void read_attention(struct reader *r, struct ry_json list)
{
    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const bool published = ry_json_has(row, "efficiency_of_peak");
        struct ry_attention a = {.impl = RY_ATTN_CUDNN};

        if (failed(r, row))
            continue;
        a.batch = positive(row, "batch");
        a.heads = positive(row, "heads");
        a.kv_heads = positive(row, "kv_heads");
        a.head_dim = positive(row, published ? "qk_head_dim" : "head_dim");
        a.head_dim_v = ry_json_number(row, "v_head_dim", a.head_dim);
        a.seq_q = a.seq_kv = positive(row, "seq");
        a.causal = ry_json_bool(row, "causal", true);
        if (published) {
            const bool backward =
                strcmp(ry_json_text(row, "direction", "fwd"), "bwd") == 0;
            struct ry_attention square = a;

            square.causal = false;
            add_attention(r, a, backward,
                          ry_attention_flop(&square, backward) /
                              (positive(row, "efficiency_of_peak") *
                               positive(row, "peak_flops_per_s")));
            continue;
        }
        add_attention(r, a, false, positive(row, "fwd_s"));
        add_attention(r, a, true, positive(row, "bwd_s"));
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

static void read_streams(struct reader *r, struct ry_json list)
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
        s.bytes = positive(row, "bytes_moved");
        s.time_s = positive(row, "time_s");
        s.floor = stream_floor(kernel);
        add(r, s);
    }
}

/* Published efficiencies of memory-bound work stand for a gigabyte each; those of the
 * loss are left out, as the table does not say which bytes it counts. */
static void read_efficiencies(struct reader *r, struct ry_json map)
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
        s.time_s = s.bytes /
                   (positive(row, "efficiency") * positive(row, "peak_gbytes_s") * 1e9);
        add(r, s);
    }
}

static void read_host(struct reader *r, struct ry_json list)
{
    static const struct {
        const char *name;
        enum ry_host_op op;
        bool both;
    } known[] = {
        {"add", RY_HOST_ELEMENTWISE, false},
        {"linear", RY_HOST_GEMM, false},
        {"rms_norm", RY_HOST_NORM, false},
        {"layer_norm", RY_HOST_NORM, false},
        {"silu", RY_HOST_ELEMENTWISE, false},
        {"view_transpose", RY_HOST_VIEW, false},
        {"sdpa", RY_HOST_ATTENTION, false},
        {"add forward+backward in a chain of 100", RY_HOST_ELEMENTWISE, true},
        {"linear forward+backward in a chain of 100", RY_HOST_GEMM, true},
        {"rms_norm forward+backward in a chain of 100", RY_HOST_NORM, true},
        {"silu forward+backward in a chain of 100", RY_HOST_ELEMENTWISE, true},
    };
    struct ry_kernel_data *d = r->data;

    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *op = ry_json_text(row, "op", "");

        for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
            if (strcmp(known[k].name, op) != 0)
                continue;
            d->host = more(r, d->host, d->hosts, &d->hosts_room, sizeof(*d->host));
            if (r->out_of_memory)
                return;
            d->host[d->hosts++] = (struct ry_host_sample){
                known[k].op, known[k].both,
                positive(row, known[k].both ? "per_op_s" : "issue_s")};
            r->added++;
        }
    }
}

static void read_power(struct reader *r, struct ry_json list)
{
    struct ry_kernel_data *d = r->data;

    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *load = ry_json_text(row, "load", "");
        struct ry_power_sample s = {.power_w = positive(row, "power_w_mean"),
                                    .clock_hz = positive(row, "sm_mhz_mean") * 1e6,
                                    .time_s = ry_json_number(row, "time_s", NAN)};

        if (strcmp(load, "idle") == 0) {
            s.kind = RY_POWER_IDLE;
        } else if (strcmp(load, "copy") == 0) {
            s.kind = RY_POWER_COPY;
        } else if (strncmp(load, "attention", 9) == 0) {
            s.kind = RY_POWER_ATTENTION;
        } else if (strncmp(load, "gemm_", 5) == 0 && strrchr(load, '_') > load + 4) {
            const double size = strtod(strrchr(load, '_') + 1, NULL);

            s.kind = RY_POWER_GEMM;
            s.gemm = (struct ry_gemm){.m = size, .n = size, .k = size, .role = RY_DGRAD};
            s.gemm.precision = strncmp(load + 5, "fp8", 3) == 0 ? RY_FP8 : RY_BF16;
        } else {
            d->skipped++;
            continue;
        }
        d->power = more(r, d->power, d->powers, &d->powers_room, sizeof(*d->power));
        if (r->out_of_memory)
            return;
        d->power[d->powers++] = s;
        r->added++;
    }
}

static void read_beside(struct reader *r, struct ry_json list, enum ry_beside beside)
{
    struct ry_kernel_data *d = r->data;

    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const struct ry_beside_sample s = {
            .beside = beside,
            .memory = strncmp(ry_json_text(row, "compute", ""), "gemm", 4) != 0,
            .compute_alone_s = positive(row, "compute_alone_s"),
            .comm_alone_s = positive(row, "comm_alone_s"),
            .compute_beside_s = positive(row, "compute_beside_comm_s"),
            .comm_beside_s = positive(row, "comm_beside_compute_s"),
        };

        d->beside = more(r, d->beside, d->besides, &d->besides_room, sizeof(*d->beside));
        if (r->out_of_memory)
            return;
        d->beside[d->besides++] = s;
        r->added++;
    }
}

static void read_overlap(struct reader *r, struct ry_json root)
{
    const struct ry_json env = ry_json_get(root, "nccl_env");
    const bool p2p_off = strcmp(ry_json_text(env, "NCCL_P2P_DISABLE", "0"), "1") == 0;
    const bool shm_off = strcmp(ry_json_text(env, "NCCL_SHM_DISABLE", "0"), "1") == 0;

    read_beside(r, ry_json_get(root, "overlap"),
                !p2p_off  ? RY_BESIDE_NVLINK
                : shm_off ? RY_BESIDE_SOCKET
                          : RY_BESIDE_PCIE);
}

/* "580.159.04, 5, 16, 700.00 W, 1980 MHz, 3201 MHz": driver, PCIe, cap, clocks. */
static void read_limits(struct reader *r, const char *text)
{
    const char *watts = strstr(text, " W,");
    const char *megahertz = strstr(text, " MHz");
    const char *at;

    r->data->cap_w = NAN;
    r->data->clock_most_hz = NAN;
    if (!watts || !megahertz)
        return;
    for (at = watts; at > text && at[-1] != ' '; at--)
        continue;
    r->data->cap_w = strtod(at, NULL);
    for (at = megahertz; at > text && at[-1] != ' '; at--)
        continue;
    r->data->clock_most_hz = strtod(at, NULL) * 1e6;
}

static void read_document(struct reader *r, struct ry_json root)
{
    read_gemms(r, ry_json_get(root, "gemm"));
    read_layouts(r, ry_json_get(root, "layouts"));
    read_grouped(r, ry_json_get(root, "grouped_gemm"));
    read_grouped(r, ry_json_get(root, "experts"));
    read_attention(r, ry_json_get(root, "attention"));
    read_streams(r, ry_json_get(root, "memory_bound"));
    read_streams(r, ry_json_get(root, "fused"));
    read_efficiencies(r, ry_json_get(root, "memory_efficiency"));
    read_host(r, ry_json_get(root, "host"));
    read_power(r, ry_json_get(root, "power"));
    read_overlap(r, root);
}

/* One GPU for all files of a model. */
static void check_gpu(struct reader *r, struct ry_json document)
{
    const struct ry_json at = ry_json_need(document, "gpu");
    const char *gpu = ry_json_as_text(at, "");
    struct ry_kernel_data *d = r->data;

    if (!d->gpu) {
        d->gpu = gpu;
        d->sm_count = ry_json_number(document, "sm_count", 0.0);
        d->published = ry_json_has(document, "source");
        read_limits(r, ry_json_text(document, "driver_pcie_power_clocks", ""));
    } else if (strcmp(d->gpu, gpu) != 0) {
        ry_json_problem(at, RY_ERR_SYNTAX, "'%s' where the files before are of '%s'", gpu,
                        d->gpu);
    }
}

static void note_source(struct reader *r, const char *path, const struct ry_text *text,
                        struct ry_json document)
{
    const char *slash = strrchr(path, '/');
    const struct ry_json source = ry_json_get(document, "source");
    struct ry_kernel_data *d = r->data;
    char *hash = RY_NEW(r->arena, char, RY_SHA256_TEXT);

    if (!hash) {
        r->out_of_memory = true;
        return;
    }
    ry_sha256(text->data, text->bytes, hash);
    d->source[d->sources++] = (struct ry_kernel_source){
        .file = ry_strdup(r->arena, slash ? slash + 1 : path),
        .sha256 = hash,
        .hardware = ry_json_text(document, "driver_pcie_power_clocks", NULL),
        .software = ry_json_has(document, "torch")
                        ? ry_strfmt(r->arena, "PyTorch %s, CUDA %s, NCCL %s",
                                    ry_json_text(document, "torch", "?"),
                                    ry_json_text(document, "cuda", "?"),
                                    ry_json_text(document, "nccl", "?"))
                        : NULL,
        .date = ry_json_text(document, "date", NULL),
        .source = ry_json_text(source, "url", ry_json_text(source, "title", NULL)),
        .licence = ry_json_text(source, "licence", NULL),
        .samples = r->added,
    };
}

static void read_root(struct reader *r, struct ry_json root, struct ry_json *document)
{
    /* one document, or an object of named ones (the overlap runs) */
    if (ry_json_has(root, "schema")) {
        *document = root;
        check_gpu(r, root);
        read_document(r, root);
        return;
    }
    for (size_t i = 0; i < ry_json_size(root); i++) {
        const struct ry_json part = ry_json_at(root, i);

        if (!ry_json_has(part, "schema")) {
            ry_json_problem(root, RY_ERR_SYNTAX,
                            "no \"schema\": not a node-bench file of kernels");
            return;
        }
        *document = part;
        check_gpu(r, part);
        read_document(r, part);
    }
}

enum ry_err ry_kernel_bench_read(struct ry_arena *arena, const char *path,
                                 struct ry_kernel_data *data,
                                 struct ry_problems *problems)
{
    struct reader reader = {.arena = arena, .data = data};
    struct ry_text text;
    struct ry_json root = {0};
    struct ry_json document = {0};
    struct ry_diag diag = {0};
    const size_t before = problems->count;

    if (data->sources == RY_KERNEL_SOURCES_MOST) {
        ry_problem(problems, RY_ERR_RANGE, path, "at most %d files",
                   RY_KERNEL_SOURCES_MOST);
        return RY_ERR_RANGE;
    }
    if (ry_file_read(arena, path, ry_json_default_limits.file_bytes, &text, &diag) !=
        RY_OK) {
        ry_problem_diag(problems, &diag);
        return diag.code;
    }
    RY_TRY(ry_json_parse(arena, &(struct ry_json_text){path, text.data, text.bytes},
                         &ry_json_default_limits, problems, &root));
    read_root(&reader, root, &document);
    if (problems->count == before && reader.added == 0 && !reader.out_of_memory)
        ry_problem(problems, RY_ERR_NO, path, "no kernel timings in this file");
    if (problems->count == before)
        note_source(&reader, path, &text, document);
    if (reader.out_of_memory)
        ry_problem(problems, RY_ERR_NOMEM, path, "its kernels");
    return ry_problems_since(problems, before);
}
