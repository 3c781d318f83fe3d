// The relations of a package: a table for each context, and a drawing for Graphviz.
#include "describe/list.h"
#include "describe/private/list_cells.h"
#include "describe/private/list_parts.h"

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
        row->cells[2] = list_on_destroy_name(field->on_destroy);
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
    text_append_format(out, "\\non_destroy: %s\"%s]\n", list_on_destroy_name(field->on_destroy),
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
