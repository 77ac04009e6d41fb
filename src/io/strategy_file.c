/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/strategy_file.h"

#include <stdio.h>
#include <string.h>

const char *const ry_task_choices[] = {"pretrain", "sft", "lora", NULL};
const char *const ry_precision_choices[] = {"bf16",  "fp16", "fp8", "mxfp8",
                                            "nvfp4", "fp32", NULL};
const char *const ry_recompute_choices[] = {"none",  "selective", "full",     "layers",
                                            "norms", "mlp",       "products", NULL};
const char *const ry_schedule_choices[] = {"1f1b", "gpipe", "zero-bubble", "dualpipe",
                                           NULL};
const char *const ry_cp_kind_choices[] = {"ring", "all-gather", "all-to-all", NULL};
const char *const ry_cuda_graph_choices[] = {"none", "partial", "full", NULL};

enum { DEGREE_MOST = 1 << 20 };

/* One key of "strategy": counts, truths or choices that go into a set, or shares. */
enum kind { COUNT, TRUTH, CHOICE, SHARE };

struct field {
    const char *key;
    enum kind kind;
    unsigned least, most;       /* of a COUNT */
    const char *const *choices; /* of a CHOICE */
    size_t offset;              /* of the set in struct ry_bounds */
};

#define COUNT_FIELD(name, low, high)                                                     \
    {                                                                                    \
#name, COUNT, low, high, NULL, offsetof(struct ry_bounds, name)                  \
    }
#define TRUTH_FIELD(name)                                                                \
    {                                                                                    \
#name, TRUTH, 0, 1, NULL, offsetof(struct ry_bounds, name)                       \
    }
#define CHOICE_FIELD(name, names)                                                        \
    {                                                                                    \
#name, CHOICE, 0, 0, names, offsetof(struct ry_bounds, name)                     \
    }
#define SHARE_FIELD(name)                                                                \
    {                                                                                    \
#name, SHARE, 0, 0, NULL, offsetof(struct ry_bounds, name)                       \
    }

static const struct field fields[] = {
    COUNT_FIELD(tp, 1, DEGREE_MOST),
    COUNT_FIELD(pp, 1, DEGREE_MOST),
    COUNT_FIELD(vpp, 1, DEGREE_MOST),
    COUNT_FIELD(dp, 1, DEGREE_MOST),
    COUNT_FIELD(cp, 1, DEGREE_MOST),
    COUNT_FIELD(ep, 1, DEGREE_MOST),
    COUNT_FIELD(etp, 1, DEGREE_MOST),
    COUNT_FIELD(micro_batch, 1, DEGREE_MOST),
    TRUTH_FIELD(sequence_parallel),
    CHOICE_FIELD(recompute, ry_recompute_choices),
    COUNT_FIELD(recompute_layers, 0, 4096),
    CHOICE_FIELD(schedule, ry_schedule_choices),
    COUNT_FIELD(zero, 0, 3),
    TRUTH_FIELD(fsdp),
    COUNT_FIELD(shard_ranks, 0, DEGREE_MOST),
    CHOICE_FIELD(cp_kind, ry_cp_kind_choices),
    TRUTH_FIELD(tp_overlap),
    TRUTH_FIELD(dp_overlap),
    TRUTH_FIELD(pp_overlap),
    TRUTH_FIELD(ep_overlap),
    SHARE_FIELD(offload_optimizer),
    SHARE_FIELD(offload_activations),
};

enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

const char *ry_bounds_key(size_t i)
{
    return i < FIELDS ? fields[i].key : NULL;
}

static void read_share(struct ry_json value, struct ry_fractions *shares)
{
    const double frac = ry_json_as_quantity(value, RY_DIM_FRACTION, 0.0);

    if (frac > 1.0)
        ry_json_problem(value, RY_ERR_RANGE, "%g is not a share, 0 to 1", frac);
    shares->at[shares->n++] = frac;
}

