// Reading of what makes a system run beside its place in the schedule: its group, what it reacts to, and its inbox.
#include "language/language.h"
#include "model/type.h"
#include "read/private/system.h"

#include <string.h>

static const char *const event_names[] = {[TRIGGER_ADDED] = "added",
                                          [TRIGGER_REMOVED] = "removed",
                                          [TRIGGER_ADDED_OR_REMOVED] = "added_or_removed",
                                          [TRIGGER_MODIFIED] = "modified",
                                          NULL};

static const char *const full_names[] = {
    [INBOX_OLDEST] = "oldest", [INBOX_NEWEST] = "newest", [INBOX_ERROR] = "error", NULL};

// The number of the word among `names`, which end in NULL; -1 when it is none, which has been reported.
static int read_choice(reader *reader, const tree_node *node, const char *key, const char *const *names)
{
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'%s'", key)))
        return -1;
    name_search search = name_search_begin(node->text);
    const char *list = NULL;
    for (int choice = 0; names[choice] != NULL; choice++) {
        if (strcmp(node->text, names[choice]) == 0)
            return choice;
        name_search_offer(&search, names[choice]);
        const char *format = list == NULL ? "%s%s" : names[choice + 1] == NULL ? "%s or %s" : "%s, %s";
        list = arena_format(reader->arena, format, list == NULL ? "" : list, names[choice]);
    }
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span, "unknown %s '%s': it is %s", key, node->text,
                     list);
    reader_hint(reader, search);
    return -1;
}

// ---- `react`

static bool read_trigger_group(system_scope *scope, const tree_node *item, const char *what, system_trigger *trigger)
{
    reader *reader = scope->reader;
    const tree_node *node = tree_find(item, "group");
    if (node != NULL) {
        if (reader_expect_text(reader, node, arena_format(reader->arena, "'group' in %s", what)))
            trigger->group = system_names_find(&scope->groups, reader, node, what);
    } else if (!reader_is_misspelled(item, &language_trigger, "group")) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_GROUP, item->span, "%s has an item without a group", what);
        diagnostic_hint(reader->diagnostics, "write { group: movers, event: added }");
    }
    return trigger->group != NULL;
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
    int choice = event == NULL ? TRIGGER_ADDED : read_choice(reader, event, "event", event_names);
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
                     "'react' of %s names this group and event twice", draft->what);
    diagnostic_note(reader->diagnostics, earlier->span, "the first stands here");
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
    diagnostic_hint(reader->diagnostics, "without one, an inbox holds all that comes");
}

static void read_bounds(reader *reader, const tree_node *mapping, const char *what, system_inbox *inbox)
{
    const tree_node *capacity = tree_find(mapping, "capacity"), *full = tree_find(mapping, "full");
    reader_check_keys(reader, mapping, &language_bounds, arena_format(reader->arena, "a message in %s", what));
    if (capacity != NULL)
        read_capacity(reader, capacity, what, inbox);
    int choice = full == NULL ? -1 : read_choice(reader, full, "full", full_names);
    if (choice >= 0)
        inbox->full = (inbox_full)choice;
    if (full == NULL || capacity != NULL || reader_is_misspelled(mapping, &language_bounds, "capacity"))
        return;
    diagnostic_error(reader->diagnostics, CODE_INBOX, tree_find_key(mapping, "full")->span,
                     "'full' in %s stands beside 'capacity' only: an inbox without one is never full", what);
    diagnostic_hint(reader->diagnostics, "add 'capacity: 256', or leave it out");
}

// `Damage`, or `{ Damage: { capacity: 256, full: oldest } }`: the name, NULL when it is neither, which is reported.
static const tree_node *read_inbox_name(reader *reader, const tree_node *item, const char *what, system_inbox *inbox)
{
    const char *name = arena_format(reader->arena, "a message in %s", what);
    if (item->kind != TREE_MAPPING)
        return reader_expect_text(reader, item, name) ? item : NULL;
    if (item->count != 1 || item->pairs == NULL) {
        diagnostic_error(reader->diagnostics, CODE_INBOX, item->span,
                         "an item of %s is a message, or a mapping with one message", what);
        diagnostic_hint(reader->diagnostics, "begin another item: [{ Damage: { capacity: 256 } }, Healed]");
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
