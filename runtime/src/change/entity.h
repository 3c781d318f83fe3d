// Entities: creating them, and destroying them in the order that listeners can rely on.
#ifndef KIN_SRC_ENTITY_H
#define KIN_SRC_ENTITY_H

#include "core/core.h"

// The limit that creating so many entities would pass, in words, for which there is room in `text`; NULL: none.
enum { KIN__LIMIT_SIZE = 112 };
const char *kin__entities_find_limit(kin_context *context, uint32_t count, char text[KIN__LIMIT_SIZE]);

// How many entities those limits still allow, at most `count`.
uint32_t kin__entities_allowed(const kin_context *context, uint32_t count);

#define KIN__NO_SLOT_LEFT "all 2^24 slots are in use, which is the limit; destroy or release some"

// Makes sure that an entity can be created in a slot of the pool, or tells why not. Then creates it there; this does
// not fail.
kin_status kin__entity_reserve(kin_context *context, const kin__pool *pool, uint32_t *slot);
kin_entity kin__entity_begin(kin_context *context, kin__pool *pool);

// Does the same as kin__entity_reserve without a report: `reason` is that of a kin__attempt, and may be in `text`.
kin_status kin__entity_find_slot(kin_context *context, const kin__pool *pool, uint32_t *slot,
                                 char text[KIN__LIMIT_SIZE], const char **reason);

// Clones with all that a source may need; most have a shorter way (clone_fast.c).
kin_entity kin__entity_clone(kin_context *context, kin_entity source);

// Destroys a living entity. The change may nest (kin__dispatch_may_nest): this does not fail.
void kin__entity_end_fast(kin_context *context, kin_entity entity);

#endif
