// The state of one comparison, shared by the files of this room.
//
// Fields share structs and enums, and each member and value has one identity. So everything is compared twice: the
// first pass finds the names of members in saves, the second one also uses these names for members of new fields.
#ifndef KIN_GENERATOR_EVOLVE_RUN_H
#define KIN_GENERATOR_EVOLVE_RUN_H

#include "evolve/evolve.h"
#include "evolve/private/shape.h"
#include "generator/base/base.h"

typedef struct run {
    arena *arena;
    diagnostics *diagnostics;
    shape *shape;
    lock *before; // empty before the first save
    bool has_before;
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

// ---- given_up.c

// Returns whether `removed` has a path and means the thing with an identity, which is also a path.
bool removed_lists(run *run, const char *path, const char *identity, bool is_last_name);

// Returns the place of a thing at a place, with its three names.
place place_below(const run *run, const place *place, const char *identity, const char *before, const char *now);

// Returns whether the schema removes the node, or everything that is left below it.
bool is_given_up(run *run, const place *place, const lock_list *level, const lock_node *node);

// Returns whether `removed` has one of the spellings of a node at a place. `level`: all nodes there.
bool is_removed_path(run *run, const place *place, const lock_list *level, const lock_node *node);

// ---- report.c

// Reports an error, once for each place and text.
bool report(run *run, diagnostic_code code, span span, const char *message);

// Reports a warning about what loses nothing, once for each place and text.
bool report_harmless(run *run, diagnostic_code code, span span, const char *message);

// Reports that saves may have what the schema does not allow now: a warning, or a change if a migration decides. `what`
// is for the summary.
void report_narrowed(run *run, bool migrates, span span, const char *what, const char *message);

// Reports a package with a lower version than its lock.
void report_version(run *run);

void report_change(run *run, change_kind kind, const char *path);
void report_lost(run *run, const place *place, const lock_node *node);
void report_lost_value(run *run, const place *place, const char *value);
void report_lost_context(run *run, const place *place, const char *context);

// Reports that values of a type cannot be read.
void report_retyped(run *run, const place *place, const char *before, const char *now, const char *loss);

#endif
