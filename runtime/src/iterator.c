// Iterators: where the next run or block of a group is. What matches is asked anew each time.

#include "chunk.h"

#include <kin/iterator.h>

// The next chunk, from `number` on, that can have members; the number of chunks when none can.
static uint32_t find_chunk(const kin_group *group, uint32_t number)
{
    const kin_context *context = group->context;
    while (number < context->chunk_count) {
        uint64_t chunks = kin__chunks_present(context, &group->matcher, number / 64) >> (number % 64);
        if (chunks != 0)
            return number + kin__lowest_bit(chunks);
        number = (number / 64 + 1) * 64;
    }
    return context->chunk_count;
}

// The chunk in which to look on; NULL behind the last. It is asked for its bits before the others for what columns
// they have: in a group without gaps that is all there is to do.
static kin__chunk *enter_chunk(kin__iterator *it)
{
    const kin_context *context = it->group->context;
    if (it->next == KIN__CHUNK_SLOTS) {
        it->next = 0;
        it->chunk_number++;
    }
    if (it->chunk_number >= context->chunk_count)
        return NULL;
    it->chunk = context->chunks[it->chunk_number];
    return context->chunks[it->chunk_number];
}

// While the loop works on the last run of a chunk, the bits of the next one come near: waiting for them was a seventh
// of the time of a short loop over two components.
static void foresee(const kin__iterator *it)
{
    const kin_context *context = it->group->context;
    const kin_rule *first = &it->group->matcher.rules[0];
    if (it->next != KIN__CHUNK_SLOTS || it->chunk_number + 1 >= context->chunk_count)
        return;
    kin__column *const *columns = kin__chunk_columns(context->chunks[it->chunk_number + 1], context->row_words);
    for (uint32_t i = 0; i < first->count; i++)
        kin__prefetch(columns[first->ids[i]]);
}

static void leave_chunk(kin__iterator *it)
{
    it->next = 0;
    it->chunk_number = find_chunk(it->group, it->chunk_number + 1);
}

// The place of the first bit of `match` from `place` on that is set or, in a flipped one, that is not.
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

// The next run in a chunk; false when there is none.
static bool find_run(kin__iterator *it, kin__chunk *chunk)
{
    const kin_matcher *matcher = &it->group->matcher;
    uint32_t row_words = it->group->context->row_words;
    uint64_t match[KIN__CHUNK_WORDS];
    if (it->next == 0 && kin__matcher_is_full(matcher, row_words, chunk)) {
        it->start = 0;
        it->next = KIN__CHUNK_SLOTS;
        return true;
    }
    kin__matcher_chunk(matcher, row_words, chunk, match);
    it->start = find_bit(match, it->next, 0);
    if (it->start == KIN__CHUNK_SLOTS)
        return false;
    it->next = find_bit(match, it->start, ~(uint64_t)0);
    return true;
}

bool kin__iterator_next(kin__iterator *iterator)
{
    for (kin__chunk *chunk = enter_chunk(iterator); chunk != NULL; chunk = enter_chunk(iterator)) {
        if (find_run(iterator, chunk)) {
            iterator->count = iterator->next - iterator->start;
            foresee(iterator);
            return true;
        }
        leave_chunk(iterator);
    }
    return false;
}

bool kin__iterator_next_block(kin__iterator *iterator)
{
    const kin_group *group = iterator->group;
    for (kin__chunk *chunk = enter_chunk(iterator); chunk != NULL; chunk = enter_chunk(iterator)) {
        while (iterator->next < KIN__CHUNK_SLOTS) {
            iterator->start = iterator->next;
            iterator->next += 64;
            iterator->mask = kin__matcher_word(&group->matcher, group->context->row_words, chunk, iterator->start / 64);
            if (iterator->mask != 0)
                return true;
        }
        leave_chunk(iterator);
    }
    return false;
}
