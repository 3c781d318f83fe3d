// Entities: creating and listing them.
#ifndef KIN_SRC_ENTITY_H
#define KIN_SRC_ENTITY_H

#include "store/store.h"

// Describes the limit that creating so many entities would pass. `text` is a buffer for it. NULL: none would be passed.
enum { KIN__LIMIT_SIZE = 128 };
const char *kin__entities_find_limit(kin_context *context, uint32_t count, char text[KIN__LIMIT_SIZE]);

// The number of entities that those limits still allow, at most `count`.
uint32_t kin__entities_allowed(const kin_context *context, uint32_t count);

#define KIN__NO_SLOT_LEFT "all 2^24 slots are in use, which is the limit; destroy or release some entities"

// Reserves a slot of the pool for an entity, or reports why none can be created. Then creates it there, which does not
// fail.
kin_status kin__entity_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot);
kin_entity kin__entity_create_reserved(kin_context *context, kin__pool *pool);

// Does the same as kin__entity_reserve without a report: `reason` is that of a kin__attempt, and may point to `text`.
kin_status kin__entity_find_slot(kin_context *context, const kin__pool *pool, uint32_t *slot,
                                 char text[KIN__LIMIT_SIZE], const char **reason);

// Whether clones and copies of an entity have the component.
bool kin__entity_is_cloned(const kin_context *context, uint32_t id);

// Clones an entity in the general case.
kin_entity kin__entity_clone(kin_context *context, kin_entity source);

#endif
