// View of relations: the rows of their table, and the functions of those with a reverse.
#include "generator/schema/schema.h"
#include "view/private/parts.h"

#include <assert.h>

static value *relation_value(const view_scope *scope, const relation *relation, size_t number)
{
    const field *field = relation->field;
    const struct field *fields = relation->component->fields.fields;
    value *map = value_map(scope->arena);
    assert(field >= fields && field < fields + relation->component->fields.count);
    view_set_count(scope, map, "number", number);
    view_set_text(scope, map, "reverse", field->reverse);
    view_set_text(scope, map, "id", view_component_id(scope, relation->context, relation->component));
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, relation->component->name));
    view_set_text(scope, map, "type", view_type_name(scope, relation->component->name));
    view_set_text(scope, map, "field", field->name);
    view_set_count(scope, map, "at", (size_t)(field - fields));
    view_set_bool(scope, map, "clears", field->on_destroy == ON_DESTROY_CLEAR);
    view_set_bool(scope, map, "removes", field->on_destroy == ON_DESTROY_REMOVE);
    view_set_bool(scope, map, "destroys", field->on_destroy == ON_DESTROY_DESTROY);
    view_set_bool(scope, map, "refuses", field->on_destroy == ON_DESTROY_REFUSE);
    view_set_relation_keys(scope, map, field);
    return map;
}

void view_set_relations(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    size_t count = 0;
    bool has_reverses = false, has_trees = false, can_refuse = false;
    for (size_t i = 0; i < scope->package->relation_count; i++) {
        const relation *relation = &scope->package->relations[i];
        if (relation->context != context)
            continue;
        value_append(list, relation_value(scope, relation, count++));
        has_reverses = has_reverses || relation->field->reverse != NULL;
        has_trees = has_trees || relation->field->is_tree;
        can_refuse = can_refuse || relation->field->on_destroy == ON_DESTROY_REFUSE;
    }
    value_set(map, "relations", list);
    view_set_count(scope, map, "relation_count", count);
    view_set_bool(scope, map, "has_relations", count > 0);
    view_set_bool(scope, map, "has_reverses", has_reverses);
    view_set_bool(scope, map, "has_trees", has_trees);
    view_set_bool(scope, map, "can_refuse", can_refuse);
}

// Whether changes of the component write bits, a value and the links of one relation alone.
static bool is_related(const component *component)
{
    size_t count = 0;
    for (size_t i = 0; i < component->fields.count; i++)
        count += schema_is_relation(&component->fields.fields[i]);
    return count == 1 && view_is_plain(component) && !component->is_unique && !component->is_keyed;
}

void view_set_related(const view_scope *scope, value *map, const context *context, const component *component)
{
    const relation *relations = scope->package->relations;
    size_t count = 0;
    view_set_bool(scope, map, "is_related", is_related(component));
    for (size_t i = 0; i < scope->package->relation_count && is_related(component); i++) {
        if (relations[i].component == component) {
            view_set_count(scope, map, "relation_number", count);
            view_set_text(scope, map, "relation_field", relations[i].field->name);
            view_set_bool(scope, map, "is_relation_tree", relations[i].field->is_tree);
        }
        count += relations[i].context == context;
    }
}
