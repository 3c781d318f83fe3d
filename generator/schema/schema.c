// Questions about what a package declares.
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const constant *schema_constant_item(const constant *constant, size_t index)
{
    assert(index < constant->count);
    if (constant->is_uniform)
        return constant->items[0];
    return constant->items[index];
}

const char *schema_macro_stem(arena *arena, const package *package)
{
    if (package->prefix[0] == '\0' && strchr(package->name, '_') == NULL)
        return name_to_upper_case(arena, package->name);
    return arena_format(arena, "%s%s", package->prefix, package->name);
}

bool schema_has_headers(const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++)
        if (package->definitions[i]->header != NULL)
            return true;
    return false;
}

bool schema_replicates(const package *package)
{
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->is_replicated)
            return true;
    return false;
}

bool schema_is_sent(const component *component)
{
    return component->replicate != REPLICATE_NONE && !component->is_unsaved;
}

bool schema_field_is_sent(const field *field)
{
    return !field->is_local && !field->is_unsaved;
}

bool schema_is_blended(const component *component)
{
    for (size_t i = 0; i < component->fields.count; i++)
        if (component->fields.fields[i].is_blended)
            return true;
    return false;
}

bool schema_has_migrations(const package *package)
{
    for (size_t i = 0; i < package->component_count; i++)
        if (package->components[i]->migrates)
            return true;
    return false;
}

bool schema_reads_as_world(const package *package, const context *context)
{
    return package->has_world && strcmp(package->name, context->name) == 0;
}

bool schema_has_one_tree(const package *package, const context *context)
{
    size_t count = 0;
    for (size_t i = 0; i < package->relation_count; i++)
        count += package->relations[i].context == context && package->relations[i].field->is_tree;
    return count == 1;
}

bool schema_is_whole(const blueprint_child *child)
{
    bool is_same = child->of != NULL && child->children.children == child->of->children.children;
    return is_same || child->is_whole;
}

bool schema_has_parts(const blueprint *blueprint)
{
    return blueprint->is_of_child || blueprint->children.count > 0;
}

bool schema_is_origin(const context *context, const component *component)
{
    return context != NULL && context->has_content && strcmp(component->name, "Origin") == 0;
}

bool schema_has_values(const blueprint *blueprint)
{
    for (size_t i = 0; i < blueprint->part_count; i++) {
        const component *component = blueprint->parts[i].component;
        if (component->fields.count > 0 && !schema_is_origin(blueprint->context, component))
            return true;
    }
    return false;
}

static bool is_writable(const field_type *type)
{
    const definition *definition = type->definition;
    if (type->kind == TYPE_OPAQUE)
        return definition->save != NULL;
    bool is_struct = type->kind == TYPE_STRUCT && definition != NULL;
    for (size_t i = 0; is_struct && i < definition->fields.count; i++)
        if (!definition->fields.fields[i].is_unsaved && !is_writable(&definition->fields.fields[i].type))
            return false;
    return true;
}

bool schema_is_writable(const component *component, const field **field)
{
    for (size_t i = 0; i < component->fields.count; i++) {
        *field = &component->fields.fields[i];
        if (!(*field)->is_unsaved && !is_writable(&(*field)->type))
            return false;
    }
    return true;
}

size_t schema_component_id(const context *context, const component *component)
{
    assert(context->component_count > 0);
    size_t low = 0;
    size_t high = context->component_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(context->components[middle]->name, component->name) <= 0)
            low = middle;
        else
            high = middle;
    }
    assert(low < context->component_count && context->components[low] == component);
    return low;
}

bool schema_rules_name(const rule *rules, size_t count, const component *component)
{
    for (size_t i = 0; i < count; i++)
        if (schema_lists((component_list){rules[i].components, rules[i].count}, component))
            return true;
    return false;
}

bool schema_hides_keys(const entity_index *index)
{
    const component *off = index->context->off;
    return off != NULL && index->kind == INDEX_PRIMARY && !schema_rules_name(index->rules, index->rule_count, off);
}

enum { MOST_INLINED = 8 }; // components whose bits a loop combines without the library

static bool has_soa_columns(const rule *rule)
{
    for (size_t i = 0; i < rule->count; i++)
        if (rule->kind != RULE_NONE && rule->components[i]->is_soa)
            return true;
    return false;
}

// Around an inlined step clang does not see that the columns of one component are apart: it vectorizes no loop over
// several of them.
bool schema_is_inlined(const group *group, size_t maybe_count)
{
    bool has_all = false;
    size_t count = 0;
    for (size_t i = 0; i < group->rule_count; i++) {
        if (group->rules[i].kind == RULE_ONLY || has_soa_columns(&group->rules[i]))
            return false;
        has_all = has_all || group->rules[i].kind == RULE_ALL;
        count += group->rules[i].count;
    }
    return has_all && count <= MOST_INLINED && maybe_count == 0;
}

bool schema_is_boxed(const component *component)
{
    assert(!component->is_shared || component->fields.count > 0);
    return component->is_boxed || component->is_shared || (component->is_unique && component->fields.count > 0);
}

bool schema_is_owned(const component *component)
{
    return component->has_strings || component->has_drops || component->has_lists;
}

bool schema_field_is_owned(const field *field)
{
    return field->type.kind == TYPE_STRING || field->type.is_list ||
           (field->type.definition != NULL && field->type.definition->has_drops);
}

