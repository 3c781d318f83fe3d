// The tables that generated code has of a package, for code that works on any tables: saves and content.
//
// They have no functions, offsets and sizes in memory: only names, types, ranges, relations, blueprints and keys.
#include "generator/schema/schema.h"

#include <kin/info.h>
#include <kin/world.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- memory

static void *allocate(size_t size, size_t alignment, void *user)
{
    char *bytes = arena_allocate(user, size + alignment);
    return bytes + (alignment - (uintptr_t)bytes % alignment) % alignment;
}

static void release(void *memory, size_t size, void *user)
{
    (void)memory;
    (void)size;
    (void)user;
}

kin_allocator schema_arena_allocator(arena *arena)
{
    return (kin_allocator){allocate, release, arena};
}

// ---- tables

enum { ELEMENT = 8 }; // bytes of an element, of whatever type

typedef struct making {
    arena *arena;
    const package *package;
    dictionary types; // names of definitions to kin_type_info
} making;

static kin_type type_of(type_kind kind)
{
    static const kin_type types[] = {
        [TYPE_BOOL] = KIN_TYPE_BOOL,
        [TYPE_INT8] = KIN_TYPE_INT8,
        [TYPE_INT16] = KIN_TYPE_INT16,
        [TYPE_INT32] = KIN_TYPE_INT32,
        [TYPE_INT64] = KIN_TYPE_INT64,
        [TYPE_UINT8] = KIN_TYPE_UINT8,
        [TYPE_UINT16] = KIN_TYPE_UINT16,
        [TYPE_UINT32] = KIN_TYPE_UINT32,
        [TYPE_UINT64] = KIN_TYPE_UINT64,
        [TYPE_FLOAT] = KIN_TYPE_FLOAT,
        [TYPE_DOUBLE] = KIN_TYPE_DOUBLE,
        [TYPE_STRING] = KIN_TYPE_STRING,
        [TYPE_INLINE_STRING] = KIN_TYPE_INLINE_STRING,
        [TYPE_ENTITY] = KIN_TYPE_ENTITY,
        [TYPE_CONTEXT_ENTITY] = KIN_TYPE_ENTITY,
        [TYPE_ENUM] = KIN_TYPE_ENUM,
        [TYPE_STRUCT] = KIN_TYPE_STRUCT,
        [TYPE_OPAQUE] = KIN_TYPE_OPAQUE,
    };
    assert((size_t)kind < sizeof types / sizeof *types);
    return types[kind];
}

// ---- fields

// Literals of C have suffixes, which numbers in YAML lack.
static kin_number number_of(arena *arena, const constant *constant, type_kind kind)
{
    kin_number number = {.integer = 0};
    const char *digits = literal_number(arena, constant->literal);
    if (kind == TYPE_FLOAT || kind == TYPE_DOUBLE) {
        const char *infinity = strstr(digits, ".inf");
        number.number = strtod(digits, NULL);
        if (infinity != NULL)
            number.number = digits[0] == '-' ? -INFINITY : INFINITY;
    } else if (kind >= TYPE_UINT8) {
        number.natural = strtoull(digits, NULL, 0);
    } else {
        number.integer = strtoll(digits, NULL, 0);
    }
    return number;
}

static const kin_field_range *make_range(const making *making, const field *field)
{
    if (field->minimum == NULL && field->maximum == NULL)
        return NULL;
    kin_field_range *range = arena_allocate(making->arena, sizeof *range);
    range->has_min = field->minimum != NULL;
    range->has_max = field->maximum != NULL;
    if (range->has_min)
        range->min = number_of(making->arena, field->minimum, field->type.kind);
    if (range->has_max)
        range->max = number_of(making->arena, field->maximum, field->type.kind);
    return range;
}

static kin_field_info make_field(const making *making, const field *field)
{
    const field_type *type = &field->type;
    size_t width = ELEMENT;
    if (type->kind == TYPE_INLINE_STRING)
        width = type->string_size + 1;
    return (kin_field_info){
        .name = field->name,
        .doc = field->doc,
        .unit = field->unit,
        .type = type_of(type->kind),
        .count = (uint32_t)type->array_count,
        .size = width * (type->array_count == 0 ? 1 : type->array_count),
        .of = type->definition == NULL ? NULL : dictionary_find(&making->types, type->definition->name),
        .target = type->context == NULL ? NULL : type->context->name,
        .range = make_range(making, field),
        .on_destroy = (kin_on_destroy)field->on_destroy,
        .reverse = field->reverse,
        .is_tree = field->is_tree,
        .is_list = type->is_list,
        .element_size = type->is_list ? width : 0,
        .identity = field->saved.identity,
        .is_unsaved = field->is_unsaved,
        .is_not_content = field->is_not_content,
    };
}

static const kin_field_info *make_fields(const making *making, const field_list *list)
{
    kin_field_info *fields = arena_allocate(making->arena, list->count * sizeof *fields + 1);
    for (size_t i = 0; i < list->count; i++)
        fields[i] = make_field(making, &list->fields[i]);
    return fields;
}

