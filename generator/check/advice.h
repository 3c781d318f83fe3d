// Advice: warnings about valid schemas that their authors will probably regret.
//
// No advice makes a run fail, and all of it can be fixed in the schema. There are warnings about
//
//   a value of more than ADVICE_SIZE_LIMIT bytes, unless it is boxed: a chunk keeps 512 places for it
//   fields whose order leaves more padding than another one would, by an eighth of the value and four bytes at least
//   an index over floating point, where only exactly equal keys are found
//   a group that nothing can match
//   a context without components, a type that no component or message has, and a message that no system receives
//
// Unused groups get no warning: only the program knows which groups it uses. Unused declarations of included files get
// none either: they may be there for another package.
#ifndef KIN_GENERATOR_CHECK_ADVICE_H
#define KIN_GENERATOR_CHECK_ADVICE_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "model/schema.h"

enum { ADVICE_SIZE_LIMIT = 256 };

// For a package that package_read has returned; nothing for NULL.
void advice_give(arena *arena, diagnostics *diagnostics, const package *package);

// The parts of it: how values lie in memory, and what groups match.
void advice_on_layout(arena *arena, diagnostics *diagnostics, const package *package);
void advice_on_groups(diagnostics *diagnostics, const package *package);

#endif
