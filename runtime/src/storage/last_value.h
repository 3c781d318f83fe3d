// Keepsakes: the values that components had when they were lost, for the event systems that still have to tell of it,
// and for those who stashed them.
//
//   core.keepsakes[component] → shadows, one for each chunk in which the component has a column
//     shadow   kept[8]          a bit a slot: its value is here
//              stashed[8]       likewise: it is stashed (stash.h)
//              waiting[512]     how many entries of collectors wait to tell of the slot's loss
//              parcels[512]     what each value owns
//              values[512]      the values; of a boxed component: the boxes
//
// All who wait want the same: the value that was lost last. It is moved here when a loss begins to be told, since
// nobody knows yet who will wait, and goes once that is over and nobody does. A shadow is made with its column, so that
// to lose a component needs no memory.
//
// Invariants, checked by kin__last_values_are_valid():
//   1. while there are users, a chunk that has the component's column has a shadow
//   2. a value is kept where somebody waits, and elsewhere only while its loss is told
#ifndef KIN_SRC_LAST_VALUE_H
#define KIN_SRC_LAST_VALUE_H

#include "storage/value.h"

typedef struct kin__last_values {
    kin_component_id id;
    uint32_t users;    // event systems, and the stash
    bool is_stash;     // which is one of them
    kin__array blocks; // of kin__last_value_block *, by chunk; NULL: none
} kin__last_values;

typedef struct kin__last_value_block {
    uint64_t kept[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    uint32_t waiting[KIN__CHUNK_SLOTS];
    kin__owned_block *owned_blocks[KIN__CHUNK_SLOTS];
} kin__last_value_block;

_Static_assert(sizeof(kin__last_value_block) % KIN__CACHE_LINE == 0,
               "values stand behind a shadow, aligned like a column's");

// Bytes of what is kept of a value: its box, or all of it also where fields have columns.
static inline size_t kin__kept_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed ? sizeof(void *) : kin__value_size(context, id);
}

// NULL: the chunk has none.
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

static inline uint32_t kin__last_value_block_count(const kin__last_value_block *block)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(block->kept[word]);
    return count;
}

static inline bool kin__has_column(const kin_context *context, uint32_t chunk, kin_component_id id)
{
    return kin__chunk_columns(context->chunks[chunk], context->row_words)[id] != context->empty;
}

// NULL: no event system waits for losses of the component.
static inline kin__last_values *kin__last_values_of(const kin_context *context, kin_component_id id)
{
    return context->core->last_values == NULL ? NULL : context->core->last_values[id];
}

// Those of a component that has values, for one user more. NULL without memory.
kin__last_values *kin__last_values_use(kin_context *context, kin_component_id id);

// One user less, for whom nothing waits.
void kin__last_values_leave(kin_context *context, kin__last_values *last_values);

// Makes the shadow of a column that is about to be made. False without memory.
bool kin__last_values_reserve(kin_context *context, uint32_t chunk, kin_component_id id);

// The loss of a component begins to be told: moves the value, of which the old address can still be read until the
// place is used again. False where the component has no keepsakes: the value is still where it was.
bool kin__last_value_take(kin_context *context, uint32_t slot, kin_component_id id);

// That loss has been told: gives up the value when nobody waits. False where none was moved.
bool kin__last_value_settle(kin_context *context, uint32_t slot, kin_component_id id);

// One entry more that waits, and one less.
void kin__last_value_hold(const kin__last_values *last_values, uint32_t slot);
void kin__last_value_let_go(kin_context *context, const kin__last_values *last_values, uint32_t slot);

// The value that somebody waits for.
kin__room kin__last_value_room(const kin_context *context, const kin__last_values *last_values, uint32_t slot);

// Gives back shadows of columns that there are not any more, and for which nobody waits.
void kin__last_values_trim(kin_context *context);

// Bytes of what somebody waits for.
size_t kin__last_values_used(const kin_context *context);

// Drops and frees everything, at the end of the context.
void kin__last_values_release(kin_context *context);

bool kin__last_values_are_valid(const kin_context *context);

#endif
