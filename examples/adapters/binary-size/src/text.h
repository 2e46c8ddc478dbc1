/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

/* A path as text: bytes that aren't UTF-8 become \xNN. The caller frees it. */
char *path_text(const char *path);

/* A text as a JSON string. */
void put_string(FILE *out, const char *text);
