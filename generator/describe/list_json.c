// The JSON of a list, specified in describe.h.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- types, fields and default values

enum { UNIFORM_LIMIT = 16 }; // arrays of at most this many equal elements list all of them

static const uint64_t exact_limit = UINT64_C(1) << 53; // integers up to this are exact in a double

void list_set_place(json_writer *writer, span span)
{
    source_position position = source_position_of(span.source, span.start);
    writer_key(writer, "place");
    writer_open_line(writer, '{');
    writer_set_text(writer, "file", span.source->path);
    writer_set_count(writer, "line", position.line);
    writer_set_count(writer, "column", position.column);
    writer_close(writer, '}');
}

// Sets a number of bytes; null for one that only the compiler knows.
static void set_bytes(json_writer *writer, const char *key, const uint64_t *bytes)
{
    writer_key(writer, key);
    if (bytes == NULL)
        writer_null(writer);
    else
        writer_count(writer, *bytes);
}

void list_set_layout(json_writer *writer, memory_layout layout)
{
    const struct {
        const char *key;
        uint64_t bytes;
    } parts[] = {{"size", layout.size}, {"alignment", layout.alignment}, {"padding", layout.padding}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        set_bytes(writer, parts[i].key, layout.is_guess ? NULL : &parts[i].bytes);
}

// ---- default values

// JSON has neither infinities nor NaN: they are strings, the same as in `kin dump`.
static void append_number(json_writer *writer, const char *literal)
{
    static const char *const specials[][2] = {{".inf", "inf"}, {"-.inf", "-inf"}, {".nan", "nan"}};
    const char *digits = literal_number(writer->out->arena, literal);
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strcmp(specials[i][0], digits) != 0)
            continue;
        writer_text(writer, specials[i][1]);
        return;
    }
    bool is_integer = strpbrk(digits, ".eE") == NULL;
    if (is_integer && strtoull(digits + (digits[0] == '-'), NULL, 10) > exact_limit)
        writer_text(writer, digits);
    else
        writer_number(writer, digits);
}

static void append_struct(json_writer *writer, const field_list *fields, const constant *constant)
{
    writer_open_line(writer, '{');
    for (size_t i = 0; i < constant->count; i++) {
        writer_key(writer, fields->fields[i].name);
        list_append_constant(writer, &fields->fields[i].type, schema_constant_item(constant, i));
    }
    writer_close(writer, '}');
}

static void append_array(json_writer *writer, const field_type *type, const constant *constant)
{
    field_type element = schema_element_type(type);
    if (constant->is_uniform && constant->count > UNIFORM_LIMIT) {
        writer_open_line(writer, '{');
        writer_key(writer, "each");
        list_append_constant(writer, &element, schema_constant_item(constant, 0));
        writer_close(writer, '}');
        return;
    }
    writer_open_line(writer, '[');
    for (size_t i = 0; i < constant->count; i++)
        list_append_constant(writer, &element, schema_constant_item(constant, i));
    writer_close(writer, ']');
}

// Recursive over nested structs; the schema allows no recursive ones.
void list_append_constant(json_writer *writer, const field_type *type, const constant *constant)
{
    if (constant == NULL) {
        writer_null(writer);
        return;
    }
    switch (constant->kind) {
    case CONSTANT_BOOL:
        writer_bool(writer, constant->boolean);
        break;
    case CONSTANT_NUMBER:
        append_number(writer, constant->literal);
        break;
    case CONSTANT_STRING:
        writer_text(writer, constant->bytes);
        break;
    case CONSTANT_ENTITY:
    case CONSTANT_OPAQUE:
        writer_null(writer);
        break;
    case CONSTANT_ENUMERATOR:
        writer_text(writer, constant->enumerator->name);
        break;
    case CONSTANT_STRUCT:
        append_struct(writer, &type->definition->fields, constant);
        break;
    case CONSTANT_ARRAY:
        append_array(writer, type, constant);
        break;
    }
}

