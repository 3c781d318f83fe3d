/// Iteration over a declared group, for generated code only. Changes with the interface version. Generated code wraps
/// the iterator in a struct with the typed columns.
///
/// Slots are visited in ascending order: either in runs, which are consecutive matching slots of a chunk, or in blocks
/// of 64 slots with a mask of those that match. Each step evaluates the group again, so any change is allowed inside
/// the loop; the current run keeps its length and columns.
///
/// With optional columns all members of a run or block have the same optional components: it ends before a member with
/// others. The column of a component that they do not have is NULL.
///
/// Most groups have an `all` rule and name few components. For these the steps are inlined, with a generated function
/// that combines the bits of one word. The library makes all other steps: of groups with other rules, of loops with
/// optional columns or a column for each field, and of checked builds. Both return the same runs and blocks.
///
/// An iterator over a piece of the group ends before the end of the context. `place` names that end in its upper bits,
/// which are 0 for others: so the inlined steps take it for a place beyond the last chunk, and only then call the step
/// of pieces, a function of its own. A loop over a whole group is as if there were no pieces.
///
/// The place of a slot is its index in its chunk.
#ifndef KIN_INTERNAL_ITERATOR_H
#define KIN_INTERNAL_ITERATOR_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__iterator {
    const kin_context *context;
    const kin_group *group;
    const kin__chunk *chunk;
    uint64_t place; // end of the piece << 48 | chunk number << 32 | first place of the run or block << 16 | its end
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

enum {
    KIN__PIECE_SHIFT = 48,  // of the end of a piece in a place: the number of a chunk, at least 1
    KIN__MOST_PIECES = 128, // into which a group is divided by default
};

// Returns the chunks of a piece of `grain` places; 0: so many that all chunks are at most KIN__MOST_PIECES pieces.
KIN_API uint32_t kin__piece_chunks(const kin_context *context, uint32_t grain);
KIN_API uint32_t kin__piece_count(const kin_context *context, uint32_t grain);

// Returns the place at which an iteration over the chunks of one piece begins. A piece that does not exist is empty.
KIN_API uint64_t kin__piece_begin(const kin_context *context, uint32_t piece, uint32_t grain);

static inline kin__iterator kin__iterator_begin_piece(kin_context *context, uint32_t group_number, uint32_t piece,
                                                      uint32_t grain)
{
    kin__iterator iterator = kin__iterator_begin(context, group_number);
    iterator.place = kin__piece_begin(context, piece, grain);
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

// A word of each column of a chunk: 64 slots.
typedef struct kin__word {
    const kin_context *context;
    uint64_t chunk;
    uint32_t index;
} kin__word;

// Returns which slots of the word have the component.
static inline uint64_t kin__bits(kin__word word, kin_component_id id)
{
    return kin__chunk_column(word.context, word.chunk, id)->has[word.index];
}

// Returns which slots of the word have members.
typedef uint64_t kin__match_word(kin__word word);

// The steps of an iterator over a piece.
typedef kin__iterator_run kin__piece_run(const kin_context *context, const kin_group *group, uint64_t place);
typedef kin__iterator_block kin__piece_block(const kin_context *context, const kin_group *group, uint64_t place);

enum { KIN__MOST_SKIPPED = 4 }; // chunks without members that a step skips before it calls the library

// Returns the run at `place`, where a chunk begins or ends, if it is a whole chunk. Else `chunk` is NULL, and `place`
// is that of the first chunk with members; or of one that is not looked at: `limit`, or after some chunks without
// members.
KIN__INLINE kin__iterator_run kin__iterator_full(const kin_context *context, uint64_t place, uint64_t limit,
                                                 kin__match_word *match)
{
    uint64_t number = (place >> 32) + (place >> 9 & 1);
    kin__iterator_run run = {NULL, place};
    for (uint64_t end = number + KIN__MOST_SKIPPED; number < limit && number < end; number++) {
        uint64_t all = ~(uint64_t)0, any = 0;
        for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++) {
            kin__word word = {context, number, i};
            uint64_t bits = match(word);
            all &= bits;
            any |= bits;
        }
        run.place = number << 32;
        if (all == ~(uint64_t)0) {
            run.chunk = context->chunks[number];
            run.place |= KIN__CHUNK_SLOTS;
        }
        if (any != 0)
            return run;
        run.place = (number + 1) << 32;
    }
    return run;
}

