// What the schema gives up: the paths of `removed`, and those that locks remember.
#include "generator/evolve/internal.h"

#include "generator/read/read.h"

#include <assert.h>
#include <string.h>

// ---- nodes that are given up

// What the schema gives up: whether `removed` has a node of saves.

// A path is a name of two things if these have exchanged names. It means the one that had the name last, which the
// first comparison finds.
bool removed_lists(run *run, const char *path, const char *identity, bool is_last_name)
{
    given_up_path *found = (given_up_path *)(uintptr_t)dictionary_find(&run->removed, path);
    assert(identity != NULL);
    if (found == NULL || run->is_asking)
        return found != NULL;
    bool may_name = is_last_name || !run->is_trial;
    if (may_name && found->identity == NULL)
        found->identity = identity;
    return run->is_trial || strcmp(found->identity, identity) == 0;
}

// Whether another node has the first name of a node last.
static bool is_last_of_another(const lock_list *level, const lock_node *node)
{
    for (const lock_node *other = level->first; other != NULL; other = other->next) {
        bool is_other = other != node && lock_is_live(other);
        if (is_other && strcmp(other->name, node->identity) == 0)
            return true;
    }
    return false;
}

bool is_removed_path(run *run, const place *place, const lock_list *level, const lock_node *node)
{
    const char *path = lock_path(run->arena, place->identity, node->identity);
    bool is_there = removed_lists(run, lock_path(run->arena, place->before, node->name), path, true);
    is_there = removed_lists(run, lock_path(run->arena, place->now, node->name), path, true) || is_there;
    if (is_last_of_another(level, node))
        return is_there;
    is_there = removed_lists(run, lock_path(run->arena, place->now, node->identity), path, false) || is_there;
    return removed_lists(run, path, path, false) || is_there;
}

place place_below(const run *run, const place *place, const char *identity, const char *before, const char *now)
{
    struct place below = *place;
    below.identity = lock_path(run->arena, place->identity, identity);
    below.before = lock_path(run->arena, place->before, before);
    below.now = lock_path(run->arena, place->now, now);
    return below;
}

// Recursive, as deep as structs were nested.
bool is_given_up(run *run, const place *place, const lock_list *level, const lock_node *node)
{
    if (is_removed_path(run, place, level, node))
        return true;
    bool has_leaf = node->has_line && !node->is_removed;
    bool is_all = node->children.first != NULL && !has_leaf;
    struct place below = place_below(run, place, node->identity, node->name, node->name);
    for (const lock_node *child = node->children.first; child != NULL; child = child->next) {
        bool is_gone = is_given_up(run, &below, &node->children, child) || !lock_is_live(child);
        is_all = is_all && is_gone;
    }
    return is_all;
}

// ---- paths

// Removed paths: those of the schema, and those of locks.

// Both spellings of a path give up one thing.
static void list_path(run *run, const char *path, const char *identity)
{
    given_up_path *entry = arena_allocate(run->arena, sizeof *entry);
    assert(path != NULL && identity != NULL);
    dictionary_add(&run->removed, path, entry);
    dictionary_add(&run->removed, identity, entry);
}

// ---- of locks

typedef struct path_list {
    arena *arena;
    const char **paths; // NULL while they are counted
    size_t count;
} path_list;

static void append_path(path_list *list, const char *path)
{
    if (list->paths != NULL)
        list->paths[list->count] = path;
    list->count++;
}

static void append_values(path_list *list, const lock_node *node, const char *path)
{
    for (const lock_type *type = node->types; type != NULL; type = type->next)
        for (size_t i = 0; lock_type_is_enum(type) && i < type->values.count; i++)
            if (type->values.names[i].name == NULL)
                append_path(list, lock_path(list->arena, path, type->values.names[i].identity));
}

// Recursive, as deep as structs were nested.
static void append_removed(path_list *list, const lock_node *node, const char *around)
{
    for (; node != NULL; node = node->next) {
        const char *path = lock_path(list->arena, around, node->identity);
        if (!lock_is_live(node)) {
            append_path(list, path);
            continue;
        }
        if (node->has_line && node->is_removed)
            append_path(list, path);
        append_values(list, node, path);
        append_removed(list, node->children.first, path);
    }
}

// Appends the contexts that components have left, such as `scene.Health`, once for each component.
static void append_left(path_list *list, const lock_node *node, dictionary *known, const char *component)
{
    for (; node != NULL; node = node->next) {
        const char *own = component;
        if (own[0] == '\0')
            own = node->identity;
        for (size_t i = 0; i < node->contexts.count && !node->is_removed; i++) {
            const lock_name *context = &node->contexts.names[i];
            const char *path = lock_path(list->arena, context->identity, own);
            if (context->name == NULL && dictionary_add(known, path, node) == NULL)
                append_path(list, path);
        }
        append_left(list, node->children.first, known, own);
    }
}

static void append_all(path_list *list, const lock *lock)
{
    static const lock_kind kinds[] = {LOCK_CONTEXT, LOCK_COMPONENT, LOCK_MESSAGE};
    dictionary known = dictionary_create(list->arena);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        append_removed(list, lock->nodes[kinds[i]].first, "");
    append_left(list, lock->nodes[LOCK_COMPONENT].first, &known, "");
}

static path_list paths_of(arena *arena, const lock *lock)
{
    path_list list = {.arena = arena};
    append_all(&list, lock);
    list.paths = arena_allocate(arena, (list.count + 1) * sizeof *list.paths);
    list.count = 0;
    append_all(&list, lock);
    return list;
}

