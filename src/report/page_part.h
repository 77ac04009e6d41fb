/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Sections of the report page, in their order; internal to report/page*.c.
 */
#ifndef RY_REPORT_PAGE_PART_H
#define RY_REPORT_PAGE_PART_H

#include "report/html.h"
#include "report/page.h"
#include "report/say.h"

void ry_page_answer(const struct ry_page *page, FILE *out);
void ry_page_ranking(const struct ry_page *page, FILE *out);
void ry_page_step(const struct ry_page *page, FILE *out);
void ry_page_scaling(const struct ry_page *page, FILE *out);
void ry_page_decides(const struct ry_page *page, FILE *out);
void ry_page_one_design(const struct ry_page *page, FILE *out);
void ry_page_sources(const struct ry_page *page, FILE *out);
void ry_page_data(const struct ry_page *page, FILE *out);

/** What to buy for one design, whose bill there is. */
void ry_page_buy(const struct ry_page *page, const struct ry_page_design *d, FILE *out);

/** What one colour stands for in the bars of step and memory. */
enum { RY_PAGE_STEP_GROUPS = 8, RY_PAGE_MEMORY_GROUPS = 6 };

struct ry_page_key {
    const char *name, *colour, *what;
};

const struct ry_page_key *ry_page_step_key(size_t i);
const struct ry_page_key *ry_page_memory_key(size_t i);

/** Sums of a step's parts by group; they add up to the step. */
void ry_page_step_groups(const struct ry_step *step, double sum[RY_PAGE_STEP_GROUPS]);
void ry_page_memory_groups(const struct ry_step *step, double sum[RY_PAGE_MEMORY_GROUPS]);

/** P10 and P90 of a figure over the draws; both NAN when the design was not drawn. */
void ry_page_spread(const struct ry_page_design *d, enum ry_metric metric, double *low,
                    double *high);

/** "is cheapest per token": what the first of the ranking is. */
const char *ry_page_superlative(const struct ry_page *page);

/** How a figure of what is ranked by is said. */
enum ry_say ry_page_objective_say(const struct ry_page *page);

/** A share of draws: "97.3 %", "over 99.9 %", "never". */
const char *ry_page_share(const struct ry_page *page, double frac);

/** The same in words: "97 of 100 draws", "every draw". */
const char *ry_page_draws(const struct ry_page *page, double frac);

/** What the first is compared with, or NULL. */
const struct ry_page_design *ry_page_rival(const struct ry_page *page);

/** How many designs may be the best: 1 when the first is in enough draws; 0: not
 * drawn. */
size_t ry_page_contenders(const struct ry_page *page);

/** Whether a design is one of them. */
bool ry_page_contends(const struct ry_page *page, const struct ry_page_design *d);

/** How often each design is the best, and which places are open. */
void ry_page_confidence(const struct ry_page *page, FILE *out);

/** The data of the tornado, as JSON members behind others. */
void ry_page_tornado_data(const struct ry_page *page, FILE *out);

/** ,"key":{"v":1,"t":"1 s"} */
void ry_page_put_said(const struct ry_page *page, FILE *out, const char *key,
                      enum ry_say kind, double value);

/** Why a design is not usable: the limit with both numbers, or what does not fit. */
const char *ry_page_reason(const struct ry_page *page, const struct ry_page_design *d);

/** " · "-joined facts of a design: "256 GPUs · 32 × DGX-H100 · InfiniBand 1:1". */
const char *ry_page_subtitle(struct ry_arena *arena, const struct ry_design *design);

/** "cost" texts that say what has no price: "$11.3 M", or "no price". */
const char *ry_page_money(struct ry_arena *arena, const struct ry_money *money);

/** An id that is safe in markup: "d3". */
const char *ry_page_id(const struct ry_page *page, const struct ry_page_design *d);

/** "Four-year cost", or "Cost to own" when designs differ in years. */
const char *ry_page_tco_title(const struct ry_page *page);

/** Print a number for a data-v attribute; nothing for NaN. */
void ry_page_exact(FILE *out, double value);

/** Formatted text of the page's arena, "" when out of memory. */
const char *ry_page_fmt(const struct ry_page *page, const char *fmt, ...) RY_PRINTF(2, 3);

#endif
