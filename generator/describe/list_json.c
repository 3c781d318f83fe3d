// The JSON of a list, specified in describe.h.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- types, fields and default values

enum { UNIFORM_LIMIT = 16 }; // arrays of at most this many equal elements list all of them

static const uint64_t exact_limit = UINT64_C(1) << 53; // integers up to this are exact in a double

// Sets the place; null if the schema does not have it.
static void set_place(json_writer *writer, span span)
{
    if (span.source == NULL) {
        writer_set_text(writer, "place", NULL);
        return;
    }
    source_position position = source_position_of(span.source, span.start);
    writer_set_open_line(writer, "place", '{');
    writer_set_text(writer, "file", span.source->path);
    writer_set_count(writer, "line", position.line);
    writer_set_count(writer, "column", position.column);
    writer_close(writer, '}');
}

// Sets a number of bytes; null for one that only the compiler knows.
static void set_bytes(json_writer *writer, const char *key, bool is_known, uint64_t bytes)
{
    if (is_known)
        writer_set_count(writer, key, bytes);
    else
        writer_set_text(writer, key, NULL);
}

static void set_layout(json_writer *writer, memory_layout layout)
{
    set_bytes(writer, "size", !layout.is_guess, layout.size);
    set_bytes(writer, "alignment", !layout.is_guess, layout.alignment);
    set_bytes(writer, "padding", !layout.is_guess, layout.padding);
}

// ---- lists, names and elements

// Sets a list of what `append` writes of each item.
#define SET_LIST(writer, key, items, count, append)                                                                    \
    do {                                                                                                               \
        writer_set_open(writer, key, '[');                                                                             \
        for (size_t i = 0; i < (count); i++)                                                                           \
            append(writer, (items)[i]);                                                                                \
        writer_close(writer, ']');                                                                                     \
    } while (0)

// Sets a list of the names of elements, on one line.
#define SET_NAMES(writer, key, items, count)                                                                           \
    do {                                                                                                               \
        writer_set_open_line(writer, key, '[');                                                                        \
        for (size_t i = 0; i < (count); i++)                                                                           \
            writer_text(writer, (items)[i]->name);                                                                     \
        writer_close(writer, ']');                                                                                     \
    } while (0)

// Sets the name of an element that may be NULL.
#define SET_NAME(writer, key, element) writer_set_text(writer, key, (element) == NULL ? NULL : (element)->name)

// Opens the map of an element of the language, and sets its name.
static list_keys open_element(json_writer *writer, const language_value *language, const void *element,
                              const char *name)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", name);
    return list_keys_begin(writer, language, element, name);
}

// Closes the map of an element that is at the place.
static void close_element(json_writer *writer, span span)
{
    set_place(writer, span);
    writer_close(writer, '}');
}

static void set_c_name(json_writer *writer, const char *name)
{
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, name));
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

static void append_constant(json_writer *writer, const field_type *type, const constant *constant);

static void append_struct(json_writer *writer, const field_list *fields, const constant *constant)
{
    assert(constant->count == fields->count);
    writer_open_line(writer, '{');
    for (size_t i = 0; i < constant->count; i++) {
        writer_key(writer, fields->fields[i].name);
        append_constant(writer, &fields->fields[i].type, schema_constant_item(constant, i));
    }
    writer_close(writer, '}');
}

static void append_array(json_writer *writer, const field_type *type, const constant *constant)
{
    assert(constant->count > 0 || type->is_list);
    field_type element = schema_element_type(type);
    if (constant->is_uniform && constant->count > UNIFORM_LIMIT) {
        writer_open_line(writer, '{');
        writer_key(writer, "each");
        append_constant(writer, &element, schema_constant_item(constant, 0));
        writer_close(writer, '}');
        return;
    }
    writer_open_line(writer, '[');
    for (size_t i = 0; i < constant->count; i++)
        append_constant(writer, &element, schema_constant_item(constant, i));
    writer_close(writer, ']');
}

// Recursive over nested structs; the schema allows no recursive ones.
static void append_constant(json_writer *writer, const field_type *type, const constant *constant)
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

