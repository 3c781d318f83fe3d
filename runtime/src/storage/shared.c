#include "storage/shared.h"

#include "base/assertion.h"
#include "storage/owned.h"
#include "storage/private/owned_block.h"
#include "storage/private/shared_parts.h"

#include <kin/generated/shared.h>

#include <string.h>

enum { FIRST_ENTRIES = 8 };

// Precedes the owned block of a value, which begins so that the value is aligned to a cache line.
typedef struct record {
    uint32_t number;
    uint32_t holders;
    uint64_t hash;
} record;

typedef struct entry {
    uint32_t hash;   // the low bits of the hash of the value
    uint32_t number; // plus one; 0: no entry
} entry;

// The values of one component. The entries are an open hash table that is at most half full.
struct kin__shared {
    kin__shared_part *parts;
    uint32_t part_count;
    uint32_t limit;       // of the numbers that were given
    uint32_t free_count;  // of those that can be given again
    uint32_t entry_count; // a power of two; 0 before the first value
    kin__array values;    // of kin__owned_block *, by number; NULL: free
    kin__array free;      // of uint32_t: a heap with room for all numbers
    entry *entries;
};

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->column_memory;
}

enum { RECORD_SIZE = KIN__CACHE_LINE - sizeof(kin__owned_block) };
_Static_assert(sizeof(record) + sizeof(kin__owned_block) <= KIN__CACHE_LINE, "a record fits before the block");

static record *record_of(const kin__owned_block *block)
{
    return (record *)(void *)((char *)(uintptr_t)block - RECORD_SIZE);
}

static kin__shared *table_of(const kin_context *context, kin_component_id id)
{
    kin__shared **tables = context->core->shared;
    return tables == NULL ? NULL : tables[id];
}

static kin__owned_block **value_at(const kin__shared *table, uint32_t number)
{
    KIN_ASSERT(number < table->limit && number < table->values.capacity);
    return (kin__owned_block **)table->values.elements + number;
}

kin__owned_block *kin__shared_block_of(const void *value)
{
    return (kin__owned_block *)(void *)((char *)(uintptr_t)value - sizeof(kin__owned_block));
}

void *kin__shared_value_of(kin__owned_block *block)
{
    return block->value;
}

// ---- entries

// Returns the place of the entry of a value, which is in the table.
static uint32_t place_of(const kin__shared *table, const record *record)
{
    uint32_t mask = table->entry_count - 1, place = (uint32_t)record->hash & mask;
    while (table->entries[place].number != record->number + 1)
        place = (place + 1) & mask;
    return place;
}

static void insert_entry(entry *entries, uint32_t entry_count, entry given)
{
    uint32_t place = given.hash & (entry_count - 1);
    while (entries[place].number != 0)
        place = (place + 1) & (entry_count - 1);
    entries[place] = given;
}

// Closes the gap behind an erased entry: moves back each entry that would not be found from its own place any more.
static void erase_entry(kin__shared *table, const record *record)
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
    entry *entries = kin__allocate_zero(memory_of(context), kin__bytes_of(entry_count, sizeof *entries));
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

// Moves a number down from the end of the heap.
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

static uint32_t count_of(const kin__shared *table)
{
    KIN_ASSERT(table->free_count <= table->limit);
    return table->limit - table->free_count;
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

static size_t tables_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__shared *);
}

