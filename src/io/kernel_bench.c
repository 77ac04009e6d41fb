/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/kernel_bench.h"

#include "base/names.h"
#include "io/file.h"
#include "io/json.h"
#include "io/kernel_rows.h"
#include "io/sha256.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_host(struct ry_kernel_reader *r, struct ry_json list)
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
            d->host =
                ry_kernel_more(r, d->host, d->hosts, &d->hosts_room, sizeof(*d->host));
            if (r->out_of_memory)
                return;
            d->host[d->hosts++] = (struct ry_host_sample){
                known[k].op, known[k].both,
                ry_kernel_positive(row, known[k].both ? "per_op_s" : "issue_s")};
            r->added++;
        }
    }
}

static void read_power(struct ry_kernel_reader *r, struct ry_json list)
{
    struct ry_kernel_data *d = r->data;

    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const char *load = ry_json_text(row, "load", "");
        struct ry_power_sample s = {.power_w = ry_kernel_positive(row, "power_w_mean"),
                                    .clock_hz =
                                        ry_kernel_positive(row, "sm_mhz_mean") * 1e6,
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
        d->power =
            ry_kernel_more(r, d->power, d->powers, &d->powers_room, sizeof(*d->power));
        if (r->out_of_memory)
            return;
        d->power[d->powers++] = s;
        r->added++;
    }
}

static void read_beside(struct ry_kernel_reader *r, struct ry_json list,
                        enum ry_beside beside)
{
    struct ry_kernel_data *d = r->data;

    for (size_t i = 0; i < ry_json_size(list); i++) {
        const struct ry_json row = ry_json_at(list, i);
        const struct ry_beside_sample s = {
            .beside = beside,
            .memory = strncmp(ry_json_text(row, "compute", ""), "gemm", 4) != 0,
            .compute_alone_s = ry_kernel_positive(row, "compute_alone_s"),
            .comm_alone_s = ry_kernel_positive(row, "comm_alone_s"),
            .compute_beside_s = ry_kernel_positive(row, "compute_beside_comm_s"),
            .comm_beside_s = ry_kernel_positive(row, "comm_beside_compute_s"),
        };

        d->beside = ry_kernel_more(r, d->beside, d->besides, &d->besides_room,
                                   sizeof(*d->beside));
        if (r->out_of_memory)
            return;
        d->beside[d->besides++] = s;
        r->added++;
    }
}

static void read_overlap(struct ry_kernel_reader *r, struct ry_json root)
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
static void read_limits(struct ry_kernel_reader *r, const char *text)
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

static void read_document(struct ry_kernel_reader *r, struct ry_json root)
{
    ry_kernel_rows_read(r, root);
    read_host(r, ry_json_get(root, "host"));
    read_power(r, ry_json_get(root, "power"));
    read_overlap(r, root);
}

/* One GPU for all files of a model. */
static void check_gpu(struct ry_kernel_reader *r, struct ry_json document)
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

static void note_source(struct ry_kernel_reader *r, const char *path,
                        const struct ry_text *text, struct ry_json document)
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

static void read_root(struct ry_kernel_reader *r, struct ry_json root,
                      struct ry_json *document)
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
    struct ry_kernel_reader reader = {.arena = arena, .data = data};
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
