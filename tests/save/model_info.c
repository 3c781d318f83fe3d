#include "model_info.h"

#include "generator/schema/schema.h"

#include <kin/platform.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const kin_component_info *made[MODEL_INFO_VERSIONS];

// A default has no other argument than the value: there is one function for each component of each version.
#define DEFAULT(version, id)                                                                                           \
    static void default_##version##_##id(void *value)                                                                  \
    {                                                                                                                  \
        memset(value, 0, made[version][id].size);                                                                      \
    }
#define DEFAULTS(version) DEFAULT(version, 0) DEFAULT(version, 1) DEFAULT(version, 2) DEFAULT(version, 3)
#define NAMES(version)                                                                                                 \
    {                                                                                                                  \
        default_##version##_0, default_##version##_1, default_##version##_2, default_##version##_3                     \
    }

DEFAULTS(0)
DEFAULTS(1)
DEFAULTS(2)
DEFAULTS(3)
DEFAULTS(4)

static void (*const defaults[MODEL_INFO_VERSIONS][MODEL_INFO_COMPONENTS])(void *) = {NAMES(0), NAMES(1), NAMES(2),
                                                                                     NAMES(3), NAMES(4)};

static kin_type type_of(type_kind kind)
{
    return kind <= TYPE_ENTITY           ? (kin_type)kind
           : kind == TYPE_CONTEXT_ENTITY ? KIN_TYPE_ENTITY
           : kind == TYPE_ENUM           ? KIN_TYPE_ENUM
           : kind == TYPE_STRUCT         ? KIN_TYPE_STRUCT
                                         : KIN_TYPE_OPAQUE;
}

static const char *identity_of(const saved_name *saved, const char *name)
{
    return saved->identity == NULL || strcmp(saved->identity, name) == 0 ? NULL : saved->identity;
}

static const kin_field_info *fields_of(arena *arena, const field_list *list);

static const kin_type_info *definition_of(arena *arena, const definition *definition)
{
    kin_type_info *info = arena_allocate(arena, sizeof *info);
    kin_enum_value_info *values = arena_allocate(arena, (definition->enumerator_count + 1) * sizeof *values);
    memory_layout layout = layout_of_definition(definition);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *value = &definition->enumerators[i];
        values[i] = (kin_enum_value_info){value->name, value->number, identity_of(&value->saved, value->name)};
    }
    *info = (kin_type_info){.name = definition->name,
                            .size = (size_t)layout.size,
                            .alignment = (size_t)layout.alignment,
                            .fields = fields_of(arena, &definition->fields),
                            .field_count = (uint32_t)definition->fields.count,
                            .values = values,
                            .value_count = (uint32_t)definition->enumerator_count};
    return info;
}

static kin_field_info field_of(arena *arena, const field *field, uint64_t offset)
{
    const field_type *type = &field->type;
    field_type element = *type;
    element.is_list = false;
    kin_field_info info = {.name = field->name,
                           .type = type_of(type->kind),
                           .count = (uint32_t)type->array_count,
                           .offset = (size_t)offset,
                           .size = (size_t)layout_of_type(type).size,
                           .is_list = type->is_list,
                           .identity = identity_of(&field->saved, field->name),
                           .is_unsaved = field->is_unsaved,
                           .on_destroy = (kin_on_destroy)field->on_destroy,
                           .reverse = field->reverse,
                           .is_tree = field->is_tree};
    info.element_size = type->is_list ? (size_t)layout_of_type(&element).size : 0;
    info.of = type->definition == NULL ? NULL : definition_of(arena, type->definition);
    info.target = type->context == NULL ? NULL : type->context->name;
    return info;
}

// Recursive over nested structs, of which the schema allows 32 levels.
static const kin_field_info *fields_of(arena *arena, const field_list *list)
{
    const uint64_t *offsets = layout_offsets(arena, list);
    kin_field_info *fields = arena_allocate(arena, (list->count + 1) * sizeof *fields);
    for (size_t i = 0; i < list->count; i++)
        fields[i] = field_of(arena, &list->fields[i], offsets[i]);
    return fields;
}

static kin_component_info component_of(arena *arena, const component *component, void (*write_default)(void *))
{
    return (kin_component_info){.name = component->name,
                                .size = (size_t)component->layout.size,
                                .alignment = component->fields.count == 0 ? 1 : (size_t)component->layout.alignment,
                                .fields = fields_of(arena, &component->fields),
                                .field_count = (uint32_t)component->fields.count,
                                .is_unique = component->is_unique,
                                .is_boxed = component->is_boxed || component->is_shared,
                                .is_shared = component->is_shared,
                                .is_stashable = component->is_stashable,
                                .is_soa = component->is_soa,
                                .has_strings = component->has_strings,
                                .has_lists = component->has_lists,
                                .write_default = component->fields.count == 0 ? NULL : write_default,
                                .identity = identity_of(&component->saved, component->name),
                                .is_unsaved = component->is_unsaved,
                                .migrates = component->migrates};
}

