// Reads `systems`: the kind, node, phase and functions of each.
#include "generator/read/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
    [SYSTEM_PLAIN] = "plain", [SYSTEM_GROUP] = "group", [SYSTEM_REACTIVE] = "reactive"};

// ---- node and phase

#define DEFAULT_NODE "simulation"

static void use_default_node(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    if (reader_is_misspelled(draft->node, &language_system, "in"))
        return;
    draft->node_span = draft->system.span;
    draft->system.node = dictionary_find(&scope->nodes.values, DEFAULT_NODE);
    if (draft->system.node != NULL || reader_is_elsewhere(reader, "schedule"))
        return;
    diagnostic_error(reader->diagnostics, CODE_NO_NODE, draft->system.span, "%s has no 'in'", draft->what);
    if (reader->package->node_count > 0)
        diagnostic_hint(reader->diagnostics, "add 'in: %s'", reader->package->nodes[0]->name);
}

static void read_node(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    const tree_node *given = tree_find(draft->node, "in");
    if (given == NULL) {
        use_default_node(scope, draft);
        return;
    }
    const char *what = arena_format(reader->arena, "'in' of %s", draft->what);
    draft->node_span = given->span;
    if (reader_expect_text(reader, given, what))
        draft->system.node = system_names_find(&scope->nodes, reader, given, what);
}

static void read_phase(reader *reader, system_draft *draft)
{
    const tree_node *first = tree_find_key(draft->node, "first");
    const tree_node *last = tree_find_key(draft->node, "last");
    bool is_first = reader_find_bool(reader, draft->node, "first");
    bool is_last = reader_find_bool(reader, draft->node, "last");
    draft->phase = is_last ? PHASE_LAST : PHASE_MIDDLE;
    if (is_first)
        draft->phase = PHASE_FIRST;
    if (is_first || is_last)
        draft->phase_span = is_first ? first->span : last->span;
    if (!is_first || !is_last)
        return;
    diagnostic_error(reader->diagnostics, CODE_FIRST_AND_LAST, last->span, "%s is both 'first' and 'last' in its node",
                     draft->what);
    diagnostic_note(reader->diagnostics, first->span, "'first' is declared here");
}

// ---- kind

// Reads the name of a declared group, or a mapping with the rules of a group.
static void read_group_of(system_scope *scope, system_draft *draft, const tree_node *group)
{
    const char *what = arena_format(scope->reader->arena, "'group' of %s", draft->what);
    if (group->kind == TREE_MAPPING)
        draft->system.group = read_system_group(scope, draft, group);
    else if (reader_expect_text(scope->reader, group, what))
        draft->system.group = system_names_find(&scope->groups, scope->reader, group, what);
    else if (group->kind == TREE_SEQUENCE)
        diagnostic_hint(scope->reader->diagnostics, "write { all: [...] }, or the name of a declared group");
}

static void read_kind(system_scope *scope, system_draft *draft)
{
    diagnostics *diagnostics = scope->reader->diagnostics;
    const tree_node *group = tree_find(draft->node, "group");
    const tree_node *react = tree_find_key(draft->node, "react");
    draft->system.kind = group != NULL ? SYSTEM_GROUP : SYSTEM_PLAIN;
    if (react != NULL)
        draft->system.kind = SYSTEM_REACTIVE;
    if (group == NULL)
        return;
    read_group_of(scope, draft, group);
    if (react == NULL)
        return;
    diagnostic_error(diagnostics, CODE_KIND_OF_SYSTEM, react->span, "%s has both 'group' and 'react'", draft->what);
    diagnostic_hint(diagnostics, "remove one, or split it into two systems");
    diagnostic_note(diagnostics, tree_find_key(draft->node, "group")->span, "'group' is declared here");
}

// ---- roles

static const char *list_roles(arena *arena, system_kind kind)
{
    text list = text_create(arena);
    for (system_role role = 0; role < ROLE_COUNT; role++)
        if (schema_role_is_of(role, kind)) {
            text_separate(&list, list.size, ", ");
            text_append_string(&list, schema_role_name(role));
        }
    return list.bytes;
}

static void report_unknown_role(reader *reader, const tree_node *item, const system_draft *draft)
{
    name_search search = name_search_begin(item->text);
    for (system_role role = 0; role < ROLE_COUNT; role++)
        name_search_offer(&search, schema_role_name(role));
    diagnostic_error(reader->diagnostics, CODE_ROLE, item->span, "unknown role '%s' of %s", item->text, draft->what);
    if (search.nearest != NULL)
        reader_hint(reader, search);
    else
        diagnostic_hint(reader->diagnostics, "the roles of a %s system are %s", kind_names[draft->system.kind],
                        list_roles(reader->arena, draft->system.kind));
}

