/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Days of the calendar.
 */
#ifndef RY_BASE_DATE_H
#define RY_BASE_DATE_H

/** 28 to 31; 0 where @p month is not 1 to 12. */
unsigned ry_days_of_month(unsigned year, unsigned month);

#endif
