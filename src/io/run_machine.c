/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/run_machine.h"

#include "base/names.h"
#include "comm/net.h"
#include "kernel/compute_model.h"
#include "kernel/params.h"

#include <string.h>

/* PROVISIONAL: until models/compute and models/comm are read. */

struct ry_run_parts {
    int unused;
};

enum ry_err ry_run_parts_read(struct ry_arena *arena, bool untuned,
                              struct ry_problems *problems, struct ry_run_parts **parts)
{
    (void)untuned;
    (void)problems;
    *parts = RY_NEW(arena, struct ry_run_parts, 1);
    return *parts ? RY_OK : RY_ERR_NOMEM;
}

struct gpu {
    const char *start;
    double sms, hbm, bf16, fp8, mxfp8, nvfp4, attn_f, attn_b, cap, usable, k0;
    double host, align;
};
static const struct gpu gpus[] = {
    {"NVIDIA H200", 132, 4.8e12, 668e12, 1205e12, 0, 0, 650e12, 580e12, 700, 150.1e9, 248, 1, 0},
    {"H200-NVL", 132, 4.8e12, 600e12, 1100e12, 0, 0, 600e12, 530e12, 600, 150.1e9, 248, 1, 0},
    {"H200", 132, 4.8e12, 668e12, 1205e12, 0, 0, 650e12, 580e12, 700, 150.1e9, 248, 1, 0},
    {"H100-SXM5-96", 132, 2.4e12, 560e12, 1000e12, 0, 0, 550e12, 480e12, 500, 101e9, 248, 1, 0},
    {"H100", 132, 3.35e12, 660e12, 1190e12, 0, 0, 620e12, 560e12, 700, 84.9e9, 248, 1, 0},
    {"A100-SXM4-40", 108, 1.555e12, 262e12, 0, 0, 0, 190e12, 155e12, 400, 42.2e9, 130, 2.2, 0},
    {"A100", 108, 2.039e12, 262e12, 0, 0, 0, 190e12, 155e12, 400, 85.0e9, 130, 2.2, 0},
    {"B200", 148, 8e12, 1090e12, 2350e12, 2300e12, 4200e12, 1100e12, 1000e12, 1000, 191e9, 300, 1, 0},
    {"B300", 148, 8e12, 1400e12, 3200e12, 3100e12, 6300e12, 1400e12, 1300e12, 1200, 286e9, 300, 1, 0},
    {"GB200", 148, 8e12, 1239e12, 2700e12, 2600e12, 4800e12, 1250e12, 1130e12, 1200, 197e9, 300, 1, 0},
    {"GB300", 148, 8e12, 1500e12, 3500e12, 3300e12, 6800e12, 1650e12, 1500e12, 1400, 296e9, 300, 1, 0},
};

static void set(struct ry_compute_model *m, const char *name, double v)
{
    const size_t i = ry_param_find(name);
    if (i < ry_param_count() && v > 0)
        ry_param_set(m, i, v);
}

static void line(struct ry_net_domain *d, enum ry_coll c, size_t ranks, double alpha, double bw)
{
    struct ry_coll_curve *k = &d->coll[c].at[d->coll[c].n++];
    k->ranks = ranks;
    k->pieces = 1;
    k->piece[0] = (struct ry_coll_piece){0, alpha, bw};
}

