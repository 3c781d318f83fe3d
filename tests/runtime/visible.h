// Visible: all that can be seen of a context and of collectors, as text, so that two states can be compared.
//
// Looking does not change what is looked at: nothing is asked that keeps an array or needs memory.
#ifndef KIN_TESTS_RUNTIME_VISIBLE_H
#define KIN_TESTS_RUNTIME_VISIBLE_H

#include <kin/kin.h>

enum { VISIBLE_SIZE = 1 << 17 };

typedef struct visible {
    size_t size;
    char text[VISIBLE_SIZE];
} visible;

void visible_begin(visible *visible);

// Counts, every slot's entity with the bytes of its components, every group with its members.
void visible_add_context(visible *visible, const kin_context *context);

// What is collected, in order. NULL is allowed.
void visible_add_collector(visible *visible, const kin_collector *collector);

#endif
