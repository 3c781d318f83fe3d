#include "verbs/explain.h"

#include "generator/base/base.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"
#include "generator/source/codes.h"

#include <stdio.h>
#include <string.h>

static const struct {
    diagnostic_code code;
    const char *title;
} entries[] = {
#define ENTRY(name, number, title) {name, title},
    DIAGNOSTIC_CODES(ENTRY)
#undef ENTRY
};

enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

// Returns the index of the code, ENTRY_COUNT if unknown. Accepts a lower-case k.
static size_t find(arena *arena, const char *code)
{
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        const char *text = diagnostic_code_text(arena, entries[i].code);
        if ((code[0] == 'K' || code[0] == 'k') && strcmp(code + 1, text + 1) == 0)
            return i;
    }
    return ENTRY_COUNT;
}

static int report_unknown(arena *arena, const char *code)
{
    name_search search = name_search_begin(code);
    for (size_t i = 0; i < ENTRY_COUNT; i++)
        name_search_offer(&search, diagnostic_code_text(arena, entries[i].code));
    fprintf(stderr, "kin: unknown code '%s'", text_escaped(arena, code));
    if (search.nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", search.nearest);
    fputs("\nRun 'kin explain' for a list of all codes.\n", stderr);
    return STATUS_USAGE;
}

static int print_all(arena *arena)
{
    for (size_t i = 0; i < ENTRY_COUNT; i++)
        printf("%s  %s\n", diagnostic_code_text(arena, entries[i].code), entries[i].title);
    puts("\nRun 'kin explain CODE' for details about a code.");
    return STATUS_DONE;
}

int explain_run(arena *arena, const command *command)
{
    if (command->schema_count == 0)
        return print_all(arena);
    size_t index = find(arena, command->schemas[0]);
    if (index == ENTRY_COUNT)
        return report_unknown(arena, command->schemas[0]);
    const char *code = diagnostic_code_text(arena, entries[index].code);
    printf("%s: %s\n\n", code, entries[index].title);
    fputs(mustache_library_find(&explanations, code)->bytes, stdout);
    return STATUS_DONE;
}
