// Verbs: what kin does with saves, on files in memory.
#ifndef KIN_TESTS_FUZZ_VERBS_H
#define KIN_TESTS_FUZZ_VERBS_H

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/save/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_SIZE = 256 };

static inline void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

// A file in memory, which has a path.
typedef struct memory_file {
    int number;
    char path[PATH_SIZE];
} memory_file;

static inline memory_file memory_file_create(const void *bytes, size_t size)
{
    memory_file file = {.number = memfd_create("kin", 0)};
    expect(file.number >= 0 && write(file.number, bytes, size) == (ssize_t)size, "no file in memory");
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.number);
    return file;
}

// Formats all messages, as a verb does.
static inline void print(diagnostics *diagnostics)
{
    FILE *nowhere = fopen("/dev/null", "w");
    diagnostics_print(diagnostics, nowhere);
    fclose(nowhere);
}

// Reads a schema that has no mistake.
static inline package *read_schema(arena *arena, const char *schema)
{
    diagnostics diagnostics = diagnostics_create(arena);
    package *package = package_read(arena, &diagnostics, source_from_bytes(arena, "past.yaml", schema, strlen(schema)));
    if (package == NULL)
        diagnostics_print(&diagnostics, stderr);
    expect(package != NULL, "the schema is wrong");
    return package;
}

// Appends the lines of a file, unless `lines` is NULL. Returns the exit status, as the following do.
static inline int dump(arena *arena, const char *path, text *lines)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&bytes, &size);
    diagnostics diagnostics = diagnostics_create(arena);
    int status = dump_file(arena, &diagnostics, path, DUMP_LINES, output);
    fclose(output);
    if (lines != NULL)
        text_append(lines, bytes, size);
    free(bytes);
    return status;
}

static inline int pack(arena *arena, const package *package, const text *lines, const char *path)
{
    memory_file input = memory_file_create(lines->bytes, lines->size);
    diagnostics diagnostics = diagnostics_create(arena);
    int status = pack_file(arena, &diagnostics, package, input.path, path);
    print(&diagnostics);
    close(input.number);
    return status;
}

static inline int diff(arena *arena, const char *one, const char *other)
{
    FILE *nowhere = fopen("/dev/null", "w");
    diagnostics diagnostics = diagnostics_create(arena);
    int status = save_diff(arena, &diagnostics, (const char *const[]){one, other}, nowhere);
    fclose(nowhere);
    return status;
}

static inline void temporary_path(char *path, const char *end)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH_SIZE, "%s/kin-fuzz-%d%s", folder == NULL ? "/tmp" : folder, (int)getpid(), end);
}

// Packs lines into the file at `path`. If they are accepted, the file is read, and its lines are packed into a file of
// the same lines. Returns whether they are accepted.
static inline bool pack_twice(arena *arena, const package *package, const text *lines, const char *path)
{
    char again[PATH_SIZE];
    text dumped = text_create(arena), second = text_create(arena);
    if (pack(arena, package, lines, path) != 0)
        return false;
    temporary_path(again, "-again.kin");
    expect(dump(arena, path, &dumped) == 0, "what was packed cannot be read");
    expect(pack(arena, package, &dumped, again) == 0, "what was dumped cannot be packed");
    expect(dump(arena, again, &second) == 0, "what was packed again cannot be read");
    expect(second.size == dumped.size && memcmp(second.bytes, dumped.bytes, dumped.size) == 0, "lines differ");
    remove(again);
    return true;
}

#endif
