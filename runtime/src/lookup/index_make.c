#include "lookup/lookup.h"
#include "notify/notify.h"

#include <string.h>

enum { FIRST_CAPACITY = 8 };

static size_t size_of(const kin__table *table)
{
    return ((size_t)table->mask + 1) * sizeof(kin__entry);
}

static kin__table sized(uint64_t capacity, const uint64_t *factors)
{
    KIN_ASSERT(capacity > 0 && (capacity & (capacity - 1)) == 0);
    kin__table table = {.mask = (uint32_t)(capacity - 1), .shift = 64, .factors = {factors[0], factors[1]}};
    for (; capacity > 1; capacity /= 2)
        table.shift--;
    return table;
}

// Moves the entries to a table of another capacity. False, with nothing changed, when out of memory.
static bool resize(kin__memory *memory, kin__table *table, uint64_t capacity)
{
    kin__table other = sized(capacity, table->factors);
    other.entries = kin__allocate_zero(memory, size_of(&other));
    if (other.entries == NULL)
        return false;
    for (uint64_t i = 0; table->entries != NULL && i <= table->mask; i++)
        if (table->entries[i].value != 0)
            kin__table_insert(&other, table->entries[i].word, table->entries[i].value);
    KIN_ASSERT(other.count == table->count); // invariant 3
    kin__table_release(memory, table);
    *table = other;
    return true;
}

kin__table kin__table_begin(const uint64_t *factors)
{
    return (kin__table){.factors = {factors[0], factors[1]}};
}

// Returns the capacity for `least` entries, at least `from`.
static uint64_t capacity_for(uint64_t from, uint32_t least)
{
    while (from / 2 < least)
        from *= 2;
    KIN_ASSERT((from & (from - 1)) == 0 && from / 2 >= least); // invariant 1
    return from;
}

bool kin__table_reserve(kin__memory *memory, kin__table *table, uint32_t least)
{
    uint64_t existing = table->entries == NULL ? 0 : (uint64_t)table->mask + 1;
    uint64_t capacity = capacity_for(existing == 0 ? FIRST_CAPACITY : existing, least);
    return capacity == existing || resize(memory, table, capacity);
}

// Moves the table to memory for `least` entries, which is at least the number it has. Does nothing without memory.
static void table_trim(kin__memory *memory, kin__table *table, uint32_t least)
{
    KIN_ASSERT(least >= table->count);
    uint64_t capacity = capacity_for(FIRST_CAPACITY, least);
    if (capacity < (uint64_t)table->mask + 1)
        resize(memory, table, capacity);
}

void kin__table_release(kin__memory *memory, kin__table *table)
{
    if (table->entries != NULL)
        kin__release(memory, table->entries, size_of(table));
    *table = (kin__table){0};
}

void kin__table_insert(kin__table *table, uint64_t word, uint64_t value)
{
    KIN_ASSERT(value != 0 && table->count <= table->mask / 2);
    uint32_t place = kin__table_place(table, word);
    while (table->entries[place].value != 0)
        place = (place + 1) & table->mask;
    table->entries[place] = (kin__entry){word, value};
    table->count++;
}

void kin__table_erase(kin__table *table, uint64_t word, uint64_t value)
{
    KIN_ASSERT(table->count > 0);
    uint32_t hole = kin__table_place(table, word);
    while (table->entries[hole].word != word || table->entries[hole].value != value) {
        KIN_ASSERT(table->entries[hole].value != 0);
        hole = (hole + 1) & table->mask;
    }
    for (uint32_t place = (hole + 1) & table->mask; table->entries[place].value != 0;
         place = (place + 1) & table->mask) {
        uint32_t wanted = kin__table_place(table, table->entries[place].word);
        if (((place - wanted) & table->mask) < ((place - hole) & table->mask))
            continue; // the hole is before the place of its word
        table->entries[hole] = table->entries[place];
        hole = place;
    }
    table->entries[hole] = (kin__entry){0};
    table->count--;
}

void kin__table_clear(kin__table *table)
{
    if (table->entries != NULL)
        memset(table->entries, 0, size_of(table));
    table->count = 0;
}

// Invariant 2 for the entry at a place.
static bool is_reached(const kin__table *table, uint32_t at)
{
    for (uint32_t place = kin__table_place(table, table->entries[at].word); place != at;
         place = (place + 1) & table->mask)
        if (table->entries[place].value == 0)
            return false;
    return true;
}

