// Reads the parts of a blueprint: its components with their values.
//
// A part starts as a copy of the same part in the extended blueprint, or with the defaults of its component. Fields
// that the schema gives then replace those values, member by member in nested structs.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <stdlib.h>
#include <string.h>

// ---- other blueprints

static void report_unknown(blueprint_scope *scope, const tree_node *node, const char *key, const char *what)
{
    if (reader_is_elsewhere(scope->reader, "blueprints"))
        return;
    diagnostic_error(scope->reader->diagnostics, CODE_UNKNOWN_BLUEPRINT, node->span,
                     "unknown blueprint '%s' in '%s' of %s", node->text, key, what);
    name_search search = name_search_begin(node->text);
    for (size_t i = 0; reader_is_hinting(scope->reader) && i < scope->count; i++)
        name_search_offer(&search, scope->drafts[i]->blueprint.name);
    reader_hint(scope->reader, search);
}

blueprint_draft *find_blueprint(blueprint_scope *scope, const tree_node *node, const char *key, const char *what)
{
    blueprint_draft *found = (blueprint_draft *)dictionary_find(&scope->names, node->text);
    if (found == NULL)
        report_unknown(scope, node, key, what);
    return found;
}

// ---- one part: the values of one component

// Reports a component whose name cannot be a C struct member: spawning with values takes a struct with a member for
// each component, and `given`.
static void check_member(reader *reader, const tree_node *key, const component *component, const char *what)
{
    const char *member = name_to_snake_case(reader->arena, component->name);
    const char *reserved = strcmp(member, "given") == 0 ? "a built-in member" : name_reserved_as(member);
    if (reserved != NULL && component->fields.count > 0)
        diagnostic_error(reader->diagnostics, CODE_BLUEPRINT_MEMBER, key->span,
                         "component '%s' cannot be in %s: its member '%s' would be %s", component->name, what, member,
                         reserved);
}

static void report_field(reader *reader, const tree_node *key, const component *component, const char *what)
{
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_FIELD, key->span, "component '%s' in %s has no field '%s'",
                     component->name, what, key->text);
    name_search search = name_search_begin(key->text);
    for (size_t i = 0; reader_is_hinting(reader) && i < component->fields.count; i++)
        name_search_offer(&search, component->fields.fields[i].name);
    reader_hint(reader, search);
}

static bool has_field(const component *component, const char *name)
{
    for (size_t i = 0; i < component->fields.count; i++)
        if (strcmp(component->fields.fields[i].name, name) == 0)
            return true;
    return false;
}

// Returns one value per field: from the mapping, else from `base`, else the field's default.
static const constant *const *read_values(reader *reader, const tree_node *mapping, const blueprint_part *base)
{
    const field_list *fields = &base->component->fields;
    constant_list list = constant_list_begin(reader, CONSTANT_STRUCT, fields->count, mapping->span);
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        const tree_node *given = tree_find(mapping, field->name);
        const constant *former = base->values == NULL ? field->default_value : base->values[i];
        if (given != NULL)
            former = check_in_range(reader, field, given, read_override(reader, &field->type, given, former));
        constant_list_append(&list, former);
    }
    return list.is_broken ? NULL : list.items;
}

// Expects the value of a part: a mapping of fields, or `true` for a flag. Hints at the correct form for `Health: 3`.
static bool expect_values(reader *reader, const tree_node *node, const component *component, const char *what)
{
    if (reader_expect_mapping(reader, node, what))
        return true;
    if (tree_is_text(node) && component->fields.count == 1)
        diagnostic_hint(reader->diagnostics, "write { %s: %s }", component->fields.fields[0].name, node->text);
    else if (tree_is_text(node) && component->fields.count == 0)
        diagnostic_hint(reader->diagnostics, "write {}; a flag has no fields");
    return false;
}

static void read_blueprint_part(reader *reader, const tree_pair *pair, const char *what, blueprint_part *part)
{
    const component *component = part->component;
    const tree_node *mapping = pair->value;
    const char *name = arena_format(reader->arena, "component '%s' in %s", component->name, what);
    if (!expect_values(reader, mapping, component, name))
        return;
    for (const tree_pair *field = mapping->pairs; field != NULL; field = field->next)
        if (!has_field(component, field->key->text))
            report_field(reader, field->key, component, what);
    if (mapping->count > 0 && component->fields.count > 0)
        part->values = read_values(reader, mapping, part);
}

// ---- all parts

// Returns a component of the draft's context, or NULL after reporting an error.
static const component *find_component(blueprint_scope *scope, const blueprint_draft *draft, const tree_node *key)
{
    reader *reader = scope->reader;
    const context *context = draft->blueprint.context;
    const component_draft *found = dictionary_find(&reader->component_names, key->text);
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return NULL;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, key->span, "unknown component '%s' in %s",
                         key->text, draft->what);
        reader_hint(reader, reader_search_components(reader, key->text, context));
        return NULL;
    }
    // A component without contexts had invalid ones, already reported.
    if (context == NULL || found->component.context_count == 0 || component_is_in(&found->component, context))
        return &found->component;
    diagnostic_error(reader->diagnostics, CODE_OTHER_CONTEXT, key->span, "component '%s' is not in context '%s' of %s",
                     key->text, context->name, draft->what);
    diagnostic_note(reader->diagnostics, found->component.span, "'%s' is declared here for context '%s'", key->text,
                    found->component.contexts[0]->name);
    return NULL;
}

static int compare_parts(const void *a, const void *b)
{
    const blueprint_part *left = a;
    const blueprint_part *right = b;
    return strcmp(left->component->name, right->component->name);
}

static blueprint_part part_of(const blueprint *base, const component *component)
{
    const blueprint_part wanted = {.component = component};
    const blueprint_part *found = NULL;
    if (base != NULL && base->part_count > 0)
        found = bsearch(&wanted, base->parts, base->part_count, sizeof wanted, compare_parts);
    return found == NULL ? wanted : *found;
}

static bool is_given(const tree_node *mapping, const component *component)
{
    return tree_find(mapping, component->name) != NULL;
}

void read_blueprint_parts(blueprint_scope *scope, blueprint_draft *draft, const tree_node *mapping)
{
    const blueprint *base = draft->blueprint.base;
    size_t capacity = mapping->count + (base == NULL ? 0 : base->part_count);
    size_t count = 0;
    if (!constant_may_hold(scope->reader, capacity, mapping->span))
        return;
    blueprint_part *parts = arena_allocate(scope->reader->arena, capacity * sizeof *parts);
    for (const tree_pair *pair = mapping->pairs; pair != NULL; pair = pair->next) {
        const component *component = find_component(scope, draft, pair->key);
        if (component == NULL)
            continue;
        parts[count] = part_of(base, component);
        if (!draft->is_child)
            check_member(scope->reader, pair->key, component, draft->what);
        read_blueprint_part(scope->reader, pair, draft->what, &parts[count++]);
    }
    for (size_t i = 0; base != NULL && i < base->part_count; i++)
        if (!is_given(mapping, base->parts[i].component))
            parts[count++] = base->parts[i];
    qsort(parts, count, sizeof *parts, compare_parts);
    draft->blueprint.parts = parts;
    draft->blueprint.part_count = count;
}
