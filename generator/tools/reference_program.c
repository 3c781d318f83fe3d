// Writes a page of the reference to standard output: `reference schema.md`, `reference kin.1`, `reference
// kin-schema.5`.
#include "generator/tools/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool append_page(text *out, const char *name)
{
    if (strcmp(name, "schema.md") == 0)
        reference_append_markdown(out, language_values);
    else if (strcmp(name, "kin-schema.5") == 0)
        reference_append_schema_page(out, language_values);
    else if (strcmp(name, "kin.1") == 0)
        reference_append_kin_page(out);
    return out->size > 0;
}

static void give_up(size_t size)
{
    fprintf(stderr, "reference: no memory for %zu bytes\n", size);
}

int main(int argc, char **argv)
{
    arena arena = {.give_up = give_up};
    text out = text_create(&arena);
    bool is_known = argc == 2 && append_page(&out, argv[1]);
    bool is_written = is_known && fputs(out.bytes, stdout) >= 0 && fflush(stdout) == 0;
    if (!is_written)
        fputs("usage: reference schema.md | kin.1 | kin-schema.5\n", stderr);
    arena_release(&arena);
    if (!is_written)
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
