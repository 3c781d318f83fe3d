// What only the files of lookup share: the tree of an ordered index, and the lists of a grid
//
// An ordered index keeps its entities in a B+ tree, in ascending order of key and slot. Nodes are numbered; leaves and
// inner nodes have arrays of their own. Level 0 has the leaves, the root is at level `height`.
//
//   node    [ count, parent, … | entry | entry | … ]   64 entries at most, in whole cache lines
//   entry   [ word | word | … | entity ]               the words of an ordered key (kin__key_order), then what has it
//   inner   … [ child | child | … ]                    the number of a child, and the number of entities below it << 32
//   slot    where its entity is: the number of the leaf, and the place that it had there when that was written; or none
//
// Entry i of an inner node is a lower bound of child i: no entry of that child is smaller, and all of earlier children
// are. That of child 0 is the lower bound of the node itself, and is not searched.
//
// An insertion splits full nodes; room for all nodes that the potential members can need is reserved before. An erasure
// merges a node that has too few entries with a neighbour, or evens them out, and needs no memory. So what a node has
// depends on the history of the index; what is found depends on the entries alone.
//
// Invariants, checked by kin__ordered_is_valid():
//   1. the entries of all leaves, from first to last, are in ascending order of key and slot
//   2. every node other than the root has at least KIN__ORDERED_FEW entries; an inner root has at least two
//   3. the count of a child is the number of entries below it, and its parent names the node
//   4. an entry of an inner node is a lower bound, as above
//   5. the slot of an entity names its leaf; its place may be another one since
//   6. there is room for as many nodes as entries of all potential members can need
#ifndef KIN_SRC_LOOKUP_INTERNAL_H
#define KIN_SRC_LOOKUP_INTERNAL_H

#include "lookup/lookup.h"

#include <kin/generated/grid.h>

#include <string.h>

enum {
    KIN__ORDERED_MANY = 64, // entries of a full node
    KIN__ORDERED_FEW = 24,  // fewest of a node other than the root
};

// What is kept for a slot: the number of a leaf plus 1, times KIN__ORDERED_MANY, plus a place; 0: none. A tree of 2^24
// entries has fewer than 2^20 leaves.
typedef uint32_t kin__ordered_slot;

#define KIN__NO_NODE UINT32_MAX

typedef struct kin__ordered_node {
    uint32_t count;
    uint32_t parent;         // KIN__NO_NODE: the root
    uint32_t previous, next; // leaves; KIN__NO_NODE: none. `next` of a free node: the next free one
    uint64_t unused[6];      // fills a cache line
    uint64_t entries[];
} kin__ordered_node;

typedef struct kin__ordered {
    uint64_t version; // grows with every change of the tree, and when nodes are moved in memory
    uint32_t words;   // of a key
    uint32_t height;
    uint32_t root, first, last; // nodes; first and last are leaves
    uint32_t count;
    kin__array nodes[2];    // leaves, inner nodes
    uint32_t node_count[2]; // numbers in use, those of free nodes included
    uint32_t free_node[2];
} kin__ordered;

// A place in the tree: of the entry with that number in a leaf, or behind its last one.
typedef struct kin__ordered_place {
    uint32_t leaf, place;
} kin__ordered_place;

// Returns the entry of a node, whose first word is the first of its key.
static inline uint64_t *kin__ordered_entry(const kin__ordered *ordered, const kin__ordered_node *node, uint32_t place)
{
    return (uint64_t *)(uintptr_t)node->entries + (size_t)place * (ordered->words + 1);
}

static inline size_t kin__ordered_node_size(const kin__ordered *ordered, bool is_inner)
{
    return sizeof(kin__ordered_node) + KIN__ORDERED_MANY * (ordered->words + 1 + is_inner) * sizeof(uint64_t);
}

static inline kin__ordered_node *kin__ordered_leaf(const kin__ordered *ordered, uint32_t number)
{
    KIN_ASSERT(number < ordered->node_count[0]);
    return (kin__ordered_node *)(void *)((char *)ordered->nodes[0].elements +
                                         number * kin__ordered_node_size(ordered, false));
}

// Reads ahead the entries of a leaf, so that they are not waited for one after the other.
static inline void kin__ordered_prefetch(const kin__ordered *ordered, uint32_t number)
{
    const kin__ordered_node *leaf = kin__ordered_leaf(ordered, number);
    for (uint32_t i = 0; i < KIN__ORDERED_MANY * (ordered->words + 1); i += KIN__CACHE_LINE / sizeof(uint64_t))
        kin__prefetch(&leaf->entries[i]);
}

