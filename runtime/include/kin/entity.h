/// Entities are handles: plain numbers that may be copied, compared, kept and sent.
#ifndef KIN_ENTITY_H
#define KIN_ENTITY_H

#include <kin/platform.h>

/// An entity of some context: creation index << 24 | slot.
///
/// 0 is never an entity. The creation index counts a context's entities from 1 and is not given out twice, so that a
/// handle whose entity was destroyed never means another one. It means something in its own context only; generated
/// code wraps it in a type for each context.
typedef uint64_t kin_entity;

/// A component of some context: its place among the context's components, sorted by name.
typedef uint16_t kin_component_id;

/// The slot of an entity: where its components are, below 2^24, used again once the entity is gone.
/// Cost: arithmetic on the handle, which may be of a dead entity.
static inline uint32_t kin_entity_slot(kin_entity entity)
{
    return (uint32_t)(entity & 0xFFFFFF);
}

/// The creation index of an entity: below 2^40. Cost: one shift.
static inline uint64_t kin_entity_creation_index(kin_entity entity)
{
    return entity >> 24;
}

#endif
