// Reads the lists of a system (components, orders, triggers, inbox), and looks up the names in them.
#include "generator/read/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <string.h>

// ---- names

enum { LISTED_NAMES = 8 }; // names listed in a message when no name is similar

system_list system_list_begin(reader *reader, const system_draft *draft, const char *key)
{
    const tree_node *node = tree_find(draft->node, key);
    system_list list = {.reader = reader, .what = arena_format(reader->arena, "'%s' of %s", key, draft->what)};
    if (node == NULL || !reader_expect_items(reader, node, list.what))
        return list;
    list.items = node->items;
    list.capacity = node->count;
    list.places = dictionary_create(reader->arena);
    return list;
}

bool system_list_is_new(system_list *list, const tree_node *name)
{
    const tree_node *earlier = dictionary_add(&list->places, name->text, name);
    if (earlier == NULL)
        return true;
    diagnostic_error(list->reader->diagnostics, CODE_NAMED_TWICE, name->span, "'%s' is listed twice in %s", name->text,
                     list->what);
    diagnostic_note(list->reader->diagnostics, earlier->span, "first listed here");
    return false;
}

void system_names_begin(system_names *names, reader *reader, size_t count)
{
    names->values = dictionary_create_for(reader->arena, count);
    names->names = arena_allocate(reader->arena, (count + 1) * sizeof *names->names);
}

const void *system_names_add(system_names *names, const char *name, const void *value)
{
    const void *earlier = dictionary_add(&names->values, name, value);
    if (earlier == NULL)
        names->names[names->count++] = name;
    return earlier;
}

// Lists all known names if there are few.
static void hint_known_names(const system_names *names, reader *reader)
{
    if (names->count == 0 || names->count > LISTED_NAMES)
        return;
    text list = text_create(reader->arena);
    for (size_t i = 0; i < names->count; i++) {
        text_separate(&list, i, ", ");
        text_append_string(&list, names->names[i]);
    }
    if (names->count == 1)
        diagnostic_hint(reader->diagnostics, "the only known %s is %s", names->kind, list.bytes);
    else
        diagnostic_hint(reader->diagnostics, "known %s are %s", names->kinds, list.bytes);
}

static void offer_names(const system_names *names, const reader *reader, name_search *search)
{
    for (size_t i = 0; reader_is_hinting(reader) && i < names->count; i++)
        name_search_offer(search, names->names[i]);
}

// Suggests a similar name, of `others` too unless that is NULL.
static const void *find_name(const system_names *names, const system_names *others, reader *reader,
                             const tree_node *node, const char *what)
{
    const void *found = dictionary_find(&names->values, node->text);
    if (found != NULL || reader_is_elsewhere(reader, names->key))
        return found;
    diagnostic_error(reader->diagnostics, names->code, node->span, "unknown %s '%s' in %s", names->kind, node->text,
                     what);
    name_search search = name_search_begin(node->text);
    offer_names(names, reader, &search);
    if (others != NULL)
        offer_names(others, reader, &search);
    if (search.nearest != NULL)
        reader_hint(reader, search);
    else
        hint_known_names(names, reader);
    return NULL;
}

const void *system_names_find(const system_names *names, reader *reader, const tree_node *node, const char *what)
{
    return find_name(names, NULL, reader, node, what);
}

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

// Returns why systems may not write the values of a column; NULL if they may write them, or some of their fields.
static const char *find_constant_reason(const component *component)
{
    if (component->fields.count == 0 || schema_is_writable_in_place(component))
        return NULL;
    if (component->is_shared)
        return "its values are shared";
    if (component->is_keyed)
        return "it is in the key of an index";
    return component->has_relations ? "a field of it is a relation" : "the context owns its value";
}

const char *group_text(reader *reader, const group *group)
{
    return group->is_of_system ? "its group" : arena_format(reader->arena, "group '%s'", group->name);
}

// Reports a column that a system may not write while it iterates its group. Other components are changed through
// functions.
static void check_column(system_scope *scope, const system_draft *draft, const component *component, span place)
{
    const char *why = find_constant_reason(component);
    if (why == NULL || !schema_is_column_of(&draft->system, component))
        return;
    diagnostic_error(scope->reader->diagnostics, CODE_WRITES, place,
                     "%s cannot write component '%s' while iterating %s: %s", draft->what, component->name,
                     group_text(scope->reader, draft->system.group), why);
    const tree_node *parallel = tree_find(draft->node, "parallel");
    if (parallel != NULL && tree_is_text(parallel) && strcmp(parallel->text, "true") == 0)
        diagnostic_hint(scope->reader->diagnostics, "put it in 'changes' instead, and replace the whole component");
    else
        diagnostic_hint(scope->reader->diagnostics, "remove it from 'writes', and replace the whole component instead");
    diagnostic_note(scope->reader->diagnostics, component->span, "'%s' is declared here", component->name);
}

