#include "verbs/scaffold_check.h"

#include "generator/base/base.h"
#include "generator/source/source.h"
#include "verbs/definitions.h"

#include <stdio.h>

// Adds the names of the functions that the file defines; reports a file that cannot be read.
static void read_file(arena *arena, diagnostics *diagnostics, const char *path, dictionary *defined)
{
    const source *source = source_load(arena, diagnostics, path);
    if (source == NULL)
        return;
    const char *at = source->bytes;
    for (definition_found found; (found = definitions_next(arena, source->bytes, &at)).name != NULL;)
        dictionary_add(defined, found.name, found.signature);
}

int scaffold_check(arena *arena, diagnostics *diagnostics, const char *const *paths, const text *stubs,
                   size_t stub_count)
{
    dictionary defined = dictionary_create(arena);
    int status = STATUS_DONE;
    for (; *paths != NULL; paths++)
        read_file(arena, diagnostics, *paths, &defined);
    if (diagnostics_exit_status(diagnostics) != STATUS_DONE)
        return diagnostics_exit_status(diagnostics);
    for (size_t i = 0; i < stub_count; i++) {
        const char *at = stubs[i].bytes;
        for (definition_found found; (found = definitions_next(arena, stubs[i].bytes, &at)).name != NULL;) {
            if (dictionary_find(&defined, found.name) != NULL)
                continue;
            printf("%s\n", found.signature);
            status = STATUS_SCHEMA;
        }
    }
    return status;
}
