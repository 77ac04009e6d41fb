/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/comm_model_put.h"

#include "report/json_echo.h"
#include "report/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Fitted numbers carry seven digits: more would be noise. */
static void put_rounded(FILE *out, const char *key, double value)
{
    (void)fprintf(out, "\"%s\": ", key);
    if (isfinite(value))
        (void)fprintf(out, "%.7g", value);
    else
        (void)fputs("null", out);
}

static void put_text(FILE *out, const char *key, const char *text)
{
    (void)fprintf(out, "\"%s\": ", key);
    ry_json_put_text(out, text);
}

static void put_piece(FILE *out, const struct ry_coll_fit *fit,
                      const struct ry_link_piece *piece, double from_bytes)
{
    const double times = fit->bus_factor;

    (void)fputs("      {", out);
    put_rounded(out, "from_bytes", from_bytes);
    (void)fputs(", ", out);
    put_rounded(out, "alpha_s", piece->alpha_s.value);
    (void)fputs(", ", out);
    put_rounded(out, "alpha_lo90_s", piece->alpha_s.lo90);
    (void)fputs(", ", out);
    put_rounded(out, "alpha_hi90_s", piece->alpha_s.hi90);
    (void)fputs(",\n       ", out);
    put_rounded(out, "busbw_bytes_per_s", times * piece->bytes_per_s.value);
    (void)fputs(", ", out);
    put_rounded(out, "busbw_lo90_bytes_per_s", times * piece->bytes_per_s.lo90);
    (void)fputs(", ", out);
    put_rounded(out, "busbw_hi90_bytes_per_s", times * piece->bytes_per_s.hi90);
    (void)fputs(",\n       ", out);
    (void)fprintf(out, "\"points\": %zu, ", piece->points);
    put_rounded(out, "median_error", piece->median_error);
    (void)fputs(", ", out);
    put_rounded(out, "worst_error", piece->worst_error);
    if (piece->alpha_open)
        (void)fputs(",\n       \"note\": \"start-up not identifiable: only its upper end\"",
                    out);
    else if (piece->rate_open)
        (void)fputs(",\n       \"note\": \"flat: bandwidth not identifiable, the fastest "
                    "seen\"",
                    out);
    (void)fputc('}', out);
}

/* What the facts say about the file of a curve: "inputs": [{"file", "origin", "from"}]. */
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
    put_text(out, "collective", ry_coll_name(fit->coll));
    (void)fprintf(out, ", \"ranks\": %zu, ", fit->ranks);
    put_text(out, "origin", ry_json_text(input, "origin", "measured"));
    (void)fputs(", ", out);
    put_text(out, "from", ry_json_text(input, "from", fit->file));
    (void)fprintf(out, ",\n     \"points\": %zu, \"dropped\": %zu, ", fit->fit.points,
                  fit->fit.dropped);
    put_rounded(out, "median_error", fit->fit.median_error);
    (void)fputs(", ", out);
    put_rounded(out, "worst_error", fit->fit.worst_error);
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

static void put_curves(FILE *out, const struct ry_comm_model_doc *doc)
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

static void put_likes(FILE *out, const struct ry_comm_model_doc *doc)
{
    size_t of = 0;
    const char *comma = "";

    while (of < RY_COLLS && !has_curve(doc, (enum ry_coll)of))
        of++;
    (void)fputs("  \"like\": [", out);
    for (size_t i = 0; of < RY_COLLS && i < sizeof(likes) / sizeof(likes[0]); i++) {
        if (has_curve(doc, likes[i].coll))
            continue;
        (void)fprintf(out, "%s\n    {\"collective\": \"%s\", \"of\": \"%s\", "
                           "\"alpha_frac\": %g, \"busbw_frac\": %g, "
                           "\"origin\": \"assumed\", \"from\": \"not measured\"}",
                      comma, ry_coll_name(likes[i].coll),
                      ry_coll_name((enum ry_coll)of), likes[i].alpha_frac,
                      likes[i].busbw_frac);
        comma = ",";
    }
    (void)fputs("],\n", out);
}

/* What the facts would say of a domain: as far as the files themselves do. */
static void put_undescribed(FILE *out, const struct ry_comm_model_doc *doc)
{
    size_t ranks = 2;
    const char *gpu = NULL;

    for (size_t i = 0; doc->fits && i < doc->fits->n; i++)
        ranks = doc->fits->at[i].ranks > ranks ? doc->fits->at[i].ranks : ranks;
    for (size_t i = 0; !gpu && i < doc->sources; i++)
        gpu = doc->source[i].gpu;
    (void)fputs("  \"summary\": \"fitted to benchmark files, no facts given\",\n"
                "  \"origin\": \"measured\",\n",
                out);
    if (doc->fabric) {
        (void)fprintf(out, "  \"transport\": \"%s\",\n", doc->transport);
        return;
    }
    (void)fputs("  \"link\": \"switched\",\n  \"gpus\": [", out);
    if (doc->gpu)
        ry_json_put_text(out, doc->gpu);
    if (doc->gpu && gpu)
        (void)fputs(", ", out);
    if (gpu || !doc->gpu)
        ry_json_put_text(out, gpu ? gpu : "(by name only)");
    (void)fprintf(out, "],\n  \"domain_gpus\": %zu,\n", ranks);
    put_likes(out, doc);
}

