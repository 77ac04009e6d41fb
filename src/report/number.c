/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scale {
    double least; /* from this size on ... */
    double one;   /* ... shown in these */
    const char *suffix;
};

#define DECIMAL(small, unit)                                                             \
    {1e15, 1e15, " P" unit}, {1e12, 1e12, " T" unit}, {1e9, 1e9, " G" unit},             \
        {1e6, 1e6, " M" unit}, {1e3, 1e3, " " small unit},                               \
    {                                                                                    \
        0.0, 1.0, " " unit                                                               \
    }

static const struct scale seconds[] = {{2 * 31557600.0, 31557600.0, " years"},
                                       {2 * 86400.0, 86400.0, " d"},
                                       {2 * 3600.0, 3600.0, " h"},
                                       {120.0, 60.0, " min"},
                                       {1.0, 1.0, " s"},
                                       {1e-3, 1e-3, " ms"},
                                       {1e-6, 1e-6, " us"},
                                       {0.0, 1e-9, " ns"}};
static const struct scale bytes[] = {DECIMAL("k", "B")};
static const struct scale bytes_per_s[] = {DECIMAL("k", "B/s")};
static const struct scale bits_per_s[] = {{1e12 / 8, 1e12 / 8, " Tb/s"},
                                          {1e9 / 8, 1e9 / 8, " Gb/s"},
                                          {1e6 / 8, 1e6 / 8, " Mb/s"},
                                          {0.0, 1.0 / 8, " b/s"}};
static const struct scale flop_per_s[] = {{1e18, 1e18, " EFLOP/s"},
                                          DECIMAL("k", "FLOP/s")};
static const struct scale watts[] = {DECIMAL("k", "W")};
static const struct scale joules[] = {DECIMAL("k", "J")};
static const struct scale metres[] = {
    {1e3, 1e3, " km"}, {1.0, 1.0, " m"}, {0.0, 1e-2, " cm"}};
static const struct scale kilograms[] = {{1e4, 1e3, " t"}, {0.0, 1.0, " kg"}};
static const struct scale scaled[] = {{1e15, 1e12, " T"}, {1e12, 1e12, " T"},
                                      {1e9, 1e9, " B"},   {1e6, 1e6, " M"},
                                      {1e3, 1e3, " k"},   {0.0, 1.0, ""}};
static const struct scale usd[] = {
    {1e9, 1e9, " B"}, {1e6, 1e6, " M"}, {1e5, 1e3, " k"}, {0.0, 1.0, ""}};
static const struct scale plain[] = {{0.0, 1.0, ""}};

static const struct scale *scales_of(enum ry_show show)
{
    switch (show) {
    case RY_SHOW_SECONDS:
        return seconds;
    case RY_SHOW_BYTES:
        return bytes;
    case RY_SHOW_BYTES_PER_S:
        return bytes_per_s;
    case RY_SHOW_BITS_PER_S:
        return bits_per_s;
    case RY_SHOW_FLOP_PER_S:
        return flop_per_s;
    case RY_SHOW_WATTS:
        return watts;
    case RY_SHOW_JOULES:
        return joules;
    case RY_SHOW_METRES:
        return metres;
    case RY_SHOW_KILOGRAMS:
        return kilograms;
    case RY_SHOW_SCALED:
        return scaled;
    case RY_SHOW_USD:
        return usd;
    case RY_SHOW_TEXT:
    case RY_SHOW_BOOL:
    case RY_SHOW_COUNT:
    case RY_SHOW_NUMBER:
    case RY_SHOW_FRACTION:
    case RY_SHOW_YEAR:
        break;
    }
    return plain;
}

/* At most 3 digits after the point, as many as make `digits` significant ones. */
static int decimals(double value, int digits)
{
    const double size = fabs(value);
    int whole = 1;

    for (double limit = 10.0; size >= limit && whole < digits; limit *= 10.0)
        whole++;
    return digits - whole;
}

