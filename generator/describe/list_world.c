// The tables of a package's world and its relations, and the drawings of both for Graphviz.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <inttypes.h>

// ---- relations

// The relations of a package: a table for each context, and a drawing for Graphviz.

void list_append_relations_of(text *out, const package *package, const context *context)
{
    static const table_column columns[] = {
        {"relation", false}, {"reverse", false}, {"on_destroy", false}, {"tree", false}};
    table table = table_create(out->arena, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        const field *field = relation->field;
        if (relation->context != context)
            continue;
        table_row *row = table_append(&table);
        row->cells[0] = arena_format(out->arena, "%s.%s", relation->component->name, field->name);
        row->cells[1] = field->reverse == NULL ? "" : field->reverse;
        row->cells[2] = language_word(&language_on_destroy, field->on_destroy);
        row->cells[3] = field->is_tree ? "tree" : "";
        row->remark = field->doc;
    }
    list_append_table(out, &table);
}

static bool has_relations(const package *package, const context *context)
{
    for (size_t i = 0; i < package->relation_count; i++)
        if (package->relations[i].context == context)
            return true;
    return false;
}

void list_append_relations(text *out, const package *package)
{
    text_append_format(out, "package %s: %zu %s\n", package->name, package->relation_count,
                       package->relation_count == 1 ? "relation" : "relations");
    for (size_t i = 0; i < package->context_count; i++) {
        if (!has_relations(package, package->contexts[i]))
            continue;
        text_append_format(out, "\ncontext %s\n", package->contexts[i]->name);
        list_append_relations_of(out, package, package->contexts[i]);
    }
}

// Draws an arrow from the component to the entities of its context. Names are quoted, since a component may have the
// name of a keyword, such as Node or Graph.
static void draw_relation(text *out, const relation *relation)
{
    const field *field = relation->field;
    text_append_format(out, "  \"%s\" -> \"%s\" [label=\"%s", relation->component->name, relation->context->name,
                       field->name);
    if (field->reverse != NULL)
        text_append_format(out, "\\nreverse: %s", field->reverse);
    text_append_format(out, "\\non_destroy: %s\"%s]\n", language_word(&language_on_destroy, field->on_destroy),
                       field->is_tree ? ", style=bold" : "");
}

void list_append_relations_dot(text *out, const package *package)
{
    text_append_format(out, "digraph \"%s\" {\n  node [shape=box]\n", package->name);
    for (size_t i = 0; i < package->context_count; i++)
        if (has_relations(package, package->contexts[i]))
            text_append_format(out, "  \"%s\" [shape=ellipse, label=\"an entity of %s\"]\n", package->contexts[i]->name,
                               package->contexts[i]->name);
    for (size_t i = 0; i < package->relation_count; i++)
        draw_relation(out, &package->relations[i]);
    text_append_string(out, "}\n");
}

// ---- the world

// The tables of a package's world, and the schedule as a tree.

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
    const char *fields = list_fields_text(arena, &message->fields);
    const char *was = list_was(message->name, &message->saved);
    const char *separator = fields[0] == '\0' ? "" : ";\n";
    return was == NULL ? fields : arena_format(arena, "%s%swas: %s", fields, separator, was);
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

// ---- the schedule for Graphviz

// The schedule for Graphviz: nodes are nested clusters, systems are boxes in them. Names are quoted, since a system may
// have the name of a keyword, such as Node or Graph.

// The output and position of a traversal of the schedule.
typedef struct drawing {
    text *out;
    const package *package;
    size_t depth;
    size_t next_system;
} drawing;

static void begin_line(drawing *drawing)
{
    for (size_t i = 0; i <= drawing->depth; i++)
        text_append_string(drawing->out, "  ");
}

static void open_node(drawing *drawing, const schedule_node *node)
{
    begin_line(drawing);
    text_append_format(drawing->out, "subgraph cluster_%s {\n", node->name);
    drawing->depth++;
    begin_line(drawing);
    text_append_format(drawing->out, "label=\"%s", node->name);
    if (node->is_manual)
        text_append_string(drawing->out, "\\ncalls of the program");
    if (node->step > 0)
        text_append_format(drawing->out, "\\nsteps of %s, at most %" PRIu32,
                           list_number_text(drawing->out->arena, node->step), node->max_steps);
    text_append_string(drawing->out, "\"\n");
}

static void close_node(drawing *drawing)
{
    drawing->depth--;
    begin_line(drawing);
    text_append_string(drawing->out, "}\n");
}

static void draw_system(drawing *drawing, const declared_system *system)
{
    begin_line(drawing);
    text_append_format(drawing->out, "\"%s\" [label=\"%s\\n%s\\n", system->name, system->name,
                       list_system_kind_name(system->kind));
    const char *separator = "";
    for (system_role role = 0; role < ROLE_COUNT; role++) {
        if (!system->roles[role])
            continue;
        text_append_format(drawing->out, "%s%s", separator, schema_role_name(role));
        separator = ", ";
    }
    for (size_t i = 0; i < system->inbox_count; i++) {
        text_append_format(drawing->out, "%son %s", separator, system->inboxes[i].message->name);
        separator = ", ";
    }
    if (system->job.is_parallel) {
        const char *pieces = list_pieces_text(drawing->out->arena, system);
        const char *access = list_access_text(drawing->out->arena, system);
        text_append_format(drawing->out, "\\npieces: %s%s", pieces, access[0] == '\0' ? "" : "\\n");
        for (; *access != '\0'; access++)
            text_append_format(drawing->out, "%c", *access == '\n' ? ' ' : *access);
    }
    text_append_string(drawing->out, "\"]\n");
}

