/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/peer.h"

static bool is_json(struct ry_text text)
{
    size_t i = 0;

    while (i < text.bytes && (text.data[i] == ' ' || text.data[i] == '\n' ||
                              text.data[i] == '\r' || text.data[i] == '\t'))
        i++;
    return i < text.bytes && text.data[i] == '{';
}

enum ry_err ry_peer_read(struct ry_peer *peer, enum ry_peer_kind kind, const char *path,
                         struct ry_text text)
{
    const struct ry_json_text document = {path, text.data, text.bytes};
    struct ry_json root = {0};

    if (kind == RY_PEER_SIMAI)
        return ry_simai_read(peer, path, text);
    if (kind == RY_PEER_ASTRA_SIM && !is_json(text))
        return ry_astra_network_read(peer, path, text);
    const enum ry_err err = ry_json_parse(peer->arena, &document, &ry_json_default_limits,
                                          peer->problems, &root);
    if (err != RY_OK)
        return err == RY_ERR_NOMEM ? err : RY_OK;
    if (!ry_json_expect(root, RY_JSON_OBJECT))
        return RY_OK;
    if (kind == RY_PEER_CALCULON)
        ry_calculon_read(peer, root);
    else
        ry_astra_json_read(peer, root);
    return RY_OK;
}
