/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_direct.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATIOS_MOST = 256 };

/* Products that take so long that the board is at its power limit. */
static const double longest_flop = 2e12;

/* Smaller kernels live in the cache or in their launch. */
static const double large_bytes = 64.0 * 1048576.0;

/* A list of ratios and their logarithmic mean and spread. */
struct ratios {
    size_t n;
    double value[RATIOS_MOST];
};

static void push(struct ratios *r, double value)
{
    if (r->n < RATIOS_MOST && value > 0.0 && isfinite(value))
        r->value[r->n++] = value;
}

static double mean_log(const struct ratios *r)
{
    double sum = 0.0;

    for (size_t i = 0; i < r->n; i++)
        sum += log(r->value[i]);
    return r->n > 0 ? sum / (double)r->n : 0.0;
}

/* Relative standard error of the geometric mean, at least 1 %. */
static double error_of_mean(const struct ratios *r)
{
    const double mean = mean_log(r);
    double square = 0.0;

    for (size_t i = 0; i < r->n; i++)
        square += (log(r->value[i]) - mean) * (log(r->value[i]) - mean);
    if (r->n < 2)
        return 0.05;
    return fmax(sqrt(square / (double)(r->n - 1) / (double)r->n), 0.01);
}

static double median(struct ratios *r)
{
    qsort(r->value, r->n, sizeof(r->value[0]), ry_by_value);
    return r->n % 2 == 1 ? r->value[r->n / 2]
                         : 0.5 * (r->value[r->n / 2 - 1] + r->value[r->n / 2]);
}

static enum ry_origin origin(const struct ry_kernel_data *data)
{
    return data->published ? RY_ORIGIN_PUBLISHED : RY_ORIGIN_FIT;
}

static void set(const struct ry_kernel_data *data, struct ry_compute_file *file,
                const char *name, double value, double sigma_rel, const char *from)
{
    const size_t i = ry_param_find(name);
    const struct ry_param param = ry_param_at(i);

    if (i == ry_param_count() || !isfinite(value))
        return;
    ry_param_set(&file->model, i, fmin(fmax(value, param.least), param.most));
    file->info[i] = (struct ry_param_info){sigma_rel, origin(data), from, (double)NAN};
}

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
                           size_t parity, struct ratios *found)
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
            push(found, value);
        nth++;
    }
    if (found->n == 1 && !data->published)
        push(found, prior);
    return found->n > 0 ? median(found) : 0.0;
}

static void predict_streams(struct ry_kernel_data *data, struct ry_compute_file *file,
                            const struct ry_bench_terms *bench, enum ry_stream stream)
{
    const double kept = file->model.stream_frac[stream];
    struct ratios found;
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
        struct ratios found;
        const double frac = stream_share(data, file, bench, stream, 2, &found);
        const size_t at = ry_param_count() - (size_t)RY_STREAMS + (size_t)k;

        if (frac <= 0.0)
            continue;
        file->model.stream_frac[stream] = frac;
        file->info[at] =
            (struct ry_param_info){fmax(error_of_mean(&found), 0.01), origin(data),
                                   "median of its kernels", (double)NAN};
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
        const char *bf16, *fp8;
    } rows[] = {{RY_DGRAD, "gemm.bf16.dgrad", "gemm.fp8.dgrad"},
                {RY_WGRAD, "gemm.bf16.wgrad", "gemm.fp8.wgrad"}};

    for (size_t k = 0; k < 2; k++) {
        struct ratios found = {.n = 0};

        for (size_t i = 0; i < data->samples; i++) {
            const struct ry_sample *s = &data->sample[i];
            const struct ry_sample *forward;

            if (s->kind != RY_SAMPLE_GEMM || s->run != RY_RUN_LAYOUT ||
                s->gemm.role != rows[k].role)
                continue;
            forward = same_shape(data, s, RY_FORWARD);
            if (forward)
                push(&found, forward->time_s / s->time_s);
        }
        if (found.n > 0)
            set(data, file, rows[k].bf16, median(&found),
                fmax(error_of_mean(&found), 0.02), "median over shapes against forward");
    }
}

/* Products that are large enough to hold the board at its limit. */
static const double least_held = 4096.0;

/* Share of the prologue's cost that is left at the limit, where it was not measured: as
 * for the 16-bit products of the H200 (124 of 255 elements). */
static const double k0_given_back = 0.48;

static const char *const sustained_names[2][3] = {
    {"gemm.bf16.rate_flop_per_s", "gemm.bf16.k0", "gemm.bf16.burst"},
    {"gemm.fp8.rate_flop_per_s", "gemm.fp8.k0", "gemm.fp8.burst"},
};

