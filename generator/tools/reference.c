// Writes a page of the reference to standard output: `reference schema.md`, `reference kin.1`, `reference
// kin-schema.5`.
#include "tools/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*append)(text *out);
} pages[] = {
    {"schema.md", reference_append_markdown},
    {"kin.1", reference_append_kin_page},
    {"kin-schema.5", reference_append_schema_page},
};

static void give_up(size_t size)
{
    fprintf(stderr, "reference: no memory for %zu bytes\n", size);
}

int main(int argc, char **argv)
{
    arena arena = {.give_up = give_up};
    text out = text_create(&arena);
    for (size_t i = 0; i < sizeof pages / sizeof *pages && argc == 2; i++)
        if (strcmp(pages[i].name, argv[1]) == 0)
            pages[i].append(&out);
    bool is_written = out.size > 0 && fputs(out.bytes, stdout) >= 0 && fflush(stdout) == 0;
    if (!is_written)
        fputs("usage: reference schema.md | kin.1 | kin-schema.5\n", stderr);
    arena_release(&arena);
    return is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}
