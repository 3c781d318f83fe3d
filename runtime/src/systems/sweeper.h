// Sweepers: the systems behind `cleanup` in a schema. Each goes over the entities that had its component when it began.
//
// Which those were is copied bit by bit before the first change, into room that grows with the context, so that a
// cleanup needs no memory and is told of nothing that comes meanwhile.
#ifndef KIN_SRC_SWEEPER_H
#define KIN_SRC_SWEEPER_H

#include "core/core.h"

#include <kin/systems.h>

typedef struct kin__sweeper {
    kin__follower follower; // the first member, so that one is the other
    kin__memory memory;
    kin_context *context; // NULL once it has ended
    kin__cleanup cleanup;
    uint64_t *marked; // a bit a slot
    uint32_t slot_count;
} kin__sweeper;

// NULL without memory.
kin__sweeper *kin__sweeper_create(kin_context *context, kin__cleanup cleanup);
void kin__sweeper_destroy(kin__sweeper *sweeper);

// The cleanup phase of its system; `self` is the sweeper.
void kin__sweeper_run(void *self);

#endif
