// Shapes of packages and of locks.
#include "generator/evolve/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- fields

// The cast is safe: the run owns the model, and no other code reads identities before they are known.
static saved_name *saved_of(const saved_name *saved)
{
    return (saved_name *)(uintptr_t)saved;
}

static thing thing_of(const shape *shape, const char *name, span span, const saved_name *saved)
{
    thing thing = {.name = name,
                   .was = saved->was,
                   .span = span,
                   .was_span = saved->span,
                   .type_span = span,
                   .saved = saved_of(saved)};
    assert(name != NULL);
    if (shape->is_known)
        thing.known = saved->identity;
    return thing;
}

static thing_list list_of(arena *arena, size_t capacity)
{
    return (thing_list){arena_allocate(arena, (capacity + 1) * sizeof(thing)), 0};
}

static thing_list values_of(const shape *shape, const definition *definition)
{
    thing_list list = list_of(shape->arena, definition->enumerator_count);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *value = &definition->enumerators[i];
        struct thing *thing = &list.things[list.count++];
        *thing = thing_of(shape, value->name, value->span, &value->saved);
        thing->has_number = true;
        thing->number = value->number;
    }
    return list;
}

dimensions dimensions_with(arena *arena, dimensions around, const field_type *type)
{
    if (type->array_count == 0 && !type->is_list)
        return around;
    size_t *elements = arena_allocate(arena, (around.count + 1) * sizeof *elements);
    for (size_t i = 0; i < around.count; i++)
        elements[i] = around.elements[i];
    elements[around.count] = type->array_count;
    return (dimensions){elements, around.count + 1};
}

lock_type *shape_type_of(arena *arena, const field_type *field, dimensions elements)
{
    lock_type *type = arena_allocate(arena, sizeof *type);
    assert(field->kind != TYPE_STRUCT);
    *type = (lock_type){.kind = field->kind, .elements = elements.elements, .depth = elements.count};
    if (field->kind == TYPE_INLINE_STRING)
        type->string_size = field->string_size;
    if (field->kind == TYPE_CONTEXT_ENTITY)
        type->context = field->context->saved.identity;
    if (field->kind == TYPE_ENUM) {
        const definition *definition = field->definition;
        type->minimum = type->maximum = definition->enumerators[0].number;
        for (size_t i = 1; i < definition->enumerator_count; i++) {
            int32_t number = definition->enumerators[i].number;
            if (number < type->minimum)
                type->minimum = number;
            if (number > type->maximum)
                type->maximum = number;
        }
    }
    return type;
}

// Recursive, as deep as structs are nested.
static thing_list fields_of(const shape *shape, const field_list *fields, dimensions around)
{
    thing_list list = list_of(shape->arena, fields->count);
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        const field_type *type = &field->type;
        dimensions elements = dimensions_with(shape->arena, around, type);
        thing thing = thing_of(shape, field->name, field->span, &field->saved);
        if (type->span.source != NULL)
            thing.type_span = type->span;
        if (type->kind == TYPE_STRUCT)
            thing.fields = fields_of(shape, &type->definition->fields, elements);
        else
            thing.type = shape_type_of(shape->arena, type, elements);
        if (type->kind == TYPE_ENUM)
            thing.values = values_of(shape, type->definition);
        bool is_empty = thing.type == NULL && thing.fields.count == 0;
        if (!field->is_unsaved && !is_empty)
            list.things[list.count++] = thing;
    }
    return list;
}

static void set_fields(const shape *shape, thing *thing, const field_list *fields)
{
    static const lock_type flag = {.is_flag = true};
    thing->fields = fields_of(shape, fields, (dimensions){NULL, 0});
    if (thing->fields.count == 0)
        thing->type = &flag;
}

// ---- packages

static lock_names saved_contexts(const shape *shape, const component *component)
{
    lock_names list = {arena_allocate(shape->arena, (component->context_count + 1) * sizeof *list.names), 0};
    for (size_t i = 0; i < component->context_count; i++) {
        const context *context = component->contexts[i];
        if (!context->is_unsaved)
            list.names[list.count++] =
                (lock_name){.identity = context->saved.identity, .name = context->saved.identity};
    }
    return lock_join_names(shape->arena, &list, &(lock_names){NULL, 0});
}

