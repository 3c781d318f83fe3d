// A package as tables.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// ---- text of the last column

// Formats "Red, Blue = 4": the number is shown if it does not follow the previous one.
static const char *enumerators_text(arena *arena, const definition *definition)
{
    assert(definition->kind == DEFINITION_ENUM && definition->enumerator_count > 0);
    text text = text_create(arena);
    int64_t expected = 0;
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        text_separate(&text, i, ",\n");
        text_append_string(&text, enumerator->name);
        if (enumerator->number != expected)
            text_append_format(&text, " = %" PRId32, enumerator->number);
        const char *was = list_was(enumerator->name, &enumerator->saved);
        if (was != NULL)
            text_append_format(&text, "\nwas %s", was);
        expected = (int64_t)enumerator->number + 1;
    }
    return text.bytes;
}

// Formats "x float; cleanup: destroy_entity".
static const char *component_text(arena *arena, const component *component)
{
    text text = text_create(arena);
    text_append_string(&text, list_fields_text(arena, &component->fields));
    list_facts facts = list_facts_begin(arena, &language_component, component, component->name);
    while (list_next_fact(&facts)) {
        text_separate(&text, text.size, ";\n");
        text_append_format(&text, "%s: %s", facts.key->name, facts.value);
    }
    return text.bytes;
}

// ---- tables

static void append_types(text *out, const package *package)
{
    static const table_column columns[] = {{"type", false}, {"kind", false}, {"size", true}, {"holds", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->definition_count; i++) {
        const definition *definition = package->definitions[i];
        const char *holds = definition->opaque;
        if (definition->kind == DEFINITION_ENUM)
            holds = enumerators_text(out->arena, definition);
        else if (definition->kind == DEFINITION_STRUCT)
            holds = list_fields_text(out->arena, &definition->fields);
        const char *size = list_size_text(out->arena, layout_of_definition(definition));
        table_append(&table,
                     (table_row){.cells = {definition->name, list_definition_kind_name(definition->kind), size, holds},
                                 .remark = definition->doc});
    }
    list_append_table(out, table);
}

static void append_components(text *out, const context *context)
{
    static const table_column columns[] = {{"id", true},      {"component", false}, {"size", true},
                                           {"padding", true}, {"layout", false},    {"fields", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        memory_layout layout = component->layout;
        const char *padding = NULL;
        if (!layout.is_guess && layout.padding > 0)
            padding = arena_format(out->arena, "%" PRIu64, layout.padding);
        const char *storage =
            arena_format(out->arena, "%s%s%s", list_layout_name(component), text_if(component->is_unique, ", unique"),
                         text_if(component->is_stashable, ", stash"));
        table_append(&table, (table_row){.cells = {arena_format(out->arena, "%zu", i), component->name,
                                                   list_size_text(out->arena, layout), padding, storage,
                                                   component_text(out->arena, component)},
                                         .remark = component->doc});
    }
    list_append_table(out, table);
}

table list_groups(arena *arena, const package *package, const context *context)
{
    static const table_column columns[] = {{"group", false}, {"matches", false}};
    table table = TABLE_CREATE(arena, columns);
    for (size_t i = 0; i < package->group_count; i++) {
        const group *group = package->groups[i];
        if (group->context == context)
            table_append(&table,
                         (table_row){.cells = {group->name, list_group_text(arena, group)}, .remark = group->doc});
    }
    return table;
}

static void append_indices(text *out, const package *package, const context *context)
{
    static const table_column columns[] = {{"index", false}, {"kind", false}, {"key", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        if (index->context == context)
            table_append(&table, (table_row){.cells = {index->name, language_word(&language_index_kind, index->kind),
                                                       list_index_text(out->arena, index)},
                                             .remark = index->doc});
    }
    list_append_table(out, table);
}

static void append_events(text *out, const context *context)
{
    static const table_column columns[] = {
        {"event", false}, {"target", false}, {"priority", true}, {"notified when", false}};
    table table = TABLE_CREATE(out->arena, columns);
    placed_events list = schema_events_of(out->arena, context);
    for (size_t i = 0; i < list.count; i++) {
        const component_event *event = list.events[i].event;
        const char *name = schema_event_name(out->arena, list.events[i].component, event);
        const char *priority = NULL;
        if (event->priority != 0)
            priority = arena_format(out->arena, "%" PRId32, event->priority);
        const char *when = arena_format(out->arena, "%s is %s", list.events[i].component->name, list_event_text(event));
        table_append(&table,
                     (table_row){.cells = {name, language_word(&language_target, event->target), priority, when}});
    }
    list_append_table(out, table);
}

table list_blueprints(arena *arena, const package *package, const context *context)
{
    static const table_column columns[] = {{"blueprint", false}, {"extends", false}, {"components", false}};
    table table = TABLE_CREATE(arena, columns);
    for (size_t i = 0; i < package->blueprint_count; i++) {
        const blueprint *blueprint = package->blueprints[i];
        if (blueprint->context == context)
            table_append(&table, (table_row){.cells = {blueprint->name, list_blueprint_name(blueprint->base),
                                                       list_parts_text(arena, blueprint->parts, blueprint->part_count)},
                                             .remark = blueprint->doc});
    }
    return table;
}

// Appends a row for each child. What is below one that has the children of its blueprint is listed there. Recursive, at
// most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void append_children_of(table *table, arena *arena, const char *path, const child_list *children)
{
    assert(children->count == 0 || children->children != NULL);
    for (size_t i = 0; i < children->count; i++) {
        const blueprint_child *child = children->children[i];
        const char *own = arena_format(arena, "%s.%s", path, child->name);
        table_append(table, (table_row){.cells = {own, list_blueprint_name(child->of),
                                                  list_parts_text(arena, child->parts, child->part_count)}});
        if (!schema_is_whole(child))
            append_children_of(table, arena, own, &child->children);
    }
}

table list_children(arena *arena, const package *package, const context *context)
{
    static const table_column columns[] = {{"child", false}, {"of", false}, {"components", false}};
    table table = TABLE_CREATE(arena, columns);
    for (size_t i = 0; i < package->blueprint_count; i++)
        if (package->blueprints[i]->context == context)
            append_children_of(&table, arena, package->blueprints[i]->name, &package->blueprints[i]->children);
    return table;
}

// ---- the list

static void append_head(text *out, const package *package)
{
    const struct {
        size_t count;
        const char *one, *many;
    } counts[] = {{package->component_count, "component", "components"},
                  {package->definition_count, "type", "types"},
                  {package->group_count, "group", "groups"},
                  {package->index_count, "index", "indices"},
                  {package->relation_count, "relation", "relations"},
                  {package->blueprint_count, "blueprint", "blueprints"}};
    text_append_format(out, "package %s: ", package->name);
    text_append_count(out, package->context_count, "context", "contexts");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].count == 0)
            continue;
        text_append_string(out, ", ");
        text_append_count(out, counts[i].count, counts[i].one, counts[i].many);
    }
    if (package->version > 0)
        text_append_format(out, ", version %" PRIu32, package->version);
    text_append_format(out, "\nSizes are bytes on 64-bit machines%s.\n",
                       text_if(list_has_guesses(package), "; only the compiler knows a size shown as '?'"));
}