static void set_type(json_writer *writer, const field_type *type)
{
    static const char *const keys[] = {"type", "kind", "of", "target", "length", "count"};
    if (type->is_unknown) {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            writer_set_text(writer, keys[i], NULL);
        writer_set_bool(writer, "is_list", false);
        return;
    }
    writer_set_text(writer, "type", schema_type_name(writer->out->arena, type));
    writer_set_text(writer, "kind", list_type_kind_name(type->kind));
    SET_NAME(writer, "of", type->definition);
    SET_NAME(writer, "target", type->context);
    writer_set_positive(writer, "length", type->string_size);
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
    append_constant(writer, &field->type, field->minimum);
    append_constant(writer, &field->type, field->maximum);
    writer_close(writer, ']');
}

static memory_layout layout_of_field(const field *field)
{
    if (field->type.is_unknown)
        return (memory_layout){.is_guess = true};
    return layout_of_type(&field->type);
}

// Sets the offset of the field, which only the compiler knows if the alignment of an earlier field is unknown.
static void append_field(json_writer *writer, const field *field, bool has_offset, uint64_t offset)
{
    memory_layout layout = layout_of_field(field);
    list_keys keys = open_element(writer, &language_field, field, field->name);
    list_set_key(&keys, "doc");
    list_set_key(&keys, "unit");
    set_type(writer, &field->type);
    set_bytes(writer, "offset", has_offset, offset);
    set_bytes(writer, "size", !layout.is_guess, layout.size);
    writer_set_bool(writer, "has_default", field->has_default);
    writer_key(writer, "default");
    append_constant(writer, &field->type, field->default_value);
    set_range(writer, field);
    list_set_key(&keys, "inspect");
    list_set_key(&keys, "index");
    const char *on_destroy = NULL;
    if (schema_is_relation(field))
        on_destroy = language_word(&language_on_destroy, field->on_destroy);
    writer_set_text(writer, "on_destroy", on_destroy);
    const char *precision = NULL;
    if (field->precision > 0)
        precision = list_number_text(writer->out->arena, field->precision);
    writer_set_number(writer, "precision", precision);
    list_set_other_keys(&keys);
    close_element(writer, field->span);
}

// The offset of a field with unknown alignment is unknown, and so are those of all later fields. The first is 0.
static void set_fields(json_writer *writer, const field_list *list)
{
    const uint64_t *offsets = layout_offsets(writer->out->arena, list);
    bool is_known = true;
    writer_set_open(writer, "fields", '[');
    for (size_t i = 0; i < list->count; i++) {
        is_known = is_known && !layout_of_field(&list->fields[i]).is_guess;
        append_field(writer, &list->fields[i], is_known || i == 0, offsets[i]);
    }
    writer_close(writer, ']');
}

static void append_value(json_writer *writer, enumerator enumerator)
{
    writer_open_line(writer, '{');
    writer_set_text(writer, "name", enumerator.name);
    writer_set_number(writer, "value", arena_format(writer->out->arena, "%" PRId32, enumerator.number));
    writer_set_text(writer, "identity", enumerator.saved.identity);
    close_element(writer, enumerator.span);
}

static void append_definition(json_writer *writer, const definition *definition)
{
    assert(definition->kind == DEFINITION_STRUCT || definition->fields.count == 0);
    list_keys keys = open_element(writer, &language_definition, definition, definition->name);
    writer_set_text(writer, "kind", list_definition_kind_name(definition->kind));
    list_set_key(&keys, "doc");
    set_layout(writer, layout_of_definition(definition));
    set_fields(writer, &definition->fields);
    SET_LIST(writer, "values", definition->enumerators, definition->enumerator_count, append_value);
    list_set_other_keys(&keys);
    close_element(writer, definition->span);
}

// ---- groups and components

static void append_rule(json_writer *writer, rule rule)
{
    writer_open_line(writer, '{');
    writer_set_text(writer, "rule", list_rule_name(rule.kind));
    SET_NAMES(writer, "components", rule.components, rule.count);
    writer_close(writer, '}');
}

static void append_question(json_writer *writer, question question)
{
    writer_open_line(writer, '{');
    writer_set_text(writer, "question", question.kind == QUESTION_HELD_BY ? "held_by" : "holder_of");
    writer_set_text(writer, "component", question.relation->component->name);
    writer_set_text(writer, "field", question.relation->field->name);
    SET_LIST(writer, "rules", question.rules, question.rule_count, append_rule);
    writer_close(writer, '}');
}

