/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * 0x100000001b3U;
    return key ^ key >> 29; /* high bits of a word reach the low ones of the key */
}

uint64_t ry_hash(uint64_t key, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;

    for (; n >= sizeof(uint64_t); n -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, at, sizeof(word));
        key = mix(key, word);
    }
    for (; n > 0; n--, at++)
        key = mix(key, *at);
    return key;
}

uint64_t ry_hash_mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}
