// Reads `types`: enums, structs and opaque types.
#include "generator/read/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- enums

// Reads an enum's `values`: a list, numbered from 0, or a mapping from names to numbers. In place of a name in the list
// there may be a mapping from the name, and in place of a number a mapping with it, which say more about the value.

typedef struct enum_reader {
    reader *reader;
    const char *what;
    enumerator *enumerators;
    size_t count;
    dictionary names, numbers; // to the enumerator with that name or number
} enum_reader;

// Reads the number of an enumerator; returns false after reporting an error.
static bool read_number(reader *reader, const tree_node *node, integer *number)
{
    if (node->kind == TREE_BROKEN)
        return false;
    bool is_plain = node->kind == TREE_SCALAR && node->is_plain;
    number_verdict verdict = is_plain ? integer_read(node->text, scalar_type_of(TYPE_INT32), number) : NUMBER_IS_NONE;
    if (verdict == NUMBER_IS_NONE) {
        diagnostic_error(reader->diagnostics, CODE_ENUM_NUMBER, node->span,
                         "number of an enum value must be an integer");
        diagnostic_hint(reader->diagnostics, "write an integer from %d to %d, such as 12 or 0x1F", INT32_MIN,
                        INT32_MAX);
    } else if (verdict == NUMBER_IS_OUT_OF_RANGE) {
        diagnostic_error(reader->diagnostics, CODE_ENUM_NUMBER, node->span,
                         "%s is out of range for an enum value; expected %d to %d", node->text, INT32_MIN, INT32_MAX);
    }
    return verdict == NUMBER_FITS;
}

// Reads what the mapping, which may be NULL, says of the enumerator.
static saved_name read_details(enum_reader *enums, const tree_node *name, const tree_node *details,
                               const language_value *keys)
{
    if (details == NULL)
        return read_no_was(name->text);
    const char *what = arena_format(enums->reader->arena, "value '%s' of %s", name->text, enums->what);
    enumerator named = {.saved = read_no_was(name->text)};
    reader_read_keys(enums->reader, details, keys, what, &named);
    return named.saved;
}

static void append(enum_reader *enums, const tree_node *name, integer number, saved_name saved)
{
    enumerator *added = &enums->enumerators[enums->count];
    int64_t magnitude = (int64_t)number.magnitude;
    added->name = name->text;
    added->span = name->span;
    added->literal = integer_literal(enums->reader->arena, number, TYPE_INT32);
    added->number = (int32_t)(number.is_negative ? -magnitude : magnitude);
    added->saved = saved;

    diagnostics *diagnostics = enums->reader->diagnostics;
    const enumerator *same_name = dictionary_add(&enums->names, added->name, added);
    if (same_name != NULL) {
        diagnostic_error(diagnostics, CODE_DUPLICATE_NAME, added->span, "value '%s' is declared twice in %s",
                         added->name, enums->what);
        diagnostic_note(diagnostics, same_name->span, "first declared here");
        return;
    }
    enums->count++;
    const char *key = arena_format(enums->reader->arena, "%d", (int)added->number);
    const enumerator *same_number = dictionary_add(&enums->numbers, key, added);
    if (same_number == NULL)
        return;
    diagnostic_error(diagnostics, CODE_DUPLICATE_ENUM_NUMBER, added->span,
                     "value '%s' of %s has the same number as '%s': %s", added->name, enums->what, same_number->name,
                     key);
    diagnostic_note(diagnostics, same_number->span, "'%s' is declared here", same_number->name);
}

// Reads an item of a list: a name, or a mapping from one name to its details.
static void read_item(enum_reader *enums, const tree_node *item, integer number)
{
    reader *reader = enums->reader;
    const tree_node *name = item;
    const tree_node *details = NULL;
    if (item->kind == TREE_MAPPING && item->count != 1) {
        diagnostic_error(reader->diagnostics, CODE_TEXT_EXPECTED, item->span,
                         "expected the name of an enum value, found a mapping of %zu", item->count);
        diagnostic_hint(reader->diagnostics, "write { Crimson: { was: Red } }, each value on its own");
        return;
    }
    if (item->kind == TREE_MAPPING && item->pairs != NULL) {
        name = item->pairs->key;
        details = item->pairs->value;
    }
    if (!reader_check_name(reader, name, CASE_EITHER, "an enum value"))
        return;
    if (details != NULL &&
        !reader_expect_mapping(reader, details, arena_format(reader->arena, "value '%s'", name->text)))
        details = NULL;
    append(enums, name, number, read_details(enums, name, details, &language_listed_enumerator));
}

