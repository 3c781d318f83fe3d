// Merges the content of saves with the schema, thing by thing.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static void merge_level(run *run, const place *place, thing_list *things, lock_list *before, lock_list *now);

// ---- removed things

// Recursive, as deep as structs were nested.
static void retire(run *run, const lock_node *node, lock_list *list)
{
    lock_node *copy = lock_add(run->arena, list, node->identity);
    copy->name = node->name;
    if (node->has_line && !copy->has_line) {
        copy->has_line = copy->is_removed = true;
        copy->contexts = node->contexts;
        copy->types = node->types;
    }
    for (const lock_node *child = node->children.first; child != NULL; child = child->next)
        retire(run, child, &copy->children);
}

static void drop(run *run, const place *place, const lock_list *level, const lock_node *node, lock_list *now)
{
    bool is_root = place->kind == LOCK_COMPONENT || place->kind == LOCK_CONTEXT;
    bool has_values = is_root || place->thing != NULL;
    bool is_wanted = !is_given_up(run, place, level, node); // also for things that were removed before
    assert(!node->is_taken);
    if (has_values && lock_is_live(node)) {
        if (is_wanted)
            report_lost(run, place, node);
        else
            report_change(run, CHANGE_REMOVED, lock_path(run->arena, place->before, node->name));
    }
    if (lock_notation_of(place->kind)->format == 1) // later kinds say what is, not what was
        retire(run, node, now);
}

// ---- contexts

static lock_names join_contexts(run *run, const place *place, const lock_names *before)
{
    lock_names left = {arena_allocate(run->arena, (before->count + 1) * sizeof *left.names), before->count};
    assert(place->contexts != NULL);
    for (size_t i = 0; i < before->count; i++)
        left.names[i] = (lock_name){.identity = before->names[i].identity};
    return lock_join_names(run->arena, &left, place->contexts);
}

// Returns the current name of a context; NULL if it no longer exists.
static const char *name_of_context(const run *run, const char *identity)
{
    const thing_list *contexts = &run->shape->kinds[LOCK_CONTEXT];
    for (size_t i = 0; i < contexts->count; i++)
        if (strcmp(contexts->things[i].identity, identity) == 0)
            return contexts->things[i].name;
    return NULL;
}

static void check_context(run *run, const place *place, const lock_name *context)
{
    const char *name = name_of_context(run, context->identity);
    assert(place->contexts != NULL);
    if (name == NULL || lock_find_name(place->contexts, context->identity) != NULL)
        return;
    const char *const contexts[] = {name, context->identity};
    const char *const components[] = {place->now, place->identity};
    bool is_gone = context->name == NULL;
    const char *path = lock_path(run->arena, context->identity, place->identity);
    for (size_t i = 0; i < 4; i++) {
        const char *named = lock_path(run->arena, contexts[i / 2], components[i % 2]);
        if (removed_lists(run, named, path, i % 2 == 0))
            is_gone = true;
    }
    if (!is_gone)
        report_lost_context(run, place, name);
}

// Recursive, as deep as structs were nested.
static void check_contexts(run *run, const place *place, const lock_node *node)
{
    for (size_t i = 0; i < node->contexts.count && !node->is_removed; i++)
        check_context(run, place, &node->contexts.names[i]);
    for (const lock_node *child = node->children.first; child != NULL; child = child->next)
        check_contexts(run, place, child);
}

// ---- leaves

// Returns what saves have of a thing; an empty node if it is new.
static const lock_node *node_before(const thing *thing)
{
    static const lock_node none;
    if (thing->before == NULL)
        return &none;
    return thing->before;
}

static void add_values(run *run, lock_list *list, const lock_type *type)
{
    assert(lock_type_is_enum(type));
    for (size_t i = 0; i < type->values.count; i++) {
        const lock_name *value = &type->values.names[i];
        lock_node *node = lock_add(run->arena, list, value->identity);
        if (node->has_line)
            continue;
        node->has_line = true;
        node->is_removed = value->name == NULL;
        node->name = value->name;
        if (node->is_removed)
            node->name = value->identity;
        node->has_number = value->has_number;
        node->number = value->number;
    }
}

// The values that saves may have, as nodes. Values of the current type have their current names.
static lock_list values_before(run *run, const lock_node *node)
{
    lock_list list = {NULL, NULL};
    for (const lock_type *type = node->types; type != NULL && node->type != NULL; type = type->next)
        if (lock_type_is_enum(type) && lock_type_is_like(type, node->type))
            add_values(run, &list, type);
    for (const lock_type *type = node->types; type != NULL; type = type->next)
        if (lock_type_is_enum(type))
            add_values(run, &list, type);
    return list;
}

static bool is_value_given_up(run *run, const place *place, const lock_list *level, const lock_node *value)
{
    bool is_named = is_removed_path(run, place, level, value);
    return is_named || value->is_removed || place->migrates;
}

static bool is_below(int64_t number, int64_t count)
{
    return number >= 0 && number < count;
}

static int64_t count_live(const lock_list *values)
{
    int64_t count = 0;
    for (const lock_node *value = values->first; value != NULL; value = value->next)
        count += !value->is_removed;
    return count;
}

