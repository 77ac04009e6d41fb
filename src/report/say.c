/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/say.h"

#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NBSP "\xc2\xa0"
#define MINUS "\xe2\x88\x92"
#define DASH "\xe2\x80\x93"

/* From `least` on a value is said in units of `one`. */
struct scale {
    double least, one;
    const char *unit;
};

#define PREFIXED(unit)                                                                   \
    {1e15, 1e15, NBSP "P" unit}, {1e12, 1e12, NBSP "T" unit}, {1e9, 1e9, NBSP "G" unit}, \
        {1e6, 1e6, NBSP "M" unit}, {1e3, 1e3, NBSP "k" unit},                            \
    {                                                                                    \
        0.0, 1.0, NBSP unit                                                              \
    }

static const struct scale usd[] = {
    {1e9, 1e9, NBSP "B"}, {1e6, 1e6, NBSP "M"}, {1e3, 1e3, NBSP "k"}, {0.0, 1.0, ""}};
static const struct scale scaled[] = {{1e12, 1e12, NBSP "T"},
                                      {1e9, 1e9, NBSP "B"},
                                      {1e6, 1e6, NBSP "M"},
                                      {1e3, 1e3, NBSP "k"},
                                      {0.0, 1.0, ""}};
static const struct scale seconds[] = {
    {1.0, 1.0, NBSP "s"}, {1e-3, 1e-3, NBSP "ms"}, {0.0, 1e-6, NBSP "\xc2\xb5s"}};
static const struct scale days[] = {{730.0, 365.25, NBSP "years"},
                                    {0.0, 1.0, NBSP "days"}};
static const struct scale fraction[] = {{0.0, 1e-2, NBSP "%"}};
static const struct scale watts[] = {PREFIXED("W")};
static const struct scale bytes[] = {PREFIXED("B")};
static const struct scale joules[] = {PREFIXED("J")};
static const struct scale bits[] = {{1e15 / 8, 1e15 / 8, NBSP "Pb/s"},
                                    {1e12 / 8, 1e12 / 8, NBSP "Tb/s"},
                                    {0.0, 1e9 / 8, NBSP "Gb/s"}};
static const struct scale kilograms[] = {{1e5, 1e3, NBSP "t"}, {0.0, 1.0, NBSP "kg"}};
static const struct scale metres[] = {{0.0, 1.0, NBSP "m"}};
static const struct scale plain[] = {{0.0, 1.0, ""}};

static const struct scale *scales_of(enum ry_say kind)
{
    switch (kind) {
    case RY_SAY_USD:
        return usd;
    case RY_SAY_SCALED:
        return scaled;
    case RY_SAY_SECONDS:
        return seconds;
    case RY_SAY_DAYS:
        return days;
    case RY_SAY_FRACTION:
        return fraction;
    case RY_SAY_WATTS:
        return watts;
    case RY_SAY_BYTES:
        return bytes;
    case RY_SAY_BITS_PER_S:
        return bits;
    case RY_SAY_KILOGRAMS:
        return kilograms;
    case RY_SAY_METRES:
        return metres;
    case RY_SAY_JOULES:
        return joules;
    case RY_SAY_USD_FULL:
    case RY_SAY_COUNT:
    case RY_SAY_PLAIN:
        break;
    }
    return plain;
}

/* The scale in which |value| shows three digits: 999.6 kW is said as 1.00 MW. */
static const struct scale *scale_of(enum ry_say kind, double value)
{
    const struct scale *scale = scales_of(kind);

    if (value == 0.0) {
        while (scale->least > 1.0)
            scale++;
        return scale;
    }
    while (scale->least > 0.0 && fabs(value) < scale->least * (1.0 - 5e-4))
        scale++;
    return scale;
}