static kin__shared *reserve_table(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    if (core->shared == NULL)
        core->shared = kin__allocate_zero(memory_of(context), tables_size(context));
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

// Makes room for one more value.
static bool reserve_number(kin_context *context, kin__shared *table)
{
    kin__memory *memory = memory_of(context);
    if (table->free_count == 0 &&
        (table->limit == UINT32_MAX - 1 || !kin__array_reserve_pointers(memory, &table->values, table->limit + 1) ||
         !kin__array_reserve(memory, &table->free, table->limit + 1, sizeof(uint32_t))))
        return false;
    uint32_t needed = 2 * (count_of(table) + 1);
    return needed <= table->entry_count ||
           resize_entries(context, table, table->entry_count == 0 ? FIRST_ENTRIES : 2 * table->entry_count);
}

static void release_block(kin_context *context, kin__owned_block *block)
{
    kin__release(memory_of(context), record_of(block), block->size);
}

static void release_table(kin_context *context, kin_component_id id)
{
    kin__memory *memory = memory_of(context);
    kin__shared *table = context->core->shared[id];
    kin__array_release(memory, &table->values, sizeof(kin__owned_block *));
    kin__array_release(memory, &table->free, sizeof(uint32_t));
    kin__release(memory, table->entries, table->entry_count * sizeof *table->entries);
    kin__release(memory, table->parts, table->part_count * sizeof *table->parts);
    kin__release(memory, table, sizeof *table);
    context->core->shared[id] = NULL;
}

// ---- values

static kin__owned_block *find(const kin__shared *table, uint64_t hash, const void *value)
{
    uint32_t mask = table->entry_count - 1;
    for (uint32_t place = (uint32_t)hash & mask; table->entry_count > 0 && table->entries[place].number != 0;
         place = (place + 1) & mask) {
        if (table->entries[place].hash != (uint32_t)hash)
            continue;
        kin__owned_block *block = *value_at(table, table->entries[place].number - 1);
        if (kin__shared_parts_are_equal(table->parts, table->part_count, block->value, value))
            return block;
    }
    return NULL;
}

static kin__owned_block *allocate_block(kin_context *context, kin_component_id id, const void *value)
{
    const kin_component_info *info = &context->info->components[id];
    size_t strings = kin__strings_size(info, value);
    size_t size = RECORD_SIZE + sizeof(kin__owned_block) + info->size + strings;
    char *made = kin__allocate(memory_of(context), size);
    if (made == NULL)
        return NULL;
    kin__owned_block *block = (kin__owned_block *)(void *)(made + RECORD_SIZE);
    *block = (kin__owned_block){.id = id, .flags = KIN__OWNED_SHARED, .size = size};
    memcpy(block->value, value, info->size);
    kin__strings_copy(info, block->value, (char *)block->value + info->size);
    return block;
}

static kin__owned_block *make(kin_context *context, kin_component_id id, uint64_t hash, const void *value)
{
    kin__shared *table = table_of(context, id);
    if (!reserve_number(context, table))
        return NULL;
    kin__owned_block *block = allocate_block(context, id, value);
    if (block == NULL)
        return NULL;
    uint32_t number = table->free_count > 0 ? pop_free(table) : table->limit++;
    *record_of(block) = (record){.number = number, .hash = hash};
    *value_at(table, number) = block;
    insert_entry(table->entries, table->entry_count, (entry){(uint32_t)hash, number + 1});
    return block;
}

kin__owned_block *kin__shared_take(kin_context *context, kin_component_id id, const void **value)
{
    kin__shared *table = reserve_table(context, id);
    if (table == NULL)
        return NULL;
    uint64_t hash = kin__shared_parts_hash(table->parts, table->part_count, context->core->factors, *value);
    kin__owned_block *block = find(table, hash, *value);
    if (block == NULL)
        block = make(context, id, hash, *value);
    if (block == NULL)
        return NULL;
    block->pins++;
    *value = block->value;
    return block;
}

void kin__shared_add_holder(kin__owned_block *block)
{
    KIN_ASSERT(block->pins > record_of(block)->holders);
    record_of(block)->holders++;
}

void kin__shared_remove_holder(kin__owned_block *block)
{
    KIN_ASSERT(record_of(block)->holders > 0);
    record_of(block)->holders--;
}

static void free_value(kin_context *context, kin__owned_block *block)
{
    kin__shared *table = table_of(context, block->id);
    const record *record = record_of(block);
    KIN_ASSERT(block->pins == 0 && record->holders == 0 && *value_at(table, record->number) == block);
    erase_entry(table, record);
    *value_at(table, record->number) = NULL;
    push_free(table, record->number);
    release_block(context, block);
}

void kin__shared_retire(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins == 0 && (block->flags & KIN__OWNED_SHARED) != 0);
    if ((block->flags & KIN__OWNED_WAITING) != 0)
        return;
    block->flags |= KIN__OWNED_WAITING;
    kin__owned_block_retire(context, block);
}