static bool is_saved(const component *component)
{
    const field *field;
    bool has_context = false;
    for (size_t i = 0; i < component->context_count; i++)
        has_context = has_context || !component->contexts[i]->is_unsaved;
    bool is_declared = has_context && !component->is_unsaved;
    return is_declared && schema_is_writable(component, &field);
}

static void add_components(shape *shape)
{
    const package *package = shape->package;
    thing_list list = list_of(shape->arena, package->component_count);
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        if (!is_saved(component))
            continue;
        thing thing = thing_of(shape, component->name, component->span, &component->saved);
        thing.contexts = saved_contexts(shape, component);
        thing.migrates = component->migrates;
        set_fields(shape, &thing, &component->fields);
        list.things[list.count++] = thing;
    }
    shape->kinds[LOCK_COMPONENT] = list;
}

static void add_world(shape *shape)
{
    const package *package = shape->package;
    thing_list messages = list_of(shape->arena, package->message_count);
    thing_list systems = list_of(shape->arena, package->system_count);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        thing thing = thing_of(shape, message->name, message->span, &message->saved);
        set_fields(shape, &thing, &message->fields);
        messages.things[messages.count++] = thing;
    }
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        systems.things[systems.count++] = thing_of(shape, system->name, system->span, &system->saved);
    }
    shape->kinds[LOCK_MESSAGE] = messages;
    shape->kinds[LOCK_SYSTEM] = systems;
}

static const char *key_of(const shape *shape, const entity_index *index)
{
    text key = text_create(shape->arena);
    if (index->function != NULL)
        text_append_format(&key, "%s()", index->name);
    for (size_t i = 0; index->function == NULL && i < index->key_count; i++) {
        text_separate(&key, i, ",");
        text_append_format(&key, "%s.%s", index->key[i].component->saved.identity, index->key[i].field->saved.identity);
    }
    return key.bytes;
}

static bool are_saved(const component *const *components, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_saved(components[i]))
            return false;
    return true;
}

// Returns whether entities that were read from a file can have the key.
static bool has_saved_key(const entity_index *index)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (!is_saved(index->key[i].component) || index->key[i].field->is_unsaved)
            return false;
    for (size_t i = 0; i < index->rule_count; i++)
        if (index->rules[i].kind == RULE_ALL && !are_saved(index->rules[i].components, index->rules[i].count))
            return false;
    bool is_primary = index->kind == INDEX_PRIMARY && !index->context->is_unsaved;
    return is_primary && are_saved(index->of, index->of_count);
}

// Returns whether a migration of a component decides about its keys.
static bool migrates(const entity_index *index)
{
    bool any_migrates = false;
    for (size_t i = 0; i < index->key_count; i++)
        any_migrates = any_migrates || index->key[i].component->migrates;
    for (size_t i = 0; i < index->of_count; i++)
        any_migrates = any_migrates || index->of[i]->migrates;
    return any_migrates;
}

static void add_primary_key(shape *shape, thing_list *list, const entity_index *index)
{
    thing thing = {.name = key_of(shape, index), .span = index->span, .migrates = migrates(index)};
    lock_name context = {.identity = index->context->saved.identity, .name = index->context->saved.identity};
    lock_names contexts = {&context, 1};
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->things[i].name, thing.name) != 0)
            continue;
        list->things[i].contexts = lock_join_names(shape->arena, &list->things[i].contexts, &contexts);
        return;
    }
    thing.contexts = lock_join_names(shape->arena, &contexts, &(lock_names){NULL, 0});
    list->things[list->count++] = thing;
}

// ---- conditions of primary keys

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Returns the texts in order, each once.
static const char *joined(arena *arena, const char **texts, size_t count, const char *separator)
{
    text text = text_create(arena);
    size_t written = 0;
    if (count > 1)
        qsort(texts, count, sizeof *texts, compare_texts);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(texts[i], texts[i - 1]) == 0)
            continue;
        text_separate(&text, written++, separator);
        text_append_string(&text, texts[i]);
    }
    return text.bytes;
}