/* 1234567.8 as "1,234,568". */
static const char *grouped(double value, char text[RY_NUMBER_BYTES])
{
    char digits[RY_NUMBER_BYTES];
    size_t used = 0;

    if (fabs(value) >= 1e18) {
        (void)snprintf(text, RY_NUMBER_BYTES, "%.4g", value);
        return text;
    }
    (void)snprintf(digits, sizeof(digits), "%.0f", fabs(value));
    const size_t n = strlen(digits);
    if (value < 0.0 && strcmp(digits, "0") != 0)
        text[used++] = '-';
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

static const char *show_scaled(enum ry_show show, double value,
                               char text[RY_NUMBER_BYTES])
{
    const struct scale *scale = scales_of(show);
    const char *sign = value < 0.0 ? "-" : "";
    const char *currency = show == RY_SHOW_USD ? "$" : "";
    char number[RY_NUMBER_BYTES];

    /* 999.95 W is shown as 1.00 kW; zero in the unit itself. */
    while (value == 0.0 ? scale->one > 1.0
                        : scale->least > 0.0 && fabs(value) < scale->least * (1.0 - 5e-4))
        scale++;
    const double part = fabs(value) / scale->one;
    if (part >= 1000.0)
        (void)grouped(part, number);
    else
        (void)snprintf(number, sizeof(number), "%.*f",
                       value == 0.0 ? 0 : decimals(part, show == RY_SHOW_BYTES ? 4 : 3),
                       part);
    (void)snprintf(text, RY_NUMBER_BYTES, "%s%s%.24s%s", sign, currency, number,
                   scale->suffix);
    return text;
}

static const char *show_number(double value, char text[RY_NUMBER_BYTES])
{
    const double size = fabs(value);

    if (size >= 1e4 && size < 1e15)
        return grouped(value, text);
    (void)snprintf(text, RY_NUMBER_BYTES, "%.4g", value);
    return text;
}

const char *ry_number_show(enum ry_show show, double value, char text[RY_NUMBER_BYTES])
{
    if (!isfinite(value)) {
        (void)snprintf(text, RY_NUMBER_BYTES, "%s",
                       isnan(value)  ? "-"
                       : value > 0.0 ? "inf"
                                     : "-inf");
        return text;
    }
    switch (show) {
    case RY_SHOW_BOOL:
        (void)snprintf(text, RY_NUMBER_BYTES, "%s", value != 0.0 ? "yes" : "no");
        return text;
    case RY_SHOW_COUNT:
        return value == floor(value) ? grouped(value, text) : show_number(value, text);
    case RY_SHOW_YEAR:
        (void)snprintf(text, RY_NUMBER_BYTES, "%.0f", value);
        return text;
    case RY_SHOW_FRACTION:
        (void)snprintf(text, RY_NUMBER_BYTES, "%.*f %%", decimals(value * 100.0, 3),
                       value * 100.0);
        return text;
    case RY_SHOW_TEXT:
    case RY_SHOW_NUMBER:
        return show_number(value, text);
    case RY_SHOW_SECONDS:
    case RY_SHOW_BYTES:
    case RY_SHOW_BYTES_PER_S:
    case RY_SHOW_BITS_PER_S:
    case RY_SHOW_FLOP_PER_S:
    case RY_SHOW_WATTS:
    case RY_SHOW_JOULES:
    case RY_SHOW_USD:
    case RY_SHOW_METRES:
    case RY_SHOW_KILOGRAMS:
    case RY_SHOW_SCALED:
        break;
    }
    return show_scaled(show, value, text);
}

const char *ry_number_money(const struct ry_currency *currency, double amount_usd,
                            char text[RY_NUMBER_BYTES])
{
    char dollars[RY_NUMBER_BYTES];

    if (!currency || !isfinite(amount_usd))
        return ry_number_show(RY_SHOW_USD, amount_usd, text);
    ry_number_show(RY_SHOW_USD, ry_in_currency(currency, amount_usd), dollars);
    const char *number = strchr(dollars, '$');
    (void)snprintf(text, RY_NUMBER_BYTES, "%s%.4s %.28s", dollars[0] == '-' ? "-" : "",
                   currency->part.name, number ? number + 1 : dollars);
    return text;
}

const char *ry_number_exact(double value, char text[RY_NUMBER_BYTES])
{
    if (!isfinite(value)) {
        (void)snprintf(text, RY_NUMBER_BYTES, "null");
        return text;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, RY_NUMBER_BYTES, "%.*g", digits, value == 0.0 ? 0.0 : value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

void ry_json_put_number(FILE *out, double value)
{
    char text[RY_NUMBER_BYTES];
    (void)fputs(ry_number_exact(value, text), out);
}

/* Bytes of the valid UTF-8 character at @p text, or 0. */
static size_t utf8_bytes(const unsigned char *text)
{
    const unsigned char c = text[0];
    const size_t n = c < 0x80                ? 1
                     : c >= 0xc2 && c < 0xe0 ? 2
                     : c >= 0xe0 && c < 0xf0 ? 3
                     : c >= 0xf0 && c < 0xf5 ? 4
                                             : 0;

    for (size_t k = 1; k < n; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) ||
        (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

void ry_json_put_text(FILE *out, const char *text)
{
    if (!text) {
        (void)fputs("null", out);
        return;
    }
    (void)fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        const size_t n = utf8_bytes(at);
        if (n == 0)
            (void)fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            (void)fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            (void)fprintf(out, "\\u%04x", *at);
        else
            (void)fwrite(at, 1, n, out);
        at += n > 0 ? n : 1;
    }
    (void)fputc('"', out);
}

void ry_json_put_fitted(FILE *out, const char *key, double value)
{
    (void)fprintf(out, "\"%s\": ", key);
    if (isfinite(value))
        (void)fprintf(out, "%.7g", value);
    else
        (void)fputs("null", out);
}

void ry_json_put_member(FILE *out, const char *key, const char *text)
{
    (void)fprintf(out, "\"%s\": ", key);
    ry_json_put_text(out, text);
}
