// Reads what a parallel system does: `parallel`, `looks_up`, `changes`, `spawns`, `destroys` and `publishes`. Checks
// that its pieces can run side by side.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <inttypes.h>
#include <string.h>

// ---- contexts

static bool reacts_in(const declared_system *system, const context *context)
{
    bool is_own = system->trigger_count == 0; // an error that was reported
    for (size_t i = 0; i < system->trigger_count; i++) {
        const struct context *own = system->triggers[i].group->context;
        is_own = is_own || own == NULL || own == context;
    }
    return is_own;
}

// Returns whether the system works on the context. A plain system works on all.
static bool is_context_of(const declared_system *system, const context *context)
{
    const group *group = system->group;
    if (system->kind == SYSTEM_PLAIN || context == NULL)
        return true;
    if (system->kind == SYSTEM_REACTIVE)
        return reacts_in(system, context);
    return group == NULL || group->context == NULL || group->context == context;
}

static bool is_component_of(const declared_system *system, const component *component)
{
    for (size_t i = 0; i < component->context_count; i++)
        if (is_context_of(system, component->contexts[i]))
            return true;
    return component->context_count == 0;
}

// ---- `parallel`

static uint32_t nearest_grain(uint32_t given)
{
    uint32_t rounded =
        given > SCHEMA_GRAIN_LIMIT - SCHEMA_CHUNK_PLACES ? SCHEMA_GRAIN_LIMIT : given + SCHEMA_CHUNK_PLACES / 2;
    rounded -= rounded % SCHEMA_CHUNK_PLACES;
    return rounded == 0 ? SCHEMA_CHUNK_PLACES : rounded;
}

static void report_grain(reader *reader, const system_draft *draft, const tree_node *node)
{
    integer integer;
    diagnostic_error(reader->diagnostics, CODE_GRAIN, node->span,
                     "'grain' of %s must be 'all' or a multiple of %d from %d to %d, found '%s'", draft->what,
                     SCHEMA_CHUNK_PLACES, SCHEMA_CHUNK_PLACES, SCHEMA_GRAIN_LIMIT, node->text);
    if (node->is_plain && integer_read(node->text, scalar_type_of(TYPE_UINT32), &integer) == NUMBER_FITS)
        diagnostic_hint(reader->diagnostics, "write %" PRIu32, nearest_grain((uint32_t)integer.magnitude));
}

static bool is_grain(integer number)
{
    bool is_in_range = number.magnitude >= SCHEMA_CHUNK_PLACES && number.magnitude <= SCHEMA_GRAIN_LIMIT;
    return !number.is_negative && is_in_range && number.magnitude % SCHEMA_CHUNK_PLACES == 0;
}

static void read_grain(reader *reader, system_draft *draft, const tree_node *node)
{
    integer integer;
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'grain' of %s", draft->what)))
        return;
    bool is_number = node->is_plain && integer_read(node->text, scalar_type_of(TYPE_UINT32), &integer) == NUMBER_FITS;
    if (strcmp(node->text, "all") == 0)
        draft->system.job.grain = SCHEMA_GRAIN_ALL;
    else if (is_number && is_grain(integer))
        draft->system.job.grain = (uint32_t)integer.magnitude;
    else
        report_grain(reader, draft, node);
}

static void read_pieces(reader *reader, system_draft *draft, const tree_node *pieces)
{
    const char *what = arena_format(reader->arena, "'parallel' of %s", draft->what);
    if (!reader_expect_entries(reader, pieces, what))
        return;
    reader_check_keys(reader, pieces, &language_pieces, what);
    const tree_node *grain = tree_find(pieces, "grain");
    if (grain == NULL)
        return;
    read_grain(reader, draft, grain);
    if (draft->system.kind == SYSTEM_GROUP || tree_find_key(draft->node, "group") != NULL ||
        reader_is_misspelled(draft->node, &language_system, "group"))
        return;
    diagnostic_error(reader->diagnostics, CODE_GRAIN, tree_find_key(pieces, "grain")->span,
                     "%s has 'grain' without 'group'; only a group is divided into pieces", draft->what);
    diagnostic_hint(reader->diagnostics, "write 'parallel: true': the system runs as one piece");
}

// Returns whether the system has the key and its value is not false.
static bool read_parallel(reader *reader, system_draft *draft)
{
    const tree_node *node = tree_find(draft->node, "parallel");
    bool is_parallel = node != NULL && node->kind == TREE_MAPPING;
    if (is_parallel)
        read_pieces(reader, draft, node);
    else if (node != NULL)
        is_parallel = reader_find_bool(reader, draft->node, "parallel");
    if (is_parallel)
        draft->system.job.span = tree_find_key(draft->node, "parallel")->span;
    return is_parallel;
}

