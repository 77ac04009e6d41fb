/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_direct.h"

#include "calibrate/kernel_note.h"
#include "calibrate/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smaller kernels live in the cache or in their launch. */
static const double large_bytes = 64.0 * 1048576.0;

/* The share of bandwidth at which the model reproduces this sample; 0 where the host
 * or the start of the kernel is all that shows. */
static double share(const struct ry_kernel_data *data,
                    const struct ry_compute_model *model,
                    const struct ry_bench_terms *bench, size_t i)
{
    const struct ry_sample *s = &data->sample[i];
    const double floor = bench->floor_s[s->floor];

    if (s->bytes <= large_bytes || s->time_s < 1.2 * floor ||
        s->time_s < 2.0 * model->stream_fixed_s)
        return 0.0;
    const double device = pow(pow(s->time_s, 8.0) - pow(floor, 8.0), 1.0 / 8.0);
    return s->bytes / ((device - model->stream_fixed_s) * model->hbm_bytes_per_s);
}

/* Of one kind; @p parity 2: all samples, else every other one.  A single sample is
 * averaged with what is assumed of the kind. */
static double stream_share(const struct ry_kernel_data *data,
                           const struct ry_compute_file *file,
                           const struct ry_bench_terms *bench, enum ry_stream stream,
                           size_t parity, struct ry_ratios *found)
{
    const double prior =
        ry_param_at(ry_param_count() - (size_t)RY_STREAMS + (size_t)stream).initial;
    size_t nth = 0;

    found->n = 0;
    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (s->kind != RY_SAMPLE_STREAM || s->stream != stream)
            continue;
        const double value = share(data, &file->model, bench, i);
        if (value <= 0.0)
            continue;
        if (parity == 2 || nth % 2 == parity)
            ry_ratios_push(found, value);
        nth++;
    }
    if (found->n == 1 && !data->published)
        ry_ratios_push(found, prior);
    return found->n > 0 ? ry_ratios_median(found) : 0.0;
}

static void predict_streams(struct ry_kernel_data *data, struct ry_compute_file *file,
                            const struct ry_bench_terms *bench, enum ry_stream stream)
{
    const double kept = file->model.stream_frac[stream];
    struct ry_ratios found;
    size_t nth = 0;

    for (size_t i = 0; i < data->samples; i++) {
        struct ry_sample *s = &data->sample[i];

        if (s->kind != RY_SAMPLE_STREAM || s->stream != stream)
            continue;
        s->fitted_s = ry_bench_s(&file->model, bench, s);
        if (share(data, &file->model, bench, i) <= 0.0)
            continue;
        const double other =
            stream_share(data, file, bench, stream, 1 - nth++ % 2, &found);
        if (other <= 0.0)
            continue;
        file->model.stream_frac[stream] = other;
        s->held_out_s = ry_bench_s(&file->model, bench, s);
        file->model.stream_frac[stream] = kept;
    }
}

void ry_fit_streams(struct ry_kernel_data *data, struct ry_compute_file *file,
                    const struct ry_bench_terms *bench)
{
    for (int k = 0; k < RY_STREAMS; k++) {
        const enum ry_stream stream = (enum ry_stream)k;
        struct ry_ratios found;
        const double frac = stream_share(data, file, bench, stream, 2, &found);
        const size_t at = ry_param_count() - (size_t)RY_STREAMS + (size_t)k;

        if (frac <= 0.0)
            continue;
        file->model.stream_frac[stream] = frac;
        ry_kernel_note(data, file, at, fmax(ry_ratios_error(&found), 0.01),
                       "median of its kernels");
        predict_streams(data, file, bench, stream);
    }
}

static const struct ry_sample *same_shape(const struct ry_kernel_data *data,
                                          const struct ry_sample *like, enum ry_role role)
{
    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (s->kind == RY_SAMPLE_GEMM && s->run == RY_RUN_LAYOUT &&
            s->gemm.role == role && s->gemm.m == like->gemm.m &&
            s->gemm.n == like->gemm.n && s->gemm.k == like->gemm.k)
            return s;
    }
    return NULL;
}

