/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf.h"

static unsigned char image[512];

static void put(size_t place, uint64_t value, int size, int big)
{
    for (int byte = 0; byte < size; byte++)
        image[place + (size_t)(big ? size - 1 - byte : byte)] = (unsigned char)(value >> 8 * byte);
}

static void section(size_t place, int wide, int big, uint64_t type, uint64_t flags, uint64_t size)
{
    put(place + 4, type, 4, big);
    put(place + 8, flags, wide ? 8 : 4, big);
    put(place + (wide ? 32 : 20), size, wide ? 8 : 4, big);
}

static void expect(const char *what, size_t length, enum elf_answer answer, struct sizes wanted)
{
    struct sizes found = {0};
    FILE *file = fmemopen(image, length, "rb");
    enum elf_answer came = elf_sizes(file, &found);
    fclose(file);
    if (came != answer || (answer == ELF_READ && memcmp(&found, &wanted, sizeof wanted) != 0)) {
        fprintf(stderr, "%s: %d, text %" PRIu64 ", data %" PRIu64 ", bss %" PRIu64 ", file %" PRIu64 "\n", what, came,
                found.text, found.data, found.bss, found.file);
        exit(1);
    }
}

int main(void)
{
    for (int wide = 0; wide <= 1; wide++) {
        for (int big = 0; big <= 1; big++) {
            size_t each = wide ? 64 : 40, first = 128;
            memset(image, 0, sizeof image);
            memcpy(image, "\177ELF", 4);
            image[4] = (unsigned char)(wide + 1);
            image[5] = (unsigned char)(big + 1);
            put(wide ? 40 : 32, first, wide ? 8 : 4, big);
            put(wide ? 58 : 46, each, 2, big);
            put(wide ? 60 : 48, 5, 2, big);
            section(first + each, wide, big, 1, 2 | 4, 100);     /* instructions */
            section(first + 2 * each, wide, big, 1, 2, 10);      /* constants */
            section(first + 3 * each, wide, big, 1, 2 | 1, 7);   /* data */
            section(first + 4 * each, wide, big, 8, 2 | 1, 3);   /* bss */
            expect("sections", sizeof image, ELF_READ, (struct sizes){110, 7, 3, sizeof image});
            expect("cut off", first + 2 * each, ELF_BROKEN, (struct sizes){0});
            expect("cut off early", 30, ELF_BROKEN, (struct sizes){0});
            put(wide ? 40 : 32, UINT32_MAX, wide ? 8 : 4, big);
            expect("a table far away", sizeof image, ELF_BROKEN, (struct sizes){0});
        }
    }
    memset(image, 0, sizeof image);
    expect("zeros", sizeof image, ELF_NONE, (struct sizes){0});
    return 0;
}
