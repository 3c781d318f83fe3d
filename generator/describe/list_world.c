// The tables of a package's world, and the schedule as a tree.
#include "describe/list.h"
#include "describe/private/list_cells.h"
#include "describe/private/list_parts.h"
#include "generator/schema/schema.h"

#include <inttypes.h>

#define COLUMN_COUNT(columns) (sizeof(columns) / sizeof *(columns))

static const char *step_text(arena *arena, const schedule_node *node)
{
    if (node->step <= 0)
        return node->is_manual ? "calls of the program" : "";
    return arena_format(arena, "%ssteps of %s,\nat most %" PRIu32 " %s",
                        node->is_manual ? "calls of the program,\n" : "", list_number_text(arena, node->step),
                        node->max_steps, node->is_manual ? "a call" : "an update");
}

// ---- tables

static const char *message_text(arena *arena, const message *message)
{
    const char *fields = list_fields_text(arena, &message->fields), *was = list_was(message->name, &message->saved);
    return was == NULL ? fields : arena_format(arena, "%s%swas: %s", fields, fields[0] == '\0' ? "" : ";\n", was);
}

static void append_messages(text *out, const package *package)
{
    static const table_column columns[] = {{"message", false}, {"size", true}, {"fields", false}};
    table table = table_create(out->arena, columns, COLUMN_COUNT(columns));
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        table_row *row = table_append(&table);
        row->cells[0] = message->name;
        row->cells[1] = message->fields.count == 0 ? "" : list_size_text(out->arena, message->layout);
        row->cells[2] = message_text(out->arena, message);
        row->remark = message->doc;
    }
    list_append_table(out, &table);
}

static size_t depth_of(const schedule_node *node)
{
    size_t depth = 0;
    for (; node->parent != NULL; node = node->parent)
        depth++;
    return depth;
}

static const char *indented(arena *arena, size_t depth, const char *name)
{
    return arena_format(arena, "%*s%s", (int)(2 * depth), "", name);
}

static void append_nodes(text *out, const package *package)
{
    static const table_column columns[] = {{"node", false}, {"runs in", false}};
    table table = table_create(out->arena, columns, COLUMN_COUNT(columns));
    for (size_t i = 0; i < package->node_count; i++) {
        const schedule_node *node = package->nodes[i];
        table_row *row = table_append(&table);
        row->cells[0] = indented(out->arena, depth_of(node), node->name);
        row->cells[1] = step_text(out->arena, node);
        row->remark = node->doc;
    }
    list_append_table(out, &table);
}

static void append_systems(text *out, const package *package)
{
    static const table_column columns[] = {{"system", false}, {"in", false}, {"kind", false}, {"works on", false}};
    table table = table_create(out->arena, columns, COLUMN_COUNT(columns));
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        table_row *row = table_append(&table);
        row->cells[0] = system->name;
        row->cells[1] = system->node->name;
        row->cells[2] = list_system_kind_name(system->kind);
        row->cells[3] = list_works_on_text(out->arena, system);
        row->remark = system->doc;
    }
    list_append_table(out, &table);
}

static void append_count(text *out, size_t count, const char *what)
{
    if (count > 0)
        text_append_format(out, "%s %zu %s%s", out->bytes[out->size - 1] == ':' ? "" : ",", count, what,
                           count == 1 ? "" : "s");
}

void list_append_world(text *out, const package *package)
{
    if (!package->has_world)
        return;
    text_append_string(out, "\nworld:");
    append_count(out, package->message_count, "message");
    append_count(out, package->node_count, "node");
    append_count(out, package->system_count, "system");
    text_append_string(out, "\n");
    append_messages(out, package);
    append_nodes(out, package);
    append_systems(out, package);
}

// ---- the schedule

typedef enum schedule_column { NUMBER, NAME, BATCH, PIECES, KIND, ROLES, SCHEDULE_COLUMNS } schedule_column;

static bool has_parallel(const package *package)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (package->systems[i]->job.is_parallel)
            return true;
    return false;
}

static void append_system(table *table, const package *package, const declared_system *system)
{
    table_row *row = table_append(table);
    bool has_batches = has_parallel(package);
    row->cells[NUMBER] = arena_format(table->arena, "%zu", system->number + 1);
    row->cells[NAME] = indented(table->arena, depth_of(system->node) + 1, system->name);
    row->cells[BATCH] = has_batches ? arena_format(table->arena, "%zu", system->batch + 1) : "";
    row->cells[PIECES] = list_pieces_text(table->arena, system);
    row->cells[KIND] = list_system_kind_name(system->kind);
    row->cells[ROLES] = list_roles_text(table->arena, system);
    const char *access = has_batches ? list_access_text(table->arena, system) : "";
    if (access[0] != '\0')
        table_append(table)->cells[ROLES] = access;
}

// Appends the systems of one stage.
static size_t append_stage(table *table, const package *package, size_t first)
{
    arena *arena = table->arena;
    size_t end = list_stage_end(package, first);
    const declared_system *const *systems = package->systems + first;
    for (size_t i = first; i < end; i++)
        append_system(table, package, package->systems[i]);
    const char *commanders = list_commanders(arena, systems, end - first, ",\n");
    if (commanders != NULL)
        table_append(table)->cells[ROLES] = arena_format(arena, "commands of %s run here", commanders);
    const char *const *names = list_independent(arena, systems, end - first, ",\n");
    for (; *names != NULL; names++)
        table_append(table)->cells[ROLES] = arena_format(arena, "could run side by side: %s", *names);
    return end;
}

// Appends a node, its systems, and those of nodes around it that run next.
static void append_node(table *table, const package *package, const schedule_node *node, size_t *first)
{
    table_row *row = table_append(table);
    row->cells[NAME] = indented(table->arena, depth_of(node), node->name);
    row->cells[ROLES] = step_text(table->arena, node);
    while (*first < package->system_count && package->systems[*first]->after == node)
        *first = append_stage(table, package, *first);
}

void list_append_schedule(text *out, const package *package)
{
    static const table_column columns[SCHEDULE_COLUMNS] = {
        [NUMBER] = {"", true},        [NAME] = {"schedule", false}, [BATCH] = {"batch", true},
        [PIECES] = {"pieces", false}, [KIND] = {"kind", false},     [ROLES] = {"roles", false},
    };
    table table = table_create(out->arena, columns, SCHEDULE_COLUMNS);
    text_append_format(out, "package %s: %zu %s in %zu %s\n", package->name, package->system_count,
                       package->system_count == 1 ? "system" : "systems", package->node_count,
                       package->node_count == 1 ? "node" : "nodes");
    size_t first = 0;
    for (size_t i = 0; i < package->node_count; i++)
        append_node(&table, package, package->nodes[i], &first);
    list_append_table(out, &table);
}