// Whether values that are not removed may have other numbers than those from 0 on.
static bool is_sparse(const lock_list *values)
{
    int64_t count = count_live(values);
    for (const lock_node *value = values->first; value != NULL; value = value->next) {
        bool has_number = !value->is_removed && value->has_number;
        if (has_number && !is_below(value->number, count))
            return true;
    }
    return false;
}

static bool is_plain(const thing_list *values)
{
    for (size_t i = 0; i < values->count; i++)
        if (!is_below(values->things[i].number, (int64_t)values->count))
            return false;
    return true;
}

// Whether a value has another number than before. Numbers that a lock does not have were those from 0 on.
static bool has_moved(const thing *value, int64_t count)
{
    const lock_node *before = value->before;
    if (before == NULL || !value->has_number)
        return false;
    if (before->has_number)
        return before->number != value->number;
    return !is_below(value->number, count);
}

static void report_moved(run *run, const place *place, const thing *thing, const struct thing *value)
{
    const lock_node *before = value->before;
    const char *former = "";
    assert(before != NULL && value->has_number);
    if (before->has_number)
        former = arena_format(run->arena, " was %" PRId64 " and", before->number);
    const char *message = arena_format(run->arena,
                                       "numbers of '%s' have moved, as '%s'%s is %" PRId64
                                       ": a number that is no value, and no combination of flags, stays what it was",
                                       place->now, value->name, former, value->number);
    narrowing narrowing = {.migrates = place->migrates,
                           .span = thing->type_span,
                           .what = arena_format(run->arena, "%s: numbers", place->now),
                           .message = message};
    report_narrowed(run, &narrowing);
}

// Values are found by their names. Numbers that have none stay, so they may mean something else if numbers have moved:
// combinations of flags, or what a program has computed. Numbers from 0 on, as in a list, are not computed with.
static void check_numbers(run *run, const place *place, const thing *thing, const lock_list *before)
{
    int64_t count = count_live(before);
    bool are_computed = is_sparse(before) || !is_plain(&thing->values);
    if (run->format == 1 || !are_computed)
        return;
    for (size_t i = 0; i < thing->values.count; i++) {
        if (!has_moved(&thing->values.things[i], count))
            continue;
        report_moved(run, place, thing, &thing->values.things[i]);
        return;
    }
}

static lock_names merge_values(run *run, const place *place, thing *thing)
{
    lock_list before = values_before(run, node_before(thing));
    assert(lock_type_is_enum(thing->type));
    match_things(run, place, &thing->values, &before);
    size_t count = thing->values.count;
    for (const lock_node *value = before.first; value != NULL; value = value->next)
        count++;
    lock_names names = {arena_allocate(run->arena, (count + 1) * sizeof *names.names), 0};
    for (size_t i = 0; i < thing->values.count; i++) {
        const struct thing *value = &thing->values.things[i];
        names.names[names.count++] = (lock_name){value->identity, value->name, value->has_number, value->number};
        if (value->before != NULL && strcmp(value->before->name, value->name) != 0)
            report_change(run, CHANGE_RENAMED, lock_path(run->arena, place->before, value->before->name));
        if (value->before == NULL && before.first != NULL)
            report_change(run, CHANGE_NEW, lock_path(run->arena, place->now, value->name));
    }
    for (const lock_node *value = before.first; value != NULL; value = value->next) {
        if (value->is_taken)
            continue;
        if (!is_value_given_up(run, place, &before, value))
            report_lost_value(run, place, value->name);
        else if (!value->is_removed)
            report_change(run, CHANGE_REMOVED, lock_path(run->arena, place->before, value->name));
        names.names[names.count++] = (lock_name){.identity = value->identity};
    }
    check_numbers(run, place, thing, &before);
    return lock_join_names(run->arena, &names, &(lock_names){NULL, 0});
}

static const lock_type *type_of(run *run, const place *place, thing *thing)
{
    if (!lock_type_is_enum(thing->type))
        return thing->type;
    lock_type *type = arena_allocate(run->arena, sizeof *type);
    *type = *thing->type;
    type->next = NULL;
    type->values = merge_values(run, place, thing);
    return type;
}

static void check_types(run *run, const place *place, const lock_node *before, const lock_type *now)
{
    const char *words = convert_words(run->arena, now);
    assert(now != NULL);
    for (const lock_type *type = before->types; type != NULL; type = type->next) {
        const char *loss = convert_loss(run->arena, type, now);
        if (loss != NULL && !place->migrates) {
            report_retyped(run, place, convert_words(run->arena, type), words, loss);
            return;
        }
    }
    if (before->type == NULL || lock_type_is_like(before->type, now))
        return;
    const char *change =
        arena_format(run->arena, "%s (%s to %s)", place->now, convert_words(run->arena, before->type), words);
    report_change(run, CHANGE_RETYPED, change);
}

