// Machine: the compiler, its flags and the processor, on which figures depend, and settings that keep figures steady.
#ifndef KIN_BENCH_MACHINE_H
#define KIN_BENCH_MACHINE_H

#include <stdbool.h>

typedef struct machine {
    const char *compiler, *flags;
    char processor[128];
    bool is_pinned; // the program runs on one processor only
} machine;

// Pins the program to a processor if that is allowed, and lets malloc keep freed memory: timed turns measure the
// libraries, not the kernel's page faults.
machine machine_prepare(void);

#endif
