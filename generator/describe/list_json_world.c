// The JSON of a package's world; list.h says what is in it.
#include "describe/private/list_json.h"
#include "describe/private/list_parts.h"
#include "model/names.h"
#include "model/world.h"

void list_append_message(json_writer *writer, const message *message)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", message->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, message->name));
    writer_set_text(writer, "doc", message->doc);
    list_set_layout(writer, message->layout);
    list_set_fields(writer, &message->fields);
    list_set_place(writer, message->span);
    writer_close(writer, '}');
}

void list_append_node(json_writer *writer, const schedule_node *node)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", node->name);
    writer_set_text(writer, "doc", node->doc);
    writer_set_text(writer, "parent", node->parent == NULL ? NULL : node->parent->name);
    writer_key(writer, "fixed");
    if (node->step > 0)
        writer_number(writer, list_number_text(writer->out->arena, node->step));
    else
        writer_null(writer);
    list_set_count_or_null(writer, "max_steps", node->max_steps);
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

static void set_components(json_writer *writer, const char *key, const component *const *components, size_t count)
{
    writer_key(writer, key);
    writer_open_line(writer, '[');
    for (size_t i = 0; i < count; i++)
        writer_text(writer, components[i]->name);
    writer_close(writer, ']');
}

static void set_triggers(json_writer *writer, const declared_system *system)
{
    writer_key(writer, "react");
    writer_open(writer, '[');
    for (size_t i = 0; i < system->trigger_count; i++) {
        writer_open_line(writer, '{');
        writer_set_text(writer, "group", system->triggers[i].group->name);
        writer_set_text(writer, "event", list_trigger_event_name(system->triggers[i].event));
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
        writer_open_line(writer, '{');
        writer_set_text(writer, "message", inbox->message->name);
        list_set_count_or_null(writer, "capacity", inbox->capacity);
        writer_set_text(writer, "full", inbox->capacity == 0 ? NULL : list_full_name(inbox->full));
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void set_behind(json_writer *writer, const declared_system *system)
{
    writer_key(writer, "behind");
    writer_open_line(writer, '[');
    for (size_t i = 0; i < system->behind_count; i++)
        writer_text(writer, system->behind[i]->name);
    writer_close(writer, ']');
}

void list_append_system(json_writer *writer, const declared_system *system)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", system->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, system->name));
    writer_set_text(writer, "doc", system->doc);
    writer_set_text(writer, "kind", list_system_kind_name(system->kind));
    writer_set_text(writer, "node", system->node->name);
    set_roles(writer, system);
    writer_set_text(writer, "group", system->group == NULL ? NULL : system->group->name);
    writer_set_text(writer, "on_leave", system->keeps_left ? "keep" : NULL);
    set_components(writer, "reads", system->reads, system->read_count);
    set_components(writer, "writes", system->writes, system->write_count);
    set_triggers(writer, system);
    set_inboxes(writer, system);
    set_behind(writer, system);
    writer_set_count(writer, "batch", system->batch);
    list_set_place(writer, system->span);
    writer_close(writer, '}');
}