static bool is_in_key(const entity_index *index, const component *component)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (index->key[i].component == component)
            return true;
    return false;
}

// Returns the components that entities with the key have or lack, besides those of its fields; "" if there are none.
// No entity of a file has a component that is not saved.
static const char *condition_of(const shape *shape, const entity_index *index)
{
    size_t limit = index->of_count + 1;
    for (size_t i = 0; i < index->rule_count; i++)
        limit += index->rules[i].count;
    const char **words = arena_allocate(shape->arena, limit * sizeof *words);
    size_t count = 0;
    for (size_t i = 0; i < index->of_count; i++)
        words[count++] = index->of[i]->saved.identity;
    for (size_t i = 0; i < index->rule_count; i++) {
        const rule *rule = &index->rules[i];
        for (size_t j = 0; j < rule->count; j++) {
            const component *component = rule->components[j];
            if (is_in_key(index, component) || !is_saved(component))
                continue;
            words[count] = component->saved.identity;
            if (rule->kind == RULE_NONE)
                words[count] = arena_format(shape->arena, "!%s", words[count]);
            count++;
        }
    }
    return joined(shape->arena, words, count, ",");
}

typedef struct keyed {
    const char *path; // context and key
    const char *condition;
    span span;
} keyed;

// One of several indices over a key that has no condition counts for all.
static void add_condition(const shape *shape, thing_list *list, const keyed *indices, size_t count, size_t first)
{
    const char **conditions = arena_allocate(shape->arena, count * sizeof *conditions);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(indices[i].path, indices[first].path) != 0)
            continue;
        if (i < first || indices[i].condition[0] == '\0')
            return;
        conditions[found++] = indices[i].condition;
    }
    list->things[list->count++] = (thing){.name = indices[first].path,
                                          .span = indices[first].span,
                                          .value = joined(shape->arena, conditions, found, "|")};
}

static void add_conditions(shape *shape)
{
    const package *package = shape->package;
    keyed *indices = arena_allocate(shape->arena, (package->index_count + 1) * sizeof *indices);
    size_t count = 0;
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        if (has_saved_key(index))
            indices[count++] =
                (keyed){.path = lock_path(shape->arena, index->context->saved.identity, key_of(shape, index)),
                        .condition = condition_of(shape, index),
                        .span = index->span};
    }
    thing_list list = list_of(shape->arena, count);
    for (size_t i = 0; i < count; i++)
        add_condition(shape, &list, indices, count, i);
    shape->kinds[LOCK_CONDITION] = list;
}

// ---- ranges and relations

static bool has_range(const field *field)
{
    bool has_bound = field->minimum != NULL || field->maximum != NULL;
    return has_bound && !field->is_unsaved;
}

// Recursive, as deep as structs are nested.
static size_t count_ranges(const field_list *fields)
{
    size_t count = 0;
    for (size_t i = 0; i < fields->count; i++) {
        const field_type *type = &fields->fields[i].type;
        count += has_range(&fields->fields[i]);
        if (type->kind == TYPE_STRUCT)
            count += count_ranges(&type->definition->fields);
    }
    return count;
}

static const char *bound_of(const shape *shape, const constant *bound)
{
    if (bound == NULL)
        return "~";
    return literal_number(shape->arena, bound->literal);
}

// Recursive, as deep as structs are nested.
static void add_ranges_of(const shape *shape, thing_list *list, const char *path, const field_list *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        const char *own = lock_path(shape->arena, path, field->saved.identity);
        if (has_range(field))
            list->things[list->count++] =
                (thing){.name = own,
                        .span = field->span,
                        .value = arena_format(shape->arena, "%s..%s", bound_of(shape, field->minimum),
                                              bound_of(shape, field->maximum))};
        if (field->type.kind == TYPE_STRUCT && !field->is_unsaved)
            add_ranges_of(shape, list, own, &field->type.definition->fields);
    }
}