// Recursive over nested structs; the schema allows no recursive ones.
bool schema_has_floating_point(const field_type *type)
{
    if (type->kind != TYPE_STRUCT)
        return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
    const field_list *list = &type->definition->fields;
    for (size_t i = 0; i < list->count; i++)
        if (schema_has_floating_point(&list->fields[i].type))
            return true;
    return false;
}

bool schema_is_floating(const field_type *type)
{
    if (type->kind != TYPE_STRUCT)
        return type->kind == TYPE_FLOAT || type->kind == TYPE_DOUBLE;
    const field_list *list = &type->definition->fields;
    for (size_t i = 0; i < list->count; i++)
        if (!schema_is_floating(&list->fields[i].type))
            return false;
    return true;
}

const char *schema_index_title(const entity_index *index)
{
    assert(!index->is_whole || !index->is_custom);
    if (index->is_whole)
        return "index on component";
    if (index->is_custom)
        return "index";
    return "index on field";
}

// Recursive over nested structs. The runtime has the same sizes: kin__key_count_words.
static size_t ordered_size(const field_type *type)
{
    const field_list *fields = type->kind == TYPE_STRUCT ? &type->definition->fields : NULL;
    size_t size = 0;
    for (size_t i = 0; fields != NULL && i < fields->count; i++)
        size += ordered_size(&fields->fields[i].type);
    switch (type->kind) {
    case TYPE_STRUCT:
    case TYPE_OPAQUE:
        return size;
    case TYPE_STRING:
        return SCHEMA_ORDERED_STRING;
    case TYPE_INLINE_STRING:
        return type->string_size < SCHEMA_ORDERED_STRING ? type->string_size + 1 : SCHEMA_ORDERED_STRING;
    case TYPE_ENUM:
    case TYPE_ENTITY:
    case TYPE_CONTEXT_ENTITY:
        return sizeof(uint32_t);
    default:
        return scalar_type_of(type->kind)->size;
    }
}

size_t schema_ordered_size(const entity_index *index)
{
    size_t size = 0;
    for (size_t i = 0; i < index->key_count; i++)
        size += ordered_size(&index->key[i].field->type);
    return size;
}

bool schema_is_relation(const field *field)
{
    assert(field->reverse != NULL || !field->is_tree);
    return field->on_destroy != ON_DESTROY_KEEP;
}

bool schema_is_tracked(const component *component)
{
    return component->is_keyed || component->has_relations || component->is_shared;
}

bool schema_field_is_const(const field *field)
{
    return field->is_keyed || schema_is_relation(field) || schema_field_is_owned(field);
}

static size_t count_const_fields(const component *component)
{
    size_t count = 0;
    for (size_t i = 0; i < component->fields.count; i++)
        count += schema_field_is_const(&component->fields.fields[i]);
    return count;
}

bool schema_is_writable_in_place(const component *component)
{
    return !component->is_shared && count_const_fields(component) < component->fields.count;
}

bool schema_is_editable(const component *component)
{
    return !component->is_soa && schema_is_writable_in_place(component);
}

bool schema_has_edit_type(const component *component)
{
    return schema_is_editable(component) && count_const_fields(component) > 0;
}

bool schema_is_touchable(const component *component)
{
    return schema_is_editable(component) || component->has_lists;
}

field_type schema_element_type(const field_type *type)
{
    assert(!type->is_list || type->array_count == 0);
    field_type element = *type;
    element.array_count = 0;
    element.is_list = false;
    return element;
}

static const char *element_name(arena *arena, const field_type *type)
{
    switch (type->kind) {
    case TYPE_STRING:
        return "string";
    case TYPE_INLINE_STRING:
        return arena_format(arena, "string[%zu]", type->string_size);
    case TYPE_CONTEXT_ENTITY:
        return arena_format(arena, "entity<%s>", type->context->name);
    case TYPE_ENUM:
    case TYPE_STRUCT:
    case TYPE_OPAQUE:
        return type->definition->name;
    default:
        return scalar_type_of(type->kind)->name;
    }
}

const char *schema_type_name(arena *arena, const field_type *type)
{
    if (type->is_unknown)
        return "?";
    const char *element = element_name(arena, type);
    if (type->is_list)
        return arena_format(arena, "%s[]", element);
    if (type->array_count > 0)
        return arena_format(arena, "%s[%zu]", element, type->array_count);
    return element;
}

// ---- events in the order of their delivery

const char *schema_event_name(arena *arena, const component *component, const component_event *event)
{
    assert(event >= component->events && event < component->events + component->event_count);
    const char *name = name_to_snake_case(arena, component->name);
    return arena_format(arena, "%s%s%s", text_if(event->target == TARGET_ANY, "any_"), name,
                        text_if(event->type == EVENT_REMOVED, "_removed"));
}

static int compare(const void *a, const void *b)
{
    const placed_event *left = a;
    const placed_event *right = b;
    int order = (left->event->priority > right->event->priority) - (left->event->priority < right->event->priority);
    if (order == 0)
        order = size_compare(left->place, right->place);
    return order;
}

placed_events schema_events_of(arena *arena, const context *context)
{
    placed_events list = {.count = 0};
    size_t capacity = 0;
    for (size_t i = 0; i < context->component_count; i++)
        capacity += context->components[i]->event_count;
    list.events = arena_allocate(arena, (capacity + 1) * sizeof *list.events);
    for (size_t i = 0; i < context->component_count; i++)
        for (size_t k = 0; k < context->components[i]->event_count; k++, list.count++)
            list.events[list.count] =
                (placed_event){context->components[i], &context->components[i]->events[k], list.count};
    assert(list.count == capacity);
    qsort(list.events, list.count, sizeof *list.events, compare);
    return list;
}
