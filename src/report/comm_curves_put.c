/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/comm_curves_put.h"

#include "report/json_echo.h"
#include "report/number.h"

#include <stdbool.h>
#include <string.h>

static void put_piece(FILE *out, const struct ry_coll_fit *fit,
                      const struct ry_link_piece *piece, double from_bytes)
{
    const double times = fit->bus_factor;

    (void)fputs("      {", out);
    ry_json_put_fitted(out, "from_bytes", from_bytes);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "alpha_s", piece->alpha_s.value);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "alpha_lo90_s", piece->alpha_s.lo90);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "alpha_hi90_s", piece->alpha_s.hi90);
    (void)fputs(",\n       ", out);
    ry_json_put_fitted(out, "busbw_bytes_per_s", times * piece->bytes_per_s.value);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "busbw_lo90_bytes_per_s", times * piece->bytes_per_s.lo90);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "busbw_hi90_bytes_per_s", times * piece->bytes_per_s.hi90);
    (void)fputs(",\n       ", out);
    (void)fprintf(out, "\"points\": %zu, ", piece->points);
    ry_json_put_fitted(out, "median_error", piece->median_error);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "worst_error", piece->worst_error);
    if (piece->alpha_open)
        (void)fputs(
            ",\n       \"note\": \"start-up not identifiable: only its upper end\"", out);
    else if (piece->rate_open)
        (void)fputs(",\n       \"note\": \"flat: bandwidth not identifiable, the fastest "
                    "seen\"",
                    out);
    (void)fputc('}', out);
}

/* What the facts say of the file of a curve: "inputs": [{"file", "origin", "from"}]. */
static struct ry_json input_of(struct ry_json facts, const char *file)
{
    const struct ry_json inputs = ry_json_get(ry_json_get(facts, "fit"), "inputs");
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;

    for (size_t i = 0; i < ry_json_size(inputs); i++)
        if (strcmp(ry_json_text(ry_json_at(inputs, i), "file", ""), base) == 0)
            return ry_json_at(inputs, i);
    return (struct ry_json){0};
}

/* The curve of the facts for the same collective and ranks, or absent. */
static struct ry_json known_curve(struct ry_json facts, const struct ry_coll_fit *fit)
{
    const struct ry_json curves = ry_json_get(facts, "curves");
    const struct ry_json_bounds any = {1, 1 << 20};

    for (size_t i = 0; i < ry_json_size(curves); i++) {
        const struct ry_json at = ry_json_at(curves, i);
        if (ry_coll_find(ry_json_text(at, "collective", "")) == fit->coll &&
            ry_json_count(at, "ranks", any, 0) == fit->ranks)
            return at;
    }
    return (struct ry_json){0};
}

/* Where no small size was measured, the pieces of the facts stand below the fit's. */
static size_t put_small_pieces(FILE *out, struct ry_json facts,
                               const struct ry_coll_fit *fit)
{
    const struct ry_json pieces = ry_json_get(known_curve(facts, fit), "pieces");
    size_t put = 0;

    if (fit->fit.alpha_known)
        return 0;
    for (size_t i = 0; i < ry_json_size(pieces); i++) {
        const struct ry_json piece = ry_json_at(pieces, i);
        if (ry_json_number(piece, "from_bytes", 0.0) >= fit->fit.smallest_bytes)
            break;
        (void)fputs("      ", out);
        ry_json_echo(out, piece, 6, 0);
        (void)fputs(",\n", out);
        put++;
    }
    return put;
}

static void put_curve(FILE *out, struct ry_json facts, const struct ry_coll_fit *fit)
{
    const struct ry_json input = input_of(facts, fit->file);

    (void)fputs("    {", out);
    ry_json_put_member(out, "collective", ry_coll_name(fit->coll));
    (void)fprintf(out, ", \"ranks\": %zu, ", fit->ranks);
    ry_json_put_member(out, "origin", ry_json_text(input, "origin", "measured"));
    (void)fputs(", ", out);
    ry_json_put_member(out, "from", ry_json_text(input, "from", fit->file));
    (void)fprintf(out, ",\n     \"points\": %zu, \"dropped\": %zu, ", fit->fit.points,
                  fit->fit.dropped);
    ry_json_put_fitted(out, "median_error", fit->fit.median_error);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "worst_error", fit->fit.worst_error);
    (void)fputs(", \"pieces\": [\n", out);
    const bool above = put_small_pieces(out, facts, fit) > 0;
    for (size_t i = 0; i < fit->fit.pieces; i++) {
        const struct ry_link_piece *piece = &fit->fit.piece[i];
        put_piece(out, fit, piece,
                  i == 0 && above ? fit->fit.smallest_bytes : piece->from_bytes);
        (void)fputs(i + 1 < fit->fit.pieces ? ",\n" : "]}", out);
    }
}