static void read_list(enum_reader *enums, const tree_node *node)
{
    uint64_t number = 0;
    if (!reader_expect_items(enums->reader, node, arena_format(enums->reader->arena, "'values' of %s", enums->what)))
        return;
    for (const tree_node *item = node->items; item != NULL; item = item->next, number++)
        read_item(enums, item, (integer){.magnitude = number});
}

// Reads the number in the details of an enumerator.
static bool read_number_of(enum_reader *enums, const tree_pair *pair, integer *number)
{
    const tree_node *value = tree_find(pair->value, "value");
    if (value != NULL)
        return read_number(enums->reader, value, number);
    if (!reader_is_misspelled(pair->value, &language_enumerator, "value")) {
        diagnostic_error(enums->reader->diagnostics, CODE_ENUM_NUMBER, pair->key->span,
                         "value '%s' of %s has no 'value'", pair->key->text, enums->what);
        diagnostic_hint(enums->reader->diagnostics, "add its number, such as 'value: 1'");
    }
    return false;
}

static void read_mapping(enum_reader *enums, const tree_node *node)
{
    if (!reader_expect_entries(enums->reader, node, arena_format(enums->reader->arena, "'values' of %s", enums->what)))
        return;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        integer number;
        const tree_node *details = pair->value->kind == TREE_MAPPING ? pair->value : NULL;
        bool is_named = reader_check_name(enums->reader, pair->key, CASE_EITHER, "an enum value");
        bool is_numbered =
            details == NULL ? read_number(enums->reader, pair->value, &number) : read_number_of(enums, pair, &number);
        if (is_numbered && is_named)
            append(enums, pair->key, number, read_details(enums, pair->key, details, &language_enumerator));
    }
}

void read_enum(reader *reader, definition_draft *draft, const char *what)
{
    const tree_node *node = tree_find(draft->node, "values");
    enum_reader enums = {.reader = reader, .what = what};
    enums.enumerators = arena_allocate(reader->arena, (node->count + 1) * sizeof *enums.enumerators);
    enums.names = dictionary_create(reader->arena);
    enums.numbers = dictionary_create(reader->arena);
    if (node->kind == TREE_MAPPING)
        read_mapping(&enums, node);
    else
        read_list(&enums, node);
    draft->enumerators = enums.names;
    draft->definition.enumerators = enums.enumerators;
    draft->definition.enumerator_count = enums.count;
    draft->is_broken = enums.count == 0;
}

// ---- structs

// Orders nested structs, reports cycles, and computes sizes and default values.
//
// Invariants, asserted:
//   1. A struct is left only after all structs that it holds, so the order puts each type after the types of its
//      fields.
//   2. The path holds exactly the structs in state DRAFT_ENTERED, and at most STRUCT_DEPTH_LIMIT of them.

enum { STRUCT_DEPTH_LIMIT = 32 }; // levels of nested structs

// A depth-first walk over nested structs.
typedef struct walk {
    reader *reader;
    definition_draft *path[STRUCT_DEPTH_LIMIT];
    size_t depth;
    const definition **ordered;
    size_t ordered_count;
} walk;

static void report_cycle(walk *walk, definition_draft *again)
{
    size_t start = 0;
    text cycle = text_create(walk->reader->arena);
    while (walk->path[start] != again)
        start++;
    assert(start < walk->depth); // 2
    for (size_t i = start; i < walk->depth; i++) {
        text_append_format(&cycle, "%s -> ", walk->path[i]->definition.name);
        walk->path[i]->is_broken = true;
    }
    text_append_string(&cycle, again->definition.name);
    diagnostic_error(walk->reader->diagnostics, CODE_RECURSIVE_TYPE, again->definition.span,
                     "type '%s' contains itself: %s", again->definition.name, cycle.bytes);
    diagnostic_hint(walk->reader->diagnostics, "use a field of type entity instead");
}

static void report_depth(walk *walk, definition_draft *draft)
{
    diagnostic_error(walk->reader->diagnostics, CODE_STRUCTS_TOO_DEEP, draft->definition.span,
                     "structs of type '%s' are nested too deep; at most %d levels are allowed", draft->definition.name,
                     STRUCT_DEPTH_LIMIT);
}

static void read_fields_of(reader *reader, definition_draft *draft)
{
    const char *what = arena_format(reader->arena, "type '%s'", draft->definition.name);
    read_defaults(reader, &draft->fields);
    if (draft->definition.kind == DEFINITION_STRUCT)
        read_field_replication(reader, &draft->fields, FIELDS_OF_STRUCT, what);
}

