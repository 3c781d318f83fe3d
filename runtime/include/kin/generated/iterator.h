/// Iteration over a declared group, for generated code only. Changes with the interface version. Generated code wraps
/// the iterator in a struct with the typed columns.
///
/// Slots are visited in ascending order: either in runs, which are consecutive matching slots of a chunk, or in blocks
/// of 64 slots with a mask of those that match. Each step evaluates the group again, so any change is allowed inside
/// the loop; the current run keeps its length and columns.
///
/// With optional columns a run or block ends where the next member has other ones of these components than its first
/// member: so all its members have a component, or none does, and then the column is NULL.
///
/// The place of a slot is its index in its chunk.
#ifndef KIN__ITERATOR_H
#define KIN__ITERATOR_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__iterator {
    const kin_context *context;
    const kin_group *group;
    const kin__chunk *chunk;
    uint64_t place; // chunk number << 32 | first place of the run or block << 16 | end of the run or block
    uint32_t start; // first place of the run or block
    uint32_t count; // length of the run
    uint64_t mask;  // matching slots of the block
} kin__iterator;

// The next run. `chunk` is NULL after the last run; `place` is that of kin__iterator.
typedef struct kin__iterator_run {
    const kin__chunk *chunk;
    uint64_t place;
} kin__iterator_run;

// The next block. `mask` is 0 after the last block.
typedef struct kin__iterator_block {
    uint64_t mask, place;
} kin__iterator_block;

static inline kin__iterator kin__iterator_begin(kin_context *context, uint32_t group_number)
{
    kin__iterator iterator = {context, context->groups[group_number], NULL, 0, 0, 0, 0};
    return iterator;
}

// Arguments and results are passed by value, in registers. The compiler then knows that writes in the loop do not
// change the iterator's columns or count and can vectorize the loop, and a step does not wait for stores of the step
// before.
KIN_API kin__iterator_run kin__iterator_next(const kin_group *group, uint64_t place);
KIN_API kin__iterator_block kin__iterator_next_block(const kin_group *group, uint64_t place);

// The same with optional columns of the `count` components `maybe`.
KIN_API kin__iterator_run kin__iterator_next_split(const kin_group *group, uint64_t place,
                                                   const kin_component_id *maybe, uint32_t count);
KIN_API kin__iterator_block kin__iterator_next_block_split(const kin_group *group, uint64_t place,
                                                           const kin_component_id *maybe, uint32_t count);

static inline bool kin__iterator_take(kin__iterator *iterator, kin__iterator_run found)
{
    iterator->place = found.place;
    iterator->chunk = found.chunk;
    iterator->start = (uint32_t)(found.place >> 16) & 0xFFFF;
    iterator->count = ((uint32_t)found.place & 0xFFFF) - iterator->start;
    return found.chunk != NULL;
}

static inline bool kin__iterator_step(kin__iterator *iterator)
{
    return kin__iterator_take(iterator, kin__iterator_next(iterator->group, iterator->place));
}

static inline bool kin__iterator_step_split(kin__iterator *iterator, const kin_component_id *maybe, uint32_t count)
{
    return kin__iterator_take(iterator, kin__iterator_next_split(iterator->group, iterator->place, maybe, count));
}

static inline bool kin__iterator_take_block(kin__iterator *iterator, kin__iterator_block found)
{
    iterator->place = found.place;
    iterator->mask = found.mask;
    if (found.mask == 0)
        return false;
    iterator->chunk = iterator->context->chunks[found.place >> 32];
    iterator->start = (uint32_t)(found.place >> 16) & 0xFFFF;
    return true;
}

static inline bool kin__iterator_step_block(kin__iterator *iterator)
{
    return kin__iterator_take_block(iterator, kin__iterator_next_block(iterator->group, iterator->place));
}

static inline bool kin__iterator_step_block_split(kin__iterator *iterator, const kin_component_id *maybe,
                                                  uint32_t count)
{
    return kin__iterator_take_block(iterator,
                                    kin__iterator_next_block_split(iterator->group, iterator->place, maybe, count));
}

// Returns the address of a component's first value in the run or block.
static inline void *kin__iterator_column(const kin__iterator *iterator, kin_component_id id, uint32_t row_words,
                                         size_t size)
{
    return kin__column_value(kin__chunk_columns(iterator->chunk, row_words)[id], iterator->start, size);
}

// Returns the place of the first member of the run, or of the block if `mask` is not 0.
static inline uint32_t kin__iterator_first(const kin__iterator *iterator, uint64_t mask)
{
    return iterator->start + (mask == 0 ? 0 : kin__lowest_bit(mask));
}

// The same as kin__iterator_column; NULL if the member at place `first` does not have the component.
static inline void *kin__iterator_maybe(const kin__iterator *iterator, kin_component_id id, uint32_t row_words,
                                        size_t size, uint32_t first)
{
    const kin__column *column = kin__chunk_columns(iterator->chunk, row_words)[id];
    return kin__column_has(column, first) ? kin__column_value(column, iterator->start, size) : NULL;
}

// Returns the entity that is now in the `index`-th slot of the run or block, or 0.
static inline kin_entity kin__iterator_at(const kin__iterator *iterator, uint32_t index)
{
    kin_entity entity = iterator->chunk->ids[iterator->start + index];
    return kin_entity_creation_index(entity) != 0 ? entity : 0;
}

KIN_END_DECLARATIONS

#endif
