/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/opt_words.h"

#include "base/names.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { WORDS_MOST = 2048 };

/* The unit of which one is 1 in SI: what a quantity is written in. */
static const char *si_unit(enum ry_dim dim)
{
    static const struct {
        enum ry_dim dim;
        const char *unit;
        double value;
    } units[] = {
#define X(dim, unit, value) {dim, unit, value},
#include "base/units.def"
#undef X
    };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (units[i].dim == dim && fabs(units[i].value - 1.0) <= 0.0)
            return units[i].unit;
    return ""; /* counts and shares need none */
}

static const char *number_word(struct ry_arena *arena, const struct ry_opt *opt,
                               double value, double usual)
{
    if (!isfinite(value) || fabs(value - usual) <= 0.0)
        return "";
    if (opt->kind == RY_OPT_NUMBER)
        return ry_strfmt(arena, "--%s=%.17g", opt->name, value);
    if (opt->dim == RY_DIM_FRACTION) /* without a unit only up to 1 */
        return ry_strfmt(arena, value > 1.0 ? "--%s=%.17g%%" : "--%s=%.17g", opt->name,
                         value > 1.0 ? 100.0 * value : value);
    return ry_strfmt(arena, "--%s=%.17g%s", opt->name, value, si_unit(opt->dim));
}

/* "--top=3"; "" when it is as by default; NULL: no memory. */
static const char *word_of(struct ry_arena *arena, const struct ry_opt *opt,
                           const void *field, const void *usual)
{
    switch (opt->kind) {
    case RY_OPT_FLAG:
        return *(const bool *)field ? ry_strfmt(arena, "--%s", opt->name) : "";
    case RY_OPT_STRING: {
        const char *text = *(const char *const *)field;
        return text ? ry_strfmt(arena, "--%s=%s", opt->name, text) : "";
    }
    case RY_OPT_CHOICE: {
        const int choice = *(const int *)field;
        return choice == *(const int *)usual
                   ? ""
                   : ry_strfmt(arena, "--%s=%s", opt->name, opt->choices[choice]);
    }
    case RY_OPT_COUNT: {
        const size_t count = *(const size_t *)field;
        return count == *(const size_t *)usual
                   ? ""
                   : ry_strfmt(arena, "--%s=%zu", opt->name, count);
    }
    case RY_OPT_QUANTITY:
    case RY_OPT_NUMBER:
        return number_word(arena, opt, *(const double *)field, *(const double *)usual);
    case RY_OPT_LIST:
    case RY_OPT_END:
        break;
    }
    return "";
}

static enum ry_err add(struct ry_words *words, const char *word)
{
    if (!word || words->n == WORDS_MOST)
        return RY_ERR_NOMEM;
    if (word[0] != '\0')
        words->at[words->n++] = word;
    return RY_OK;
}

static enum ry_err add_list(struct ry_arena *arena, struct ry_words *words,
                            const struct ry_opt *opt, const struct ry_strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        RY_TRY(add(words, ry_strfmt(arena, "--%s=%s", opt->name, list->at[i])));
    return RY_OK;
}

static bool is_among(const char *name, const char *const names[])
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

enum ry_err ry_opts_words(struct ry_arena *arena, const struct ry_cmd *cmd,
                          const void *options, const struct ry_strings *args,
                          const char *const left_out[], struct ry_words *words)
{
    const unsigned char *usual = cmd->defaults;

    if (!usual)
        usual = RY_NEW(arena, unsigned char, cmd->options_bytes + 1);
    *words = (struct ry_words){.at = RY_NEW(arena, const char *, WORDS_MOST + 1)};
    if (!usual || !words->at)
        return RY_ERR_NOMEM;
    for (const struct ry_opt *opt = cmd->opts; opt->kind != RY_OPT_END; opt++) {
        const void *field = (const unsigned char *)options + opt->offset;
        if (is_among(opt->name, left_out))
            continue;
        RY_TRY(opt->kind == RY_OPT_LIST
                   ? add_list(arena, words, opt, field)
                   : add(words, word_of(arena, opt, field, usual + opt->offset)));
    }
    if (args->n > 0)
        RY_TRY(add(words, "--"));
    for (size_t i = 0; i < args->n; i++)
        RY_TRY(add(words, args->at[i]));
    return RY_OK;
}
