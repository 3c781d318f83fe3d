// The JSON of a list, specified in list.h.
#include "describe/list.h"

#include "describe/private/list_json.h"
#include "describe/private/list_parts.h"
#include "generator/schema/schema.h"

#include <inttypes.h>

// ---- the package

enum { FORMAT = 1 };

static void set_label(json_writer *writer, const key_part *label)
{
    writer_key(writer, "label");
    if (label == NULL) {
        writer_null(writer);
        return;
    }
    writer_open_line(writer, '{');
    writer_set_text(writer, "component", label->component->name);
    writer_set_text(writer, "field", label->field->name);
    writer_close(writer, '}');
}

static void append_context(json_writer *writer, const context *context)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", context->name);
    writer_set_text(writer, "doc", context->doc);
    writer_set_bool(writer, "is_default", context->is_default);
    set_label(writer, context->label);
    list_set_saving(writer, &context->saved, context->is_unsaved);
    writer_set_bool(writer, "has_commands", context->has_commands);
    list_set_components(writer, "components", context->components, context->component_count);
    list_set_place(writer, context->span);
    writer_close(writer, '}');
}

static void append_component(json_writer *writer, const component *component)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", component->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, component->name));
    writer_set_text(writer, "doc", component->doc);
    writer_key(writer, "contexts");
    writer_open_line(writer, '[');
    for (size_t i = 0; i < component->context_count; i++)
        writer_text(writer, component->contexts[i]->name);
    writer_close(writer, ']');
    writer_set_text(writer, "layout", list_layout_name(component));
    writer_set_bool(writer, "is_unique", component->is_unique);
    writer_set_bool(writer, "is_owned", schema_is_owned(component));
    writer_set_bool(writer, "is_editable", schema_is_editable(component));
    writer_set_bool(writer, "is_stashable", component->is_stashable);
    writer_set_text(writer, "flag_prefix", component->fields.count == 0 ? component->flag_prefix : NULL);
    writer_set_text(writer, "cleanup", list_cleanup_name(component->cleanup));
    writer_set_text(writer, "inspect", list_inspect_name(component->inspect));
    list_set_saving(writer, &component->saved, component->is_unsaved);
    writer_set_bool(writer, "migrates", component->migrates);
    list_set_layout(writer, component->layout);
    list_set_fields(writer, &component->fields);
    list_set_place(writer, component->span);
    writer_close(writer, '}');
}

static void append_index(json_writer *writer, const entity_index *index)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", index->name);
    writer_set_text(writer, "context", index->context->name);
    writer_set_text(writer, "kind", list_index_kind_name(index->kind));
    writer_set_bool(writer, "is_custom", index->is_custom);
    writer_set_text(writer, "doc", index->doc);
    writer_key(writer, "key");
    writer_open(writer, '[');
    for (size_t i = 0; i < index->key_count; i++) {
        writer_open_line(writer, '{');
        writer_set_text(writer, "component", index->key[i].component->name);
        writer_set_text(writer, "field", index->key[i].field->name);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
    writer_set_text(writer, "function", index->function);
    writer_set_text(writer, "key_type",
                    index->function == NULL ? NULL : schema_type_name(writer->out->arena, &index->key_type));
    list_set_components(writer, "of", index->of, index->of_count);
    list_set_rules(writer, index->rules, index->rule_count);
    list_set_place(writer, index->span);
    writer_close(writer, '}');
}

static void append_relation(json_writer *writer, relation relation)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", relation.field->reverse);
    writer_set_text(writer, "context", relation.context->name);
    writer_set_text(writer, "component", relation.component->name);
    writer_set_text(writer, "field", relation.field->name);
    writer_set_text(writer, "on_destroy", list_on_destroy_name(relation.field->on_destroy));
    writer_set_bool(writer, "is_tree", relation.field->is_tree);
    list_set_place(writer, relation.field->span);
    writer_close(writer, '}');
}

static void append_part(json_writer *writer, const blueprint_part *part)
{
    const field_list *fields = &part->component->fields;
    writer_open_line(writer, '{');
    writer_set_text(writer, "component", part->component->name);
    writer_key(writer, "values");
    writer_open_line(writer, '{');
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        writer_key(writer, field->name);
        list_append_constant(writer, &field->type, part->values == NULL ? field->default_value : part->values[i]);
    }
    writer_close(writer, '}');
    writer_close(writer, '}');
}

