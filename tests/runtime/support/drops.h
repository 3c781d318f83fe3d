// Drops: the opaque values of package attic that tests/runtime/store/test_owned.c has seen dropped.
#ifndef KIN_TESTS_RUNTIME_DROPS_H
#define KIN_TESTS_RUNTIME_DROPS_H

// The numbers of the tokens dropped since the last call, in order: "1 2 ".
const char *drops(void);

#endif
