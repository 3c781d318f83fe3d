/// Loops over groups in runs of one entity, for generated code only. Changes with the interface version.
///
/// They walk something, and test each entity before the loop gets it:
///
///   walked                          tested
///   an ordered index                whether the entity is in the group, and what the group asks
///   the group, by ascending slot    what the group asks: `holder_of` and `held_by`
///
/// A run has one entity. So has a block, which begins at the first slot of its word, so that loops of either kind need
/// no change. A walk of an index goes on after the key and slot of the last entity, as those of ordered.h do.
#ifndef KIN_INTERNAL_PICKED_H
#define KIN_INTERNAL_PICKED_H

#include <kin/generated/iterator.h>
#include <kin/generated/ordered.h>
#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

#define KIN__ASKS_NOTHING UINT32_MAX // instead of the number of a group that asks about relations

// Returns whether all questions of a declared group hold for the entity, which must match its rules.
KIN_API bool kin__group_accepts(const kin_context *context, uint32_t number, kin_entity entity);

// Returns the next run of one entity for which they hold. `chunk` is NULL after the last one.
KIN_API kin__iterator_run kin__iterator_next_accepted(const kin_group *group, uint32_t number, uint64_t place);

// Returns whether the group has the entity, which is alive. `match` is NULL if loops over the group are not inlined.
KIN__INLINE bool kin__iterator_has(const kin__iterator *iterator, kin_entity entity, kin__match_word *match)
{
    uint32_t slot = kin_entity_slot(entity), chunk = slot / KIN__CHUNK_SLOTS;
    if (match == NULL || chunk >= iterator->context->inline_chunks)
        return kin_group_contains(iterator->group, entity);
    kin__word word = {iterator->context, chunk, slot % KIN__CHUNK_SLOTS / 64};
    return (match(word) >> (slot % 64) & 1) != 0;
}

// Moves to the next entity of an ordered index that is a member. `asking` is the number of the group.
KIN__INLINE bool kin__iterator_step_in_order(kin__iterator *iterator, kin__ordered_walk *walk, uint64_t *keys,
                                             uint32_t words, kin__match_word *match, uint32_t asking)
{
    for (;;) {
        kin_entity entity = kin__ordered_next(walk, keys, words);
        kin__iterator_run run = {NULL, iterator->place};
        if (entity == 0)
            return kin__iterator_take(iterator, run);
        if (!kin__iterator_has(iterator, entity, match))
            continue;
        if (asking != KIN__ASKS_NOTHING && !kin__group_accepts(iterator->context, asking, entity))
            continue;
        uint32_t slot = kin_entity_slot(entity), start = slot % KIN__CHUNK_SLOTS;
        run.chunk = iterator->context->chunks[slot / KIN__CHUNK_SLOTS];
        run.place = (uint64_t)(slot / KIN__CHUNK_SLOTS) << 32 | start << 16 | (start + 1);
        return kin__iterator_take(iterator, run);
    }
}

// Moves to the next member of a group that asks about relations, by ascending slot.
static inline bool kin__iterator_step_asking(kin__iterator *iterator, uint32_t number)
{
    return kin__iterator_take(iterator, kin__iterator_next_accepted(iterator->group, number, iterator->place));
}

// Makes the run of one entity a block, and returns its mask. The next step goes on after the entity anyway.
static inline uint64_t kin__iterator_make_block(kin__iterator *iterator)
{
    iterator->mask = (uint64_t)1 << (iterator->start % 64);
    iterator->start -= iterator->start % 64;
    return iterator->mask;
}

// The body of a function that begins a loop in the order of an index. The keys are copied, so that the address of the
// iterator is never passed on.
#define KIN__ITERATE_IN_ORDER(Iterator, context, group_number, index_number)                                           \
    {                                                                                                                  \
        Iterator it;                                                                                                   \
        uint64_t kin__keys[sizeof it.keys_ / sizeof it.keys_[0]] = {0};                                                \
        memset(&it, 0, sizeof it);                                                                                     \
        it.place_ = kin__iterator_begin(context, group_number);                                                        \
        it.walk_ = kin__ordered_begin(context, index_number, false, kin__keys);                                        \
        memcpy(it.keys_, kin__keys, sizeof kin__keys);                                                                 \
        return it;                                                                                                     \
    }

KIN_END_DECLARATIONS

#endif