// Returns the next run if it is a whole chunk, the usual case of dense groups. The length and place of such a run do
// not depend on bits, so that the processor begins to read values while it still tests the bits. Otherwise `chunk` is
// NULL, and kin__iterator_find goes on at `place`. Skips some chunks without members.
KIN__INLINE kin__iterator_run kin__iterator_find_full(const kin__iterator *iterator, kin__match_word *match)
{
    const kin_context *context = iterator->context;
    uint64_t place = iterator->place;
    kin__iterator_run run = {NULL, place};
    if ((place & (KIN__CHUNK_SLOTS - 1)) != 0)
        return run;
    return kin__iterator_full(context, place, context->inline_chunks, match);
}

// Returns the next run after `place` in the chunks before `limit`, word by word. `chunk` is NULL if there is none, and
// where a chunk has no column of the component `needed`, which all members have: `place` then is that chunk's.
KIN__INLINE kin__iterator_run kin__iterator_search(const kin_context *context, uint64_t place, uint64_t limit,
                                                   kin_component_id needed, kin__match_word *match)
{
    uint32_t number = (uint32_t)(place >> 32), next = (uint32_t)place & 0xFFFF;
    if (next == KIN__CHUNK_SLOTS)
        number++, next = 0;
    for (; number < limit; number++, next = 0) {
        if (kin__chunk_column(context, number, needed) == context->empty)
            break;
        kin__word word = {context, number, next / 64};
        uint32_t end = KIN__CHUNK_SLOTS;
        uint64_t bits = match(word) & ~(uint64_t)0 << (next % 64);
        while (bits == 0 && ++word.index < KIN__CHUNK_WORDS)
            bits = match(word);
        if (bits == 0)
            continue;
        uint32_t start = word.index * 64 + kin__lowest_bit(bits);
        uint64_t others = ~(bits | (bits - 1)); // the places after `start` that do not match
        while (others == 0 && ++word.index < KIN__CHUNK_WORDS)
            others = ~match(word);
        if (others != 0)
            end = word.index * 64 + kin__lowest_bit(others);
        kin__iterator_run run = {context->chunks[number], (uint64_t)number << 32 | start << 16 | end};
        return run;
    }
    kin__iterator_run none = {NULL, (uint64_t)number << 32 | next};
    return none;
}

// Whether all chunks were searched inline.
static inline bool kin__iterator_is_end(const kin_context *context, uint64_t place)
{
    return place >> 32 == context->chunk_count && context->inline_chunks == context->chunk_count;
}

// Returns where the library goes on after an inlined step. In checked builds that has searched nothing, and the library
// checks what the loop has written to the run or block before `place`.
static inline uint64_t kin__iterator_rest(const kin_context *context, uint64_t place, uint64_t searched)
{
    return context->inline_chunks == 0 ? place : searched;
}

// The next run after `place`, word by word. All members have the component `needed`: where a chunk has no column for
// it, the library finds the next chunk.
KIN__INLINE kin__iterator_run kin__iterator_find(const kin__iterator *iterator, uint64_t place, kin_component_id needed,
                                                 kin__match_word *match, kin__piece_run *next_of_piece)
{
    const kin_context *context = iterator->context;
    kin__iterator_run run = kin__iterator_search(context, place, context->inline_chunks, needed, match);
    if (run.chunk != NULL || kin__iterator_is_end(context, run.place))
        return run;
    if (place >> KIN__PIECE_SHIFT != 0)
        return next_of_piece(context, iterator->group, place);
    return kin__iterator_next(iterator->group, kin__iterator_rest(context, place, run.place));
}

