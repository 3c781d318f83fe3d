// Reading of the lists of a system: the components that it works on, and the systems that it runs before and after.
#include "read/private/system.h"

// ---- `reads` and `writes`

static const component *find_component(system_scope *scope, const tree_node *item, const char *what)
{
    reader *reader = scope->reader;
    const component_draft *found = dictionary_find(&reader->component_names, item->text);
    if (found != NULL || reader_is_elsewhere(reader, "components"))
        return found == NULL ? NULL : &found->component;
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, item->span, "unknown component '%s' in %s",
                     item->text, what);
    reader_hint(reader, reader_search_components(reader, item->text, NULL));
    return NULL;
}

// Why nobody may write the values of a column; NULL when everybody may.
static const char *why_it_is_constant(const component *component)
{
    if (component->is_keyed)
        return "an index has it in its key";
    return schema_is_owned(component) && !schema_has_edit_type(component) ? "the context owns what is in it" : NULL;
}

// A system gets the columns of its group to walk over; what it does to other components, it does by functions.
static void check_column(system_scope *scope, const system_draft *draft, const component *component, span place)
{
    const char *why = why_it_is_constant(component);
    if (why == NULL || draft->system.group == NULL || !schema_is_column_of(draft->system.group, component))
        return;
    diagnostic_error(scope->reader->diagnostics, CODE_WRITES, place,
                     "%s cannot write component '%s' while it walks group '%s': %s", draft->what, component->name,
                     draft->system.group->name, why);
    diagnostic_hint(scope->reader->diagnostics, "replace it, and leave it out here");
    diagnostic_note(scope->reader->diagnostics, component->span, "'%s' is declared here", component->name);
}

typedef struct columns {
    const component **components;
    span *spans;
    size_t count;
} columns;

static columns read_components_of(system_scope *scope, const system_draft *draft, const char *key)
{
    reader *reader = scope->reader;
    system_list list = system_list_begin(reader, draft, key);
    columns columns = {.count = 0};
    columns.components = arena_allocate(reader->arena, (list.capacity + 1) * sizeof *columns.components);
    columns.spans = arena_allocate(reader->arena, (list.capacity + 1) * sizeof *columns.spans);
    for (const tree_node *item = list.items; item != NULL; item = item->next) {
        if (!reader_expect_text(reader, item, arena_format(reader->arena, "a component in %s", list.what)))
            continue;
        const component *component = find_component(scope, item, list.what);
        if (component == NULL || !system_list_is_new(&list, item))
            continue;
        columns.spans[columns.count] = item->span;
        columns.components[columns.count++] = component;
    }
    return columns;
}

void read_system_columns(system_scope *scope, system_draft *draft)
{
    columns writes = read_components_of(scope, draft, "writes"), reads = read_components_of(scope, draft, "reads");
    for (size_t i = 0; i < writes.count; i++)
        check_column(scope, draft, writes.components[i], writes.spans[i]);
    draft->system.writes = writes.components;
    draft->system.write_count = writes.count;
    draft->write_spans = writes.spans;
    draft->system.reads = reads.components;
    draft->system.read_count = reads.count;
}

// ---- `before` and `after`

static void append_order(system_scope *scope, system_draft *draft, system_list *list, const tree_node *item)
{
    reader *reader = scope->reader;
    if (!reader_expect_text(reader, item, arena_format(reader->arena, "a system in %s", list->what)))
        return;
    system_draft *other = (system_draft *)system_names_find(&scope->systems, reader, item, list->what);
    if (other != NULL && system_list_is_new(list, item))
        draft->orders[draft->order_count++] = (system_order){.earlier = other, .later = draft, .span = item->span};
}

void read_system_orders(system_scope *scope, system_draft *draft)
{
    system_list before = system_list_begin(scope->reader, draft, "before");
    system_list after = system_list_begin(scope->reader, draft, "after");
    draft->orders =
        arena_allocate(scope->reader->arena, (before.capacity + after.capacity + 1) * sizeof *draft->orders);
    for (const tree_node *item = before.items; item != NULL; item = item->next)
        append_order(scope, draft, &before, item);
    for (size_t i = 0; i < draft->order_count; i++) {
        draft->orders[i].later = draft->orders[i].earlier;
        draft->orders[i].earlier = draft;
    }
    for (const tree_node *item = after.items; item != NULL; item = item->next)
        append_order(scope, draft, &after, item);
}
