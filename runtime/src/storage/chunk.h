// Chunks and slots: where entities and their components are, and which slots are held. Which slot a new entity gets is
// in pool.h.
//
// A chunk is never moved or given back before the context ends.
#ifndef KIN_SRC_CHUNK_H
#define KIN_SRC_CHUNK_H

#include "core/core.h"

// One chunk more, which no pool has yet. False without memory.
bool kin__chunk_append(kin_context *context);

// All memory of chunks and columns.
void kin__slots_release(kin_context *context);

// From now on all chunks, later ones too, can count holders. False without memory.
bool kin__holders_reserve(kin_context *context);

// Begins and ends following a context.
void kin__slot_extension_add(kin_context *context, kin__slot_extension *extension);
void kin__slot_extension_remove(kin_context *context, kin__slot_extension *extension);

// 64 chunks at a time: those in which all components of the matcher's rules that are needed have a column.
uint64_t kin__chunks_present(const kin_context *context, const kin_matcher *normal, uint32_t word);

// Bytes of all fields, without padding.
static inline size_t kin__fields_size(const kin_component_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->field_count; i++)
        size += info->fields[i].size;
    return size;
}

// Bytes of a component's place in a column, or of its places in the columns of its fields.
static inline size_t kin__place_size(const kin_context *context, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    return info->is_boxed ? sizeof(void *) : info->is_soa ? kin__fields_size(info) : info->size;
}

static inline kin__chunk *kin__chunk_of_slot(const kin_context *context, uint32_t slot)
{
    return context->chunks[slot / KIN__CHUNK_SLOTS];
}

static inline bool kin__chunk_is_alive(const kin__chunk *chunk, uint32_t place)
{
    return kin__bits_have(chunk->alive, place);
}

static inline bool kin__is_held(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    return chunk->holders != NULL && chunk->holders[slot % KIN__CHUNK_SLOTS] > 0;
}

// What stands in a place that no living entity has. The zero handle looks at slot 0, which must not hold a zero.
static inline kin_entity kin__free_handle(uint32_t slot)
{
    return slot == 0;
}

// The entity of a slot is dead: nobody finds it any more.
static inline void kin__chunk_mark_dead(kin_context *context, kin__chunk *chunk, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    chunk->alive[place / 64] ^= (uint64_t)1 << (place % 64);
    chunk->ids[place] = kin__free_handle(slot);
    context->core->slots.deaths++;
}

static inline uint64_t kin__created_count(const kin_context *context)
{
    const kin__core *core = context->core;
    return core->slots.created_before + context->next_creation_index - core->options.first_creation_index;
}

// How many entities are alive, also those that are told to leave.
static inline uint32_t kin__living(const kin_context *context)
{
    return (uint32_t)(kin__created_count(context) - context->core->slots.deaths);
}

// Slots that are not free: those of entities that are alive, being stripped, or dead and held.
static inline uint32_t kin__slots_used(const kin_context *context)
{
    return kin__living(context) + context->core->slots.pending;
}

// A number that grows with each birth and death.
static inline uint64_t kin__population_stamp(const kin_context *context)
{
    return kin__created_count(context) + context->core->slots.deaths;
}

static inline uint64_t *kin__row_of(const kin_context *context, uint32_t slot)
{
    return kin__chunk_row(kin__chunk_of_slot(context, slot), context->row_words, slot % KIN__CHUNK_SLOTS);
}

// Appends the living entities of `match`, a word for each 64 slots of a chunk; returns how many there are.
uint32_t kin__entities_of_words(const kin__chunk *chunk, const uint64_t match[KIN__CHUNK_WORDS], kin_entity *entities,
                                uint32_t capacity);

#endif
