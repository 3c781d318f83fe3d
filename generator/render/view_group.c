// Views of contexts, their groups and their events.
#include "generator/render/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- events

// View of generated events: their listeners and the functions that attach them to entities, in the order in which a
// context's event systems call them.

static value *event_value(const view_scope *scope, const context *context, const placed_event *placed)
{
    const component *component = placed->component;
    const char *name = schema_event_name(scope->arena, component, placed->event);
    integer priority = {.is_negative = placed->event->priority < 0,
                        .magnitude = (uint64_t)llabs((long long)placed->event->priority)};
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "event", name);
    view_set_literal(scope, map, "name_text", name);
    view_set_text(scope, map, "type", view_type_name(scope, component->name));
    view_set_text(scope, map, "id", view_component_id(scope, context, component));
    view_set_bool(scope, map, "is_flag", component->fields.count == 0);
    view_set_bool(scope, map, "is_any", placed->event->target == TARGET_ANY);
    view_set_bool(scope, map, "is_removed", placed->event->type == EVENT_REMOVED);
    view_set_text(scope, map, "priority", integer_literal(scope->arena, priority, TYPE_INT32));
    return map;
}

void view_set_events(const view_scope *scope, value *map, const context *context)
{
    placed_events sorted = schema_events_of(scope->arena, context);
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < sorted.count; i++) {
        value *event = event_value(scope, context, &sorted.events[i]);
        view_set_count(scope, event, "number", i);
        value_append(list, event);
    }
    view_set_list(scope, map, "events", "has_events", "event_count", list);
}

// ---- contexts and groups

// View of a context and its declared groups: names, rules and columns.

static const char *const rule_kinds[] = {
    [RULE_ALL] = "KIN_RULE_ALL",
    [RULE_ANY] = "KIN_RULE_ANY",
    [RULE_NONE] = "KIN_RULE_NONE",
    [RULE_ONLY] = "KIN_RULE_ONLY",
};

enum { WORD_BITS = 64 }; // components per word of an entity's row mask

size_t view_row_words(const context *context)
{
    size_t words = (context->component_count + WORD_BITS - 1) / WORD_BITS;
    if (words == 0)
        return 1;
    return words;
}

void view_set_context_names(const view_scope *scope, value *map, const context *context)
{
    const char *name = view_context_name(scope, context);
    const char *self = "context";
    if (name_is_parameter(context->name))
        self = context->name;
    view_set_text(scope, map, "name", context->name);
    view_set_text(scope, map, "file", context->name);
    view_set_literal(scope, map, "name_text", context->name);
    view_set_text(scope, map, "CONTEXT", view_upper_name(scope, context->name));
    view_set_text(scope, map, "self", self);
    view_set_text(scope, map, "context", name);
    view_set_text(scope, map, "shared_stamp", view_stamp_macro(scope, ""));
    view_set_text(scope, map, "own_stamp", view_stamp_macro(scope, arena_format(scope->arena, "_%s", context->name)));
}

value *view_context_names(const view_scope *scope, const context *context)
{
    value *map = value_map(scope->arena);
    view_set_context_names(scope, map, context);
    return map;
}

value *view_rule(const view_scope *scope, const context *context, const rule *rule)
{
    value *map = value_map(scope->arena);
    value *ids = value_list(scope->arena);
    for (size_t i = 0; i < rule->count; i++) {
        value *id = value_append_map(scope->arena, ids);
        view_set_text(scope, id, "id", view_component_id(scope, context, rule->components[i]));
        view_set_text(scope, id, "comma", text_if(i + 1 < rule->count, ", "));
    }
    assert(rule->count > 0 && rule->kind <= RULE_ONLY);
    view_set_text(scope, map, "kind", rule_kinds[rule->kind]);
    view_set_count(scope, map, "id_count", rule->count);
    value_set(map, "ids", ids);
    return map;
}

// Returns whether a loop that is not of a system may write the values of a column. If keys, relations or strings are
// const, its column has the component's own type, which programs pass on, and the loop writes with `edit`.
static bool is_open(const component *component)
{
    bool is_mixed = component->has_drops || component->has_lists;
    return !schema_is_tracked(component) && (is_mixed || !component->has_strings);
}