// The same within a piece, for the function of a group. The library goes on where no chunk may be read inline.
KIN__INLINE kin__iterator_run kin__iterator_find_of_piece(const kin_context *context, const kin_group *group,
                                                          uint64_t place, kin_component_id needed,
                                                          kin__match_word *match)
{
    uint64_t end = place >> KIN__PIECE_SHIFT, limit = end < context->inline_chunks ? end : context->inline_chunks;
    kin__iterator_run run = {NULL, place & (((uint64_t)1 << KIN__PIECE_SHIFT) - 1)};
    if ((place & (KIN__CHUNK_SLOTS - 1)) == 0)
        run = kin__iterator_full(context, run.place, limit, match);
    if (run.chunk == NULL)
        run = kin__iterator_search(context, run.place, limit, needed, match);
    bool is_unsure = run.chunk == NULL && run.place >> 32 != end;
    run.place |= end << KIN__PIECE_SHIFT;
    return is_unsure ? kin__iterator_next(group, kin__iterator_rest(context, place, run.place)) : run;
}

// Returns the next block after `place` in the chunks before `limit`, as kin__iterator_search returns runs.
KIN__INLINE kin__iterator_block kin__iterator_search_block(const kin_context *context, uint64_t place, uint64_t limit,
                                                           kin_component_id needed, kin__match_word *match)
{
    uint32_t number = (uint32_t)(place >> 32), next = (uint32_t)place & 0xFFFF;
    if (next == KIN__CHUNK_SLOTS)
        number++, next = 0;
    for (; number < limit; number++, next = 0) {
        if (kin__chunk_column(context, number, needed) == context->empty)
            break;
        for (; next < KIN__CHUNK_SLOTS; next += 64) {
            kin__word word = {context, number, next / 64};
            uint64_t mask = match(word);
            if (mask == 0)
                continue;
            kin__iterator_block block = {mask, (uint64_t)number << 32 | next << 16 | (next + 64)};
            return block;
        }
    }
    kin__iterator_block none = {0, (uint64_t)number << 32 | next};
    return none;
}

// kin__iterator_next_block, inlined in the same way.
KIN__INLINE kin__iterator_block kin__iterator_find_block(const kin__iterator *iterator, kin_component_id needed,
                                                         kin__match_word *match, kin__piece_block *next_of_piece)
{
    const kin_context *context = iterator->context;
    kin__iterator_block block =
        kin__iterator_search_block(context, iterator->place, context->inline_chunks, needed, match);
    if (block.mask != 0 || kin__iterator_is_end(context, block.place))
        return block;
    if (iterator->place >> KIN__PIECE_SHIFT != 0)
        return next_of_piece(context, iterator->group, iterator->place);
    return kin__iterator_next_block(iterator->group, kin__iterator_rest(context, iterator->place, block.place));
}

// The same within a piece, for the function of a group.
KIN__INLINE kin__iterator_block kin__iterator_find_block_of_piece(const kin_context *context, const kin_group *group,
                                                                  uint64_t place, kin_component_id needed,
                                                                  kin__match_word *match)
{
    uint64_t end = place >> KIN__PIECE_SHIFT, limit = end < context->inline_chunks ? end : context->inline_chunks;
    uint64_t inside = place & (((uint64_t)1 << KIN__PIECE_SHIFT) - 1);
    kin__iterator_block block = kin__iterator_search_block(context, inside, limit, needed, match);
    bool is_unsure = block.mask == 0 && block.place >> 32 != end;
    block.place |= end << KIN__PIECE_SHIFT;
    return is_unsure ? kin__iterator_next_block(group, kin__iterator_rest(context, place, block.place)) : block;
}

