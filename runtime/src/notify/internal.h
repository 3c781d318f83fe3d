// What the files of the room notify share with no other room: the parts of collectors.
#ifndef KIN_SRC_NOTIFY_INTERNAL_H
#define KIN_SRC_NOTIFY_INTERNAL_H

#include "notify/notify.h"

// Buffers of two sides (notify.h).

// Reserves room for `least` elements on both sides. If the taken side `is_read`, it stays where it is. False when out
// of memory.
bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, uint32_t least, bool is_read);

// Swaps the sides. None is read.
void kin__buffer_swap(kin__buffer *buffer);

// The taken side is no longer read: it becomes what was reserved meanwhile.
void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer);

// Gives back the memory that `least` elements do not need. No side is read.
void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least);

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer);

// Sources of collectors.

// Returns the source of a trigger's subscriber, or NULL (collect.c); and whether a restore lets it collect
// (collector.c).
const kin__source *kin__source_of_trigger(const kin__subscriber *subscriber);
bool kin__source_is_notified(const kin__source *source);

// The rest of kin__collect for a source that is not simple: the entity was appended. (collector.c)
void kin__collect_general(kin__source *source, kin_entity entity);

// Sets where the entities of both sides are, after the buffer was reserved, swapped, settled or trimmed.
static inline void kin__source_refresh(kin__source *source)
{
    source->sides[KIN__COLLECTING].entities = source->entries.sides[KIN__COLLECTING].elements;
    source->sides[KIN__TAKEN].entities = source->entries.sides[KIN__TAKEN].elements;
}

// Traces.

// Notes which of the taken entities the filter has kept, while the rejected ones are slots.
void kin__trace_judge(kin_collector *collector);

#endif
