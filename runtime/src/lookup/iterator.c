// Iterators: finds the next run or block of members of a group, for the loops of generated code.
//
//   place   [ piece | chunk | start | end ]      16 bits each: a run of slots of one chunk, and the chunk where the
//                                                piece ends; 0: the iterator goes on to the last chunk
//
// An iterator has no state but its place, and each step evaluates the group again: the next step sees what the loop has
// changed.
//
// Invariants:
//   1. a run or block is not empty, and within one chunk that exists
//   2. each run or block starts where the one before it ends, or later
//   3. an iterator over a piece stays below the end of the piece: steps find the next run or block of the whole group,
//      and leave it out if it is beyond. Only the last step of a loop looks whether there is a piece: an end makes the
//      number of the chunk one that does not exist
//   4. with optional columns, all members of a run or block have the same of these components
//
// Cost: a step matches one chunk (512 slots); chunks without a column that all members need are skipped, 64 at once.
#include "lookup/lookup.h"

#include <kin/generated/iterator.h>

static uint64_t place_of(uint32_t number, uint32_t start, uint32_t end)
{
    KIN_ASSERT(start <= end && end <= KIN__CHUNK_SLOTS);
    return (uint64_t)number << 32 | start << 16 | end;
}

// ---- pieces

uint32_t kin__piece_chunks(const kin_context *context, uint32_t grain)
{
    uint32_t chunks = grain / KIN__CHUNK_SLOTS + (grain % KIN__CHUNK_SLOTS != 0);
    uint32_t all = context->core->slots.assigned_chunks;
    return chunks > 0 ? chunks : (all + KIN__MOST_PIECES - 1) / KIN__MOST_PIECES + (all == 0);
}

uint32_t kin__piece_count(const kin_context *context, uint32_t grain)
{
    uint32_t chunks = kin__piece_chunks(context, grain);
    return (context->core->slots.assigned_chunks + chunks - 1) / chunks;
}

uint64_t kin__piece_begin(const kin_context *context, uint32_t piece, uint32_t grain)
{
    uint64_t all = context->core->slots.assigned_chunks;
    uint64_t chunks = kin__piece_chunks(context, grain);
    uint64_t first = piece * chunks < all ? piece * chunks : all;
    uint64_t end = first + chunks < all ? first + chunks : all;
    return kin__piece_place(first, end > 0 ? end : 1);
}

// Returns the place in the whole group.
static uint64_t without_piece(uint64_t place)
{
    return place & (((uint64_t)1 << KIN__PIECE_SHIFT) - 1);
}

// Returns the place in the piece of `place` that is found in the whole group, or that after the last one. `*is_within`
// is set to whether it is before the end of the piece.
static uint64_t within_piece(uint64_t place, uint64_t found, bool *is_within)
{
    uint64_t end = place >> KIN__PIECE_SHIFT;
    *is_within = found >> 32 < end;
    return end << KIN__PIECE_SHIFT | (*is_within ? found : end << 32);
}

// Returns whether there are no more chunks of the piece after the run or block at a place: most pieces have few.
static bool is_piece_done(uint64_t place)
{
    uint64_t chunk = (uint16_t)(place >> 32);
    uint64_t next = (uint16_t)place;
    return chunk + next / KIN__CHUNK_SLOTS >= place >> KIN__PIECE_SHIFT;
}

// ---- chunks

// Whether the chunk has the columns that all members need. Most chunks of a blueprint's own pool lack one.
static bool may_match(const kin_group *group, uint32_t number)
{
    const kin_context *context = group->context;
    const kin_rule *first = &group->matcher.rules[0];
    for (uint32_t i = 0; i < first->count && first->kind == KIN_RULE_ALL; i++)
        if (kin__chunk_column(context, number, first->ids[i]) == context->empty)
            return false;
    return true;
}

// Returns the first chunk, from `number` on, that can have members; the number of chunks if none can. Mostly it is
// `number` itself, so that one is tried first; later ones are tried 64 at once.
static uint32_t find_chunk(const kin_group *group, uint32_t number)
{
    const kin_context *context = group->context;
    if (number < context->chunk_count && may_match(group, number))
        return number;
    while (++number < context->chunk_count) {
        uint64_t chunks = kin__chunks_present(context, &group->matcher, number / 64) >> (number % 64);
        if (chunks != 0)
            return number + kin__lowest_bit(chunks);
        number |= 63;
    }
    return context->chunk_count;
}

