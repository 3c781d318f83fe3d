// Faults: a system call that fails, or that its process does not survive.
//
// The test program is linked so that the calls of everything in it come here first (see tests.mk). They go on to the
// system, but for the one that was chosen; and nothing is ever synced, which no test could tell and each would wait
// for. What libc calls within itself does not come by.
#ifndef KIN_TESTS_FAULTS_H
#define KIN_TESTS_FAULTS_H

#include <stdbool.h>

enum { FAULT_KILL = -1 }; // as by `kill -9`: a write has then written the half of it

// The call number `at` from here, counted from 0, fails with that errno. It is the only one.
void faults_arm(int at, int fault);

// Whether it came to that.
bool faults_disarm(void);

#endif
