// Crowd: a context of any package, changed at random by id, for tests of snapshots.
//
// The changes of a seed are the same in equal contexts. All kinds of component, relations, blueprints and owners take
// part; changes that are refused are part of it.
#ifndef KIN_TESTS_RUNTIME_CROWD_H
#define KIN_TESTS_RUNTIME_CROWD_H

#include "runtime/support/guard.h"
#include "runtime/support/visible.h"

#include <kin/snapshot.h>

typedef struct crowd {
    kin_context *context;
    guard memory;
    uint64_t random;
    bool drops;      // opaque values take part
    uint32_t errors; // and the last one
    kin_status status;
} crowd;

enum { CROWDS = 6 };

// A context of the package with this number, below CROWDS.
void crowd_begin(crowd *crowd, uint32_t package);
void crowd_end(crowd *crowd);

// Makes changes, about half of them creations until the context has `population` entities.
void crowd_change(crowd *crowd, uint32_t changes, uint32_t population);

// What can be seen of it. It must be valid.
void crowd_look(const crowd *crowd, visible *visible);

#endif
