// The output of a function on stderr, in a child process.
#ifndef KIN_TESTS_RUNTIME_STDERR_OF_H
#define KIN_TESTS_RUNTIME_STDERR_OF_H

// Returns what `attempt` writes to stderr. Valid until the next call.
const char *stderr_of(void (*attempt)(void));

// The same for a function that must end with abort(); NULL on machines without other processes.
const char *stderr_of_abort(void (*attempt)(void));

#endif
