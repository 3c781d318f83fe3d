#include "lock/lock.h"

#include "lock/private/words.h"

#include <string.h>

const char *lock_word_of(lock_kind kind)
{
    static const char *const words[] = {"context", "",      "message",  "primary", "system",
                                        "unique",  "range", "relation", "stash",   "tree"};
    return words[kind];
}

bool lock_has_contexts(lock_kind kind)
{
    return kind == LOCK_COMPONENT || kind == LOCK_PRIMARY;
}

bool lock_has_types(lock_kind kind)
{
    return kind == LOCK_COMPONENT || kind == LOCK_MESSAGE;
}

bool lock_is_flat(lock_kind kind)
{
    return kind == LOCK_PRIMARY || lock_is_later(kind);
}

bool lock_is_later(lock_kind kind)
{
    return kind >= LOCK_RANGE;
}

const char *lock_path(arena *arena, const char *path, const char *name)
{
    return path[0] == '\0' ? name : arena_format(arena, "%s.%s", path, name);
}

// Returns where the node is, or where it would be.
static lock_node **find_place(lock_list *list, const char *identity)
{
    lock_node **place = &list->first;
    if (list->found != NULL && strcmp(list->found->identity, identity) < 0)
        place = &list->found->next;
    while (*place != NULL && strcmp((*place)->identity, identity) < 0) {
        list->found = *place;
        place = &(*place)->next;
    }
    return place;
}

lock_node *lock_find(lock_list *list, const char *identity)
{
    lock_node *node = *find_place(list, identity);
    return node != NULL && strcmp(node->identity, identity) == 0 ? node : NULL;
}

lock_node *lock_add(arena *arena, lock_list *list, const char *identity)
{
    lock_node **place = find_place(list, identity);
    if (*place != NULL && strcmp((*place)->identity, identity) == 0)
        return *place;
    lock_node *node = arena_allocate(arena, sizeof *node);
    *node = (lock_node){.identity = identity, .name = identity, .next = *place};
    *place = node;
    return node;
}

// Recursive, as deep as structs are nested.
bool lock_is_live(const lock_node *node)
{
    if (node->has_line && !node->is_removed)
        return true;
    for (const lock_node *child = node->children.first; child != NULL; child = child->next)
        if (lock_is_live(child))
            return true;
    return false;
}

const lock_node *lock_first_line(arena *arena, const lock_node *node, const char **path)
{
    while (!node->has_line || node->is_removed) {
        node = node->children.first;
        while (!lock_is_live(node))
            node = node->next;
        *path = lock_path(arena, *path, node->name);
    }
    return node;
}
