// Last values: the values that components had when they were removed, for event systems that deliver the removal later,
// and for the stash.
//
//   core.last_values[component] → blocks, one for each chunk in which the component has a column
//     block   kept[8]             one bit a slot: the block has its value
//             stashed[8]          one bit a slot: the value is stashed (stash.h)
//             holds[512]          how many collector entries, and the stash, still need the value of the slot
//             owned_blocks[512]   the owned block of each value
//             values[512]         the values; of a boxed component: pointers to the cells
//
// All holders of a slot need the same value: that of its last removal. A removal moves the value here before it is
// notified, as its listeners may add holds, and retires the value after that unless it is held. A block is made with
// its column, so that a removal never allocates. Moving a value costs a copy of it, or of its cell's address.
//
// Invariants, checked by kin__last_values_are_valid():
//   1. while there are users, a chunk that has a column of the component has a block
//   2. a held value is kept; other values are kept only while their removal is notified
//   3. a stashed value is held, of a living entity that does not have the component
#ifndef KIN_SRC_LAST_VALUE_H
#define KIN_SRC_LAST_VALUE_H

#include "storage/value.h"

typedef struct kin__last_values {
    kin_component_id id;
    uint32_t users;    // event systems, and the stash
    bool is_stash;     // the stash is a user
    kin__array blocks; // of kin__last_value_block *, by chunk; NULL: none
} kin__last_values;

typedef struct kin__last_value_block {
    uint64_t kept[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    uint32_t holds[KIN__CHUNK_SLOTS];
    kin__owned_block *owned_blocks[KIN__CHUNK_SLOTS];
} kin__last_value_block;

_Static_assert(sizeof(kin__last_value_block) % KIN__CACHE_LINE == 0,
               "values follow the struct, aligned like a column's");

// Returns the bytes of a kept value: of a pointer if it is boxed, else of the struct, also for a soa component.
static inline size_t kin__last_value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed ? sizeof(void *) : kin__value_size(context, id);
}

// Returns the block of a chunk, or NULL.
static inline kin__last_value_block *kin__last_value_block_of(const kin__last_values *last_values, uint32_t chunk)
{
    return chunk < last_values->blocks.capacity ? ((kin__last_value_block *const *)last_values->blocks.elements)[chunk]
                                                : NULL;
}

static inline bool kin__last_value_block_has(const kin__last_value_block *block, uint32_t place)
{
    return kin__bits_have(block->kept, place);
}

static inline bool kin__last_value_block_stashes(const kin__last_value_block *block, uint32_t place)
{
    return kin__bits_have(block->stashed, place);
}

// Returns how many values the block has.
static inline uint32_t kin__last_value_block_count(const kin__last_value_block *block)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(block->kept[word]);
    return count;
}

static inline bool kin__has_column(const kin_context *context, uint32_t chunk, kin_component_id id)
{
    KIN_ASSERT(chunk < context->chunk_count);
    return kin__chunk_columns(context->chunks[chunk], context->row_words)[id] != context->empty;
}

// Returns NULL if the last values of the component are not needed.
static inline kin__last_values *kin__last_values_of(const kin_context *context, kin_component_id id)
{
    return context->core->last_values == NULL ? NULL : context->core->last_values[id];
}

// Adds a user of the last values of a component, which is not a flag. NULL when out of memory.
kin__last_values *kin__last_values_add_user(kin_context *context, kin_component_id id);

// Removes a user, whose holds have ended.
void kin__last_values_remove_user(kin_context *context, kin__last_values *last_values);

// Makes the block for a column that is about to be made. False when out of memory.
bool kin__last_values_reserve(kin_context *context, uint32_t chunk, kin_component_id id);

// Moves the value of a removed component here, before the removal is notified. Its old address can be read until the
// place is used again. False, with nothing changed, if its last values are not needed.
bool kin__last_value_save(kin_context *context, uint32_t slot, kin_component_id id);

// Retires a saved value unless it is held, after the removal was notified. False if none was saved.
bool kin__last_value_settle(kin_context *context, uint32_t slot, kin_component_id id);

// Adds and removes a hold of a kept value. The last hold removed retires the value, unless its removal is being
// notified.
void kin__last_value_add_hold(const kin__last_values *last_values, uint32_t slot);
void kin__last_value_remove_hold(kin_context *context, const kin__last_values *last_values, uint32_t slot);

// Returns the kept value of a slot, with its storage.
kin__value_storage kin__last_value_storage(const kin_context *context, const kin__last_values *last_values,
                                           uint32_t slot);

// Releases last values without users, and blocks without a column and without values.
void kin__last_values_trim(kin_context *context);

// Returns the size of the kept values, in bytes.
size_t kin__last_values_used(const kin_context *context);

// Retires all values and releases all blocks, when the context ends.
void kin__last_values_release(kin_context *context);

bool kin__last_values_are_valid(const kin_context *context);

// ---- between the parts of last values

// Makes the block of a chunk. False when out of memory.
bool kin__last_values_reserve_block(kin_context *context, kin__last_values *last_values, uint32_t chunk);

// Returns the place of a slot, whose chunk has a block.
void *kin__last_value_place(const kin_context *context, const kin__last_values *last_values, uint32_t slot);

// Retires a kept value, whoever holds it. The caller settles.
void kin__last_value_retire(kin_context *context, const kin__last_values *last_values, uint32_t slot);

#endif