static void net_of(const struct ry_run *run, struct ry_net *net)
{
    const bool a100 = strstr(run->gpu, "A100") != NULL;
    const bool h = strstr(run->gpu, "H100") || strstr(run->gpu, "H200");
    const bool off = run->link && strcmp(run->link, "p2p-off") == 0;
    const bool sock = run->link && strcmp(run->link, "socket") == 0;
    const bool bench = run->link != NULL;
    double bw = a100 ? 230e9 : h ? 370e9 : 640e9, alpha = 15e-6;
    double a2a = bw;
    if (bench)
        bw = 320e9, a2a = 300e9, alpha = 25e-6;
    if (off)
        bw = 28e9, a2a = 23e9, alpha = 35e-6;
    if (sock)
        bw = 2.7e9, a2a = 2.2e9, alpha = 60e-6;
    const bool nvl = strstr(run->gpu, "GB200") || strstr(run->gpu, "GB300");
    struct ry_net_domain *d = &net->domain;
    d->gpus = nvl ? 72 : (size_t)run->gpus_per_node;
    d->wire_bytes_per_s = bw * 1.4;
    d->ring_bytes_per_s = bw;
    d->step_s = a100 ? 3e-6 : 1.5e-6;
    d->limit = off ? RY_NET_LIMIT_HOST : RY_NET_LIMIT_NVLINK;
    for (int c = 0; c < RY_COLLS; c++) {
        const double b = c == RY_COLL_ALL_TO_ALL || c == RY_COLL_SENDRECV ? a2a : bw;
        line(d, (enum ry_coll)c, 2, alpha, c == RY_COLL_ALL_REDUCE ? b : b * 0.85);
        line(d, (enum ry_coll)c, 8, alpha * 1.5, b);
        if (nvl)
            line(d, (enum ry_coll)c, 64, alpha * 2.5, b);
    }
    struct ry_net_fabric *f = &net->fabric;
    const bool opa = run->network && strstr(run->network, "Omni-Path");
    f->nics_per_domain = (double)d->gpus;
    double nic = a100 ? 25e9 : 50e9;
    if (strstr(run->gpu, "GB300"))
        nic = 100e9;
    if (opa)
        nic = 12.5e9, f->nics_per_domain = 4;
    if (run->network && strstr(run->network, "800 Gb/s"))
        f->nics_per_domain = 4, nic = 25e9;
    if (run->network && strstr(run->network, "400 Gb/s (per node)"))
        f->nics_per_domain = 4, nic = 12.5e9;
    f->nic_bytes_per_s = nic * (opa ? 0.45 : 0.95);
    f->nic_line_bytes_per_s = nic;
    f->pcie_bytes_per_s = a100 ? 25e9 : 100e9;
    f->message_s = 2e-6;
    f->send_s = 15e-6;
    f->nic_frac = 1;
    f->tree_frac = 1;
    for (int p = 0; p < RY_PROTOS; p++) {
        f->ring.rate_frac[p] = p == RY_PROTO_SIMPLE ? 1 : 0;
        f->ring.base_s[p] = 15e-6;
        f->ring.intra_step_s[p] = 1.5e-6;
        f->ring.inter_step_s[p] = 10e-6;
    }
    net->gpus = (size_t)run->gpus;
}

enum ry_err ry_run_machine(struct ry_arena *arena, const struct ry_run_parts *parts,
                           const struct ry_run *run, struct ry_machine *machine,
                           struct ry_diag *diag)
{
    (void)parts;
    const struct gpu *g = NULL;
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0] && !g; i++)
        if (strncmp(run->gpu, gpus[i].start, strlen(gpus[i].start)) == 0)
            g = &gpus[i];
    if (g == NULL)
        return ry_fail(diag, RY_ERR_NOTFOUND, run->id, "no compute model for %s", run->gpu);
    struct ry_compute_model *m = RY_NEW(arena, struct ry_compute_model, 1);
    struct ry_net *net = RY_NEW(arena, struct ry_net, 1);
    *m = ry_compute_model_default();
    set(m, "sm_count", g->sms);
    set(m, "hbm_bytes_per_s", g->hbm);
    set(m, "gemm.bf16.rate_flop_per_s", g->bf16);
    set(m, "gemm.fp16.rate_flop_per_s", g->bf16);
    set(m, "gemm.fp8.rate_flop_per_s", g->fp8);
    set(m, "gemm.mxfp8.rate_flop_per_s", g->mxfp8);
    set(m, "gemm.nvfp4.rate_flop_per_s", g->nvfp4);
    set(m, "gemm.bf16.k0", g->k0);
    set(m, "gemm.fp16.k0", g->k0);
    set(m, "attention.forward_flop_per_s", g->attn_f);
    set(m, "attention.backward_flop_per_s", g->attn_b);
    set(m, "power.cap_w", g->cap);
    set(m, "power.tensor_w", g->cap);
    set(m, "power.attention_w", g->cap * 0.87);
    set(m, "power.memory_w", g->cap * 0.8);
    set(m, "power.comm_w", g->cap * 0.5);
    if (strstr(run->gpu, "A100")) {
        for (size_t i = 0; i < RY_STREAMS; i++)
            m->stream_frac[i] = i == RY_STREAM_LAYER_NORM || i == RY_STREAM_SOFTMAX ||
                                        i == RY_STREAM_DROPOUT || i == RY_STREAM_NORM_FUSED ||
                                        i == RY_STREAM_NORM_BACKWARD
                                    ? 0.63
                                    : 0.74;
        m->stream_fixed_s = 6e-6;
        m->gemm_fixed_s = 6e-6;
        m->gemm_hbm_frac = 0.74;
        m->wave_q = 0.75;
        m->attn_impl[RY_ATTN_FLASH1][0] = 0.63;
        m->attn_impl[RY_ATTN_FLASH1][1] = 0.55;
        m->attn_impl[RY_ATTN_FLASH2][0] = 1;
        m->attn_impl[RY_ATTN_FLASH2][1] = 1;
        for (int i = 0; i < RY_HOST_OPS; i++) {
            m->host_forward_s[i] *= g->host;
            m->host_backward_s[i] *= g->host;
        }
    }
    net_of(run, net);
    *machine = (struct ry_machine){.compute = m, .net = net, .gpus = run->gpus,
                                   .gpus_per_node = run->gpus_per_node,
                                   .hbm_usable_bytes = g->usable,
                                   .pcie_bytes_per_s = 50e9};
    return RY_OK;
}
