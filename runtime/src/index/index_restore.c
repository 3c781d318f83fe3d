#include "index/index_restore.h"

#include "base/base.h"
#include "index/given_keys.h"
#include "index/plain.h"
#include "store/store.h"

#include <string.h>

enum { FILLED_FROM = 8 }; // an index is filled if more than one in so many of its entities differ

// Runs the following block for each index of a context.
#define EACH_INDEX(index, context)                                                                                     \
    for (uint32_t number_ = 0; number_ < (context)->info->index_count; number_++)                                      \
        for (kin__index *index = &(context)->core->indices->indices[number_]; index != NULL; index = NULL)

static kin_component_id first_component(const kin__index *index)
{
    return index->info->key[0].component;
}

// ---- kept keys

// A record of what a snapshot has: the keys of one entity, which follow it. The last one has no slot.
typedef struct record {
    uint32_t slot, count;
} record;

// Writes a record with its keys unless `bytes` is NULL; returns its bytes.
static size_t write_record(const kin__index *index, uint32_t slot, unsigned char *bytes)
{
    record record = {.slot = slot};
    size_t size = sizeof record;
    for (uint32_t at = kin__given_keys_first(index, slot); at != KIN__NO_SLOT; at = kin__given_keys_next(index, at)) {
        const kin__kept_key *kept = kin__index_slot_data(index, at);
        if (bytes != NULL)
            memcpy(bytes + size, kept + 1, index->key_size);
        size += index->key_size;
        record.count++;
    }
    if (bytes != NULL)
        memcpy(bytes, &record, sizeof record);
    return size;
}

static size_t write_keys(const kin__index *index, unsigned char *bytes)
{
    static const record end = {.slot = KIN__NO_SLOT};
    size_t size = 0;
    for (uint32_t slot = 0; slot < index->given->first_kept.capacity; slot++)
        if (kin__given_keys_have(index, slot))
            size += write_record(index, slot, bytes == NULL ? NULL : bytes + size);
    if (bytes != NULL)
        memcpy(bytes + size, &end, sizeof end);
    return size + sizeof end;
}

static size_t save_all(const kin_context *context, unsigned char *bytes)
{
    size_t size = 0;
    EACH_INDEX(index, context)
    {
        if (index->given != NULL)
            size += write_keys(index, bytes == NULL ? NULL : bytes + size);
    }
    return size;
}

size_t kin__given_keys_saved_size(const kin_context *context)
{
    return save_all(context, NULL);
}

void kin__given_keys_save(const kin_context *context, void *bytes)
{
    save_all(context, bytes);
}

// Reads the record at `*at` and moves behind it and its keys. False at the end.
static bool read_record(const kin__index *index, const unsigned char **at, record *read, const unsigned char **keys)
{
    memcpy(read, *at, sizeof *read);
    *keys = *at + sizeof *read;
    *at = *keys + read->count * index->key_size;
    return read->slot != KIN__NO_SLOT;
}

static uint32_t count_keys(const kin__index *index, const unsigned char **at)
{
    uint32_t count = 0;
    const unsigned char *keys = NULL;
    for (record record; read_record(index, at, &record, &keys);)
        count += record.count;
    return count;
}

// ---- reserving

bool kin__indices_name(const kin_context *context, uint32_t id)
{
    const kin__indices *indices = context->core->indices;
    return indices != NULL && indices->first[id] != indices->first[id + 1];
}

// Reserves marks, which are those that sort arrays (index_list.c).
static bool reserve_marks(kin_context *context, kin__index *index)
{
    uint32_t words = context->chunk_count * KIN__CHUNK_WORDS;
    if (words <= index->marks.capacity)
        return true;
    KIN_ASSERT(index->marked == 0);
    if (!kin__array_reserve(&context->core->index_memory, &index->marks, words, sizeof(uint64_t)))
        return false;
    memset(index->marks.elements, 0, index->marks.capacity * sizeof(uint64_t));
    return true;
}

