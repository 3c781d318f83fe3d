// Conditions that saves of earlier schemas need not meet: unique components, primary keys, relations, trees and ranges;
// and values that cannot be put aside any more.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

// Returns whether saves may have the leaf at a path.
static bool is_saved(const run *run, const char *path)
{
    lock_list *list = &run->before->nodes[LOCK_COMPONENT];
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

// Returns whether saves may have all components of the key. `migrates`: whether one of them has a migration.
static bool is_key_saved(const run *run, const char *key, bool *migrates)
{
    *migrates = false;
    if (strchr(key, '.') == NULL)
        return true; // a function returns the keys
    while (*key != '\0') {
        const thing *component = component_of(run, key);
        if (component == NULL)
            return false;
        *migrates = *migrates || component->migrates;
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

static void check_key(run *run, const thing *thing)
{
    const lock_node *before = lock_find(&run->before->nodes[LOCK_PRIMARY], thing->name);
    bool migrates;
    bool is_saved = is_key_saved(run, thing->name, &migrates);
    for (size_t i = 0; i < thing->contexts.count && is_saved; i++) {
        const char *context = thing->contexts.names[i].identity;
        if (was_in(before, context))
            continue;
        report_narrowed(
            run, migrates, thing->span, arena_format(run->arena, "%s: primary key", thing->name),
            arena_format(run->arena, "'%s' is a primary key now: saves in which it is not are refused", thing->name));
        return;
    }
}

static void check_unique(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    if (component == NULL || is_live(&run->before->nodes[LOCK_UNIQUE], thing->name))
        return;
    report_narrowed(run, component->migrates, thing->span, arena_format(run->arena, "%s: unique", thing->name),
                    arena_format(run->arena, "'%s' is unique now: saves in which several entities have it are refused",
                                 thing->name));
}

// ---- relations and trees

static void check_relation(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    const char *effect = thing->effect;
    if (effect == NULL)
        effect = "what it says of a target that is not alive is done when a save is read";
    if (component == NULL || !is_saved(run, thing->name))
        return;
    if (is_live(&run->before->nodes[LOCK_RELATION], thing->name))
        return;
    report_narrowed(run, component->migrates, thing->span, arena_format(run->arena, "%s: relation", thing->name),
                    arena_format(run->arena, "'%s' is a relation now: %s", thing->name, effect));
}

static void check_tree(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    if (component == NULL || !is_saved(run, thing->name))
        return;
    if (is_live(&run->before->nodes[LOCK_TREE], thing->name))
        return;
    report_narrowed(run, component->migrates, thing->span, arena_format(run->arena, "%s: tree", thing->name),
                    arena_format(run->arena, "'%s' is a tree now: saves in which an entity is below itself are refused",
                                 thing->name));
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

static void check_range(run *run, const thing *thing)
{
    const struct thing *component = component_of(run, thing->name);
    const lock_node *before = lock_find(&run->before->nodes[LOCK_RANGE], thing->name);
    const char *former = "~..~";
    const char *had = "none";
    assert(thing->range != NULL);
    if (before != NULL)
        had = former = before->range;
    if (component == NULL || !is_saved(run, thing->name))
        return;
    if (!is_narrower(former, thing->range))
        return;
    report_narrowed(run, component->migrates, thing->span,
                    arena_format(run->arena, "%s: range %s", thing->name, thing->range),
                    arena_format(run->arena,
                                 "'%s' has the range %s now, and had %s: values of saves outside of it are read as "
                                 "they are",
                                 thing->name, thing->range, had));
}

// ---- all marks

typedef void check(run *run, const thing *thing);

static void check_all(run *run, lock_kind kind, check *check)
{
    for (size_t i = 0; i < run->shape->kinds[kind].count; i++)
        check(run, &run->shape->kinds[kind].things[i]);
}

void marks_check(run *run)
{
    if (!run->has_before)
        return;
    check_all(run, LOCK_PRIMARY, check_key);
    check_all(run, LOCK_UNIQUE, check_unique);
    if (run->before->format == 1)
        return;
    check_all(run, LOCK_RELATION, check_relation);
    check_all(run, LOCK_TREE, check_tree);
    check_all(run, LOCK_RANGE, check_range);
    const lock_node *before = run->before->nodes[LOCK_STASH].first;
    for (; before != NULL; before = before->next) {
        const thing *component = component_of(run, before->identity);
        if (component == NULL || is_live(&run->evolution.lock->nodes[LOCK_STASH], before->identity))
            continue;
        report_narrowed(run, component->migrates, component->span,
                        arena_format(run->arena, "%s: no stash", component->name),
                        arena_format(run->arena, "'%s' cannot be stashed now: values that were stashed are left out",
                                     component->name));
    }
}