static void append_group(json_writer *writer, const group *group)
{
    list_keys keys = open_element(writer, &language_group, group, group->name);
    SET_NAME(writer, "context", group->context);
    list_set_other_keys(&keys);
    SET_LIST(writer, "rules", group->rules, group->rule_count, append_rule);
    SET_NAMES(writer, "maybe", group->maybe.components, group->maybe.count);
    SET_NAME(writer, "order", group->order);
    SET_LIST(writer, "questions", group->questions, group->question_count, append_question);
    close_element(writer, group->span);
}

// ---- messages, schedule and systems

static void append_message(json_writer *writer, const message *message)
{
    list_keys keys = open_element(writer, &language_message, message, message->name);
    set_c_name(writer, message->name);
    list_set_key(&keys, "doc");
    list_set_other_keys(&keys);
    set_layout(writer, message->layout);
    set_fields(writer, &message->fields);
    close_element(writer, message->span);
}

static void append_node(json_writer *writer, const schedule_node *node)
{
    list_keys keys = open_element(writer, &language_node, node, node->name);
    list_set_key(&keys, "doc");
    SET_NAME(writer, "parent", node->parent);
    const char *step = NULL;
    if (node->step > 0)
        step = list_number_text(writer->out->arena, node->step);
    writer_set_number(writer, "fixed", step);
    list_set_other_keys(&keys);
    close_element(writer, node->span);
}

static void append_trigger(json_writer *writer, system_trigger trigger)
{
    list_keys keys = list_keys_begin(writer, &language_trigger, &trigger, NULL);
    writer_open_line(writer, '{');
    writer_set_text(writer, "group", trigger.group->name);
    list_set_other_keys(&keys);
    writer_close(writer, '}');
}

static void append_inbox(json_writer *writer, system_inbox inbox)
{
    list_keys keys = list_keys_begin(writer, &language_bounds, &inbox, NULL);
    const char *full = NULL;
    if (inbox.capacity > 0)
        full = language_word(&language_full, inbox.full);
    writer_open_line(writer, '{');
    writer_set_text(writer, "message", inbox.message->name);
    list_set_other_keys(&keys);
    writer_set_text(writer, "full", full);
    writer_close(writer, '}');
}

// Sets the group, declared or of the system itself; null for the other.
static void set_group(json_writer *writer, const group *group)
{
    bool is_own = group != NULL && group->is_of_system;
    SET_NAME(writer, "group", is_own ? NULL : group);
    writer_key(writer, "own_group");
    if (is_own)
        append_group(writer, group);
    else
        writer_null(writer);
}

static void append_look_up(json_writer *writer, const entity_index *index)
{
    writer_open_line(writer, '{');
    writer_set_text(writer, "index", index->name);
    SET_NAME(writer, "context", index->context);
    writer_close(writer, '}');
}

static void set_job(json_writer *writer, const declared_system *system, list_keys *keys)
{
    const system_job *job = &system->job;
    size_t grain = job->grain;
    if (grain == SCHEMA_GRAIN_ALL)
        grain = 0;
    writer_set_bool(writer, "is_parallel", job->is_parallel);
    writer_set_bool(writer, "has_pieces", schema_has_pieces(system));
    writer_set_positive(writer, "grain", grain);
    SET_LIST(writer, "looks_up", job->looks_up, job->look_up_count, append_look_up);
    SET_NAMES(writer, "changes", job->changes, job->change_count);
    SET_NAMES(writer, "spawns", job->spawns, job->spawn_count);
    list_set_key(keys, "destroys");
    SET_NAMES(writer, "publishes", job->publishes, job->publish_count);
    writer_set_count(writer, "batch", system->batch);
    writer_set_count(writer, "level", system->level);
}