// Computes what depends on nested structs: layout, drops, defaults.
static void leave(walk *walk, definition_draft *draft)
{
    assert(draft->state == DRAFT_ENTERED && walk->path[walk->depth] == draft); // 2
    draft->definition.layout = read_layout(&draft->fields);
    draft->state = DRAFT_DONE;
    draft->definition.has_drops = fields_have_drops(&draft->fields);
    walk->ordered[walk->ordered_count++] = &draft->definition;
    if (draft->is_broken)
        return;
    if (draft->definition.layout.size > SCHEMA_VALUE_SIZE_LIMIT) {
        draft->is_broken = true;
        diagnostic_error(walk->reader->diagnostics, CODE_TOO_LARGE, draft->definition.span,
                         "a value of type '%s' is too large; at most %d bytes are allowed", draft->definition.name,
                         SCHEMA_VALUE_SIZE_LIMIT);
        return;
    }
    draft->is_broken = draft->depth > STRUCT_DEPTH_LIMIT;
    if (draft->is_broken)
        report_depth(walk, draft);
    else
        read_fields_of(walk->reader, draft);
}

// Copies depth and errors from a nested struct to the struct that holds it.
static void inherit(walk *walk, definition_draft *draft, const definition_draft *held)
{
    assert(held->state != DRAFT_ENTERED || held->is_broken); // 1
    bool is_too_deep = held->state == DRAFT_UNSEEN;
    if (is_too_deep && !draft->is_broken)
        report_depth(walk, walk->path[0]);
    draft->is_broken = draft->is_broken || held->is_broken || is_too_deep;
    if (held->depth >= draft->depth)
        draft->depth = held->depth + 1;
}

// Recursive, at most STRUCT_DEPTH_LIMIT deep; deeper structs stay DRAFT_UNSEEN in this walk.
static void enter(walk *walk, definition_draft *draft)
{
    if (draft->state == DRAFT_ENTERED)
        report_cycle(walk, draft);
    if (draft->state != DRAFT_UNSEEN || walk->depth == STRUCT_DEPTH_LIMIT)
        return;
    draft->state = DRAFT_ENTERED;
    draft->depth = 1;
    walk->path[walk->depth++] = draft;
    for (size_t i = 0; i < draft->fields.count; i++) {
        const field_type *type = &draft->fields.fields[i].type;
        draft->is_broken = draft->is_broken || draft->fields.drafts[i].is_broken;
        if (type->kind == TYPE_OPAQUE)
            draft->is_broken = draft->is_broken || draft_of(type->definition)->is_broken;
        if (type->kind == TYPE_STRUCT && type->definition != NULL) {
            enter(walk, draft_of(type->definition));
            inherit(walk, draft, draft_of(type->definition));
        }
    }
    walk->depth--;
    leave(walk, draft);
}

void read_structs(reader *reader)
{
    walk walk = {.reader = reader};
    walk.ordered = arena_allocate(reader->arena, (reader->definition_count + 1) * sizeof *walk.ordered);
    for (size_t i = 0; i < reader->definition_count; i++)
        if (reader->definitions[i]->definition.kind != DEFINITION_STRUCT)
            walk.ordered[walk.ordered_count++] = &reader->definitions[i]->definition;
    for (size_t i = 0; i < reader->definition_count; i++)
        if (reader->definitions[i]->definition.kind == DEFINITION_STRUCT)
            enter(&walk, reader->definitions[i]);
    assert(walk.depth == 0 && walk.ordered_count == reader->definition_count);
    reader->package->definitions = walk.ordered;
    reader->package->definition_count = walk.ordered_count;
}

// ---- opaque types

// Reads opaque types: the C type that `typedef` names, its header, and the functions that release, save and load a
// value.
//
// All of them are copied into C code, so each must match a grammar that cannot inject other code:
//
//   opaque   a type that can be assigned (schema/schema.h)
//   header   a path of letters, digits and - _ + . /
//   drop     an identifier; so are save and load
//
// Collisions with generated names are found later, when all generated names are known (read/symbols.c).

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
    const tree_node *save = tree_find_key(draft->node, "save");
    const tree_node *load = tree_find_key(draft->node, "load");
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

// ---- all types

// Reads `types`.

static definition_kind form_of(const tree_node *node)
{
    if (node->kind == TREE_MAPPING && tree_find(node, "opaque") != NULL)
        return DEFINITION_OPAQUE;
    return node->kind == TREE_MAPPING && tree_find(node, "values") != NULL ? DEFINITION_ENUM : DEFINITION_STRUCT;
}

