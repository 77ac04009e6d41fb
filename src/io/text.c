/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_CHARS_MOST = 64 };

/* ESC [ parameters letter, or ESC and one character. */
static size_t escape_length(const char *at, size_t n)
{
    if (n < 2 || at[1] != '[')
        return n < 2 ? n : 2;
    size_t i = 2;
    while (i < n && !((at[i] >= '@' && at[i] <= '~')))
        i++;
    return i < n ? i + 1 : n;
}

static bool is_plain(struct ry_slice line)
{
    for (size_t i = 0; i < line.n; i++) {
        const unsigned char c = (unsigned char)line.at[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

static struct ry_slice cleaned(struct ry_slice line, char clean[RY_LINE_BYTES_MOST])
{
    size_t used = 0;

    for (size_t i = 0; i < line.n;) {
        const unsigned char c = (unsigned char)line.at[i];
        if (c == 0x1b) {
            i += escape_length(line.at + i, line.n - i);
            continue;
        }
        if (c != '\0') /* every other byte of UTF-16 */
            clean[used++] = c < ' ' || c == 0x7f ? ' ' : line.at[i];
        i++;
    }
    return (struct ry_slice){clean, used};
}

bool ry_lines_next(struct ry_lines *lines, struct ry_slice *line)
{
    if (lines->at >= lines->end)
        return false;

    const size_t left = (size_t)(lines->end - lines->at);
    const char *newline = memchr(lines->at, '\n', left);
    struct ry_slice raw = {lines->at, newline ? (size_t)(newline - lines->at) : left};
    lines->torn = newline == NULL;
    lines->at = newline ? newline + 1 : lines->end;
    lines->number++;
    if (raw.n > RY_LINE_BYTES_MOST)
        raw.n = RY_LINE_BYTES_MOST;
    while (raw.n > 0 && (raw.at[raw.n - 1] == '\r' || raw.at[raw.n - 1] == '\0'))
        raw.n--;
    *line = is_plain(raw) ? raw : cleaned(raw, lines->clean);
    return true;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

size_t ry_words(struct ry_slice line, struct ry_slice words[RY_WORDS_MOST])
{
    size_t n = 0;

    for (size_t i = 0; i < line.n && n < RY_WORDS_MOST;) {
        while (i < line.n && blank(line.at[i]))
            i++;
        const size_t begin = i;
        while (i < line.n && !blank(line.at[i]))
            i++;
        if (i > begin)
            words[n++] = (struct ry_slice){line.at + begin, i - begin};
    }
    return n;
}

bool ry_slice_eq(struct ry_slice slice, const char *text)
{
    return strlen(text) == slice.n && memcmp(slice.at, text, slice.n) == 0;
}

bool ry_slice_starts(struct ry_slice slice, const char *text)
{
    const size_t n = strlen(text);
    return n <= slice.n && memcmp(slice.at, text, n) == 0;
}

/* Lines are short and needles mostly absent: looking for the first character beats
 * memmem(), which prepares a table for each needle. */
const char *ry_slice_find(struct ry_slice slice, const char *text)
{
    const size_t n = strlen(text);
    const char *at = slice.at;

    if (slice.n > RY_LINE_BYTES_MOST)
        return memmem(slice.at, slice.n, text, n);
    for (size_t left = slice.n; left >= n && left > 0;) {
        const char *found = memchr(at, text[0], left - n + 1);
        if (!found)
            return NULL;
        if (memcmp(found, text, n) == 0)
            return found;
        left -= (size_t)(found + 1 - at);
        at = found + 1;
    }
    return NULL;
}

struct ry_slice ry_slice_after(struct ry_slice slice, const char *text)
{
    const char *found = ry_slice_find(slice, text);
    if (!found)
        return (struct ry_slice){NULL, 0};
    const char *begin = found + strlen(text);
    return (struct ry_slice){begin, slice.n - (size_t)(begin - slice.at)};
}

struct ry_slice ry_slice_until(struct ry_slice slice, const char *stops)
{
    size_t n = 0;

    while (n < slice.n && strchr(stops, slice.at[n]) == NULL)
        n++;
    return (struct ry_slice){slice.at, n};
}

struct ry_slice ry_slice_trim(struct ry_slice slice)
{
    while (slice.n > 0 && blank(slice.at[0])) {
        slice.at++;
        slice.n--;
    }
    while (slice.n > 0 && blank(slice.at[slice.n - 1]))
        slice.n--;
    return slice;
}

char *ry_slice_dup(struct ry_arena *arena, struct ry_slice slice)
{
    char *copy = RY_NEW(arena, char, slice.n + 1);

    if (copy && slice.n > 0)
        memcpy(copy, slice.at, slice.n);
    return copy;
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(struct ry_slice slice, size_t i)
{
    while (i < slice.n && digit(slice.at[i]))
        i++;
    return i;
}

/* Past the exponent that begins at i, or i when there is none. */
static size_t skip_exponent(struct ry_slice slice, size_t i)
{
    if (i >= slice.n || (slice.at[i] != 'e' && slice.at[i] != 'E'))
        return i;
    size_t first = i + 1;
    if (first < slice.n && (slice.at[first] == '+' || slice.at[first] == '-'))
        first++;
    const size_t end = skip_digits(slice, first);
    return end > first ? end : i;
}

/* Up to 15 digits and 22 decimals: both parts are exact, so is their quotient. */
static bool quick_number(struct ry_slice slice, size_t digits_end, size_t decimals,
                         double *value)
{
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    double sum = 0.0;

    if (digits_end > 16 || decimals > 15)
        return false;
    for (size_t i = 0; i < digits_end; i++)
        if (digit(slice.at[i]))
            sum = 10.0 * sum + (double)(slice.at[i] - '0');
    *value = (slice.at[0] == '-' ? -sum : sum) / tens[decimals];
    return true;
}

static double half_ulp(double exponent, size_t decimals)
{
    static const double halves[] = {0.5,    0.5e-1, 0.5e-2, 0.5e-3, 0.5e-4,
                                    0.5e-5, 0.5e-6, 0.5e-7, 0.5e-8, 0.5e-9};

    if (exponent == 0.0 && decimals < sizeof(halves) / sizeof(halves[0]))
        return halves[decimals];
    return 0.5 * pow(10.0, exponent - (double)decimals);
}

bool ry_slice_number(struct ry_slice slice, struct ry_printed *number)
{
    char copy[NUMBER_CHARS_MOST];
    size_t i = slice.n > 0 && (slice.at[0] == '-' || slice.at[0] == '+') ? 1 : 0;
    const size_t first = i;
    size_t decimals = 0;

    i = skip_digits(slice, i);
    const size_t whole_end = i;
    if (i < slice.n && slice.at[i] == '.') {
        const size_t end = skip_digits(slice, i + 1);
        decimals = end - i - 1;
        i = end;
    }
    if (whole_end - first + decimals == 0)
        return false;
    const size_t mantissa_end = i;
    i = skip_exponent(slice, i);
    if (i >= sizeof(copy))
        return false;

    double value = 0.0, exponent = 0.0;
    if (i > mantissa_end || !quick_number(slice, i, decimals, &value)) {
        memcpy(copy, slice.at, i);
        copy[i] = '\0';
        value = strtod(copy, NULL);
        exponent = i > mantissa_end ? strtod(copy + mantissa_end + 1, NULL) : 0.0;
    }
    if (!isfinite(value))
        return false;
    *number = (struct ry_printed){
        .value = value,
        .half_ulp = half_ulp(exponent, decimals),
        .whole = i == whole_end,
        .used = i,
    };
    return true;
}

bool ry_slice_is_number(struct ry_slice slice, double *value)
{
    struct ry_printed number;

    if (!ry_slice_number(slice, &number) || number.used != slice.n)
        return false;
    *value = number.value;
    return true;
}

double ry_slice_number_after(struct ry_slice slice, const char *word)
{
    const struct ry_slice rest = ry_slice_trim(ry_slice_after(slice, word));
    struct ry_printed number;

    return rest.n > 0 && ry_slice_number(rest, &number) ? number.value : (double)NAN;
}
