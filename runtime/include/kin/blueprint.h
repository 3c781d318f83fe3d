/// Blueprints, as generated code sees them. Not for users; it changes with the interface.
///
/// A blueprint has a number: its place in `blueprints` of the context's info, which is by name.
#ifndef KIN_BLUEPRINT_H
#define KIN_BLUEPRINT_H

#include <kin/storage.h>

KIN_BEGIN_DECLARATIONS

// Entities that are spawned by one call. `values` has an array of `count` values for each part, NULL: the blueprint's;
// or is NULL itself. `entities` gets the handles; NULL: nobody asks.
typedef struct kin__batch {
    uint32_t count;
    const void *const *values;
    kin_entity *entities;
} kin__batch;

// An entity with the blueprint's parts. 0 where it is refused.
KIN_API kin_entity kin__spawn(kin_context *context, uint32_t blueprint);

// The same `count` times, all steps checked before the first.
KIN_API kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch);

// Gives the entity the blueprint's parts, replacing what it has.
KIN_API kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity);

KIN_END_DECLARATIONS

#endif