/* A published table without power: its longest products are taken for sustained. */
static void sustained_of_table(const struct ry_kernel_data *data,
                               struct ry_compute_file *file,
                               const struct ry_bench_terms *bench)
{
    struct ry_gemm_rate *rate = &file->model.gemm[RY_BF16];
    struct ratios found = {.n = 0};

    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (s->kind == RY_SAMPLE_GEMM && s->gemm.precision == RY_BF16 &&
            s->run == RY_RUN_MAIN && ry_gemm_flop(&s->gemm) > longest_flop)
            push(&found, s->time_s / ry_gemm_s(&file->model, &s->gemm));
    }
    if (found.n < 8)
        return;
    const double ratio = median(&found);
    set(data, file, "gemm.bf16.rate_flop_per_s", rate->rate_flop_per_s / ratio,
        fmax(error_of_mean(&found), 0.02), "median of the products over 2e12 FLOP");
    set(data, file, "gemm.bf16.burst", ratio * (1.0 + bench->heat), 0.05,
        "short products against long ones of the table");
}

struct held {
    double n, x, y, xx, xy; /* sums of 1/k and of seconds a FLOP */
};

static struct held held_products(const struct ry_kernel_data *data,
                                 enum ry_precision precision)
{
    struct held h = {.n = 0.0};

    for (size_t i = 0; i < data->powers; i++) {
        const struct ry_power_sample *p = &data->power[i];
        const double x = 1.0 / p->gemm.k;
        const double y = p->time_s / ry_gemm_flop(&p->gemm);

        if (p->kind != RY_POWER_GEMM || p->gemm.precision != precision ||
            p->gemm.m < least_held)
            continue;
        h.n += 1.0;
        h.x += x;
        h.y += y;
        h.xx += x * x;
        h.xy += x * y;
    }
    return h;
}

/* Seconds a FLOP = (1 + k0 / k) / rate: a straight line in 1 / k through the products
 * that were held for seconds.  Of one product only the rate, with what is known of k0. */
static void fit_sustained(const struct ry_kernel_data *data, struct ry_compute_file *file,
                          const struct ry_bench_terms *bench, enum ry_precision precision)
{
    const int narrow = ry_precision_bytes(precision) < 1.5 ? 1 : 0;
    const char *const *names = sustained_names[narrow];
    struct ry_gemm_rate *rate = &file->model.gemm[precision];
    const struct held h = held_products(data, precision);
    const double spread = h.n * h.xx - h.x * h.x;
    const double burst = rate->rate_flop_per_s * (1.0 + (narrow ? 0.0 : bench->heat));
    const char *from = "products held for seconds";
    double k0 = rate->k0_burst * k0_given_back;

    if (h.n < 1.0 || rate->rate_flop_per_s <= 0.0)
        return;
    if (h.n >= 3.0 && spread > 0.0) {
        const double slope = (h.n * h.xy - h.x * h.y) / spread;
        k0 = fmax(slope / ((h.y - slope * h.x) / h.n), 0.0);
    }
    const double sustained = (h.n + k0 * h.x) / h.y;
    set(data, file, names[0], sustained, 0.015, from);
    set(data, file, names[1], k0, h.n >= 3.0 ? 0.3 : 0.4, from);
    set(data, file, names[2], burst / sustained, 0.03, "the sweep against these");
}

/* The fastest products of all runs against the sustained model: what the clock can give
 * when power does not bind. */
static double fastest(const struct ry_kernel_data *data,
                      const struct ry_compute_file *file)
{
    struct ratios found = {.n = 0};

    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (s->kind == RY_SAMPLE_GEMM && s->gemm.precision == RY_BF16 &&
            s->gemm.role != RY_WGRAD && ry_gemm_flop(&s->gemm) > 5e10)
            push(&found, ry_gemm_s(&file->model, &s->gemm) / s->time_s);
    }
    if (found.n < 20)
        return (double)NAN;
    qsort(found.value, found.n, sizeof(found.value[0]), ry_by_value);
    return found.value[found.n - 1 - found.n / 50];
}

static double mean_power(const struct ry_kernel_data *data, enum ry_power_kind kind,
                         double *clock_hz)
{
    double watts = 0.0;
    double hertz = 0.0;
    double n = 0.0;

    for (size_t i = 0; i < data->powers; i++) {
        const struct ry_power_sample *p = &data->power[i];

        if (p->kind != kind || (kind == RY_POWER_GEMM &&
                                (p->gemm.m < 4096.0 || p->gemm.precision != RY_BF16)))
            continue;
        watts += p->power_w;
        hertz += p->clock_hz;
        n += 1.0;
    }
    *clock_hz = n > 0.0 ? hertz / n : (double)NAN;
    return n > 0.0 ? watts / n : (double)NAN;
}

