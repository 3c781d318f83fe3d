#include "store/internal.h"

#include <kin/generated/shared.h>

#include <string.h>

// ---- listing

typedef struct part_list {
    kin__shared_part *parts; // NULL: parts are only counted
    uint32_t count;
    kin__shared_part last;
} part_list;

static void append(part_list *list, kin__shared_part part)
{
    bool are_bytes = list->last.kind == KIN__SHARED_BYTES && part.kind == KIN__SHARED_BYTES;
    bool follows = list->count > 0 && list->last.offset + list->last.size == part.offset;
    if (are_bytes && follows) {
        list->last.size += part.size;
    } else {
        list->last = part;
        list->count++;
    }
    if (list->parts != NULL)
        list->parts[list->count - 1] = list->last;
}

static kin__shared_part_kind kind_of(kin_type type)
{
    KIN_ASSERT(type != KIN_TYPE_STRUCT);
    if (type == KIN_TYPE_STRING)
        return KIN__SHARED_STRING;
    return type == KIN_TYPE_INLINE_STRING ? KIN__SHARED_TEXT : KIN__SHARED_BYTES;
}

// Recursion is at most 32 deep: the generator limits how structs nest.
static void append_field(part_list *list, const kin_field_info *field, size_t offset)
{
    uint32_t count = field->count == 0 ? 1 : field->count;
    size_t size = field->size / count;
    KIN_ASSERT(!field->is_list);
    for (uint32_t i = 0; i < count; i++) {
        size_t at = offset + field->offset + i * size;
        for (uint32_t k = 0; field->type == KIN_TYPE_STRUCT && k < field->of->field_count; k++)
            append_field(list, &field->of->fields[k], at);
        if (field->type != KIN_TYPE_STRUCT)
            append(list, (kin__shared_part){kind_of(field->type), (uint32_t)at, (uint32_t)size});
    }
}

// Returns how many parts a value of the component has; writes them unless `parts` is NULL.
static uint32_t shared_parts_list(const kin_component_info *info, kin__shared_part *parts)
{
    part_list list = {.parts = parts};
    for (uint32_t i = 0; i < info->field_count; i++)
        append_field(&list, &info->fields[i], 0);
    return list.count;
}

// ---- hashing and comparing

static const char *string_at(const void *place)
{
    const char *string;
    memcpy(&string, place, sizeof string);
    return string;
}

// Returns the length of a string of at most `size` bytes, without its NUL.
static size_t text_length(const char *text, size_t size)
{
    const char *end = memchr(text, 0, size);
    return end == NULL ? size : (size_t)(end - text);
}

static uint64_t hash_bytes(const uint64_t *factors, uint64_t state, const char *at, size_t size)
{
    uint64_t word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        state = kin__fold(state ^ word, factors[0]);
    }
    if (size == 0)
        return state;
    word = (uint64_t)size << 56; // fewer than eight bytes follow, so the highest one is free
    memcpy(&word, at, size < 4 ? size : 4);
    for (size_t i = 4; i < size; i++)
        word ^= (uint64_t)(unsigned char)at[i] << 8 * i;
    return kin__fold(state ^ word, factors[0]);
}

// NULL and an empty string have different hashes.
static uint64_t hash_part(const kin__shared_part *part, const uint64_t *factors, uint64_t state, const char *at)
{
    if (part->kind == KIN__SHARED_BYTES)
        return hash_bytes(factors, state, at, part->size);
    const char *string = part->kind == KIN__SHARED_STRING ? string_at(at) : at;
    if (string == NULL)
        return kin__fold(state, factors[1]);
    size_t length = part->kind == KIN__SHARED_STRING ? strlen(string) : text_length(string, part->size);
    return kin__fold(hash_bytes(factors, state, string, length) + length, factors[0]);
}

