// What only the files of lookup share: the tree of an ordered index
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

// Inserts an entity that has no entry; erases one that has; gives one another key. Room is reserved.
void kin__ordered_insert(kin__index *index, kin_entity entity, const uint64_t *key);
void kin__ordered_erase(kin__index *index, kin_entity entity);
void kin__ordered_change_key(kin__index *index, kin_entity entity, const uint64_t *key);

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

#endif