system_components read_system_components(system_scope *scope, const system_draft *draft, const char *key)
{
    reader *reader = scope->reader;
    system_list list = system_list_begin(reader, draft, key);
    system_components columns = {.count = 0};
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
    system_components writes = read_system_components(scope, draft, "writes");
    system_components reads = read_system_components(scope, draft, "reads");
    for (size_t i = 0; i < writes.count; i++)
        check_column(scope, draft, writes.components[i], writes.spans[i]);
    draft->system.writes = writes.components;
    draft->system.write_count = writes.count;
    draft->write_spans = writes.spans;
    draft->system.reads = reads.components;
    draft->read_spans = reads.spans;
    draft->system.read_count = reads.count;
}

// ---- `before` and `after`

// Reads a system or a node in `after`, or in `before`. Names of nodes begin in lower case.
static void append_order(system_scope *scope, system_draft *draft, system_list *list, const tree_node *item,
                         bool is_after)
{
    reader *reader = scope->reader;
    if (!reader_expect_text(reader, item, arena_format(reader->arena, "a system in %s", list->what)))
        return;
    bool is_node = byte_is_lower(item->text[0]);
    const system_names *names = is_node ? &scope->nodes : &scope->systems;
    const system_names *others = is_node ? &scope->systems : &scope->nodes;
    const void *found = find_name(names, others, reader, item, list->what);
    if (found == NULL || !system_list_is_new(list, item))
        return;
    system_draft *other = (system_draft *)found;
    if (is_node)
        draft->node_orders[draft->node_order_count++] =
            (node_order){.node = found, .is_after = is_after, .span = item->span};
    else
        draft->orders[draft->order_count++] =
            (system_order){.earlier = is_after ? other : draft, .later = is_after ? draft : other, .span = item->span};
}

void read_system_orders(system_scope *scope, system_draft *draft)
{
    system_list before = system_list_begin(scope->reader, draft, "before");
    system_list after = system_list_begin(scope->reader, draft, "after");
    size_t capacity = before.capacity + after.capacity + 1;
    draft->orders = arena_allocate(scope->reader->arena, capacity * sizeof *draft->orders);
    draft->node_orders = arena_allocate(scope->reader->arena, capacity * sizeof *draft->node_orders);
    for (const tree_node *item = before.items; item != NULL; item = item->next)
        append_order(scope, draft, &before, item, false);
    for (const tree_node *item = after.items; item != NULL; item = item->next)
        append_order(scope, draft, &after, item, true);
}

// ---- `react`

static bool read_trigger_group(system_scope *scope, const tree_node *item, const char *what, system_trigger *trigger)
{
    reader *reader = scope->reader;
    const tree_node *node = tree_find(item, "group");
    if (node != NULL) {
        if (reader_expect_text(reader, node, arena_format(reader->arena, "'group' in %s", what)))
            trigger->group = system_names_find(&scope->groups, reader, node, what);
        else if (node->kind == TREE_MAPPING)
            diagnostic_hint(reader->diagnostics, "declare this group in 'groups', and write its name here");
    } else if (!reader_is_misspelled(item, &language_trigger, "group")) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_GROUP, item->span, "an item of %s has no 'group'", what);
        diagnostic_hint(reader->diagnostics, "write { group: movers, event: added }");
    }
    if (trigger->group == NULL || trigger->group->question_count == 0)
        return trigger->group != NULL;
    refuse_questions(reader, trigger->group, node->span,
                     arena_format(reader->arena,
                                  "group '%s' cannot be in %s: it asks about a relation, so it is not known when an "
                                  "entity enters or leaves it",
                                  node->text, what),
                     "react to a group without 'holder_of' and 'held_by', and test the relation in 'execute'");
    return false;
}

static bool read_trigger(system_scope *scope, const tree_node *item, const char *what, system_trigger *trigger)
{
    reader *reader = scope->reader;
    if (!reader_expect_mapping(reader, item, arena_format(reader->arena, "an item of %s", what))) {
        if (item->kind == TREE_SCALAR)
            diagnostic_hint(reader->diagnostics, "write { group: %s }", tree_is_text(item) ? item->text : "movers");
        return false;
    }
    reader_check_keys(reader, item, &language_trigger, arena_format(reader->arena, "an item of %s", what));
    const tree_node *event = tree_find(item, "event");
    int choice = TRIGGER_ADDED;
    if (event != NULL)
        choice = reader_read_word(reader, event, language_find(&language_trigger, "event"), what);
    trigger->event = (trigger_event)choice;
    trigger->span = item->span;
    return read_trigger_group(scope, item, what, trigger) && choice >= 0;
}