bool kin__table_is_valid(const kin__table *table)
{
    uint64_t capacity = (uint64_t)table->mask + 1;
    uint32_t count = 0;
    if ((capacity & table->mask) != 0 || table->count > capacity / 2)
        return false; // invariant 1
    for (uint64_t at = 0; at < capacity; at++) {
        if (table->entries[at].value == 0)
            continue;
        count++;
        if (!is_reached(table, (uint32_t)at))
            return false;
    }
    return count == table->count;
}

// Makes the indices of a context, reserves and trims their memory, and releases them.

static size_t key_size_of(const kin__index *index)
{
    size_t size = 0;
    if (index->info->is_ordered)
        return kin__key_count_words(index) * sizeof(uint64_t);
    for (uint32_t i = 0; i < index->leaf_count; i++)
        size += index->leaves[i].size;
    return size;
}

static bool has_strings(const kin__index *index)
{
    for (uint32_t i = 0; i < index->leaf_count; i++)
        if (index->leaves[i].kind == KIN__LEAF_STRING)
            return true;
    return false;
}

static size_t slot_size_of(const kin__index *index)
{
    if (!index->info->is_primary)
        return sizeof(kin__link);
    if (index->has_strings)
        return index->leaf_count == 1 ? KIN__STRING_PREFIX : 0;
    return index->key_size > KIN__WORD_SIZE ? index->key_size : 0;
}

bool kin__hash_make(kin_context *context, kin__index *index)
{
    if (index->given == NULL)
        index->slot_size = slot_size_of(index);
    index->is_plain = kin__index_find_plain(index);
    KIN_ASSERT(index->info->is_primary || index->slot_size > 0);
    context->tables[index->number] = kin__table_begin(context->core->factors);
    return kin__table_reserve(&context->core->index_memory, &context->tables[index->number], 0);
}

static const kin__index_kind *kind_of(const kin_index_info *info)
{
    if (info->is_ordered)
        return &kin__ordered_index;
    if (info->cell > 0)
        return &kin__grid_index;
    return info->function != NULL ? &kin__given_index : &kin__hash_index;
}

static bool make(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    index->matcher = kin__matcher_normalise(&index->info->matcher);
    index->leaf_count = kin__key_count_leaves(index->info);
    index->leaves = kin__allocate(memory, index->leaf_count * sizeof *index->leaves);
    if (index->leaves == NULL)
        return false;
    kin__key_list_leaves(index->info, index->leaves);
    index->key_size = key_size_of(index);
    index->has_strings = has_strings(index);
    index->kind = kind_of(index->info);
    KIN_ASSERT(index->leaf_count > 0 && index->key_size > 0);
    for (uint32_t i = 0; i < 2; i++) {
        index->keys[i] = kin__allocate(memory, index->key_size);
        if (index->keys[i] == NULL)
            return false;
    }
    return index->kind->make(context, index);
}

// Calls `visit` for each component that the index names, once.
static void visit_components(kin_context *context, const kin__index *index,
                             void (*visit)(kin_context *context, const kin__index *index, kin_component_id id))
{
    for (uint32_t i = 0; i < index->matcher.count; i++)
        for (uint32_t k = 0; k < index->matcher.rules[i].count; k++)
            visit(context, index, index->matcher.rules[i].ids[k]);
}

static void count_component(kin_context *context, const kin__index *index, kin_component_id id)
{
    (void)index;
    context->core->indices->first[id + 1]++;
    kin__component_watch(context, id, true);
}

static void append_component(kin_context *context, const kin__index *index, kin_component_id id)
{
    kin__indices *indices = context->core->indices;
    indices->numbers[indices->first[id]++] = index->number;
}

static size_t first_size(const kin_context *context)
{
    return ((size_t)context->info->component_count + 1) * sizeof(uint32_t);
}