// Returns whether systems of that kind can have the role; reports an error if not.
static bool check_role(reader *reader, const system_draft *draft, system_role role, span place)
{
    if (schema_role_is_of(role, draft->system.kind))
        return true;
    diagnostic_error(reader->diagnostics, CODE_ROLE, place, "%s cannot have role '%s'; it is a %s system", draft->what,
                     schema_role_name(role), kind_names[draft->system.kind]);
    diagnostic_hint(reader->diagnostics, "the roles of a %s system are %s", kind_names[draft->system.kind],
                    list_roles(reader->arena, draft->system.kind));
    return false;
}

static void append_role(system_list *list, const tree_node *item, system_draft *draft)
{
    reader *reader = list->reader;
    if (!reader_expect_text(reader, item, arena_format(reader->arena, "a role of %s", draft->what)))
        return;
    system_role role = 0;
    while (role < ROLE_COUNT && strcmp(schema_role_name(role), item->text) != 0)
        role++;
    if (role == ROLE_COUNT)
        report_unknown_role(reader, item, draft);
    else if (system_list_is_new(list, item) && check_role(reader, draft, role, item->span))
        draft->system.roles[role] = true;
}

// For plain and group systems `roles` lists all roles; a reactive system always has `execute`.
static void read_roles(reader *reader, system_draft *draft)
{
    bool is_plain = draft->system.kind == SYSTEM_PLAIN;
    bool has_roles = tree_find(draft->node, "roles") != NULL;
    bool is_inbox = is_plain && tree_find(draft->node, "inbox") != NULL;
    draft->system.roles[ROLE_UPDATE] = draft->system.kind == SYSTEM_GROUP && !has_roles;
    draft->system.roles[ROLE_EXECUTE] = draft->system.kind == SYSTEM_REACTIVE || (is_plain && !has_roles && !is_inbox);
    system_list list = system_list_begin(reader, draft, "roles");
    for (const tree_node *item = list.items; item != NULL; item = item->next)
        append_role(&list, item, draft);
    const tree_node *filter = tree_find_key(draft->node, "filter");
    if (reader_find_bool(reader, draft->node, "filter") && check_role(reader, draft, ROLE_FILTER, filter->span))
        draft->system.roles[ROLE_FILTER] = true;
}

static void read_on_leave(reader *reader, system_draft *draft)
{
    reader_read_key(reader, draft->node, language_find(&language_system, "on_leave"), draft->what, &draft->system);
    if (!draft->system.keeps_left)
        return;
    if (draft->system.roles[ROLE_LEAVE])
        return;
    diagnostic_error(reader->diagnostics, CODE_ON_LEAVE, tree_find_key(draft->node, "on_leave")->span,
                     "'on_leave' requires role 'leave', which %s does not have", draft->what);
    if (draft->system.kind == SYSTEM_GROUP)
        diagnostic_hint(reader->diagnostics, "add 'leave' to its 'roles'");
    else
        diagnostic_hint(reader->diagnostics, "only a system with 'group' can have role 'leave'");
}

// ---- all

static void read_system(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    if (!reader_expect_mapping(reader, draft->node, draft->what))
        return;
    reader_read_keys(reader, draft->node, &language_system, draft->what, &draft->system);
    read_node(scope, draft);
    read_phase(reader, draft);
    read_kind(scope, draft);
    read_roles(reader, draft);
    read_on_leave(reader, draft);
    read_system_triggers(scope, draft);
    read_system_maybe(scope, draft);
    read_system_columns(scope, draft);
    read_system_tree(scope, draft);
    check_system_questions(reader, draft);
    read_system_job(scope, draft);
    warn_of_prediction(reader, draft);
    read_system_inboxes(scope, draft);
    read_system_orders(scope, draft);
}

// Reports two systems with the same name in snake_case: their generated names would be too similar to tell apart.
static void check_c_name(system_scope *scope, system_draft *draft)
{
    diagnostics *diagnostics = scope->reader->diagnostics;
    const char *name = name_to_snake_case(scope->reader->arena, draft->system.name);
    const system_draft *earlier = dictionary_add(&scope->c_names, name, draft);
    draft->is_left_out = earlier != NULL;
    if (earlier == NULL)
        return;
    diagnostic_error(diagnostics, CODE_COLLISION, draft->system.span, "%s collides with %s", draft->what,
                     earlier->what);
    diagnostic_hint(diagnostics, "both would define '%s'", name);
    diagnostic_note(diagnostics, earlier->system.span, "%s is declared here", earlier->what);
}

