// The invariants of a package without errors, asserted.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// 1. contexts are in order of declaration; there is at least one
static void assert_contexts(const package *package)
{
    assert(package->context_count > 0);
    for (size_t i = 0; i < package->context_count; i++) {
        const context *context = package->contexts[i];
        assert(context->name[0] != '\0');
        assert(context->order == i);
        assert(context->component_count <= SCHEMA_COMPONENT_LIMIT);
        assert(context->label == NULL || context->label->component->fields.count > 0);
        assert(context->off == NULL || context->off->fields.count == 0);
        for (size_t k = 1; k < context->component_count; k++)
            assert(strcmp(context->components[k - 1]->name, context->components[k]->name) < 0); // 3
    }
}

// 7. every field has a default value of exactly its type
static void assert_default(const field *field)
{
    const constant *value = field->default_value;
    assert(value != NULL);
    if (field->type.is_list) {
        assert(value->kind == CONSTANT_ARRAY && field->element_default != NULL);
    } else if (field->type.array_count > 0) {
        assert(value->kind == CONSTANT_ARRAY);
        assert(value->count == field->type.array_count);
    } else if (field->type.kind == TYPE_STRUCT) {
        assert(value->kind == CONSTANT_STRUCT);
        assert(value->count == field->type.definition->fields.count);
    } else if (field->type.kind == TYPE_ENUM) {
        assert(value->kind == CONSTANT_ENUMERATOR);
    }
}

static void assert_fields(const field_list *list)
{
    assert(list->count <= SCHEMA_FIELD_LIMIT);
    for (size_t i = 0; i < list->count; i++) {
        const field_type *type = &list->fields[i].type;
        bool is_named = type->kind == TYPE_ENUM || type->kind == TYPE_STRUCT || type->kind == TYPE_OPAQUE;
        assert(list->fields[i].name[0] != '\0');
        assert(is_named == (type->definition != NULL));
        assert((type->kind == TYPE_CONTEXT_ENTITY) == (type->context != NULL));
        (void)is_named;
        assert_default(&list->fields[i]);
    }
}

// 9. components and structs have their layouts
static void assert_layout(const memory_layout *layout)
{
    assert(layout->alignment > 0 && layout->size % layout->alignment == 0);
    assert(layout->size > 0 && layout->size <= SCHEMA_VALUE_SIZE_LIMIT);
    assert(layout->padding < layout->size);
    (void)layout;
}

// 2. enums and opaque types come before structs
static void assert_definitions(const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++) {
        const definition *definition = package->definitions[i];
        bool is_struct = definition->kind == DEFINITION_STRUCT;
        assert(i == 0 || is_struct || package->definitions[i - 1]->kind != DEFINITION_STRUCT);
        assert(is_struct == (definition->fields.count > 0));
        assert((definition->kind == DEFINITION_ENUM) == (definition->enumerator_count > 0));
        assert((definition->kind == DEFINITION_OPAQUE) == (definition->opaque != NULL));
        assert_fields(&definition->fields);
        if (is_struct)
            assert_layout(&definition->layout);
    }
}

// 3. components are in byte order of their names
static void assert_components(const package *package)
{
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        assert(i == 0 || strcmp(package->components[i - 1]->name, component->name) < 0);
        assert(component->context_count > 0);
        for (size_t k = 0; k < component->context_count; k++) {
            const context *context = component->contexts[k];
            assert(k == 0 || component->contexts[k - 1]->order < context->order);
            assert(context->components[schema_component_id(context, component)] == component);
            (void)context;
        }
        assert_fields(&component->fields);
        if (component->fields.count > 0)
            assert_layout(&component->layout);
    }
}

static void assert_rules(const context *context, const rule *rules, size_t count)
{
    assert(count <= SCHEMA_RULE_LIMIT);
    for (size_t i = 0; i < count; i++) {
        assert(rules[i].count > 0 && rules[i].count <= SCHEMA_RULE_COMPONENT_LIMIT);
        for (size_t k = 0; k < rules[i].count; k++) {
            const component *component = rules[i].components[k];
            assert(context->components[schema_component_id(context, component)] == component);
            (void)component;
        }
    }
    (void)context;
}

// 4. groups are in byte order of their names
static void assert_groups(const group *const *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const group *group = groups[i];
        assert(i == 0 || strcmp(groups[i - 1]->name, group->name) < 0);
        assert(group->rule_count > 0);
        assert_rules(group->context, group->rules, group->rule_count);
        for (size_t k = 0; k < group->maybe.count; k++)
            assert(group->maybe.components[k]->fields.count > 0);
        assert(group->order == NULL || group->order->kind == INDEX_ORDERED);
        assert(group->order == NULL || group->order->context == group->context);
        assert(group->question_count <= SCHEMA_QUESTION_LIMIT);
        for (size_t k = 0; k < group->question_count; k++)
            assert(group->questions[k].relation->context == group->context);
    }
}

