// Trial: any bytes as a schema, and what must hold of the answer whatever they are.
//
//   1. there is a model exactly where no error was reported
//   2. every place lies in its source and begins no later than it ends
//   3. all that is printed is UTF-8 without control characters but line breaks and tabs
//   4. nobody reads libyaml's own words, and none of its faults is left without a sentence of ours
//
// The fuzzer and the tests share it; it knows nothing of Check.
#ifndef KIN_TESTS_TRIAL_H
#define KIN_TESTS_TRIAL_H

#include <stddef.h>

// Reads the bytes as the schema at `path`, whose directory its includes are relative to. NULL when all of it holds;
// otherwise what does not, valid until the next trial.
const char *trial_of_schema(const char *path, const char *bytes, size_t size);

#endif
