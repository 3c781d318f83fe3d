// Evolve: compares the content of saves with a schema, or with a newer lock.
//
// A thing of the schema is found in saves by its name, or by its `was`. Its identity is the name under which it was
// first saved. Things of saves that the schema lacks are lost, and reported, unless the schema lists them in `removed`.
//
// The result is a lock with everything that is in saves and everything that is in the schema: no line is ever lost.
#ifndef KIN_GENERATOR_EVOLVE_H
#define KIN_GENERATOR_EVOLVE_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"
#include "lock/lock.h"

#include <stdbool.h>
#include <stddef.h>

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

// Returns the path of the lock of a package beside its schema.
const char *evolve_lock_path(arena *arena, const source *schema, const char *package);

// Sets `lock` to the lock of the package; NULL if it has none, or if the schema is standard input. Returns false after
// reporting a lock that cannot be read or is of another package.
bool evolve_load(arena *arena, diagnostics *diagnostics, const package *package, lock **lock);

// Sets the identities of the package from its lock, if it has one. Returns false after reporting anything that saves
// would lose.
bool evolve_apply(arena *arena, diagnostics *diagnostics, package *package);

#endif
