/* SPDX-License-Identifier: Apache-2.0 */
/* binary:size: builds what is to be measured, looks at every file, and writes binary-size.json. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf.h"
#include "text.h"

static const char usage[] =
    "usage: binary:size --task-dir DIR [--make TARGET] [--commitment FILE] [--claim FILE] [--profile FILE]\n";

struct call {
    const char *task_dir;
    const char *target;
};

struct named {
    char *name;
    char *text;
};

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "%s: %s: %s\n", which, what, strerror(errno));
    exit(1);
}

static int understood(int count, char **words, struct call *call)
{
    if (count < 2 || strcmp(words[1], "binary:size") != 0)
        return 0;
    for (int at = 2; at < count; at += 2) {
        if (at + 1 == count)
            return 0;
        if (strcmp(words[at], "--task-dir") == 0)
            call->task_dir = words[at + 1];
        else if (strcmp(words[at], "--make") == 0)
            call->target = words[at + 1];
        else if (strcmp(words[at], "--commitment") != 0 && strcmp(words[at], "--claim") != 0 &&
                 strcmp(words[at], "--profile") != 0)
            return 0;
    }
    return call->task_dir != NULL;
}

/* Runs make; what it prints is for people, and stderr is theirs. */
static void build(const char *target)
{
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execlp("make", "make", "--silent", "--", target, (char *)NULL);
        fprintf(stderr, "make can't be started: %s\n", strerror(errno));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        fail("can't be run", "make");
    if (status != 0) {
        fprintf(stderr, "make %s didn't end well: what it builds can't be measured\n", target);
        exit(1);
    }
}

static int by_text(const void *one, const void *other)
{
    return strcmp(((const struct named *)one)->text, ((const struct named *)other)->text);
}

/* Every file that is tracked, and with a build those that aren't: sorted by their names as text. */
static struct named *listed(int built, size_t *count)
{
    FILE *names = popen(built ? "git ls-files -z --cached --others" : "git ls-files -z --cached", "r");
    struct named *found = NULL;
    char *name = NULL;
    size_t room = 0;
    *count = 0;
    if (names == NULL)
        fail("can't be started", "git");
    while (getdelim(&name, &room, '\0', names) > 0) {
        found = realloc(found, (*count + 1) * sizeof *found);
        if (found == NULL)
            fail("no memory", name);
        found[(*count)++] = (struct named){strdup(name), path_text(name)};
    }
    free(name);
    if (pclose(names) != 0) {
        fputs("git ls-files failed\n", stderr);
        exit(1);
    }
    if (*count > 0)
        qsort(found, *count, sizeof *found, by_text);
    return found;
}

static enum elf_answer measured(const struct named *path, struct sizes *size)
{
    FILE *file = fopen(path->name, "rb");
    if (file == NULL)
        fail("can't be read", path->text);
    enum elf_answer answer = elf_sizes(file, size);
    fclose(file);
    return answer;
}

static void put_sizes(FILE *out, const struct sizes *size)
{
    fprintf(out, "{\"bss\":%" PRIu64 ",\"data\":%" PRIu64 ",\"file\":%" PRIu64 ",\"text\":%" PRIu64 "}", size->bss,
            size->data, size->file, size->text);
}

int main(int count, char **words)
{
    struct call call = {NULL, NULL};
    if (!understood(count, words, &call)) {
        fputs(usage, stderr);
        return 2;
    }
    if (call.target != NULL)
        build(call.target);

    char target[4096], part[4096];
    if (snprintf(target, sizeof target, "%s/binary-size.json", call.task_dir) >= (int)sizeof target - 5)
        return 2;
    snprintf(part, sizeof part, "%s/binary-size.json.part", call.task_dir);
    FILE *out = fopen(part, "wb");
    if (out == NULL)
        fail("can't be written", part);

    size_t files = 0;
    struct named *paths = listed(call.target != NULL, &files);
    struct sizes total = {0}, size;
    uint64_t examined = 0;
    int some = 0;
    char *broken = NULL;
    size_t broken_size = 0;
    FILE *broken_out = open_memstream(&broken, &broken_size);
    if (broken_out == NULL)
        fail("no memory", "broken files");
    fputs("{\"binaries\":[", out);
    for (size_t at = 0; at < files; at++) {
        struct stat info;
        if (lstat(paths[at].name, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        examined++;
        enum elf_answer answer = measured(&paths[at], &size);
        if (answer == ELF_NONE)
            continue;
        if (answer == ELF_BROKEN) {
            if (ftello(broken_out) > 0)
                putc(',', broken_out);
            put_string(broken_out, paths[at].text);
            continue;
        }
        fputs(some ? ",{\"path\":" : "{\"path\":", out);
        put_string(out, paths[at].text);
        fputs(",\"size\":", out);
        put_sizes(out, &size);
        putc('}', out);
        some = 1;
        total.text += size.text;
        total.data += size.data;
        total.bss += size.bss;
        total.file += size.file;
    }
    fclose(broken_out);
    fprintf(out, "],\"broken\":[%s],\"files_examined\":%" PRIu64 ",\"total\":", broken, examined);
    free(broken);
    put_sizes(out, &total);
    fputs("}\n", out);
    if (fclose(out) != 0 || rename(part, target) != 0)
        fail("can't be written", target);
    return 0;
}
