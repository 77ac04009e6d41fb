/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * An arena and a list of mistakes for each test, from set_up() to tear_down().
 */
#ifndef RY_TESTS_ARENA_FIXTURE_H
#define RY_TESTS_ARENA_FIXTURE_H

#include "base/arena.h"
#include "base/problems.h"

#include "unit.h"

static struct ry_arena *arena;
static struct ry_problems problems;

static void set_up(void)
{
    arena = ry_arena_create(0);
    problems.count = 0;
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

#endif
