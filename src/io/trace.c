/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/trace.h"

#include "io/outfile.h"

static const char *lane_name(enum ry_lane lane)
{
    switch (lane) {
    case RY_LANE_COMPUTE:
        return "compute";
    case RY_LANE_REVERSE:
        return "compute, second direction";
    case RY_LANE_FILLER:
        return "weight gradients";
    case RY_LANE_GATHER:
        return "gather";
    case RY_LANE_REDUCE:
    case RY_LANES:
        break;
    }
    return "reduce";
}

static void put_names(FILE *out, const struct ry_timeline *t)
{
    for (unsigned d = 0; d < t->devices; d++) {
        fprintf(out,
                "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %u, \"args\": "
                "{\"name\": \"stage %u\"}},\n",
                d, d);
        for (int s = 0; s < RY_LANES; s++)
            fprintf(
                out,
                "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %u, \"tid\": %d, "
                "\"args\": {\"name\": \"%s\"}},\n",
                d, s, lane_name((enum ry_lane)s));
    }
}

/** Times are microseconds in this format. */
static void put_task(FILE *out, const struct ry_event_task *k, bool last)
{
    fprintf(out,
            "{\"name\": \"%s %u\", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": %u, \"tid\": "
            "%d, \"ts\": %.3f, \"dur\": %.3f, \"args\": {\"micro_batch\": %u, \"chunk\": "
            "%u, \"layer\": %u}}%s\n",
            ry_task_kind_name(k->kind), k->micro_batch, ry_task_kind_name(k->kind),
            k->device, (int)k->lane, k->start_s * 1e6, (k->end_s - k->start_s) * 1e6,
            k->micro_batch, k->chunk, k->layer, last ? "" : ",");
}

enum ry_err ry_trace_write(const char *path, const struct ry_timeline *t,
                           struct ry_diag *diag)
{
    struct ry_outfile out;
    RY_TRY(ry_outfile_open(&out, path, diag));
    fputs("[\n", out.file);
    put_names(out.file, t);
    for (size_t i = 0; i < t->n; i++)
        put_task(out.file, &t->task[i], i + 1 == t->n);
    fputs("]\n", out.file);
    return ry_outfile_commit(&out, diag);
}