// ---- fields and types

static void set_context(json_writer *writer, const context *context)
{
    writer_set_text(writer, "context", context == NULL ? NULL : context->name);
}

static void set_unknown_type(json_writer *writer)
{
    static const char *const keys[] = {"type", "kind", "of", "target", "length", "count"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        writer_set_text(writer, keys[i], NULL);
    writer_set_bool(writer, "is_list", false);
}

static void set_type(json_writer *writer, const field_type *type)
{
    if (type->is_unknown) {
        set_unknown_type(writer);
        return;
    }
    writer_set_text(writer, "type", schema_type_name(writer->out->arena, type));
    writer_set_text(writer, "kind", list_type_kind_name(type->kind));
    writer_set_text(writer, "of", type->definition == NULL ? NULL : type->definition->name);
    writer_set_text(writer, "target", type->kind == TYPE_CONTEXT_ENTITY ? type->context->name : NULL);
    writer_set_positive(writer, "length", type->kind == TYPE_INLINE_STRING ? type->string_size : 0);
    writer_set_positive(writer, "count", type->array_count);
    writer_set_bool(writer, "is_list", type->is_list);
}

static void set_range(json_writer *writer, const field *field)
{
    writer_key(writer, "range");
    if (field->minimum == NULL && field->maximum == NULL) {
        writer_null(writer);
        return;
    }
    writer_open_line(writer, '[');
    list_append_constant(writer, &field->type, field->minimum);
    list_append_constant(writer, &field->type, field->maximum);
    writer_close(writer, ']');
}

static memory_layout layout_of_field(const field *field)
{
    if (field->type.is_unknown)
        return (memory_layout){.is_guess = true};
    return layout_of_type(&field->type);
}

static void append_field(json_writer *writer, const field *field, const uint64_t *offset)
{
    memory_layout layout = layout_of_field(field);
    list_keys keys = list_keys_begin(writer, &language_field, field, field->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", field->name);
    list_set_key(&keys, "doc");
    list_set_key(&keys, "unit");
    set_type(writer, &field->type);
    set_bytes(writer, "offset", offset);
    set_bytes(writer, "size", layout.is_guess ? NULL : &layout.size);
    writer_set_bool(writer, "has_default", field->has_default);
    writer_key(writer, "default");
    list_append_constant(writer, &field->type, field->default_value);
    set_range(writer, field);
    list_set_key(&keys, "inspect");
    list_set_key(&keys, "index");
    writer_set_text(writer, "on_destroy",
                    schema_is_relation(field) ? language_word(&language_on_destroy, field->on_destroy) : NULL);
    list_set_other_keys(&keys);
    list_set_place(writer, field->span);
    writer_close(writer, '}');
}

// The offset of a field with unknown alignment is unknown, and so are those of all later fields. The first is 0.
void list_set_fields(json_writer *writer, const field_list *list)
{
    const uint64_t *offsets = layout_offsets(writer->out->arena, list);
    bool is_known = true;
    writer_key(writer, "fields");
    writer_open(writer, '[');
    for (size_t i = 0; i < list->count; i++) {
        is_known = is_known && !layout_of_field(&list->fields[i]).is_guess;
        append_field(writer, &list->fields[i], is_known || i == 0 ? &offsets[i] : NULL);
    }
    writer_close(writer, ']');
}

static void set_values(json_writer *writer, const definition *definition)
{
    writer_key(writer, "values");
    writer_open(writer, '[');
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        writer_open_line(writer, '{');
        writer_set_text(writer, "name", enumerator->name);
        writer_key(writer, "value");
        writer_number(writer, arena_format(writer->out->arena, "%" PRId32, enumerator->number));
        writer_set_text(writer, "identity", enumerator->saved.identity);
        list_set_place(writer, enumerator->span);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

void list_append_definition(json_writer *writer, const definition *definition)
{
    list_keys keys = list_keys_begin(writer, &language_definition, definition, definition->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", definition->name);
    writer_set_text(writer, "kind", list_definition_kind_name(definition->kind));
    list_set_key(&keys, "doc");
    list_set_layout(writer, layout_of_definition(definition));
    list_set_fields(writer, &definition->fields);
    set_values(writer, definition);
    list_set_other_keys(&keys);
    list_set_place(writer, definition->span);
    writer_close(writer, '}');
}

// ---- groups and components

void list_set_components(json_writer *writer, const char *key, const component *const *components, size_t count)
{
    writer_key(writer, key);
    writer_open_line(writer, '[');
    for (size_t i = 0; i < count; i++)
        writer_text(writer, components[i]->name);
    writer_close(writer, ']');
}

void list_set_rules(json_writer *writer, const rule *rules, size_t count)
{
    writer_key(writer, "rules");
    writer_open(writer, '[');
    for (size_t i = 0; i < count; i++) {
        writer_open_line(writer, '{');
        writer_set_text(writer, "rule", list_rule_name(rules[i].kind));
        writer_key(writer, "components");
        writer_open_line(writer, '[');
        for (size_t k = 0; k < rules[i].count; k++)
            writer_text(writer, rules[i].components[k]->name);
        writer_close(writer, ']');
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

void list_append_group(json_writer *writer, const group *group)
{
    list_keys keys = list_keys_begin(writer, &language_group, group, group->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", group->name);
    set_context(writer, group->context);
    list_set_other_keys(&keys);
    list_set_rules(writer, group->rules, group->rule_count);
    list_set_components(writer, "maybe", group->maybe.components, group->maybe.count);
    list_set_place(writer, group->span);
    writer_close(writer, '}');
}

// ---- messages, schedule and systems

static void append_message(json_writer *writer, const message *message)
{
    list_keys keys = list_keys_begin(writer, &language_message, message, message->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", message->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, message->name));
    list_set_key(&keys, "doc");
    list_set_other_keys(&keys);
    list_set_layout(writer, message->layout);
    list_set_fields(writer, &message->fields);
    list_set_place(writer, message->span);
    writer_close(writer, '}');
}

static void append_node(json_writer *writer, const schedule_node *node)
{
    list_keys keys = list_keys_begin(writer, &language_node, node, node->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", node->name);
    list_set_key(&keys, "doc");
    writer_set_text(writer, "parent", node->parent == NULL ? NULL : node->parent->name);
    writer_key(writer, "fixed");
    if (node->step > 0)
        writer_number(writer, list_number_text(writer->out->arena, node->step));
    else
        writer_null(writer);
    list_set_other_keys(&keys);
    if (node->span.source != NULL)
        list_set_place(writer, node->span);
    else
        writer_set_text(writer, "place", NULL);
    writer_close(writer, '}');
}

static void set_roles(json_writer *writer, const declared_system *system)
{
    writer_key(writer, "roles");
    writer_open_line(writer, '[');
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            writer_text(writer, schema_role_name(role));
    writer_close(writer, ']');
}

static void set_triggers(json_writer *writer, const declared_system *system)
{
    writer_key(writer, "react");
    writer_open(writer, '[');
    for (size_t i = 0; i < system->trigger_count; i++) {
        list_keys keys = list_keys_begin(writer, &language_trigger, &system->triggers[i], NULL);
        writer_open_line(writer, '{');
        writer_set_text(writer, "group", system->triggers[i].group->name);
        list_set_other_keys(&keys);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void set_inboxes(json_writer *writer, const declared_system *system)
{
    writer_key(writer, "inbox");
    writer_open(writer, '[');
    for (size_t i = 0; i < system->inbox_count; i++) {
        const system_inbox *inbox = &system->inboxes[i];
        list_keys keys = list_keys_begin(writer, &language_bounds, inbox, NULL);
        writer_open_line(writer, '{');
        writer_set_text(writer, "message", inbox->message->name);
        list_set_other_keys(&keys);
        writer_set_text(writer, "full", inbox->capacity == 0 ? NULL : language_word(&language_full, inbox->full));
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void set_predecessors(json_writer *writer, const declared_system *system)
{
    writer_key(writer, "behind");
    writer_open_line(writer, '[');
    for (size_t i = 0; i < system->predecessor_count; i++)
        writer_text(writer, system->predecessors[i]->name);
    writer_close(writer, ']');
}

// Sets the group that the system has for itself, or null.
static void set_own_group(json_writer *writer, const group *group)
{
    writer_key(writer, "own_group");
    if (group != NULL && group->is_of_system)
        list_append_group(writer, group);
    else
        writer_null(writer);
}

static void set_names(json_writer *writer, const char *key, const char *const *names, size_t count)
{
    writer_key(writer, key);
    writer_open_line(writer, '[');
    for (size_t i = 0; i < count; i++)
        writer_text(writer, names[i]);
    writer_close(writer, ']');
}

static void set_looks_up(json_writer *writer, const system_job *job)
{
    writer_key(writer, "looks_up");
    writer_open(writer, '[');
    for (size_t i = 0; i < job->look_up_count; i++) {
        writer_open_line(writer, '{');
        writer_set_text(writer, "index", job->looks_up[i]->name);
        set_context(writer, job->looks_up[i]->context);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void set_job(json_writer *writer, const declared_system *system, list_keys *keys)
{
    const system_job *job = &system->job;
    const char **names =
        arena_allocate(writer->out->arena, (job->spawn_count + job->publish_count + 1) * sizeof *names);
    writer_set_bool(writer, "is_parallel", job->is_parallel);
    writer_set_bool(writer, "has_pieces", schema_has_pieces(system));
    writer_set_positive(writer, "grain", job->grain == SCHEMA_GRAIN_ALL ? 0 : job->grain);
    set_looks_up(writer, job);
    list_set_components(writer, "changes", job->changes, job->change_count);
    for (size_t i = 0; i < job->spawn_count; i++)
        names[i] = job->spawns[i]->name;
    set_names(writer, "spawns", names, job->spawn_count);
    list_set_key(keys, "destroys");
    for (size_t i = 0; i < job->publish_count; i++)
        names[i] = job->publishes[i]->name;
    set_names(writer, "publishes", names, job->publish_count);
    writer_set_count(writer, "batch", system->batch);
    writer_set_count(writer, "level", system->level);
}

// Sets the last system of the stage of this one if its commands run after that, or null.
static void set_playback(json_writer *writer, const package *package, const declared_system *system)
{
    bool has_commands = schema_has_commands(system);
    size_t end = has_commands ? list_stage_end(package, system->number) : 0;
    writer_set_text(writer, "commands_after", has_commands ? package->systems[end - 1]->name : NULL);
}

static void append_system(json_writer *writer, const package *package, const declared_system *system)
{
    list_keys keys = list_keys_begin(writer, &language_system, system, system->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", system->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, system->name));
    list_set_key(&keys, "doc");
    writer_set_text(writer, "kind", list_system_kind_name(system->kind));
    writer_set_text(writer, "node", system->node->name);
    set_roles(writer, system);
    writer_set_text(writer, "group", system->group == NULL || system->group->is_of_system ? NULL : system->group->name);
    set_own_group(writer, system->group);
    list_set_components(writer, "maybe", system->maybe.components, system->maybe.count);
    writer_set_text(writer, "tree", system->tree == NULL ? NULL : system->tree->field->reverse);
    list_set_key(&keys, "only");
    writer_set_text(writer, "order", system->tree == NULL ? NULL : language_word(&language_tree_order, system->order));
    list_set_key(&keys, "on_leave");
    list_set_components(writer, "reads", system->reads, system->read_count);
    list_set_components(writer, "writes", system->writes, system->write_count);
    set_triggers(writer, system);
    set_inboxes(writer, system);
    set_predecessors(writer, system);
    set_job(writer, system, &keys);
    set_playback(writer, package, system);
    list_set_other_keys(&keys);
    list_set_place(writer, system->span);
    writer_close(writer, '}');
}

// ---- all

void list_set_world(json_writer *writer, const package *package)
{
    writer_key(writer, "messages");
    writer_open(writer, '[');
    for (size_t i = 0; i < package->message_count; i++)
        append_message(writer, package->messages[i]);
    writer_close(writer, ']');
    writer_key(writer, "schedule");
    writer_open(writer, '[');
    for (size_t i = 0; i < package->node_count; i++)
        append_node(writer, package->nodes[i]);
    writer_close(writer, ']');
    writer_key(writer, "systems");
    writer_open(writer, '[');
    for (size_t i = 0; i < package->system_count; i++)
        append_system(writer, package, package->systems[i]);
    writer_close(writer, ']');
}

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
    list_keys keys = list_keys_begin(writer, &language_context, context, context->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", context->name);
    list_set_key(&keys, "doc");
    list_set_key(&keys, "default");
    set_label(writer, context->label);
    list_set_other_keys(&keys);
    list_set_components(writer, "components", context->components, context->component_count);
    list_set_place(writer, context->span);
    writer_close(writer, '}');
}

static void append_component(json_writer *writer, const component *component)
{
    list_keys keys = list_keys_begin(writer, &language_component, component, component->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", component->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, component->name));
    list_set_key(&keys, "doc");
    writer_key(writer, "contexts");
    writer_open_line(writer, '[');
    for (size_t i = 0; i < component->context_count; i++)
        writer_text(writer, component->contexts[i]->name);
    writer_close(writer, ']');
    writer_set_text(writer, "layout", list_layout_name(component));
    list_set_key(&keys, "unique");
    writer_set_bool(writer, "is_owned", schema_is_owned(component));
    writer_set_bool(writer, "is_editable", schema_is_editable(component));
    list_set_key(&keys, "stash");
    writer_set_text(writer, "flag_prefix", component->fields.count == 0 ? component->flag_prefix : NULL);
    list_set_other_keys(&keys);
    list_set_layout(writer, component->layout);
    list_set_fields(writer, &component->fields);
    list_set_place(writer, component->span);
    writer_close(writer, '}');
}

static void append_index(json_writer *writer, const entity_index *index)
{
    list_keys keys = list_keys_begin(writer, &language_index, index, index->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", index->name);
    set_context(writer, index->context);
    list_set_key(&keys, "kind");
    writer_set_bool(writer, "is_custom", index->is_custom);
    list_set_other_keys(&keys);
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
    bool has_key_type = index->function != NULL && !index->key_type.is_unknown && index->key_type.span.source != NULL;
    writer_set_text(writer, "key_type", has_key_type ? schema_type_name(writer->out->arena, &index->key_type) : NULL);
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
    writer_set_text(writer, "on_destroy", language_word(&language_on_destroy, relation.field->on_destroy));
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
    list_keys keys = list_keys_begin(writer, &language_blueprint, blueprint, blueprint->name);
    writer_open(writer, '{');
    writer_set_text(writer, "name", blueprint->name);
    set_context(writer, blueprint->context);
    list_set_other_keys(&keys);
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
        list_keys keys = list_keys_begin(writer, &language_event, event, NULL);
        writer_open(writer, '{');
        writer_set_text(writer, "name", schema_event_name(writer->out->arena, list.events[i].component, event));
        writer_set_text(writer, "context", context->name);
        writer_set_text(writer, "component", list.events[i].component->name);
        list_set_other_keys(&keys);
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

void list_append_json(text *out, const package *package, const diagnostics *diagnostics)
{
    json_writer document = writer_begin(out);
    json_writer *writer = &document;
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
    if (diagnostics_error_count(diagnostics) > 0) {
        writer_key(writer, "diagnostics");
        diagnostics_append_list(writer, diagnostics);
    }
    writer_close(writer, '}');
    writer_end(writer);
}