// Returns whether the node, which is now a leaf, was a struct.
static bool was_struct(const thing *thing)
{
    if (thing->before == NULL || thing->type->is_flag)
        return false;
    for (const lock_node *child = thing->before->children.first; child != NULL; child = child->next)
        if (lock_is_live(child))
            return true;
    return false;
}

static const char cannot[] = "its values could not be read";

static void drop_children(run *run, const place *place, thing *thing, lock_node *node)
{
    bool is_retyped = was_struct(thing);
    assert(thing->before != NULL && thing->type != NULL);
    if (is_retyped && !place->migrates)
        report_retyped(run, place, "a struct", convert_words(run->arena, thing->type), cannot);
    for (lock_node *child = thing->before->children.first; child != NULL; child = child->next) {
        if (is_retyped)
            retire(run, child, &node->children);
        else
            drop(run, place, &thing->before->children, child, &node->children);
    }
}

static void merge_leaf(run *run, const place *place, thing *thing, lock_node *node)
{
    const lock_node *before = node_before(thing);
    if (thing->before != NULL)
        drop_children(run, place, thing, node);
    node->has_line = true;
    if (place->kind == LOCK_COMPONENT)
        node->contexts = join_contexts(run, place, &before->contexts);
    node->type = type_of(run, place, thing);
    check_types(run, place, before, node->type);
    node->types = lock_join_types(run->arena, before->types, node->type);
}

// Keeps the line of a flag that now has fields. The line of a field that has become a struct is marked as removed.
static void keep_line(run *run, const place *place, const lock_node *before, lock_node *node)
{
    if (!before->has_line)
        return;
    bool has_one_type = before->types != NULL && before->types->next == NULL;
    bool is_flag = has_one_type && before->types->is_flag;
    bool is_retyped = !is_flag && !before->is_removed;
    if (is_retyped && !place->migrates)
        report_retyped(run, place, convert_words(run->arena, before->type), "a struct", cannot);
    node->has_line = true;
    node->is_removed = before->is_removed || !is_flag;
    node->types = before->types;
    node->type = NULL;
    node->contexts = before->contexts;
    if (!node->is_removed) {
        node->type = before->type;
        node->contexts = join_contexts(run, place, &before->contexts);
    }
}

static void merge_fields(run *run, const place *place, thing *thing, lock_node *node)
{
    lock_list none = {NULL, NULL};
    lock_list *before = &none;
    assert(thing->type == NULL && thing->fields.count > 0);
    if (thing->before != NULL) {
        before = &thing->before->children;
        keep_line(run, place, thing->before, node);
    }
    merge_level(run, place, &thing->fields, before, &node->children);
}

// ---- things

static void report_thing(run *run, const place *place, const thing *thing)
{
    const lock_node *before = thing->before;
    if (lock_notation_of(place->kind)->is_mark || place->is_new)
        return;
    if (before == NULL)
        report_change(run, CHANGE_NEW, lock_path(run->arena, place->now, thing->name));
    else if (strcmp(before->name, thing->name) != 0)
        report_change(run, CHANGE_RENAMED, lock_path(run->arena, place->before, before->name));
}

static void merge_thing(run *run, const place *around, thing *thing, lock_list *now)
{
    const lock_node *before = thing->before;
    lock_node *node = lock_add(run->arena, now, thing->identity);
    const char *former = thing->name;
    assert(thing->identity != NULL);
    if (before != NULL)
        former = before->name;
    place place = place_below(run, around, thing->identity, former, thing->name);
    place.thing = thing;
    place.is_new = around->is_new || before == NULL;
    if (around->thing == NULL) {
        place.contexts = &thing->contexts;
        place.migrates = thing->migrates;
    }
    node->name = thing->name;
    node->span = thing->span;
    report_thing(run, around, thing);
    bool is_component = around->kind == LOCK_COMPONENT && around->thing == NULL;
    if (is_component && before != NULL) {
        check_contexts(run, &place, before);
        dictionary_add(&run->matched, thing->identity, thing);
    }
    if (thing->type != NULL)
        merge_leaf(run, &place, thing, node);
    else if (thing->fields.count > 0)
        merge_fields(run, &place, thing, node);
    else
        node->has_line = true;
    node->value = thing->value;
    if (place.kind == LOCK_PRIMARY)
        node->contexts = join_contexts(run, &place, &node_before(thing)->contexts);
}

// Recursive, as deep as structs are nested.
static void merge_level(run *run, const place *place, thing_list *things, lock_list *before, lock_list *now)
{
    match_things(run, place, things, before);
    for (size_t i = 0; i < things->count; i++)
        merge_thing(run, place, &things->things[i], now);
    for (const lock_node *node = before->first; node != NULL; node = node->next)
        if (!node->is_taken)
            drop(run, place, before, node, now);
}

void merge_kind(run *run, lock_kind kind)
{
    static const lock_names nowhere;
    place root = {.kind = kind, .identity = "", .before = "", .now = "", .contexts = &nowhere};
    assert((size_t)kind < LOCK_KIND_COUNT && run->evolution.lock != NULL);
    merge_level(run, &root, &run->shape->kinds[kind], &run->before->nodes[kind], &run->evolution.lock->nodes[kind]);
}