static unsigned read_one(const struct field *field, struct ry_json value)
{
    const struct ry_json_bounds bounds = {field->least, field->most};

    switch (field->kind) {
    case COUNT:
        return (unsigned)ry_json_as_count(value, bounds, field->least);
    case TRUTH:
        return ry_json_as_bool(value, false);
    case CHOICE:
        return (unsigned)ry_json_as_choice(value, field->choices, 0);
    case SHARE:
        break;
    }
    return 0;
}

static void read_value(const struct field *field, struct ry_json value, void *bounds)
{
    char *place = (char *)bounds + field->offset;

    if (field->kind == SHARE) {
        read_share(value, (struct ry_fractions *)(void *)place);
        return;
    }
    struct ry_set *set = (struct ry_set *)(void *)place;
    set->at[set->n++] = read_one(field, value);
}

static void read_field(const struct field *field, struct ry_json value,
                       struct ry_bounds *bounds)
{
    const size_t n = ry_json_size(value);

    if (ry_json_type(value) != RY_JSON_LIST) {
        if (ry_json_type(value) != RY_JSON_ABSENT && ry_json_type(value) != RY_JSON_NULL)
            read_value(field, value, bounds);
        return;
    }
    if (n == 0 || n > RY_SET_MOST) {
        ry_json_problem(value, RY_ERR_RANGE, "a list of %zu values; 1 to %d", n,
                        RY_SET_MOST);
        return;
    }
    for (size_t i = 0; i < n; i++)
        read_value(field, ry_json_at(value, i), bounds);
}

void ry_bounds_read(struct ry_json at, struct ry_bounds *bounds)
{
    const char *keys[FIELDS + 1] = {NULL};

    *bounds = (struct ry_bounds){0};
    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT))
        return;
    for (size_t i = 0; i < FIELDS; i++) {
        keys[i] = fields[i].key;
        read_field(&fields[i], ry_json_get(at, fields[i].key), bounds);
    }
    ry_json_known_keys(at, keys);
}

/* Appends; what does not fit is cut. */
static void add(char *text, size_t size, const char *name, unsigned value)
{
    const size_t used = strlen(text);

    if (used < size)
        (void)snprintf(text + used, size - used, "%s%s%u", used ? " " : "", name, value);
}

static void add_word(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);

    if (used < size)
        (void)snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

static void add_modes(const struct ry_strategy *s, char *text, size_t size)
{
    if (s->fsdp)
        add_word(text, size, "fsdp");
    else if (s->zero_stage)
        add(text, size, "zero", s->zero_stage);
    if (s->sequence_parallel && s->tp > 1)
        add_word(text, size, "sp");
    if (s->recompute != RY_RECOMPUTE_NONE) {
        char word[32];
        (void)snprintf(word, sizeof(word), "recompute-%s",
                       ry_recompute_choices[s->recompute]);
        add_word(text, size, word);
    }
    if (s->schedule != RY_SCHEDULE_1F1B)
        add_word(text, size, ry_schedule_choices[s->schedule]);
    if (s->offload_optimizer_frac > 0.0)
        add_word(text, size, "offload-optimizer");
    if (s->offload_activations_frac > 0.0)
        add_word(text, size, "offload-activations");
}

void ry_strategy_text(const struct ry_strategy *s, char *text, size_t size)
{
    text[0] = '\0';
    add(text, size, "tp", s->tp);
    add(text, size, "pp", s->pp);
    if (s->vpp > 1)
        add(text, size, "vpp", s->vpp);
    add(text, size, "dp", s->dp);
    if (s->cp > 1)
        add(text, size, "cp", s->cp);
    if (s->ep > 1)
        add(text, size, "ep", s->ep);
    if (s->etp > 1)
        add(text, size, "etp", s->etp);
    add(text, size, "mbs", s->micro_batch);
    add_modes(s, text, size);
}
