// Reads a field's type: `float`, `string[31]`, `entity<game>`, `Vec2[4]`, `Vec2[]`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <string.h>
#include <strings.h>

// ---- lists

// Where lists may be, and what they may hold.

static void report(reader *reader, const field *field, const char *what, const char *fault)
{
    diagnostic_error(reader->diagnostics, CODE_LIST, field->type.span, "field '%s' of %s cannot be a list: %s",
                     field->name, what, fault);
}

void refuse_lists(reader *reader, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].is_broken || !list->fields[i].type.is_list)
            continue;
        list->drafts[i].is_broken = true;
        report(reader, &list->fields[i], what, "only fields of components can");
        diagnostic_hint(reader->diagnostics, "write a number of elements, such as [16], or move it to a component");
    }
}

// Returns why a list cannot hold elements of the type; NULL if it can.
static const char *find_element_fault(reader *reader, const field_type *type)
{
    if (type->definition == NULL || !type->definition->has_drops)
        return NULL;
    return arena_format(reader->arena, "values of '%s' have a 'drop', so each belongs to one component",
                        type->definition->name);
}

void check_lists(reader *reader, const component *component, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        if (list->drafts[i].is_broken || !field->type.is_list)
            continue;
        const char *fault = find_element_fault(reader, &field->type);
        list->drafts[i].is_broken = fault != NULL || component->is_soa || component->is_shared;
        if (fault != NULL) {
            report(reader, field, what, fault);
            diagnostic_hint(reader->diagnostics, "make an entity for each value, and a list of entities");
        } else if (component->is_soa) {
            report(reader, field, what, "the component has 'layout: soa'");
            diagnostic_hint(reader->diagnostics, "remove 'layout', or move the list to a component of its own");
        } else if (component->is_shared) {
            report(reader, field, what, "the component has 'storage: shared'");
            diagnostic_hint(reader->diagnostics, "remove 'storage', or move the list to a component of its own");
        }
    }
}

// ---- types

typedef struct type_text {
    const tree_node *node;
    const char *where;
    const char *base;   // text before the first bracket
    const char *length; // text inside it; NULL if there is none
} type_text;

// Type names of other languages, with the names used here.
static const struct {
    const char *written, *meant;
} synonyms[] = {
    {"int", "int32"},          {"integer", "int32"},       {"long", "int64"},         {"uint", "uint32"},
    {"unsigned", "uint32"},    {"short", "int16"},         {"char", "int8"},          {"byte", "uint8"},
    {"size_t", "uint64"},      {"boolean", "bool"},        {"float32", "float"},      {"f32", "float"},
    {"number", "float"},       {"float64", "double"},      {"f64", "double"},         {"unsigned int", "uint32"},
    {"str", "string"},         {"text", "string"},         {"char*", "string"},       {"char *", "string"},
    {"const char*", "string"}, {"const char *", "string"}, {"std::string", "string"},
};

// Returns the type of the elements if the text is a list of another language, such as `list<float>`; NULL if not.
static const char *find_list_element(arena *arena, const char *base)
{
    static const char *const lists[] = {"list<", "vector<", "array<", "std::vector<", "std::array<"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strncasecmp(base, lists[i], strlen(lists[i])) != 0)
            continue;
        const char *element = base + strlen(lists[i]);
        size_t size = strcspn(element, ",> ");
        return size == 0 ? NULL : arena_copy(arena, element, size);
    }
    return NULL;
}

static const char *find_synonym(const char *name)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (strcmp(synonyms[i].written, name) == 0)
            return synonyms[i].meant;
    return NULL;
}

// Arrays and lists cannot hold strings.
static void hint_at_list(reader *reader, const char *written)
{
    const char *synonym = find_synonym(written);
    const char *element = synonym == NULL ? written : synonym;
    if (strcmp(element, "string") == 0)
        diagnostic_hint(reader->diagnostics, "lists hold no strings; wrap a string[31] in a struct, and write its name "
                                             "and []");
    else
        diagnostic_hint(reader->diagnostics, "write %s[] for a list, or %s[16] for an array of 16", element, element);
}

