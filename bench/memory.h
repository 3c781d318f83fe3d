// Memory: the overhead of an entity with two vectors over the 24 bytes of its values, on both sides (row s).
//
// Each side creates its million entities in a process of its own, so that earlier allocations are not counted.
// `resident` is the growth of the process's resident pages, `held` the bytes requested from its allocator.
#ifndef KIN_BENCH_MEMORY_H
#define KIN_BENCH_MEMORY_H

#include <stdbool.h>

enum { MEMORY_ENTITIES = 1000000, MEMORY_PAYLOAD = 24, MEMORY_BAR = 18 };

// Bytes per entity. `peak`: the maximum of resident pages.
typedef struct memory_side {
    double resident, peak, held;
} memory_side;

typedef struct memory_figures {
    memory_side hand, kin;
    bool agree; // both sides were measured
} memory_figures;

// Must be called before machine_prepare changes the allocator's settings.
memory_figures memory_measure(void);

#endif