static void put_estimate(FILE *out, const char *key, struct ry_estimate value, bool known)
{
    (void)fprintf(out, "\"%s\": {", key);
    put_rounded(out, "value", value.value);
    (void)fputs(", ", out);
    put_rounded(out, "lo90", value.lo90);
    (void)fputs(", ", out);
    put_rounded(out, "hi90", value.hi90);
    (void)fprintf(out, ", \"identifiable\": %s}", known ? "true" : "false");
}

/* Start-up split over steps, for each collective with more than one run. */
static void put_steps(FILE *out, const struct ry_comm_model_doc *doc)
{
    const char *comma = "";

    (void)fputs("    \"alpha_steps\": [", out);
    for (size_t coll = 0; doc->fits && coll < RY_COLLS; coll++) {
        struct ry_alpha_steps steps;
        if (ry_alpha_steps_fit(doc->fits, (enum ry_coll)coll, &steps, NULL) != RY_OK ||
            steps.runs < 2)
            continue;
        (void)fprintf(out, "%s\n      {\"collective\": \"%s\", \"runs\": %zu, ", comma,
                      ry_coll_name((enum ry_coll)coll), steps.runs);
        put_estimate(out, "base_s", steps.base_s, true);
        (void)fputs(",\n       ", out);
        put_estimate(out, "intra_step_s", steps.intra_step_s, steps.intra_known);
        (void)fputs(",\n       ", out);
        put_estimate(out, "inter_step_s", steps.inter_step_s, steps.inter_known);
        (void)fputc('}', out);
        comma = ",";
    }
    (void)fputs("],\n", out);
}

static const struct ry_model_parameter *overrides(const struct ry_comm_model_doc *doc,
                                                  const char *key)
{
    for (size_t i = 0; i < doc->parameters; i++)
        if (strcmp(doc->parameter[i].key, key) == 0)
            return &doc->parameter[i];
    return NULL;
}

static void put_parameter(FILE *out, const struct ry_model_parameter *parameter)
{
    (void)fprintf(out, "    \"%s\": {", parameter->key);
    put_rounded(out, "value", parameter->value.value);
    (void)fputs(", ", out);
    put_rounded(out, "lo90", parameter->value.lo90);
    (void)fputs(", ", out);
    put_rounded(out, "hi90", parameter->value.hi90);
    (void)fprintf(out, ", \"points\": %zu, ", parameter->points);
    put_text(out, "origin", parameter->known ? "measured" : "assumed");
    (void)fputs(", ", out);
    put_text(out, "from", parameter->from);
    (void)fputc('}', out);
}

static void put_parameters(FILE *out, const struct ry_comm_model_doc *doc)
{
    const struct ry_json facts = ry_json_get(doc->facts, "parameters");
    const char *comma = "";

    (void)fputs("  \"parameters\": {\n", out);
    for (size_t i = 0; i < doc->parameters; i++) {
        (void)fputs(comma, out);
        put_parameter(out, &doc->parameter[i]);
        comma = ",\n";
    }
    for (size_t i = 0; i < ry_json_size(facts); i++) {
        const struct ry_json at = ry_json_at(facts, i);
        if (overrides(doc, ry_json_key(at)))
            continue;
        (void)fprintf(out, "%s    ", comma);
        ry_json_put_text(out, ry_json_key(at));
        (void)fputs(": ", out);
        ry_json_echo(out, at, 4, 0);
        comma = ",\n";
    }
    (void)fputs("\n  }", out);
}

static void put_list(FILE *out, const char *key, const double value[], size_t n)
{
    (void)fprintf(out, "\"%s\": [", key);
    for (size_t i = 0; i < n; i++)
        (void)fprintf(out, "%s%.7g", i ? ", " : "", value[i]);
    (void)fputs("], ", out);
}

static void put_line(FILE *out, const char *name, const struct ry_net_lines *lines,
                     const char *from)
{
    (void)fprintf(out, "    \"%s\": {", name);
    put_list(out, "base_s", lines->base_s, RY_PROTOS);
    put_list(out, "intra_step_s", lines->intra_step_s, RY_PROTOS);
    put_list(out, "inter_step_s", lines->inter_step_s, RY_PROTOS);
    (void)fputs("\n      ", out);
    put_list(out, "rate_frac", lines->rate_frac, RY_PROTOS);
    (void)fputs("\"cap_bytes_per_s\": [", out);
    for (size_t proto = 0; proto < RY_PROTOS; proto++)
        (void)fprintf(out, "%s[%.7g, %.7g]", proto ? ", " : "",
                      lines->cap_bytes_per_s[proto][0], lines->cap_bytes_per_s[proto][1]);
    (void)fputs("],\n      \"origin\": \"nccl\", ", out);
    put_text(out, "from", from);
    (void)fputc('}', out);
}

