// The messages of a comparison.
#include "generator/evolve/internal.h"

#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <assert.h>
#include <string.h>

const char *report_field_word(const place *place)
{
    if (strchr(place->now, '.') == NULL)
        return "field";
    return "member";
}

static bool is_new(run *run, span span, const char *message)
{
    size_t order = 0;
    if (span.source != NULL)
        order = span.source->order;
    const char *key = arena_format(run->arena, "%zu %zu %s", order, span.start, message);
    return !run->is_trial && dictionary_add(&run->reported, key, message) == NULL;
}

bool report(run *run, diagnostic_code code, span span, const char *message)
{
    if (!is_new(run, span, message))
        return false;
    diagnostic_error(run->diagnostics, code, span, "%s", message);
    run->evolution.lost++;
    return true;
}

bool report_harmless(run *run, diagnostic_code code, span span, const char *message)
{
    if (!is_new(run, span, message))
        return false;
    diagnostic_warning(run->diagnostics, code, span, "%s", message);
    return true;
}

void report_narrowed(run *run, const narrowing *narrowing)
{
    evolution *evolution = &run->evolution;
    if (run->is_trial || !run->has_before)
        return;
    if (narrowing->migrates) {
        report_change(run, CHANGE_RETYPED, narrowing->what);
        return;
    }
    if (!report_harmless(run, CODE_NARROWED, narrowing->span, narrowing->message))
        return;
    const char *advice = narrowing->advice;
    if (advice == NULL)
        advice = "to decide about such values, add 'migrate: true' to the component";
    diagnostic_hint(run->diagnostics, "%s; 'kin lock' accepts them as they are, and 'kin breaking' ends with status 4",
                    advice);
    text_separate(&evolution->narrowings, evolution->narrowed++, ", ");
    text_append_string(&evolution->narrowings, narrowing->what);
}

void report_change(run *run, change_kind kind, const char *path)
{
    evolution *evolution = &run->evolution;
    assert((size_t)kind < CHANGE_KIND_COUNT);
    if (run->is_trial || !run->has_before)
        return;
    text_separate(&evolution->paths[kind], evolution->counts[kind]++, ", ");
    text_append_string(&evolution->paths[kind], path);
}

// Returns the place of a key of the schema, or the first line of a lock.
static span place_of_key(const run *run, const char *key)
{
    const package *package = run->shape->package;
    if (package == NULL)
        return source_line(run->shape->lock->source, 1);
    diagnostics unseen = diagnostics_create(run->arena);
    for (size_t i = 0; i < package->source_count; i++) {
        if (lock_is_one(package->sources[i]))
            continue;
        const tree_node *root = tree_parse(run->arena, &unseen, package->sources[i]);
        const tree_node *found = NULL;
        if (root != NULL)
            found = tree_find_key(root, key);
        if (found != NULL)
            return found->span;
    }
    return package->span;
}

void report_version(run *run)
{
    unsigned now = (unsigned)run->shape->package->version;
    unsigned before = (unsigned)run->before->version;
    if (now >= before)
        return;
    diagnostic_error(run->diagnostics, CODE_LOWER_VERSION, place_of_key(run, "version"),
                     "the package has version %u, but its lock has version %u", now, before);
    diagnostic_hint(run->diagnostics, "write 'version: %u', or the number of the next release", before);
}

// Returns the name of the only thing that saves do not have; NULL if there are none or several.
static const char *only_new_name(const thing_list *things)
{
    const char *name = NULL;
    for (size_t i = 0; i < things->count; i++) {
        if (things->things[i].before != NULL)
            continue;
        if (name != NULL)
            return NULL;
        name = things->things[i].name;
    }
    return name;
}

// What to write at the new name of a lost thing.
typedef enum rename_form { RENAME_KEYS, RENAME_FIELD, RENAME_VALUE } rename_form;

// `things` are those of the schema, one of which may be the lost one under another name.
static void hint_at_keys(run *run, const thing_list *things, rename_form form, const char *name, const char *path)
{
    const char *renamed = only_new_name(things);
    const char *hint;
    if (renamed == NULL)
        hint = arena_format(run->arena, "if it was renamed, add 'was: %s' there", name);
    else if (form == RENAME_KEYS)
        hint = arena_format(run->arena, "if '%s' is its new name, add 'was: %s' there", renamed, name);
    else if (form == RENAME_FIELD)
        hint = arena_format(run->arena, "if '%s' is its new name, write '%s: { type: ..., was: %s }'", renamed, renamed,
                            name);
    else
        hint = arena_format(run->arena, "if '%s' is its new name, write '%s: { was: %s }'", renamed, renamed, name);
    diagnostic_hint(run->diagnostics, "%s; if it was removed, add 'removed: [%s]'", hint, path);
}

