// Entities: creating them, and destroying them in the order that listeners can rely on.
#ifndef KIN_SRC_ENTITY_H
#define KIN_SRC_ENTITY_H

#include "core.h"

// Makes sure that an entity can be created, or tells why not. Then creates it; this does not fail.
kin_status kin__entity_reserve(kin_context *context);
kin_entity kin__entity_begin(kin_context *context);

// Destroys a living entity. The change may nest (kin__dispatch_may_nest): this does not fail.
void kin__entity_end(kin_context *context, kin_entity entity);

// Appends the living entities of `match`, a word for each 64 slots of a chunk; returns how many there are.
uint32_t kin__entities_of_words(const kin__chunk *chunk, const uint64_t match[KIN__CHUNK_WORDS], kin_entity *entities,
                                uint32_t capacity);

#endif