uint32_t kin__group_find_chunk(const kin_group *group, uint32_t number)
{
    return find_chunk(group, number);
}

// Prefetches the bits of the next chunk while the loop works on the last run of this one. Waiting for them was a
// seventh of the time of a short loop over two components.
static void prefetch_next(const kin_group *group, uint32_t number)
{
    const kin_context *context = group->context;
    const kin_rule *first = &group->matcher.rules[0];
    number = find_chunk(group, number + 1);
    if (number == context->chunk_count)
        return;
    for (uint32_t i = 0; i < first->count; i++)
        kin__prefetch(kin__chunk_column(context, number, first->ids[i]));
}

// ---- runs

// Returns the first place, from `place` on, whose bit is set; or, if `flip` is all ones, whose bit is not.
static uint32_t find_bit(const uint64_t match[KIN__CHUNK_WORDS], uint32_t place, uint64_t flip)
{
    uint64_t bits = (match[place / 64] ^ flip) >> (place % 64);
    if (bits != 0)
        return place + kin__lowest_bit(bits);
    for (uint32_t word = place / 64 + 1; word < KIN__CHUNK_WORDS; word++)
        if ((match[word] ^ flip) != 0)
            return word * 64 + kin__lowest_bit(match[word] ^ flip);
    return KIN__CHUNK_SLOTS;
}

// Returns the first place of the next run from `next` on, and the place after its last; KIN__CHUNK_SLOTS if there is
// none.
static uint32_t find_run(const kin_group *group, uint32_t number, uint32_t next, uint32_t *end)
{
    uint64_t match[KIN__CHUNK_WORDS];
    KIN_ASSERT(next < KIN__CHUNK_SLOTS);
    *end = KIN__CHUNK_SLOTS;
    if (next == 0 && kin__matcher_is_full(&group->matcher, group->context, number))
        return 0;
    kin__matcher_chunk(&group->matcher, group->context, number, match);
    uint32_t start = find_bit(match, next, 0);
    if (start < KIN__CHUNK_SLOTS)
        *end = find_bit(match, start, ~(uint64_t)0);
    KIN_ASSERT(start >= next && (start < *end || start == KIN__CHUNK_SLOTS)); // invariants 1 and 2
    return start;
}

// The next run of the whole group. `chunk` is NULL after the last one, and for a place in a piece.
static inline kin__iterator_run next_run(const kin_group *group, uint64_t place)
{
    const kin_context *context = group->context;
    uint32_t number = (uint32_t)(place >> 32);
    uint32_t next = (uint32_t)place & 0xFFFF;
    uint32_t end;
    KIN_VALIDATE(kin__chunk_is_intact(context, number));
    if (next % KIN__CHUNK_SLOTS == 0)
        number = find_chunk(group, next == 0 ? number : number + 1);
    for (next %= KIN__CHUNK_SLOTS; number < context->chunk_count; number = find_chunk(group, number + 1), next = 0) {
        uint32_t start = find_run(group, number, next, &end);
        if (start == KIN__CHUNK_SLOTS)
            continue;
        if (end == KIN__CHUNK_SLOTS)
            prefetch_next(group, number);
        KIN_VALIDATE(kin__chunk_is_intact(context, number));
        return (kin__iterator_run){context->chunks[number], place_of(number, start, end)};
    }
    return (kin__iterator_run){NULL, place_of(number, 0, 0)};
}

static kin__iterator_run next_run_of_piece(const kin_group *group, uint64_t place)
{
    bool is_within;
    if (is_piece_done(place))
        return (kin__iterator_run){NULL, place};
    kin__iterator_run run = next_run(group, without_piece(place));
    run.place = within_piece(place, run.place, &is_within);
    run.chunk = is_within ? run.chunk : NULL;
    return run;
}

kin__iterator_run kin__iterator_next(const kin_group *group, uint64_t place)
{
    kin__iterator_run run = next_run(group, place);
    return run.chunk == NULL && place >> KIN__PIECE_SHIFT != 0 ? next_run_of_piece(group, place) : run;
}

// ---- blocks

