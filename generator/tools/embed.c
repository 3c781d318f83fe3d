// Embed: the build-time program that turns templates and other texts into C, `embed OUTPUT.c NAME FILE...`, where each
// file is called NAME.mustache or NAME.txt.
//
// The output defines the library NAME that render/render.h declares. Bytes are written as lists of integers, since C
// only guarantees string literals of 4095 bytes; a NUL follows. Templates are sorted by name, and the output contains
// no paths, so it does not depend on the order of arguments or the place of the build.
#include "generator/tools/tools.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_A_LINE = 24 };

static const char *const suffixes[] = {".mustache", ".txt"};

typedef struct embedded {
    const char *path;
    const char *name; // points into `path`, not NUL-terminated
    int name_size;
} embedded;

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2), noreturn))
#endif
static void
fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("embed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

// Returns the length of the name before its suffix; 0 if the suffix is unknown or the name empty.
static size_t stem_size(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (size > suffix && strcmp(name + size - suffix, suffixes[i]) == 0)
            return size - suffix;
    }
    return 0;
}

static embedded embedded_from_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = path;
    if (slash != NULL)
        name = slash + 1;
    size_t size = stem_size(name);
    if (size == 0)
        fail("'%s' is no %s or %s file", path, suffixes[0], suffixes[1]);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") != strlen(name))
        fail("'%s' has more than letters, digits, '_', '.' and '-' in its name", path);
    return (embedded){path, name, (int)size};
}

static int compare_names(const void *a, const void *b)
{
    const embedded *first = a;
    const embedded *second = b;
    int common = first->name_size;
    if (second->name_size < common)
        common = second->name_size;
    int order = memcmp(first->name, second->name, (size_t)common);
    if (order == 0)
        order = first->name_size - second->name_size;
    return order;
}

static void write_bytes(FILE *output, FILE *input)
{
    for (int byte = fgetc(input), column = 0; byte != EOF; byte = fgetc(input)) {
        if (column == 0)
            fprintf(output, "\n   ");
        fprintf(output, " %d,", byte);
        column = (column + 1) % BYTES_A_LINE;
    }
}

static void write_template(FILE *output, const embedded *source, int index)
{
    assert(source->name_size > 0);
    FILE *input = fopen(source->path, "rb");
    if (input == NULL)
        fail("cannot read '%s': %s", source->path, strerror(errno));
    fprintf(output, "// %.*s\nstatic const unsigned char bytes_%d[] = {", source->name_size, source->name, index);
    write_bytes(output, input);
    fprintf(output, "\n    0,\n};\n\n");
    if (ferror(input))
        fail("cannot read '%s': %s", source->path, strerror(errno));
    fclose(input);
}

static void write_library(FILE *output, const char *name, const embedded *templates, int count)
{
    fprintf(output, "// Made by embed; not for editing.\n#include \"generator/render/render.h\"\n\n");
    for (int i = 0; i < count; i++)
        write_template(output, &templates[i], i);
    if (count == 0) {
        fprintf(output, "const mustache_library %s = {NULL, 0};\n", name);
        return;
    }
    fprintf(output, "static const mustache_template templates[] = {\n");
    for (int i = 0; i < count; i++)
        fprintf(output, "    {\"%.*s\", (const char *)bytes_%d, sizeof bytes_%d - 1},\n", templates[i].name_size,
                templates[i].name, i, i);
    fprintf(output, "};\n\nconst mustache_library %s = {templates, %d};\n", name, count);
}

static embedded *collect(char **paths, int count)
{
    embedded *templates = calloc((size_t)count + 1, sizeof *templates);
    if (templates == NULL)
        fail("out of memory");
    for (int i = 0; i < count; i++)
        templates[i] = embedded_from_path(paths[i]);
    qsort(templates, (size_t)count, sizeof *templates, compare_names);
    for (int i = 1; i < count; i++)
        if (compare_names(&templates[i - 1], &templates[i]) == 0)
            fail("'%s' and '%s' have one name", templates[i - 1].path, templates[i].path);
    return templates;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        fail("usage: embed OUTPUT.c NAME FILE...");
    embedded *templates = collect(argv + 3, argc - 3);
    FILE *output = fopen(argv[1], "wb");
    if (output == NULL)
        fail("cannot write '%s': %s", argv[1], strerror(errno));
    write_library(output, argv[2], templates, argc - 3);
    int is_written = !ferror(output);
    if (fclose(output) != 0 || !is_written)
        fail("cannot write '%s'", argv[1]);
    free(templates);
    return EXIT_SUCCESS;
}
