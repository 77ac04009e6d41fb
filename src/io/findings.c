/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/findings.h"

#include "base/names.h"

#include <string.h>

static bool grow(struct ry_findings *findings)
{
    const size_t room = findings->room ? 2 * findings->room : 16;

    if (findings->n < findings->room)
        return true;
    struct ry_finding *more = RY_NEW(findings->arena, struct ry_finding, room);
    if (!more)
        return false;
    if (findings->n)
        memcpy(more, findings->at, findings->n * sizeof(*more));
    findings->at = more;
    findings->room = room;
    return true;
}

struct ry_finding *ry_findings_add(struct ry_findings *findings,
                                   enum ry_finding_severity severity, const char *id,
                                   const char *text, const char *action)
{
    const char *kept_text = ry_strdup(findings->arena, text);
    const char *kept_action = ry_strdup(findings->arena, action);

    if (!kept_text || !kept_action || !grow(findings)) {
        findings->out_of_memory = true;
        return NULL;
    }
    struct ry_finding *finding = &findings->at[findings->n++];
    *finding = (struct ry_finding){.severity = severity,
                                   .id = id,
                                   .text = kept_text,
                                   .action = kept_action,
                                   .left_frac = (double)NAN,
                                   .expected_bytes_per_s = (double)NAN,
                                   .left_bytes_per_s = (double)NAN};
    if (severity > findings->worst)
        findings->worst = severity;
    return finding;
}

void ry_finding_at(struct ry_finding *finding, const char *file, size_t line)
{
    if (!finding || line == 0)
        return;
    finding->file = file;
    finding->line = line;
}

/* A stable order: insertion, the lists are short. */
void ry_findings_sort(struct ry_findings *findings)
{
    for (size_t i = 1; i < findings->n; i++) {
        const struct ry_finding moved = findings->at[i];
        size_t k = i;
        while (k > 0 && findings->at[k - 1].severity < moved.severity) {
            findings->at[k] = findings->at[k - 1];
            k--;
        }
        findings->at[k] = moved;
    }
}

const char *ry_finding_severity_text(enum ry_finding_severity severity)
{
    static const char *const texts[] = {
        [RY_FINDING_NOTE] = "note",
        [RY_FINDING_WARNING] = "warning",
        [RY_FINDING_ERROR] = "error",
    };
    return texts[severity];
}
