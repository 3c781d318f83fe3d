// What the schema gives up: whether `removed` has a node of saves.
#include "evolve/private/run.h"

#include <string.h>

// A path is a name of two things if these have exchanged names. It means the one that had the name last, which the
// first comparison finds.
bool removed_lists(run *run, const char *path, const char *identity, bool is_last_name)
{
    given_up_path *found = (given_up_path *)(uintptr_t)dictionary_find(&run->removed, path);
    if (found == NULL || run->is_asking)
        return found != NULL;
    if (found->identity == NULL && (is_last_name || !run->is_trial))
        found->identity = identity;
    return run->is_trial || strcmp(found->identity, identity) == 0;
}

// Whether another node has the first name of a node last.
static bool is_last_of_another(const lock_list *level, const lock_node *node)
{
    for (const lock_node *other = level->first; other != NULL; other = other->next)
        if (other != node && lock_is_live(other) && strcmp(other->name, node->identity) == 0)
            return true;
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
    bool is_all = node->children.first != NULL && (!node->has_line || node->is_removed);
    struct place below = place_below(run, place, node->identity, node->name, node->name);
    for (const lock_node *child = node->children.first; child != NULL; child = child->next) {
        bool is_gone = is_given_up(run, &below, &node->children, child) || !lock_is_live(child);
        is_all = is_all && is_gone;
    }
    return is_all;
}
