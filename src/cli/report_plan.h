/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a report needs beside a ranking: each design planned out, ranked again at other
 * sizes, and drawn.
 */
#ifndef RY_CLI_REPORT_PLAN_H
#define RY_CLI_REPORT_PLAN_H

#include "cli/plan_cases.h"
#include "cli/rank_more.h"
#include "report/page.h"

/**
 * Plan racks, network and bill of the page's first RY_PAGE_SITES_MOST designs.  What
 * cannot be planned says why on the page; only no memory is an error.
 */
RY_MUST_USE enum ry_err ry_report_sites(struct ry_plan_session *session,
                                        struct ry_page *page, struct ry_diag *diag);

/** Rank designs with a network again with 1/8 to 8 times the nodes, without limits;
 * progress on a terminal unless @p quiet. */
RY_MUST_USE enum ry_err ry_report_scales(struct ry_plan_session *session,
                                         struct ry_page *page, bool quiet,
                                         struct ry_diag *diag);

/**
 * Draw what is not known exactly page->draws times: ranges, how often each is the best,
 * and which input decides.
 * @param order [page->n] the cases of the page's designs.
 */
RY_MUST_USE enum ry_err ry_report_sure(struct ry_case *const order[],
                                       struct ry_page *page, struct ry_diag *diag);

/** Set the price of a node at which the second design would be first. */
void ry_report_break_even(struct ry_page *page);

#endif