// ---- systems that are not parallel

static void refuse_keys_of_jobs(reader *reader, const system_draft *draft)
{
    static const char *const keys[] = {"looks_up", "changes", "spawns", "destroys", "publishes"};
    if (reader_is_misspelled(draft->node, &language_system, "parallel"))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const tree_node *key = tree_find_key(draft->node, keys[i]);
        if (key == NULL)
            continue;
        diagnostic_error(reader->diagnostics, CODE_NOT_PARALLEL, key->span,
                         "%s has '%s' without 'parallel'; a system without it calls directly", draft->what, keys[i]);
        diagnostic_hint(reader->diagnostics, "remove it, or add 'parallel: true'");
    }
}

// ---- `looks_up`

// Returns the first index with the name, in any context; NULL if there is none.
static const entity_index *find_index(const reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->package->index_count; i++)
        if (strcmp(reader->package->indices[i]->name, name) == 0)
            return reader->package->indices[i];
    return NULL;
}

// Returns whether an entry of `indices` has the name. If it is no index, that was reported.
static bool is_declared_index(reader *reader, const char *name)
{
    entry_list entries = reader_entries(reader, "indices");
    for (size_t i = 0; i < entries.count; i++)
        if (strcmp(entries.pairs[i]->key->text, name) == 0)
            return true;
    return reader_is_elsewhere(reader, "indices");
}

static void report_unknown_index(reader *reader, const tree_node *item, const char *what)
{
    if (is_declared_index(reader, item->text))
        return;
    diagnostic_error(reader->diagnostics, CODE_LOOKS_UP, item->span, "unknown index '%s' in %s", item->text, what);
    name_search search = name_search_begin(item->text);
    for (size_t i = 0; reader_is_hinting(reader) && i < reader->package->index_count; i++)
        name_search_offer(&search, reader->package->indices[i]->name);
    if (search.nearest != NULL)
        reader_hint(reader, search);
    else
        diagnostic_hint(reader->diagnostics, "name an entry of 'indices', or a field with 'index' as 'Name.value'");
}

static void report_index_elsewhere(reader *reader, const system_draft *draft, span place, const entity_index *index)
{
    diagnostic_error(
        reader->diagnostics, CODE_LOOKS_UP, place,
        "index '%s' cannot be in 'looks_up' of %s: it is in context '%s', in which the system does not work",
        index->name, draft->what, index->context->name);
    diagnostic_note(reader->diagnostics, index->span, "'%s' is declared here", index->name);
}

// Reports a grid that the system looks up while it writes the component of its key.
static void check_grid(reader *reader, const system_draft *draft, span place, const entity_index *index)
{
    for (size_t i = 0; index->kind == INDEX_GRID && i < draft->system.write_count; i++) {
        const component *component = draft->system.writes[i];
        if (!schema_is_key_of(index, component))
            continue;
        diagnostic_error(reader->diagnostics, CODE_WRITES_LOOKED_UP, place,
                         "%s looks up grid '%s' and writes component '%s', which is in its key", draft->what,
                         index->name, component->name);
        diagnostic_hint(reader->diagnostics, "write another component, such as 'Next%s', and move entities later",
                        component->name);
        diagnostic_note(reader->diagnostics, draft->write_spans[i], "'%s' is written here", component->name);
    }
}

// Appends the indices with the name in all contexts of the system.
static void append_indices(reader *reader, system_draft *draft, const entity_index **list, const tree_node *item,
                           const char *what)
{
    size_t count = draft->system.job.look_up_count;
    for (size_t i = 0; i < reader->package->index_count; i++) {
        const entity_index *index = reader->package->indices[i];
        if (strcmp(index->name, item->text) != 0 || !is_context_of(&draft->system, index->context))
            continue;
        check_grid(reader, draft, item->span, index);
        list[draft->system.job.look_up_count++] = index;
    }
    if (count < draft->system.job.look_up_count)
        return;
    const entity_index *index = find_index(reader, item->text);
    if (index != NULL)
        report_index_elsewhere(reader, draft, item->span, index);
    else
        report_unknown_index(reader, item, what);
}

