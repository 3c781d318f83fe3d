// Machine: what a figure depends on beside the code: compiler, flags, processor; and what can be done to keep it steady.
#ifndef KIN_BENCH_MACHINE_H
#define KIN_BENCH_MACHINE_H

#include <stdbool.h>

typedef struct machine {
    const char *compiler, *flags;
    char processor[128];
    bool is_pinned; // to one processor
} machine;

// Pins the program to a processor where that is allowed, and has freed memory stay in the program: timed turns measure
// the libraries, not the kernel's page faults.
machine machine_prepare(void);

#endif