// Draws the systems of the next batch, in a box if several run side by side.
static void draw_batch(drawing *drawing)
{
    const package *package = drawing->package;
    size_t first = drawing->next_system;
    size_t end = list_batch_end(package, first);
    if (end - first > 1) {
        begin_line(drawing);
        text_append_format(drawing->out, "subgraph cluster_batch_%zu {\n", first + 1);
        drawing->depth++;
        begin_line(drawing);
        text_append_format(drawing->out, "label=\"batch %zu\" style=dashed\n", package->systems[first]->batch + 1);
    }
    for (size_t i = first; i < end; i++)
        draw_system(drawing, package->systems[i]);
    if (end - first > 1)
        close_node(drawing);
    drawing->next_system = end;
}

// Draws that the commands of a stage run after its last system.
static void draw_commands(drawing *drawing, size_t first, size_t end)
{
    const package *package = drawing->package;
    const char *names = list_commanders(drawing->out->arena, package->systems + first, end - first, ", ");
    if (names == NULL)
        return;
    begin_line(drawing);
    text_append_format(drawing->out, "\"commands after %s\" [label=\"commands of\\n%s\" style=rounded]\n",
                       package->systems[end - 1]->name, names);
    begin_line(drawing);
    text_append_format(drawing->out, "\"%s\" -> \"commands after %s\" [style=dotted]\n",
                       package->systems[end - 1]->name, package->systems[end - 1]->name);
}

// Draws the systems of the next stage. Gives those that could run side by side the same rank.
static void draw_stage(drawing *drawing)
{
    const package *package = drawing->package;
    size_t first = drawing->next_system;
    size_t end = list_stage_end(package, first);
    while (drawing->next_system < end)
        draw_batch(drawing);
    draw_commands(drawing, first, end);
    const char *const *names = list_independent(drawing->out->arena, package->systems + first, end - first, "\"; \"");
    for (; *names != NULL; names++) {
        begin_line(drawing);
        text_append_format(drawing->out, "{ rank=same; \"%s\" }\n", *names);
    }
}

// Closes the open clusters that do not contain the node, and returns the innermost one that stays open. NULL: all are
// closed.
static const schedule_node *close_nodes(drawing *drawing, const schedule_node *open, const schedule_node *node)
{
    for (; open != NULL && (node == NULL || !schema_node_is_within(node, open)); open = open->parent)
        close_node(drawing);
    return open;
}

static void draw_nodes(drawing *drawing)
{
    const package *package = drawing->package;
    const schedule_node *open = NULL; // the innermost open cluster
    for (size_t i = 0; i < package->node_count; i++) {
        const schedule_node *node = package->nodes[i];
        close_nodes(drawing, open, node);
        open_node(drawing, node);
        open = node;
        while (drawing->next_system < package->system_count && package->systems[drawing->next_system]->after == node) {
            open = close_nodes(drawing, open, package->systems[drawing->next_system]->node);
            draw_stage(drawing);
        }
    }
    close_nodes(drawing, open, NULL);
}

// Draws a dotted line from the previous system. It does not constrain the rank of a system whose level is earlier.
static void draw_next(text *out, const declared_system *before, const declared_system *system)
{
    bool is_of_node = before->node == system->node;
    if (is_of_node && (before->level == system->level || before->batch == system->batch))
        return;
    text_append_format(out, "  \"%s\" -> \"%s\" [style=dotted%s]\n", before->name, system->name,
                       is_of_node && system->level < before->level ? ", constraint=false" : "");
}

// Returns the manual node in which the system is; NULL if the update runs it.
static const schedule_node *manual_root(const declared_system *system)
{
    const schedule_node *root = schema_node_root(system->node);
    return root->is_manual ? root : NULL;
}

// Returns the system that runs before the one with the number, or NULL: only the program knows when manual nodes run.
static const declared_system *previous_system(const package *package, size_t number)
{
    const schedule_node *root = manual_root(package->systems[number]);
    for (size_t i = number; i > 0; i--)
        if (manual_root(package->systems[i - 1]) == root)
            return package->systems[i - 1];
    return NULL;
}

static void draw_order(text *out, const package *package)
{
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        const declared_system *before = previous_system(package, i);
        bool is_drawn = before == NULL;
        for (size_t k = 0; k < system->predecessor_count; k++) {
            is_drawn = is_drawn || system->predecessors[k] == before;
            text_append_format(out, "  \"%s\" -> \"%s\"\n", system->predecessors[k]->name, system->name);
        }
        if (!is_drawn)
            draw_next(out, before, system);
    }
}

void list_append_dot(text *out, const package *package)
{
    drawing drawing = {.out = out, .package = package};
    text_append_format(out, "digraph \"%s\" {\n  node [shape=box]\n", package->name);
    draw_nodes(&drawing);
    draw_order(out, package);
    text_append_string(out, "}\n");
}
