// Drops: what tests/runtime/test_owned.c notes of the opaque values of package attic.
#ifndef KIN_TESTS_RUNTIME_DROPS_H
#define KIN_TESTS_RUNTIME_DROPS_H

// The numbers of the tokens dropped since the last time, in order: "1 2 ".
const char *drops(void);

#endif
