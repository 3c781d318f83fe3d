#include "storage/private/shared_table.h"

#include <string.h>

enum { FIRST_ENTRIES = 8 };

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->column_memory;
}

// ---- entries

// Returns the place of the entry of a value, which is in the table.
static uint32_t place_of(const kin__shared *table, const kin__shared_record *record)
{
    uint32_t mask = table->entry_count - 1, place = (uint32_t)record->hash & mask;
    while (table->entries[place].number != record->number + 1)
        place = (place + 1) & mask;
    return place;
}

static void insert_entry(kin__shared_entry *entries, uint32_t entry_count, kin__shared_entry given)
{
    uint32_t place = given.hash & (entry_count - 1);
    while (entries[place].number != 0)
        place = (place + 1) & (entry_count - 1);
    entries[place] = given;
}

// Closes the gap after an erased entry: moves back each following entry that a search would no longer reach.
static void erase_entry(kin__shared *table, const kin__shared_record *record)
{
    uint32_t mask = table->entry_count - 1, gap = place_of(table, record);
    table->entries[gap].number = 0;
    for (uint32_t place = (gap + 1) & mask; table->entries[place].number != 0; place = (place + 1) & mask) {
        uint32_t home = table->entries[place].hash & mask;
        if (((place - home) & mask) < ((place - gap) & mask))
            continue;
        table->entries[gap] = table->entries[place];
        table->entries[place].number = 0;
        gap = place;
    }
}

static bool resize_entries(kin_context *context, kin__shared *table, uint32_t entry_count)
{
    kin__shared_entry *entries = kin__allocate_zero(memory_of(context), kin__bytes_of(entry_count, sizeof *entries));
    if (entries == NULL)
        return false;
    for (uint32_t i = 0; i < table->entry_count; i++)
        if (table->entries[i].number != 0)
            insert_entry(entries, entry_count, table->entries[i]);
    kin__release(memory_of(context), table->entries, table->entry_count * sizeof *entries);
    table->entries = entries;
    table->entry_count = entry_count;
    return true;
}

// ---- numbers

