/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The columns of catalog files as data: name, kind, place in the part, unit and bounds.
 */
#ifndef RY_CATALOG_FIELDS_H
#define RY_CATALOG_FIELDS_H

#include <stddef.h>

/** What a field holds, for showing it. */
enum ry_field_kind {
    RY_FIELD_TEXT,
    RY_FIELD_NUMBER,
    RY_FIELD_COUNT,
    RY_FIELD_YEAR,
    RY_FIELD_FRACTION,
    RY_FIELD_BYTES,
    RY_FIELD_BYTES_PER_S,
    RY_FIELD_BITS_PER_S, /**< bytes a second, that people know in bits a second */
    RY_FIELD_FLOP_PER_S,
    RY_FIELD_SECONDS,
    RY_FIELD_WATTS,
    RY_FIELD_VOLTS,
    RY_FIELD_AMPERES,
    RY_FIELD_CELSIUS,
    RY_FIELD_METRES,
    RY_FIELD_KILOGRAMS,
    RY_FIELD_M3_PER_S,
    RY_FIELD_USD,
    RY_FIELD_USD_PER_H,
    RY_FIELD_USD_PER_KWH,
};

/** A column of a kind: `const char *` or `double` at an offset in the part. */
struct ry_field {
    const char *key;    /**< name in the struct, with the SI unit */
    const char *column; /**< name in the CSV file, with its unit */
    enum ry_field_kind kind;
    size_t offset;
    double si;          /**< SI value of one in the file */
    double least, most; /**< bounds in the file's unit */
};

#endif
