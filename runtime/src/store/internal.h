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
    uint32_t images; // of a shared value: pins by images of snapshots
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
    kin__owned_block **parked;              // by hash: values without numbers; NULL: none so far
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

// ---- Frames

// Returns whether the entity is being destroyed: it is dead, and the removal of its components is being notified.
bool kin__is_being_destroyed(const kin_context *context, kin_entity entity);

// Canaries: in checked builds, known bytes after the values of each column, which a write past the column changes.
//
//   column   has[8] | values[512] | canary | owned blocks[512]
//
// A canary has at least the size of one value, so that a write to any field of the value at index 512 changes it.
// Other builds have no canaries: their size is 0.
//
// Cost, in checked builds only: one comparison of the canary for each column of a chunk, when a value in the chunk
// changes, when a loop enters or leaves the chunk, and when the column is released.

// Returns the size of the canary in each column of the component, in bytes.
static inline size_t kin__canary_size(const kin_context *context, kin_component_id id)
{
#ifdef KIN_CHECKED
    return (kin__place_size(context, id) / KIN__CACHE_LINE + 1) * KIN__CACHE_LINE;
#else
    (void)context, (void)id;
    return 0;
#endif
}

// ---- Owned blocks

// Frees a block that was not put into a slot, with its lists; the caller still owns its opaque values. NULL is allowed.
void kin__owned_block_release(kin_context *context, kin__owned_block *owned_block);

// Sets the block of the value in a slot; or replaces it by the block of a new value, and retires the old one.
void kin__owned_put(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block);
void kin__owned_replace(kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *owned_block);

// Drops and frees the blocks of all values of a column.
void kin__owned_release(kin_context *context, const kin__column *column, kin_component_id id);

// Checks the invariants for a slot that has the component with this value.
bool kin__owned_is_valid(const kin_context *context, uint32_t slot, kin_component_id id, const void *value);

// ---- Values

// Detaches the value from its place, after its storage was moved elsewhere: a boxed or shared place points at the spare
// value again.
void kin__value_detach(const kin_context *context, uint32_t slot, kin_component_id id);

// Returns the box of a value that is in no slot any more to its slab, and retires its owned block.
void kin__value_storage_retire(kin_context *context, kin_component_id id, const kin__value_storage *storage);

// ---- Last values

// Returns the bytes of a kept value: of a pointer if it is boxed, else of the struct, also for a soa component.
static inline size_t kin__last_value_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed ? sizeof(void *) : kin__value_size(context, id);
}

// Returns how many values the block has.
static inline uint32_t kin__last_value_block_count(const kin__last_value_block *block)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(block->kept[word]);
    return count;
}

static inline bool kin__has_column(const kin_context *context, uint32_t chunk, kin_component_id id)
{
    KIN_ASSERT(chunk < context->chunk_count);
    return kin__chunk_column(context, chunk, id) != context->empty;
}

// Makes the block for a column that is about to be made. False when out of memory.
bool kin__last_values_reserve(kin_context *context, uint32_t chunk, kin_component_id id);

// ---- Lists

// Makes the lists in the value of a new block point to copies of their elements. False when out of memory: then every
// copy is freed.
bool kin__lists_copy(kin_context *context, kin__owned_block *owned_block);

// Frees the lists of a block that is about to be freed.
void kin__lists_release(kin_context *context, kin__owned_block *owned_block);

// Detaches the outgrown blocks of the value's lists, linked by `next`, and returns them for the caller to retire.
kin__owned_block *kin__lists_take_outgrown(const kin_context *context, kin__owned_block *owned_block);

// Checks the invariants for the value of a slot, and its block.
bool kin__lists_are_valid(const kin_component_info *info, const kin__owned_block *owned_block, const void *value);

// Opaque values: the fields of a component's value that have a `drop`, in arrays and structs too, numbered in field
// order.
//
//   value    { n, a, { b, n }[2] }     with `drop` for a and b: a is number 0, the two b are 1 and 2
//   moved    one bit for each: a newer value of the component owns it now, and will drop it
//
// Two opaque values are the same if they have the same type and the same bytes, including padding. A move compares each
// opaque value first with the one of the same number, then with all others. Cost: the number of changed ones times the
// number of all.

