/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

#include "base/names.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *const ry_peer_choices[] = {[RY_PEER_CALCULON] = "calculon",
                                       [RY_PEER_ASTRA_SIM] = "astra-sim",
                                       [RY_PEER_SIMAI] = "simai",
                                       NULL};

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
