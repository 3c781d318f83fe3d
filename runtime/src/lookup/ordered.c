// Ordered indices: the table of the kind, and walks (kin/generated/ordered.h).
//
// An entity is in the index while it matches, whatever its key is: each key has a place in the order. So the index
// refuses no step, and the slot of an entity says whether it is in it.
#include "lookup/internal.h"

#include <kin/generated/ordered.h>

#include <string.h>

static uint64_t *words_of(const kin__index *index, uint32_t which)
{
    return (uint64_t *)(void *)index->keys[which];
}

// ---- the table

static bool make(kin_context *context, kin__index *index)
{
    index->slot_size = sizeof(kin__ordered_slot);
    return kin__ordered_make(&context->core->index_memory, index, (uint32_t)(index->key_size / sizeof(uint64_t)));
}

static void release(kin_context *context, kin__index *index)
{
    kin__ordered_release(&context->core->index_memory, index);
}

static bool reserve(kin_context *context, kin__index *index, uint32_t slot, uint32_t count)
{
    return kin__index_reserve_block(context, index, slot) &&
           kin__ordered_reserve(&context->core->index_memory, index, index->potential + count);
}

static void insert(kin_context *context, kin__index *index, kin_entity entity)
{
    kin__key_order(context, kin_entity_slot(entity), index, (kin__new_values){0}, words_of(index, 0));
    kin__ordered_insert(index, entity, words_of(index, 0));
}

static void update(kin_context *context, kin__index *index, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    bool was_in = kin__ordered_has(index, slot);
    bool will_be_in = was_in;
    if (step->kind != KIN__STEP_REPLACE) {
        kin__step_rows rows = kin__index_step_rows(context, step);
        index->potential +=
            (uint32_t)kin__index_may_hold(index, rows.after) - (uint32_t)kin__index_may_hold(index, rows.before);
        will_be_in = kin__index_holds(context, index, rows.after);
        KIN_ASSERT(was_in == kin__index_holds(context, index, rows.before));
    }
    if (was_in && !will_be_in)
        kin__ordered_erase(index, step->entity);
    if (!will_be_in)
        return;
    uint64_t *key = words_of(index, 0);
    kin__key_order(context, slot, index, (kin__new_values){.id = step->id, .value = step->value}, key);
    if (was_in)
        kin__ordered_change_key(index, step->entity, key);
    else
        kin__ordered_insert(index, step->entity, key);
}

static void remove_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row)
{
    (void)context, (void)row;
    KIN_ASSERT(index->potential > 0);
    index->potential--;
    if (kin__ordered_has(index, kin_entity_slot(entity)))
        kin__ordered_erase(index, entity);
}

// Only entities whose slots are taken have an entry.
static uint32_t refresh(kin_context *context, kin__index *index)
{
    uint64_t *key = words_of(index, 0);
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        if (!kin__ordered_has(index, slot))
            continue;
        kin__key_order(context, slot, index, (kin__new_values){0}, key);
        count += kin__ordered_change_key(index, kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS], key);
    }
    return count;
}

static bool restore_reserve(kin_context *context, kin__index *index, const uint32_t *holders,
                            const unsigned char **saved)
{
    (void)saved;
    uint32_t least = kin__max_32(holders[index->info->key[0].component], index->potential);
    return kin__index_reserve_marks(context, index) && kin__index_reserve_blocks(context, index) &&
           kin__ordered_reserve(&context->core->index_memory, index, least);
}

static void clear(kin_context *context, kin__index *index)
{
    (void)context;
    index->potential = 0;
    kin__ordered_clear(index);
}

static uint32_t count_entries(const kin_context *context, const kin__index *index)
{
    (void)context;
    return index->ordered->count;
}

// Returns how many entities have the key of an entry.
static uint32_t count_equal(const kin__ordered *ordered, const uint64_t *entry)
{
    return kin__ordered_count_below(ordered, entry, UINT32_MAX) - kin__ordered_count_below(ordered, entry, 0);
}