// Returns whether a loop may write the values of a column in place. A component with `layout: soa` has no `edit`, but
// its columns can be written.
static bool is_writable(const component *component, const declared_system *writer)
{
    bool may_write = writer == NULL ? is_open(component) : schema_writes(writer, component);
    return may_write && schema_is_writable_in_place(component);
}

// Sets the columns of the fields of a component with `layout: soa`, each with its `constness`.
static void set_field_columns(const view_scope *scope, value *map, const component *component, bool is_writable)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < component->fields.count; i++) {
        const field *field = &component->fields.fields[i];
        value *column = view_field(scope, &component->fields, field);
        bool is_const = !is_writable || schema_field_is_const(field);
        view_set_text(scope, column, "constness", is_const ? "const " : "");
        value_append(list, column);
    }
    value_set(map, "fields", list);
}

static value *column(const view_scope *scope, const context *context, const component *component,
                     const declared_system *writer)
{
    assert(component->fields.count > 0);
    value *map = value_map(scope->arena);
    bool writable = is_writable(component, writer);
    const char *constness = text_if(!writable, "const ");
    const char *name = view_type_name(scope, component->name);
    const char *edited = name;
    if (writable)
        edited = view_edited_type(scope, component);
    const char *type = arena_format(scope->arena, "%s%s", constness, edited);
    view_set_text(scope, map, "value_type", type);
    view_set_bool(scope, map, "is_boxed", schema_is_boxed(component));
    if (schema_is_boxed(component))
        type = arena_format(scope->arena, "%s *const", type);
    view_set_text(scope, map, "c_type", type);
    view_set_text(scope, map, "constness", constness);
    view_set_bool(scope, map, "is_soa", component->is_soa);
    view_set_text(scope, map, "type", name);
    if (component->is_soa)
        set_field_columns(scope, map, component, writable);
    view_set_text(scope, map, "component", name_to_snake_case(scope->arena, component->name));
    view_set_text(scope, map, "id", view_component_id(scope, context, component));
    view_set_bool(scope, map, "is_maybe", false);
    return map;
}

// One column for each component with fields in an `all` rule, numbered in order. No component is in two of them.
value *view_columns(const view_scope *scope, const group *group, const declared_system *writer)
{
    value *list = value_list(scope->arena);
    size_t count = 0;
    for (size_t i = 0; i < group->rule_count; i++)
        for (size_t k = 0; group->rules[i].kind == RULE_ALL && k < group->rules[i].count; k++) {
            if (group->rules[i].components[k]->fields.count == 0)
                continue;
            value *map = column(scope, group->context, group->rules[i].components[k], writer);
            view_set_count(scope, map, "at", count++);
            value_append(list, map);
        }
    return list;
}

// Appends the optional columns to `columns`, and their ids to `maybe`.
static void append_maybe(const view_scope *scope, value *columns, value *maybe, component_list list, const group *group,
                         const declared_system *writer)
{
    for (size_t i = 0; i < list.count; i++) {
        value *map = column(scope, group->context, list.components[i], writer);
        value *id = value_append_map(scope->arena, maybe);
        view_set_bool(scope, map, "is_maybe", true);
        value_append(columns, map);
        view_set_text(scope, id, "id", view_component_id(scope, group->context, list.components[i]));
        view_set_text(scope, id, "separator", text_if(maybe->first != id, ", "));
    }
}

// ---- loops in runs of one entity

// Sets the rules of a question, and its relation.
static value *question_value(const view_scope *scope, const context *context, const question *question)
{
    value *map = value_map(scope->arena);
    value *rules = value_list(scope->arena);
    for (size_t i = 0; i < question->rule_count; i++)
        value_append(rules, view_rule(scope, context, &question->rules[i]));
    view_set_count(scope, map, "relation", view_relation_number(scope, question->relation));
    view_set_bool(scope, map, "is_held_by", question->kind == QUESTION_HELD_BY);
    view_set_count(scope, map, "rule_count", question->rule_count);
    view_set_bool(scope, map, "has_rules", question->rule_count > 0);
    value_set(map, "rules", rules);
    return map;
}