typedef struct kin__opaque {
    const kin_component_info *info;
    const char *value;
    unsigned char *moved; // NULL: none has moved
} kin__opaque;

// Returns the size of `moved` in bytes.
size_t kin__opaque_moved_size(const kin_component_info *info);

// Drops the opaque values that have not moved.
void kin__opaque_drop(kin__opaque values);

// Marks, in older values of the same component, the opaque values that the new value also has. Each opaque value of the
// new one marks at most one.
void kin__opaque_move(kin__opaque value, const kin__opaque *older, uint32_t older_count);

// Moves opaque values of `value` back to `other`, if they moved from there.
void kin__opaque_hand_over(kin__opaque value, kin__opaque other);

// Zeroes, in `value` of the same component, the opaque values that `values` also has.
void kin__opaque_clear(kin__opaque values, char *value);

// ---- Shared values

// Returns the block of the value that equals `*value`, with one more reference, and makes `*value` point to the value
// in it. Makes the value if it does not exist. NULL when out of memory.
kin__owned_block *kin__shared_take(kin_context *context, kin_component_id id, const void **value);

// Returns the block of a shared value from the address of the value.
kin__owned_block *kin__shared_block_of(const void *value);

void *kin__shared_value_of(kin__owned_block *block);

// Count one holder more or less. References do not change.
void kin__shared_add_holder(kin__owned_block *block);
void kin__shared_remove_holder(kin__owned_block *block);

// Removes a reference. After the last one, the value is freed once the outermost change has been notified.
void kin__shared_let_go(kin_context *context, kin__owned_block *block);

// Retires a block without references, unless it is retired already.
void kin__shared_retire(kin_context *context, kin__owned_block *block);

// Removes the reference of a storage that was not written. If it was the last one, frees the value at once.
void kin__shared_release(kin_context *context, kin__owned_block *block);

// Frees a block that was taken from the list of retired blocks, unless it has references again.
void kin__shared_finish(kin_context *context, kin__owned_block *block);

// Returns the number of values of a component.
uint32_t kin__shared_count(const kin_context *context, kin_component_id id);

// Checks the invariants for the value in a place of a column.
bool kin__shared_is_valid(const kin_context *context, kin_component_id id, const void *value);

// ---- Restoring shared values

// Adds the reference of a restored last value.
void kin__shared_restore_reference(const void *value);

// ---- Slabs

// Makes the slab of a boxed component unless it exists. False when out of memory.
bool kin__slab_reserve(kin_context *context, kin_component_id id);

// Shelves: the memory of the columns of one component, side by side in blocks.
//
//   shelf   newest → block → … → NULL      each has a quarter of the columns that there were before it, up to a limit
//           spare  → column → …            returned columns of blocks, linked through their first words
//   block   header | column | column | …   given in this order
//
// The first columns of a component have no block: small contexts need no more memory than for the columns.
//
// A loop over many chunks goes from column to column. Where these are adjacent, the processor has the next one in its
// caches already, because it prefetches along addresses; columns that lie apart cost a tenth of a short loop, and more
// where they are not in a cache.
//
// Invariants, checked by kin__shelf_is_valid():
//   1. the first `given` columns of a block are in use or spare; `spare` of them are spare
//   2. each block has a column in use; without one it is released
//   3. column_count counts the columns of blocks and those without a block
//
// Cost: constant; returning a column, and reusing one, looks through the blocks of the shelf. Returning the last used
// column of a block also walks the spare columns. A block keeps its memory, 4 MiB at most, while one of its columns is
// in use.

typedef struct kin__shelf_block kin__shelf_block;

typedef struct kin__shelf {
    kin__shelf_block *newest;
    void *spare;
    uint32_t column_count;
} kin__shelf;

#endif
