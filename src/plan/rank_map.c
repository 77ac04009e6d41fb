/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/rank_map.h"

static size_t degree(unsigned n)
{
    return n > 1 ? n : 1;
}

/* The next coordinate: what is left of @p rest after it. */
static size_t take(size_t *rest, size_t size)
{
    const size_t at = *rest % size;

    *rest /= size;
    return at;
}

size_t ry_rank_count(const struct ry_strategy *s)
{
    return degree(s->tp) * degree(s->cp) * degree(s->dp) * degree(s->pp);
}

size_t ry_rank_hosts(const struct ry_design *design, size_t ranks)
{
    const size_t per_host = design->gpus_per_host ? design->gpus_per_host : 1;

    return ranks / per_host + (ranks % per_host != 0);
}

size_t ry_host_nics(const struct ry_design *design)
{
    if (design->fabric.technology == RY_FABRIC_NONE || design->gpus_per_node == 0)
        return 0;
    return design->nics_per_node * design->gpus_per_host / design->gpus_per_node;
}

struct ry_rank ry_rank_at(const struct ry_design *design, const struct ry_strategy *s,
                          size_t rank)
{
    const size_t per_host = design->gpus_per_host ? design->gpus_per_host : 1;
    struct ry_rank at = {.rank = rank,
                         .host = rank / per_host,
                         .gpu = rank % per_host,
                         .nics = ry_host_nics(design)};
    size_t rest = rank;
    size_t in_stage = rank % (degree(s->tp) * degree(s->cp) * degree(s->dp));

    at.nic = at.gpu * at.nics / per_host;
    at.tp = take(&rest, degree(s->tp));
    at.cp = take(&rest, degree(s->cp));
    at.dp = take(&rest, degree(s->dp));
    at.pp = rest;
    at.etp = take(&in_stage, degree(s->etp));
    at.ep = take(&in_stage, degree(s->ep));
    at.edp = in_stage;
    return at;
}
