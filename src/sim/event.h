/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Event simulation: tasks in order on the streams of devices, with dependencies.
 *
 * Each device has a compute stream, communication streams, and a filler stream whose
 * tasks run where compute would wait (weight gradients of zero-bubble schedules).  While
 * a device computes and communicates at once, both run slower by stated factors.  This is
 * the reference for the closed form of step.h; it also gives the timeline.
 */
#ifndef RY_SIM_EVENT_H
#define RY_SIM_EVENT_H

#include "base/arena.h"
#include "base/err.h"
#include "sim/step.h"

#include <stddef.h>

enum ry_lane {
    RY_LANE_COMPUTE,
    RY_LANE_REVERSE, /**< compute of the second direction of DualPipe, one at a time */
    RY_LANE_FILLER,
    RY_LANE_GATHER, /**< parameter gathers, expert and context traffic */
    RY_LANE_REDUCE, /**< gradient reductions */
    RY_LANES
};

enum ry_task_kind {
    RY_TASK_FORWARD,
    RY_TASK_BACKWARD,
    RY_TASK_WEIGHT,
    RY_TASK_PAIR, /**< DualPipe: a forward and a backward, side by side, done together */
    RY_TASK_GATHER,
    RY_TASK_REDUCE,
    RY_TASK_OPTIMIZER,
};

enum { RY_TASK_DEPS = 4 };
#define RY_NO_TASK ((size_t)-1)

struct ry_event_task {
    unsigned device;
    enum ry_lane lane;
    enum ry_task_kind kind;
    unsigned micro_batch, chunk, layer;
    double work_s;            /**< alone */
    double delay_s;           /**< between the end of its dependencies and its start */
    size_t dep[RY_TASK_DEPS]; /**< indices, RY_NO_TASK where unused */
    double start_s, end_s;    /**< set by ry_timeline_run() */
};

struct ry_timeline {
    unsigned devices;
    size_t n, room;
    struct ry_event_task *task; /**< [n], in stream order within each device and stream */
    double compute_slow, comm_slow; /**< while a device does both, at least 1 */
    double end_s;
};

/** "forward", ... */
const char *ry_task_kind_name(enum ry_task_kind kind);

/** An empty timeline with room for @p room tasks; its slow-downs are 1. */
RY_MUST_USE enum ry_err ry_timeline_create(struct ry_arena *arena, unsigned devices,
                                           size_t room, struct ry_timeline **timeline,
                                           struct ry_diag *diag);

/** Append a task; its dependencies may follow it.  @return its index. */
size_t ry_timeline_add(struct ry_timeline *timeline, const struct ry_event_task *task);

/**
 * Run it: fills start_s, end_s of every task and end_s.
 * @return RY_OK; RY_ERR_DEGENERATE when tasks wait for each other in a circle.
 */
RY_MUST_USE enum ry_err ry_timeline_run(struct ry_arena *arena,
                                        struct ry_timeline *timeline,
                                        struct ry_diag *diag);

/** Stages and micro-batches of a pipeline, times of one micro-batch. */
struct ry_pipeline_spec {
    unsigned stages, chunks, micro_batches;
    enum ry_schedule schedule;
    const double *forward_s; /**< [stages], of all chunks of a stage, exchange included */
    const double *backward_s; /**< [stages], weight gradients included */
    const double *weight_s;   /**< [stages], of them weight gradients */
};

/** Append the compute tasks of a pipeline in the order of its schedule. */
RY_MUST_USE enum ry_err ry_timeline_pipeline(struct ry_arena *arena,
                                             const struct ry_pipeline_spec *spec,
                                             struct ry_timeline *timeline,
                                             struct ry_diag *diag);

/** Tasks that ry_timeline_pipeline() appends. */
size_t ry_pipeline_tasks(const struct ry_pipeline_spec *spec);

/**
 * The timeline of a step: pipeline stages, or the layers of one device with FSDP or
 * bucketed reduction; then reduction, gather and optimizer.
 */
RY_MUST_USE enum ry_err ry_step_timeline(struct ry_arena *arena,
                                         const struct ry_step_inputs *in,
                                         struct ry_timeline **timeline,
                                         struct ry_diag *diag);

/** The same from the beginning: @p of needs machine, arch, traits and strategy,
 * checked. */
RY_MUST_USE enum ry_err ry_step_timeline_of(struct ry_arena *arena,
                                            const struct ry_step_inputs *of,
                                            struct ry_timeline **timeline,
                                            struct ry_diag *diag);

#endif