// Cost of both: linear in the bytes of the value and its strings.
static uint64_t shared_parts_hash(const kin__shared_part *parts, uint32_t count, const uint64_t *factors,
                                  const void *value)
{
    uint64_t state = factors[1];
    for (uint32_t i = 0; i < count; i++)
        state = hash_part(&parts[i], factors, state, (const char *)value + parts[i].offset);
    return kin__fold(state, factors[1]);
}

static bool are_strings_equal(const char *string, const char *other)
{
    if (string == NULL || other == NULL)
        return string == other;
    return strcmp(string, other) == 0;
}

static bool part_is_equal(const kin__shared_part *part, const char *one, const char *other)
{
    if (part->kind == KIN__SHARED_BYTES)
        return memcmp(one, other, part->size) == 0;
    if (part->kind == KIN__SHARED_STRING)
        return are_strings_equal(string_at(one), string_at(other));
    return strncmp(one, other, part->size) == 0;
}

static bool shared_parts_are_equal(const kin__shared_part *parts, uint32_t count, const void *value, const void *other)
{
    for (uint32_t i = 0; i < count; i++)
        if (!part_is_equal(&parts[i], (const char *)value + parts[i].offset, (const char *)other + parts[i].offset))
            return false;
    return true;
}

enum { FIRST_ENTRIES = 8 };

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->column_memory;
}

// ---- entries