/* Curves of the facts and of the fit, merged: by collective and ranks, fits first. */
static bool fitted(const struct ry_coll_fits *fits, enum ry_coll coll, size_t ranks)
{
    for (size_t i = 0; fits && i < fits->n; i++)
        if (fits->at[i].coll == coll && fits->at[i].ranks == ranks)
            return true;
    return false;
}

/* The next rank count of a collective after @p after: a fit, or else a fact. */
struct next_curve {
    size_t ranks; /* 0: no more */
    const struct ry_coll_fit *fit;
    struct ry_json fact;
};

static struct next_curve next_curve(const struct ry_comm_model_doc *doc,
                                    enum ry_coll coll, size_t after)
{
    const struct ry_json known = ry_json_get(doc->facts, "curves");
    const struct ry_json_bounds any = {1, 1 << 20};
    struct next_curve next = {0};

    for (size_t i = 0; doc->fits && i < doc->fits->n; i++) {
        const struct ry_coll_fit *fit = &doc->fits->at[i];
        if (fit->coll == coll && fit->ranks > after &&
            (next.ranks == 0 || fit->ranks < next.ranks))
            next = (struct next_curve){.ranks = fit->ranks, .fit = fit};
    }
    for (size_t i = 0; i < ry_json_size(known); i++) {
        const struct ry_json fact = ry_json_at(known, i);
        const size_t ranks = ry_json_count(fact, "ranks", any, 0);
        if (ry_coll_find(ry_json_text(fact, "collective", "")) == coll && ranks > after &&
            (next.ranks == 0 || ranks < next.ranks) && !fitted(doc->fits, coll, ranks))
            next = (struct next_curve){.ranks = ranks, .fact = fact};
    }
    return next;
}

void ry_comm_curves_put(FILE *out, const struct ry_comm_model_doc *doc)
{
    const char *comma = "";

    (void)fputs("  \"curves\": [\n", out);
    for (size_t coll = 0; coll < RY_COLLS; coll++) {
        struct next_curve next = next_curve(doc, (enum ry_coll)coll, 0);
        while (next.ranks > 0) {
            (void)fputs(comma, out);
            comma = ",\n";
            if (next.fit) {
                put_curve(out, doc->facts, next.fit);
            } else {
                (void)fputs("    ", out);
                ry_json_echo(out, next.fact, 4, 0);
            }
            next = next_curve(doc, (enum ry_coll)coll, next.ranks);
        }
    }
    (void)fputs("\n  ]", out);
}

/* What a collective without a curve is like, for a fit without facts. */
static const struct like {
    enum ry_coll coll;
    double alpha_frac, busbw_frac;
} likes[] = {
    {RY_COLL_ALL_REDUCE, 1.2, 1.0},     {RY_COLL_ALL_GATHER, 1.0, 0.9},
    {RY_COLL_REDUCE_SCATTER, 1.0, 0.9}, {RY_COLL_ALL_TO_ALL, 1.2, 0.8},
    {RY_COLL_BROADCAST, 1.0, 0.9},      {RY_COLL_REDUCE, 1.0, 0.87},
    {RY_COLL_SENDRECV, 0.7, 0.9},
};

static bool has_curve(const struct ry_comm_model_doc *doc, enum ry_coll coll)
{
    return next_curve(doc, coll, 0).ranks > 0;
}

void ry_comm_likes_put(FILE *out, const struct ry_comm_model_doc *doc)
{
    size_t of = 0;
    const char *comma = "";

    while (of < RY_COLLS && !has_curve(doc, (enum ry_coll)of))
        of++;
    (void)fputs("  \"like\": [", out);
    for (size_t i = 0; of < RY_COLLS && i < sizeof(likes) / sizeof(likes[0]); i++) {
        if (has_curve(doc, likes[i].coll))
            continue;
        (void)fprintf(out,
                      "%s\n    {\"collective\": \"%s\", \"of\": \"%s\", "
                      "\"alpha_frac\": %g, \"busbw_frac\": %g, "
                      "\"origin\": \"assumed\", \"from\": \"not measured\"}",
                      comma, ry_coll_name(likes[i].coll), ry_coll_name((enum ry_coll)of),
                      likes[i].alpha_frac, likes[i].busbw_frac);
        comma = ",";
    }
    (void)fputs("],\n", out);
}
