// Visible: the visible state of a context and of collectors, as text, so that two states can be compared.
//
// Reading does not change the state: it calls no function that keeps an array or needs memory.
#ifndef KIN_TESTS_RUNTIME_VISIBLE_H
#define KIN_TESTS_RUNTIME_VISIBLE_H

#include <kin/kin.h>

enum { VISIBLE_SIZE = 1 << 18 };

typedef struct visible {
    size_t size;
    char text[VISIBLE_SIZE];
} visible;

void visible_begin(visible *visible);

// Counts, every slot's entity with its values (strings and boxed values by content), its holders and listeners, every
// group with its members and listeners, every index with its keys, and the entities of unique components.
void visible_add_context(visible *visible, const kin_context *context);

// The collected entities, in order. NULL is allowed.
void visible_add_collector(visible *visible, const kin_collector *collector);

#endif
