// Opaque types and generated names: what stands for a type of the user's own C must be none of what is generated, which
// is not there yet where it would be needed.
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_OPAQUE_H
#define KIN_GENERATOR_CHECK_SYMBOLS_OPAQUE_H

#include "base/dictionary.h"
#include "check/symbols.h"

typedef struct opaque_check {
    arena *arena;
    diagnostics *diagnostics;
    const dictionary *names, *files; // all symbols of these kinds, by symbol_key
} opaque_check;

// What may be there once among the symbols of a kind: files that differ only in case are the same one.
const char *symbol_key(arena *arena, symbol_kind kind, const char *name);

void symbols_check_opaque(const opaque_check *check, const package *package);

#endif
