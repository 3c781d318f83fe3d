// What a program says on stderr, for tests that expect it there.
#ifndef KIN_TESTS_RUNTIME_STDERR_OF_H
#define KIN_TESTS_RUNTIME_STDERR_OF_H

// What `attempt` writes to stderr. Valid until the next call.
const char *stderr_of(void (*attempt)(void));

#endif