static void read_looks_up(reader *reader, system_draft *draft)
{
    system_list list = system_list_begin(reader, draft, "looks_up");
    size_t capacity = list.items == NULL ? 0 : reader->package->index_count;
    const entity_index **indices = arena_allocate(reader->arena, (capacity + 1) * sizeof *indices);
    draft->system.job.looks_up = indices;
    for (const tree_node *item = list.items; item != NULL; item = item->next)
        if (reader_expect_text(reader, item, arena_format(reader->arena, "an index in %s", list.what)) &&
            system_list_is_new(&list, item))
            append_indices(reader, draft, indices, item, list.what);
}

// ---- `changes`

static const char no_context[] = "it is in no context of the system";

// Returns why commands of the system cannot change the component; NULL if they can.
static const char *find_fixed_reason(const declared_system *system, const component *component)
{
    if (component->has_drops)
        return "it owns opaque values, which a command cannot copy";
    return is_component_of(system, component) ? NULL : no_context;
}

static void read_changes(system_scope *scope, system_draft *draft)
{
    diagnostics *diagnostics = scope->reader->diagnostics;
    system_components changes = read_system_components(scope, draft, "changes");
    size_t count = 0;
    for (size_t i = 0; i < changes.count; i++) {
        const component *component = changes.components[i];
        const char *why = find_fixed_reason(&draft->system, component);
        changes.components[count] = component;
        changes.spans[count] = changes.spans[i];
        count += why == NULL;
        if (why == NULL)
            continue;
        diagnostic_error(diagnostics, CODE_COMMAND, changes.spans[i], "component '%s' cannot be in 'changes' of %s: %s",
                         component->name, draft->what, why);
        if (component->has_drops)
            diagnostic_hint(diagnostics, "change it in a system without 'parallel'");
        diagnostic_note(diagnostics, component->span, "'%s' is declared here", component->name);
    }
    draft->system.job.changes = changes.components;
    draft->system.job.change_spans = changes.spans;
    draft->system.job.change_count = count;
}

// ---- `spawns`

static const component *find_dropped(const blueprint_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].component->has_drops)
            return parts[i].component;
    return NULL;
}

// Returns a component with opaque values of the children; NULL if there is none. Recursive, at most
// SCHEMA_CHILD_DEPTH_LIMIT deep.
static const component *find_dropped_below(const child_list *children)
{
    const component *found = NULL;
    for (size_t i = 0; i < children->count && found == NULL; i++) {
        const blueprint_child *child = children->children[i];
        found = find_dropped(child->parts, child->part_count);
        if (found == NULL)
            found = find_dropped_below(&child->children);
    }
    return found;
}

static void append_blueprint(system_scope *scope, system_draft *draft, const blueprint **list, const tree_node *item,
                             const char *what)
{
    diagnostics *diagnostics = scope->reader->diagnostics;
    const blueprint *blueprint = system_names_find(&scope->blueprints, scope->reader, item, what);
    if (blueprint == NULL)
        return;
    const component *dropped = find_dropped(blueprint->parts, blueprint->part_count);
    if (dropped == NULL)
        dropped = find_dropped_below(&blueprint->children);
    if (dropped == NULL && is_context_of(&draft->system, blueprint->context)) {
        list[draft->system.job.spawn_count++] = blueprint;
        return;
    }
    diagnostic_error(diagnostics, CODE_COMMAND, item->span, "blueprint '%s' cannot be in %s: %s", blueprint->name, what,
                     dropped == NULL
                         ? no_context
                         : arena_format(scope->reader->arena, "its component '%s' owns opaque values", dropped->name));
    if (dropped != NULL)
        diagnostic_hint(diagnostics, "spawn it in a system without 'parallel'");
    diagnostic_note(diagnostics, blueprint->span, "'%s' is declared here", blueprint->name);
}

static void read_spawns(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    system_list list = system_list_begin(reader, draft, "spawns");
    const blueprint **blueprints = arena_allocate(reader->arena, (list.capacity + 1) * sizeof *blueprints);
    draft->system.job.spawns = blueprints;
    for (const tree_node *item = list.items; item != NULL; item = item->next)
        if (reader_expect_text(reader, item, arena_format(reader->arena, "a blueprint in %s", list.what)) &&
            system_list_is_new(&list, item))
            append_blueprint(scope, draft, blueprints, item, list.what);
}

// ---- `publishes`