void ry_fit_roles(const struct ry_kernel_data *data, struct ry_compute_file *file)
{
    static const struct {
        enum ry_role role;
        const char *ratio;
    } rows[] = {{RY_DGRAD, "gemm.bf16.dgrad"}, {RY_WGRAD, "gemm.bf16.wgrad"}};

    for (size_t k = 0; k < 2; k++) {
        struct ry_ratios found = {.n = 0};

        for (size_t i = 0; i < data->samples; i++) {
            const struct ry_sample *s = &data->sample[i];
            const struct ry_sample *forward;

            if (s->kind != RY_SAMPLE_GEMM || s->run != RY_RUN_LAYOUT ||
                s->gemm.precision != RY_BF16 || s->gemm.role != rows[k].role)
                continue;
            forward = same_shape(data, s, RY_FORWARD);
            if (forward)
                ry_ratios_push(&found, forward->time_s / s->time_s);
        }
        if (found.n > 0)
            ry_kernel_set(data, file, rows[k].ratio, ry_ratios_median(&found),
                          fmax(ry_ratios_error(&found), 0.02),
                          "median over shapes against forward");
    }
}

static double host_mean(const struct ry_kernel_data *data, enum ry_host_op op, bool both)
{
    double sum = 0.0, n = 0.0;

    for (size_t i = 0; i < data->hosts; i++) {
        if (data->host[i].op == op && data->host[i].both == both) {
            sum += data->host[i].time_s;
            n += 1.0;
        }
    }
    return n > 0.0 ? sum / n : (double)NAN;
}

void ry_fit_host(const struct ry_kernel_data *data, struct ry_compute_file *file)
{
    static const struct {
        enum ry_host_op op;
        const char *forward, *backward;
    } rows[] = {
        {RY_HOST_GEMM, "host.gemm_forward_s", "host.gemm_backward_s"},
        {RY_HOST_ATTENTION, "host.attention_forward_s", "host.attention_backward_s"},
        {RY_HOST_NORM, "host.norm_forward_s", "host.norm_backward_s"},
        {RY_HOST_ELEMENTWISE, "host.elementwise_forward_s",
         "host.elementwise_backward_s"},
        {RY_HOST_VIEW, "host.view_forward_s", "host.view_backward_s"},
    };
    const char *from = "issue of tiny operations";

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const double forward_s = host_mean(data, rows[i].op, false);
        const double both_s = host_mean(data, rows[i].op, true);

        ry_kernel_set(data, file, rows[i].forward, forward_s, 0.1, from);
        ry_kernel_set(data, file, rows[i].backward, both_s - forward_s, 0.15, from);
    }
}

struct slow {
    double compute, comm;
};

/* Both start together; see ry_overlap(), which this inverts. */
static struct slow slow_downs(const struct ry_beside_sample *s)
{
    const double alone_end = fabs(s->compute_beside_s - s->comm_beside_s);

    if (s->compute_beside_s <= s->comm_beside_s)
        return (struct slow){s->compute_beside_s / s->compute_alone_s,
                             s->compute_beside_s / (s->comm_alone_s - alone_end)};
    return (struct slow){s->comm_beside_s / (s->compute_alone_s - alone_end),
                         s->comm_beside_s / s->comm_alone_s};
}

void ry_fit_beside(const struct ry_kernel_data *data, struct ry_compute_file *file)
{
    static const struct {
        enum ry_beside beside;
        bool memory;
        const char *compute, *comm;
    } rows[] = {
        {RY_BESIDE_NVLINK, false, "beside.nvlink_tensor", "beside.nvlink_comm"},
        {RY_BESIDE_NVLINK, true, "beside.nvlink_memory", "beside.nvlink_comm_memory"},
        {RY_BESIDE_PCIE, false, "beside.pcie_tensor", "beside.pcie_comm"},
        {RY_BESIDE_PCIE, true, "beside.pcie_memory", "beside.pcie_comm_memory"},
        {RY_BESIDE_SOCKET, false, "beside.socket_tensor", "beside.socket_comm"},
        {RY_BESIDE_SOCKET, true, "beside.socket_memory", "beside.socket_comm_memory"},
    };

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        struct ry_ratios compute = {.n = 0};
        struct ry_ratios comm = {.n = 0};

        for (size_t i = 0; i < data->besides; i++) {
            const struct ry_beside_sample *s = &data->beside[i];

            if (s->beside != rows[k].beside || s->memory != rows[k].memory)
                continue;
            ry_ratios_push(&compute, slow_downs(s).compute);
            ry_ratios_push(&comm, slow_downs(s).comm);
        }
        if (compute.n == 0)
            continue;
        ry_kernel_set(data, file, rows[k].compute, exp(ry_ratios_mean_log(&compute)),
                      fmax(ry_ratios_error(&compute), 0.05),
                      "compute and collective side by side");
        ry_kernel_set(data, file, rows[k].comm, exp(ry_ratios_mean_log(&comm)),
                      fmax(ry_ratios_error(&comm), 0.05),
                      "compute and collective side by side");
    }
}
