#include "check/private/symbols_collector.h"

#include <string.h>

void symbols_append(symbol_collector *collector, symbol symbol)
{
    symbol_list *list = &collector->list;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        struct symbol *symbols = arena_allocate(collector->arena, capacity * sizeof *symbols);
        if (list->count > 0)
            memcpy(symbols, list->symbols, list->count * sizeof *symbols);
        list->symbols = symbols;
        list->capacity = capacity;
    }
    list->symbols[list->count++] = symbol;
}

void symbols_collect(symbol_collector *collector, symbol_scope scope, symbol_subject subject, symbol_origin origin)
{
    subject.prefix = collector->package->prefix;
    subject.package = collector->package->name;
    subject.stem = schema_macro_stem(collector->arena, collector->package);
    symbol_words words = symbol_words_create(collector->arena, &subject);
    for (const symbol_pattern *row = symbol_patterns; row->pattern != NULL; row++) {
        if (row->scope != scope)
            continue;
        bool is_macro = row->kind == SYMBOL_MACRO;
        symbols_append(collector, (symbol){.kind = is_macro ? SYMBOL_NAME : row->kind,
                                           .is_macro = is_macro,
                                           .name = symbol_expand(&words, row->pattern),
                                           .origin = origin.description,
                                           .span = origin.span});
    }
}
