/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/comm_model_put.h"

#include "report/comm_curves_put.h"
#include "report/json_echo.h"
#include "report/number.h"

#include <stdbool.h>
#include <string.h>

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
    ry_comm_likes_put(out, doc);
}

static void put_estimate(FILE *out, const char *key, struct ry_estimate value, bool known)
{
    (void)fprintf(out, "\"%s\": {", key);
    ry_json_put_fitted(out, "value", value.value);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "lo90", value.lo90);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "hi90", value.hi90);
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
    ry_json_put_fitted(out, "value", parameter->value.value);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "lo90", parameter->value.lo90);
    (void)fputs(", ", out);
    ry_json_put_fitted(out, "hi90", parameter->value.hi90);
    (void)fprintf(out, ", \"points\": %zu, ", parameter->points);
    ry_json_put_member(out, "origin", parameter->known ? "measured" : "assumed");
    (void)fputs(", ", out);
    ry_json_put_member(out, "from", parameter->from);
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
    ry_json_put_member(out, "from", from);
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
    ry_json_put_member(out, "by", "railyard calibrate fit");
    (void)fputs(",\n    ", out);
    ry_json_put_member(out, "date", doc->date);
    (void)fputs(",\n", out);
    put_steps(out, doc);
    (void)fputs("    \"sources\": [", out);
    for (size_t i = 0; i < doc->sources; i++) {
        const struct ry_model_source *source = &doc->source[i];
        (void)fputs(i ? ",\n      {" : "\n      {", out);
        ry_json_put_member(out, "file", source->path);
        (void)fputs(", ", out);
        ry_json_put_member(out, "sha256", source->sha256);
        (void)fputs(",\n       ", out);
        ry_json_put_member(out, "gpu", source->gpu);
        (void)fputs(", ", out);
        ry_json_put_member(out, "nccl", source->nccl);
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
    static const char *const own[] = {"schema", "name", "kind", "parameters",
                                      "curves", "fit",  NULL};

    for (size_t i = 0; own[i]; i++)
        if (strcmp(own[i], key) == 0)
            return false;
    return true;
}

void ry_comm_model_put(FILE *out, const struct ry_comm_model_doc *doc)
{
    (void)fputs("{\n  \"schema\": \"railyard-comm/1\",\n  ", out);
    ry_json_put_member(out, "name", ry_json_text(doc->facts, "name", doc->name));
    (void)fputs(",\n  ", out);
    ry_json_put_member(out, "kind", doc->kind);
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
        ry_comm_curves_put(out, doc);
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