static void hint_at_type(reader *reader, const type_text *text)
{
    name_search search = reader_search_definitions(reader, text->base);
    for (size_t i = 0; reader_is_hinting(reader) && scalar_type_name(i) != NULL; i++)
        name_search_offer(&search, scalar_type_name(i));
    const char *declared = name_suggest_pascal_case(reader->arena, text->base);
    const char *element = find_list_element(reader->arena, text->base);
    if (element != NULL)
        hint_at_list(reader, element);
    else if (search.nearest != NULL)
        reader_hint(reader, search);
    else if (strchr(text->base, '*') != NULL)
        diagnostic_hint(reader->diagnostics, "declare the pointer in 'types' with 'opaque: %s'", text->base);
    else if (declared != NULL && reader_is_hinting(reader))
        diagnostic_hint(reader->diagnostics, "declare '%s' in 'types'", declared);
}

static void report_unknown(reader *reader, const type_text *text)
{
    if (reader_is_elsewhere(reader, "types") && name_is_pascal_case(text->base))
        return;
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_TYPE, tree_part(text->node, 0, strlen(text->base)),
                     "unknown type '%s' for %s", text->base, text->where);
    const char *synonym = find_synonym(text->base);
    if (synonym != NULL)
        diagnostic_meant(reader->diagnostics, synonym);
    else if (dictionary_find(&reader->component_names, text->base) != NULL)
        diagnostic_hint(reader->diagnostics, "a component cannot be the type of a field; declare a struct in 'types'");
    else
        hint_at_type(reader, text);
}

static bool report_syntax(reader *reader, const type_text *text, const char *fault)
{
    diagnostic_error(reader->diagnostics, CODE_TYPE_SYNTAX, text->node->span, "type '%s' of %s: %s", text->node->text,
                     text->where, fault);
    return false;
}

static bool report_length(reader *reader, const type_text *text, const char *fault)
{
    report_syntax(reader, text, fault);
    diagnostic_hint(reader->diagnostics, "write a number from 1 to %d", SCHEMA_VALUE_SIZE_LIMIT);
    return false;
}

static bool report_list(reader *reader, const type_text *text, const char *fault, const char *hint)
{
    diagnostic_error(reader->diagnostics, CODE_LIST, text->node->span, "type '%s' of %s: %s", text->node->text,
                     text->where, fault);
    diagnostic_hint(reader->diagnostics, "%s", hint);
    return false;
}

// Reads the number of elements or bytes in brackets.
static bool read_length(reader *reader, const type_text *text, size_t *length)
{
    integer number;
    number_verdict verdict = integer_read(text->length, scalar_type_of(TYPE_UINT32), &number);
    if (verdict == NUMBER_IS_NONE || text->length[0] == '-' || strncmp(text->length, "0x", 2) == 0)
        return report_length(reader, text, "expected an integer in the brackets");
    if (verdict == NUMBER_IS_OUT_OF_RANGE || number.magnitude > SCHEMA_VALUE_SIZE_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_TOO_LARGE, text->node->span,
                         "type '%s' of %s is too large; at most %d is allowed", text->node->text, text->where,
                         SCHEMA_VALUE_SIZE_LIMIT);
        return false;
    }
    if (number.magnitude == 0)
        return report_length(reader, text, "the number in the brackets must be at least 1");
    *length = (size_t)number.magnitude;
    return true;
}

