// Conditions that saves of earlier schemas need not meet: unique components, primary keys and which entities have them,
// relations, trees and ranges; and values that cannot be put aside any more, and messages that have no room.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Returns whether what is compared has lines of the kind, if there is something to say.
static bool is_known(const run *run, lock_kind kind)
{
    return lock_notation_of(kind)->format <= run->format;
}

// Returns the component of a path, if saves may have it; else NULL.
static const thing *component_of(const run *run, const char *path)
{
    assert(path[0] != '\0');
    return dictionary_find(&run->matched, arena_copy(run->arena, path, strcspn(path, ".")));
}

static bool is_live(lock_list *list, const char *name)
{
    const lock_node *node = lock_find(list, name);
    return node != NULL && lock_is_live(node);
}

// Returns whether saves may have the leaf at a path of a component or a message.
static bool is_saved(const run *run, lock_kind kind, const char *path)
{
    lock_list *list = &run->before->nodes[kind];
    lock_node *node = NULL;
    while (list != NULL && *path != '\0') {
        node = lock_find(list, lock_next_name(run->arena, &path));
        list = NULL;
        if (node != NULL)
            list = &node->children;
    }
    return node != NULL && lock_is_live(node);
}

// ---- keys and unique components

// Returns whether saves may have all components of the key's fields.
static bool is_key_saved(const run *run, const char *key)
{
    if (strchr(key, '.') == NULL)
        return true; // a function returns the keys
    while (*key != '\0') {
        if (component_of(run, key) == NULL)
            return false;
        key += strcspn(key, ",");
        key += *key == ',';
    }
    return true;
}

static bool was_in(const lock_node *before, const char *context)
{
    if (before == NULL || before->is_removed)
        return false;
    const lock_name *name = lock_find_name(&before->contexts, context);
    return name != NULL && name->name != NULL;
}

// ---- which entities have a key
//
// A condition is a list of components such as "!Gone,Solid", or several lists with '|' in between.

typedef struct words {
    const char *text;
    size_t size;
} words;

// Returns the next list or component of a text, up to a separator, and cuts it off.
static words next_words(words *rest, char separator)
{
    const char *end = memchr(rest->text, separator, rest->size);
    words next = *rest;
    if (end != NULL)
        next.size = (size_t)(end - rest->text);
    size_t cut = next.size + (end != NULL);
    rest->text += cut;
    rest->size -= cut;
    return next;
}

static words words_of(const char *condition)
{
    return (words){condition, strlen(condition)};
}

// Returns the first component of a list that another list lacks; an empty one if it has all.
static words first_missing(words list, words other)
{
    while (list.size > 0) {
        words word = next_words(&list, ',');
        words rest = other;
        bool is_there = false;
        while (rest.size > 0) {
            words found = next_words(&rest, ',');
            is_there = is_there || (found.size == word.size && memcmp(found.text, word.text, word.size) == 0);
        }
        if (!is_there)
            return word;
    }
    return (words){"", 0};
}

// Returns whether saves may have entities with all components that a list requires.
static bool may_be_met(const run *run, words list)
{
    while (list.size > 0) {
        words word = next_words(&list, ',');
        bool is_required = word.text[0] != '!';
        if (is_required && component_of(run, arena_copy(run->arena, word.text, word.size)) == NULL)
            return false;
    }
    return true;
}

// Returns the condition of a key in a context; "" if there is none.
static const char *condition_of(const run *run, lock *lock, const char *context, const char *key)
{
    const lock_node *node = lock_find(&lock->nodes[LOCK_CONDITION], lock_path(run->arena, context, key));
    if (node == NULL)
        return "";
    return node->value;
}

// Returns whether entities of saves may have the key now.
static bool may_have_key(const run *run, const char *now)
{
    words rest = words_of(now);
    bool may_have = rest.size == 0;
    while (rest.size > 0)
        may_have = may_be_met(run, next_words(&rest, '|')) || may_have;
    return may_have;
}

// Returns the component that entities need not have or lack any more to have the key; "" if there is none.
static const char *relaxed_by(const run *run, const char *before, const char *now)
{
    words rest = words_of(now);
    do {
        words list = next_words(&rest, '|');
        words others = words_of(before);
        words missing = first_missing(next_words(&others, '|'), list);
        bool is_covered = missing.size == 0 || !may_be_met(run, list);
        while (others.size > 0)
            is_covered = first_missing(next_words(&others, '|'), list).size == 0 || is_covered;
        if (!is_covered)
            return arena_copy(run->arena, missing.text, missing.size);
    } while (rest.size > 0);
    return "";
}

