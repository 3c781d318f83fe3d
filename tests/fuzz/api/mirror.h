// Mirror: which entity of a game context has which component, kept from what operations return.
//
// The mirror follows operations outside of callbacks during which no callback performs another. After any other change
// it is unknown, and is read from the context before it is used again.
#ifndef KIN_TESTS_FUZZ_API_MIRROR_H
#define KIN_TESTS_FUZZ_API_MIRROR_H

#include "harness.h"

// Reads the mirror from the context if it is unknown; in a callback it stays unknown.
void mirror_sync(uint32_t package);
void mirror_lose(uint32_t package);
void mirror_release(void);

bool mirror_is_known(uint32_t package);
bool mirror_is_alive(uint32_t package, kin_entity entity);
uint32_t mirror_components(uint32_t package, kin_entity entity); // bit by id; 0 for none
bool mirror_has(uint32_t package, kin_entity entity, kin_component_id id);
kin_entity mirror_carrier(uint32_t package, kin_component_id id); // the first entity that has it; 0: none

// Record the effect of an operation. Each function compares the entity with the context.
void mirror_create(uint32_t package, const attempt *attempt, kin_entity entity, uint32_t components);
void mirror_destroy(uint32_t package, const attempt *attempt, kin_entity entity);
void mirror_set(uint32_t package, const attempt *attempt, kin_entity entity, uint32_t components);
void mirror_keep(uint32_t package, const attempt *attempt); // no change

// Call between two operations outside of callbacks: a mirror that none of the calls above has updated becomes unknown.
void mirror_begin_operation(void);
void mirror_end_operation(bool changes);

// Compares all entities.
void mirror_compare(uint32_t package);

#endif