static void push_free(kin__shared *table, uint32_t number)
{
    uint32_t *heap = table->free.elements, at = table->free_count++;
    KIN_ASSERT(at < table->free.capacity);
    for (; at > 0 && heap[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

static uint32_t pop_free(kin__shared *table)
{
    uint32_t *heap = table->free.elements, lowest = heap[0], last = heap[--table->free_count], at = 0;
    for (uint32_t next = 1; next < table->free_count; next = 2 * at + 1) {
        if (next + 1 < table->free_count && heap[next + 1] < heap[next])
            next++;
        if (heap[next] >= last)
            break;
        heap[at] = heap[next];
        at = next;
    }
    heap[at] = last;
    return lowest;
}

// ---- tables

static bool list_parts(kin_context *context, kin__shared *table, const kin_component_info *info)
{
    table->part_count = kin__shared_parts_list(info, NULL);
    table->parts = kin__allocate(memory_of(context), table->part_count * sizeof *table->parts);
    if (table->parts != NULL)
        kin__shared_parts_list(info, table->parts);
    return table->parts != NULL;
}

kin__shared *kin__shared_table_reserve(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    if (core->shared == NULL)
        core->shared = kin__allocate_zero(memory_of(context), context->info->component_count * sizeof *core->shared);
    if (core->shared == NULL)
        return NULL;
    if (core->shared[id] != NULL)
        return core->shared[id];
    kin__shared *table = kin__allocate_zero(memory_of(context), sizeof *table);
    if (table == NULL)
        return NULL;
    if (!list_parts(context, table, &context->info->components[id])) {
        kin__release(memory_of(context), table, sizeof *table);
        return NULL;
    }
    return core->shared[id] = table;
}

bool kin__shared_table_reserve_one(kin_context *context, kin__shared *table)
{
    kin__memory *memory = memory_of(context);
    if (table->free_count == 0 &&
        (table->limit == UINT32_MAX - 1 || !kin__array_reserve_pointers(memory, &table->values, table->limit + 1) ||
         !kin__array_reserve(memory, &table->free, table->limit + 1, sizeof(uint32_t))))
        return false;
    uint32_t needed = 2 * (kin__shared_table_count(table) + 1);
    return needed <= table->entry_count ||
           resize_entries(context, table, table->entry_count == 0 ? FIRST_ENTRIES : 2 * table->entry_count);
}

kin__owned_block *kin__shared_table_find(const kin__shared *table, uint64_t hash, const void *value)
{
    uint32_t mask = table->entry_count - 1;
    for (uint32_t place = (uint32_t)hash & mask; table->entry_count > 0 && table->entries[place].number != 0;
         place = (place + 1) & mask) {
        if (table->entries[place].hash != (uint32_t)hash)
            continue;
        kin__owned_block *block = *kin__shared_value_at(table, table->entries[place].number - 1);
        if (kin__shared_parts_are_equal(table->parts, table->part_count, block->value, value))
            return block;
    }
    return NULL;
}

void kin__shared_table_insert(kin__shared *table, kin__owned_block *block)
{
    kin__shared_record *record = kin__shared_record_of(block);
    record->number = table->free_count > 0 ? pop_free(table) : table->limit++;
    *kin__shared_value_at(table, record->number) = block;
    insert_entry(table->entries, table->entry_count, (kin__shared_entry){(uint32_t)record->hash, record->number + 1});
}

void kin__shared_table_erase(kin__shared *table, const kin__owned_block *block)
{
    const kin__shared_record *record = kin__shared_record_of(block);
    KIN_ASSERT(*kin__shared_value_at(table, record->number) == block);
    erase_entry(table, record);
    *kin__shared_value_at(table, record->number) = NULL;
    push_free(table, record->number);
}

// ---- parked values

static uint32_t parked_home(const kin__shared *table, const kin__owned_block *block)
{
    return (uint32_t)kin__shared_record_of(block)->hash & (table->parked_capacity - 1);
}

bool kin__shared_parked_reserve(kin_context *context, kin__shared *table, uint32_t count)
{
    kin__shared other = {.parked_capacity = FIRST_ENTRIES};
    while (other.parked_capacity / 2 < count)
        other.parked_capacity *= 2;
    if (other.parked_capacity <= table->parked_capacity)
        return true;
    other.parked = kin__allocate_zero(memory_of(context), kin__bytes_of(other.parked_capacity, sizeof *other.parked));
    if (other.parked == NULL)
        return false;
    for (uint32_t i = 0; i < table->parked_capacity; i++)
        if (table->parked[i] != NULL)
            kin__shared_park(&other, table->parked[i]);
    kin__release(memory_of(context), table->parked, table->parked_capacity * sizeof *table->parked);
    table->parked = other.parked;
    table->parked_capacity = other.parked_capacity;
    return true;
}

void kin__shared_park(kin__shared *table, kin__owned_block *block)
{
    KIN_ASSERT(table->parked_count < table->parked_capacity / 2);
    uint32_t place = parked_home(table, block);
    while (table->parked[place] != NULL)
        place = (place + 1) & (table->parked_capacity - 1);
    table->parked[place] = block;
    table->parked_count++;
}

kin__owned_block *kin__shared_parked_find(const kin__shared *table, uint64_t hash, const void *value)
{
    uint32_t mask = table->parked_capacity - 1;
    for (uint32_t place = (uint32_t)hash & mask; table->parked_count > 0 && table->parked[place] != NULL;
         place = (place + 1) & mask) {
        kin__owned_block *block = table->parked[place];
        if (kin__shared_record_of(block)->hash == hash &&
            kin__shared_parts_are_equal(table->parts, table->part_count, block->value, value))
            return block;
    }
    return NULL;
}

void kin__shared_unpark(kin__shared *table, const kin__owned_block *block)
{
    uint32_t mask = table->parked_capacity - 1, gap = parked_home(table, block);
    while (table->parked[gap] != block)
        gap = (gap + 1) & mask;
    for (uint32_t place = (gap + 1) & mask; table->parked[place] != NULL; place = (place + 1) & mask) {
        if (((place - parked_home(table, table->parked[place])) & mask) < ((place - gap) & mask))
            continue;
        table->parked[gap] = table->parked[place];
        gap = place;
    }
    table->parked[gap] = NULL;
    table->parked_count--;
}

// ---- all numbers at once

bool kin__shared_table_reserve_limit(kin_context *context, kin__shared *table, uint32_t limit)
{
    kin__memory *memory = memory_of(context);
    uint32_t entry_count = table->entry_count == 0 ? FIRST_ENTRIES : table->entry_count;
    while (entry_count / 2 < limit)
        entry_count *= 2;
    return kin__array_reserve_pointers(memory, &table->values, limit) &&
           kin__array_reserve(memory, &table->free, limit, sizeof(uint32_t)) &&
           (entry_count <= table->entry_count || resize_entries(context, table, entry_count));
}

// The free numbers, in ascending order, are a heap.
void kin__shared_table_assign(kin__shared *table, kin__owned_block *const *blocks, uint32_t limit)
{
    uint32_t *heap = table->free.elements;
    if (table->entry_count > 0)
        memset(table->entries, 0, table->entry_count * sizeof *table->entries);
    table->free_count = 0;
    table->limit = limit;
    for (uint32_t number = 0; number < limit; number++) {
        *kin__shared_value_at(table, number) = blocks[number];
        if (blocks[number] == NULL) {
            heap[table->free_count++] = number;
            continue;
        }
        kin__shared_record *record = kin__shared_record_of(blocks[number]);
        record->number = number;
        insert_entry(table->entries, table->entry_count, (kin__shared_entry){(uint32_t)record->hash, number + 1});
    }
}

// Lowers the limit to the last value. The remaining free numbers, in ascending order, are a heap.
void kin__shared_table_trim(kin_context *context, kin__shared *table)
{
    uint32_t *heap = table->free.elements, entry_count = FIRST_ENTRIES;
    KIN_ASSERT(kin__shared_table_count(table) > 0);
    while (*kin__shared_value_at(table, table->limit - 1) == NULL)
        table->limit--;
    table->free_count = 0;
    for (uint32_t number = 0; number < table->limit; number++)
        if (*kin__shared_value_at(table, number) == NULL)
            heap[table->free_count++] = number;
    kin__array_trim(memory_of(context), &table->values, table->limit, sizeof(kin__owned_block *));
    kin__array_trim(memory_of(context), &table->free, table->limit, sizeof(uint32_t));
    while (entry_count < 2 * kin__shared_table_count(table))
        entry_count *= 2;
    if (entry_count < table->entry_count)
        resize_entries(context, table, entry_count);
}

void kin__shared_table_release(kin_context *context, kin_component_id id)
{
    kin__memory *memory = memory_of(context);
    kin__shared *table = context->core->shared[id];
    kin__array_release(memory, &table->values, sizeof(kin__owned_block *));
    kin__array_release(memory, &table->free, sizeof(uint32_t));
    kin__release(memory, table->entries, table->entry_count * sizeof *table->entries);
    kin__release(memory, table->parked, table->parked_capacity * sizeof *table->parked);
    kin__release(memory, table->parts, table->part_count * sizeof *table->parts);
    kin__release(memory, table, sizeof *table);
    context->core->shared[id] = NULL;
}

static bool are_parked_valid(const kin__shared *table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->parked_capacity; i++) {
        const kin__owned_block *block = table->parked[i];
        count += block != NULL;
        if (block != NULL &&
            (block->pins > 0 || block->images == 0 ||
             kin__shared_parked_find(table, kin__shared_record_of(block)->hash, block->value) != block))
            return false;
    }
    return count == table->parked_count && count <= table->parked_capacity / 2;
}

bool kin__shared_table_is_valid(const kin__shared *table)
{
    const uint32_t *heap = table->free.elements;
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->free_count; i++)
        if (heap[i] >= table->limit || *kin__shared_value_at(table, heap[i]) != NULL ||
            heap[(i - (i > 0)) / 2] > heap[i])
            return false;
    for (uint32_t number = 0; number < table->limit; number++) {
        kin__owned_block *block = *kin__shared_value_at(table, number);
        if (block == NULL)
            continue;
        const kin__shared_record *record = kin__shared_record_of(block);
        count++;
        if (record->number != number || kin__shared_table_find(table, record->hash, block->value) != block)
            return false;
    }
    return count == kin__shared_table_count(table) && are_parked_valid(table);
}