// Returns the current name of a component; NULL if the schema has it no more.
static const char *name_of_component(const run *run, const char *identity)
{
    const thing_list *components = &run->shape->kinds[LOCK_COMPONENT];
    for (size_t i = 0; i < components->count; i++)
        if (strcmp(components->things[i].identity, identity) == 0)
            return components->things[i].name;
    return NULL;
}

static void report_relaxed(run *run, const thing *thing, const char *component)
{
    bool is_excluded = component[0] == '!';
    const char *identity = component + is_excluded;
    const char *name = name_of_component(run, identity);
    const char *key = "all";
    const char *which = "without";
    const char *advice = NULL;
    if (is_excluded) {
        key = "none";
        which = "with";
    }
    assert(identity[0] != '\0');
    if (name != NULL)
        advice = arena_format(run->arena,
                              "to refuse none, add '%s' to '%s' of the index, or 'migrate: true' to the component",
                              name, key);
    else
        name = identity;
    const char *message = arena_format(
        run->arena, "'%s' is also a primary key of entities %s '%s' now: saves in which it is not are refused",
        thing->name, which, name);
    narrowing narrowing = {.migrates = thing->migrates,
                           .span = thing->span,
                           .what = arena_format(run->arena, "%s: condition", thing->name),
                           .message = message,
                           .advice = advice};
    report_narrowed(run, &narrowing);
}

static void report_key(run *run, const thing *thing)
{
    const char *message =
        arena_format(run->arena, "'%s' is a primary key now: saves in which it is not are refused", thing->name);
    narrowing narrowing = {.migrates = thing->migrates,
                           .span = thing->span,
                           .what = arena_format(run->arena, "%s: primary key", thing->name),
                           .message = message};
    report_narrowed(run, &narrowing);
}

static void check_key(run *run, const thing *thing)
{
    const lock_node *before = lock_find(&run->before->nodes[LOCK_PRIMARY], thing->name);
    bool is_saved = is_key_saved(run, thing->name);
    for (size_t i = 0; i < thing->contexts.count && is_saved; i++) {
        const char *context = thing->contexts.names[i].identity;
        const char *now = condition_of(run, run->evolution.lock, context, thing->name);
        if (!may_have_key(run, now))
            continue;
        if (!was_in(before, context)) {
            report_key(run, thing);
            return;
        }
        if (!is_known(run, LOCK_CONDITION))
            continue;
        const char *component = relaxed_by(run, condition_of(run, run->before, context, thing->name), now);
        if (component[0] != '\0') {
            report_relaxed(run, thing, component);
            return;
        }
    }
}

static void check_unique(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    if (component == NULL || is_live(&run->before->nodes[LOCK_UNIQUE], thing->name))
        return;
    const char *message = arena_format(
        run->arena, "'%s' is unique now: saves in which several entities have it are refused", thing->name);
    narrowing narrowing = {.migrates = component->migrates,
                           .span = thing->span,
                           .what = arena_format(run->arena, "%s: unique", thing->name),
                           .message = message};
    report_narrowed(run, &narrowing);
}

// ---- relations and trees

static void check_relation(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    const char *effect = thing->effect;
    if (effect == NULL)
        effect = "what it says of a target that is not alive is done when a save is read";
    if (component == NULL || !is_saved(run, LOCK_COMPONENT, thing->name))
        return;
    if (is_live(&run->before->nodes[LOCK_RELATION], thing->name))
        return;
    const char *message = arena_format(run->arena, "'%s' is a relation now: %s", thing->name, effect);
    narrowing narrowing = {.migrates = component->migrates,
                           .span = thing->span,
                           .what = arena_format(run->arena, "%s: relation", thing->name),
                           .message = message};
    report_narrowed(run, &narrowing);
}

static void check_tree(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    if (component == NULL || !is_saved(run, LOCK_COMPONENT, thing->name))
        return;
    if (is_live(&run->before->nodes[LOCK_TREE], thing->name))
        return;
    const char *message = arena_format(
        run->arena, "'%s' is a tree now: saves in which an entity is below itself are refused", thing->name);
    narrowing narrowing = {.migrates = component->migrates,
                           .span = thing->span,
                           .what = arena_format(run->arena, "%s: tree", thing->name),
                           .message = message};
    report_narrowed(run, &narrowing);
}

// ---- ranges

// Returns whether numbers that are within `before` may be outside of `now`. A long double has all integers of 64 bits.
static bool is_narrower(const char *before, const char *now)
{
    const char *to_before = strstr(before, "..") + 2;
    const char *to_now = strstr(now, "..") + 2;
    bool begins_anew = now[0] != '~' && before[0] == '~';
    bool ends_anew = to_now[0] != '~' && to_before[0] == '~';
    if (begins_anew || ends_anew)
        return true;
    bool is_higher = now[0] != '~' && strtold(now, NULL) > strtold(before, NULL);
    bool is_lower = to_now[0] != '~' && strtold(to_now, NULL) < strtold(to_before, NULL);
    return is_higher || is_lower;
}

