// Memory: what an entity with two vectors costs over the 24 bytes of its values, on both sides (row s).
//
// Each side fills its million entities in a process of its own, so that what others left in the heap is not counted:
// the pages that it then has more than before are `resident`, and `held` is what its allocator was asked for.
#ifndef KIN_BENCH_MEMORY_H
#define KIN_BENCH_MEMORY_H

#include <stdbool.h>

enum { MEMORY_ENTITIES = 1000000, MEMORY_PAYLOAD = 24, MEMORY_BAR = 18 };

// Bytes an entity. `peak`: the most pages at any time.
typedef struct memory_side {
    double resident, peak, held;
} memory_side;

typedef struct memory_figures {
    memory_side hand, kin;
    bool agree; // both could be measured
} memory_figures;

// To be called before the allocator's ways are changed.
memory_figures memory_measure(void);

#endif
