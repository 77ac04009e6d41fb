/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/sha256.h"

#include <stdint.h>
#include <string.h>

/* FIPS 180-4 section 4.2.2. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

static uint32_t right(uint32_t x, unsigned n)
{
    return (x >> n) | (x << (32U - n));
}

static void schedule(const unsigned char block[64], uint32_t w[64])
{
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | (uint32_t)block[4 * i + 3];
    for (size_t i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ (w[i - 15] >> 3)) +
               (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ (w[i - 2] >> 10));
}

/** The eight variables stay where they are; their names move on by one each round. */
static void compress(uint32_t h[8], const unsigned char block[64])
{
    uint32_t w[64];
    uint32_t v[8];

    schedule(block, w);
    memcpy(v, h, sizeof(v));
    for (size_t i = 0; i < 64; i++) {
        const uint32_t a = v[(64 - i) % 8], b = v[(65 - i) % 8], c = v[(66 - i) % 8];
        const uint32_t e = v[(68 - i) % 8], f = v[(69 - i) % 8], g = v[(70 - i) % 8];
        const uint32_t s1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
        const uint32_t s0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
        const uint32_t choice = (e & f) ^ (~e & g);
        const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t t1 = v[(71 - i) % 8] + s1 + choice + round_constants[i] + w[i];

        v[(67 - i) % 8] += t1;
        v[(71 - i) % 8] = t1 + s0 + majority;
    }
    for (size_t i = 0; i < 8; i++)
        h[i] += v[i];
}

void ry_sha256(const void *data, size_t bytes, char text[RY_SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = data;
    unsigned char last[128] = {0};
    const size_t rest = bytes % 64;
    const size_t blocks = rest < 56 ? 1 : 2;

    for (size_t i = 0; i < bytes / 64; i++)
        compress(h, at + 64 * i);
    if (rest > 0)
        memcpy(last, at + bytes - rest, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[64 * blocks - 1 - i] = (unsigned char)((uint64_t)bytes * 8U >> (8U * i));
    for (size_t i = 0; i < blocks; i++)
        compress(h, last + 64 * i);
    for (size_t i = 0; i < 64; i++)
        text[i] = digits[h[i / 8] >> (28U - 4U * (i % 8)) & 15U];
    text[64] = '\0';
}
