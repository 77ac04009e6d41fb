/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/date.h"

#include <stdbool.h>

unsigned ry_days_of_month(unsigned year, unsigned month)
{
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    if (month < 1 || month > 12)
        return 0;
    if (month == 2)
        return leap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}
