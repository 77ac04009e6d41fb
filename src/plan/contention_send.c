/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/contention.h"

#include "base/hash.h"
#include "topology/flow.h"

#include <stdint.h>

/* Messages to average over, at so many seeds at most: 64 of a leaf of 32 NICs give the
 * mean to 1 %; few NICs hardly meet. */
static const size_t messages_least = 2048;
static const uint64_t seeds_most = 64;
enum { USES_MOST = 256 };

struct sample {
    const struct ry_stretch *s;
    struct ry_flow_set set;
    uint64_t state;
    size_t nics, up,
        core; /* first resources: NICs, leaf up, spine up; then their ways down */
    size_t resources;
};

static size_t pick(struct sample *m, size_t n)
{
    m->state = ry_hash_mixed(m->state);
    return (size_t)(m->state % n);
}

static size_t links_of(size_t links, size_t ends)
{
    return links > ends ? links / ends : 1;
}

/* Up a leaf port, up a spine port, down as the switches hash it: the uses of one queue
 * pair, n of them. */
static size_t route(struct sample *m, size_t leaf, double weight,
                    struct ry_flow_use uses[4])
{
    const struct ry_stretch *s = m->s;
    const size_t port = pick(m, s->leaf_up);
    const size_t spine = port % s->spines;
    const size_t down = pick(m, links_of(s->leaf_up, s->spines));
    const size_t ups = s->leaves * s->leaf_up;
    const size_t cores = s->spines * s->spine_up;
    size_t n = 0;

    uses[n++] =
        (struct ry_flow_use){(uint32_t)(m->up + leaf * s->leaf_up + port), weight};
    if (s->spine_up > 0) {
        const size_t up = pick(m, s->spine_up);
        const size_t back = pick(m, links_of(s->spine_up, s->spine_cores));
        uses[n++] =
            (struct ry_flow_use){(uint32_t)(m->core + spine * s->spine_up + up), weight};
        uses[n++] =
            (struct ry_flow_use){(uint32_t)(m->core + cores + spine * s->spine_up +
                                            up % s->spine_cores + back * s->spine_cores),
                                 weight};
    }
    uses[n++] = (struct ry_flow_use){
        (uint32_t)(m->up + ups + leaf * s->leaf_up + spine + down * s->spines), weight};
    return n;
}

static bool add_message(struct sample *m, size_t leaf, size_t nic)
{
    const size_t most = (USES_MOST - 1) / 4;
    const size_t pairs = m->s->pairs < most ? m->s->pairs : most;
    struct ry_flow_use uses[USES_MOST] = {
        {(uint32_t)(m->nics + leaf * m->s->leaf_nics + nic), 1.0}};
    size_t n = 1;

    for (size_t i = 0; i < pairs; i++)
        n += route(m, leaf, 1.0 / (double)pairs, uses + n);
    return ry_flow_add(&m->set, 1.0, uses, n);
}

static enum ry_err add_seed(struct ry_arena *arena, const struct ry_stretch *s,
                            uint64_t seed, double *sum, struct ry_diag *diag)
{
    const size_t nics = s->leaves * s->leaf_nics;
    const size_t ups = s->leaves * s->leaf_up;
    struct sample m = {.s = s,
                       .set = ry_flow_set(arena),
                       .state = ry_hash_mixed(seed),
                       .up = nics,
                       .core = nics + 2 * ups,
                       .resources = nics + 2 * ups + 2 * s->spines * s->spine_up};
    double *capacity = RY_NEW(arena, double, m.resources);
    double *rate = RY_NEW(arena, double, nics);
    bool good = capacity && rate;

    for (size_t i = 0; good && i < m.resources; i++)
        capacity[i] = 1.0;
    for (size_t i = 0; good && i < nics; i++)
        good = add_message(&m, i / s->leaf_nics, i % s->leaf_nics);
    if (!good)
        return ry_fail(diag, RY_ERR_NOMEM, "contention", "out of memory");
    RY_TRY(ry_flow_max_min(arena, &m.set, capacity, m.resources, rate, diag));
    for (size_t i = 0; i < nics; i++)
        *sum += rate[i];
    return RY_OK;
}

enum ry_err ry_contention_send(struct ry_arena *arena, const struct ry_stretch *stretch,
                               double *share_frac, struct ry_diag *diag)
{
    const size_t messages_a_seed = stretch->leaves * stretch->leaf_nics;
    double sum = 0.0;
    size_t messages = 0;

    for (uint64_t seed = 1; seed <= seeds_most && messages < messages_least; seed++) {
        RY_TRY(add_seed(arena, stretch, seed, &sum, diag));
        messages += messages_a_seed;
    }
    *share_frac = sum / (double)messages;
    return RY_OK;
}