// Returns the place of the entry of a value, which is in the table.
static uint32_t place_of(const kin__shared *table, const kin__shared_record *record)
{
    uint32_t mask = table->entry_count - 1;
    uint32_t place = (uint32_t)record->hash & mask;
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
    uint32_t mask = table->entry_count - 1;
    uint32_t gap = place_of(table, record);
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
    uint32_t *heap = table->free.elements;
    uint32_t at = table->free_count++;
    KIN_ASSERT(at < table->free.capacity);
    for (; at > 0 && heap[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

static uint32_t pop_free(kin__shared *table)
{
    uint32_t *heap = table->free.elements;
    uint32_t lowest = heap[0];
    uint32_t last = heap[--table->free_count];
    uint32_t at = 0;
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
    table->part_count = shared_parts_list(info, NULL);
    table->parts = kin__allocate(memory_of(context), table->part_count * sizeof *table->parts);
    if (table->parts != NULL)
        shared_parts_list(info, table->parts);
    return table->parts != NULL;
}

// Returns the table of a component, making it on first use. NULL when out of memory.
static kin__shared *shared_table_reserve(kin_context *context, kin_component_id id)
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

// Reserves room for a new number, unless one is free. False when out of memory or of numbers.
static bool reserve_number(kin_context *context, kin__shared *table)
{
    kin__memory *memory = memory_of(context);
    if (table->free_count > 0)
        return true;
    return table->limit < UINT32_MAX - 1 && kin__array_reserve_pointers(memory, &table->values, table->limit + 1) &&
           kin__array_reserve(memory, &table->free, table->limit + 1, sizeof(uint32_t));
}

// Reserves room for one more value. False when out of memory.
static bool shared_table_reserve_one(kin_context *context, kin__shared *table)
{
    if (!reserve_number(context, table))
        return false;
    uint32_t needed = 2 * (kin__shared_table_count(table) + 1);
    return needed <= table->entry_count ||
           resize_entries(context, table, table->entry_count == 0 ? FIRST_ENTRIES : 2 * table->entry_count);
}

// Returns the block of the value that equals `*value`; NULL if the table has none.
static kin__owned_block *shared_table_find(const kin__shared *table, uint64_t hash, const void *value)
{
    uint32_t mask = table->entry_count - 1;
    for (uint32_t place = (uint32_t)hash & mask; table->entry_count > 0 && table->entries[place].number != 0;
         place = (place + 1) & mask) {
        if (table->entries[place].hash != (uint32_t)hash)
            continue;
        kin__owned_block *block = *kin__shared_value_at(table, table->entries[place].number - 1);
        if (shared_parts_are_equal(table->parts, table->part_count, block->value, value))
            return block;
    }
    return NULL;
}

// Assign the lowest free number to the block of a new value, for which room is reserved; and free the number.
static void shared_table_insert(kin__shared *table, kin__owned_block *block)
{
    kin__shared_record *record = kin__shared_record_of(block);
    record->number = table->free_count > 0 ? pop_free(table) : table->limit++;
    *kin__shared_value_at(table, record->number) = block;
    insert_entry(table->entries, table->entry_count, (kin__shared_entry){(uint32_t)record->hash, record->number + 1});
}

static void shared_table_erase(kin__shared *table, const kin__owned_block *block)
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

static void shared_park(kin__shared *table, kin__owned_block *block);

// Reserves room to park `count` values. False when out of memory.
static bool shared_parked_reserve(kin_context *context, kin__shared *table, uint32_t count)
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
            shared_park(&other, table->parked[i]);
    kin__release(memory_of(context), table->parked, table->parked_capacity * sizeof *table->parked);
    table->parked = other.parked;
    table->parked_capacity = other.parked_capacity;
    return true;
}

// Park a value without a number, for which room is reserved; return the parked value that equals `*value`, or NULL; and
// unpark a value.
static void shared_park(kin__shared *table, kin__owned_block *block)
{
    KIN_ASSERT(table->parked_count < table->parked_capacity / 2);
    uint32_t place = parked_home(table, block);
    while (table->parked[place] != NULL)
        place = (place + 1) & (table->parked_capacity - 1);
    table->parked[place] = block;
    table->parked_count++;
}

static kin__owned_block *shared_parked_find(const kin__shared *table, uint64_t hash, const void *value)
{
    uint32_t mask = table->parked_capacity - 1;
    for (uint32_t place = (uint32_t)hash & mask; table->parked_count > 0 && table->parked[place] != NULL;
         place = (place + 1) & mask) {
        kin__owned_block *block = table->parked[place];
        if (kin__shared_record_of(block)->hash == hash &&
            shared_parts_are_equal(table->parts, table->part_count, block->value, value))
            return block;
    }
    return NULL;
}

static void shared_unpark(kin__shared *table, const kin__owned_block *block)
{
    uint32_t mask = table->parked_capacity - 1;
    uint32_t gap = parked_home(table, block);
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

// Reserves room for the numbers below `limit`, and entries for as many values. False when out of memory.
static bool shared_table_reserve_limit(kin_context *context, kin__shared *table, uint32_t limit)
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
static void shared_table_assign(kin__shared *table, kin__owned_block *const *blocks, uint32_t limit)
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
static void shared_table_trim(kin_context *context, kin__shared *table)
{
    uint32_t *heap = table->free.elements;
    uint32_t entry_count = FIRST_ENTRIES;
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

// Releases a table, but not its values.
static void shared_table_release(kin_context *context, kin_component_id id)
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
        if (block == NULL)
            continue;
        count++;
        if (block->pins > 0 || block->images == 0)
            return false;
        if (shared_parked_find(table, kin__shared_record_of(block)->hash, block->value) != block)
            return false;
    }
    return count == table->parked_count && count <= table->parked_capacity / 2;
}

// Checks that each value has its number and can be found, and that the free numbers are a heap.
static bool shared_table_is_valid(const kin__shared *table)
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
        if (record->number != number || shared_table_find(table, record->hash, block->value) != block)
            return false;
    }
    return count == kin__shared_table_count(table) && are_parked_valid(table);
}

kin__owned_block *kin__shared_block_of(const void *value)
{
    return (kin__owned_block *)(void *)((char *)(uintptr_t)value - sizeof(kin__owned_block));
}

void *kin__shared_value_of(kin__owned_block *block)
{
    return block->value;
}

// ---- values

static void shared_block_release(kin_context *context, kin__owned_block *block)
{
    kin__release(memory_of(context), kin__shared_record_of(block), block->size);
}

