// The schedule for Graphviz: nodes are nested clusters, systems are boxes in them. Names are quoted, since a system may
// have the name of a keyword, such as Node or Graph.
#include "describe/list.h"
#include "describe/private/list_cells.h"
#include "describe/private/list_parts.h"
#include "generator/schema/schema.h"

#include <inttypes.h>

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
    size_t first = drawing->next_system, end = list_batch_end(package, first);
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
    size_t first = drawing->next_system, end = list_stage_end(package, first);
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
        const declared_system *system = package->systems[i], *before = previous_system(package, i);
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
