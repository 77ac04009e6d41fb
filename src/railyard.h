/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * librailyard: models of GPU training clusters, as one header.
 *
 * What is here is plain data and functions of it: an arena (ry_arena_create) owns what a
 * call returns; a call that can fail returns enum ry_err and fills a struct ry_diag.
 * ry_step_predict() times a training step, ry_collective() a collective, ry_search_*
 * the strategies of a space; readers of files are ry_json_open(), ry_catalog_load().
 */
#ifndef RY_RAILYARD_H
#define RY_RAILYARD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/names.h"
#include "base/problems.h"
#include "base/units.h"
#include "catalog/parts.h"
#include "catalog/price.h"
#include "comm/net.h"
#include "comm/net_build.h"
#include "design/design.h"
#include "io/catalog_csv.h"
#include "io/catalog_exchange.h"
#include "io/catalog_quotes.h"
#include "io/json.h"
#include "kernel/compute_model.h"
#include "plan/plan.h"
#include "search/search.h"
#include "sim/machine.h"
#include "sim/step.h"
#include "workload/arch.h"
#include "workload/strategy.h"
#include "workload/traits.h"

#endif