// Makes an empty tree for keys of so many words. False when out of memory; releases what there is.
bool kin__ordered_make(kin__memory *memory, kin__index *index, uint32_t words);
void kin__ordered_release(kin__memory *memory, kin__index *index);

// Reserves room for `count` entries. False when out of memory, with nothing changed.
bool kin__ordered_reserve(kin__memory *memory, kin__index *index, uint32_t count);

// Removes all entries.
void kin__ordered_clear(kin__index *index);

// Inserts an entity that has no entry; erases one that has; gives one a key, and returns whether it had another. Room
// is reserved.
void kin__ordered_insert(kin__index *index, kin_entity entity, const uint64_t *key);
void kin__ordered_erase(kin__index *index, kin_entity entity);
bool kin__ordered_change_key(kin__index *index, kin_entity entity, const uint64_t *key);

// Whether the entity of the slot has an entry.
static inline bool kin__ordered_has(const kin__index *index, uint32_t slot)
{
    return kin__index_has_block(index, slot) && *(const kin__ordered_slot *)kin__index_slot_data(index, slot) != 0;
}

// Returns the place of the first entry that is not below the key and slot.
kin__ordered_place kin__ordered_find(const kin__ordered *ordered, const uint64_t *key, uint64_t slot);

// Returns the place in a leaf of the first entry that is not below the key and slot.
uint32_t kin__ordered_find_in(const kin__ordered *ordered, const kin__ordered_node *leaf, const uint64_t *key,
                              uint64_t slot);

// Returns how many entries are below the key and slot.
uint32_t kin__ordered_count_below(const kin__ordered *ordered, const uint64_t *key, uint64_t slot);

// Moves the tree to memory for `count` entries, which is at least the number it has. Does nothing without memory.
void kin__ordered_trim(kin__memory *memory, kin__index *index, uint32_t count);

// Returns the bytes of nodes in use.
size_t kin__ordered_used(const kin__ordered *ordered);

// Checks invariants 1 to 5, and 6 for `count` potential members.
bool kin__ordered_is_valid(const kin__index *index, uint32_t count);