static void visit_entries(const kin_context *context, const kin__index *index, kin_index_visitor *visit, void *user)
{
    const kin__ordered *ordered = index->ordered;
    kin_index_entry visited = {.key = NULL};
    const uint64_t *last = NULL;
    char key[120];
    for (uint32_t number = ordered->first; number != KIN__NO_NODE; number = kin__ordered_leaf(ordered, number)->next)
        for (uint32_t at = 0; at < kin__ordered_leaf(ordered, number)->count; at++) {
            const uint64_t *entry = kin__ordered_entry(ordered, kin__ordered_leaf(ordered, number), at);
            bool is_equal = last != NULL && kin__ordered_compare(last, entry, ordered->words) == 0;
            visited.place = is_equal ? visited.place + 1 : 0;
            if (!is_equal)
                visited.count = count_equal(ordered, entry);
            last = entry;
            visited.entity = entry[ordered->words];
            kin__key_describe(context, kin_entity_slot(visited.entity), index->info, (kin__new_values){0}, key,
                              sizeof key);
            visited.key = key;
            visit(&visited, user);
        }
}

static void trim(kin_context *context, kin__index *index)
{
    kin__index_trim_blocks(context, index);
    kin__ordered_trim(&context->core->index_memory, index, index->potential);
    kin__array_release(&context->core->index_memory, &index->marks, sizeof(uint64_t));
}

static size_t used(const kin_context *context, const kin__index *index)
{
    (void)context;
    return kin__ordered_used(index->ordered) + index->ordered->count * index->slot_size;
}

// Whether the index has the entity of a slot exactly if that matches. Its key may have been written in place since.
static bool is_slot_valid(const kin_context *context, const kin__index *index, uint32_t slot, kin_entity entity)
{
    bool matches = entity != 0 && kin__index_holds(context, index, kin__row_of(context, slot));
    return kin__ordered_has(index, slot) == matches;
}

static bool is_valid(const kin_context *context, const kin__index *index)
{
    uint32_t potential = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
        if (kin_entity_creation_index(entity) == 0)
            entity = 0;
        potential += entity != 0 && kin__index_may_hold(index, kin__row_of(context, slot));
        if (!is_slot_valid(context, index, slot, entity))
            return false;
    }
    return potential == index->potential && kin__ordered_is_valid(index, potential);
}

const kin__index_kind kin__ordered_index = {
    .make = make,
    .release = release,
    .reserve = reserve,
    .update = update,
    .remove = remove_entity,
    .insert = insert,
    .refresh = refresh,
    .restore_reserve = restore_reserve,
    .clear = clear,
    .fill = kin__index_fill,
    .count = count_entries,
    .walk = visit_entries,
    .trim = trim,
    .used = used,
    .is_valid = is_valid,
};

// ---- walks

// Below and above every slot.
#define BEFORE_SLOTS UINT64_C(0)
#define BEHIND_SLOTS (UINT64_C(1) << 32)

static const kin__index *index_of(const kin_context *context, uint32_t number)
{
    KIN_ASSERT(number < context->info->index_count && context->core->indices->indices[number].ordered != NULL);
    return &context->core->indices->indices[number];
}

static const kin__ordered *ordered_of(const kin__ordered_walk *walk)
{
    return index_of(walk->context, walk->index)->ordered;
}

// Returns a walk that looks up its place first.
static kin__ordered_walk walk_at(const kin_context *context, uint32_t number, uint64_t slot)
{
    return (kin__ordered_walk){.context = context,
                               .current = &index_of(context, number)->ordered->version,
                               .index = number,
                               .slot = slot,
                               .stand = KIN__BETWEEN};
}

kin__ordered_walk kin__ordered_begin(const kin_context *context, uint32_t index, bool is_last, uint64_t *keys)
{
    memset(keys, is_last ? 0xFF : 0, index_of(context, index)->key_size);
    return walk_at(context, index, is_last ? BEHIND_SLOTS : BEFORE_SLOTS);
}

kin__ordered_walk kin__ordered_from(const kin_context *context, uint32_t index, const void *const *parts,
                                    uint64_t *keys)
{
    kin__key_order_parts(index_of(context, index), parts, keys);
    return walk_at(context, index, BEFORE_SLOTS);
}

kin__ordered_walk kin__ordered_range(const kin_context *context, uint32_t index, const void *const *low,
                                     const void *const *high, uint64_t *keys)
{
    uint32_t words = index_of(context, index)->ordered->words;
    kin__ordered_walk walk = walk_at(context, index, BEFORE_SLOTS);
    memset(keys, 0, words * sizeof *keys);
    kin__key_order_parts(index_of(context, index), low, keys + words);
    kin__key_order_parts(index_of(context, index), high, keys + 2 * (size_t)words);
    walk.stand = KIN__AT_EITHER_END;
    walk.is_range = true;
    return walk;
}