// Splits `base[length]` in place.
static bool split(reader *reader, type_text *text)
{
    const char *open = strchr(text->node->text, '[');
    text->base = text->node->text;
    if (open == NULL)
        return true;
    text->base = arena_copy(reader->arena, text->node->text, (size_t)(open - text->node->text));
    const char *close = strchr(open, ']');
    if (close == NULL)
        return report_syntax(reader, text, "unclosed bracket");
    text->length = arena_copy(reader->arena, open + 1, (size_t)(close - open - 1));
    if (close[1] == '\0')
        return true;
    if (strstr(open, "[]") != NULL && close[1] == '[')
        return report_list(reader, text, "lists hold no lists or arrays, and arrays hold no lists",
                           strcmp(text->base, "string") == 0 ? "wrap the string in a struct"
                                                             : "wrap an array in a struct, or make entities of lists");
    if (close[1] == '[' && strcmp(text->base, "string") == 0)
        return report_syntax(reader, text, "an array cannot hold strings; wrap the string in a struct");
    if (close[1] == '[')
        return report_syntax(reader, text, "an array cannot hold arrays; wrap the inner array in a struct");
    return report_syntax(reader, text, "unexpected content after the bracket");
}

static bool read_string(reader *reader, const type_text *text, field_type *type)
{
    type->kind = text->length != NULL ? TYPE_INLINE_STRING : TYPE_STRING;
    if (text->length != NULL && text->length[0] == '\0')
        return report_list(reader, text, "a list cannot hold strings",
                           "write string for one of any length, or wrap a string[31] in a struct");
    return text->length == NULL || read_length(reader, text, &type->string_size);
}

// Reads `entity<game>`.
static bool read_entity(reader *reader, const type_text *text, field_type *type)
{
    const char *open = strchr(text->base, '<') + 1;
    size_t size = strlen(open);
    if (size == 0 || open[size - 1] != '>')
        return report_syntax(reader, text, "expected '>' at the end, such as entity<game>");
    const char *name = arena_copy(reader->arena, open, size - 1);
    type->kind = TYPE_CONTEXT_ENTITY;
    type->context = dictionary_find(&reader->context_names, name);
    if (type->context != NULL)
        return true;
    if (reader_is_elsewhere(reader, "contexts"))
        return false;
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CONTEXT,
                     tree_part(text->node, (size_t)(open - text->base), size - 1), "unknown context '%s' for %s", name,
                     text->where);
    reader_hint(reader, reader_search_contexts(reader, name));
    return false;
}

static type_kind kind_of(const definition *definition)
{
    switch (definition->kind) {
    case DEFINITION_ENUM:
        return TYPE_ENUM;
    case DEFINITION_OPAQUE:
        return TYPE_OPAQUE;
    default:
        return TYPE_STRUCT;
    }
}

static bool read_named(reader *reader, const type_text *text, field_type *type)
{
    const scalar_type *scalar = scalar_type_find(text->base);
    const definition_draft *draft = dictionary_find(&reader->definition_names, text->base);
    if (scalar != NULL) {
        type->kind = scalar->kind;
    } else if (draft != NULL) {
        type->kind = kind_of(&draft->definition);
        type->definition = &draft->definition;
    } else {
        report_unknown(reader, text);
        return false;
    }
    return true;
}

// Returns false after reporting an error.
static bool read_text(reader *reader, const tree_node *node, const char *where, field_type *type)
{
    type_text text = {.node = node, .where = where};
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "the type of %s", where)) ||
        !split(reader, &text))
        return false;
    if (strcmp(text.base, "string") == 0)
        return read_string(reader, &text, type);

    bool is_entity = strncmp(text.base, "entity<", strlen("entity<")) == 0;
    bool is_known = is_entity ? read_entity(reader, &text, type) : read_named(reader, &text, type);
    type->is_list = text.length != NULL && text.length[0] == '\0';
    bool has_length = text.length == NULL || type->is_list || read_length(reader, &text, &type->array_count);
    return is_known && has_length;
}

bool read_type(reader *reader, const tree_node *node, const char *where, field_type *type)
{
    *type = (field_type){.span = node->span};
    type->is_unknown = !read_text(reader, node, where, type);
    return !type->is_unknown;
}
