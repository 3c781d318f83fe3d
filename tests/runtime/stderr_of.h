// The output of a function on stderr.
#ifndef KIN_TESTS_RUNTIME_STDERR_OF_H
#define KIN_TESTS_RUNTIME_STDERR_OF_H

// Returns what `attempt` writes to stderr. Valid until the next call.
const char *stderr_of(void (*attempt)(void));

#endif
