/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the readers of a design's objects share: where they read and the figures that a
 * row of the catalog of rates stands in for, each with its origin; internal to
 * io/design_*.c.
 */
#ifndef RY_IO_DESIGN_READER_H
#define RY_IO_DESIGN_READER_H

#include "design/design.h"
#include "io/json.h"
#include "io/part_file.h"

#include <stddef.h>

/** Most nodes, and most racks. */
enum { RY_DESIGN_NODES_MOST = 10000000 };

/** What reading one design needs at hand. */
struct ry_design_reader {
    struct ry_arena *arena;
    struct ry_json at; /**< the design */
    struct ry_part_scope scope;
    struct ry_design *design;
};

/** One figure that the file may give and a row of rates.csv stands in for. */
struct ry_design_input {
    const char *key; /**< in its object */
    enum ry_dim dim;
    const char *rate; /**< row of the catalog of rates, NULL: no default row */
    double rate_si;   /**< value of one unit of that row */
    size_t offset;    /**< of the field, a double, in struct ry_design */
    const char *unit; /**< for people */
};

/** Read @p n figures of an object and note where each is from; a problem where neither
 * the file nor the catalog gives one. */
void ry_design_inputs_read(const struct ry_design_reader *r, struct ry_json at,
                           const struct ry_design_input inputs[], size_t n);

/** Note a figure and where it is from; NULL texts: "". */
void ry_design_note(const struct ry_design_reader *r, const char *what, const char *value,
                    const char *from);

/** Note a part and its row; NULL: nothing. */
void ry_design_note_part(const struct ry_design_reader *r, const char *what,
                         const struct ry_part *part);

/** Note the range of a figure that was assumed, by a row that gives one: SI as the field
 * at @p offset; nothing where it is none. */
void ry_design_note_range(const struct ry_design_reader *r, const char *what,
                          size_t offset, double low, double high);

/** "0.08 a year"; "" when out of memory. */
const char *ry_design_text(const struct ry_design_reader *r, double value,
                           const char *unit);

/** "catalog rates.csv:12: NAME (2024), source"; NULL when out of memory. */
const char *ry_design_row_text(const struct ry_design_reader *r,
                               const struct ry_part *part);

/** Read NICs, compute fabric and the networks beside it; the node is read. */
void ry_design_fabric_read(const struct ry_design_reader *r);

/** Read facility, finance and reliability; the fabric is read. */
void ry_design_site_read(const struct ry_design_reader *r);

#endif
