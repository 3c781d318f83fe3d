// Symbols: every name that will be generated for a package, with the element that it comes from.
//
// One table lists the functions, types, macros, enumerators, members and files that a package, a context, a type, a
// component or a group generates, including names of file scope in a .c file. Two elements that would generate the same
// name are an error of the schema, reported here instead of by a C compiler. File names that differ only in case are
// equal; tags, ordinary names and macros share one name space, as in C++ and the preprocessor.
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_H
#define KIN_GENERATOR_CHECK_SYMBOLS_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
