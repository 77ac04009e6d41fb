/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/connector.h"

#include <string.h>

enum { WORD_BYTES = 32 };

/* The form factor: the first word, with the variants that plug into each other. */
static void form_factor(const char *text, char word[WORD_BYTES])
{
    size_t n = 0;

    while (n + 1 < WORD_BYTES && text[n] != '\0' && text[n] != ' ' && text[n] != '/') {
        word[n] = text[n];
        n++;
    }
    word[n] = '\0';
    if (strcmp(word, "OSFP112") == 0 || strcmp(word, "OSFP-RHS") == 0)
        word[4] = '\0'; /* OSFP */
    if (strcmp(word, "QSFP-DD800") == 0 || strcmp(word, "QSFP56-DD") == 0 ||
        strcmp(word, "QSFP112-DD") == 0)
        memcpy(word, "QSFP-DD", sizeof("QSFP-DD"));
}

static bool one_fits(const char *plug, const char *cage)
{
    char a[WORD_BYTES], b[WORD_BYTES];
    const bool flat_cage = strstr(cage, "flat-top") != NULL;
    const bool flat_plug = strstr(plug, "flat-top") != NULL;
    const bool twin_plug = strstr(plug, "twin-port") != NULL;

    form_factor(plug, a);
    form_factor(cage, b);
    if (strcmp(a, b) != 0)
        return strncmp(a, "QSFP112", 7) == 0 && strcmp(b, "QSFP-DD") == 0 ? true : false;
    /* A finned twin-port module does not go into a flat-top cage, nor the reverse. */
    return !(flat_cage && twin_plug) && !(flat_plug && strstr(cage, "twin-port"));
}

bool ry_connector_fits(const char *plug, const char *cage)
{
    for (const char *p = plug; p; p = strstr(p, " or ") ? strstr(p, " or ") + 4 : NULL) {
        for (const char *c = cage; c;
             c = strstr(c, " or ") ? strstr(c, " or ") + 4 : NULL) {
            if (one_fits(p, c))
                return true;
        }
    }
    return false;
}
