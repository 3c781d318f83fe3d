// Memory steps: calls that need memory, in an order in which each can be made, for tests that refuse it to them.
//
// A step answers whether it succeeded, and can be tried again when it did not. What the steps make is in `made`, each
// thing when its step was first successful; `relay` is that of the relay case. One test at a time.
#ifndef KIN_TESTS_RUNTIME_MEMORY_STEPS_H
#define KIN_TESTS_RUNTIME_MEMORY_STEPS_H

#include "links_case.h"
#include "visible.h"

enum { STEP_GROUPS = 18 };

typedef struct memory_steps_made {
    guard memory;
    kin_context_options options;
    uint32_t told; // errors, and the last of them
    kin_status told_status;
    char told_message[512];
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

// Nothing is made yet; all that was made ends, and all memory has come back.
void memory_steps_begin(void);
void memory_steps_end(void);

// All that is visible of what was made, which is valid.
void memory_steps_look(visible *visible);

// The first three steps by themselves: the context, an entity, a group.
bool memory_step_context(void);
bool memory_step_entity(void);
bool memory_step_group(void);

#endif