static void add_ranges(shape *shape)
{
    const package *package = shape->package;
    size_t count = 0;
    for (size_t i = 0; i < package->component_count; i++)
        count += count_ranges(&package->components[i]->fields);
    thing_list list = list_of(shape->arena, count);
    for (size_t i = 0; i < package->component_count; i++)
        if (is_saved(package->components[i]))
            add_ranges_of(shape, &list, package->components[i]->saved.identity, &package->components[i]->fields);
    shape->kinds[LOCK_RANGE] = list;
}

static void add_message_ranges(shape *shape)
{
    const package *package = shape->package;
    size_t count = 0;
    for (size_t i = 0; i < package->message_count; i++)
        count += count_ranges(&package->messages[i]->fields);
    thing_list list = list_of(shape->arena, count);
    for (size_t i = 0; i < package->message_count; i++)
        add_ranges_of(shape, &list, package->messages[i]->saved.identity, &package->messages[i]->fields);
    shape->kinds[LOCK_MESSAGE_RANGE] = list;
}

static void add_inboxes(shape *shape)
{
    static const char *const effects[] = {[INBOX_OLDEST] = "of saves that have more, the oldest messages are lost",
                                          [INBOX_NEWEST] = "of saves that have more, the newest messages are lost",
                                          [INBOX_ERROR] = "of saves that have more, the newest messages are lost"};
    const package *package = shape->package;
    size_t count = 0;
    for (size_t i = 0; i < package->system_count; i++)
        count += package->systems[i]->inbox_count;
    thing_list list = list_of(shape->arena, count);
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        for (size_t j = 0; j < system->inbox_count; j++) {
            const system_inbox *inbox = &system->inboxes[j];
            const char *capacity = "~";
            if (inbox->capacity > 0)
                capacity = arena_format(shape->arena, "%u", (unsigned)inbox->capacity);
            list.things[list.count++] =
                (thing){.name = lock_path(shape->arena, system->saved.identity, inbox->message->saved.identity),
                        .span = inbox->span,
                        .value = capacity,
                        .effect = effects[inbox->full]};
        }
    }
    shape->kinds[LOCK_INBOX] = list;
}

static void add_relations(shape *shape)
{
    static const char *const effects[] = {
        [ON_DESTROY_KEEP] = "",
        [ON_DESTROY_CLEAR] = "of a holder whose target is not alive the field becomes no entity",
        [ON_DESTROY_REMOVE] = "a holder whose target is not alive loses the component",
        [ON_DESTROY_DESTROY] = "a holder whose target is not alive is destroyed",
        [ON_DESTROY_REFUSE] = "of a holder whose target is not alive the field becomes no entity"};
    const package *package = shape->package;
    thing_list relations = list_of(shape->arena, package->relation_count);
    thing_list trees = list_of(shape->arena, package->relation_count);
    for (size_t i = 0; i < package->relation_count; i++) {
        const component *component = package->relations[i].component;
        const field *field = package->relations[i].field;
        assert((size_t)field->on_destroy < sizeof effects / sizeof *effects);
        if (!is_saved(component) || field->is_unsaved)
            continue;
        thing thing = {.name = lock_path(shape->arena, component->saved.identity, field->saved.identity),
                       .span = field->span,
                       .effect = effects[field->on_destroy]};
        relations.things[relations.count++] = thing;
        if (field->is_tree)
            trees.things[trees.count++] = thing;
    }
    shape->kinds[LOCK_RELATION] = relations;
    shape->kinds[LOCK_TREE] = trees;
}

