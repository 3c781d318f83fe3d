// Faults: makes one chosen system call fail, or kills the process at it.
//
// The linker wraps the system calls of the whole test program (see tests.mk). The wrappers forward every call to the
// system, except the chosen one. fsync does nothing: no test can observe it, and it would slow each down. Calls
// that libc makes internally are not wrapped.
#ifndef KIN_TESTS_FAULTS_H
#define KIN_TESTS_FAULTS_H

#include <stdbool.h>

enum {
    FAULT_KILL = -1, // end the process by SIGKILL; a write first writes half of its bytes
    FAULT_SHORT = -2 // a write takes half of its bytes, and returns so; other calls succeed
};

// Makes the call number `at` from now, counted from 0, fail with the errno `fault`, or do what the fault says. All
// others succeed.
void faults_arm(int at, int fault);

// Cancels the fault. Returns whether the call was made and failed.
bool faults_disarm(void);

#endif
