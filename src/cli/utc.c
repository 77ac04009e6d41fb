/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/utc.h"

#include <errno.h>
#include <stdlib.h>

enum ry_err ry_utc(struct tm *utc, struct ry_diag *diag)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    time_t now = 0;

    errno = 0;
    now = epoch ? (time_t)strtoll(epoch, &end, 10) : time(NULL);
    if (epoch && (end == epoch || *end != '\0' || errno == ERANGE))
        return ry_fail(diag, RY_ERR_RANGE, "SOURCE_DATE_EPOCH",
                       "'%.40s' is not a number of seconds", epoch);
    if (!gmtime_r(&now, utc) || utc->tm_year > 9999 - 1900 || utc->tm_year < -1900)
        return ry_fail(diag, RY_ERR_RANGE, "SOURCE_DATE_EPOCH",
                       "%lld s is no time of a year "
                       "0 to 9999",
                       (long long)now);
    return RY_OK;
}