/* Products of several sizes that all hold the cap do different work a cycle: their
 * clocks then tell the exponent of power ~ work a cycle x clock^exponent. */
static double clock_exponent(const struct ry_kernel_data *data)
{
    double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0, n = 0.0;

    for (size_t i = 0; i < data->powers; i++) {
        const struct ry_power_sample *p = &data->power[i];

        if (p->kind != RY_POWER_GEMM || p->gemm.m < 4096.0 ||
            p->gemm.precision != RY_BF16)
            continue;
        const double x = log(p->clock_hz);
        const double y = log(ry_gemm_flop(&p->gemm) / p->time_s / p->clock_hz);
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_xy += x * y;
        n += 1.0;
    }
    const double spread = n * sum_xx - sum_x * sum_x;
    return n >= 3.0 && spread > 1e-6 ? -(n * sum_xy - sum_x * sum_y) / spread
                                     : (double)NAN;
}

/* What the sweep gave is the ramp at the burst clock; where nothing says more, it is
 * the sustained one too. */
static void keep_burst(struct ry_compute_file *file)
{
    static const char *const rows[][2] = {{"gemm.bf16.k0", "gemm.bf16.k0_burst"},
                                          {"gemm.fp8.k0", "gemm.fp8.k0_burst"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const size_t from = ry_param_find(rows[i][0]);
        const size_t to = ry_param_find(rows[i][1]);

        ry_param_set(&file->model, to, ry_param_get(&file->model, from));
        file->info[to] = file->info[from];
    }
}

/* Attention alone ran at a higher clock than products alone do: its rates were measured
 * there, and are brought to the clock of products. */
static void fit_attention_clock(const struct ry_kernel_data *data,
                                struct ry_compute_file *file, double clock_hz)
{
    double attention_hz;

    (void)mean_power(data, RY_POWER_ATTENTION, &attention_hz);
    set(data, file, "attention.burst", attention_hz / clock_hz, 0.04,
        "clock of attention held for seconds over that of products");
}

void ry_fit_power(const struct ry_kernel_data *data, struct ry_compute_file *file,
                  const struct ry_bench_terms *bench)
{
    double clock_hz;
    double unused_hz;
    const char *from = "board power and clock, held for seconds";

    keep_burst(file);
    if (data->powers == 0) {
        sustained_of_table(data, file, bench);
        return;
    }
    fit_sustained(data, file, bench, RY_BF16);
    fit_sustained(data, file, bench, RY_FP8);
    set(data, file, "power.idle_w", mean_power(data, RY_POWER_IDLE, &unused_hz), 0.05,
        from);
    set(data, file, "power.tensor_w", mean_power(data, RY_POWER_GEMM, &clock_hz), 0.02,
        from);
    set(data, file, "power.attention_w", mean_power(data, RY_POWER_ATTENTION, &unused_hz),
        0.1, from);
    set(data, file, "power.memory_w", mean_power(data, RY_POWER_COPY, &unused_hz), 0.05,
        from);
    set(data, file, "power.cap_w", data->cap_w, 0.0, "the board's limit");
    set(data, file, "power.clock_most",
        fmin(fastest(data, file), data->clock_most_hz / clock_hz), 0.03,
        "the fastest products of all runs against the sustained rate");
    fit_attention_clock(data, file, clock_hz);
    set(data, file, "power.clock_exponent", clock_exponent(data), 0.25,
        "clocks of products of three sizes at the cap");
}

static double host_mean(const struct ry_kernel_data *data, enum ry_host_op op, bool both)
{
    double sum = 0.0;
    double n = 0.0;

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

        set(data, file, rows[i].forward, forward_s, 0.1, from);
        set(data, file, rows[i].backward, both_s - forward_s, 0.15, from);
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
        struct ratios compute = {.n = 0};
        struct ratios comm = {.n = 0};

        for (size_t i = 0; i < data->besides; i++) {
            const struct ry_beside_sample *s = &data->beside[i];

            if (s->beside != rows[k].beside || s->memory != rows[k].memory)
                continue;
            push(&compute, slow_downs(s).compute);
            push(&comm, slow_downs(s).comm);
        }
        if (compute.n == 0)
            continue;
        set(data, file, rows[k].compute, exp(mean_log(&compute)),
            fmax(error_of_mean(&compute), 0.05), "compute and collective side by side");
        set(data, file, rows[k].comm, exp(mean_log(&comm)),
            fmax(error_of_mean(&comm), 0.05), "compute and collective side by side");
    }
}