// The next block of the whole group. `mask` is 0 after the last one, and for a place in a piece.
static inline kin__iterator_block next_block(const kin_group *group, uint64_t place)
{
    const kin_context *context = group->context;
    uint32_t number = (uint32_t)(place >> 32);
    uint32_t next = (uint32_t)place & 0xFFFF;
    KIN_VALIDATE(kin__chunk_is_intact(context, number));
    if (next % KIN__CHUNK_SLOTS == 0)
        number = find_chunk(group, next == 0 ? number : number + 1);
    for (next %= KIN__CHUNK_SLOTS; number < context->chunk_count; number = find_chunk(group, number + 1), next = 0)
        for (; next < KIN__CHUNK_SLOTS; next += 64) {
            uint64_t mask = kin__matcher_word(&group->matcher, context, number, next / 64);
            if (mask != 0)
                return (kin__iterator_block){mask, place_of(number, next, next + 64)};
        }
    return (kin__iterator_block){0, place_of(number, 0, 0)};
}

static kin__iterator_block next_block_of_piece(const kin_group *group, uint64_t place)
{
    bool is_within;
    if (is_piece_done(place))
        return (kin__iterator_block){0, place};
    kin__iterator_block block = next_block(group, without_piece(place));
    block.place = within_piece(place, block.place, &is_within);
    block.mask = is_within ? block.mask : 0;
    return block;
}

kin__iterator_block kin__iterator_next_block(const kin_group *group, uint64_t place)
{
    kin__iterator_block block = next_block(group, place);
    return block.mask == 0 && place >> KIN__PIECE_SHIFT != 0 ? next_block_of_piece(group, place) : block;
}

// ---- optional columns

// Returns the bits of a column's word that differ from the bit at a place of that word.
static uint64_t differing(const kin__column *column, uint32_t word, uint32_t place)
{
    return column->has[word] ^ (kin__column_has(column, place) ? ~(uint64_t)0 : 0);
}

kin__iterator_run kin__iterator_next_split(const kin_group *group, uint64_t place, const kin_component_id *maybe,
                                           uint32_t count)
{
    kin__iterator_run run = kin__iterator_next(group, place);
    uint32_t start = (uint32_t)(run.place >> 16) & 0xFFFF;
    uint32_t end = (uint32_t)run.place & 0xFFFF;
    if (run.chunk == NULL)
        return run;
    for (uint32_t i = 0; i < count; i++) {
        const kin__column *column = kin__chunk_column(group->context, (uint16_t)(run.place >> 32), maybe[i]);
        uint32_t other = find_bit(column->has, start, kin__column_has(column, start) ? ~(uint64_t)0 : 0);
        end = other < end ? other : end;
    }
    KIN_ASSERT(start < end); // invariant 1
    run.place = place_of((uint32_t)(run.place >> 32), start, end);
    return run;
}

// Shortens a block to the members before the first one that has other components of `maybe` than its first member.
static kin__iterator_block shorten(const kin_group *group, kin__iterator_block block, const kin_component_id *maybe,
                                   uint32_t count)
{
    const kin_context *context = group->context;
    uint32_t number = (uint16_t)(block.place >> 32);
    uint32_t start = (uint32_t)(block.place >> 16) & 0xFFFF;
    uint32_t first = start + kin__lowest_bit(block.mask);
    uint64_t others = 0;
    for (uint32_t i = 0; i < count; i++)
        others |= differing(kin__chunk_column(context, number, maybe[i]), start / 64, first);
    others &= block.mask;
    if (others == 0)
        return block;
    uint32_t end = kin__lowest_bit(others);
    KIN_ASSERT(start + end > first);        // invariant 1
    number = (uint32_t)(block.place >> 32); // with the end of a piece
    return (kin__iterator_block){block.mask & (((uint64_t)1 << end) - 1), place_of(number, start, start + end)};
}

// Returns the members of a block from `next` on; `mask` is 0 if there are none.
static kin__iterator_block rest_of_block(const kin_group *group, uint32_t number, uint32_t next)
{
    const kin_context *context = group->context;
    uint32_t start = next & ~(uint32_t)63;
    uint64_t mask = kin__matcher_word(&group->matcher, context, (uint16_t)number, start / 64);
    return (kin__iterator_block){mask & ~(uint64_t)0 << (next % 64), place_of(number, start, start + 64)};
}

kin__iterator_block kin__iterator_next_block_split(const kin_group *group, uint64_t place,
                                                   const kin_component_id *maybe, uint32_t count)
{
    uint32_t next = (uint32_t)place & 0xFFFF;
    kin__iterator_block block = {0, place};
    if (next % 64 != 0)
        block = rest_of_block(group, (uint32_t)(place >> 32), next);
    if (block.mask == 0)
        block = kin__iterator_next_block(group, block.place);
    return block.mask == 0 ? block : shorten(group, block, maybe, count);
}