static inline bool kin__iterator_take(kin__iterator *iterator, kin__iterator_run found)
{
    iterator->place = found.place;
    iterator->chunk = found.chunk;
    iterator->start = (uint32_t)(found.place >> 16) & 0xFFFF;
    iterator->count = ((uint32_t)found.place & 0xFFFF) - iterator->start;
    return found.chunk != NULL;
}

// Moves to the next run, inlined: first over chunks whose places all match.
KIN__INLINE bool kin__iterator_step_inline(kin__iterator *iterator, kin_component_id needed, kin__match_word *match,
                                           kin__piece_run *next_of_piece)
{
    kin__iterator_run run = kin__iterator_find_full(iterator, match);
    if (run.chunk == NULL)
        run = kin__iterator_find(iterator, run.place, needed, match, next_of_piece);
    return kin__iterator_take(iterator, run);
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
    iterator->chunk = iterator->context->chunks[(uint16_t)(found.place >> 32)];
    iterator->start = (uint32_t)(found.place >> 16) & 0xFFFF;
    return true;
}

// Moves to the next block, inlined.
KIN__INLINE bool kin__iterator_step_block_inline(kin__iterator *iterator, kin_component_id needed,
                                                 kin__match_word *match, kin__piece_block *next_of_piece)
{
    return kin__iterator_take_block(iterator, kin__iterator_find_block(iterator, needed, match, next_of_piece));
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

// Returns the column of a component in the chunk of the run or block.
static inline kin__column *kin__iterator_column_of(const kin__iterator *iterator, kin_component_id id)
{
    return kin__chunk_column(iterator->context, iterator->place >> 32 & 0xFFFF, id);
}

// Returns the address of a component's first value in the run or block.
static inline void *kin__iterator_column(const kin__iterator *iterator, kin_component_id id, size_t size)
{
    return kin__column_value(kin__iterator_column_of(iterator, id), iterator->start, size);
}

// Returns the place of the first member of the run, or of the block if `mask` is not 0.
static inline uint32_t kin__iterator_first(const kin__iterator *iterator, uint64_t mask)
{
    return iterator->start + (mask == 0 ? 0 : kin__lowest_bit(mask));
}

// The same as kin__iterator_column; NULL if the member at place `first` does not have the component.
static inline void *kin__iterator_maybe(const kin__iterator *iterator, kin_component_id id, size_t size, uint32_t first)
{
    const kin__column *column = kin__iterator_column_of(iterator, id);
    return kin__column_has(column, first) ? kin__column_value(column, iterator->start, size) : NULL;
}

// Returns the entity that is now in the `index`-th slot of the run or block, or 0.
static inline kin_entity kin__iterator_at(const kin__iterator *iterator, uint32_t index)
{
    kin_entity entity = iterator->chunk->ids[iterator->start + index];
    return kin_entity_creation_index(entity) != 0 ? entity : 0;
}

// The body of a function that begins an iteration.
#define KIN__ITERATE(Iterator, beginning)                                                                              \
    {                                                                                                                  \
        Iterator it;                                                                                                   \
        memset(&it, 0, sizeof it);                                                                                     \
        it.place_ = beginning;                                                                                         \
        return it;                                                                                                     \
    }

// The steps of an iteration over a piece, as functions of a group.
#define KIN__ITERATE_PIECES(group_name, needed)                                                                        \
    KIN__APART kin__iterator_run group_name##_next_of_piece_(const kin_context *context, const kin_group *group,       \
                                                             uint64_t place)                                           \
    {                                                                                                                  \
        return kin__iterator_find_of_piece(context, group, place, needed, group_name##_match_);                        \
    }                                                                                                                  \
    KIN__APART kin__iterator_block group_name##_next_block_of_piece_(const kin_context *context,                       \
                                                                     const kin_group *group, uint64_t place)           \
    {                                                                                                                  \
        return kin__iterator_find_block_of_piece(context, group, place, needed, group_name##_match_);                  \
    }

KIN_END_DECLARATIONS

#endif
