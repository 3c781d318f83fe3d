#include "check/private/symbols_opaque.h"

#include "generator/schema/schema.h"

#include <string.h>

const char *symbol_key(arena *arena, symbol_kind kind, const char *name)
{
    if (kind != SYMBOL_FILE)
        return name;
    char *key = arena_copy(arena, name, strlen(name));
    for (char *letter = key; *letter != '\0'; letter++)
        if (*letter >= 'A' && *letter <= 'Z')
            *letter = (char)(*letter - 'A' + 'a');
    return key;
}

// Finds a generated file that `#include "header"` could find. Quoted includes search the folder of the including file
// first, and the path may also lead through the package's folder.
static const symbol *find_file(const opaque_check *check, const package *package, const char *header)
{
    const char *slash = strrchr(header, '/');
    const char *name = slash == NULL ? header : slash + 1;
    const char *folder = arena_copy(check->arena, header, (size_t)(name - header));
    const char *own = arena_format(check->arena, "%s/", package->name);
    size_t size = strlen(folder), own_size = strlen(own);
    bool is_same_folder = strspn(folder, "./") == size && strstr(folder, "..") == NULL;
    bool is_own = size >= own_size && strcmp(folder + size - own_size, own) == 0 &&
                  (size == own_size || folder[size - own_size - 1] == '/');
    return is_same_folder || is_own ? dictionary_find(check->files, symbol_key(check->arena, SYMBOL_FILE, name)) : NULL;
}

static void check_header(const opaque_check *check, const package *package, const definition *definition)
{
    const symbol *generated = definition->header == NULL ? NULL : find_file(check, package, definition->header);
    if (generated == NULL)
        return;
    diagnostic_error(check->diagnostics, CODE_OPAQUE, definition->header_span,
                     "'header' of type '%s' names a generated file", definition->name);
    diagnostic_hint(check->diagnostics, "name your own header that declares '%s'",
                    definition->opaque == NULL ? definition->name : definition->opaque);
    diagnostic_note(check->diagnostics, generated->span, "%s is declared here and generates '%s'", generated->origin,
                    generated->name);
}

// Allows a pointer to a struct that is declared later, and a type that already has its C name: its header declares it,
// and C accepts the repeated typedef.
static bool is_allowed(const definition *definition, const opaque_spelling *spelling, const symbol *generated)
{
    bool is_own = generated->span.source == definition->span.source && generated->span.start == definition->span.start;
    return is_own || (spelling->has_tag && spelling->stars > 0);
}

static void check_spelling(const opaque_check *check, const definition *definition)
{
    opaque_spelling spelling;
    if (definition->opaque == NULL || !opaque_spelling_read(check->arena, definition->opaque, &spelling) ||
        spelling.name == NULL)
        return;
    const symbol *generated = dictionary_find(check->names, spelling.name);
    if (generated == NULL || is_allowed(definition, &spelling, generated))
        return;
    diagnostic_error(check->diagnostics, CODE_OPAQUE, definition->opaque_span,
                     "'opaque' of type '%s' names a generated type: '%s' of %s", definition->name, spelling.name,
                     generated->origin);
    diagnostic_hint(check->diagnostics, "name a type of your own C code");
    diagnostic_note(check->diagnostics, generated->span, "%s is declared here", generated->origin);
}

void symbols_check_opaque(const opaque_check *check, const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++) {
        if (package->definitions[i]->kind != DEFINITION_OPAQUE)
            continue;
        check_header(check, package, package->definitions[i]);
        check_spelling(check, package->definitions[i]);
    }
}
