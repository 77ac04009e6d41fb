/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Timings of kernels on one kind of GPU, as a benchmark or a published table has them.
 */
#ifndef RY_CALIBRATE_KERNEL_DATA_H
#define RY_CALIBRATE_KERNEL_DATA_H

#include "kernel/compute_model.h"

enum ry_sample_kind {
    RY_SAMPLE_GEMM,
    RY_SAMPLE_GROUPED,
    RY_SAMPLE_ATTENTION,
    RY_SAMPLE_STREAM
};

/** Samples that the same host cost bounds from below. */
enum ry_floor {
    RY_FLOOR_GEMM,
    RY_FLOOR_FP8,
    RY_FLOOR_GROUPED,
    RY_FLOOR_FORWARD,  /**< attention */
    RY_FLOOR_BACKWARD, /**< attention, autograd included */
    RY_FLOOR_EAGER,
    RY_FLOOR_COMPILED,
    RY_FLOOR_COMPILED_TWO, /**< of two kernels */
    RY_FLOORS
};

/** Which run the clock of a sample belongs to. */
enum ry_run {
    RY_RUN_MAIN,   /**< the sweep of shapes: sets the level */
    RY_RUN_LAYOUT, /**< a few shapes in every layout: only their ratios count */
    RY_RUNS
};

struct ry_sample {
    enum ry_sample_kind kind;
    struct ry_gemm gemm;
    struct ry_grouped_gemm grouped;
    struct ry_attention attention;
    bool backward;
    enum ry_stream stream;
    double bytes;
    double time_s;
    enum ry_floor floor;
    enum ry_run run;
    double fitted_s;   /**< with the fit to all samples; NAN: not used */
    double held_out_s; /**< with a fit that did not see this sample; NAN: none */
};

struct ry_host_sample {
    enum ry_host_op op;
    bool both; /**< forward and backward */
    double time_s;
};

struct ry_beside_sample {
    enum ry_beside beside;
    bool memory; /**< the compute was memory-bound */
    double compute_alone_s, comm_alone_s, compute_beside_s, comm_beside_s;
};

enum ry_power_kind { RY_POWER_IDLE, RY_POWER_COPY, RY_POWER_GEMM, RY_POWER_ATTENTION };

struct ry_power_sample {
    enum ry_power_kind kind;
    struct ry_gemm gemm; /**< of RY_POWER_GEMM */
    double time_s, power_w, clock_hz;
};

/** Where samples are from. */
struct ry_kernel_source {
    const char *file;                       /**< its name without folders */
    const char *sha256;                     /**< of its bytes */
    const char *hardware, *software, *date; /**< nullable */
    const char *source, *licence;           /**< nullable: published by others */
    size_t samples;
};

enum { RY_KERNEL_SOURCES_MOST = 16 };

/** All samples of one GPU.  Owned by an arena. */
struct ry_kernel_data {
    const char *gpu;             /**< as the files say */
    double sm_count;             /**< 0: not stated */
    double cap_w, clock_most_hz; /**< NAN: not stated */
    bool published; /**< others measured it: no host floors, no spread known */

    size_t samples, samples_room;
    struct ry_sample *sample; /**< [samples] */
    size_t hosts, hosts_room;
    struct ry_host_sample *host;
    size_t besides, besides_room;
    struct ry_beside_sample *beside;
    size_t powers, powers_room;
    struct ry_power_sample *power;
    size_t skipped; /**< rows that no model describes */

    size_t sources;
    struct ry_kernel_source source[RY_KERNEL_SOURCES_MOST];
};

/** Whether a sample is of a kind; @p which says which of several alike kinds. */
typedef bool ry_sample_is(const struct ry_sample *sample, int which);

/** Whether it is a product of an enum ry_precision, of the sweep. */
bool ry_sample_is_gemm(const struct ry_sample *sample, int precision);

/** Whether it is attention of a direction; 1: backward. */
bool ry_sample_is_attention(const struct ry_sample *sample, int backward);

/** How many samples are of a kind. */
size_t ry_samples_count(const struct ry_kernel_data *data, ry_sample_is *is, int which);

#endif
