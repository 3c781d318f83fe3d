// Blueprints: what entities that are spawned get, worked out once for each context.
//
//   kin_context.blueprints[number]
//     pool     the slots of its entities
//     parts    [ id | size | value ] …       by id, each value once, as the schema has it
//     row      a bit a component, as the rows of its entities begin
//
//   make, unique, refusals       blueprint.c
//   keys of indices              blueprint_keys.c
//   one, where nobody listens    <kin/generated/blueprint.h>, inlined
//   one by one, with all checks  spawn.c
//   in bulk, where nobody asks   spawn_fast.c
//   to an entity that is there   apply.c
//
// Spawning and applying check all steps first. What they need is made ready then: slots, columns, room in indices, and
// for values that own something, or are boxed, a room for each.
#ifndef KIN_SRC_BLUEPRINT_H
#define KIN_SRC_BLUEPRINT_H

#include "storage/pool.h"
#include "storage/value.h"

#include <kin/generated/blueprint.h>

// Makes those of the context's info. False without memory.
bool kin__blueprints_make(kin_context *context);
void kin__blueprints_release(kin_context *context);

// The bytes that they take.
size_t kin__blueprints_used(const kin_context *context);

// The value that the `index`-th entity of the batch gets for a part: NULL of a flag. Without a batch the blueprint's.
static inline const void *kin__part_value(const kin__blueprint *blueprint, const kin__batch *batch, uint32_t part,
                                          uint32_t index)
{
    const kin__part *place = &blueprint->parts[part];
    if (batch == NULL || batch->values == NULL || batch->values[part] == NULL || place->size == 0)
        return place->value;
    return (const char *)batch->values[part] + (size_t)index * place->size;
}

// What is tried with a blueprint: spawning a batch, or applying it to an entity.
typedef struct kin__use {
    const kin__blueprint *blueprint;
    const kin__batch *batch; // NULL: it is applied
    kin_entity entity;       // to this one
} kin__use;

// Tells that it cannot be done, for a part of it or KIN__NO_PART; `reason` as in kin__attempt.
#define KIN__NO_PART UINT32_MAX
kin_status kin__use_refuse(const kin_context *context, const kin__use *use, kin_status status, uint32_t part,
                           const char *reason);

// Whether unique components, then indices, allow it; else tells why not.
kin_status kin__use_check_unique(const kin_context *context, const kin__use *use);
kin_status kin__use_check_keys(kin_context *context, const kin__use *use);

#endif
