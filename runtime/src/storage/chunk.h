// Chunks and slots: where entities and their components are stored. storage.h has the picture; pool.h chooses the slot
// of a new entity.
//
// A chunk is never moved, and released only with the context.
//
// Invariants, checked by kin__context_is_valid():
//   1. a chunk and a component have each other's bit, in `present` and kin__chunk_present, exactly where
//      columns[component] is not the shared empty column
//   2. each chunk has an array of holders if and only if slots.counts_holders
//   3. living entities = created - destroyed; pending slots are those of dead entities that no pool has back yet
#ifndef KIN_SRC_CHUNK_H
#define KIN_SRC_CHUNK_H

#include "base/base.h"
#include "core/core.h"

// Appends a chunk that belongs to no pool. False when out of memory.
bool kin__chunk_append(kin_context *context);

// Releases all chunks and columns, when the context ends.
void kin__slots_release(kin_context *context);

// Gives all chunks, also those appended later, an array of holders. False, with nothing changed, when out of memory.
bool kin__holders_reserve(kin_context *context);

// Links an extension to the context, which calls it until it is removed or the context ends. Removing takes time linear
// in the number of extensions.
void kin__slot_extension_add(kin_context *context, kin__slot_extension *extension);
void kin__slot_extension_remove(kin_context *context, kin__slot_extension *extension);

// Returns which of 64 chunks may have matching entities: the components that the matcher needs have columns there.
uint64_t kin__chunks_present(const kin_context *context, const kin_matcher *normal, uint32_t word);

// Returns the bytes of all fields, without padding.
static inline size_t kin__fields_size(const kin_component_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->field_count; i++)
        size += info->fields[i].size;
    return size;
}

// Returns the bytes of a component's place in a column, or of its places in the columns of its fields.
static inline size_t kin__place_size(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    return info->is_boxed ? sizeof(void *) : info->is_soa ? kin__fields_size(info) : info->size;
}

// Returns the bytes that each value of a component has outside of the column. Shared values are counted on their own.
static inline size_t kin__cell_size(const kin_component_info *info)
{
    return info->is_boxed && !info->is_shared ? info->size : 0;
}

static inline kin__chunk *kin__chunk_of_slot(const kin_context *context, uint32_t slot)
{
    KIN_ASSERT(slot < context->chunk_count * KIN__CHUNK_SLOTS);
    return context->chunks[slot / KIN__CHUNK_SLOTS];
}

// Returns the column of a component in the chunk of a slot; the shared empty column if it does not exist.
static inline kin__column *kin__column_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__chunk_columns(kin__chunk_of_slot(context, slot), context->row_words)[id];
}

static inline bool kin__chunk_is_alive(const kin__chunk *chunk, uint32_t place)
{
    KIN_ASSERT(place < KIN__CHUNK_SLOTS);
    return kin__bits_have(chunk->alive, place);
}

// Returns which of the 64 slots around a slot are collected: an entry of a collector has the entity. (chunk.c)
uint64_t kin__collected_word(const kin_context *context, uint32_t slot);

// Returns how many entries of collectors have the entity of a slot. (chunk.c)
uint32_t kin__entries_of_slot(const kin_context *context, uint32_t slot);

static inline bool kin__is_held(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->holders != NULL && (chunk->holders[slot % KIN__CHUNK_SLOTS] > 0 ||
                                      (kin__collected_word(context, slot) >> (slot % 64) & 1) != 0);
}

// Returns the handle stored in a slot without a living entity. Slot 0 stores 1, because the handle 0, no entity, is
// looked up there.
static inline kin_entity kin__free_handle(uint32_t slot)
{
    return slot == 0;
}

// Marks the entity of a slot dead: its handle is no longer found.
static inline void kin__chunk_mark_dead(kin_context *context, kin__chunk *chunk, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(kin__chunk_is_alive(chunk, place));
    chunk->alive[place / 64] ^= (uint64_t)1 << (place % 64);
    chunk->ids[place] = kin__free_handle(slot);
    context->core->slots.deaths++;
}

// Returns how many entities were ever created, before resets too.
static inline uint64_t kin__created_count(const kin_context *context)
{
    const kin__core *core = context->core;
    return core->slots.created_before + context->next_creation_index - core->options.first_creation_index;
}

// Returns how many entities are alive, including those about to be destroyed.
static inline uint32_t kin__living(const kin_context *context)
{
    KIN_ASSERT(kin__created_count(context) >= context->core->slots.deaths);
    return (uint32_t)(kin__created_count(context) - context->core->slots.deaths);
}

// Returns how many slots are not free: of entities that are alive, being destroyed, or dead and held.
static inline uint32_t kin__slots_used(const kin_context *context)
{
    return kin__living(context) + context->core->slots.pending;
}

// Returns a number that grows with each entity created or destroyed, and each restore.
static inline uint64_t kin__population_stamp(const kin_context *context)
{
    return kin__created_count(context) + context->core->slots.deaths + context->core->slots.rewinds;
}

static inline uint64_t *kin__row_of(const kin_context *context, uint32_t slot)
{
    return kin__chunk_row(kin__chunk_of_slot(context, slot), context->row_words, slot % KIN__CHUNK_SLOTS);
}

// Writes the entities of the slots in `match`, all alive, up to `capacity`; returns how many there are in all.
uint32_t kin__entities_of_words(const kin__chunk *chunk, const uint64_t match[KIN__CHUNK_WORDS], kin_entity *entities,
                                uint32_t capacity);

#endif
