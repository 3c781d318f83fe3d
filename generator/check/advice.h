// Advice: warnings about valid schemas that are probably mistakes.
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
#ifndef KIN_GENERATOR_CHECK_ADVICE_H
#define KIN_GENERATOR_CHECK_ADVICE_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

enum { ADVICE_SIZE_LIMIT = 256 };

// `package` is the result of package_read; NULL gives no advice.
void advice_give(arena *arena, diagnostics *diagnostics, const package *package);

// Parts of advice_give: memory layout, groups that cannot match, relations, spawns that only pass through a group,
// parallel systems, and saves.
void advice_on_layout(arena *arena, diagnostics *diagnostics, const package *package);
void advice_on_groups(diagnostics *diagnostics, const package *package);
void advice_on_relations(diagnostics *diagnostics, const package *package);
void advice_on_spawns(diagnostics *diagnostics, const package *package);
void advice_on_parallel(diagnostics *diagnostics, const package *package);
void advice_on_saves(diagnostics *diagnostics, const package *package);

#endif