static void declare(system_scope *scope, const tree_pair *pair)
{
    reader *reader = scope->reader;
    if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a system"))
        return;
    system_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    draft->system = (declared_system){.name = pair->key->text, .span = pair->key->span};
    draft->system.saved = read_no_was(pair->key->text);
    draft->node = pair->value;
    draft->what = arena_format(reader->arena, "system '%s'", pair->key->text);
    const system_draft *earlier = system_names_add(&scope->systems, pair->key->text, draft);
    if (earlier != NULL) {
        reader_report_duplicate(reader, pair->key, "system", earlier->system.span);
        return;
    }
    scope->drafts[scope->count++] = draft;
    check_c_name(scope, draft);
}

static int compare_groups(const void *a, const void *b)
{
    const group *left = *(const group *const *)a;
    const group *right = *(const group *const *)b;
    return strcmp(left->name, right->name);
}

static void publish_groups(package *package, arena *arena)
{
    const group **groups = arena_allocate(arena, (package->system_count + 1) * sizeof *groups);
    size_t count = 0;
    for (size_t i = 0; i < package->system_count; i++)
        if (package->systems[i]->group != NULL && package->systems[i]->group->is_of_system)
            groups[count++] = package->systems[i]->group;
    qsort(groups, count, sizeof *groups, compare_groups);
    package->system_groups = groups;
    package->system_group_count = count;
}

// Sorts the systems and adds them to the package. Systems without a node are skipped: that error is already reported.
// If their orders contradict each other, which is reported, they stay in the order of the schema.
static void publish(system_scope *scope)
{
    system_draft **ordered = arena_allocate(scope->reader->arena, (scope->count + 1) * sizeof *ordered);
    const declared_system **systems = arena_allocate(scope->reader->arena, (scope->count + 1) * sizeof *systems);
    size_t count = 0;
    for (size_t i = 0; i < scope->count; i++)
        if (scope->drafts[i]->system.node != NULL)
            ordered[count++] = scope->drafts[i];
    if (order_systems(scope->reader, ordered, count))
        batch_systems(scope->reader, ordered, count);
    for (size_t i = 0; i < count; i++) {
        assert(ordered[i]->system.node != NULL);
        ordered[i]->system.number = i;
        systems[i] = &ordered[i]->system;
    }
    scope->reader->package->systems = systems;
    scope->reader->package->system_count = count;
    publish_groups(scope->reader->package, scope->reader->arena);
}

static system_scope create_scope(reader *reader, size_t count)
{
    const package *package = reader->package;
    system_scope scope = {
        .reader = reader,
        .systems = {.kind = "system", .kinds = "systems", .key = "systems", .code = CODE_UNKNOWN_SYSTEM},
        .nodes = {.kind = "node", .kinds = "nodes", .key = "schedule", .code = CODE_UNKNOWN_NODE},
        .groups = {.kind = "group", .kinds = "groups", .key = "groups", .code = CODE_UNKNOWN_GROUP},
        .messages = {.kind = "message", .kinds = "messages", .key = "messages", .code = CODE_UNKNOWN_MESSAGE},
        .blueprints = {.kind = "blueprint", .kinds = "blueprints", .key = "blueprints", .code = CODE_UNKNOWN_BLUEPRINT},
        .drafts = arena_allocate(reader->arena, (count + 1) * sizeof(system_draft *)),
    };
    scope.c_names = dictionary_create_for(reader->arena, count);
    system_names_begin(&scope.systems, reader, count);
    system_names_begin(&scope.nodes, reader, package->node_count);
    system_names_begin(&scope.groups, reader, package->group_count);
    system_names_begin(&scope.messages, reader, package->message_count);
    for (size_t i = 0; i < package->node_count; i++)
        system_names_add(&scope.nodes, package->nodes[i]->name, package->nodes[i]);
    for (size_t i = 0; i < package->group_count; i++)
        system_names_add(&scope.groups, package->groups[i]->name, package->groups[i]);
    for (size_t i = 0; i < package->message_count; i++)
        system_names_add(&scope.messages, package->messages[i]->name, package->messages[i]);
    system_names_begin(&scope.blueprints, reader, package->blueprint_count);
    for (size_t i = 0; i < package->blueprint_count; i++)
        system_names_add(&scope.blueprints, package->blueprints[i]->name, package->blueprints[i]);
    return scope;
}

void read_systems(reader *reader)
{
    entry_list entries = reader_entries(reader, "systems");
    system_scope scope = create_scope(reader, entries.count);
    for (size_t i = 0; i < entries.count; i++)
        declare(&scope, entries.pairs[i]);
    for (size_t i = 0; i < scope.count; i++) {
        read_system(&scope, scope.drafts[i]);
        if (scope.drafts[i]->is_left_out)
            scope.drafts[i]->system.node = NULL;
    }
    publish(&scope);
}
