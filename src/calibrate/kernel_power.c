/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_power.h"

#include "base/order.h"
#include "calibrate/kernel_note.h"
#include "calibrate/ratios.h"

#include <math.h>
#include <stdlib.h>

/* Products that take so long that the board is at its power limit. */
static const double longest_flop = 2e12;

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
    struct ry_ratios found = {.n = 0};

    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (s->kind == RY_SAMPLE_GEMM && s->gemm.precision == RY_BF16 &&
            s->run == RY_RUN_MAIN && ry_gemm_flop(&s->gemm) > longest_flop)
            ry_ratios_push(&found, s->time_s / ry_gemm_s(&file->model, &s->gemm));
    }
    if (found.n < 8)
        return;
    const double ratio = ry_ratios_median(&found);
    ry_kernel_set(data, file, "gemm.bf16.rate_flop_per_s", rate->rate_flop_per_s / ratio,
                  fmax(ry_ratios_error(&found), 0.02),
                  "median of the products over 2e12 FLOP");
    ry_kernel_set(data, file, "gemm.bf16.burst", ratio * (1.0 + bench->heat), 0.05,
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
    ry_kernel_set(data, file, names[0], sustained, 0.015, from);
    ry_kernel_set(data, file, names[1], k0, h.n >= 3.0 ? 0.3 : 0.4, from);
    ry_kernel_set(data, file, names[2], burst / sustained, 0.03,
                  "the sweep against these");
}

/* The fastest products of all runs against the sustained model: what the clock can give
 * when power does not bind. */
static double fastest(const struct ry_kernel_data *data,
                      const struct ry_compute_file *file)
{
    struct ry_ratios found = {.n = 0};

    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (s->kind == RY_SAMPLE_GEMM && s->gemm.precision == RY_BF16 &&
            s->gemm.role != RY_WGRAD && ry_gemm_flop(&s->gemm) > 5e10)
            ry_ratios_push(&found, ry_gemm_s(&file->model, &s->gemm) / s->time_s);
    }
    if (found.n < 20)
        return (double)NAN;
    qsort(found.value, found.n, sizeof(found.value[0]), ry_by_value);
    return found.value[found.n - 1 - found.n / 50];
}

static double mean_power(const struct ry_kernel_data *data, enum ry_power_kind kind,
                         double *clock_hz)
{
    double watts = 0.0, hertz = 0.0;
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
    ry_kernel_set(data, file, "attention.burst", attention_hz / clock_hz, 0.04,
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
    ry_kernel_set(data, file, "power.idle_w", mean_power(data, RY_POWER_IDLE, &unused_hz),
                  0.05, from);
    ry_kernel_set(data, file, "power.tensor_w",
                  mean_power(data, RY_POWER_GEMM, &clock_hz), 0.02, from);
    ry_kernel_set(data, file, "power.attention_w",
                  mean_power(data, RY_POWER_ATTENTION, &unused_hz), 0.1, from);
    ry_kernel_set(data, file, "power.memory_w",
                  mean_power(data, RY_POWER_COPY, &unused_hz), 0.05, from);
    ry_kernel_set(data, file, "power.cap_w", data->cap_w, 0.0, "the board's limit");
    ry_kernel_set(data, file, "power.clock_most",
                  fmin(fastest(data, file), data->clock_most_hz / clock_hz), 0.03,
                  "the fastest products of all runs against the sustained rate");
    fit_attention_clock(data, file, clock_hz);
    ry_kernel_set(data, file, "power.clock_exponent", clock_exponent(data), 0.25,
                  "clocks of products of three sizes at the cap");
}