// Looks up the place of a walk: of the next entry if it goes on, else of the one behind the previous entry.
static kin__ordered_place find_place(const kin__ordered_walk *walk, const uint64_t *keys, bool goes_on)
{
    const kin__ordered *ordered = ordered_of(walk);
    if (walk->stand == KIN__AT_ENTRY)
        return kin__ordered_find(ordered, keys, kin_entity_slot(walk->entity) + (uint64_t)goes_on);
    if (walk->stand == KIN__BETWEEN)
        return kin__ordered_find(ordered, keys, walk->slot);
    return goes_on ? kin__ordered_find(ordered, keys + ordered->words, BEFORE_SLOTS)
                   : kin__ordered_find(ordered, keys + 2 * (size_t)ordered->words, BEHIND_SLOTS);
}

// Returns the place of the entry after `after`, or of the one before the entry that the walk is at.
static kin__ordered_place known_place(const kin__ordered_walk *walk, bool goes_on)
{
    const kin__ordered *ordered = ordered_of(walk);
    const kin__ordered_node *leaf = kin__ordered_leaf(ordered, walk->leaf);
    uint32_t after = (uint32_t)((size_t)(walk->after - leaf->entries) / (ordered->words + 1));
    return (kin__ordered_place){walk->leaf, goes_on ? after : after - 1};
}

// Makes the walk know a leaf, and moves it to one of its entries. False, with nothing changed, if that is not in the
// range.
static bool enter_leaf(kin__ordered_walk *walk, uint64_t *keys, kin__ordered_place at)
{
    const kin__ordered *ordered = ordered_of(walk);
    const kin__ordered_node *leaf = kin__ordered_leaf(ordered, at.leaf);
    uint32_t low = 0;
    uint32_t end = leaf->count;
    if (walk->is_range) {
        low = kin__ordered_find_in(ordered, leaf, keys + ordered->words, BEFORE_SLOTS);
        end = kin__ordered_find_in(ordered, leaf, keys + 2 * (size_t)ordered->words, BEHIND_SLOTS);
    }
    if (at.place < low || at.place >= end)
        return false;
    if (at.place == 0 && leaf->next != KIN__NO_NODE)
        kin__ordered_prefetch(ordered, leaf->next);
    walk->version = ordered->version;
    walk->stand = KIN__AT_ENTRY;
    walk->leaf = at.leaf;
    walk->low = kin__ordered_entry(ordered, leaf, low);
    walk->end = kin__ordered_entry(ordered, leaf, end);
    kin__ordered_take(walk, kin__ordered_entry(ordered, leaf, at.place), keys, ordered->words);
    return true;
}

kin_entity kin__ordered_step(kin__ordered_walk *walk, uint64_t *keys, bool goes_on)
{
    const kin__ordered *ordered = ordered_of(walk);
    bool is_known = walk->version == ordered->version;
    kin__ordered_place at = is_known ? known_place(walk, goes_on) : find_place(walk, keys, goes_on);
    const kin__ordered_node *leaf = kin__ordered_leaf(ordered, at.leaf);
    if (goes_on && at.place == leaf->count)
        at = (kin__ordered_place){leaf->next, 0};
    else if (!goes_on && at.place == 0)
        at = (kin__ordered_place){leaf->previous, UINT32_MAX};
    if (at.leaf == KIN__NO_NODE)
        return 0;
    if (!goes_on)
        at.place = (at.place == UINT32_MAX ? kin__ordered_leaf(ordered, at.leaf)->count : at.place) - 1;
    return enter_leaf(walk, keys, at) ? walk->entity : 0;
}

// ---- ends and ranks

kin_entity kin__ordered_end(const kin_context *context, uint32_t index, bool is_last)
{
    const kin__ordered *ordered = index_of(context, index)->ordered;
    const kin__ordered_node *leaf = kin__ordered_leaf(ordered, is_last ? ordered->last : ordered->first);
    if (leaf->count == 0)
        return 0;
    return kin__ordered_entry(ordered, leaf, is_last ? leaf->count - 1 : 0)[ordered->words];
}

uint32_t kin__ordered_rank(const kin_context *context, uint32_t index, const void *const *parts)
{
    uint64_t words[KIN__ORDERED_WORDS];
    kin__key_order_parts(index_of(context, index), parts, words);
    return kin__ordered_count_below(index_of(context, index)->ordered, words, BEFORE_SLOTS);
}