static void append_context_head(text *out, const context *context)
{
    list_facts facts = list_facts_begin(out->arena, &language_context, context, context->name);
    text_append_format(out, "\ncontext %s%s\n", context->name, text_if(context->is_default, ", the default"));
    if (context->doc != NULL)
        text_append_format(out, "  %s\n", table_cut(out->arena, context->doc, TABLE_WIDTH - 2));
    if (context->label != NULL)
        text_append_format(out, "  label: %s.%s\n", context->label->component->name, context->label->field->name);
    while (list_next_fact(&facts))
        text_append_format(out, "  %s: %s\n", facts.key->name, facts.value);
}

static void append_removals(text *out, const package *package)
{
    if (package->removal_count == 0)
        return;
    text_append_string(out, "removed: ");
    for (size_t i = 0; i < package->removal_count; i++) {
        text_separate(out, i, ", ");
        text_append_string(out, package->removals[i].path);
    }
    text_append_string(out, "\n");
}

void list_append_tables(text *out, const package *package)
{
    assert(package->context_count > 0);
    append_head(out, package);
    append_removals(out, package);
    append_types(out, package);
    for (size_t i = 0; i < package->context_count; i++) {
        const context *context = package->contexts[i];
        append_context_head(out, context);
        append_components(out, context);
        list_append_table(out, list_groups(out->arena, package, context));
        append_indices(out, package, context);
        list_append_relations_of(out, package, context);
        append_events(out, context);
        list_append_table(out, list_blueprints(out->arena, package, context));
        list_append_table(out, list_children(out->arena, package, context));
    }
    list_append_world(out, package);
}