static void read_publishes(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    system_list list = system_list_begin(reader, draft, "publishes");
    const message **messages = arena_allocate(reader->arena, (list.capacity + 1) * sizeof *messages);
    draft->system.job.publishes = messages;
    for (const tree_node *item = list.items; item != NULL; item = item->next) {
        if (!reader_expect_text(reader, item, arena_format(reader->arena, "a message in %s", list.what)))
            continue;
        const message *message = system_names_find(&scope->messages, reader, item, list.what);
        if (message != NULL && system_list_is_new(&list, item))
            messages[draft->system.job.publish_count++] = message;
    }
}

// ---- columns of pieces

// Returns whether the columns are unknown, as another error has said.
static bool has_unknown_columns(const system_draft *draft)
{
    const group *group = draft->system.group;
    if (group != NULL)
        return group->rule_count == 0;
    return tree_find_key(draft->node, "group") != NULL || reader_is_misspelled(draft->node, &language_system, "group");
}

static void check_writes(reader *reader, const system_draft *draft)
{
    if (has_unknown_columns(draft))
        return;
    for (size_t i = 0; i < draft->system.write_count; i++) {
        const component *component = draft->system.writes[i];
        if (schema_is_column_of(&draft->system, component))
            continue;
        if (draft->system.group == NULL)
            diagnostic_error(reader->diagnostics, CODE_WRITES_OF_JOB, draft->write_spans[i],
                             "%s is parallel and writes component '%s', but has no columns: it has no 'group'",
                             draft->what, component->name);
        else
            diagnostic_error(reader->diagnostics, CODE_WRITES_OF_JOB, draft->write_spans[i],
                             "%s is parallel and writes component '%s', which is not a column of its iterator",
                             draft->what, component->name);
        diagnostic_hint(reader->diagnostics, "commands replace: put it in 'changes'");
    }
}

// Reports components that one piece would read of other entities while other pieces write them.
static void check_reads(reader *reader, const system_draft *draft)
{
    for (size_t i = 0; i < draft->system.read_count; i++) {
        const component *component = draft->system.reads[i];
        size_t write = 0;
        while (write < draft->system.write_count && draft->system.writes[write] != component)
            write++;
        if (write == draft->system.write_count || !schema_is_column_of(&draft->system, component))
            continue;
        diagnostic_error(reader->diagnostics, CODE_READS_OWN_WRITES, draft->read_spans[i],
                         "%s is parallel and reads component '%s' of other entities, which it writes", draft->what,
                         component->name);
        diagnostic_hint(reader->diagnostics, "write another component, such as 'Next%s', or remove it from 'reads'",
                        component->name);
        diagnostic_note(reader->diagnostics, draft->write_spans[write], "'%s' is written here", component->name);
    }
}

static void refuse_tree(reader *reader, const system_draft *draft, const char *key, const char *why)
{
    diagnostic_error(reader->diagnostics, CODE_CANNOT_BE_PARALLEL, draft->system.job.span, "%s cannot be parallel: %s",
                     draft->what, why);
    diagnostic_hint(reader->diagnostics, "write 'parallel: { grain: all }': it runs as one piece beside other systems");
    diagnostic_note(reader->diagnostics, tree_find_key(draft->node, key)->span, "'%s' is declared here", key);
}

// The pieces of a tree are branches, which come one after the other in depth-first turns over all members alone.
static void check_tree(reader *reader, const system_draft *draft)
{
    const tree_node *order = tree_find(draft->node, "order");
    if (tree_find_key(draft->node, "tree") == NULL || draft->system.job.grain == SCHEMA_GRAIN_ALL)
        return;
    if (draft->system.job.grain != 0)
        refuse_tree(reader, draft, "tree", "the pieces of a tree are branches, which have no 'grain'");
    else if (tree_find_key(draft->node, "only") != NULL)
        refuse_tree(reader, draft, "only", "it visits only changed members of a tree, in one row");
    else if (order != NULL && order->kind == TREE_SCALAR && strcmp(order->text, "breadth") == 0)
        refuse_tree(reader, draft, "order", "it visits a tree level by level");
}

void read_system_job(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    draft->system.job.is_parallel = read_parallel(reader, draft);
    if (!draft->system.job.is_parallel) {
        refuse_keys_of_jobs(reader, draft);
        return;
    }
    check_tree(reader, draft);
    refuse_parallel_order(reader, draft);
    check_writes(reader, draft);
    check_reads(reader, draft);
    read_looks_up(reader, draft);
    read_changes(scope, draft);
    read_spawns(scope, draft);
    reader_read_key(reader, draft->node, language_find(&language_system, "destroys"), draft->what, &draft->system);
    read_publishes(scope, draft);
}
