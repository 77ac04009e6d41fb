/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

#include "base/names.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ry_peer_init(struct ry_peer *peer, struct ry_arena *arena,
                  struct ry_problems *problems)
{
    *peer = (struct ry_peer){.arena = arena,
                             .problems = problems,
                             .flop_per_s = NAN,
                             .mem_bytes = NAN,
                             .mem_bytes_per_s = NAN,
                             .link_bytes_per_s = NAN,
                             .nic_bytes_per_s = NAN,
                             .oversubscription = 1.0};
}

void ry_peer_note(struct ry_peer *peer, const char *what, const char *fmt, ...)
{
    char text[240];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    if (peer->notes_n == RY_PEER_NOTES_MOST)
        return;
    const char *kept = ry_strdup(peer->arena, text);
    const char *key = ry_strdup(peer->arena, what);
    if (kept && key)
        peer->notes[peer->notes_n++] = (struct ry_peer_note){key, kept};
}

bool ry_peer_is_json(struct ry_text text)
{
    size_t i = 0;

    while (i < text.bytes && (text.data[i] == ' ' || text.data[i] == '\n' ||
                              text.data[i] == '\r' || text.data[i] == '\t'))
        i++;
    return i < text.bytes && text.data[i] == '{';
}

enum ry_err ry_peer_read_json(struct ry_peer *peer, const char *path, struct ry_text text,
                              void (*take)(struct ry_peer *peer, struct ry_json root))
{
    const struct ry_json_text document = {path, text.data, text.bytes};
    struct ry_json root = {0};
    const enum ry_err err = ry_json_parse(peer->arena, &document, &ry_json_default_limits,
                                          peer->problems, &root);

    if (err == RY_OK && ry_json_expect(root, RY_JSON_OBJECT))
        take(peer, root);
    return err == RY_ERR_NOMEM ? err : RY_OK;
}