static const system_trigger *find_trigger(const system_draft *draft, const system_trigger *wanted)
{
    for (size_t i = 0; i < draft->system.trigger_count; i++) {
        const system_trigger *trigger = &draft->system.triggers[i];
        if (trigger->group == wanted->group && trigger->event == wanted->event)
            return trigger;
    }
    return NULL;
}

static void append_trigger(reader *reader, const system_trigger *trigger, system_draft *draft, system_trigger *triggers)
{
    const system_trigger *earlier = find_trigger(draft, trigger);
    if (earlier == NULL) {
        triggers[draft->system.trigger_count++] = *trigger;
        return;
    }
    diagnostic_error(reader->diagnostics, CODE_NAMED_TWICE, trigger->span,
                     "this group and event are listed twice in 'react' of %s", draft->what);
    diagnostic_note(reader->diagnostics, earlier->span, "first listed here");
}

void read_system_triggers(system_scope *scope, system_draft *draft)
{
    system_list list = system_list_begin(scope->reader, draft, "react");
    const tree_node *node = tree_find(draft->node, "react");
    if (node != NULL && (node->kind == TREE_SCALAR || node->kind == TREE_MAPPING))
        diagnostic_hint(scope->reader->diagnostics, "write a list, such as [{ group: movers, event: added }]");
    system_trigger *triggers = arena_allocate(scope->reader->arena, (list.capacity + 1) * sizeof *triggers);
    draft->system.triggers = triggers;
    for (const tree_node *item = list.items; item != NULL; item = item->next) {
        system_trigger trigger = {.group = NULL};
        if (read_trigger(scope, item, list.what, &trigger))
            append_trigger(scope->reader, &trigger, draft, triggers);
    }
}

// ---- `inbox`

static void read_capacity(reader *reader, const tree_node *node, const char *what, system_inbox *inbox)
{
    static const field_type type = {.kind = TYPE_UINT32};
    integer integer;
    if (read_constant(reader, &type, node) == NULL)
        return;
    integer_read(node->text, scalar_type_of(TYPE_UINT32), &integer);
    inbox->capacity = (uint32_t)integer.magnitude;
    if (inbox->capacity > 0)
        return;
    diagnostic_error(reader->diagnostics, CODE_INBOX, node->span, "'capacity' in %s must be at least 1", what);
    diagnostic_hint(reader->diagnostics, "remove it for an inbox without a limit");
}

static void read_bounds(reader *reader, const tree_node *mapping, const char *what, system_inbox *inbox)
{
    const tree_node *capacity = tree_find(mapping, "capacity");
    const tree_node *full = tree_find(mapping, "full");
    reader_read_keys(reader, mapping, &language_bounds, arena_format(reader->arena, "a message in %s", what), inbox);
    if (capacity != NULL)
        read_capacity(reader, capacity, what, inbox);
    if (full == NULL || capacity != NULL || reader_is_misspelled(mapping, &language_bounds, "capacity"))
        return;
    diagnostic_error(reader->diagnostics, CODE_INBOX, tree_find_key(mapping, "full")->span,
                     "'full' in %s is only allowed with 'capacity'", what);
    diagnostic_hint(reader->diagnostics, "add 'capacity: 256', or remove it");
}

// Reads `Damage`, or `{ Damage: { capacity: 256, full: oldest } }`. Returns the node of the name, or NULL after
// reporting an error.
static const tree_node *read_inbox_name(reader *reader, const tree_node *item, const char *what, system_inbox *inbox)
{
    const char *name = arena_format(reader->arena, "a message in %s", what);
    if (item->kind != TREE_MAPPING)
        return reader_expect_text(reader, item, name) ? item : NULL;
    if (item->count != 1 || item->pairs == NULL) {
        diagnostic_error(reader->diagnostics, CODE_INBOX, item->span,
                         "an item of %s must be a message, or a mapping with one message", what);
        diagnostic_hint(reader->diagnostics, "write separate items: [{ Damage: { capacity: 256 } }, Healed]");
        return NULL;
    }
    if (reader_expect_mapping(reader, item->pairs->value, name))
        read_bounds(reader, item->pairs->value, what, inbox);
    return item->pairs->key;
}

void read_system_inboxes(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    system_list list = system_list_begin(reader, draft, "inbox");
    system_inbox *inboxes = arena_allocate(reader->arena, (list.capacity + 1) * sizeof *inboxes);
    draft->system.inboxes = inboxes;
    for (const tree_node *item = list.items; item != NULL; item = item->next) {
        system_inbox inbox = {.span = item->span};
        const tree_node *name = read_inbox_name(reader, item, list.what, &inbox);
        inbox.message = name == NULL ? NULL : system_names_find(&scope->messages, reader, name, list.what);
        if (inbox.message != NULL && system_list_is_new(&list, name))
            inboxes[draft->system.inbox_count++] = inbox;
    }
}
