// The JSON of a package's messages, schedule and systems, specified in list.h.
#include "describe/private/list_json.h"
#include "describe/private/list_parts.h"
#include "generator/schema/schema.h"

static void append_message(json_writer *writer, const message *message)
{
    writer_open(writer, '{');
    writer_set_text(writer, "name", message->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, message->name));
    writer_set_text(writer, "doc", message->doc);
    writer_set_text(writer, "identity", message->saved.identity);
    list_set_layout(writer, message->layout);
    list_set_fields(writer, &message->fields);
    list_set_place(writer, message->span);
    writer_close(writer, '}');
}

static void append_node(json_writer *writer, const schedule_node *node)
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
    writer_set_bool(writer, "manual", node->is_manual);
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
        writer_set_text(writer, "context", job->looks_up[i]->context->name);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void set_job(json_writer *writer, const declared_system *system)
{
    const system_job *job = &system->job;
    const char **names =
        arena_allocate(writer->out->arena, (job->spawn_count + job->publish_count + 1) * sizeof *names);
    writer_set_bool(writer, "is_parallel", job->is_parallel);
    writer_set_bool(writer, "has_pieces", schema_has_pieces(system));
    list_set_count_or_null(writer, "grain", job->grain == SCHEMA_GRAIN_ALL ? 0 : job->grain);
    set_looks_up(writer, job);
    list_set_components(writer, "changes", job->changes, job->change_count);
    for (size_t i = 0; i < job->spawn_count; i++)
        names[i] = job->spawns[i]->name;
    set_names(writer, "spawns", names, job->spawn_count);
    writer_set_bool(writer, "destroys", job->destroys);
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
    writer_open(writer, '{');
    writer_set_text(writer, "name", system->name);
    writer_set_text(writer, "c_name", name_to_snake_case(writer->out->arena, system->name));
    writer_set_text(writer, "doc", system->doc);
    writer_set_text(writer, "kind", list_system_kind_name(system->kind));
    writer_set_text(writer, "node", system->node->name);
    set_roles(writer, system);
    writer_set_text(writer, "group", system->group == NULL || system->group->is_of_system ? NULL : system->group->name);
    set_own_group(writer, system->group);
    list_set_components(writer, "maybe", system->maybe.components, system->maybe.count);
    writer_set_text(writer, "tree", system->tree == NULL ? NULL : system->tree->field->reverse);
    writer_set_text(writer, "only", system->only_changed ? "changed" : NULL);
    writer_set_text(writer, "order", system->tree == NULL ? NULL : list_tree_order_name(system->order));
    writer_set_text(writer, "on_leave", system->keeps_left ? "keep" : NULL);
    list_set_components(writer, "reads", system->reads, system->read_count);
    list_set_components(writer, "writes", system->writes, system->write_count);
    set_triggers(writer, system);
    set_inboxes(writer, system);
    set_predecessors(writer, system);
    set_job(writer, system);
    set_playback(writer, package, system);
    writer_set_text(writer, "identity", system->saved.identity);
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