static int decimals_of(enum ry_say kind, const struct scale *scale, double value)
{
    const double size = fabs(value) / scale->one;

    if (value == 0.0 || kind == RY_SAY_COUNT)
        return 0;
    if (kind == RY_SAY_USD_FULL)
        return size < 99.995 && size != floor(size) ? 2 : 0;
    if (kind == RY_SAY_DAYS && scale->one > 1.0)
        return size < 99.95 ? 1 : 0;
    if (kind == RY_SAY_FRACTION && size >= 0.00995)
        return size < 0.0995 ? 2 : size < 99.95 ? 1 : 0;
    return size < 0.9995  ? (int)fmin(2.0 - floor(log10(size)), 9.0)
           : size < 9.995 ? 2
           : size < 99.95 ? 1
                          : 0;
}

/* Digits with commas: 1234.5 with one decimal is "1,234.5". */
static void put_digits(double size, int decimals, char text[RY_SAY_BYTES_MOST])
{
    char plain_text[RY_SAY_BYTES_MOST];
    size_t used = 0;

    (void)snprintf(plain_text, sizeof(plain_text), "%.*f", decimals, size);
    const size_t whole = strcspn(plain_text, ".");
    for (size_t i = 0; plain_text[i] != '\0' && used + 2 < RY_SAY_BYTES_MOST; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain_text[i];
    }
    text[used] = '\0';
}

static bool is_usd(enum ry_say kind)
{
    return kind == RY_SAY_USD || kind == RY_SAY_USD_FULL;
}

const char *ry_say(enum ry_say kind, double value, char text[RY_SAY_BYTES_MOST])
{
    char digits[RY_SAY_BYTES_MOST];

    if (!isfinite(value) || fabs(value) >= 1e30) {
        (void)snprintf(text, RY_SAY_BYTES_MOST, "%s", isinf(value) ? "no limit" : DASH);
        return text;
    }
    const struct scale *scale = scale_of(kind, value);
    put_digits(fabs(value) / scale->one, decimals_of(kind, scale, value), digits);
    (void)snprintf(text, RY_SAY_BYTES_MOST, "%s%s%.44s%s", value < 0.0 ? MINUS : "",
                   is_usd(kind) ? "$" : "", digits, scale->unit);
    return text;
}

const char *ry_say_range(enum ry_say kind, double low, double high,
                         char text[RY_SAY_BYTES_MOST])
{
    char lower[RY_SAY_BYTES_MOST];
    char upper[RY_SAY_BYTES_MOST];

    if (!isfinite(low) || !isfinite(high) || low < 0.0 || fabs(high) >= 1e30)
        return ry_say(kind, (double)NAN, text);
    const struct scale *scale = scale_of(kind, high);
    const int decimals = decimals_of(kind, scale, high);
    put_digits(low / scale->one, decimals, lower);
    put_digits(high / scale->one, decimals, upper);
    if (strcmp(lower, upper) == 0)
        return ry_say(kind, high, text);
    (void)snprintf(text, RY_SAY_BYTES_MOST, "%s%.22s" DASH "%.22s%s",
                   is_usd(kind) ? "$" : "", lower, upper, scale->unit);
    return text;
}

static const char *kept(struct ry_arena *arena, const char *text)
{
    const char *copy = ry_strdup(arena, text);

    return copy ? copy : "";
}

const char *ry_said(struct ry_arena *arena, enum ry_say kind, double value)
{
    char text[RY_SAY_BYTES_MOST];

    return kept(arena, ry_say(kind, value, text));
}

const char *ry_said_range(struct ry_arena *arena, enum ry_say kind, double low,
                          double high)
{
    char text[RY_SAY_BYTES_MOST];

    return kept(arena, ry_say_range(kind, low, high, text));
}

const char *ry_say_small(struct ry_arena *arena, size_t count)
{
    static const char *const words[] = {"no",   "one",    "two",   "three", "four",
                                        "five", "six",    "seven", "eight", "nine",
                                        "ten",  "eleven", "twelve"};

    return count < sizeof(words) / sizeof(words[0])
               ? words[count]
               : ry_said(arena, RY_SAY_COUNT, (double)count);
}
