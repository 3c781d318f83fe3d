// Sweepers: the systems behind `cleanup` in a schema. Each goes over the entities that had its component when it began.
//
// Which those were is copied bit by bit before the first change, into room that grows with the context, so that a
// cleanup needs no memory and is told of nothing that comes meanwhile.
#ifndef KIN_SRC_CLEANUP_SYSTEM_H
#define KIN_SRC_CLEANUP_SYSTEM_H

#include "core/core.h"

#include <kin/systems.h>

typedef struct kin__cleanup_system {
    kin__slot_extension extension; // the first member, so that one is the other
    kin__memory memory;
    kin_context *context; // NULL once it has ended
    kin__cleanup cleanup;
    uint64_t *marked; // a bit a slot
    uint32_t slot_count;
} kin__cleanup_system;

// NULL without memory.
kin__cleanup_system *kin__cleanup_system_create(kin_context *context, kin__cleanup cleanup);
void kin__cleanup_system_destroy(kin__cleanup_system *cleanup_system);

// The cleanup phase of its system; `self` is the sweeper.
void kin__cleanup_system_run(void *self);

#endif
