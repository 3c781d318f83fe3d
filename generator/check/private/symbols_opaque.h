// Opaque types and generated names: an opaque type is declared by a header of the user, so it must not name a generated
// type, which would be undeclared at its first use.
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_OPAQUE_H
#define KIN_GENERATOR_CHECK_SYMBOLS_OPAQUE_H

#include "check/symbols.h"
#include "generator/base/base.h"

typedef struct opaque_check {
    arena *arena;
    diagnostics *diagnostics;
    const dictionary *names, *files; // all symbols of these kinds, by symbol_key
} opaque_check;

// Returns the key by which symbols of a kind are unique: file names that differ only in case are equal.
const char *symbol_key(arena *arena, symbol_kind kind, const char *name);

void symbols_check_opaque(const opaque_check *check, const package *package);

#endif