// 5. indices are in byte order of their names; those with one name are in order of their contexts
static void assert_indices(const package *package)
{
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        assert(i == 0 || strcmp(package->indices[i - 1]->name, index->name) <= 0);
        assert(index->kind != INDEX_NONE);
        assert((index->function != NULL) == (index->of_count > 0));
        assert((index->function == NULL) == (index->key_count > 0) &&
               (index->key_count <= SCHEMA_KEY_LIMIT || index->is_whole));
        for (size_t k = 0; k < index->of_count; k++)
            assert(index->of[k]->fields.count > 0);
        for (size_t k = 0; k < index->key_count; k++) {
            const field_list *fields = &index->key[k].component->fields;
            assert(index->key[k].field >= fields->fields && index->key[k].field < fields->fields + fields->count);
            assert(index->key[k].component->is_keyed);
            (void)fields;
        }
        assert_rules(index->context, index->rules, index->rule_count);
    }
}

// 10. relations are in order of their components
static void assert_relations(const package *package)
{
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        const struct relation *earlier = i == 0 ? relation : relation - 1;
        assert(strcmp(earlier->component->name, relation->component->name) <= 0);
        assert(schema_is_relation(relation->field) && relation->component->has_relations);
        assert(relation->component->context_count == 1 && relation->component->contexts[0] == relation->context);
        assert(relation->field->type.context == relation->context && relation->field->type.array_count == 0 &&
               !relation->field->type.is_list);
        assert(!relation->field->is_tree || relation->field->reverse != NULL);
        (void)earlier;
        (void)relation;
    }
}

// 6. blueprints are in byte order of their names; their parts are in byte order of their components' names
static void assert_blueprints(const package *package)
{
    for (size_t i = 0; i < package->blueprint_count; i++) {
        const blueprint *blueprint = package->blueprints[i];
        assert(i == 0 || strcmp(package->blueprints[i - 1]->name, blueprint->name) < 0);
        assert(blueprint->part_count > 0);
        assert(blueprint->base == NULL || blueprint->base->context == blueprint->context);
        for (size_t k = 1; k < blueprint->part_count; k++)
            assert(strcmp(blueprint->parts[k - 1].component->name, blueprint->parts[k].component->name) < 0);
    }
}

// 11. children have distinct names, and a part for the component of their tree
static void assert_children(const package *package)
{
    for (size_t i = 0; i < package->child_count; i++) {
        const blueprint_child *child = package->children[i];
        bool has_tree = false;
        for (size_t k = 0; k < child->part_count; k++) {
            assert(k == 0 || strcmp(child->parts[k - 1].component->name, child->parts[k].component->name) < 0);
            has_tree = has_tree || child->parts[k].component->has_relations;
        }
        assert(has_tree && (child->of == NULL || child->of->is_of_child));
        assert(child->children.height < SCHEMA_CHILD_DEPTH_LIMIT && child->children.node_count < SCHEMA_CHILD_LIMIT);
        (void)has_tree;
    }
}

// W1. messages are in byte order of their names; a message's index is its number
static void assert_messages(const package *package)
{
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        assert(message->number == i);
        assert(i == 0 || strcmp(package->messages[i - 1]->name, message->name) < 0);
        assert_fields(&message->fields);
    }
}

// W2. nodes are in depth-first order, so each comes after its parent, and those inside it follow it
static void assert_nodes(const package *package)
{
    for (size_t i = 0; i < package->node_count; i++) {
        const schedule_node *node = package->nodes[i];
        assert(node->number == i);
        assert(node->parent == NULL || (node->parent->number < i && node->last <= node->parent->last));
        assert(node->last >= i && node->last < package->node_count);
        assert(node->parent == NULL || !node->is_manual);
        (void)node;
    }
}

// W4. everything that a system names is of the required kind, and it has only roles of its kind
static void assert_system(const declared_system *system)
{
    assert((system->kind == SYSTEM_GROUP) == (system->group != NULL));
    assert((system->kind == SYSTEM_REACTIVE) == (system->trigger_count > 0));
    for (system_role role = 0; role < ROLE_COUNT; role++)
        assert(!system->roles[role] || schema_role_is_of(role, system->kind));
    for (size_t i = 0; i < system->predecessor_count; i++)
        assert(system->predecessors[i]->number < system->number);
    const relation *tree = system->tree;
    assert(schema_order_of(system) == NULL || !system->job.is_parallel);
    assert(tree == NULL || (system->kind == SYSTEM_GROUP && tree->context == system->group->context));
    assert(tree == NULL || (tree->field->is_tree && tree->field->reverse != NULL));
    assert(tree != NULL || (system->order == TREE_DEPTH && !system->only_changed));
    (void)tree;
}

// W3. systems are in run order: by the last node before them
static void assert_systems(const package *package)
{
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        assert(system->number == i);
        assert(system->node != NULL);
        assert(i == 0 || package->systems[i - 1]->after->number <= system->after->number);
        assert(schema_node_is_within(system->after, system->node));
        assert_system(system);
    }
}

void package_assert_invariants(const package *package)
{
    assert(package->name != NULL && package->prefix != NULL);
    assert(package->source_count > 0);
    assert(package->has_world || package->message_count + package->node_count + package->system_count == 0);
    assert_contexts(package);
    assert_definitions(package);
    assert_components(package);
    assert_groups(package->groups, package->group_count);
    assert_groups(package->system_groups, package->system_group_count);
    assert_indices(package);
    assert_relations(package);
    assert_blueprints(package);
    assert_children(package);
    assert_messages(package);
    assert_nodes(package);
    assert_systems(package);
}
