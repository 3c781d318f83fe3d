/// Iterator: where a loop over a declared group stands. Generated code wraps it in a struct with the typed columns.
///
/// Places are visited by ascending slot, in runs (as long as the matching slots lie side by side within a chunk) or in
/// blocks of 64 slots with a mask of those that match. What matches is asked anew for each run or block, so any change
/// is allowed inside the loop; a run that was handed out keeps its length and columns.
#ifndef KIN_GENERATED_ITERATOR_H
#define KIN_GENERATED_ITERATOR_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__iterator {
    const kin_context *context;
    const kin_group *group;
    const kin__chunk *chunk;
    uint64_t place; // chunk number << 32 | first place of the run or block << 16 | the place behind it
    uint32_t start; // the first place
    uint32_t count; // places of the run
    uint64_t mask;  // of the block
} kin__iterator;

// Where the next run is; `chunk` is NULL when there is none. The next block; `mask` is 0 when there is none.
typedef struct kin__stretch {
    const kin__chunk *chunk;
    uint64_t place;
} kin__stretch;

typedef struct kin__masked {
    uint64_t mask, place;
} kin__masked;

static inline kin__iterator kin__iterator_begin(kin_context *context, uint32_t group_number)
{
    kin__iterator iterator = {context, context->groups[group_number], NULL, 0, 0, 0, 0};
    return iterator;
}

// Place and answer go by value, in registers: then compilers know that nothing written in the loop changes its columns
// or count, make vector instructions of it, and no step waits for what the one before wrote to memory.
KIN_API kin__stretch kin__iterator_next(const kin_group *group, uint64_t place);
KIN_API kin__masked kin__iterator_next_block(const kin_group *group, uint64_t place);

static inline bool kin__iterator_step(kin__iterator *iterator)
{
    kin__stretch found = kin__iterator_next(iterator->group, iterator->place);
    iterator->place = found.place;
    iterator->chunk = found.chunk;
    iterator->start = (uint32_t)(found.place >> 16) & 0xFFFF;
    iterator->count = ((uint32_t)found.place & 0xFFFF) - iterator->start;
    return found.chunk != NULL;
}

static inline bool kin__iterator_step_block(kin__iterator *iterator)
{
    kin__masked found = kin__iterator_next_block(iterator->group, iterator->place);
    iterator->place = found.place;
    iterator->mask = found.mask;
    if (found.mask == 0)
        return false;
    iterator->chunk = iterator->context->chunks[found.place >> 32];
    iterator->start = (uint32_t)(found.place >> 16) & 0xFFFF;
    return true;
}

// The column of a component from the start of the run or block on.
static inline void *kin__iterator_column(const kin__iterator *iterator, kin_component_id id, uint32_t row_words,
                                         size_t size)
{
    return kin__column_value(kin__chunk_columns(iterator->chunk, row_words)[id], iterator->start, size);
}

// The entity that is at the place now; 0 when none is.
static inline kin_entity kin__iterator_at(const kin__iterator *iterator, uint32_t index)
{
    kin_entity entity = iterator->chunk->ids[iterator->start + index];
    return kin_entity_creation_index(entity) != 0 ? entity : 0;
}

KIN_END_DECLARATIONS

#endif
