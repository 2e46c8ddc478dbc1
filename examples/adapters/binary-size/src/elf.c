/* SPDX-License-Identifier: Apache-2.0 */
/* Layout: System V ABI, https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html */
#include "elf.h"

#include <string.h>

enum { NOBITS = 8, WRITE = 1, ALLOCATED = 2, INSTRUCTIONS = 4 };

struct order {
    int wide;
    int big;
};

static uint64_t number(const unsigned char *at, int size, int big)
{
    uint64_t value = 0;
    for (int byte = 0; byte < size; byte++)
        value = value << 8 | at[big ? byte : size - 1 - byte];
    return value;
}

static int read_at(FILE *file, uint64_t place, unsigned char *into, size_t size)
{
    return place <= INT64_MAX && fseeko(file, (off_t)place, SEEK_SET) == 0 && fread(into, 1, size, file) == size;
}

static void add_section(const unsigned char *header, struct order order, struct sizes *found)
{
    uint64_t type = number(header + 4, 4, order.big);
    uint64_t flags = number(header + 8, order.wide ? 8 : 4, order.big);
    uint64_t size = number(header + (order.wide ? 32 : 20), order.wide ? 8 : 4, order.big);
    if (!(flags & ALLOCATED))
        return;
    if ((flags & INSTRUCTIONS) || !(flags & WRITE))
        found->text += size;
    else if (type != NOBITS)
        found->data += size;
    else
        found->bss += size;
}

enum elf_answer elf_sizes(FILE *file, struct sizes *found)
{
    unsigned char start[64] = {0}, header[64];
    size_t got = fread(start, 1, sizeof start, file);
    if (got < 4 || memcmp(start, "\177ELF", 4) != 0)
        return ELF_NONE;
    struct order order = {start[4] == 2, start[5] == 2};
    if ((start[4] != 1 && start[4] != 2) || (start[5] != 1 && start[5] != 2) || got < (order.wide ? 64 : 52))
        return ELF_BROKEN;
    uint64_t table = order.wide ? number(start + 40, 8, order.big) : number(start + 32, 4, order.big);
    uint64_t each = number(start + (order.wide ? 58 : 46), 2, order.big);
    uint64_t count = number(start + (order.wide ? 60 : 48), 2, order.big);
    size_t size = order.wide ? 64 : 40;
    *found = (struct sizes){0};
    if (fseeko(file, 0, SEEK_END) != 0)
        return ELF_BROKEN;
    found->file = (uint64_t)ftello(file);
    if (table == 0)
        return ELF_READ;
    if (each < size)
        return ELF_BROKEN;
    for (uint64_t index = 0; index < count || index == 0; index++) {
        if (table > found->file || index * each > found->file || !read_at(file, table + index * each, header, size))
            return ELF_BROKEN;
        /* Above 65,279 sections the first one has their number. */
        if (index == 0 && count == 0)
            count = number(header + (order.wide ? 32 : 20), order.wide ? 8 : 4, order.big);
        add_section(header, order, found);
    }
    return ELF_READ;
}
