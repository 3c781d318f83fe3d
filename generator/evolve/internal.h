// The state of a comparison, and the words of locks.
#ifndef KIN_GENERATOR_EVOLVE_INTERNAL_H
#define KIN_GENERATOR_EVOLVE_INTERNAL_H

#include "generator/evolve/evolve.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

// ---- words of a lock
//
// What lines of a kind consist of, for reading and writing them.

// What the last word of a line is, besides contexts and types.
typedef enum lock_value { LOCK_VALUE_NONE, LOCK_VALUE_RANGE, LOCK_VALUE_CAPACITY, LOCK_VALUE_CONDITION } lock_value;

typedef struct lock_notation {
    const char *word; // that lines begin with; "" for components
    const char *noun; // for messages
    int format;       // the first one that has such lines
    bool has_contexts, has_types;
    bool is_mark; // says more about things that have lines of another kind
    bool is_flat; // the path is one name, as a whole
    bool is_key;  // the path is a key, with any bytes
    lock_value value;
} lock_notation;

const lock_notation *lock_notation_of(lock_kind kind);

// ---- shape
//
// The things of a package, or of a newer lock, that can be in saves, as a tree like that of a lock.

typedef struct thing thing;

typedef struct thing_list {
    thing *things;
    size_t count;
} thing_list;

// What a line of a lock is about, or a name of its path, or an enum value.
struct thing {
    const char *name, *was;
    const char *known; // its identity, from a lock; NULL if none is known
    span span, was_span;
    span type_span;
    saved_name *saved;     // in the model, which gets the identity; NULL for a lock
    lock_names contexts;   // components and primary keys
    const lock_type *type; // of a leaf; without the values of an enum
    thing_list values;     // of an enum
    thing_list fields;
    bool migrates;
    const char *value;  // as in a lock
    const char *effect; // of LOCK_RELATION and LOCK_INBOX: what reading does; NULL for a lock
    bool has_number;    // of an enum value
    int64_t number;
    // Found by matching:
    const char *identity;
    lock_node *before; // NULL if it is new
};

typedef struct shape {
    arena *arena;
    const package *package; // NULL if it is made from a lock
    lock *lock;
    bool is_partial; // the other side knows one version, and no earlier ones
    bool is_known;   // the identities in the model come from a lock
    thing_list kinds[LOCK_KIND_COUNT];
} shape;

// The elements of the arrays and lists around a field, the outermost first.
typedef struct dimensions {
    const size_t *elements;
    size_t count;
} dimensions;

// Returns the dimensions with those of a field's type inside.
dimensions dimensions_with(arena *arena, dimensions around, const field_type *type);

// Returns the type of a leaf, without the values of an enum.
lock_type *shape_type_of(arena *arena, const field_type *field, dimensions elements);

// Make the contexts, and everything else when the identities of contexts are known.
void shape_begin(shape *shape);
void shape_finish(shape *shape);

// Make primary keys, unique components and what else lines of locks say of components, whose identities are known.
void shape_mark(shape *shape);

// ---- a comparison
//
// The state of one comparison, shared by the files of this room.
//
// Fields share structs and enums, and each member and value has one identity. So everything is compared twice: the
// first pass finds the names of members in saves, the second one also uses these names for members of new fields.

typedef struct run {
    arena *arena;
    diagnostics *diagnostics;
    shape *shape;
    lock *before; // empty before the first save
    bool has_before;
    int format;          // the earlier format of the two sides: lines of later formats are not known
    bool is_trial;       // the first of the two comparisons
    bool is_asking;      // whether something would be lost: no entry of `removed` is used up
    dictionary members;  // addresses of saved_name to their names in saves
    dictionary removed;  // paths to given_up_path
    dictionary reported; // places and texts that were reported
    dictionary matched;  // identities of components that saves have
    evolution evolution;
} run;

// An entry of `removed`.
typedef struct given_up_path {
    const char *identity; // the path in saves of what it names; NULL: it names nothing
} given_up_path;

// A node of the tree while it is compared, with its path in three spellings.
typedef struct place {
    lock_kind kind;
    const char *identity, *before, *now; // paths; "" at the root
    const thing *thing;                  // NULL at the root
    const lock_names *contexts;          // of the component
    bool migrates;
    bool is_new; // nothing below it was saved
} place;

// Sets `identity` and `before` of things. Reports things that would be the same thing in saves.
void match_things(run *run, const place *place, thing_list *things, lock_list *before);

// Compares the things of one kind, into the lock of the evolution.
void merge_kind(run *run, lock_kind kind);

// Reports conditions that earlier saves did not have to meet.
void marks_check(run *run);

// ---- what is given up

// Returns whether `removed` has a path and means the thing with an identity, which is also a path.
bool removed_lists(run *run, const char *path, const char *identity, bool is_last_name);

// Returns the place of a thing at a place, with its three names.
place place_below(const run *run, const place *place, const char *identity, const char *before, const char *now);

// Returns whether the schema removes the node, or everything that is left below it.
bool is_given_up(run *run, const place *place, const lock_list *level, const lock_node *node);

// Returns whether `removed` has one of the spellings of a node at a place. `level`: all nodes there.
bool is_removed_path(run *run, const place *place, const lock_list *level, const lock_node *node);

// ---- messages

// Returns "field", or "member" of a struct, for what is below the place.
const char *report_field_word(const place *place);

// Reports an error, once for each place and text.
bool report(run *run, diagnostic_code code, span span, const char *message);

// Reports a warning about what loses nothing, once for each place and text.
bool report_harmless(run *run, diagnostic_code code, span span, const char *message);

// Something that saves may have and the schema does not allow now.
typedef struct narrowing {
    bool migrates; // a migration decides about it
    span span;
    const char *what; // for the summary
    const char *message;
    const char *advice; // how to keep what was; NULL if a migration can
} narrowing;

// Reports it: a warning, or a change if a migration decides.
void report_narrowed(run *run, const narrowing *narrowing);

// Reports a package with a lower version than its lock.
void report_version(run *run);

void report_change(run *run, change_kind kind, const char *path);
void report_lost(run *run, const place *place, const lock_node *node);
void report_lost_value(run *run, const place *place, const char *value);
void report_lost_context(run *run, const place *place, const char *context);

// Reports that values of a type cannot be read.
void report_retyped(run *run, const place *place, const char *before, const char *now, const char *loss);

// ---- levels
//
// The things of one level: the components, the fields of one component, and so on. Shared by find.c and match.c.

typedef struct level {
    run *run;
    const place *place;
    thing_list *things;
    lock_list *before;
    dictionary names;               // current names of nodes that are not removed
    dictionary identities;          // of the things, to the things
    const lock_node *const *others; // of another reading in which nothing is lost; NULL: there is none
} level;

level level_begin(run *run, const place *place, thing_list *things, lock_list *before);

// Returns the thing for messages: "component 'Health'", "field 'Health.points'".
const char *level_words(const level *level, const thing *thing);

// Sets `before` of all things, by a reading of their words in which nothing is lost.
void level_find(level *level);

// Reports words that can be read in two ways, and those that would mean something else as soon as the lock is written.
// The things have their identities.
void level_check_words(const level *level);

// ---- removed paths
//
// Those of the schema, and those of locks.

// Fills `removed` with the removed paths of the schema, or of the newer lock.
void removed_list(run *run);

// Reports entries of `removed` that no save has. Without a lock, adds them to the lock of the evolution.
void removed_check(run *run);

// Appends the removed paths of the lock to the removals of the package.
void removed_remember(arena *arena, package *package, const lock *lock);

#endif
