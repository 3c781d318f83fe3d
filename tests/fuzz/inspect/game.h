// The games of the fuzzers of the inspector: one with all kinds of fields, and one with lists.
#ifndef KIN_TESTS_FUZZ_INSPECT_GAME_H
#define KIN_TESTS_FUZZ_INSPECT_GAME_H

#include <kin/kin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Stops with a sentence: the fuzzer keeps the input.
#define REQUIRE(condition)                                                                                             \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

enum { GAME_ENTITIES = 8 };

// Create the context game of package everything, and shop of satchel, with entities of which each has some components,
// with the values of the schema.
kin_context *game_begin(void);
kin_context *shop_begin(void);

// For options.
void game_ignore_error(const kin_error *error, void *user);

// Returns the bytes as a text of its own size, so that reading behind it is found. The caller frees it.
char *text_of(const uint8_t *bytes, size_t size);

#endif