static bool reserve_blocks(kin_context *context, kin__index *index)
{
    kin_component_id id = first_component(index);
    for (uint32_t number = 0; number < context->chunk_count; number++)
        if (kin__chunk_columns(context->chunks[number], context->row_words)[id] != context->empty &&
            !kin__index_reserve_block(context, index, number * KIN__CHUNK_SLOTS))
            return false;
    return true;
}

static bool reserve(kin_context *context, kin__index *index, uint32_t count)
{
    uint32_t least = count < index->potential ? index->potential : count;
    if (!reserve_marks(context, index) || !reserve_blocks(context, index))
        return false;
    return index->info->is_primary
               ? kin__table_reserve(&context->core->index_memory, kin__index_table(context, index), least)
               : kin__list_reserve(context, index, least + index->pinned_count);
}

bool kin__indices_restore_reserve(kin_context *context, const kin__index_plan *plan)
{
    const unsigned char *keys = plan->keys;
    EACH_INDEX(index, context)
    {
        bool reserved = false;
        if (index->given == NULL)
            reserved = reserve(context, index, plan->holders[first_component(index)]);
        else if (keys != NULL)
            reserved = kin__given_keys_reserve(context, index, count_keys(index, &keys));
        else
            reserved = kin__given_keys_reserve(context, index, KIN_INDEX_KEYS * plan->holders[index->info->of[0]]);
        if (!reserved)
            return false;
    }
    return true;
}

// ---- marking

static void mark_word(kin__index *index, uint32_t word, uint64_t slots)
{
    uint64_t *marks = (uint64_t *)index->marks.elements + word;
    index->marked += kin__count_bits(slots & ~*marks);
    *marks |= slots;
}

void kin__indices_restore_mark(kin_context *context, kin_component_id id, uint32_t chunk,
                               const uint64_t slots[KIN__CHUNK_WORDS])
{
    const kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
    if (context->core->indices == NULL)
        return;
    EACH_INDEX_OF(index, context, id)
    {
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS && index->given == NULL && kin__index_is_key(index, id); word++)
            mark_word(index, chunk * KIN__CHUNK_WORDS + word, slots[word] & column->has[word]);
    }
}

// What a slot has now and will have: rows, NULL without a living entity.
typedef struct heads {
    const uint64_t *before, *after;
} heads;

static void mark_slot(kin_context *context, uint32_t slot, heads heads)
{
    EACH_INDEX(index, context)
    {
        bool concerns = (heads.before != NULL && kin__index_may_hold(index, heads.before)) ||
                        (heads.after != NULL && kin__index_may_hold(index, heads.after));
        if (index->given == NULL && concerns)
            mark_word(index, slot / 64, kin__bit_of(slot));
    }
}

void kin__indices_restore_mark_heads(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive,
                                     const uint64_t *rows)
{
    const kin__chunk *at = context->chunks[chunk];
    uint32_t row_words = context->row_words;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS && context->core->indices != NULL; word++) {
        uint64_t will = alive == NULL ? 0 : alive[word];
        for (uint64_t bits = at->alive[word] | will; bits != 0; bits &= bits - 1) {
            uint32_t bit = kin__lowest_bit(bits), place = word * 64 + bit;
            heads heads = {(at->alive[word] >> bit & 1) != 0 ? kin__chunk_row(at, row_words, place) : NULL,
                           (will >> bit & 1) != 0 ? rows + (size_t)place * row_words : NULL};
            if (heads.before == NULL || heads.after == NULL || at->ids[place] != ids[place] ||
                memcmp(heads.before, heads.after, row_words * sizeof *rows) != 0)
                mark_slot(context, chunk * KIN__CHUNK_SLOTS + place, heads);
        }
    }
}

static void clear_marks(kin__index *index)
{
    if (index->marked > 0)
        memset(index->marks.elements, 0, index->marks.capacity * sizeof(uint64_t));
    index->marked = 0;
    index->fills = false;
}

void kin__indices_restore_cancel(kin_context *context)
{
    EACH_INDEX(index, context)
    {
        clear_marks(index);
    }
}

