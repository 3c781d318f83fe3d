// read: reads a tree into the model, checks the whole model, and reports every error
//
// Owns the package under construction. Each file reads one part of a schema: component.c an entry of `components`.
//
// Cycle: group.c and group_walk.c. A group asks about other entities, by rules like its own.
#ifndef KIN_GENERATOR_READ_H
#define KIN_GENERATOR_READ_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>

// ---- schema reader
//
// Reads a schema file and the files that it includes into the model.
//
// Every error is reported with its place and a fix, not only the first. Invalid elements are left out of the model so
// that later checks do not report them again. Unknown keys are errors.

// Folders, besides the root schema's own, from which files may be included.
typedef struct schema_folders {
    const char **paths;
    size_t count;
} schema_folders;

// Returns the valid parts of the package; its `name` is NULL if the schema has no valid one. The package is complete
// only if no error was reported. package_read checks it as a whole.
package *schema_read(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

// ---- package
//
// Reads and checks a schema. Every verb starts here.

// Returns the package that `root` declares, or NULL after reporting errors. Included files must be in the root's
// folder.
package *package_read(arena *arena, diagnostics *diagnostics, const source *root);

// The same, but also allows included files from `allowed` folders.
package *package_read_from(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

// Loads the root file, and reads it in the same way.
package *package_load(arena *arena, diagnostics *diagnostics, const char *path, const schema_folders *allowed);

// Reads like package_read_from, but with errors returns what is known of the package. What an error was reported about
// is left out, or NULL: the type and default value of a field, the context of a group, index or blueprint, the group of
// a system. The invariants of schema/schema.h hold only without errors.
package *package_read_known(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed);

// ---- saves
//
// Under which names they have what a schema declares, as far as the schema alone shows it.

// Reports things that saves could not tell apart, and entries of `removed` that name what is there. Sets the identities
// of these entries.
void saves_check(arena *arena, diagnostics *diagnostics, package *package);

// Returns the path of a thing with the names that saves have, for one with names of the schema or of saves. Names
// behind one that the schema does not know stay as they are. Sets `is_there` to whether the schema declares the thing.
const char *saves_identity(arena *arena, const package *package, const char *path, bool *is_there);

// ---- symbols
//
// Every name that will be generated for a package, with the element that it comes from.
//
// One table lists the functions, types, macros, enumerators, members and files that a package, a context, a type, a
// component or a group generates, including names of file scope in a .c file. Two elements that would generate the same
// name are an error of the schema, reported here instead of by a C compiler. File names that differ only in case are
// equal; tags, ordinary names and macros share one name space, as in C++ and the preprocessor.

typedef enum symbol_kind {
    SYMBOL_NAME,
    SYMBOL_MEMBER,
    SYMBOL_FILE,
    SYMBOL_PRIVATE, // a name of file scope in a .c file; listed once if several files have it
    SYMBOL_MACRO    // in the table of patterns alone: a SYMBOL_NAME with `is_macro`
} symbol_kind;

typedef struct symbol {
    symbol_kind kind;
    bool is_macro;      // with arguments: an enumerator may have the same name, as no parenthesis follows it
    const char *name;   // "type.member" for a member
    const char *origin; // "component 'Health' of context 'game'"
    span span;          // of the origin
} symbol;

typedef struct symbol_list {
    symbol *symbols;
    size_t count, capacity;
} symbol_list;

// Returns all symbols, in the order of the model.
symbol_list symbols_of(arena *arena, const package *package);

// Reports each pair of elements that would generate the same name, and each generated name that C, its headers or Kin
// reserve.
void symbols_check(arena *arena, diagnostics *diagnostics, const package *package);

// ---- advice
//
// Warnings about valid schemas that are probably mistakes.
//
// Advice never makes a run fail, and the schema can avoid all of it. There are warnings about
//
//   a value of more than ADVICE_SIZE_LIMIT bytes, unless it is boxed: a chunk has space for 512 of them
//   an order of fields that costs at least an eighth of the value, and four bytes, more padding than the best order
//   an index over floating point, which finds only exactly equal keys
//   an index that finds the same entities as a reverse
//   a cleanup that a relation of the same component can refuse
//   a group that no entity can match
//   a blueprint whose entities match a group only while they are spawned
//   a parallel system that runs as one piece and beside no other, and a system that reads what commands change after it
//   in a package with keys for saves, a component that cannot be in files, and an entity of any context
//   a context without components, a type that no component or message uses, and a message that no system receives
//
// Unused groups get no warning: only the program knows which groups it uses. Unused declarations in files outside
// of the folder of the root file, which -I allows, get none either: another package may use them.

enum { ADVICE_SIZE_LIMIT = 256 };

// `package` is the result of package_read; NULL gives no advice.
void advice_give(arena *arena, diagnostics *diagnostics, const package *package);

// Parts of advice_give: memory layout, groups that cannot match, relations, spawns that only pass through a group,
// parallel systems, and saves.
void advice_on_layout(arena *arena, diagnostics *diagnostics, const package *package);
void advice_on_groups(diagnostics *diagnostics, const package *package);
void advice_on_relations(diagnostics *diagnostics, const package *package);
void advice_on_spawns(diagnostics *diagnostics, const package *package);

// Warns of blueprints that no call can ever spawn: two of their entities have one unique component, or equal keys in a
// primary index. A spawn gives the keys of children no other values. Keys from functions are unknown here.
void advice_on_exclusions(arena *arena, diagnostics *diagnostics, const package *package);
void advice_on_parallel(diagnostics *diagnostics, const package *package);
void advice_on_saves(diagnostics *diagnostics, const package *package);

#endif
