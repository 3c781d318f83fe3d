// Golden: contexts of fixed states, whose saves are in tests/saves/FORMAT, and are written alike on every machine.
#ifndef KIN_TESTS_SAVE_GOLDEN_H
#define KIN_TESTS_SAVE_GOLDEN_H

#include "buffer.h"

enum { GOLDEN_SAVES = 3 };

extern const char *const golden_names[GOLDEN_SAVES];

// Returns a context of the package, empty or in the state of the save. Destroy it by golden_destroy.
kin_context *golden_create(int number, bool is_filled);
void golden_destroy(kin_context *context);

// Writes a snapshot of the context, and returns its hash.
uint64_t golden_write(kin_context *context, buffer *file);

#endif
