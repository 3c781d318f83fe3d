// Reading of a component of a blueprint: the values of its fields.
#include "read/private/blueprint.h"
#include "read/private/constant.h"

#include <string.h>

// The arrays of values that are given when many are spawned have a member for each component.
static void check_member(reader *reader, const tree_node *key, const component *component, const char *what)
{
    const char *member = name_to_snake_case(reader->arena, component->name);
    const char *reserved = name_reserved_as(member);
    if (reserved != NULL && component->fields.count > 0)
        diagnostic_error(reader->diagnostics, CODE_BLUEPRINT_MEMBER, key->span,
                         "component '%s' cannot be in %s: the member '%s' of its values would be %s", component->name,
                         what, member, reserved);
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

// The values of a part: those that the mapping gives, and of the others those of `base`, or the defaults.
static const constant *const *read_values(reader *reader, const tree_node *mapping, const blueprint_part *base)
{
    const field_list *fields = &base->component->fields;
    constant_list list = constant_list_begin(reader, CONSTANT_STRUCT, fields->count, mapping->span);
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        const tree_node *given = tree_find(mapping, field->name);
        const constant *former = base->values == NULL ? field->default_value : base->values[i];
        constant_list_append(&list, given == NULL ? former : read_override(reader, &field->type, given, former));
    }
    return list.is_broken ? NULL : list.items;
}

// `Health: 3`, and `Asleep: true`.
static bool expect_values(reader *reader, const tree_node *node, const component *component, const char *what)
{
    if (reader_expect_mapping(reader, node, what))
        return true;
    if (tree_is_text(node) && component->fields.count == 1)
        diagnostic_hint(reader->diagnostics, "write { %s: %s }", component->fields.fields[0].name, node->text);
    else if (tree_is_text(node) && component->fields.count == 0)
        diagnostic_hint(reader->diagnostics, "write {}, as a flag has no values");
    return false;
}

void read_blueprint_part(reader *reader, const tree_pair *pair, const char *what, blueprint_part *part)
{
    const component *component = part->component;
    const tree_node *mapping = pair->value;
    const char *name = arena_format(reader->arena, "component '%s' in %s", component->name, what);
    check_member(reader, pair->key, component, what);
    if (!expect_values(reader, mapping, component, name))
        return;
    for (const tree_pair *field = mapping->pairs; field != NULL; field = field->next)
        if (!has_field(component, field->key->text))
            report_field(reader, field->key, component, what);
    if (mapping->count > 0 && component->fields.count > 0)
        part->values = read_values(reader, mapping, part);
}
