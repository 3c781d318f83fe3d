// What the files of the room store share with no other room: blocks of owned values, tables of shared values.
#ifndef KIN_SRC_STORE_INTERNAL_H
#define KIN_SRC_STORE_INTERNAL_H

#include "store/store.h"

// The blocks of a value, and of the elements of one of its lists.
//
//   of a value   [ next | id | … | the value | opaque record | string\0string\0 ]
//   of a list    [ next | id | … | capacity | element 0 | element 1 | … ]
//
// The capacity of a list is in the last four bytes before its elements, where generated code finds it.

struct kin__owned_block {
    kin__owned_block *next; // in the list of retired blocks; for the block of a list in a value: its outgrown blocks
    kin_component_id id;
    uint8_t flags; // a set of KIN__OWNED_…
    uint32_t pins;
    size_t size;     // bytes of the block
    uint32_t images; // of a shared value: pins by images of snapshots (snapshot.h)
    max_align_t value[];
};

// Returns the block of a list from the address of its elements, which is not NULL.
static inline kin__owned_block *kin__list_block_of(void *at)
{
    return (kin__owned_block *)(void *)((char *)at - offsetof(kin__owned_block, value));
}

enum {
    KIN__OWNED_OPAQUE = 1,   // the value has opaque values, and the block an opaque record
    KIN__OWNED_LISTS = 2,    // the value has lists
    KIN__OWNED_FINISHED = 4, // would have been freed, but was pinned
    KIN__OWNED_SHARED = 8,   // a shared value, whose pins are its references
    KIN__OWNED_WAITING = 16  // a shared value in the list of retired blocks
};

// The parts of a shared value that are compared: all its fields, without padding.
//
// Numbers are compared as bytes: a NaN equals itself, and -0 does not equal 0. Strings are compared up to their NUL; a
// NULL string equals only another NULL string.

typedef enum kin__shared_part_kind {
    KIN__SHARED_BYTES,
    KIN__SHARED_TEXT,  // char[size], with a NUL
    KIN__SHARED_STRING // const char *
} kin__shared_part_kind;

// Adjacent fields without padding between them form one part.
typedef struct kin__shared_part {
    kin__shared_part_kind kind;
    uint32_t offset; // in the value
    uint32_t size;   // bytes
} kin__shared_part;

// The table of the shared values of one component: the values by number, the free numbers, and the numbers by hash.

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
    kin__owned_block **parked;              // by hash: values without numbers (snapshot.h); NULL: none so far
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

#endif
