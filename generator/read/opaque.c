// Reads opaque types: the C type that `typedef` names, its header, and the functions that release, save and load a
// value.
//
// All of them are copied into C code, so each must match a grammar that cannot inject other code:
//
//   opaque   a type that can be assigned (schema/schema.h)
//   header   a path of letters, digits and - _ + . /
//   drop     an identifier; so are save and load
//
// Collisions with generated names are found later, when all generated names are known (check/symbols_opaque.c).
#include "generator/schema/schema.h"
#include "read/private/reader.h"

#include <string.h>

static const char letters_of_paths[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";

static bool is_path(const tree_node *node)
{
    return strspn(node->text, letters_of_paths) == node->size && node->size > 0 && strstr(node->text, "//") == NULL &&
           node->text[node->size - 1] != '/';
}

// Returns what is wrong with the text of a key; NULL if it is valid.
static const char *find_fault(arena *arena, const char *key, const tree_node *node)
{
    opaque_spelling spelling;
    if (strcmp(key, "opaque") == 0)
        return opaque_spelling_read(arena, node->text, &spelling)
                   ? NULL
                   : "must be an assignable type made of names and '*', such as 'struct sprite *'";
    if (strcmp(key, "header") == 0)
        return is_path(node) ? NULL : "must be a path of letters, digits, '-', '_', '+', '.' and '/'";
    return name_is_function(node->text) ? NULL : "must be the name of a function";
}

// Returns NULL if the key is missing, or after reporting an invalid text.
static const char *read_part(reader *reader, const definition_draft *draft, const char *key, const char *what)
{
    const tree_node *node = tree_find(draft->node, key);
    if (node == NULL || !reader_expect_text(reader, node, arena_format(reader->arena, "'%s' of %s", key, what)))
        return NULL;
    const char *fault = find_fault(reader->arena, key, node);
    if (fault == NULL)
        return node->text;
    diagnostic_error(reader->diagnostics, CODE_OPAQUE, node->span, "'%s' of %s %s", key, what, fault);
    return NULL;
}

static void report_no_header(reader *reader, const definition_draft *draft, const char *key, const char *what)
{
    diagnostic_error(reader->diagnostics, CODE_OPAQUE, tree_find(draft->node, key)->span,
                     "'%s' of %s requires a 'header' that declares it", key, what);
    diagnostic_hint(reader->diagnostics, "add 'header: NAME.h'; it is included with quotes");
}

static void check_header(reader *reader, const definition_draft *draft, const char *what)
{
    const definition *definition = &draft->definition;
    opaque_spelling spelling;
    if (tree_find(draft->node, "header") != NULL)
        return;
    if (definition->drop != NULL)
        report_no_header(reader, draft, "drop", what);
    else if (definition->save != NULL)
        report_no_header(reader, draft, "save", what);
    else if (definition->opaque != NULL && opaque_spelling_read(reader->arena, definition->opaque, &spelling) &&
             !opaque_spelling_is_known(&spelling))
        report_no_header(reader, draft, "opaque", what);
}

static span span_of(const definition_draft *draft, const char *key)
{
    const tree_node *node = tree_find(draft->node, key);
    span nowhere = {0};
    return node == NULL ? nowhere : node->span;
}

// A value that can be saved and not be loaded again is lost, and the other way round there is nothing to load.
static void read_save(reader *reader, definition_draft *draft, const char *what)
{
    const tree_node *save = tree_find_key(draft->node, "save"), *load = tree_find_key(draft->node, "load");
    draft->definition.save = read_part(reader, draft, "save", what);
    draft->definition.load = read_part(reader, draft, "load", what);
    reader->package->has_saves = reader->package->has_saves || save != NULL || load != NULL;
    if ((save == NULL) == (load == NULL) || reader_is_misspelled(draft->node, &language_definition, "save") ||
        reader_is_misspelled(draft->node, &language_definition, "load"))
        return;
    diagnostic_error(reader->diagnostics, CODE_OPAQUE, save != NULL ? save->span : load->span,
                     save != NULL ? "'save' of %s requires 'load'" : "'load' of %s requires 'save'", what);
    diagnostic_hint(reader->diagnostics, "add the function that undoes it");
}

void read_opaque(reader *reader, definition_draft *draft, const char *what)
{
    size_t errors = diagnostics_error_count(reader->diagnostics);
    definition *definition = &draft->definition;
    definition->opaque = read_part(reader, draft, "opaque", what);
    definition->opaque_span = span_of(draft, "opaque");
    definition->header = read_part(reader, draft, "header", what);
    definition->header_span = span_of(draft, "header");
    definition->drop = read_part(reader, draft, "drop", what);
    definition->has_drops = definition->drop != NULL;
    read_save(reader, draft, what);
    check_header(reader, draft, what);
    draft->is_broken = diagnostics_error_count(reader->diagnostics) > errors;
}

bool fields_have_drops(const field_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const definition *definition = list->fields[i].type.definition;
        if (definition != NULL && definition->has_drops)
            return true;
    }
    return false;
}
