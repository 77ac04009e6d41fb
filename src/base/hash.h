/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A hash of bytes, to find what is alike: FNV-1a by eight bytes, not for secrets.
 */
#ifndef RY_BASE_HASH_H
#define RY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define RY_HASH_START 0xcbf29ce484222325U

/** @p key (RY_HASH_START at first) and @p n more bytes. */
uint64_t ry_hash(uint64_t key, const void *bytes, size_t n);

/** @p x with every bit spread over all: a step of splitmix64 (Steele et al. 2014,
 * DOI 10.1145/2660193.2660195). */
uint64_t ry_hash_mixed(uint64_t x);

#endif