static void set_parts(json_writer *writer, const blueprint_part *parts, size_t count)
{
    writer_key(writer, "components");
    writer_open(writer, '[');
    for (size_t i = 0; i < count; i++)
        append_part(writer, &parts[i]);
    writer_close(writer, ']');
}

// Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void set_children(json_writer *writer, const child_list *children)
{
    writer_key(writer, "children");
    writer_open(writer, '[');
    for (size_t i = 0; i < children->count; i++) {
        const blueprint_child *child = children->children[i];
        const child_list none = {.count = 0};
        bool is_whole = schema_is_whole(child);
        writer_open(writer, '{');
        writer_set_text(writer, "name", child->name);
        writer_set_text(writer, "of", child->of == NULL ? NULL : child->of->name);
        writer_set_text(writer, "tree", child->tree->field->reverse);
        set_parts(writer, child->parts, child->part_count);
        writer_set_bool(writer, "is_whole", is_whole);
        set_children(writer, is_whole ? &none : &child->children);
        list_set_place(writer, child->span);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void append_blueprint(json_writer *writer, const blueprint *blueprint)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", blueprint->name);
    writer_set_text(writer, "context", blueprint->context->name);
    writer_set_text(writer, "doc", blueprint->doc);
    writer_set_text(writer, "extends", blueprint->base == NULL ? NULL : blueprint->base->name);
    set_parts(writer, blueprint->parts, blueprint->part_count);
    set_children(writer, &blueprint->children);
    list_set_place(writer, blueprint->span);
    writer_close(writer, '}');
}

static void append_events(json_writer *writer, const context *context)
{
    placed_events list = schema_events_of(writer->out->arena, context);
    for (size_t i = 0; i < list.count; i++) {
        const component_event *event = list.events[i].event;
        writer_open(writer, '{');
        writer_set_text(writer, "name", schema_event_name(writer->out->arena, list.events[i].component, event));
        writer_set_text(writer, "context", context->name);
        writer_set_text(writer, "component", list.events[i].component->name);
        writer_set_text(writer, "target", list_target_name(event->target));
        writer_set_text(writer, "type", list_event_type_name(event->type));
        writer_key(writer, "priority");
        writer_number(writer, arena_format(writer->out->arena, "%" PRId32, event->priority));
        list_set_place(writer, event->span);
        writer_close(writer, '}');
    }
}

static void set_files(json_writer *writer, const package *package)
{
    writer_key(writer, "files");
    writer_open(writer, '[');
    for (size_t i = 0; i < package->source_count; i++)
        writer_text(writer, package->sources[i]->path);
    writer_close(writer, ']');
}

static void append_removal(json_writer *writer, removal removal)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", removal.path);
    writer_set_text(writer, "identity", removal.identity);
    list_set_place(writer, removal.span);
    writer_close(writer, '}');
}

#define SET_LIST(writer, key, items, count, append)                                                                    \
    do {                                                                                                               \
        writer_key(writer, key);                                                                                       \
        writer_open(writer, '[');                                                                                      \
        for (size_t i = 0; i < (count); i++)                                                                           \
            append(writer, (items)[i]);                                                                                \
        writer_close(writer, ']');                                                                                     \
    } while (0)

void list_append_json(text *out, const package *package)
{
    json_writer document = writer_begin(out), *writer = &document;
    writer_open(writer, '{');
    writer_set_count(writer, "format", FORMAT);
    writer_set_text(writer, "package", package->name);
    writer_set_text(writer, "prefix", package->prefix);
    writer_set_count(writer, "version", package->version);
    SET_LIST(writer, "removed", package->removals, package->removal_count, append_removal);
    set_files(writer, package);
    SET_LIST(writer, "contexts", package->contexts, package->context_count, append_context);
    SET_LIST(writer, "types", package->definitions, package->definition_count, list_append_definition);
    SET_LIST(writer, "components", package->components, package->component_count, append_component);
    SET_LIST(writer, "groups", package->groups, package->group_count, list_append_group);
    SET_LIST(writer, "indices", package->indices, package->index_count, append_index);
    SET_LIST(writer, "relations", package->relations, package->relation_count, append_relation);
    SET_LIST(writer, "blueprints", package->blueprints, package->blueprint_count, append_blueprint);
    SET_LIST(writer, "events", package->contexts, package->context_count, append_events);
    list_set_world(writer, package);
    writer_close(writer, '}');
    writer_end(writer);
}