void removed_remember(arena *arena, package *package, const lock *lock)
{
    path_list paths = paths_of(arena, lock);
    dictionary known = dictionary_create(arena);
    removal *removals = arena_allocate(arena, (package->removal_count + paths.count + 1) * sizeof *removals);
    size_t count = 0;
    for (; count < package->removal_count; count++) {
        removals[count] = package->removals[count];
        dictionary_add(&known, removals[count].identity, package);
    }
    for (size_t i = 0; i < paths.count; i++)
        if (dictionary_add(&known, paths.paths[i], package) == NULL)
            removals[count++] = (removal){.path = paths.paths[i], .identity = paths.paths[i], .span = package->span};
    package->removals = removals;
    package->removal_count = count;
}

// ----

void removed_list(run *run)
{
    const package *package = run->shape->package;
    for (size_t i = 0; package != NULL && i < package->removal_count; i++)
        list_path(run, package->removals[i].path, package->removals[i].identity);
    path_list paths = {.arena = run->arena};
    if (package == NULL)
        paths = paths_of(run->arena, run->shape->lock);
    for (size_t i = 0; i < paths.count; i++)
        list_path(run, paths.paths[i], paths.paths[i]);
}

// ---- of a schema without a lock

static void remove_line(lock_node *node)
{
    if (!lock_is_live(node))
        node->has_line = node->is_removed = true;
}

static void remove_value(run *run, lock_node *node, const char *value)
{
    lock_type *type = arena_allocate(run->arena, sizeof *type);
    lock_names gone = {&(lock_name){.identity = value}, 1};
    assert(node->types != NULL && lock_type_is_enum(node->types));
    *type = *node->types;
    type->values = lock_join_names(run->arena, &type->values, &gone);
    node->types = type;
}

static void remember_path(run *run, const char *path)
{
    bool is_context = byte_is_lower(path[0]);
    lock_list *list = &run->evolution.lock->nodes[LOCK_COMPONENT];
    assert(!run->has_before);
    if (is_context)
        list = &run->evolution.lock->nodes[LOCK_CONTEXT];
    if (is_context && strchr(path, '.') != NULL)
        return;
    lock_node *node = NULL;
    while (path[0] != '\0') {
        const char *name = lock_next_name(run->arena, &path);
        const lock_type *type = NULL;
        if (node != NULL)
            type = node->type;
        if (type != NULL && lock_type_is_enum(type)) {
            remove_value(run, node, name);
            return;
        }
        node = lock_add(run->arena, list, name);
        list = &node->children;
    }
    if (node != NULL)
        remove_line(node);
}

static void warn_unknown(run *run, const removal *removal)
{
    diagnostic_warning(run->diagnostics, CODE_REMOVED, removal->span, "'removed' names '%s', which no save has",
                       removal->path);
    bool is_field = strchr(removal->path, '.') == NULL && byte_is_lower(removal->path[0]);
    if (is_field)
        diagnostic_hint(run->diagnostics, "list a field with its component, as in 'Health.armor'");
    else
        diagnostic_hint(run->diagnostics, "remove it from the list, or correct the name");
}

static const context *find_context(const package *package, const char *name)
{
    for (size_t i = 0; i < package->context_count; i++)
        if (!package->contexts[i]->is_unsaved && strcmp(package->contexts[i]->name, name) == 0)
            return package->contexts[i];
    return NULL;
}

// Returns whether the path is that of a context, or of a component in one, that the schema has.
static bool is_context_there(const run *run, const char *path)
{
    const package *package = run->shape->package;
    const context *context = find_context(package, lock_next_name(run->arena, &path));
    if (context == NULL || path[0] == '\0')
        return context != NULL;
    for (size_t i = 0; i < context->component_count; i++)
        if (strcmp(context->components[i]->name, path) == 0)
            return !context->components[i]->is_unsaved;
    return false;
}

static void warn_there(run *run, const removal *removal)
{
    diagnostic_warning(run->diagnostics, CODE_REMOVED, removal->span,
                       "'%s' is in 'removed' and in the schema, so its values are read", removal->path);
    diagnostic_hint(run->diagnostics, "remove it from one of them");
}

// Returns the path in saves of what the path names; NULL: saves do not have it.
static const char *find_saved(const run *run, const char *path)
{
    const given_up_path *entry = dictionary_find(&run->removed, path);
    if (entry == NULL)
        return NULL;
    return entry->identity;
}

// The schema may use the last name of what is gone, which only the lock knows.
static bool find_removed(const run *run, removal *removal)
{
    const char *path = find_saved(run, removal->path);
    if (path == NULL)
        path = find_saved(run, removal->identity);
    if (path != NULL)
        removal->identity = path;
    return path != NULL;
}

void removed_check(run *run)
{
    const package *package = run->shape->package;
    for (size_t i = 0; package != NULL && i < package->removal_count; i++) {
        removal *removal = &package->removals[i];
        bool is_there;
        bool is_known = find_removed(run, removal);
        saves_identity(run->arena, package, removal->path, &is_there);
        if (is_known || removal->is_declared)
            continue;
        if (is_there || is_context_there(run, removal->path))
            warn_there(run, removal);
        else if (!run->has_before)
            remember_path(run, removal->identity);
        else if (removal->span.start != package->span.start) // of the schema, not of its lock
            warn_unknown(run, removal);
    }
}