// Compares two ordered keys of so many words: below 0, 0 or above 0.
static inline int kin__ordered_compare(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// Grids: an index of kind 'grid' files its entities by the cell in which the point is that their component has.
//
//   buckets   [ . | slot | . | slot | … ]      the first entity of each; the hash of a cell says its bucket
//   record    [ next | previous | x, y, z ]    by slot: the links of a bucket, and the cell where the entity is filed
//   cells     [ cell < cell < … | cell < … ]   the cells in order, if a walk has asked for them; then those since
//
// A row of cells, with equal y and z, lies side by side, so that a look-up finds neighbours in one cache line. A bucket
// has the entities of all cells with its hash, in order of slot unless it is marked as unsorted: a change puts an
// entity where that is easy, and the next look-up sorts. So what is found depends on the cells alone, not on history.
//
// Points are read from the components, never kept: a value that is written in place counts for distances at once, and
// for the cell from the next refresh on.
//
// Invariants, checked by kin__grid_is_valid():
//   1. an entity has a record with a `previous` while it matches and its coordinates were finite when it was filed; it
//      is one of `lost` while it matches and they were not
//   2. a bucket has exactly the records of its cells; `previous` of the first is the last one
//   3. a bucket that is not marked is in ascending slot
//   4. while `is_listed`, `cells` has every cell in which an entity is filed; others may be among them
//   5. there are at least as many buckets as potential members, and room for twice as many cells

enum {
    KIN__GRID_LIMIT = 1 << 30, // cells beyond count as this one
    KIN__GRID_RECENT = 256,    // most cells since the others were sorted
};

typedef struct kin__grid_record {
    uint32_t next;     // slot + 1; 0: the last one
    uint32_t previous; // slot + 1; 0: not filed
    int32_t x, y, z;   // with two coordinates there is no z
} kin__grid_record;

// A coordinate in the values of a component.
typedef struct kin__grid_part {
    size_t offset, stride; // in a column whose values are in place
    size_t in_value;       // in the value
    kin_type type;
} kin__grid_part;

typedef struct kin__grid {
    uint64_t version; // grows with every change of records or buckets
    uint64_t listing; // grows with every change of `cells`
    double inverse;   // cells for each unit
    uint32_t *heads;  // by bucket
    uint64_t *unsorted;
    uint32_t mask; // buckets - 1
    uint32_t unsorted_count;
    uint32_t count, lost;
    kin_component_id component;
    bool has_z;
    bool is_direct; // values are in place in their columns
    bool is_float;  // and all coordinates are floats
    kin__grid_part parts[3];
    uint64_t factors[2];
    kin__grid_cell *cells;  // room for twice `cell_capacity`
    uint32_t cell_capacity; //
    uint32_t cell_count;    // sorted
    uint32_t recent_count;  // sorted, from cells[cell_capacity] on
    bool is_listed;         //
    kin__lock lock;         // held while `cells` is made in a context that threads share
} kin__grid;

static inline kin__grid_record *kin__grid_record_of(const kin__index *index, uint32_t slot)
{
    return (kin__grid_record *)kin__index_slot_data(index, slot);
}

static inline bool kin__grid_has(const kin__index *index, uint32_t slot)
{
    return kin__index_has_block(index, slot) && kin__grid_record_of(index, slot)->previous != 0;
}

// Whether the entity with a record is filed in the cell.
static inline bool kin__grid_is_in(const kin__grid *grid, const kin__grid_record *record, kin__grid_cell cell)
{
    return record->x == cell.x && record->y == cell.y && (!grid->has_z || record->z == cell.z);
}

static inline kin__grid_cell kin__grid_cell_of(const kin__grid *grid, const kin__grid_record *record)
{
    return (kin__grid_cell){record->x, record->y, grid->has_z ? record->z : 0};
}

// Returns a number for the row of a cell, from which its bucket follows.
static inline uint32_t kin__grid_row(const kin__grid *grid, int32_t y, int32_t z)
{
    uint64_t word = (uint64_t)(uint32_t)y << 32 | (uint32_t)z;
    return (uint32_t)kin__fold(kin__fold(word ^ grid->factors[0], grid->factors[1]) ^ grid->factors[1],
                               grid->factors[0]);
}

static inline uint32_t kin__grid_bucket(const kin__grid *grid, uint32_t row, int32_t x)
{
    return (row + (uint32_t)x) & grid->mask;
}

// Returns the cell of a coordinate, as if NaN were the lowest number.
static inline int32_t kin__grid_place(double coordinate, double inverse)
{
    double place = coordinate * inverse;
    place = place > -KIN__GRID_LIMIT ? place : -KIN__GRID_LIMIT;
    place = place < KIN__GRID_LIMIT ? place : KIN__GRID_LIMIT;
    int32_t whole = (int32_t)place;
    return whole - (place < whole);
}

static inline double kin__grid_number(const void *at, kin_type type)
{
    union {
        int8_t int8;
        int16_t int16;
        int32_t int32;
        int64_t int64;
        uint8_t uint8;
        uint16_t uint16;
        uint32_t uint32;
        uint64_t uint64;
        float single;
        double number;
    } value;
#define KIN__READ(member) (memcpy(&value.member, at, sizeof value.member), (double)value.member)
    switch (type) {
    case KIN_TYPE_FLOAT:
        return KIN__READ(single);
    case KIN_TYPE_DOUBLE:
        return KIN__READ(number);
    case KIN_TYPE_INT8:
        return KIN__READ(int8);
    case KIN_TYPE_INT16:
        return KIN__READ(int16);
    case KIN_TYPE_INT32:
        return KIN__READ(int32);
    case KIN_TYPE_INT64:
        return KIN__READ(int64);
    case KIN_TYPE_UINT8:
        return KIN__READ(uint8);
    case KIN_TYPE_UINT16:
        return KIN__READ(uint16);
    case KIN_TYPE_UINT32:
        return KIN__READ(uint32);
    default:
        KIN_ASSERT(type == KIN_TYPE_UINT64);
        return KIN__READ(uint64);
    }
#undef KIN__READ
}

// Returns the address of a coordinate of the entity in a slot, in a column whose values are in place.
static inline const void *kin__grid_address(const kin__column *column, const kin__grid_part *part, uint32_t place)
{
    return (const char *)(column + 1) + part->offset + place * part->stride;
}

// Sorts a bucket, if it is marked.
void kin__grid_sort(const kin__index *index, uint32_t bucket);

// Makes `cells` complete. Thread-safe in a context that threads share.
void kin__grid_list(const kin_context *context, const kin__index *index);

// Compares two cells in the order of z, y and x: below 0, 0 or above 0.
static inline int kin__grid_compare(kin__grid_cell a, kin__grid_cell b)
{
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return (a.x > b.x) - (a.x < b.x);
}

#endif
