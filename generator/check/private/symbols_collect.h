// What the parts of symbols_of share: the list while it grows.
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_COLLECT_H
#define KIN_GENERATOR_CHECK_SYMBOLS_COLLECT_H

#include "base/arena.h"
#include "base/dictionary.h"
#include "check/private/symbols_pattern.h"
#include "check/symbols.h"
#include "model/schema.h"

// Where the symbols of one thing come from.
typedef struct symbol_origin {
    const char *description;
    span span;
} symbol_origin;

typedef struct symbol_collector {
    arena *arena;
    const package *package;
    symbol_list list;
    dictionary drops; // the functions that end opaque values
} symbol_collector;

void symbols_append(symbol_collector *collector, symbol symbol);

// All names of a scope; prefix and package are the collector's.
void symbols_collect(symbol_collector *collector, symbol_scope scope, symbol_subject subject, symbol_origin origin);

// Those of the package's world: of itself, its messages and its systems.
void symbols_collect_world(symbol_collector *collector);

#endif