// Returns a block with a copy of the value, without a number, NULL when out of memory; and releases a block.
static kin__owned_block *shared_block_make(kin_context *context, kin_component_id id, uint64_t hash, const void *value)
{
    const kin_component_info *info = &context->info->components[id];
    size_t strings = kin__strings_size(info, value);
    size_t size = KIN__SHARED_RECORD_SIZE + sizeof(kin__owned_block) + info->size + strings;
    char *made = kin__allocate(memory_of(context), size);
    if (made == NULL)
        return NULL;
    kin__owned_block *block = (kin__owned_block *)(void *)(made + KIN__SHARED_RECORD_SIZE);
    *block = (kin__owned_block){.id = id, .flags = KIN__OWNED_SHARED, .size = size};
    *kin__shared_record_of(block) = (kin__shared_record){.hash = hash};
    memcpy(block->value, value, info->size);
    kin__strings_copy(info, block->value, (char *)block->value + info->size);
    return block;
}

// Makes a value with a number. If an image of a snapshot has parked an equal value, its block is used.
static kin__owned_block *make(kin_context *context, kin_component_id id, uint64_t hash, const void *value)
{
    kin__shared *table = kin__shared_table_of(context, id);
    if (!shared_table_reserve_one(context, table))
        return NULL;
    kin__owned_block *block = shared_parked_find(table, hash, value);
    if (block != NULL)
        shared_unpark(table, block);
    else
        block = shared_block_make(context, id, hash, value);
    if (block != NULL)
        shared_table_insert(table, block);
    return block;
}

kin__owned_block *kin__shared_take(kin_context *context, kin_component_id id, const void **value)
{
    kin__shared *table = shared_table_reserve(context, id);
    if (table == NULL)
        return NULL;
    uint64_t hash = shared_parts_hash(table->parts, table->part_count, context->core->factors, *value);
    kin__owned_block *block = shared_table_find(table, hash, *value);
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
    KIN_ASSERT(block->pins > kin__shared_record_of(block)->holders);
    kin__shared_record_of(block)->holders++;
}

void kin__shared_remove_holder(kin__owned_block *block)
{
    KIN_ASSERT(kin__shared_record_of(block)->holders > 0);
    kin__shared_record_of(block)->holders--;
}

static void free_value(kin_context *context, kin__owned_block *block)
{
    KIN_ASSERT(block->pins == 0 && kin__shared_record_of(block)->holders == 0);
    shared_table_erase(kin__shared_table_of(context, block->id), block);
    if (block->images > 0)
        shared_park(kin__shared_table_of(context, block->id), block);
    else
        shared_block_release(context, block);
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

// ---- all values

const void *kin__shared_next(const kin_context *context, kin_component_id id, uint32_t *number, uint32_t *count)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    while (table != NULL && *number < table->limit) {
        const kin__owned_block *block = *kin__shared_value_at(table, (*number)++);
        *count = block == NULL ? 0 : kin__shared_record_of(block)->holders;
        if (*count > 0)
            return block->value;
    }
    *count = 0;
    return NULL;
}

uint32_t kin__shared_count(const kin_context *context, kin_component_id id)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    return table == NULL ? 0 : kin__shared_table_count(table);
}

static void release_tables(kin_context *context)
{
    kin__core *core = context->core;
    kin__release(memory_of(context), core->shared, context->info->component_count * sizeof *core->shared);
    core->shared = NULL;
}

void kin__shared_trim(kin_context *context)
{
    uint32_t left = 0;
    if (context->core->shared == NULL)
        return;
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (context->core->shared[id] == NULL)
            continue;
        if (kin__shared_count(context, id) == 0 && context->core->shared[id]->parked_count == 0)
            shared_table_release(context, id);
        else if (kin__shared_count(context, id) > 0)
            shared_table_trim(context, context->core->shared[id]);
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
            if (*kin__shared_value_at(table, number) != NULL)
                shared_block_release(context, *kin__shared_value_at(table, number));
        for (uint32_t i = 0; table != NULL && i < table->parked_capacity; i++)
            if (table->parked[i] != NULL)
                shared_block_release(context, table->parked[i]);
        if (table != NULL)
            shared_table_release(context, (kin_component_id)id);
    }
    release_tables(context);
}

