// Links case: two contexts of package links on one guard, with log_error as their error handler.
#ifndef KIN_TESTS_RUNTIME_LINKS_CASE_H
#define KIN_TESTS_RUNTIME_LINKS_CASE_H

#include "relay_case.h"

#include <links/links.h>

extern dock_context *dock;
extern sea_context *sea;
extern guard links_memory;

void links_begin(void);

// Checks and destroys the contexts that a test has not destroyed and set to NULL, and checks that all memory is free.
void links_end(void);

// Options for systems, with the allocator and handler of the contexts.
kin_context_options links_options(void);

// The groups of all entities that have cargo.
kin_group *dock_cargo(void);
kin_group *sea_cargo(void);

dock_entity dock_entity_with_cargo(int32_t weight);
sea_entity sea_entity_with_cargo(int32_t weight);

// Writes "d1 s2 ": the context's first letter and the creation index.
void links_write(const kin_context *context, kin_entity entity);

#endif
