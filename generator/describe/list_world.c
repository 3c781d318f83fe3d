// The tables of a package's world and its relations, and the drawings of both for Graphviz.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>

// ---- relations

// The relations of a package: a table for each context, and a drawing for Graphviz.

void list_append_relations_of(text *out, const package *package, const context *context)
{
    static const table_column columns[] = {
        {"relation", false}, {"reverse", false}, {"on_destroy", false}, {"tree", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        const field *field = relation->field;
        const char *path = arena_format(out->arena, "%s.%s", relation->component->name, field->name);
        const char *on_destroy = language_word(&language_on_destroy, field->on_destroy);
        if (relation->context == context)
            table_append(&table,
                         (table_row){.cells = {path, field->reverse, on_destroy, text_if(field->is_tree, "tree")},
                                     .remark = field->doc});
    }
    list_append_table(out, table);
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
    text_append_format(out, "package %s: ", package->name);
    text_append_count(out, package->relation_count, "relation", "relations");
    text_append_string(out, "\n");
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
    assert(schema_is_relation(relation->field));
    const field *field = relation->field;
    text_append_format(out, "  \"%s\" -> \"%s\" [label=\"%s", relation->component->name, relation->context->name,
                       field->name);
    if (field->reverse != NULL)
        text_append_format(out, "\\nreverse: %s", field->reverse);
    text_append_format(out, "\\non_destroy: %s\"%s]\n", language_word(&language_on_destroy, field->on_destroy),
                       text_if(field->is_tree, ", style=bold"));
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

static const char *step_text(arena *arena, const schedule_node *node)
{
    assert(node->step <= 0 || node->max_steps > 0);
    static const char *const formats[] = {"steps of %s,\nat most %" PRIu32 " an update",
                                          "calls of the program,\nsteps of %s,\nat most %" PRIu32 " a call"};
    if (node->step <= 0)
        return text_if(node->is_manual, "calls of the program");
    return arena_format(arena, formats[node->is_manual], list_number_text(arena, node->step), node->max_steps);
}

// ---- tables

static void append_messages(text *out, const package *package)
{
    static const table_column columns[] = {{"message", false}, {"size", true}, {"fields", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        const char *size = text_if(message->fields.count > 0, list_size_text(out->arena, message->layout));
        const char *was = list_was(message->name, &message->saved);
        text fields = text_create(out->arena);
        text_append_string(&fields, list_fields_text(out->arena, &message->fields));
        if (was != NULL)
            text_append_item(&fields, ";\n", arena_format(out->arena, "was: %s", was));
        table_append(&table, (table_row){.cells = {message->name, size, fields.bytes}, .remark = message->doc});
    }
    list_append_table(out, table);
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
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->node_count; i++) {
        const schedule_node *node = package->nodes[i];
        const char *name = indented(out->arena, depth_of(node), node->name);
        table_append(&table, (table_row){.cells = {name, step_text(out->arena, node)}, .remark = node->doc});
    }
    list_append_table(out, table);
}

static void append_systems(text *out, const package *package)
{
    static const table_column columns[] = {{"system", false}, {"in", false}, {"kind", false}, {"works on", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *system = package->systems[i];
        table_append(&table,
                     (table_row){.cells = {system->name, system->node->name, list_system_kind_name(system->kind),
                                           list_works_on_text(out->arena, system)},
                                 .remark = system->doc});
    }
    list_append_table(out, table);
}

void list_append_world(text *out, const package *package)
{
    if (!package->has_world)
        return;
    const size_t counts[] = {package->message_count, package->node_count, package->system_count};
    static const char *const nouns[][2] = {{"message", "messages"}, {"node", "nodes"}, {"system", "systems"}};
    const char *separator = " ";
    text_append_string(out, "\nworld:");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] == 0)
            continue;
        text_append_string(out, separator);
        text_append_count(out, counts[i], nouns[i][0], nouns[i][1]);
        separator = ", ";
    }
    text_append_string(out, "\n");
    append_messages(out, package);
    append_nodes(out, package);
    append_systems(out, package);
}

// ---- the schedule

typedef enum schedule_column { NUMBER, NAME, BATCH, PIECES, KIND, ROLES, SCHEDULE_COLUMNS } schedule_column;

// Appends a row with a text below the roles; none for "".
static void append_roles(table *table, const char *roles)
{
    if (roles[0] != '\0')
        table_append(table, (table_row){.cells = {[ROLES] = roles}});
}

static void append_system(table *table, const package *package, const declared_system *system)
{
    arena *arena = table->arena;
    table_row row = {.cells = {[NUMBER] = arena_format(arena, "%zu", system->number + 1),
                               [NAME] = indented(arena, depth_of(system->node) + 1, system->name),
                               [PIECES] = list_pieces_text(arena, system),
                               [KIND] = list_system_kind_name(system->kind),
                               [ROLES] = list_roles_text(arena, system)}};
    bool has_jobs = schema_has_jobs(package);
    if (has_jobs)
        row.cells[BATCH] = arena_format(arena, "%zu", system->batch + 1);
    table_append(table, row);
    if (has_jobs)
        append_roles(table, list_access_text(arena, system));
    append_roles(table, list_refreshes_text(arena, package, system, ",\n"));
}

