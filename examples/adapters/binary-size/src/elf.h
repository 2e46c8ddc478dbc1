/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of ELF files of either width and either byte order, without libelf. */
#include <stdint.h>
#include <stdio.h>

struct sizes {
    uint64_t text, data, bss, file;
};

enum elf_answer { ELF_NONE, ELF_READ, ELF_BROKEN };

/* Sums up the sections of a file as size(1) does: what is loaded and can't be written is text. */
enum elf_answer elf_sizes(FILE *file, struct sizes *found);
