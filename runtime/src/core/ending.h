// Endings: marks of entities that will be destroyed in a cascade (destroy/cascade.h), which are alive until then.
//
//   endings[chunk] → [ mark | mark | … ]   one for each slot; 0: not in a cascade
//
// A cascade stores in the mark of an entity to which one it returns afterwards, so that it needs no other memory. It
// reserves marks with the links of relations (relation/relation.h).
//
// Invariant: slots.about_to_be_destroyed counts the marked entities, and the frames that are marked so.
//
// Cost: 4 bytes a slot of chunks with holders or targets.
#ifndef KIN_SRC_ENDING_H
#define KIN_SRC_ENDING_H

#include "core/core.h"

// Returns the mark of a slot; NULL if its chunk has none.
static inline uint32_t *kin__ending_of(const kin_context *context, uint32_t slot)
{
    const kin__array *endings = &context->core->slots.endings;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    uint32_t *marks = number < endings->capacity ? ((uint32_t *const *)endings->elements)[number] : NULL;
    return marks == NULL ? NULL : &marks[slot % KIN__CHUNK_SLOTS];
}

// Returns whether the entity in a slot is in a cascade.
static inline bool kin__is_ending(const kin_context *context, uint32_t slot)
{
    const uint32_t *mark = kin__ending_of(context, slot);
    return mark != NULL && *mark != 0;
}

// Reserves the marks of a slot's chunk. False when out of memory.
bool kin__endings_reserve(kin_context *context, uint32_t slot);

// Releases the marks of a chunk, none of which is set.
void kin__endings_trim(kin_context *context, uint32_t number);
void kin__endings_release(kin_context *context);
size_t kin__endings_used(const kin_context *context);

// Returns the number of marked slots. Looks at each.
uint32_t kin__endings_count(const kin_context *context);

#endif