static size_t table_used(const kin__shared *table)
{
    size_t number = sizeof(kin__owned_block *) + sizeof(kin__shared_entry);
    size_t used = sizeof *table + table->part_count * sizeof *table->parts + kin__shared_table_count(table) * number;
    for (uint32_t i = 0; i < table->limit; i++)
        used += *kin__shared_value_at(table, i) == NULL ? 0 : (*kin__shared_value_at(table, i))->size;
    for (uint32_t i = 0; i < table->parked_capacity; i++)
        used += table->parked[i] == NULL ? 0 : sizeof *table->parked + table->parked[i]->size;
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

// ---- validation

bool kin__shared_is_valid(const kin_context *context, kin_component_id id, const void *value)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    const kin__owned_block *block = kin__shared_block_of(value);
    if (table == NULL || block->id != id || (block->flags & KIN__OWNED_SHARED) == 0)
        return false;
    const kin__shared_record *record = kin__shared_record_of(block);
    bool has_number = record->number < table->limit && *kin__shared_value_at(table, record->number) == block;
    bool has_holders = record->holders > 0 && block->pins >= record->holders;
    return has_number && has_holders && shared_table_find(table, record->hash, value) == block;
}

// Returns how many entities have a component.
static uint32_t count_holders(const kin_context *context, uint32_t id)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++)
        count += kin__bits_count(kin__chunk_column(context, number, id)->has, KIN__CHUNK_WORDS);
    return count;
}

bool kin__shared_all_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; context->core->shared != NULL && id < context->info->component_count; id++) {
        const kin__shared *table = context->core->shared[id];
        uint32_t holders = 0;
        if (table == NULL)
            continue;
        for (uint32_t number = 0; number < table->limit; number++) {
            kin__owned_block *block = *kin__shared_value_at(table, number);
            holders += block == NULL ? 0 : kin__shared_record_of(block)->holders;
            if (block != NULL && block->pins == 0 && (block->flags & KIN__OWNED_WAITING) == 0)
                return false;
        }
        if (!shared_table_is_valid(table) || holders != count_holders(context, id))
            return false;
    }
    return true;
}

// ---- images

bool kin__shared_images_reserve(kin_context *context, kin_component_id id)
{
    kin__shared *table = kin__shared_table_of(context, id);
    return table == NULL || shared_parked_reserve(context, table, kin__shared_table_count(table) + table->parked_count);
}

void kin__shared_image_pin(const void *value)
{
    kin__shared_block_of(value)->images++;
}

static bool is_in_table(const kin__shared *table, const kin__owned_block *block)
{
    uint32_t number = kin__shared_record_of(block)->number;
    return number < table->limit && *kin__shared_value_at(table, number) == block;
}

void kin__shared_image_unpin(kin_context *context, kin_component_id id, const void *value)
{
    kin__owned_block *block = kin__shared_block_of(value);
    kin__shared *table = kin__shared_table_of(context, id);
    KIN_ASSERT(block->images > 0 && block->id == id);
    if (--block->images > 0 || block->pins > 0 || (block->flags & KIN__OWNED_WAITING) != 0)
        return;
    if (is_in_table(table, block))
        return; // during a restore: kin__shared_numbers_restore frees the value later
    shared_unpark(table, block);
    shared_block_release(context, block);
}