// Structs come after the types of their fields.
static void make_type(making *making, const definition *definition)
{
    kin_type_info *info = arena_allocate(making->arena, sizeof *info);
    kin_enum_value_info *values = arena_allocate(making->arena, definition->enumerator_count * sizeof *values + 1);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        values[i] = (kin_enum_value_info){enumerator->name, enumerator->number, enumerator->saved.identity};
    }
    *info = (kin_type_info){.name = definition->name,
                            .doc = definition->doc,
                            .fields = make_fields(making, &definition->fields),
                            .field_count = (uint32_t)definition->fields.count,
                            .values = values,
                            .value_count = (uint32_t)definition->enumerator_count};
    dictionary_add(&making->types, definition->name, info);
}

static kin_component_info make_component(const making *making, const component *component)
{
    const field *unwritable;
    return (kin_component_info){.name = component->name,
                                .doc = component->doc,
                                .fields = make_fields(making, &component->fields),
                                .field_count = (uint32_t)component->fields.count,
                                .is_unique = component->is_unique,
                                .identity = component->saved.identity,
                                .is_unsaved = component->is_unsaved,
                                .is_not_content = component->is_not_content,
                                .is_unwritable = !schema_is_writable(component, &unwritable)};
}

// ---- contexts

// A context while its table is made.
typedef struct filling {
    const making *making;
    const context *context;
    kin_context_info *info;
} filling;

static const kin_field_info *field_info(const filling *filling, const component *component, const field *field)
{
    size_t id = schema_component_id(filling->context, component);
    return &filling->info->components[id].fields[field - component->fields.fields];
}

static void make_relations(const filling *filling)
{
    const package *package = filling->making->package;
    kin_relation_info *relations =
        arena_allocate(filling->making->arena, package->relation_count * sizeof *relations + 1);
    uint32_t count = 0;
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        if (relation->context != filling->context)
            continue;
        relations[count++] = (kin_relation_info){
            .name = relation->field->reverse,
            .component = (kin_component_id)schema_component_id(filling->context, relation->component),
            .field = field_info(filling, relation->component, relation->field),
            .on_destroy = (kin_on_destroy)relation->field->on_destroy,
            .is_tree = relation->field->is_tree};
    }
    filling->info->relations = relations;
    filling->info->relation_count = count;
}

static uint32_t relation_of(const filling *filling, const relation *wanted)
{
    const kin_context_info *info = filling->info;
    uint32_t number = 0;
    while (number < info->relation_count &&
           info->relations[number].field != field_info(filling, wanted->component, wanted->field))
        number++;
    assert(number < info->relation_count);
    return number;
}

static const kin_component_id *make_ids(const filling *filling, const blueprint_part *parts, size_t count)
{
    kin_component_id *ids = arena_allocate(filling->making->arena, count * sizeof *ids + 1);
    for (size_t i = 0; i < count; i++)
        ids[i] = (kin_component_id)schema_component_id(filling->context, parts[i].component);
    return ids;
}

static uint32_t blueprint_of(const filling *filling, const blueprint *wanted)
{
    const kin_context_info *info = filling->info;
    for (uint32_t i = 0; wanted != NULL && i < info->blueprint_count; i++)
        if (strcmp(info->blueprints[i].name, wanted->name) == 0)
            return i;
    return UINT32_MAX;
}

static void make_children(const filling *filling)
{
    const package *package = filling->making->package;
    kin_child_info *children = arena_allocate(filling->making->arena, package->child_count * sizeof *children + 1);
    for (size_t i = 0; i < package->child_count; i++) {
        const blueprint_child *child = package->children[i];
        if (child->context != filling->context)
            continue;
        kin_child_info *info = &children[child->number];
        info->entity = (kin_blueprint_info){.name = child->path,
                                            .components = make_ids(filling, child->parts, child->part_count),
                                            .component_count = (uint32_t)child->part_count};
        info->of = blueprint_of(filling, child->of);
        info->relation = relation_of(filling, child->tree);
        filling->info->child_count++;
    }
    filling->info->children = children;
}

static void make_knobs(arena *arena, const blueprint *blueprint, kin_blueprint_info *info)
{
    kin_knob_info *knobs = arena_allocate(arena, blueprint->knob_count * sizeof *knobs + 1);
    for (size_t i = 0; i < blueprint->knob_count; i++) {
        const knob *knob = &blueprint->knobs[i];
        knobs[i] = (kin_knob_info){knob->name, knob->paths, (uint32_t)knob->path_count};
    }
    info->knobs = knobs;
    info->knob_count = (uint32_t)blueprint->knob_count;
}