// Lists the indices by the components that they name: counts those of each component, then fills one array in order.
static bool list_by_component(kin_context *context)
{
    kin__indices *indices = context->core->indices;
    uint32_t count = context->info->index_count;
    uint32_t component_count = context->info->component_count;
    for (uint32_t i = 0; i < count; i++)
        visit_components(context, &indices->indices[i], count_component);
    for (uint32_t id = 0; id < component_count; id++)
        indices->first[id + 1] += indices->first[id];
    indices->number_count = indices->first[component_count];
    indices->numbers = kin__allocate(&context->core->index_memory, indices->number_count * sizeof *indices->numbers);
    if (indices->numbers == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        visit_components(context, &indices->indices[i], append_component);
    memmove(indices->first + 1, indices->first, component_count * sizeof *indices->first);
    indices->first[0] = 0;
    KIN_ASSERT(indices->first[component_count] == indices->number_count);
    return true;
}

static bool make_tables(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t count = context->info->index_count;
    KIN_ASSERT(context->core->indices == NULL && context->tables == NULL);
    kin__indices *indices = kin__allocate_zero(memory, sizeof *indices);
    if (indices == NULL)
        return false;
    context->core->indices = indices;
    context->tables = kin__allocate_zero(memory, count * sizeof *context->tables);
    indices->indices = kin__allocate_zero(memory, count * sizeof *indices->indices);
    indices->first = kin__allocate_zero(memory, first_size(context));
    indices->rows = kin__allocate_zero(memory, 2 * context->row_words * sizeof *indices->rows);
    return context->tables != NULL && indices->indices != NULL && indices->first != NULL && indices->rows != NULL;
}

bool kin__indices_make(kin_context *context)
{
    if (context->info->index_count == 0)
        return true;
    if (!make_tables(context))
        return false;
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        kin__index *index = &context->core->indices->indices[i];
        index->info = &context->info->indices[i];
        index->number = i;
        if (!make(context, index))
            return false;
    }
    return list_by_component(context);
}

// ---- room

bool kin__index_reserve_block(kin_context *context, kin__index *index, uint32_t slot)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    KIN_ASSERT(number < context->chunk_count);
    if (index->slot_size == 0)
        return true;
    if (!kin__array_reserve(memory, &index->blocks, number + 1, sizeof(void *)))
        return false;
    void **blocks = index->blocks.elements;
    while (index->block_count <= number)
        blocks[index->block_count++] = NULL;
    if (blocks[number] == NULL)
        blocks[number] = kin__allocate_zero(memory, KIN__CHUNK_SLOTS * index->slot_size);
    return blocks[number] != NULL;
}

bool kin__hash_reserve(kin_context *context, kin__index *index, uint32_t slot, uint32_t count)
{
    if (!kin__index_reserve_block(context, index, slot))
        return false;
    uint32_t least = index->potential + count;
    return index->info->is_primary
               ? kin__table_reserve(&context->core->index_memory, kin__index_table(context, index), least)
               : kin__list_reserve(context, index, least + index->pinned_count);
}

// Whether an entity is in the index only with the component, or with another one of the same rule.
static bool needs(const kin__index *index, kin_component_id id)
{
    for (uint32_t i = 0; i < index->matcher.count; i++) {
        const kin_rule *rule = &index->matcher.rules[i];
        for (uint32_t k = 0; k < rule->count && rule->kind != KIN_RULE_NONE; k++)
            if (rule->ids[k] == id)
                return true;
    }
    return false;
}

bool kin__indices_reserve(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count)
{
    if (context->core->indices == NULL)
        return true;
    EACH_INDEX_OF(index, context, id)
    {
        if (needs(index, id) && !index->kind->reserve(context, index, slot, count))
            return false;
    }
    return true;
}

bool kin__indices_reserve_replacement(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (context->core->indices == NULL)
        return true;
    EACH_INDEX_OF(index, context, id)
    {
        bool grows = index->kind->reserve_replacement != NULL && kin__index_is_key(index, id);
        if (grows && !index->kind->reserve_replacement(context, index, slot))
            return false;
    }
    return true;
}

bool kin__indices_replace_in_place(const kin_context *context, kin_component_id id)
{
    bool is_named = false;
    if (context->core->indices == NULL)
        return false;
    EACH_INDEX_OF(index, context, id)
    {
        is_named = true;
        if (index->kind->reserve_replacement != NULL)
            return false;
    }
    return is_named;
}

// ---- spare memory

void kin__index_trim_blocks(kin_context *context, kin__index *index)
{
    void **blocks = index->blocks.elements;
    kin_component_id first = index->info->key[0].component;
    for (uint32_t number = 0; number < index->block_count; number++) {
        const kin__column *column = kin__chunk_column(context, number, first);
        if (blocks[number] == NULL || !kin__column_is_empty(column))
            continue;
        kin__release(&context->core->index_memory, blocks[number], KIN__CHUNK_SLOTS * index->slot_size);
        blocks[number] = NULL;
    }
}

