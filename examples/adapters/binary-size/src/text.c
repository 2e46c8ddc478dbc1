/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes the UTF-8 character at the start takes, 0 if there is none (RFC 3629). */
static int character(const unsigned char *at)
{
    int more;
    unsigned char low = 0x80, high = 0xbf;
    if (at[0] < 0x80)
        return 1;
    if (at[0] >= 0xc2 && at[0] <= 0xdf)
        more = 1;
    else if (at[0] >= 0xe0 && at[0] <= 0xef)
        more = 2;
    else if (at[0] >= 0xf0 && at[0] <= 0xf4)
        more = 3;
    else
        return 0;
    if (at[0] == 0xe0)
        low = 0xa0;
    else if (at[0] == 0xed)
        high = 0x9f;
    else if (at[0] == 0xf0)
        low = 0x90;
    else if (at[0] == 0xf4)
        high = 0x8f;
    if (at[1] < low || at[1] > high)
        return 0;
    for (int next = 2; next <= more; next++)
        if (at[next] < 0x80 || at[next] > 0xbf)
            return 0;
    return more + 1;
}

char *path_text(const char *path)
{
    const unsigned char *at = (const unsigned char *)path;
    /* A byte takes four characters at most. */
    char *text = malloc(4 * strlen(path) + 1), *end = text;
    if (text == NULL)
        abort();
    while (*at != '\0') {
        int size = character(at);
        if (size == 0) {
            end += sprintf(end, "\\x%02x", *at++);
        } else {
            memcpy(end, at, (size_t)size);
            end += size;
            at += size;
        }
    }
    *end = '\0';
    return text;
}

void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            putc(*at, out);
    }
    putc('"', out);
}
