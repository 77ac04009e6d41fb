/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a reader of text is given by the fuzzer.
 */
#ifndef RY_TESTS_FUZZ_TEXT_H
#define RY_TESTS_FUZZ_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The bytes with a NUL behind them, for free(). */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
