// The table of the shared values of one component: the values by number, the free numbers, and the numbers by hash.
#ifndef KIN_SRC_SHARED_TABLE_H
#define KIN_SRC_SHARED_TABLE_H

#include "base/base.h"
#include "storage/private/owned_block.h"
#include "storage/private/shared_parts.h"

// Precedes the owned block of a value, so placed that the value is aligned to a cache line.
typedef struct kin__shared_record {
    uint32_t number;
    uint32_t holders;
    uint64_t hash;
} kin__shared_record;

enum { KIN__SHARED_RECORD_SIZE = KIN__CACHE_LINE - sizeof(kin__owned_block) };
_Static_assert(sizeof(kin__shared_record) + sizeof(kin__owned_block) <= KIN__CACHE_LINE, "a record fits");

typedef struct kin__shared_entry {
    uint32_t hash;   // the low bits of the hash of the value
    uint32_t number; // plus one; 0: no entry
} kin__shared_entry;

// The entries are an open hash table that is at most half full.
struct kin__shared {
    kin__shared_part *parts;
    uint32_t part_count;
    uint32_t limit;       // all numbers in use are below it
    uint32_t free_count;  // free numbers below the limit
    uint32_t entry_count; // a power of two; 0 before the first value
    kin__array values;    // of kin__owned_block *, by number; NULL: free
    kin__array free;      // of uint32_t: a heap with room for all numbers
    kin__shared_entry *entries;
    kin__owned_block **parked;              // by hash: values without numbers (shared_restore.h); NULL: none so far
    uint32_t parked_count, parked_capacity; // capacity: a power of two, at least twice the count; or 0
};

static inline kin__shared_record *kin__shared_record_of(const kin__owned_block *block)
{
    return (kin__shared_record *)(void *)((char *)(uintptr_t)block - KIN__SHARED_RECORD_SIZE);
}

// Returns the table of a component, NULL before its first value.
static inline kin__shared *kin__shared_table_of(const kin_context *context, kin_component_id id)
{
    kin__shared **tables = context->core->shared;
    return tables == NULL ? NULL : tables[id];
}

static inline kin__owned_block **kin__shared_value_at(const kin__shared *table, uint32_t number)
{
    KIN_ASSERT(number < table->limit && number < table->values.capacity);
    return (kin__owned_block **)table->values.elements + number;
}

// Returns the number of values in a table.
static inline uint32_t kin__shared_table_count(const kin__shared *table)
{
    KIN_ASSERT(table->free_count <= table->limit);
    return table->limit - table->free_count;
}

// Returns a block with a copy of the value, without a number, NULL when out of memory; and releases a block. (shared.c)
kin__owned_block *kin__shared_block_make(kin_context *context, kin_component_id id, uint64_t hash, const void *value);
void kin__shared_block_release(kin_context *context, kin__owned_block *block);

// Returns the table of a component, making it on first use. NULL when out of memory.
kin__shared *kin__shared_table_reserve(kin_context *context, kin_component_id id);

// Reserves room for one more value. False when out of memory.
bool kin__shared_table_reserve_one(kin_context *context, kin__shared *table);

// Returns the block of the value that equals `*value`; NULL if the table has none.
kin__owned_block *kin__shared_table_find(const kin__shared *table, uint64_t hash, const void *value);

// Assign the lowest free number to the block of a new value, for which room is reserved; and free the number.
void kin__shared_table_insert(kin__shared *table, kin__owned_block *block);
void kin__shared_table_erase(kin__shared *table, const kin__owned_block *block);

// Reserves room to park `count` values. False when out of memory.
bool kin__shared_parked_reserve(kin_context *context, kin__shared *table, uint32_t count);

// Park a value without a number, for which room is reserved; return the parked value that equals `*value`, or NULL; and
// unpark a value.
void kin__shared_park(kin__shared *table, kin__owned_block *block);
kin__owned_block *kin__shared_parked_find(const kin__shared *table, uint64_t hash, const void *value);
void kin__shared_unpark(kin__shared *table, const kin__owned_block *block);

// Reserves room for the numbers below `limit`, and entries for as many values. False when out of memory.
bool kin__shared_table_reserve_limit(kin_context *context, kin__shared *table, uint32_t limit);

// Replaces all numbers of the table: each block gets its index as its number; NULL: free. Room must be reserved.
void kin__shared_table_assign(kin__shared *table, kin__owned_block *const *blocks, uint32_t limit);

// Releases the spare memory of a table with values.
void kin__shared_table_trim(kin_context *context, kin__shared *table);

// Releases a table, but not its values.
void kin__shared_table_release(kin_context *context, kin_component_id id);

// Checks that each value has its number and can be found, and that the free numbers are a heap.
bool kin__shared_table_is_valid(const kin__shared *table);

#endif