// Recursive, as deep as children are.
static void append_descendants(const child_list *list, uint32_t parent, kin_descendant_info *descendants,
                               uint32_t *count)
{
    for (size_t i = 0; i < list->count; i++) {
        descendants[(*count)++] = (kin_descendant_info){(uint32_t)list->children[i]->number, parent};
        append_descendants(&list->children[i]->children, *count, descendants, count);
    }
}

static void make_blueprints(const filling *filling)
{
    const package *package = filling->making->package;
    arena *arena = filling->making->arena;
    kin_blueprint_info *blueprints = arena_allocate(arena, package->blueprint_count * sizeof *blueprints + 1);
    filling->info->blueprints = blueprints;
    for (size_t i = 0; i < package->blueprint_count; i++) {
        const blueprint *blueprint = package->blueprints[i];
        if (blueprint->context != filling->context)
            continue;
        kin_descendant_info *descendants =
            arena_allocate(arena, blueprint->children.node_count * sizeof *descendants + 1);
        kin_blueprint_info *info = &blueprints[filling->info->blueprint_count++];
        *info = (kin_blueprint_info){.name = blueprint->name,
                                     .doc = blueprint->doc,
                                     .components = make_ids(filling, blueprint->parts, blueprint->part_count),
                                     .component_count = (uint32_t)blueprint->part_count,
                                     .descendants = descendants};
        make_knobs(arena, blueprint, info);
        append_descendants(&blueprint->children, 0, descendants, &info->descendant_count);
    }
    make_children(filling);
}

// Of indices only what content checks: primary keys of fields, without further conditions.
static void make_indices(const filling *filling)
{
    const package *package = filling->making->package;
    arena *arena = filling->making->arena;
    kin_index_info *indices = arena_allocate(arena, package->index_count * sizeof *indices + 1);
    filling->info->indices = indices;
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        bool has_plain_key = index->kind == INDEX_PRIMARY && index->function == NULL && index->rule_count == 0;
        if (index->context != filling->context || !has_plain_key)
            continue;
        kin_key_info *key = arena_allocate(arena, index->key_count * sizeof *key + 1);
        for (size_t j = 0; j < index->key_count; j++)
            key[j] = (kin_key_info){
                .component = (kin_component_id)schema_component_id(filling->context, index->key[j].component),
                .field = field_info(filling, index->key[j].component, index->key[j].field)};
        indices[filling->info->index_count++] = (kin_index_info){
            .name = index->name, .is_primary = true, .key = key, .key_count = (uint32_t)index->key_count};
    }
}

static const kin_context_info *make_context(const making *making, const context *context,
                                            const kin_package_info *package)
{
    kin_context_info *info = arena_allocate(making->arena, sizeof *info);
    kin_component_info *components = arena_allocate(making->arena, context->component_count * sizeof *components + 1);
    for (size_t i = 0; i < context->component_count; i++)
        components[i] = make_component(making, context->components[i]);
    *info = (kin_context_info){.name = context->name,
                               .doc = context->doc,
                               .components = components,
                               .component_count = (uint32_t)context->component_count,
                               .package = package,
                               .identity = context->saved.identity,
                               .is_unsaved = context->is_unsaved};
    filling filling = {making, context, info};
    if (context->placed_by != NULL) {
        kin_key_info *placed_by = arena_allocate(making->arena, sizeof *placed_by);
        placed_by->component = (kin_component_id)schema_component_id(context, context->placed_by->component);
        placed_by->field = field_info(&filling, context->placed_by->component, context->placed_by->field);
        info->placed_by = placed_by;
    }
    make_relations(&filling);
    make_blueprints(&filling);
    make_indices(&filling);
    return info;
}

// ---- packages

static making begin(arena *arena, const package *package)
{
    making making = {arena, package, dictionary_create(arena)};
    for (size_t i = 0; i < package->definition_count; i++)
        make_type(&making, package->definitions[i]);
    return making;
}

const struct kin_context_info *const *schema_context_tables(arena *arena, const package *package)
{
    making making = begin(arena, package);
    kin_package_info *info = arena_allocate(arena, sizeof *info);
    const char **removed = arena_allocate(arena, package->removal_count * sizeof *removed + 1);
    for (size_t i = 0; i < package->removal_count; i++)
        removed[i] = package->removals[i].identity;
    *info = (kin_package_info){package->name, package->version, removed, (uint32_t)package->removal_count};
    const kin_context_info **tables = arena_allocate(arena, (package->context_count + 1) * sizeof *tables);
    for (size_t i = 0; i < package->context_count; i++)
        tables[i] = make_context(&making, package->contexts[i], info);
    return tables;
}

const struct kin_message_info *schema_message_tables(arena *arena, const package *package)
{
    making making = begin(arena, package);
    kin_message_info *messages = arena_allocate(arena, package->message_count * sizeof *messages + 1);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        messages[i] = (kin_message_info){.name = message->name,
                                         .fields = make_fields(&making, &message->fields),
                                         .field_count = (uint32_t)message->fields.count,
                                         .identity = message->saved.identity};
    }
    return messages;
}
