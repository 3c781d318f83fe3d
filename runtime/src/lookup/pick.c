// Members that loops pick one by one: in the order of an index, and by what a group asks about relations.
#include "lookup/internal.h"

#include <kin/generated/picked.h>
#include <kin/look.h>

#include <string.h>

// ---- questions

static bool matches(const kin_context *context, const kin_question_info *question, kin_entity entity)
{
    if (kin__chunk_of(context, entity) == NULL)
        return false;
    if (question->matcher.count == 0)
        return true;
    return kin__matcher_holds(&question->matcher, kin__row_of(context, kin_entity_slot(entity)), context->row_words);
}

// Whether an entity that names this one matches. Visits them in the order of their list.
static bool is_held(const kin_context *context, const kin_question_info *question, kin_entity entity)
{
    const kin__relation *relation = kin__relation_at(context, question->relation);
    kin_entity holder = kin__relation_first_of(context, relation, kin_entity_slot(entity));
    while (holder != 0 && !matches(context, question, holder))
        holder = kin__relation_next_of(context, relation, kin_entity_slot(holder));
    return holder != 0;
}

bool kin__group_accepts(const kin_context *context, uint32_t number, kin_entity entity)
{
    const kin_group_info *info = &context->info->groups[number];
    KIN_ASSERT(number < context->info->group_count);
    for (uint32_t i = 0; i < info->question_count; i++) {
        const kin_question_info *question = &info->questions[i];
        const kin__relation *relation = kin__relation_at(context, question->relation);
        bool holds = question->is_held_by ? is_held(context, question, entity)
                                          : matches(context, question, kin__relation_target(context, relation, entity));
        if (!holds)
            return false;
    }
    return true;
}

// Returns the slots of the block's word from a place on that match; none if the place is at the end of its word.
static kin__iterator_block rest_of_block(const kin_group *group, uint64_t place)
{
    uint32_t next = (uint32_t)place & 0xFFFF;
    uint32_t start = next & ~(uint32_t)63;
    uint64_t number = place >> 32;
    if (next % 64 == 0)
        return (kin__iterator_block){0, place};
    uint64_t mask = kin__matcher_word(&group->matcher, group->context, (uint16_t)number, start / 64);
    return (kin__iterator_block){mask & ~(uint64_t)0 << (next % 64), number << 32 | start << 16 | (start + 64)};
}

kin__iterator_run kin__iterator_next_accepted(const kin_group *group, uint32_t number, uint64_t place)
{
    kin__iterator_block block = rest_of_block(group, place);
    for (;;) {
        const kin__chunk *chunk = block.mask == 0 ? NULL : group->context->chunks[(uint16_t)(block.place >> 32)];
        for (; block.mask != 0; block.mask &= block.mask - 1) {
            uint32_t at = ((uint32_t)(block.place >> 16) & 0xFFFF) + kin__lowest_bit(block.mask);
            if (kin__group_accepts(group->context, number, chunk->ids[at]))
                return (kin__iterator_run){chunk, block.place >> 32 << 32 | at << 16 | (at + 1)};
        }
        block = kin__iterator_next_block(group, block.place);
        if (block.mask == 0)
            return (kin__iterator_run){NULL, block.place};
    }
}

bool kin_look_is_member(const kin_context *context, uint32_t group, kin_entity entity)
{
    if (group >= context->info->group_count || kin__chunk_of(context, entity) == NULL)
        return false;
    return kin_group_contains(context->groups[group], entity) && kin__group_accepts(context, group, entity);
}

// ---- members

bool kin__pick_is_empty(const kin_context *context, uint32_t group)
{
    if (context->info->groups[group].question_count == 0)
        return kin__group_is_empty(context->groups[group]);
    return kin__iterator_next_accepted(context->groups[group], group, 0).chunk == NULL;
}

static bool is_picked(const kin_context *context, uint32_t group, kin_entity entity)
{
    return kin_group_contains(context->groups[group], entity) && kin__group_accepts(context, group, entity);
}