// ---- leaving and entering

static void clear(kin_context *context, kin__index *index)
{
    index->potential = 0;
    if (!index->info->is_primary) {
        kin__list_clear(context, index);
        return;
    }
    kin__table_clear(kin__index_table(context, index)); // what is kept for slots is written before it is read
}

// Puts the marked entities into the index, or takes them out.
static void update_marked(kin_context *context, kin__index *index, bool enters)
{
    const uint64_t *marks = index->marks.elements;
    for (uint32_t word = 0; word < context->chunk_count * KIN__CHUNK_WORDS; word++) {
        const kin__chunk *chunk = context->chunks[word / KIN__CHUNK_WORDS];
        for (uint64_t bits = marks[word] & chunk->alive[word % KIN__CHUNK_WORDS]; bits != 0; bits &= bits - 1) {
            uint32_t slot = word * 64 + kin__lowest_bit(bits);
            kin_entity entity = chunk->ids[slot % KIN__CHUNK_SLOTS];
            if (enters)
                kin__index_insert_entity(context, index, entity, kin__row_of(context, slot));
            else
                kin__index_remove_entity(context, index, entity, kin__row_of(context, slot));
        }
    }
}

// Inserts the entities of 64 places, which all have the first component.
static void fill_word(kin_context *context, kin__index *index, const kin__chunk *chunk, uint32_t word, uint64_t places)
{
    if (index->is_plain) {
        kin__plain_insert_places(context, index, chunk->ids + (size_t)word * 64, places);
        return;
    }
    for (uint64_t bits = places; bits != 0; bits &= bits - 1) {
        uint32_t place = word * 64 + kin__lowest_bit(bits);
        kin__index_insert_entity(context, index, chunk->ids[place], kin__chunk_row(chunk, context->row_words, place));
    }
}

static void fill(kin_context *context, kin__index *index)
{
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        const kin__chunk *chunk = context->chunks[number];
        const kin__column *column = kin__chunk_columns(chunk, context->row_words)[first_component(index)];
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            fill_word(context, index, chunk, word, column->has[word]);
    }
}

void kin__indices_restore_leave(kin_context *context)
{
    EACH_INDEX(index, context)
    {
        index->fills = index->given != NULL || (uint64_t)index->marked * FILLED_FROM > index->potential;
        if (index->given != NULL)
            kin__given_keys_clear(context, index);
        else if (index->fills)
            clear(context, index);
        else if (index->marked > 0)
            update_marked(context, index, false);
    }
}

// Keeps the keys of the snapshot.
static void fill_saved(kin_context *context, kin__index *index, const unsigned char **at)
{
    const unsigned char *keys = NULL;
    for (record record; read_record(index, at, &record, &keys);) {
        KIN_ASSERT(record.count <= KIN_INDEX_KEYS);
        memcpy(index->given->keys, keys, record.count * index->key_size);
        index->given->count = record.count;
        kin__given_keys_insert(context, index, record.slot);
    }
}

// Asks the function: the snapshot has no keys.
static void fill_given(kin_context *context, kin__index *index)
{
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        if (!kin__chunk_is_alive(chunk, slot % KIN__CHUNK_SLOTS) ||
            !kin__index_may_hold(index, kin__row_of(context, slot)))
            continue;
        if (kin__given_keys_read(context, index, slot, (kin__new_values){0}))
            kin__given_keys_insert(context, index, slot);
    }
}

void kin__indices_restore_enter(kin_context *context, const kin__index_plan *plan)
{
    const unsigned char *keys = plan->keys;
    EACH_INDEX(index, context)
    {
        if (index->given != NULL && keys != NULL)
            fill_saved(context, index, &keys);
        else if (index->given != NULL)
            fill_given(context, index);
        else if (index->fills)
            fill(context, index);
        else if (index->marked > 0)
            update_marked(context, index, true);
        clear_marks(index);
    }
    KIN_VALIDATE(kin__indices_are_valid(context));
}
