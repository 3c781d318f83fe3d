// Symbols: every name that generation will produce for a package, with what it comes from.
//
// One table says which functions, types, macros, enumerators, members and files a package, a context, a type, a
// component or a group brings, and what their sources keep to themselves. Two things that would bring the same name are a fault of the schema, found here and not
// by a C compiler. Files that differ only in case are the same file; tags, ordinary names and macros are one space,
// since C++ and the preprocessor see them so.
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_H
#define KIN_GENERATOR_CHECK_SYMBOLS_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "model/schema.h"

#include <stddef.h>

typedef enum symbol_kind {
    SYMBOL_NAME,
    SYMBOL_MEMBER,
    SYMBOL_FILE,
    SYMBOL_PRIVATE // a name of file scope, of a .c alone; one that several of them have stands here once
} symbol_kind;

typedef struct symbol {
    symbol_kind kind;
    const char *name;   // a member's is "type.member"
    const char *origin; // "component 'Health' of context 'game'"
    span span;          // of the origin
} symbol;

typedef struct symbol_list {
    symbol *symbols;
    size_t count, capacity;
} symbol_list;

// All symbols, in order of the model.
symbol_list symbols_of(arena *arena, const package *package);

// Reports each pair of elements that would generate the same name, and each generated name that C, its headers or Kin
// reserve.
void symbols_check(arena *arena, diagnostics *diagnostics, const package *package);

#endif