static void put_lines(FILE *out, const struct ry_comm_model_doc *doc)
{
    const char *comma = "";

    (void)fputs("  \"lines\": {\n", out);
    for (enum ry_coll_algo a = 0; a < RY_COLL_ALGOS; a++) {
        if (!ry_coll_algo_has_lines(a))
            continue;
        (void)fputs(comma, out);
        put_line(out, ry_coll_algo_name(a), &doc->fabric->lines[a], doc->lines_from);
        comma = ",\n";
    }
    (void)fputs("\n  }", out);
}

static void put_corrections(FILE *out, const struct ry_net_fabric *fabric)
{
    static const char *const protos[RY_PROTOS] = {"LL", "LL128", "Simple"};

    (void)fputs("  \"tree_correction\": {", out);
    for (size_t proto = 0; proto < RY_PROTOS; proto++) {
        (void)fprintf(out, "%s\n    \"%s\": [", proto ? "," : "", protos[proto]);
        for (size_t i = 0; i < RY_NET_CORRECTIONS; i++)
            (void)fprintf(out, "%s%.7g", i ? ", " : "",
                          fabric->tree_correction[proto][i]);
        (void)fputc(']', out);
    }
    (void)fputs("\n  },\n", out);
}

static void put_fit(FILE *out, const struct ry_comm_model_doc *doc)
{
    (void)fputs("  \"fit\": {\n    ", out);
    put_text(out, "by", "railyard calibrate fit");
    (void)fputs(",\n    ", out);
    put_text(out, "date", doc->date);
    (void)fputs(",\n", out);
    put_steps(out, doc);
    (void)fputs("    \"sources\": [", out);
    for (size_t i = 0; i < doc->sources; i++) {
        const struct ry_model_source *source = &doc->source[i];
        (void)fputs(i ? ",\n      {" : "\n      {", out);
        put_text(out, "file", source->path);
        (void)fputs(", ", out);
        put_text(out, "sha256", source->sha256);
        (void)fputs(",\n       ", out);
        put_text(out, "gpu", source->gpu);
        (void)fputs(", ", out);
        put_text(out, "nccl", source->nccl);
        (void)fprintf(out, ", \"points\": %zu}", source->points);
    }
    (void)fputs("],\n    \"notes\": [", out);
    for (size_t i = 0; i < doc->notes; i++) {
        (void)fputs(i ? ",\n      " : "\n      ", out);
        ry_json_put_text(out, doc->note[i]);
    }
    (void)fputs("]\n  }\n", out);
}

/* Members of the facts that are copied whole, in the order of the file. */
static bool is_copied(const char *key)
{
    static const char *const own[] = {"schema", "name", "kind", "parameters", "curves",
                                      "fit", NULL};

    for (size_t i = 0; own[i]; i++)
        if (strcmp(own[i], key) == 0)
            return false;
    return true;
}

void ry_comm_model_put(FILE *out, const struct ry_comm_model_doc *doc)
{
    (void)fputs("{\n  \"schema\": \"railyard-comm/1\",\n  ", out);
    put_text(out, "name", ry_json_text(doc->facts, "name", doc->name));
    (void)fputs(",\n  ", out);
    put_text(out, "kind", doc->kind);
    (void)fputs(",\n", out);
    for (size_t i = 0; i < ry_json_size(doc->facts); i++) {
        const struct ry_json at = ry_json_at(doc->facts, i);
        if (!is_copied(ry_json_key(at)) ||
            (doc->fabric && strcmp(ry_json_key(at), "lines") == 0))
            continue;
        (void)fputs("  ", out);
        ry_json_put_text(out, ry_json_key(at));
        (void)fputs(": ", out);
        ry_json_echo(out, at, 2, 1);
        (void)fputs(",\n", out);
    }
    if (ry_json_size(doc->facts) == 0)
        put_undescribed(out, doc);
    put_parameters(out, doc);
    (void)fputs(",\n", out);
    if (strcmp(doc->kind, "domain") == 0) {
        put_curves(out, doc);
        (void)fputs(",\n", out);
    }
    if (doc->fabric) {
        put_lines(out, doc);
        (void)fputs(",\n", out);
        if (!ry_json_has(doc->facts, "tree_correction"))
            put_corrections(out, doc->fabric);
    }
    put_fit(out, doc);
    (void)fputs("}\n", out);
}
