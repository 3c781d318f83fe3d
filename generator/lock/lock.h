// Lock: everything that saves of a package may have, as the text file PACKAGE.lock beside the schema.
//
//   kin lock 2
//   package town version 3
//   context game
//   context scene = view                           CONTEXT [= NAME NOW]
//   Frozen game flag
//   Health.hp game int16 = Health.points int32     LEAF CONTEXTS TYPES [= NAME NOW [TYPE NOW]]
//   Mana.left game int32 removed
//   Team.side game,scene=- enum{Blue,Red=Crimson}
//   message Hit.damage int32                       the same, without contexts
//   primary Name.value game
//   range Health.hp 0..100                         ~ stands for no bound
//   relation ChildOf.parent
//   stash Health
//   system Move = Walk
//   tree ChildOf.parent
//   unique Config
//
// The first word of most lines is the path of a leaf: a number, string, entity, enum, opaque value or flag. Paths
// consist of identities, the first names under which things were saved. `= NAME NOW` has the current name if it
// differs. TYPES are the types that saves may have; if there are several, the last word is the current type. `removed`
// and `=-` mark things that the schema has removed. The lines with `primary`, `range`, `relation`, `tree` and `unique`
// are conditions that the current schema sets, and `stash` what it allows.
//
// Format 1, which earlier versions of kin wrote, has no lines with `range`, `relation`, `stash` and `tree`, and no
// numbers of enum values: of these nothing is known then. It is read, and written as format 2.
//
// Lines are sorted by their bytes, after those of contexts, so that version control can merge two locks line by line. A
// duplicate line counts once.
//
// Invariants of a lock:
//   1. children of a node are sorted by the bytes of their identities, which are distinct
//   2. a node has a line, or children, or both: a flag that has fields now, or a field that has become a struct
//   3. a line of a component or message that is not removed has a current type, which is one of its types
#ifndef KIN_GENERATOR_LOCK_H
#define KIN_GENERATOR_LOCK_H

#include "generator/base/base.h"
#include "generator/source/source.h"
#include "lock/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lock_kind {
    LOCK_CONTEXT,
    LOCK_COMPONENT,
    LOCK_MESSAGE,
    LOCK_PRIMARY,
    LOCK_SYSTEM,
    LOCK_UNIQUE,
    LOCK_RANGE,
    LOCK_RELATION,
    LOCK_STASH,
    LOCK_TREE,
    LOCK_KIND_COUNT
} lock_kind;

typedef struct lock_node lock_node;

// Nodes in order of their identities.
typedef struct lock_list {
    lock_node *first;
    lock_node *found; // the last one found, from which the next search starts; NULL: none
} lock_list;

// One name of a path. Only components and messages have children.
struct lock_node {
    const char *identity;
    const char *name; // now
    span span;        // of the path in its line; without a line, in that of its first child
    bool has_line;
    bool is_removed;        // its line says so
    bool is_taken;          // for evolve, while it compares
    lock_names contexts;    // of the lines of components and primary keys; a name NULL: left
    const lock_type *type;  // the current one; NULL without a line, or if it is removed
    const lock_type *types; // that saves may have; NULL if unknown
    const char *range;      // of LOCK_RANGE: "0..100"
    bool has_number;        // of an enum value, for evolve
    int64_t number;
    lock_list children;
    lock_node *next;
};

typedef struct lock {
    const source *source; // NULL if it was made from a schema
    int format;           // 1: ranges, relations, stashes, trees and numbers of enum values are not known
    const char *package;
    uint32_t version;
    lock_list nodes[LOCK_KIND_COUNT];
} lock;

// Returns whether the source is a lock rather than a schema.
bool lock_is_one(const source *source);

// Returns NULL after reporting errors.
lock *lock_parse(arena *arena, diagnostics *diagnostics, const source *source);

// The number of leaves in a lock, and how many of them are renamed or removed.
typedef struct lock_counts {
    size_t leaves, renamed, removed;
} lock_counts;

// Appends the text of a lock, in its format.
void lock_append(text *text, const lock *lock, lock_counts *counts);

// Returns the node of an identity; NULL if the list has none.
lock_node *lock_find(lock_list *list, const char *identity);

// Returns the node; adds it, with the identity as its name, if it is missing. Fast if called in ascending order.
lock_node *lock_add(arena *arena, lock_list *list, const char *identity);

// Returns whether a line of the node or below it is not removed.
bool lock_is_live(const lock_node *node);

// Returns the first line of the node or below it that is not removed, and extends its path by current names.
const lock_node *lock_first_line(arena *arena, const lock_node *node, const char **path);

// Returns the path with a name appended.
const char *lock_path(arena *arena, const char *path, const char *name);

#endif
