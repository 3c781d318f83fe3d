// evolve: the lock of a package, a text file that lists everything that saves may have, and comparisons with it
//
// Owns the notation of the file, the decisions which name a thing has in saves, and which changes lose values of saves.
#ifndef KIN_GENERATOR_EVOLVE_H
#define KIN_GENERATOR_EVOLVE_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- lock type
//
// The types of leaves in a lock, as text and as structs.
//
//   flag bool int8 … double string string[31] entity entity<game> opaque
//   enum{Blue,Red=Crimson,Grey=-}     values by identity; renamed; removed
//   enum{Open:1,Shut=Locked:2}        the numbers of values, unless these are 0 to the count of values minus 1
//   enum{Low,High}-5..1000            numbers outside of 0 to the count of values minus 1
//   float[4] float[4][] float[]       elements of arrays, the outermost first; [] is a list
//   int16|int32                       types of saves of different times

enum { LOCK_FORMAT = 3 };

// An enum value, or a context of a component.
typedef struct lock_name {
    const char *identity;
    const char *name; // the current one; NULL if it is removed
    bool has_number;  // of an enum value
    int64_t number;
} lock_name;

// Sorted by identity.
typedef struct lock_names {
    lock_name *names;
    size_t count;
} lock_names;

typedef struct lock_type {
    bool is_flag;
    type_kind kind;               // of the elements, or a flag; never TYPE_STRUCT
    size_t string_size;           // TYPE_INLINE_STRING
    const char *context;          // TYPE_CONTEXT_ENTITY: its identity
    lock_names values;            // TYPE_ENUM
    int64_t minimum, maximum;     // TYPE_ENUM: of all its numbers
    const size_t *elements;       // of each dimension, the outermost first; 0 for a list
    size_t depth;                 // dimensions
    const struct lock_type *next; // another type that saves may have
} lock_type;

// Appends one type, without the next. Format 1 has no numbers of enum values.
void lock_append_type(text *text, const lock_type *type, int format);
const char *lock_type_text(arena *arena, const lock_type *type);

// Returns the types in a word of a lock; NULL if it is invalid.
const lock_type *lock_read_types(arena *arena, const char *word);

// Returns whether the elements of the type are values of an enum.
bool lock_type_is_enum(const lock_type *type);

void lock_append_names(text *text, const lock_names *names, bool with_numbers);

// Returns whether the values that are not removed have the numbers from 0 on. Unknown numbers count as these.
bool lock_is_dense(const lock_names *values);

// Reads names separated by commas, up to one of the bytes in `end`. Returns the rest; NULL if they are invalid.
const char *lock_read_names(arena *arena, const char *at, const char *end, lock_names *names);

// Returns the entry of a name; NULL if the list has none.
lock_name *lock_find_name(const lock_names *names, const char *identity);

// Returns the names of both, sorted. If both have an identity, its name and number are those of `now`.
lock_names lock_join_names(arena *arena, const lock_names *before, const lock_names *now);

// Returns the types with `added` appended. Two enums become one, with the values of both.
const lock_type *lock_join_types(arena *arena, const lock_type *types, const lock_type *added);

// Returns whether both have the same notation, except for the values and numbers of enums.
bool lock_type_is_like(const lock_type *a, const lock_type *b);

// ---- lock
//
// Everything that saves of a package may have, as the text file PACKAGE.lock beside the schema.
//
//   kin lock 3
//   package town version 3
//   context game
//   context scene = view                           CONTEXT [= NAME NOW]
//   Frozen game flag
//   Health.hp game int16 = Health.points int32     LEAF CONTEXTS TYPES [= NAME NOW [TYPE NOW]]
//   Mana.left game int32 removed
//   Team.side game,scene=- enum{Blue,Red=Crimson}
//   condition game.Name.value !Frozen,Health       CONTEXT.KEY: components that its entities have, and lack
//   inbox Move.Hit 16                              SYSTEM.MESSAGE: capacity
//   message Hit.damage int32                       the same as of components, without contexts
//   message_range Hit.damage 0..10
//   primary Name.value game
//   range Health.hp 0..100                         ~ stands for no bound, here and of a capacity
//   relation ChildOf.parent
//   stash Health
//   system Move = Walk
//   tree ChildOf.parent
//   unique Config
//
// The first word of most lines is the path of a leaf: a number, string, entity, enum, opaque value or flag. Paths
// consist of identities, the first names under which things were saved. `= NAME NOW` has the current name if it
// differs. TYPES are the types that saves may have; if there are several, the last word is the current type. `removed`
// and `=-` mark things that the schema has removed. The lines with `primary`, `range`, `message_range`, `relation`,
// `tree` and `unique` are conditions that the current schema sets, and `stash` and `inbox` what it allows. If several
// primary indices of a context have one key, `|` separates their conditions; without a line one of them has none.
//
// Earlier versions of kin wrote earlier formats. Format 2 has no lines with `condition`, `inbox` and `message_range`.
// Format 1 also lacks those with `range`, `relation`, `stash` and `tree`, and numbers of enum values. Of what a format
// lacks nothing is known. These are read, and written as format 3.
//
// Lines are sorted by their bytes, after those of contexts, so that version control can merge two locks line by line. A
// duplicate line counts once.
//
// Invariants of a lock:
//   1. children of a node are sorted by the bytes of their identities, which are distinct
//   2. a node has a line, or children, or both: a flag that has fields now, or a field that has become a struct
//   3. a line of a component or message that is not removed has a current type, which is one of its types

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
    LOCK_INBOX,
    LOCK_CONDITION,
    LOCK_MESSAGE_RANGE,
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
    const char *value;      // of ranges "0..100", inboxes "16" and conditions "!Frozen,Health"; else NULL
    bool has_number;        // of an enum value, for evolve
    int64_t number;
    lock_list children;
    lock_node *next;
};

