/// Entity handles: plain numbers that you may copy, compare, store and send.
#ifndef KIN_ENTITY_H
#define KIN_ENTITY_H

#include <kin/platform.h>

/// A handle to an entity: creation index << 24 | slot.
///
/// 0 is never an entity. The creation index counts the entities of a context from 1 and is never reused, so the handle
/// of a destroyed entity never refers to another entity. A handle is valid only in its own context; generated code
/// wraps it in a distinct type for each context.
typedef uint64_t kin_entity;

/// A component of a context: its index in the context's list of components, which is sorted by name.
typedef uint16_t kin_component_id;

KIN_BEGIN_DECLARATIONS

/// Returns the slot of an entity: the storage index of its components, below 2^24. A slot is reused after its entity is
/// destroyed and released. The handle may be that of a dead entity. Cost: one mask.
static inline uint32_t kin_entity_slot(kin_entity entity)
{
    return (uint32_t)(entity & 0xFFFFFF);
}

/// Returns the creation index of an entity, below 2^40. Cost: one shift.
static inline uint64_t kin_entity_creation_index(kin_entity entity)
{
    return entity >> 24;
}

KIN_END_DECLARATIONS

#endif
