// Evolve: compares what saves have with what a schema, or a newer lock, has now.
//
// A thing of now is the thing of saves that the lock knows by its name, or by its `was`. What it was first saved under
// is its identity. Things of saves that are no more are lost, and reported, unless the schema gives them up.
//
// The result is a lock with everything that was in saves and is now: nothing is ever forgotten.
#ifndef KIN_GENERATOR_EVOLVE_H
#define KIN_GENERATOR_EVOLVE_H

#include "base/text.h"
#include "diagnostic/diagnostic.h"
#include "lock/lock.h"
#include "model/schema.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum change_kind { CHANGE_RENAMED, CHANGE_NEW, CHANGE_RETYPED, CHANGE_REMOVED, CHANGE_KIND_COUNT } change_kind;

typedef struct evolution {
    lock *lock; // of both
    size_t counts[CHANGE_KIND_COUNT];
    text paths[CHANGE_KIND_COUNT]; // of the changes that lose nothing, with commas between them
    size_t lost;                   // changes that lose what saves have
} evolution;

// Compares a package with a lock, which may be NULL. Sets the identities of the package, and appends to its removals
// what the lock has given up. Reports everything that is lost.
evolution evolve_package(arena *arena, diagnostics *diagnostics, package *package, lock *before);

// Compares a package with what saves of one earlier version have, which need not know what was before it. Reports
// everything that is lost. Identities of the package are as saves of that version have them afterwards.
evolution evolve_compare(arena *arena, diagnostics *diagnostics, const package *package, lock *before);

// Compares two locks.
evolution evolve_lock(arena *arena, diagnostics *diagnostics, lock *now, lock *before);

// Appends a line about all changes.
void evolve_append_summary(text *text, const evolution *evolution);

// Returns the path of the lock of a package beside its schema.
const char *evolve_lock_path(arena *arena, const source *schema, const char *package);

// Sets `lock` to that of the package; NULL if there is none, or if the schema is standard input. Returns false after
// reporting a lock that cannot be read or is of another package.
bool evolve_load(arena *arena, diagnostics *diagnostics, const package *package, lock **lock);

// Reads the lock of the package, if there is one, into its identities. Returns false after reporting anything that
// saves would lose.
bool evolve_apply(arena *arena, diagnostics *diagnostics, package *package);

#endif