// Returns the group's index among the groups of its context: those of systems follow the declared ones.
size_t view_group_number(const view_scope *scope, const group *group)
{
    const package *package = scope->package;
    size_t number = 0;
    for (size_t i = 0; i < package->group_count && package->groups[i] != group; i++)
        number += package->groups[i]->context == group->context;
    for (size_t i = 0; group->is_of_system && package->system_groups[i] != group; i++)
        number += package->system_groups[i]->context == group->context;
    return number;
}

// Returns the index's number among those of its context.
static size_t index_number(const view_scope *scope, const entity_index *index)
{
    size_t number = 0;
    for (size_t i = 0; scope->package->indices[i] != index; i++)
        number += scope->package->indices[i]->context == index->context;
    return number;
}

size_t view_ordered_words(const entity_index *index)
{
    enum { WORD_SIZE = WORD_BITS / 8 };
    return (schema_ordered_size(index) + WORD_SIZE - 1) / WORD_SIZE;
}

void view_set_order(const view_scope *scope, value *map, value *picked, const entity_index *order)
{
    if (order == NULL)
        return;
    view_set_bool(scope, map, "in_order", true);
    view_set_text(scope, picked, "order_name", order->name);
    view_set_count(scope, picked, "index", index_number(scope, order));
    view_set_count(scope, picked, "words", view_ordered_words(order));
}

// Sets `picked` for loops that visit one entity at a time, because of an order or of questions.
static void set_picked(const view_scope *scope, value *map, const group *group, const entity_index *order)
{
    if (order == NULL && group->question_count == 0)
        return;
    value *picked = value_map(scope->arena);
    value *questions = value_list(scope->arena);
    for (size_t i = 0; i < group->question_count; i++)
        value_append(questions, question_value(scope, group->context, &group->questions[i]));
    view_set_order(scope, map, picked, order);
    if (group->question_count > 0)
        view_set_bool(scope, map, "asks", true);
    view_set_count(scope, picked, "number", view_group_number(scope, group));
    view_set_count(scope, picked, "question_count", group->question_count);
    value_set(picked, "questions", questions);
    value_set(map, "picked", picked);
}

// Sets `view`, the type that iterators of a declared group have in common, whose columns are all const. `as_view` is
// the function that converts the iterator to it.
static void set_view(const view_scope *scope, value *map, const group *group, const char *as_view)
{
    static const declared_system reader = {.write_count = 0};
    view_set_bool(scope, map, "view", false);
    if (group->is_of_system)
        return;
    value *view = value_map(scope->arena);
    value *columns = view_columns(scope, group, &reader);
    const char *type = arena_format(scope->arena, "%s_%s_view", view_context_name(scope, group->context), group->name);
    append_maybe(scope, columns, value_list(scope->arena), group->maybe, group, &reader);
    view_set_text(scope, view, "iterator", type);
    view_set_text(scope, view, "as_view", as_view);
    value_set(view, "columns", columns);
    if (value_find(map, value_key_create("in_order")) != NULL)
        view_set_bool(scope, view, "in_order", false); // it does not move
    value_set(map, "view", view);
}

// Returns a rule of `match`: its components, combined by `separator`, as one operand of `and`.
static value *match_rule(const view_scope *scope, const context *context, const rule *rule, bool is_first)
{
    assert(rule->count > 0 && rule->kind != RULE_ONLY);
    const char *separator = " | ";
    if (rule->kind == RULE_ALL)
        separator = " & ";
    value *map = value_map(scope->arena);
    value *ids = value_list(scope->arena);
    for (size_t i = 0; i < rule->count; i++) {
        value *id = value_append_map(scope->arena, ids);
        view_set_text(scope, id, "id", view_component_id(scope, context, rule->components[i]));
        view_set_text(scope, id, "separator", text_if(i > 0, separator));
    }
    view_set_text(scope, map, "and", text_if(!is_first, " & "));
    view_set_text(scope, map, "negation", text_if(rule->kind == RULE_NONE, "~"));
    value_set(map, "ids", ids);
    return map;
}

// Sets `match` to the rules of a group whose loops are inlined, and to a component that all members need.
static void set_match(const view_scope *scope, value *map, const group *group)
{
    value *match = value_map(scope->arena);
    value *rules = value_list(scope->arena);
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        value_append(rules, match_rule(scope, group->context, rule, i == 0));
        if (rule->kind == RULE_ALL)
            view_set_text(scope, match, "needed", view_component_id(scope, group->context, rule->components[0]));
    }
    value_set(match, "rules", rules);
    value_set(map, "match", match);
}