// Sets `tree`, null without one, and `order`: its word with a tree, else the name of an index or null.
static void set_tree(json_writer *writer, const declared_system *system, list_keys *keys)
{
    const char *reverse = NULL, *order = NULL;
    if (system->tree != NULL) {
        reverse = system->tree->field->reverse;
        order = language_word(&language_tree_order, system->order);
    }
    if (system->index_order != NULL)
        order = system->index_order->name;
    writer_set_text(writer, "tree", reverse);
    list_set_key(keys, "only");
    writer_set_text(writer, "order", order);
}

static void set_refreshes(json_writer *writer, const package *package, const declared_system *system)
{
    index_list list = schema_refreshes(writer->out->arena, package, system);
    SET_LIST(writer, "refreshes", list.indices, list.count, append_look_up);
}

static void append_system(json_writer *writer, const package *package, const declared_system *system)
{
    list_keys keys = open_element(writer, &language_system, system, system->name);
    set_c_name(writer, system->name);
    list_set_key(&keys, "doc");
    writer_set_text(writer, "kind", list_system_kind_name(system->kind));
    writer_set_text(writer, "node", system->node->name);
    writer_set_open_line(writer, "roles", '[');
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            writer_text(writer, schema_role_name(role));
    writer_close(writer, ']');
    set_group(writer, system->group);
    SET_NAMES(writer, "maybe", system->maybe.components, system->maybe.count);
    set_tree(writer, system, &keys);
    list_set_key(&keys, "on_leave");
    SET_NAMES(writer, "reads", system->reads, system->read_count);
    SET_NAMES(writer, "writes", system->writes, system->write_count);
    SET_LIST(writer, "react", system->triggers, system->trigger_count, append_trigger);
    SET_LIST(writer, "inbox", system->inboxes, system->inbox_count, append_inbox);
    SET_NAMES(writer, "behind", system->predecessors, system->predecessor_count);
    set_job(writer, system, &keys);
    const declared_system *last = NULL; // of the stage, after which the commands run
    if (schema_has_commands(system))
        last = package->systems[list_stage_end(package, system->number) - 1];
    SET_NAME(writer, "commands_after", last);
    set_refreshes(writer, package, system);
    list_set_other_keys(&keys);
    close_element(writer, system->span);
}

// ---- the package

enum { FORMAT = 1 };

static void append_key_part(json_writer *writer, key_part part)
{
    writer_open_line(writer, '{');
    writer_set_text(writer, "component", part.component->name);
    writer_set_text(writer, "field", part.field->name);
    if (part.is_descending)
        writer_set_bool(writer, "descending", true);
    writer_close(writer, '}');
}

static void append_context(json_writer *writer, const context *context)
{
    list_keys keys = open_element(writer, &language_context, context, context->name);
    list_set_key(&keys, "doc");
    list_set_key(&keys, "default");
    writer_key(writer, "label");
    if (context->label != NULL)
        append_key_part(writer, *context->label);
    else
        writer_null(writer);
    list_set_other_keys(&keys);
    SET_NAMES(writer, "components", context->components, context->component_count);
    close_element(writer, context->span);
}

static void append_component(json_writer *writer, const component *component)
{
    list_keys keys = open_element(writer, &language_component, component, component->name);
    set_c_name(writer, component->name);
    list_set_key(&keys, "doc");
    SET_NAMES(writer, "contexts", component->contexts, component->context_count);
    writer_set_text(writer, "layout", list_layout_name(component));
    list_set_key(&keys, "unique");
    writer_set_bool(writer, "is_owned", schema_is_owned(component));
    writer_set_bool(writer, "is_editable", schema_is_editable(component));
    list_set_key(&keys, "stash");
    const char *flag_prefix = NULL;
    if (component->fields.count == 0)
        flag_prefix = component->flag_prefix;
    writer_set_text(writer, "flag_prefix", flag_prefix);
    list_set_other_keys(&keys);
    static const char *const replicates[] = {
        [REPLICATE_ALL] = "all", [REPLICATE_OWNER] = "owner", [REPLICATE_NONE] = "none"};
    writer_set_text(writer, "replicate", replicates[component->replicate]);
    set_layout(writer, component->layout);
    set_fields(writer, &component->fields);
    close_element(writer, component->span);
}

