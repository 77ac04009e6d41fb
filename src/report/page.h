/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The report: one page that holds a decision, everything it rests on, and nothing that
 * was not computed.
 *
 * Who calls it plans and ranks; this only says it.  Numbers are formatted here once
 * (report/say.h), and stand beside their exact values, so that the page can be compared
 * with `railyard rank --format json`.
 */
#ifndef RY_REPORT_PAGE_H
#define RY_REPORT_PAGE_H

#include "base/arena.h"
#include "base/err.h"
#include "io/file.h"
#include "search/rank.h"
#include "uncertainty/tornado.h"

#include <stdbool.h>
#include <stdio.h>

struct ry_facility;
struct ry_graph;
struct ry_site_bill;

/* Of so many designs the page plans the site, and shows the parts of the step. */
enum { RY_PAGE_SCALES = 7, RY_PAGE_SITES_MOST = 12, RY_PAGE_BARS_MOST = 24 };
/* Of so many inputs the page has the sensitivity. */
enum { RY_PAGE_INPUTS_MOST = 40 };

/** The same design with another number of nodes, ranked again. */
struct ry_page_scale {
    size_t gpus;
    bool fits;
    bool planned;                /**< the design as it is */
    const char *why;             /**< it does not fit */
    double tokens_per_s, lo, hi; /**< of all GPUs; lo, hi by the step's interval */
    double days;
};

struct ry_page_design {
    const struct ry_case *c;
    const char *name, *strategy;
    size_t rank; /**< from 1; 0: not ranked */
    bool fits;   /**< some strategy fits memory and the fabric can be built */
    bool meets;  /**< every limit, too */
    bool front;  /**< no design is both cheaper and faster */
    const struct ry_confidence *sure; /**< NULL: not drawn */
    const struct ry_facility *site;   /**< NULL: `site_why` says why */
    const struct ry_graph *graph;     /**< NULL: no network */
    const struct ry_site_bill *bill;
    const char *site_why;
    size_t scales_n; /**< 0: not computed */
    struct ry_page_scale scales[RY_PAGE_SCALES];
    double node_break_even_usd; /**< of one node, where the next design wins; NAN */
};

struct ry_page {
    struct ry_arena *arena;
    const char *date; /**< "2026-11-30" */
    int year, month;  /**< of it */
    const char *version;
    const char *inputs; /**< names of the files */
    const struct ry_workload *workload;
    enum ry_objective objective;
    struct ry_constraints limits;
    size_t n, usable;          /**< usable: those that meet every limit, first */
    struct ry_page_design *at; /**< [n] in the order of the ranking */
    size_t draws, seed;        /**< of the Monte Carlo */
    /** What the first is compared with: the next that does not equal it in every draw;
     * `usable`: none. */
    size_t rival;
    /** Of the first over the next; n 0: none, or money with parts that have no price. */
    struct ry_tornado tornado;
    struct ry_text shell, style, script; /**< share/report */
    struct ry_text charts, type;         /**< the chart library and the font; bytes 0 */
};

/** Fill in rank, fits, meets and front, from the cases in order. */
void ry_page_place(struct ry_page *page);

/** Print it. */
void ry_page_write(const struct ry_page *page, FILE *out);

#endif
