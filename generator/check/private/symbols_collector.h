// Collects the symbols of the elements of a package.
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_COLLECTOR_H
#define KIN_GENERATOR_CHECK_SYMBOLS_COLLECTOR_H

#include "check/private/symbols_pattern.h"
#include "generator/base/base.h"

// The element that symbols come from.
typedef struct symbol_origin {
    const char *description;
    span span;
} symbol_origin;

typedef struct symbol_collector {
    arena *arena;
    const package *package;
    symbol_list list;
    dictionary functions; // that release, save and load opaque values
} symbol_collector;

void symbols_append(symbol_collector *collector, symbol symbol);

// Appends the symbols of a scope. Prefix and package of the subject are set here.
void symbols_collect(symbol_collector *collector, symbol_scope scope, symbol_subject subject, symbol_origin origin);

// Appends the symbols of the world: of its messages, manual nodes and systems. (symbols_world.c)
void symbols_collect_world(symbol_collector *collector);

// Appends the functions of the jobs of a parallel system. (symbols_job.c)
void symbols_collect_job(symbol_collector *collector, const declared_system *system, symbol_origin origin);

#endif