static void add_marks(shape *shape)
{
    const package *package = shape->package;
    thing_list keys = list_of(shape->arena, package->index_count);
    thing_list uniques = list_of(shape->arena, package->component_count);
    thing_list stashes = list_of(shape->arena, package->component_count);
    for (size_t i = 0; i < package->index_count; i++)
        if (has_saved_key(package->indices[i]))
            add_primary_key(shape, &keys, package->indices[i]);
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        if (component->is_unique && is_saved(component))
            uniques.things[uniques.count++] = (thing){.name = component->saved.identity, .span = component->span};
        if (component->is_stashable && is_saved(component))
            stashes.things[stashes.count++] = (thing){.name = component->saved.identity, .span = component->span};
    }
    add_conditions(shape);
    add_ranges(shape);
    add_message_ranges(shape);
    add_inboxes(shape);
    add_relations(shape);
    shape->kinds[LOCK_STASH] = stashes;
    shape->kinds[LOCK_PRIMARY] = keys;
    shape->kinds[LOCK_UNIQUE] = uniques;
}

// ---- locks

static thing_list values_in(const shape *shape, const lock_node *node)
{
    const lock_names *values = &node->type->values;
    thing_list list = list_of(shape->arena, values->count);
    assert(lock_type_is_enum(node->type));
    for (size_t i = 0; i < values->count; i++)
        if (values->names[i].name != NULL)
            list.things[list.count++] = (thing){.name = values->names[i].name,
                                                .known = values->names[i].identity,
                                                .span = node->span,
                                                .has_number = values->names[i].has_number,
                                                .number = values->names[i].number};
    return list;
}

static lock_names live_names(arena *arena, const lock_names *names)
{
    lock_names live = {arena_allocate(arena, (names->count + 1) * sizeof *live.names), 0};
    for (size_t i = 0; i < names->count; i++)
        if (names->names[i].name != NULL)
            live.names[live.count++] = names->names[i];
    return live;
}

// Recursive, as deep as structs were nested.
static thing_list things_in(const shape *shape, const lock_list *nodes)
{
    size_t count = 0;
    for (const lock_node *node = nodes->first; node != NULL; node = node->next)
        count++;
    thing_list list = list_of(shape->arena, count);
    for (const lock_node *node = nodes->first; node != NULL; node = node->next) {
        thing thing = {.name = node->name, .known = node->identity, .span = node->span, .type_span = node->span};
        thing.value = node->value;
        if (!lock_is_live(node))
            continue;
        thing.contexts = live_names(shape->arena, &node->contexts);
        thing.fields = things_in(shape, &node->children);
        bool has_leaf = node->has_line && !node->is_removed;
        if (has_leaf && thing.fields.count == 0)
            thing.type = lock_type_now(node);
        if (thing.type != NULL && lock_type_is_enum(thing.type))
            thing.values = values_in(shape, node);
        list.things[list.count++] = thing;
    }
    return list;
}

static lock_names contexts_below(arena *arena, const thing *thing)
{
    lock_names names = thing->contexts;
    for (size_t i = 0; i < thing->fields.count; i++) {
        lock_names below = contexts_below(arena, &thing->fields.things[i]);
        names = lock_join_names(arena, &names, &below);
    }
    return names;
}

// ---- both

void shape_begin(shape *shape)
{
    assert((shape->package == NULL) != (shape->lock == NULL));
    if (shape->package == NULL) {
        shape->kinds[LOCK_CONTEXT] = things_in(shape, &shape->lock->nodes[LOCK_CONTEXT]);
        return;
    }
    thing_list list = list_of(shape->arena, shape->package->context_count);
    for (size_t i = 0; i < shape->package->context_count; i++) {
        const context *context = shape->package->contexts[i];
        if (!context->is_unsaved)
            list.things[list.count++] = thing_of(shape, context->name, context->span, &context->saved);
    }
    shape->kinds[LOCK_CONTEXT] = list;
}

void shape_finish(shape *shape)
{
    if (shape->package == NULL) {
        for (int kind = LOCK_CONTEXT + 1; kind < LOCK_KIND_COUNT; kind++)
            shape->kinds[kind] = things_in(shape, &shape->lock->nodes[kind]);
        thing_list *components = &shape->kinds[LOCK_COMPONENT];
        for (size_t i = 0; i < components->count; i++)
            components->things[i].contexts = contexts_below(shape->arena, &components->things[i]);
        return;
    }
    add_components(shape);
    add_world(shape);
}

void shape_mark(shape *shape)
{
    if (shape->package != NULL)
        add_marks(shape);
}