static int compare_components(const void *one, const void *other)
{
    return strcmp((*(const component *const *)one)->name, (*(const component *const *)other)->name);
}

static const kin_package_info *package_of(arena *arena, const package *package)
{
    kin_package_info *info = arena_allocate(arena, sizeof *info);
    const char **removed = arena_allocate(arena, (package->removal_count + 1) * sizeof *removed);
    for (size_t i = 0; i < package->removal_count; i++)
        removed[i] = package->removals[i].identity;
    *info = (kin_package_info){.name = package->name, .removed = removed};
    info->removed_count = (uint32_t)package->removal_count;
    return info;
}

static kin_component_id id_of(const kin_context_info *info, const component *component)
{
    kin_component_id id = 0;
    while (strcmp(info->components[id].name, component->name) != 0)
        id++;
    return id;
}

// Returns the field of a component, and its id.
static kin_key_info key_of(const kin_context_info *info, const component *component, const field *field)
{
    kin_key_info key = {.component = id_of(info, component)};
    key.field = &info->components[key.component].fields[field - component->fields.fields];
    return key;
}

static void add_relations(arena *arena, const package *package, kin_context_info *info)
{
    kin_relation_info *relations = arena_allocate(arena, (package->relation_count + 1) * sizeof *relations);
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        kin_key_info key = key_of(info, relation->component, relation->field);
        relations[i] = (kin_relation_info){.name = relation->field->reverse,
                                           .component = key.component,
                                           .field = key.field,
                                           .on_destroy = key.field->on_destroy,
                                           .is_tree = relation->field->is_tree};
    }
    info->relations = relations;
    info->relation_count = (uint32_t)package->relation_count;
}

// Returns what entities of an index have and lack: all components of its key, and its own rules.
static kin_matcher matcher_of(arena *arena, const kin_context_info *info, const entity_index *index)
{
    kin_component_id *ids = arena_allocate(arena, (index->key_count + 1) * sizeof *ids);
    kin_rule rules[SCHEMA_RULE_LIMIT + 1];
    for (size_t i = 0; i < index->key_count; i++)
        ids[i] = id_of(info, index->key[i].component);
    rules[0] = kin__rule_make(KIN_RULE_ALL, index->key_count, ids);
    for (size_t i = 0; i < index->rule_count; i++) {
        const rule *rule = &index->rules[i];
        ids = arena_allocate(arena, (rule->count + 1) * sizeof *ids);
        for (size_t j = 0; j < rule->count; j++)
            ids[j] = id_of(info, rule->components[j]);
        rules[i + 1] = kin__rule_make(rule->kind == RULE_NONE ? KIN_RULE_NONE : KIN_RULE_ALL, rule->count, ids);
    }
    return kin__matcher_make(index->rule_count + 1, rules);
}

static void add_indices(arena *arena, const package *package, kin_context_info *info)
{
    kin_index_info *indices = arena_allocate(arena, (package->index_count + 1) * sizeof *indices);
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        kin_key_info *key = arena_allocate(arena, (index->key_count + 1) * sizeof *key);
        for (size_t k = 0; k < index->key_count; k++)
            key[k] = key_of(info, index->key[k].component, index->key[k].field);
        indices[i] = (kin_index_info){.name = index->name,
                                      .is_primary = index->kind == INDEX_PRIMARY,
                                      .is_custom = index->is_custom,
                                      .key = key,
                                      .key_count = (uint32_t)index->key_count,
                                      .matcher = matcher_of(arena, info, index)};
    }
    info->indices = indices;
    info->index_count = (uint32_t)package->index_count;
}

const kin_context_info *model_info(arena *arena, const package *package, size_t version)
{
    const context *context = package->contexts[0];
    size_t count = context->component_count;
    ck_assert(version < MODEL_INFO_VERSIONS && count <= MODEL_INFO_COMPONENTS);
    const component **sorted = arena_allocate(arena, (count + 1) * sizeof *sorted);
    kin_component_info *components = arena_allocate(arena, (count + 1) * sizeof *components);
    kin_context_info *info = arena_allocate(arena, sizeof *info);
    memcpy(sorted, context->components, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_components);
    for (size_t i = 0; i < count; i++)
        components[i] = component_of(arena, sorted[i], defaults[version][i]);
    made[version] = components;
    *info = (kin_context_info){.interface_version = KIN_INTERFACE_VERSION,
                               .stamp = version,
                               .name = context->name,
                               .components = components,
                               .component_count = (uint32_t)count,
                               .package = package_of(arena, package),
                               .identity = identity_of(&context->saved, context->name)};
    add_relations(arena, package, info);
    add_indices(arena, package, info);
    return info;
}
