// Trial: reads any bytes as a schema and checks what must hold of the result for every input.
//
//   1. a model is returned if and only if no error was reported
//   2. every span lies in its source and does not begin after its end
//   3. printed text is UTF-8 without control characters other than line breaks and tabs
//   4. messages never contain libyaml's wording, and each of its problems has a message of kin
//
// The fuzzer and the tests share it, so it does not use Check.
#ifndef KIN_TESTS_TRIAL_H
#define KIN_TESTS_TRIAL_H

#include <stddef.h>

// Reads the bytes as the schema at `path`; includes are relative to its directory. Returns NULL if all checks pass,
// else a description of the first that failed, valid until the next trial.
const char *trial_of_schema(const char *path, const char *bytes, size_t size);

#endif