static uint32_t pick_in_order(const kin_context *context, uint32_t group, const kin__ordered *ordered,
                              kin_entity *entities)
{
    uint32_t count = 0;
    for (uint32_t number = ordered->first; number != KIN__NO_NODE; number = kin__ordered_leaf(ordered, number)->next)
        for (uint32_t at = 0; at < kin__ordered_leaf(ordered, number)->count; at++) {
            const uint64_t *entry = kin__ordered_entry(ordered, kin__ordered_leaf(ordered, number), at);
            if (is_picked(context, group, entry[ordered->words]))
                entities[count++] = entry[ordered->words];
        }
    return count;
}

uint32_t kin__pick_members(const kin_context *context, uint32_t group, uint32_t order, kin_entity *entities,
                           uint32_t capacity)
{
    KIN_ASSERT(capacity >= kin_group_count(context->groups[group]));
    if (order != 0)
        return pick_in_order(context, group, context->core->indices->indices[order - 1].ordered, entities);
    uint32_t all = kin_group_copy_entities(context->groups[group], entities, capacity);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (kin__group_accepts(context, group, entities[i]))
            entities[count++] = entities[i];
    return count;
}

// ---- sorting
//
//   entry   [ is missing | words of the key | entity ]     of an entity that is not in the index the first word of the
//                                                          key is its place in the array: these stay in their order

static const kin__index *index_of(const kin_context *context, uint32_t order)
{
    return &context->core->indices->indices[order - 1];
}

size_t kin__pick_sort_size(const kin_context *context, uint32_t order)
{
    return (index_of(context, order)->ordered->words + 2) * sizeof(uint64_t);
}

static void write_entry(const kin_context *context, const kin__index *index, kin_entity entity, uint64_t *entry,
                        uint64_t place)
{
    uint32_t words = index->ordered->words;
    uint32_t slot = kin_entity_slot(entity);
    bool is_missing = kin__chunk_of(context, entity) == NULL || !kin__ordered_has(index, slot);
    memset(entry, 0, (words + 1) * sizeof *entry);
    entry[0] = is_missing;
    entry[words + 1] = entity;
    if (is_missing)
        entry[1] = place;
    else
        kin__key_order(context, slot, index, (kin__new_values){0}, entry + 1);
}

static bool is_before(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    int order = kin__ordered_compare(a, b, words + 1);
    if (order == 0)
        return kin_entity_slot(a[words + 1]) < kin_entity_slot(b[words + 1]);
    return order < 0;
}

static void swap(uint64_t *a, uint64_t *b, uint32_t words)
{
    for (uint32_t i = 0; i < words + 2; i++) {
        uint64_t word = a[i];
        a[i] = b[i];
        b[i] = word;
    }
}

// Moves an entry of a heap down to its place: each is not before the two below it.
static void sink(uint64_t *entries, uint32_t at, uint32_t count, uint32_t words)
{
    size_t size = words + 2;
    for (uint32_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && is_before(entries + below * size, entries + (below + 1) * size, words))
            below++;
        if (!is_before(entries + at * size, entries + below * size, words))
            return;
        swap(entries + at * size, entries + below * size, words);
        at = below;
    }
}

const kin_entity *kin__pick_sort(const kin_context *context, uint32_t order, const kin_entity *entities, uint32_t count,
                                 void *room)
{
    const kin__index *index = index_of(context, order);
    uint32_t words = index->ordered->words;
    size_t size = words + 2;
    uint64_t *entries = room;
    for (uint32_t i = 0; i < count; i++)
        write_entry(context, index, entities[i], entries + i * size, i);
    for (uint32_t i = count / 2; i > 0; i--)
        sink(entries, i - 1, count, words);
    for (uint32_t end = count; end > 1; end--) {
        swap(entries, entries + (end - 1) * size, words);
        sink(entries, 0, end - 1, words);
    }
    for (uint32_t i = 0; i < count; i++)
        entries[i] = entries[i * size + words + 1];
    return entries;
}