// `before`: NULL if there was no range.
static void report_range(run *run, const thing *thing, const lock_node *before, bool migrates, const char *advice)
{
    const char *former = "~..~";
    const char *had = "none";
    assert(thing->value != NULL);
    if (before != NULL)
        had = former = before->value;
    if (!is_narrower(former, thing->value))
        return;
    const char *message = arena_format(
        run->arena, "'%s' has the range %s now, and had %s: values of saves outside of it are read as they are",
        thing->name, thing->value, had);
    narrowing narrowing = {.migrates = migrates,
                           .span = thing->span,
                           .what = arena_format(run->arena, "%s: range %s", thing->name, thing->value),
                           .message = message,
                           .advice = advice};
    report_narrowed(run, &narrowing);
}

static void check_range(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    const lock_node *before = lock_find(&run->before->nodes[LOCK_RANGE], thing->name);
    if (component != NULL && is_saved(run, LOCK_COMPONENT, thing->name))
        report_range(run, thing, before, component->migrates, NULL);
}

// A message has no migration.
static void check_message_range(run *run, const thing *thing)
{
    const lock_node *before = lock_find(&run->before->nodes[LOCK_MESSAGE_RANGE], thing->name);
    const char *advice = "to allow such values, remove 'range'";
    if (!is_saved(run, LOCK_MESSAGE, thing->name))
        return;
    if (before != NULL) {
        const char *dots = strstr(before->value, "..");
        advice = arena_format(run->arena, "to allow such values, write 'range: [%.*s, %s]'",
                              (int)(dots - before->value), before->value, dots + 2);
    }
    report_range(run, thing, before, false, advice);
}

// ---- inboxes

static void check_inbox(run *run, const thing *thing)
{
    const lock_node *before = lock_find(&run->before->nodes[LOCK_INBOX], thing->name);
    const char *effect = thing->effect;
    if (effect == NULL)
        effect = "messages of saves for which it has no room are lost";
    bool is_new = before == NULL || before->is_removed;
    if (is_new || strcmp(thing->value, "~") == 0)
        return;
    bool had_limit = strcmp(before->value, "~") != 0;
    if (had_limit && strtoul(before->value, NULL, 10) <= strtoul(thing->value, NULL, 10))
        return;
    const char *had = "no limit";
    const char *advice = "to have room for all, remove 'capacity'";
    if (had_limit) {
        had = before->value;
        advice = arena_format(run->arena, "to have room for all, write 'capacity: %s'", had);
    }
    const char *message = arena_format(run->arena, "the inbox '%s' has the capacity %s now, and had %s: %s",
                                       thing->name, thing->value, had, effect);
    narrowing narrowing = {.span = thing->span,
                           .what = arena_format(run->arena, "%s: capacity %s", thing->name, thing->value),
                           .message = message,
                           .advice = advice};
    report_narrowed(run, &narrowing);
}

// ---- all marks

typedef void check(run *run, const thing *thing);

static void check_all(run *run, lock_kind kind, check *check)
{
    for (size_t i = 0; i < run->shape->kinds[kind].count && is_known(run, kind); i++)
        check(run, &run->shape->kinds[kind].things[i]);
}

void marks_check(run *run)
{
    if (!run->has_before)
        return;
    check_all(run, LOCK_PRIMARY, check_key);
    check_all(run, LOCK_UNIQUE, check_unique);
    check_all(run, LOCK_RELATION, check_relation);
    check_all(run, LOCK_TREE, check_tree);
    check_all(run, LOCK_RANGE, check_range);
    check_all(run, LOCK_MESSAGE_RANGE, check_message_range);
    check_all(run, LOCK_INBOX, check_inbox);
    if (!is_known(run, LOCK_STASH))
        return;
    const lock_node *before = run->before->nodes[LOCK_STASH].first;
    for (; before != NULL; before = before->next) {
        const thing *component = component_of(run, before->identity);
        if (component == NULL || is_live(&run->evolution.lock->nodes[LOCK_STASH], before->identity))
            continue;
        const char *message = arena_format(
            run->arena, "'%s' cannot be stashed now: values that were stashed are left out", component->name);
        narrowing narrowing = {.migrates = component->migrates,
                               .span = component->span,
                               .what = arena_format(run->arena, "%s: no stash", component->name),
                               .message = message};
        report_narrowed(run, &narrowing);
    }
}