void view_set_iterator(const view_scope *scope, value *map, const char *walk, const group *group,
                       const declared_system *writer)
{
    assert(writer == NULL || writer->group == group);
    value *columns = view_columns(scope, group, writer);
    value *maybe = value_list(scope->arena);
    const char *as_view = "_view_of";
    size_t count = group->maybe.count;
    append_maybe(scope, columns, maybe, group->maybe, group, writer);
    if (writer != NULL) {
        as_view = "_view";
        count += writer->maybe.count;
        append_maybe(scope, columns, maybe, writer->maybe, group, writer);
    }
    value_set(map, "columns", columns);
    value_set(map, "maybe", maybe);
    view_set_bool(scope, map, "has_maybe", count > 0);
    view_set_count(scope, map, "maybe_count", count);
    if (schema_is_inlined(group, count))
        set_match(scope, map, group);
    else
        view_set_bool(scope, map, "match", false);
    set_picked(scope, map, group, writer == NULL ? group->order : schema_order_of(writer));
    view_set_text(scope, map, "walk", walk);
    view_set_text(scope, map, "iterator", arena_format(scope->arena, "%s_iter", walk));
    set_view(scope, map, group, arena_format(scope->arena, "%s%s", walk, as_view));
}

// With more components, generated code calls the library for the count of changes.
enum { NAMED_LIMIT = 8 };

static size_t add_named_component(const component **named, size_t count, const component *component)
{
    assert(count <= NAMED_LIMIT);
    for (size_t i = 0; i < count; i++)
        if (named[i] == component)
            return count;
    if (count < NAMED_LIMIT)
        named[count] = component;
    return count + 1;
}

// Returns the number of distinct components in the group's rules and stores them in `named`. Returns more than
// NAMED_LIMIT if they do not fit, or if changes of other components can change the group too: with an `only` rule, or
// without an `all` or `any` rule.
static size_t find_named_components(const group *group, const component **named)
{
    size_t count = 0;
    bool needs_one = false;
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        if (rule->kind == RULE_ONLY)
            return NAMED_LIMIT + 1;
        needs_one = needs_one || rule->kind != RULE_NONE;
        for (size_t k = 0; k < rule->count && count <= NAMED_LIMIT; k++)
            count = add_named_component(named, count, rule->components[k]);
    }
    if (!needs_one)
        return NAMED_LIMIT + 1;
    return count;
}

void view_set_named(const view_scope *scope, value *map, const group *group)
{
    const component *named[NAMED_LIMIT];
    size_t count = find_named_components(group, named);
    if (count > NAMED_LIMIT) {
        view_set_bool(scope, map, "named", false);
        return;
    }
    assert(count > 0);
    value *sum = value_map(scope->arena);
    value *others = value_list(scope->arena);
    view_set_text(scope, sum, "first", view_component_id(scope, group->context, named[0]));
    for (size_t i = 1; i < count; i++) {
        assert(named[i] != named[0]);
        value *other = value_append_map(scope->arena, others);
        view_set_text(scope, other, "id", view_component_id(scope, group->context, named[i]));
    }
    value_set(sum, "others", others);
    value_set(map, "named", sum);
}

value *view_group(const view_scope *scope, const group *group, size_t number)
{
    assert(group->rule_count > 0 && group->rule_count <= SCHEMA_RULE_LIMIT);
    value *map = value_map(scope->arena);
    value *rules = value_list(scope->arena);
    for (size_t i = 0; i < group->rule_count; i++)
        value_append(rules, view_rule(scope, group->context, &group->rules[i]));
    view_set_text(scope, map, "group", group->name);
    view_set_literal(scope, map, "name_text", group->name);
    view_set_doc(scope, map, group->doc, NULL);
    view_set_count(scope, map, "number", number);
    view_set_count(scope, map, "rule_count", group->rule_count);
    value_set(map, "rules", rules);
    view_set_named(scope, map, group);
    const char *walk = arena_format(scope->arena, "%s_%s", view_context_name(scope, group->context), group->name);
    view_set_iterator(scope, map, walk, group, NULL);
    return map;
}
