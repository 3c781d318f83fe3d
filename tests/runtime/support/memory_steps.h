// Memory steps: calls that need memory, in an order in which each can be made, for tests that refuse the memory.
//
// A step returns whether it succeeded, and can be tried again otherwise. The results of the steps are in `made`, each
// from its first successful step; `relay` is that of the relay case. One test at a time.
#ifndef KIN_TESTS_RUNTIME_MEMORY_STEPS_H
#define KIN_TESTS_RUNTIME_MEMORY_STEPS_H

#include "links_case.h"
#include "visible.h"

enum { STEP_GROUPS = 18 };

typedef struct memory_steps_made {
    guard memory;
    kin_context_options options;
    uint32_t error_count; // and the last error
    kin_status error_status;
    char error_message[512];
    links_contexts *contexts;
    relay_entity first;
    kin_group *groups[STEP_GROUPS], *docked, *sailed;
    kin_collector *narrow, *broad, *across;
    kin_systems *root, *nested;
    kin_subscription subscription;
} memory_steps_made;

extern memory_steps_made made;

typedef bool memory_step(void);

extern memory_step *const memory_steps[];
extern const uint32_t memory_step_count;

// Begins without anything created; ends by destroying everything, and checks that all memory is free.
void memory_steps_begin(void);
void memory_steps_end(void);

// The visible state of all that was created, which must be valid.
void memory_steps_look(visible *visible);

// The first three steps: the context, an entity, a group.
bool memory_step_context(void);
bool memory_step_entity(void);
bool memory_step_group(void);

#endif