void kin__hash_trim_table(kin_context *context, kin__index *index)
{
    bool has_lists = !index->info->is_primary || index->given != NULL;
    KIN_ASSERT(has_lists || index->pinned_count == 0);
    table_trim(&context->core->index_memory, kin__index_table(context, index), index->potential + index->pinned_count);
    if (has_lists)
        kin__list_trim(context, index);
}

void kin__hash_trim(kin_context *context, kin__index *index)
{
    kin__index_trim_blocks(context, index);
    kin__hash_trim_table(context, index);
}

void kin__indices_trim(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->index_count; i++) {
        kin__index *index = &context->core->indices->indices[i];
        index->kind->trim(context, index);
    }
}

size_t kin__hash_used(const kin_context *context, const kin__index *index)
{
    size_t count = kin__index_table(context, index)->count;
    return count * sizeof(kin__entry) + kin__list_used(index) +
           (index->given != NULL ? 0 : index->kind->count(context, index) * index->slot_size);
}

static size_t used(const kin_context *context, const kin__index *index)
{
    return sizeof *index + index->leaf_count * sizeof *index->leaves + 2 * index->key_size + sizeof(kin__table) +
           index->kind->used(context, index);
}

size_t kin__indices_used(const kin_context *context)
{
    const kin__indices *indices = context->core->indices;
    if (indices == NULL)
        return 0;
    size_t bytes = sizeof *indices + first_size(context) + indices->number_count * sizeof *indices->numbers +
                   2 * context->row_words * sizeof *indices->rows;
    for (uint32_t i = 0; i < context->info->index_count; i++)
        bytes += used(context, &indices->indices[i]);
    return bytes;
}

// ---- ending

void kin__hash_release(kin_context *context, kin__index *index)
{
    kin__list_release(context, index);
    kin__table_release(&context->core->index_memory, &context->tables[index->number]);
}

static void release(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    void **blocks = index->blocks.elements;
    for (uint32_t i = 0; i < index->block_count; i++)
        kin__release(memory, blocks[i], KIN__CHUNK_SLOTS * index->slot_size);
    kin__array_release(memory, &index->blocks, sizeof(void *));
    if (index->kind != NULL)
        index->kind->release(context, index);
    kin__array_release(memory, &index->marks, sizeof(uint64_t));
    kin__release(memory, index->keys[0], index->key_size);
    kin__release(memory, index->keys[1], index->key_size);
    kin__release(memory, index->leaves, index->leaf_count * sizeof *index->leaves);
}

void kin__indices_release(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    kin__indices *indices = context->core->indices;
    size_t count = context->info->index_count;
    if (indices == NULL)
        return;
    for (size_t i = 0; indices->indices != NULL && context->tables != NULL && i < count; i++)
        if (indices->indices[i].info != NULL)
            release(context, &indices->indices[i]);
    kin__release(memory, indices->numbers, indices->number_count * sizeof *indices->numbers);
    kin__release(memory, indices->first, first_size(context));
    kin__release(memory, indices->rows, 2 * context->row_words * sizeof *indices->rows);
    kin__release(memory, indices->indices, count * sizeof *indices->indices);
    kin__release(memory, context->tables, count * sizeof *context->tables);
    kin__release(memory, indices, sizeof *indices);
}

enum { FILLED_FROM = 8 }; // an index is filled if more than one in so many of its entities differ

// Runs the following block for each index of a context.
#define EACH_INDEX(index, context)                                                                                     \
    for (uint32_t number_ = 0; number_ < (context)->info->index_count; number_++)                                      \
        for (kin__index *index = &(context)->core->indices->indices[number_]; index != NULL; index = NULL)

static kin_component_id first_component(const kin__index *index)
{
    return index->info->key[0].component;
}

// ---- what a snapshot has beside entities