// Appends the systems of one stage.
static size_t append_stage(table *table, const package *package, size_t first)
{
    assert(first < package->system_count);
    arena *arena = table->arena;
    size_t end = list_stage_end(package, first);
    const declared_system *const *systems = package->systems + first;
    for (size_t i = first; i < end; i++)
        append_system(table, package, package->systems[i]);
    const char *commanders = list_commanders(arena, systems, end - first, ",\n");
    if (commanders != NULL)
        append_roles(table, arena_format(arena, "commands of %s run here", commanders));
    const char *const *names = list_independent(arena, systems, end - first, ",\n");
    for (; *names != NULL; names++)
        append_roles(table, arena_format(arena, "could run side by side: %s", *names));
    return end;
}

// Appends a node, its systems, and those of nodes around it that run next.
static void append_node(table *table, const package *package, const schedule_node *node, size_t *first)
{
    assert(*first <= package->system_count);
    table_append(
        table,
        (table_row){
            .cells = {
                [NAME] = indented(table->arena, depth_of(node), node->name), [ROLES] = step_text(table->arena, node)}});
    while (*first < package->system_count && package->systems[*first]->after == node)
        *first = append_stage(table, package, *first);
}

void list_append_schedule(text *out, const package *package)
{
    static const table_column columns[SCHEDULE_COLUMNS] = {
        [NUMBER] = {"", true},        [NAME] = {"schedule", false}, [BATCH] = {"batch", true},
        [PIECES] = {"pieces", false}, [KIND] = {"kind", false},     [ROLES] = {"roles", false},
    };
    table table = TABLE_CREATE(out->arena, columns);
    text_append_format(out, "package %s: ", package->name);
    text_append_count(out, package->system_count, "system", "systems");
    text_append_string(out, " in ");
    text_append_count(out, package->node_count, "node", "nodes");
    text_append_string(out, "\n");
    size_t first = 0;
    for (size_t i = 0; i < package->node_count; i++)
        append_node(&table, package, package->nodes[i], &first);
    assert(first == package->system_count); // each is after a node
    list_append_table(out, table);
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
    assert(drawing->depth > 0);
    drawing->depth--;
    begin_line(drawing);
    text_append_string(drawing->out, "}\n");
}

static void draw_system(drawing *drawing, const declared_system *system)
{
    begin_line(drawing);
    text_append_format(drawing->out, "\"%s\" [label=\"%s\\n%s\\n", system->name, system->name,
                       list_system_kind_name(system->kind));
    text roles = text_create(drawing->out->arena);
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (system->roles[role])
            text_append_item(&roles, ", ", schema_role_name(role));
    for (size_t i = 0; i < system->inbox_count; i++)
        text_append_item(&roles, ", ", arena_format(roles.arena, "on %s", system->inboxes[i].message->name));
    text_append_string(drawing->out, roles.bytes);
    if (system->job.is_parallel) {
        const char *access = list_access_text(roles.arena, system);
        text_append_format(drawing->out, "\\npieces: %s", list_pieces_text(roles.arena, system));
        text_append_string(drawing->out, text_if(access[0] != '\0', "\\n"));
        text_append_line(drawing->out, access);
    }
    const char *refreshes = list_refreshes_text(roles.arena, drawing->package, system, ", ");
    text_append_string(drawing->out, text_if(refreshes[0] != '\0', "\\n"));
    text_append_string(drawing->out, refreshes);
    text_append_string(drawing->out, "\"]\n");
}

// Draws the systems of the next batch, in a box if several run side by side.
static void draw_batch(drawing *drawing)
{
    assert(drawing->next_system < drawing->package->system_count);
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
    assert(drawing->depth == 0 && drawing->next_system == package->system_count);
}

// Draws a dotted line from the previous system. It does not constrain the rank of a system whose level is earlier.
static void draw_next(text *out, const declared_system *before, const declared_system *system)
{
    assert(before->number < system->number);
    bool is_of_node = before->node == system->node;
    if (is_of_node && (before->level == system->level || before->batch == system->batch))
        return;
    bool is_earlier = is_of_node && system->level < before->level;
    text_append_format(out, "  \"%s\" -> \"%s\" [style=dotted%s]\n", before->name, system->name,
                       text_if(is_earlier, ", constraint=false"));
}

// Returns the manual node in which the system is; NULL if the update runs it.
static const schedule_node *manual_root(const declared_system *system)
{
    const schedule_node *root = schema_node_root(system->node);
    if (root->is_manual)
        return root;
    return NULL;
}

// Returns the system that runs before the one with the number, or NULL: only the program knows when manual nodes run.
static const declared_system *previous_system(const package *package, size_t number)
{
    assert(number < package->system_count);
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