static void append_index(json_writer *writer, const entity_index *index)
{
    list_keys keys = open_element(writer, &language_index, index, index->name);
    SET_NAME(writer, "context", index->context);
    list_set_key(&keys, "kind");
    writer_set_bool(writer, "is_custom", index->is_custom);
    if (index->kind == INDEX_GRID)
        writer_set_number(writer, "cell", list_number_text(writer->out->arena, index->cell));
    list_set_other_keys(&keys);
    SET_LIST(writer, "key", index->key, index->key_count, append_key_part);
    writer_set_text(writer, "function", index->function);
    bool is_known = !index->key_type.is_unknown && index->key_type.span.source != NULL;
    const char *key_type = NULL;
    if (index->function != NULL && is_known)
        key_type = schema_type_name(writer->out->arena, &index->key_type);
    writer_set_text(writer, "key_type", key_type);
    SET_NAMES(writer, "of", index->of, index->of_count);
    SET_LIST(writer, "rules", index->rules, index->rule_count, append_rule);
    close_element(writer, index->span);
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
    close_element(writer, relation.field->span);
}

static void append_part(json_writer *writer, blueprint_part part)
{
    const field_list *fields = &part.component->fields;
    writer_open_line(writer, '{');
    writer_set_text(writer, "component", part.component->name);
    writer_set_open_line(writer, "values", '{');
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        const constant *value = field->default_value;
        if (part.values != NULL)
            value = part.values[i];
        writer_key(writer, field->name);
        append_constant(writer, &field->type, value);
    }
    writer_close(writer, '}');
    writer_close(writer, '}');
}

// Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void append_child(json_writer *writer, const blueprint_child *child)
{
    child_list below = {.count = 0};
    if (!schema_is_whole(child))
        below = child->children;
    writer_open(writer, '{');
    writer_set_text(writer, "name", child->name);
    SET_NAME(writer, "of", child->of);
    writer_set_text(writer, "tree", child->tree->field->reverse);
    SET_LIST(writer, "components", child->parts, child->part_count, append_part);
    writer_set_bool(writer, "is_whole", schema_is_whole(child));
    SET_LIST(writer, "children", below.children, below.count, append_child);
    close_element(writer, child->span);
}

static void append_blueprint(json_writer *writer, const blueprint *blueprint)
{
    list_keys keys = open_element(writer, &language_blueprint, blueprint, blueprint->name);
    SET_NAME(writer, "context", blueprint->context);
    list_set_other_keys(&keys);
    SET_NAME(writer, "extends", blueprint->base);
    SET_LIST(writer, "components", blueprint->parts, blueprint->part_count, append_part);
    SET_LIST(writer, "children", blueprint->children.children, blueprint->children.count, append_child);
    close_element(writer, blueprint->span);
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
        close_element(writer, event->span);
    }
}

static void append_file(json_writer *writer, const source *source)
{
    writer_text(writer, source->path);
}

static void append_removal(json_writer *writer, removal removal)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", removal.path);
    writer_set_text(writer, "identity", removal.identity);
    close_element(writer, removal.span);
}

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
    SET_LIST(writer, "files", package->sources, package->source_count, append_file);
    SET_LIST(writer, "contexts", package->contexts, package->context_count, append_context);
    SET_LIST(writer, "types", package->definitions, package->definition_count, append_definition);
    SET_LIST(writer, "components", package->components, package->component_count, append_component);
    SET_LIST(writer, "groups", package->groups, package->group_count, append_group);
    SET_LIST(writer, "indices", package->indices, package->index_count, append_index);
    SET_LIST(writer, "relations", package->relations, package->relation_count, append_relation);
    SET_LIST(writer, "blueprints", package->blueprints, package->blueprint_count, append_blueprint);
    SET_LIST(writer, "events", package->contexts, package->context_count, append_events);
    SET_LIST(writer, "messages", package->messages, package->message_count, append_message);
    SET_LIST(writer, "schedule", package->nodes, package->node_count, append_node);
    writer_set_open(writer, "systems", '[');
    for (size_t i = 0; i < package->system_count; i++)
        append_system(writer, package, package->systems[i]);
    writer_close(writer, ']');
    if (diagnostics_error_count(diagnostics) > 0) {
        writer_key(writer, "diagnostics");
        diagnostics_append_list(writer, diagnostics);
    }
    writer_close(writer, '}');
    writer_end(writer);
}
