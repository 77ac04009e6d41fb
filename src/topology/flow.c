/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/flow.h"

#include <math.h>
#include <string.h>

/* A resource whose share is this much above what the heap says has changed since. */
static const double CHANGED = 1e-12;

struct ry_flow_set ry_flow_set(struct ry_arena *arena)
{
    return (struct ry_flow_set){.arena = arena};
}

static bool grow(struct ry_arena *arena, void **at, size_t n, size_t *room, size_t need,
                 size_t size)
{
    if (need <= *room)
        return true;
    const size_t bigger_room = need + need / 2 + 64;
    void *bigger = ry_arena_alloc(arena, bigger_room, size);
    if (!bigger)
        return false;
    if (n > 0)
        memcpy(bigger, *at, n * size);
    *at = bigger;
    *room = bigger_room;
    return true;
}

bool ry_flow_add(struct ry_flow_set *set, double count, const struct ry_flow_use uses[],
                 size_t n)
{
    void *first = set->first;
    void *counts = set->count;
    void *all = set->uses;
    size_t room_counts = set->room;

    if (!grow(set->arena, &first, set->n ? set->n + 1 : 0, &set->room, set->n + 2,
              sizeof(*set->first)))
        return false;
    set->first = first;
    if (!grow(set->arena, &counts, set->n, &room_counts, set->n + 2, sizeof(*set->count)))
        return false;
    set->count = counts;
    if (!grow(set->arena, &all, set->n_uses, &set->room_uses, set->n_uses + n,
              sizeof(*set->uses)))
        return false;
    set->uses = all;
    if (n > 0)
        memcpy(set->uses + set->n_uses, uses, n * sizeof(*uses));
    set->n_uses += n;
    set->count[set->n++] = count;
    set->first[set->n] = set->n_uses;
    return true;
}

struct filling {
    const struct ry_flow_set *set;
    size_t resources;
    double *left;     /* [resources] capacity that frozen flows leave */
    double *weight;   /* [resources] sum of weights of flows not frozen */
    uint32_t *active; /* [resources] uses by flows not frozen */
    size_t *users;    /* [resources + 1] into by */
    uint32_t *by;     /* [uses] flows of each resource */
    double *key;      /* [heap] */
    uint32_t *heap;   /* [resources] resources, least share first */
    size_t n_heap;
};

static bool create(struct ry_arena *arena, struct filling *f)
{
    const size_t r = f->resources + 1;

    f->left = RY_NEW(arena, double, r);
    f->weight = RY_NEW(arena, double, r);
    f->active = RY_NEW(arena, uint32_t, r);
    f->users = RY_NEW(arena, size_t, r + 1);
    f->by = RY_NEW(arena, uint32_t, f->set->n_uses + 1);
    f->key = RY_NEW(arena, double, r);
    f->heap = RY_NEW(arena, uint32_t, r);
    return f->left && f->weight && f->active && f->users && f->by && f->key && f->heap;
}

static void index_users(struct filling *f)
{
    const struct ry_flow_set *set = f->set;

    for (size_t u = 0; u < set->n_uses; u++)
        f->users[set->uses[u].resource + 1]++;
    for (size_t r = 0; r < f->resources; r++)
        f->users[r + 1] += f->users[r];
    for (size_t i = 0; i < set->n; i++) {
        for (size_t u = set->first[i]; u < set->first[i + 1]; u++) {
            const uint32_t r = set->uses[u].resource;
            f->by[f->users[r] + f->active[r]++] = (uint32_t)i;
            f->weight[r] += set->count[i] * set->uses[u].weight;
        }
    }
}

static double share(const struct filling *f, uint32_t resource)
{
    const double left = f->left[resource] > 0.0 ? f->left[resource] : 0.0;
    return left / f->weight[resource];
}

static void sift_down(struct filling *f, size_t at)
{
    const double key = f->key[at];
    const uint32_t resource = f->heap[at];

    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= f->n_heap)
            break;
        if (child + 1 < f->n_heap && f->key[child + 1] < f->key[child])
            child++;
        if (f->key[child] >= key)
            break;
        f->key[at] = f->key[child];
        f->heap[at] = f->heap[child];
        at = child;
    }
    f->key[at] = key;
    f->heap[at] = resource;
}

static void pop(struct filling *f)
{
    f->n_heap--;
    f->key[0] = f->key[f->n_heap];
    f->heap[0] = f->heap[f->n_heap];
    if (f->n_heap > 0)
        sift_down(f, 0);
}

static void make_heap(struct filling *f)
{
    for (uint32_t r = 0; r < f->resources; r++) {
        if (f->active[r] == 0 || isinf(f->left[r]) || !(f->weight[r] > 0.0))
            continue;
        f->key[f->n_heap] = share(f, r);
        f->heap[f->n_heap++] = r;
    }
    for (size_t i = f->n_heap / 2; i-- > 0;)
        sift_down(f, i);
}

static void freeze(struct filling *f, uint32_t flow, double rate)
{
    const struct ry_flow_set *set = f->set;

    for (size_t u = set->first[flow]; u < set->first[flow + 1]; u++) {
        const uint32_t r = set->uses[u].resource;
        const double weight = set->count[flow] * set->uses[u].weight;
        f->left[r] -= weight * rate;
        f->weight[r] -= weight;
        f->active[r]--;
    }
}

enum ry_err ry_flow_max_min(struct ry_arena *arena, const struct ry_flow_set *set,
                            const double capacity[], size_t resources, double rate[],
                            struct ry_diag *diag)
{
    struct filling f = {.set = set, .resources = resources};

    if (!create(arena, &f))
        return ry_fail(diag, RY_ERR_NOMEM, "flows", "out of memory");
    memcpy(f.left, capacity, resources * sizeof(*f.left));
    for (size_t i = 0; i < set->n; i++)
        rate[i] = (double)INFINITY;
    index_users(&f);
    make_heap(&f);
    while (f.n_heap > 0) {
        const uint32_t r = f.heap[0];
        if (f.active[r] == 0 || !(f.weight[r] > 0.0)) {
            pop(&f);
            continue;
        }
        /* Shares only grow while flows freeze at smaller ones. */
        const double now = share(&f, r);
        if (now > f.key[0] * (1.0 + CHANGED)) {
            f.key[0] = now;
            sift_down(&f, 0);
            continue;
        }
        pop(&f);
        for (size_t u = f.users[r]; u < f.users[r + 1]; u++) {
            if (!isinf(rate[f.by[u]]))
                continue;
            rate[f.by[u]] = now;
            freeze(&f, f.by[u], now);
        }
    }
    return RY_OK;
}
