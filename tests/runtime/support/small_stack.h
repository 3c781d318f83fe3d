// Small stack: calls a function where deep recursion would crash.
#ifndef KIN_TESTS_RUNTIME_SMALL_STACK_H
#define KIN_TESTS_RUNTIME_SMALL_STACK_H

// Runs a function in a thread with a stack of 256 KiB.
void run_on_small_stack(void (*function)(void));

#endif
