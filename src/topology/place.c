/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/place.h"

#include <string.h>

static const char *const dim_names[] = {"tp", "ep", "cp", "dp", "pp"};

const char *ry_place_dim_text(enum ry_place_dim dim)
{
    return dim_names[dim];
}

enum ry_err ry_place_order(const char *text, struct ry_placement *placement,
                           struct ry_diag *diag)
{
    /* Megatron-LM's order, ranks of tensor parallelism next to each other. */
    static const enum ry_place_dim usual[] = {RY_PLACE_TP, RY_PLACE_CP, RY_PLACE_EP,
                                              RY_PLACE_EDP, RY_PLACE_PP};
    bool taken[RY_PLACE_DIMS] = {false};
    size_t n = 0;

    for (const char *at = text; at && *at != '\0';) {
        const size_t length = strcspn(at, ",-");
        size_t dim = 0;
        while (dim < RY_PLACE_DIMS &&
               (length != 2 || strncmp(at, dim_names[dim], 2) != 0))
            dim++;
        if (dim == RY_PLACE_DIMS || taken[dim])
            return ry_fail(diag, RY_ERR_SYNTAX, "order",
                           "'%.40s' is not tp, cp, ep, dp, pp in some order", text);
        taken[dim] = true;
        placement->order[n++] = (enum ry_place_dim)dim;
        at += length + (at[length] != '\0');
    }
    for (size_t i = 0; i < RY_PLACE_DIMS; i++)
        if (!taken[usual[i]])
            placement->order[n++] = usual[i];
    return RY_OK;
}

/* Ranks between neighbours along each dimension. */
static size_t strides(const struct ry_placement *p, size_t stride[RY_PLACE_DIMS])
{
    size_t ranks = 1;

    for (size_t i = 0; i < RY_PLACE_DIMS; i++) {
        stride[p->order[i]] = ranks;
        ranks *= p->size[p->order[i]];
    }
    return ranks;
}

struct span {
    const struct ry_node_groups *nodes;
    size_t gpus_per_node;
};

static enum ry_place_level between(const struct span *s, size_t a, size_t b)
{
    const size_t x = a / s->gpus_per_node;
    const size_t y = b / s->gpus_per_node;

    if (x == y)
        return RY_PLACE_NODE;
    if (s->nodes->of[x] == s->nodes->of[y])
        return RY_PLACE_LEAF;
    return s->nodes->above[s->nodes->of[x]] == s->nodes->above[s->nodes->of[y]]
               ? RY_PLACE_POD
               : RY_PLACE_CORE;
}

/* A rank starts a group of a dimension when its own coordinate there is 0. */
static void count_dim(const struct span *s, size_t ranks, size_t stride, size_t size,
                      size_t groups[RY_PLACE_LEVELS])
{
    for (size_t rank = 0; rank < ranks; rank++) {
        enum ry_place_level reach = RY_PLACE_NODE;
        if (rank / stride % size != 0)
            continue;
        for (size_t k = 1; k < size; k++) {
            const enum ry_place_level level = between(s, rank, rank + k * stride);
            reach = level > reach ? level : reach;
        }
        groups[reach]++;
    }
}

enum ry_err ry_place_count(const struct ry_node_groups *nodes, size_t gpus_per_node,
                           const struct ry_placement *placement,
                           struct ry_place_report *report, struct ry_diag *diag)
{
    const struct span span = {nodes, gpus_per_node};
    size_t stride[RY_PLACE_DIMS] = {0};
    struct ry_place_report r = {.ranks = strides(placement, stride)};

    if (r.ranks > nodes->nodes * gpus_per_node)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "placement",
                       "%zu ranks, the cluster has %zu GPUs", r.ranks,
                       nodes->nodes * gpus_per_node);
    for (size_t d = 0; d < RY_PLACE_DIMS; d++)
        count_dim(&span, r.ranks, stride[d], placement->size[d], r.groups[d]);
    *report = r;
    return RY_OK;
}

/* Compare by the heaviest dimension that differs: groups that reach far are worse. */
static int compare(const struct ry_place_report *a, const struct ry_place_report *b)
{
    for (size_t d = 0; d < RY_PLACE_DIMS; d++) {
        for (size_t level = RY_PLACE_LEVELS; level-- > 0;)
            if (a->groups[d][level] != b->groups[d][level])
                return a->groups[d][level] < b->groups[d][level] ? -1 : 1;
    }
    return 0;
}

/* The i-th permutation of the dimensions, factorial base. */
static void permutation(size_t i, enum ry_place_dim order[RY_PLACE_DIMS])
{
    enum ry_place_dim left[RY_PLACE_DIMS];
    size_t n = RY_PLACE_DIMS;

    for (size_t d = 0; d < RY_PLACE_DIMS; d++)
        left[d] = (enum ry_place_dim)d;
    for (size_t at = 0; at < RY_PLACE_DIMS; at++) {
        const size_t k = i % n;
        i /= n;
        order[at] = left[k];
        memmove(left + k, left + k + 1, (n - k - 1) * sizeof(*left));
        n--;
    }
}

enum { PERMUTATIONS = 120 };

enum ry_err ry_place_best(const struct ry_node_groups *nodes, size_t gpus_per_node,
                          const struct ry_placement *placement, struct ry_placement *best,
                          bool *better, struct ry_diag *diag)
{
    struct ry_place_report least;

    *best = *placement;
    *better = false;
    RY_TRY(ry_place_count(nodes, gpus_per_node, placement, &least, diag));
    for (size_t i = 0; i < PERMUTATIONS; i++) {
        struct ry_placement other = *placement;
        struct ry_place_report report;
        permutation(i, other.order);
        RY_TRY(ry_place_count(nodes, gpus_per_node, &other, &report, diag));
        if (compare(&report, &least) < 0) {
            least = report;
            *best = other;
            *better = true;
        }
    }
    return RY_OK;
}