const void *kin__shared_adopt(kin_context *context, kin_component_id id, const void *value)
{
    kin__shared *table = shared_table_reserve(context, id);
    if (table == NULL ||
        !shared_parked_reserve(context, table, kin__shared_table_count(table) + table->parked_count + 1))
        return NULL;
    uint64_t hash = shared_parts_hash(table->parts, table->part_count, context->core->factors, value);
    kin__owned_block *block = shared_table_find(table, hash, value);
    if (block == NULL)
        block = shared_parked_find(table, hash, value);
    if (block == NULL) {
        block = shared_block_make(context, id, hash, value);
        if (block == NULL)
            return NULL;
        shared_park(table, block);
    }
    block->images++;
    return block->value;
}

// ---- the table

uint32_t kin__shared_limit(const kin_context *context, kin_component_id id)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    uint32_t limit = table == NULL ? 0 : table->limit;
    while (limit > 0 && *kin__shared_value_at(table, limit - 1) == NULL)
        limit--;
    return limit;
}

void kin__shared_numbers_save(const kin_context *context, kin_component_id id, const void **values)
{
    const kin__shared *table = kin__shared_table_of(context, id);
    for (uint32_t number = 0, limit = kin__shared_limit(context, id); number < limit; number++) {
        const kin__owned_block *block = *kin__shared_value_at(table, number);
        values[number] = block == NULL ? NULL : block->value;
    }
}

uint32_t kin__shared_number_of(const void *value)
{
    return kin__shared_record_of(kin__shared_block_of(value))->number;
}

bool kin__shared_numbers_reserve(kin_context *context, kin_component_id id, uint32_t limit)
{
    if (limit == 0 && kin__shared_table_of(context, id) == NULL)
        return true;
    kin__shared *table = shared_table_reserve(context, id);
    return table != NULL && shared_table_reserve_limit(context, table, limit) &&
           shared_parked_reserve(context, table, kin__shared_table_count(table) + table->parked_count);
}

void kin__shared_restore_reference(const void *value)
{
    kin__shared_block_of(value)->pins++;
}

void kin__shared_restore_place(const void *before, const void *after)
{
    if (after != NULL) {
        kin__shared_block_of(after)->pins++;
        kin__shared_add_holder(kin__shared_block_of(after));
    }
    if (before != NULL) {
        KIN_ASSERT(kin__shared_block_of(before)->pins > 0);
        kin__shared_remove_holder(kin__shared_block_of(before));
        kin__shared_block_of(before)->pins--;
    }
}

static bool are_numbers(const kin__shared *table, const void *const *values, uint32_t limit)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < limit; number++) {
        const kin__owned_block *block = values[number] == NULL ? NULL : kin__shared_block_of(values[number]);
        if (block == NULL)
            continue;
        if (number >= table->limit || *kin__shared_value_at(table, number) != block || block->pins == 0)
            return false;
        count++;
    }
    return count == kin__shared_table_count(table);
}

// Removes all values from the table: parks those with image pins, and frees the others.
static void park_all(kin_context *context, kin__shared *table)
{
    for (uint32_t number = 0; number < table->limit; number++) {
        kin__owned_block *block = *kin__shared_value_at(table, number);
        if (block == NULL)
            continue;
        KIN_ASSERT(block->images > 0 || block->pins == 0);
        if (block->images > 0)
            shared_park(table, block);
        else
            shared_block_release(context, block);
    }
    table->limit = table->free_count = 0;
}

void kin__shared_numbers_restore(kin_context *context, kin_component_id id, const void *const *values, uint32_t limit)
{
    kin__shared *table = kin__shared_table_of(context, id);
    kin__owned_settle(context); // then no value is in the list of retired blocks
    if (table == NULL || are_numbers(table, values, limit))
        return;
    park_all(context, table);
    kin__owned_block **blocks = table->values.elements;
    for (uint32_t number = 0; number < limit; number++) {
        kin__owned_block *block = values[number] == NULL ? NULL : kin__shared_block_of(values[number]);
        blocks[number] = block == NULL || block->pins == 0 ? NULL : block;
        if (blocks[number] != NULL)
            shared_unpark(table, block);
    }
    shared_table_assign(table, blocks, limit);
    KIN_VALIDATE(shared_table_is_valid(table));
}