static void declare(reader *reader, const tree_pair *pair)
{
    if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a type"))
        return;
    definition_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    const definition_draft *earlier = dictionary_add(&reader->definition_names, pair->key->text, draft);
    if (earlier != NULL) {
        reader_report_duplicate(reader, pair->key, "type", earlier->definition.span);
        return;
    }
    draft->definition.kind = form_of(pair->value);
    draft->definition.name = pair->key->text;
    draft->definition.span = pair->key->span;
    draft->definition.layout.alignment = 1;
    draft->node = pair->value;
    reader->definitions[reader->definition_count++] = draft;
}

void declare_definitions(reader *reader)
{
    entry_list entries = reader_entries(reader, "types");
    reader->definitions = arena_allocate(reader->arena, (entries.count + 1) * sizeof *reader->definitions);
    for (size_t i = 0; i < entries.count; i++)
        declare(reader, entries.pairs[i]);
}

// Returns whether the type has exactly one of the forms struct, enum and opaque; reports an error if not.
static bool check_form(reader *reader, const definition_draft *draft, const char *what)
{
    static const char *const forms[] = {"fields", "values", "opaque"};
    const char *given[3] = {NULL};
    size_t count = 0;
    bool is_misspelled = false;
    for (size_t i = 0; i < 3; i++) {
        if (tree_find(draft->node, forms[i]) != NULL)
            given[count++] = forms[i];
        is_misspelled = is_misspelled || reader_is_misspelled(draft->node, &language_definition, forms[i]);
    }
    if (count > 1)
        diagnostic_error(reader->diagnostics, CODE_KIND_OF_TYPE, draft->definition.span,
                         "%s has both '%s' and '%s'; only one is allowed", what, given[0], given[1]);
    else if (count == 0 && !is_misspelled)
        diagnostic_error(reader->diagnostics, CODE_KIND_OF_TYPE, draft->definition.span,
                         "%s requires 'fields' for a struct, 'values' for an enum, or 'opaque'", what);
    return count == 1;
}

// Structs cannot have string fields: a struct has no owner that could free them.
static void refuse_strings(reader *reader, const field_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].is_broken || list->fields[i].type.kind != TYPE_STRING)
            continue;
        list->drafts[i].is_broken = true;
        diagnostic_error(reader->diagnostics, CODE_STRING_IN_STRUCT, list->fields[i].type.span,
                         "a struct cannot hold a 'string'");
        diagnostic_hint(reader->diagnostics, "write string[31] to store up to 31 bytes in place");
    }
}

static void read_struct(reader *reader, definition_draft *draft, const char *what)
{
    draft->fields = read_fields(reader, tree_find(draft->node, "fields"), what);
    refuse_strings(reader, &draft->fields);
    refuse_field_indices(reader, &draft->fields, what);
    refuse_relations(reader, &draft->fields, what);
    refuse_lists(reader, &draft->fields, what);
    draft->definition.fields = (field_list){.fields = draft->fields.fields, .count = draft->fields.count};
    draft->is_broken = draft->fields.count == 0;
}

static bool is_of_opaque(const char *key)
{
    static const char *const keys[] = {"header", "drop", "save", "load"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void refuse_parts_of_opaque(reader *reader, const tree_node *node)
{
    if (reader_is_misspelled(node, &language_definition, "opaque"))
        return;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        if (is_of_opaque(pair->key->text))
            diagnostic_error(reader->diagnostics, CODE_KEY_OF_OPAQUE, pair->key->span,
                             "'%s' is only allowed with 'opaque'", pair->key->text);
}

static void read_definition(reader *reader, definition_draft *draft)
{
    const char *what = arena_format(reader->arena, "type '%s'", draft->definition.name);
    draft->is_broken = true;
    if (!reader_expect_mapping(reader, draft->node, what))
        return;
    reader_read_keys(reader, draft->node, &language_definition, what, &draft->definition);

    if (draft->definition.kind != DEFINITION_OPAQUE)
        refuse_parts_of_opaque(reader, draft->node);
    if (!check_form(reader, draft, what))
        return;
    if (draft->definition.kind == DEFINITION_ENUM)
        read_enum(reader, draft, what);
    else if (draft->definition.kind == DEFINITION_OPAQUE)
        read_opaque(reader, draft, what);
    else
        read_struct(reader, draft, what);
}

void read_definitions(reader *reader)
{
    for (size_t i = 0; i < reader->definition_count; i++)
        read_definition(reader, reader->definitions[i]);
    read_structs(reader);
}