void kin__shared_let_go(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins > 0 && (block->flags & KIN__OWNED_SHARED) != 0);
    if (--block->pins == 0)
        kin__shared_retire(context, block);
}

void kin__shared_release(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins > 0 && (block->flags & KIN__OWNED_SHARED) != 0);
    if (--block->pins == 0 && (block->flags & KIN__OWNED_WAITING) == 0)
        free_value(context, block);
}

void kin__shared_finish(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT((block->flags & KIN__OWNED_WAITING) != 0);
    block->flags &= (uint8_t)~KIN__OWNED_WAITING;
    if (block->pins == 0)
        free_value(context, block);
}

const void *kin__shared_next(const kin_context *context, kin_component_id id, uint32_t *number, uint32_t *count)
{
    const kin__shared *table = table_of(context, id);
    while (table != NULL && *number < table->limit) {
        const kin__owned_block *block = *value_at(table, (*number)++);
        *count = block == NULL ? 0 : record_of(block)->holders;
        if (*count > 0)
            return block->value;
    }
    *count = 0;
    return NULL;
}

// ---- all values

uint32_t kin__shared_count(const kin_context *context, kin_component_id id)
{
    const kin__shared *table = table_of(context, id);
    return table == NULL ? 0 : count_of(table);
}

static void release_tables(kin_context *context)
{
    kin__release(memory_of(context), context->core->shared, tables_size(context));
    context->core->shared = NULL;
}

void kin__shared_trim(kin_context *context)
{
    uint32_t left = 0;
    if (context->core->shared == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__shared *table = context->core->shared[id];
        if (table != NULL && count_of(table) == 0)
            release_table(context, (kin_component_id)id);
        left += context->core->shared[id] != NULL;
    }
    if (left == 0)
        release_tables(context);
}

void kin__shared_end(kin_context *context)
{
    if (context->core->shared == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__shared *table = context->core->shared[id];
        for (uint32_t number = 0; table != NULL && number < table->limit; number++)
            if (*value_at(table, number) != NULL)
                release_block(context, *value_at(table, number));
        if (table != NULL)
            release_table(context, (kin_component_id)id);
    }
    release_tables(context);
}

static size_t table_used(const kin__shared *table)
{
    size_t number = sizeof(kin__owned_block *) + sizeof(entry);
    size_t used = sizeof *table + table->part_count * sizeof *table->parts + count_of(table) * number;
    for (uint32_t i = 0; i < table->limit; i++)
        used += *value_at(table, i) == NULL ? 0 : (*value_at(table, i))->size;
    return used;
}

size_t kin__shared_used(const kin_context *context)
{
    size_t used = 0;
    for (uint32_t id = 0; context->core->shared != NULL && id < context->info->component_count; id++)
        if (context->core->shared[id] != NULL)
            used += table_used(context->core->shared[id]);
    return used;
}

bool kin__shared_is_valid(const kin_context *context, kin_component_id id, const void *value)
{
    const kin__shared *table = table_of(context, id);
    const kin__owned_block *block = kin__shared_block_of(value);
    if (table == NULL || block->id != id || (block->flags & KIN__OWNED_SHARED) == 0)
        return false;
    const record *record = record_of(block);
    return record->number < table->limit && *value_at(table, record->number) == block && record->holders > 0 &&
           block->pins >= record->holders && find(table, record->hash, value) == block;
}
