/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/algo.h"

#include <math.h>

#define X(code, symbol) extern const struct ry_algo symbol;
#include "comm/algorithms.def"
#undef X

static const struct ry_algo *const algorithms[RY_COLL_ALGOS] = {
#define X(code, symbol) [code] = &symbol,
#include "comm/algorithms.def"
#undef X
};

const struct ry_algo *ry_algo_at(enum ry_coll_algo code)
{
    return algorithms[code];
}

const char *ry_coll_algo_name(enum ry_coll_algo code)
{
    return code == RY_COLL_ALGO_CURVE ? "curve" : algorithms[code]->name;
}

bool ry_coll_algo_has_lines(enum ry_coll_algo code)
{
    return code != RY_COLL_ALGO_CURVE && algorithms[code]->lines == code;
}

double ry_bus_rate(const struct ry_across *a, const struct ry_net_lines *lines,
                   enum ry_proto proto, double bus)
{
    const double cap = lines->cap_bytes_per_s[proto][a->span.domains > 2.5];
    const double rate = bus * lines->rate_frac[proto];

    return cap > 0.0 && cap < rate ? cap : rate;
}

static void keep_faster(struct ry_coll_time *best, const struct ry_line *line,
                        enum ry_coll_algo code)
{
    const double s = line->alpha_s + line->bytes_s;

    if (s >= best->s)
        return;
    best->s = s;
    best->alpha_s = line->alpha_s;
    best->algo = code;
    best->limit = line->limit;
}

static void try_lines(const struct ry_across *a, enum ry_coll_algo code,
                      struct ry_coll_time *best)
{
    const struct ry_algo *algo = algorithms[code];
    const struct ry_net_lines *lines =
        algo->lines == RY_COLL_ALGO_CURVE ? NULL : &a->net->fabric.lines[algo->lines];

    for (unsigned proto = 0; proto < RY_PROTOS; proto++) {
        if (!(algo->protos >> proto & 1u) || (lines && !(lines->rate_frac[proto] > 0.0)))
            continue;
        const struct ry_line line = algo->line(a, lines, (enum ry_proto)proto);
        keep_faster(best, &line, code);
    }
}

struct ry_coll_time ry_across_time(const struct ry_across *a)
{
    struct ry_coll_time best = {.s = INFINITY};

    for (enum ry_coll_algo code = RY_COLL_ALGO_CURVE + 1; code < RY_COLL_ALGOS; code++) {
        const struct ry_algo *algo = algorithms[code];
        if ((algo->colls >> a->coll & 1u) && !a->net->fabric.off[code] &&
            (!algo->runs || algo->runs(a)))
            try_lines(a, code, &best);
    }
    return best;
}