static size_t save_all(const kin_context *context, unsigned char *bytes)
{
    size_t size = 0;
    EACH_INDEX(index, context)
    {
        if (index->kind->save != NULL)
            size += index->kind->save(index, bytes == NULL ? NULL : bytes + size);
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

// ---- reserving

bool kin__indices_name(const kin_context *context, uint32_t id)
{
    const kin__indices *indices = context->core->indices;
    return indices != NULL && indices->first[id] != indices->first[id + 1];
}

// Reserves marks, which are those that sort arrays (index_list.c).
bool kin__index_reserve_marks(kin_context *context, kin__index *index)
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

bool kin__index_reserve_blocks(kin_context *context, kin__index *index)
{
    kin_component_id id = first_component(index);
    for (uint32_t number = 0; number < context->chunk_count; number++)
        if (kin__chunk_column(context, number, id) != context->empty &&
            !kin__index_reserve_block(context, index, number * KIN__CHUNK_SLOTS))
            return false;
    return true;
}

bool kin__hash_restore_reserve(kin_context *context, kin__index *index, const uint32_t *holders,
                               const unsigned char **saved)
{
    (void)saved;
    uint32_t least = kin__max_32(holders[first_component(index)], index->potential);
    if (!kin__index_reserve_marks(context, index) || !kin__index_reserve_blocks(context, index))
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
        if (!index->kind->restore_reserve(context, index, plan->holders, keys == NULL ? NULL : &keys))
            return false;
    }
    return true;
}

// ---- marking

// Whether a restore may leave out what is the same.
static bool is_marked(const kin__index *index)
{
    return index->kind->insert != NULL;
}

static void mark_word(kin__index *index, uint32_t word, uint64_t slots)
{
    uint64_t *marks = (uint64_t *)index->marks.elements + word;
    index->marked += kin__count_bits(slots & ~*marks);
    *marks |= slots;
}

void kin__indices_restore_mark(kin_context *context, kin_component_id id, uint32_t chunk,
                               const uint64_t slots[KIN__CHUNK_WORDS])
{
    const kin__column *column = kin__chunk_column(context, chunk, id);
    if (context->core->indices == NULL)
        return;
    EACH_INDEX_OF(index, context, id)
    {
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS && is_marked(index) && kin__index_is_key(index, id); word++)
            mark_word(index, chunk * KIN__CHUNK_WORDS + word, slots[word] & column->has[word]);
    }
}

// The rows that a slot has before and after a restore; NULL while no entity of the slot is alive.
typedef struct heads {
    const uint64_t *before;
    const uint64_t *after;
} heads;

static bool may_hold(const kin__index *index, const uint64_t *row)
{
    return row != NULL && kin__index_may_hold(index, row);
}

static void mark_slot(kin_context *context, uint32_t slot, heads heads)
{
    EACH_INDEX(index, context)
    {
        if (is_marked(index) && (may_hold(index, heads.before) || may_hold(index, heads.after)))
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
            uint32_t bit = kin__lowest_bit(bits);
            uint32_t place = word * 64 + bit;
            heads heads = {NULL, NULL};
            if ((at->alive[word] >> bit & 1) != 0)
                heads.before = kin__chunk_row(at, row_words, place);
            if ((will >> bit & 1) != 0)
                heads.after = rows + (size_t)place * row_words;
            bool is_same_entity = heads.before != NULL && heads.after != NULL && at->ids[place] == ids[place];
            if (!is_same_entity || memcmp(heads.before, heads.after, row_words * sizeof *rows) != 0)
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

// ---- leaving and entering

void kin__hash_clear(kin_context *context, kin__index *index)
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

void kin__index_fill(kin_context *context, kin__index *index, const unsigned char **saved)
{
    (void)saved;
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        const kin__chunk *chunk = context->chunks[number];
        const kin__column *column = kin__chunk_column(context, number, first_component(index));
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            fill_word(context, index, chunk, word, column->has[word]);
    }
}

void kin__indices_restore_leave(kin_context *context)
{
    EACH_INDEX(index, context)
    {
        index->fills = !is_marked(index) || (uint64_t)index->marked * FILLED_FROM > index->potential;
        if (index->fills)
            index->kind->clear(context, index);
        else if (index->marked > 0)
            update_marked(context, index, false);
    }
}

void kin__indices_restore_enter(kin_context *context, const kin__index_plan *plan)
{
    const unsigned char *keys = plan->keys;
    EACH_INDEX(index, context)
    {
        if (index->fills)
            index->kind->fill(context, index, keys == NULL ? NULL : &keys);
        else if (index->marked > 0)
            update_marked(context, index, true);
        if (!index->fills && index->kind->refresh != NULL)
            index->kind->refresh(context, index);
        clear_marks(index);
    }
    KIN_VALIDATE(kin__indices_are_valid(context));
}