typedef struct lock {
    const source *source; // NULL if it was made from a schema
    int format;           // what later formats have is not known
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

// Returns the first name of a path, which is cut off.
const char *lock_next_name(arena *arena, const char **path);

// Returns the current type of a node with all values that saves may have of it; NULL if there is none.
const lock_type *lock_type_now(const lock_node *node);

// ---- evolve
//
// Compares the content of saves with a schema, or with a newer lock.
//
// A thing of the schema is found in saves by its name, or by its `was`. Its identity is the name under which it was
// first saved. Things of saves that the schema lacks are lost, and reported, unless the schema lists them in `removed`.
//
// The result is a lock with everything that is in saves and everything that is in the schema: no line is ever lost.

typedef enum change_kind { CHANGE_RENAMED, CHANGE_NEW, CHANGE_RETYPED, CHANGE_REMOVED, CHANGE_KIND_COUNT } change_kind;

typedef struct evolution {
    lock *lock; // of both
    size_t counts[CHANGE_KIND_COUNT];
    text paths[CHANGE_KIND_COUNT]; // of the changes that lose nothing, separated by commas
    size_t lost;                   // changes that lose values of saves
    size_t narrowed;               // changes after which saves may have what the schema does not allow
    text narrowings;               // their paths, separated by commas
} evolution;

// Compares a package with a lock, which may be NULL. Sets the identities of the package, and appends the removed paths
// of the lock to its removals. Reports everything that is lost.
evolution evolve_package(arena *arena, diagnostics *diagnostics, package *package, lock *before);

// Compares a package with the saves of one earlier version, which need not know versions before it. Reports everything
// that is lost. Sets the identities of the package to those of that version.
evolution evolve_compare(arena *arena, diagnostics *diagnostics, const package *package, lock *before);

// Compares two locks.
evolution evolve_lock(arena *arena, diagnostics *diagnostics, lock *now, lock *before);

// Appends a line about all changes.
void evolve_append_summary(text *text, const evolution *evolution);

// Returns whether saves may lose something: the exit status of `breaking`.
bool evolve_is_breaking(const evolution *evolution);

// ---- net
//
// Two versions of a package that meet in a network: what a host of one sends, a replica of the other reads, and back.

// Reports what one of two versions could not read of the other, and appends a line about what is sent. The identities
// of both are known. Returns whether hosts and replicas of both can meet.
bool evolve_compare_net(diagnostics *diagnostics, const package *before, const package *now, text *summary);

// Returns the path of the lock of a package beside its schema.
const char *evolve_lock_path(arena *arena, const source *schema, const char *package);

// Sets `lock` to the lock of the package; NULL if it has none, or if the schema is standard input. Returns false after
// reporting a lock that cannot be read or is of another package.
bool evolve_load(arena *arena, diagnostics *diagnostics, const package *package, lock **lock);

// Sets the identities of the package from its lock, if it has one. Returns false after reporting anything that saves
// would lose.
bool evolve_apply(arena *arena, diagnostics *diagnostics, package *package);

// ---- convert
//
// Which types the values of saves can be read into.

// Returns the loss as text, such as "70000 could not be read"; NULL if every value can be read. Lost values of enums
// are not considered here.
const char *convert_loss(arena *arena, const lock_type *from, const lock_type *to);

// Returns the type as text for messages: as in a lock, but without the values of an enum.
const char *convert_words(arena *arena, const lock_type *type);

#endif