static const component *find_component(const run *run, const char *name)
{
    const package *package = run->shape->package;
    assert(name != NULL);
    for (size_t i = 0; package != NULL && i < package->component_count; i++)
        if (strcmp(package->components[i]->name, name) == 0)
            return package->components[i];
    return NULL;
}

// Returns the place of a component or field that has the name and is no longer saved; an empty span if none has.
static span find_unsaved(const run *run, const place *place, const char *name)
{
    const char *of = place->now;
    if (place->thing == NULL)
        of = name;
    const component *component = find_component(run, of);
    if (component == NULL || place->kind != LOCK_COMPONENT)
        return (span){0};
    if (place->thing == NULL)
        return component->span;
    for (size_t i = 0; i < component->fields.count; i++)
        if (strcmp(component->fields.fields[i].name, name) == 0 && component->fields.fields[i].is_unsaved)
            return component->fields.fields[i].span;
    return (span){0};
}

static bool report_unsaved(run *run, const place *place, const lock_node *node, const char *path)
{
    span span = find_unsaved(run, place, node->name);
    if (span.source != NULL &&
        report(run, CODE_LOST, span, arena_format(run->arena, "saves have '%s', but it is no longer saved", path)))
        diagnostic_hint(run->diagnostics, "write 'removed: [%s]' to drop it", path);
    return span.source != NULL;
}

void report_lost(run *run, const place *place, const lock_node *node)
{
    arena *arena = run->arena;
    const char *path = lock_path(arena, place->before, node->name);
    const char *leaf = path;
    assert(lock_is_live(node));
    if (report_unsaved(run, place, node, path))
        return;
    if (place->thing != NULL) {
        lock_first_line(arena, node, &leaf);
        const char *message = arena_format(arena, "saves have '%s', but '%s' has no %s '%s'", leaf, place->now,
                                           report_field_word(place), node->name);
        if (report(run, CODE_LOST, place->thing->span, message))
            hint_at_keys(run, &place->thing->fields, RENAME_FIELD, node->name, path);
        return;
    }
    const char *key = "components";
    const char *message;
    if (place->kind == LOCK_CONTEXT) {
        key = "contexts";
        message = arena_format(arena, "saves have context '%s', but the schema has no context '%s'", leaf, node->name);
    } else {
        lock_first_line(arena, node, &leaf);
        message = arena_format(arena, "saves have '%s', but the schema has no component '%s'", leaf, node->name);
    }
    if (report(run, CODE_LOST, place_of_key(run, key), message))
        hint_at_keys(run, &run->shape->kinds[place->kind], RENAME_KEYS, node->name, path);
}

void report_lost_value(run *run, const place *place, const char *value)
{
    const char *path = lock_path(run->arena, place->before, value);
    const char *message =
        arena_format(run->arena, "saves have '%s', but '%s' has no value '%s'", path, place->now, value);
    assert(place->thing != NULL);
    if (report(run, CODE_LOST, place->thing->type_span, message))
        hint_at_keys(run, &place->thing->values, RENAME_VALUE, value, path);
}

void report_lost_context(run *run, const place *place, const char *context)
{
    const char *message =
        arena_format(run->arena, "saves have '%s' in context '%s', which it has left", place->now, context);
    assert(place->thing != NULL);
    if (report(run, CODE_LOST, place->thing->span, message))
        diagnostic_hint(run->diagnostics, "keep it in '%s', or write 'removed: [%s.%s]' to drop it there", context,
                        context, place->now);
}

void report_retyped(run *run, const place *place, const char *before, const char *now, const char *loss)
{
    arena *arena = run->arena;
    const char *message = arena_format(arena, "'%s' was %s in saves and is %s: %s", place->now, before, now, loss);
    assert(place->thing != NULL && loss != NULL);
    if (!report(run, CODE_RETYPED, place->thing->type_span, message))
        return;
    if (place->kind == LOCK_MESSAGE) {
        diagnostic_hint(run->diagnostics, "keep %s, or give the message another name", before);
        return;
    }
    const char *component = arena_copy(arena, place->now, strcspn(place->now, "."));
    diagnostic_hint(run->diagnostics, "keep %s, or add 'migrate: true' to '%s' and convert the value in %s_migrate()",
                    before, component, name_to_snake_case(arena, component));
}
