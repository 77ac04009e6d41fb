/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

const char *const ry_peer_choices[] = {
#define X(name, read) name,
#include "io/peers.def"
#undef X
    NULL,
};

static ry_peer_reader *const readers[] = {
#define X(name, read) read,
#include "io/peers.def"
#undef X
};

enum ry_err ry_peer_read(struct ry_peer *peer, size_t planner, const char *path,
                         struct ry_text text)
{
    return readers[planner](peer, path, text);
}
