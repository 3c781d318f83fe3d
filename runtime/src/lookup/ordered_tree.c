// The tree of an ordered index (internal.h): searches, insertions and erasures.
#include "lookup/internal.h"

#include <string.h>

enum {
    FILLED = 48,     // entries of a node of a tree that is made at once
    MERGED = 56,     // two nodes with so many entries or fewer become one
    MOST_LEVELS = 8, // more than those of 2^24 entries
};

#define NONE KIN__NO_NODE

#define SLOT_MASK ((UINT64_C(1) << 24) - 1)

typedef kin__ordered_node node;

// ---- nodes

static node *node_at(const kin__ordered *ordered, uint32_t level, uint32_t number)
{
    bool is_inner = level > 0;
    KIN_ASSERT(number < ordered->node_count[is_inner] && number < ordered->nodes[is_inner].capacity);
    return (node *)(void *)((char *)ordered->nodes[is_inner].elements +
                            number * kin__ordered_node_size(ordered, is_inner));
}

// Returns the children of an inner node: their numbers, and above these how many entries they have.
static uint64_t *children_of(const kin__ordered *ordered, const node *inner)
{
    return kin__ordered_entry(ordered, inner, KIN__ORDERED_MANY);
}

static uint64_t child_of(uint32_t number, uint32_t count)
{
    return (uint64_t)count << 32 | number;
}

static kin__ordered_slot *slot_of(const kin__index *index, kin_entity entity)
{
    return kin__index_slot_data(index, kin_entity_slot(entity));
}

static kin__ordered_slot slot_at(uint32_t leaf, uint32_t place)
{
    return (leaf + 1) * KIN__ORDERED_MANY + place;
}

static uint32_t leaf_of(kin__ordered_slot slot)
{
    KIN_ASSERT(slot >= KIN__ORDERED_MANY);
    return slot / KIN__ORDERED_MANY - 1;
}

static uint32_t take_node(kin__ordered *ordered, uint32_t level)
{
    bool is_inner = level > 0;
    uint32_t number = ordered->free_node[is_inner];
    if (number == NONE)
        number = ordered->node_count[is_inner]++;
    node *taken = node_at(ordered, level, number);
    if (number == ordered->free_node[is_inner])
        ordered->free_node[is_inner] = taken->next;
    taken->count = 0;
    taken->parent = taken->previous = taken->next = NONE;
    return number;
}

static void free_node(kin__ordered *ordered, uint32_t level, uint32_t number)
{
    node *freed = node_at(ordered, level, number);
    freed->count = 0;
    freed->next = ordered->free_node[level > 0];
    ordered->free_node[level > 0] = number;
}

// ---- searching

// Whether an entry is below a key and slot.
static bool is_below(const uint64_t *entry, const uint64_t *key, uint64_t slot, uint32_t words)
{
    int order = kin__ordered_compare(entry, key, words);
    return order < 0 || (order == 0 && (entry[words] & SLOT_MASK) < slot);
}

// Returns the place of the first entry, from `first` on, whose key of one word is not below the key. Without branches,
// since where a search goes is hard to predict.
static uint32_t search_word(const node *at, uint32_t first, uint64_t key)
{
    const uint64_t *low = at->entries + (size_t)first * 2;
    uint32_t count = at->count - first;
    for (; count > 1; count -= count / 2) {
        const uint64_t *middle = low + (size_t)(count / 2) * 2;
        low = middle[-2] < key ? middle : low;
    }
    return (uint32_t)((size_t)(low - at->entries) / 2) + (count == 1 && *low < key);
}

// Returns the place of the first entry, from `first` on, that is not below the key and slot.
static uint32_t search(const kin__ordered *ordered, const node *at, uint32_t first, const uint64_t *key, uint64_t slot)
{
    uint32_t words = ordered->words;
    uint32_t low = words == 1 ? search_word(at, first, *key) : first;
    if (words == 1 && (low == at->count || at->entries[(size_t)low * 2] != *key))
        return low;
    for (uint32_t count = at->count - low; count > 0;) {
        uint32_t half = count / 2;
        bool below = is_below(kin__ordered_entry(ordered, at, low + half), key, slot, words);
        low = below ? low + half + 1 : low;
        count = below ? count - half - 1 : half;
    }
    return low;
}

// Returns which child of an inner node has a key and slot, or would have: the last whose entry is not above it.
static uint32_t search_child(const kin__ordered *ordered, const node *inner, const uint64_t *key, uint64_t slot)
{
    return search(ordered, inner, 1, key, slot + 1) - 1;
}

uint32_t kin__ordered_find_in(const kin__ordered *ordered, const node *leaf, const uint64_t *key, uint64_t slot)
{
    return search(ordered, leaf, 0, key, slot);
}

// The children that lead to a leaf, by the level of their node.
typedef uint64_t *path[MOST_LEVELS];

// Returns the leaf that a key and slot belong into.
static uint32_t descend(const kin__ordered *ordered, const uint64_t *key, uint64_t slot, path path)
{
    uint32_t number = ordered->root;
    KIN_ASSERT(ordered->height < MOST_LEVELS);
    for (uint32_t level = ordered->height; level > 0; level--) {
        const node *inner = node_at(ordered, level, number);
        path[level] = children_of(ordered, inner) + search_child(ordered, inner, key, slot);
        number = (uint32_t)*path[level];
    }
    kin__ordered_prefetch(ordered, number);
    return number;
}

kin__ordered_place kin__ordered_find(const kin__ordered *ordered, const uint64_t *key, uint64_t slot)
{
    path path;
    uint32_t number = descend(ordered, key, slot, path);
    return (kin__ordered_place){number, search(ordered, node_at(ordered, 0, number), 0, key, slot)};
}

uint32_t kin__ordered_count_below(const kin__ordered *ordered, const uint64_t *key, uint64_t slot)
{
    uint32_t number = ordered->root;
    uint64_t count = 0;
    for (uint32_t level = ordered->height; level > 0; level--) {
        const node *inner = node_at(ordered, level, number);
        const uint64_t *children = children_of(ordered, inner);
        uint32_t at = search_child(ordered, inner, key, slot);
        for (uint32_t i = 0; i < at; i++)
            count += children[i] >> 32;
        number = (uint32_t)children[at];
    }
    kin__ordered_prefetch(ordered, number);
    return (uint32_t)count + search(ordered, node_at(ordered, 0, number), 0, key, slot);
}

// ---- moving entries

// Makes a node name its new parent, or the slots of entities their new leaf, for entries that were moved to a node.
static void adopt(const kin__index *index, uint32_t level, uint32_t number, uint32_t first, uint32_t count)
{
    const kin__ordered *ordered = index->ordered;
    const node *parent = node_at(ordered, level, number);
    for (uint32_t i = first; i < first + count; i++)
        if (level == 0)
            *slot_of(index, kin__ordered_entry(ordered, parent, i)[ordered->words]) = slot_at(number, i);
        else
            node_at(ordered, level - 1, (uint32_t)children_of(ordered, parent)[i])->parent = number;
}

// Copies entries, with their children, from one place to another in the same node or another.
static void copy_entries(const kin__ordered *ordered, uint32_t level, node *to, uint32_t to_place, const node *from,
                         uint32_t from_place, uint32_t count)
{
    size_t size = (ordered->words + 1) * sizeof(uint64_t);
    memmove(kin__ordered_entry(ordered, to, to_place), kin__ordered_entry(ordered, from, from_place), count * size);
    if (level > 0)
        memmove(children_of(ordered, to) + to_place, children_of(ordered, from) + from_place, count * sizeof(uint64_t));
}

// Moves the first entries of the node after another to its end, or the last ones of a node to the start of the next.
static void move_back(const kin__index *index, uint32_t level, uint32_t left, uint32_t right, uint32_t count)
{
    const kin__ordered *ordered = index->ordered;
    node *to = node_at(ordered, level, left);
    node *from = node_at(ordered, level, right);
    copy_entries(ordered, level, to, to->count, from, 0, count);
    copy_entries(ordered, level, from, 0, from, count, from->count - count);
    to->count += count;
    from->count -= count;
    adopt(index, level, left, to->count - count, count);
}

static void move_on(const kin__index *index, uint32_t level, uint32_t left, uint32_t right, uint32_t count)
{
    const kin__ordered *ordered = index->ordered;
    node *from = node_at(ordered, level, left);
    node *to = node_at(ordered, level, right);
    copy_entries(ordered, level, to, count, to, 0, to->count);
    copy_entries(ordered, level, to, 0, from, from->count - count, count);
    to->count += count;
    from->count -= count;
    adopt(index, level, right, 0, count);
}

// Returns how many entries of the index are below a node.
static uint32_t entries_below(const kin__ordered *ordered, uint32_t level, uint32_t number)
{
    const node *at = node_at(ordered, level, number);
    uint64_t count = 0;
    for (uint32_t i = 0; level > 0 && i < at->count; i++)
        count += children_of(ordered, at)[i] >> 32;
    return level > 0 ? (uint32_t)count : at->count;
}

static uint32_t place_of_child(const kin__ordered *ordered, const node *parent, uint32_t number)
{
    const uint64_t *children = children_of(ordered, parent);
    uint32_t at = 0;
    while ((uint32_t)children[at] != number)
        at++;
    KIN_ASSERT(at < parent->count);
    return at;
}

// Writes the entry and the count of the child at a place anew.
static void refresh_child(const kin__ordered *ordered, uint32_t level, node *parent, uint32_t at)
{
    uint64_t *children = children_of(ordered, parent);
    uint32_t number = (uint32_t)children[at];
    const node *child = node_at(ordered, level - 1, number);
    children[at] = child_of(number, entries_below(ordered, level - 1, number));
    if (at > 0)
        memcpy(kin__ordered_entry(ordered, parent, at), child->entries, (ordered->words + 1) * sizeof(uint64_t));
}

// ---- insertion

// Puts an inner node above the root.
static void raise_root(const kin__index *index)
{
    kin__ordered *ordered = index->ordered;
    uint32_t number = take_node(ordered, ordered->height + 1);
    node *root = node_at(ordered, ordered->height + 1, number);
    memset(kin__ordered_entry(ordered, root, 0), 0, (ordered->words + 1) * sizeof(uint64_t));
    children_of(ordered, root)[0] = child_of(ordered->root, ordered->count);
    root->count = 1;
    node_at(ordered, ordered->height, ordered->root)->parent = number;
    ordered->root = number;
    ordered->height++;
}

static void link_leaf(kin__ordered *ordered, uint32_t left, uint32_t right)
{
    node *before = node_at(ordered, 0, left);
    node *after = node_at(ordered, 0, right);
    after->previous = left;
    after->next = before->next;
    before->next = right;
    if (after->next != NONE)
        node_at(ordered, 0, after->next)->previous = right;
    else
        ordered->last = right;
}

// Splits a full node into two. A full parent is split first, so this is at most as deep as the tree.
static void split(const kin__index *index, uint32_t level, uint32_t number)
{
    kin__ordered *ordered = index->ordered;
    if (level == ordered->height)
        raise_root(index);
    if (node_at(ordered, level + 1, node_at(ordered, level, number)->parent)->count == KIN__ORDERED_MANY)
        split(index, level + 1, node_at(ordered, level, number)->parent);
    uint32_t other = take_node(ordered, level);
    node_at(ordered, level, other)->parent = node_at(ordered, level, number)->parent;
    move_on(index, level, number, other, KIN__ORDERED_MANY / 2);
    if (level == 0)
        link_leaf(ordered, number, other);
    node *parent = node_at(ordered, level + 1, node_at(ordered, level, number)->parent);
    uint32_t at = place_of_child(ordered, parent, number);
    copy_entries(ordered, level + 1, parent, at + 2, parent, at + 1, parent->count - at - 1);
    parent->count++;
    children_of(ordered, parent)[at + 1] = child_of(other, 0);
    refresh_child(ordered, level + 1, parent, at + 1);
    children_of(ordered, parent)[at] = child_of(number, entries_below(ordered, level, number));
}

// Inserts into a leaf that is not full.
static void put(const kin__index *index, uint32_t number, path path, kin_entity entity, const uint64_t *key)
{
    kin__ordered *ordered = index->ordered;
    node *leaf = node_at(ordered, 0, number);
    uint32_t at = search(ordered, leaf, 0, key, kin_entity_slot(entity));
    uint64_t *entry = kin__ordered_entry(ordered, leaf, at);
    copy_entries(ordered, 0, leaf, at + 1, leaf, at, leaf->count - at);
    memcpy(entry, key, ordered->words * sizeof *key);
    entry[ordered->words] = entity;
    leaf->count++;
    for (uint32_t level = ordered->height; level > 0; level--)
        *path[level] += child_of(0, 1);
    *slot_of(index, entity) = slot_at(number, at);
    ordered->count++;
    ordered->version++;
}

void kin__ordered_insert(kin__index *index, kin_entity entity, const uint64_t *key)
{
    kin__ordered *ordered = index->ordered;
    path path;
    uint32_t number = descend(ordered, key, kin_entity_slot(entity), path);
    KIN_ASSERT(*slot_of(index, entity) == 0);
    if (node_at(ordered, 0, number)->count == KIN__ORDERED_MANY) {
        split(index, 0, number);
        number = descend(ordered, key, kin_entity_slot(entity), path);
    }
    put(index, number, path, entity, key);
}

// ---- erasure

static void unlink_leaf(kin__ordered *ordered, uint32_t number)
{
    const node *leaf = node_at(ordered, 0, number);
    if (leaf->previous != NONE)
        node_at(ordered, 0, leaf->previous)->next = leaf->next;
    else
        ordered->first = leaf->next;
    if (leaf->next != NONE)
        node_at(ordered, 0, leaf->next)->previous = leaf->previous;
    else
        ordered->last = leaf->previous;
}

// Moves all entries of a child to the one before it, and frees it.
static void merge(const kin__index *index, uint32_t level, node *parent, uint32_t at)
{
    kin__ordered *ordered = index->ordered;
    uint64_t *children = children_of(ordered, parent);
    uint32_t right = (uint32_t)children[at];
    move_back(index, level, (uint32_t)children[at - 1], right, node_at(ordered, level, right)->count);
    if (level == 0)
        unlink_leaf(ordered, right);
    free_node(ordered, level, right);
    children[at - 1] += child_of(0, (uint32_t)(children[at] >> 32));
    copy_entries(ordered, level + 1, parent, at, parent, at + 1, parent->count - at - 1);
    parent->count--;
}

// Gives two neighbours as many entries each.
static void even_out(const kin__index *index, uint32_t level, node *parent, uint32_t at)
{
    const kin__ordered *ordered = index->ordered;
    uint32_t left = (uint32_t)children_of(ordered, parent)[at - 1];
    uint32_t right = (uint32_t)children_of(ordered, parent)[at];
    uint32_t count = node_at(ordered, level, left)->count;
    uint32_t half = (count + node_at(ordered, level, right)->count) / 2;
    if (count < half)
        move_back(index, level, left, right, half - count);
    else
        move_on(index, level, left, right, count - half);
    if (at > 1)
        refresh_child(ordered, level + 1, parent, at - 1);
    else
        children_of(ordered, parent)[0] = child_of(left, entries_below(ordered, level, left));
    refresh_child(ordered, level + 1, parent, at);
}

// Gives a node that has too few entries some of a neighbour, or merges the two; then the same with its parent.
static void fill_up(const kin__index *index, uint32_t level, uint32_t number)
{
    kin__ordered *ordered = index->ordered;
    for (; level < ordered->height && node_at(ordered, level, number)->count < KIN__ORDERED_FEW; level++) {
        uint32_t above = node_at(ordered, level, number)->parent;
        node *parent = node_at(ordered, level + 1, above);
        uint32_t at = kin__max_32(place_of_child(ordered, parent, number), 1);
        const uint64_t *children = children_of(ordered, parent);
        uint32_t left = node_at(ordered, level, (uint32_t)children[at - 1])->count;
        if (left + node_at(ordered, level, (uint32_t)children[at])->count > MERGED) {
            even_out(index, level, parent, at);
            return;
        }
        merge(index, level, parent, at);
        number = above;
    }
    const node *root = node_at(ordered, ordered->height, ordered->root);
    if (ordered->height == 0 || root->count > 1)
        return;
    uint32_t child = (uint32_t)children_of(ordered, root)[0];
    free_node(ordered, ordered->height--, ordered->root);
    ordered->root = child;
    node_at(ordered, ordered->height, child)->parent = NONE;
}

// Returns the place of an entity: the one that its slot names, or one near it.
static uint32_t place_of_entity(const kin__ordered *ordered, const node *leaf, kin_entity entity,
                                kin__ordered_slot slot)
{
    uint32_t hint = slot % KIN__ORDERED_MANY;
    for (uint32_t distance = 0;; distance++) {
        KIN_ASSERT(distance < KIN__ORDERED_MANY);
        if (hint + distance < leaf->count &&
            kin__ordered_entry(ordered, leaf, hint + distance)[ordered->words] == entity)
            return hint + distance;
        bool is_before = distance <= hint && hint - distance < leaf->count;
        if (is_before && kin__ordered_entry(ordered, leaf, hint - distance)[ordered->words] == entity)
            return hint - distance;
    }
}

// Takes the entry of an entity out of its leaf, which may have too few then, and returns the leaf.
static uint32_t take_out(const kin__index *index, kin_entity entity)
{
    kin__ordered *ordered = index->ordered;
    kin__ordered_slot *kept = slot_of(index, entity);
    uint32_t number = leaf_of(*kept);
    node *leaf = node_at(ordered, 0, number);
    uint32_t at = place_of_entity(ordered, leaf, entity, *kept);
    copy_entries(ordered, 0, leaf, at, leaf, at + 1, leaf->count - at - 1);
    leaf->count--;
    *kept = 0;
    ordered->count--;
    ordered->version++;
    uint32_t child = number;
    uint32_t above = leaf->parent;
    for (uint32_t level = 1; level <= ordered->height; level++) {
        const node *parent = node_at(ordered, level, above);
        children_of(ordered, parent)[place_of_child(ordered, parent, child)] -= child_of(0, 1);
        child = above;
        above = parent->parent;
    }
    return number;
}

void kin__ordered_erase(kin__index *index, kin_entity entity)
{
    fill_up(index, 0, take_out(index, entity));
}

// Moves an entry to another leaf. That is read from memory while the entry is taken out of its own.
static void move_far(kin__index *index, kin_entity entity, const uint64_t *key)
{
    const kin__ordered *ordered = index->ordered;
    path path;
    uint32_t to = descend(ordered, key, kin_entity_slot(entity), path);
    uint32_t from = take_out(index, entity);
    bool is_full = node_at(ordered, 0, to)->count == KIN__ORDERED_MANY;
    if (!is_full)
        put(index, to, path, entity, key);
    fill_up(index, 0, from);
    if (is_full)
        kin__ordered_insert(index, entity, key);
}

// Whether a key and slot belong into a leaf, as far as the leaf knows.
static bool is_within(const kin__ordered *ordered, const node *leaf, const uint64_t *key, uint64_t slot)
{
    uint32_t words = ordered->words;
    const uint64_t *last = kin__ordered_entry(ordered, leaf, leaf->count - 1);
    return (leaf->previous == NONE || is_below(leaf->entries, key, slot + 1, words)) &&
           (leaf->next == NONE || !is_below(last, key, slot, words));
}

// Whether a key and slot are between the entries beside a place.
static bool stays(const kin__ordered *ordered, const node *leaf, uint32_t at, const uint64_t *key, uint64_t slot)
{
    uint32_t words = ordered->words;
    if (at == 0 || at + 1 == leaf->count)
        return false;
    return is_below(kin__ordered_entry(ordered, leaf, at - 1), key, slot, words) &&
           !is_below(kin__ordered_entry(ordered, leaf, at + 1), key, slot, words);
}

bool kin__ordered_change_key(kin__index *index, kin_entity entity, const uint64_t *key)
{
    kin__ordered *ordered = index->ordered;
    uint64_t slot = kin_entity_slot(entity);
    kin__ordered_slot *kept = slot_of(index, entity);
    uint32_t number = leaf_of(*kept);
    node *leaf = node_at(ordered, 0, number);
    uint32_t from = place_of_entity(ordered, leaf, entity, *kept);
    uint64_t *entry = kin__ordered_entry(ordered, leaf, from);
    *kept = slot_at(number, from);
    if (kin__ordered_compare(entry, key, ordered->words) == 0)
        return false;
    if (stays(ordered, leaf, from, key, slot)) {
        memcpy(entry, key, ordered->words * sizeof *key);
        ordered->version++;
        return true;
    }
    if (!is_within(ordered, leaf, key, slot)) {
        move_far(index, entity, key);
        return true;
    }
    uint32_t to = search(ordered, leaf, 0, key, slot);
    to -= to > from;
    *kept = slot_at(number, to);
    if (from < to)
        copy_entries(ordered, 0, leaf, from, leaf, from + 1, to - from);
    else
        copy_entries(ordered, 0, leaf, to + 1, leaf, to, from - to);
    entry = kin__ordered_entry(ordered, leaf, to);
    memcpy(entry, key, ordered->words * sizeof *key);
    entry[ordered->words] = entity;
    ordered->version++;
    return true;
}

// ---- all entries

static void begin(kin__ordered *ordered)
{
    ordered->node_count[0] = ordered->node_count[1] = 0;
    ordered->free_node[0] = ordered->free_node[1] = NONE;
    ordered->height = ordered->count = 0;
    ordered->root = ordered->first = ordered->last = take_node(ordered, 0);
    ordered->version++;
}

void kin__ordered_clear(kin__index *index)
{
    void **blocks = index->blocks.elements;
    for (uint32_t i = 0; i < index->block_count; i++)
        if (blocks[i] != NULL)
            memset(blocks[i], 0, KIN__CHUNK_SLOTS * index->slot_size);
    begin(index->ordered);
}

// ---- memory

// Returns the most leaves that a tree of so many entries can have, and the most inner nodes (invariant 2).
static uint32_t most_leaves(uint32_t count)
{
    return kin__max_32(count / KIN__ORDERED_FEW, 1);
}

static uint32_t most_inner(uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t nodes = most_leaves(count); nodes > 1; sum += nodes)
        nodes = kin__max_32(nodes / KIN__ORDERED_FEW, 1);
    return sum;
}

bool kin__ordered_reserve(kin__memory *memory, kin__index *index, uint32_t count)
{
    kin__ordered *ordered = index->ordered;
    uint32_t capacity = ordered->nodes[0].capacity;
    bool reserved =
        kin__array_reserve(memory, &ordered->nodes[0], most_leaves(count), kin__ordered_node_size(ordered, false)) &&
        kin__array_reserve(memory, &ordered->nodes[1], most_inner(count), kin__ordered_node_size(ordered, true));
    ordered->version += ordered->nodes[0].capacity != capacity; // walks know the places of leaves
    return reserved;
}

bool kin__ordered_make(kin__memory *memory, kin__index *index, uint32_t words)
{
    kin__ordered *ordered = kin__allocate_zero(memory, sizeof *ordered);
    if (ordered == NULL)
        return false;
    ordered->words = words;
    index->ordered = ordered;
    if (!kin__ordered_reserve(memory, index, 0))
        return false;
    begin(ordered);
    return true;
}

void kin__ordered_release(kin__memory *memory, kin__index *index)
{
    kin__ordered *ordered = index->ordered;
    if (ordered == NULL)
        return;
    kin__array_release(memory, &ordered->nodes[0], kin__ordered_node_size(ordered, false));
    kin__array_release(memory, &ordered->nodes[1], kin__ordered_node_size(ordered, true));
    kin__release(memory, ordered, sizeof *ordered);
    index->ordered = NULL;
}

// Returns how many nodes a level gets that has so many entries, so that none has too few.
static uint32_t nodes_for(uint32_t count)
{
    return count <= KIN__ORDERED_MANY ? 1 : (count + FILLED - 1) / FILLED;
}

// Fills the leaves of an empty tree with the entries of another, in order.
static void copy_leaves(const kin__index *index, const kin__ordered *from)
{
    kin__ordered *to = index->ordered;
    uint32_t nodes = nodes_for(from->count);
    const node *source = node_at(from, 0, from->first);
    uint32_t at = 0;
    for (uint32_t i = 0, left = from->count; i < nodes; i++) {
        uint32_t number = i == 0 ? to->first : take_node(to, 0);
        if (i > 0)
            link_leaf(to, number - 1, number);
        node *leaf = node_at(to, 0, number);
        for (uint32_t wanted = left / (nodes - i); leaf->count < wanted; leaf->count++, left--) {
            if (at == source->count) {
                source = node_at(from, 0, source->next);
                at = 0;
            }
            copy_entries(from, 0, leaf, leaf->count, source, at++, 1);
        }
        adopt(index, 0, number, 0, leaf->count);
    }
    to->count = from->count;
}

// Puts levels above the leaves, whose numbers begin at 0 in order.
static void build_levels(const kin__index *index)
{
    kin__ordered *ordered = index->ordered;
    uint32_t first = 0;
    uint32_t below = ordered->node_count[0];
    while (below > 1) {
        uint32_t nodes = nodes_for(below);
        uint32_t level = ++ordered->height;
        uint32_t first_made = ordered->node_count[1];
        for (uint32_t i = 0; i < nodes; i++) {
            node *inner = node_at(ordered, level, take_node(ordered, level));
            uint32_t wanted = below / (nodes - i);
            for (; inner->count < wanted; below--) {
                uint32_t at = inner->count++;
                children_of(ordered, inner)[at] = child_of(first, 0);
                refresh_child(ordered, level, inner, at);
                memcpy(kin__ordered_entry(ordered, inner, at), node_at(ordered, level - 1, first++)->entries,
                       (ordered->words + 1) * sizeof(uint64_t));
            }
            adopt(index, level, first_made + i, 0, inner->count);
        }
        first = first_made;
        below = nodes;
        ordered->root = first;
    }
}

void kin__ordered_trim(kin__memory *memory, kin__index *index, uint32_t count)
{
    kin__ordered old = *index->ordered;
    if (most_leaves(count) > old.nodes[0].capacity / 2)
        return;
    *index->ordered = (kin__ordered){.words = old.words, .version = old.version};
    if (!kin__ordered_reserve(memory, index, count)) {
        kin__array_release(memory, &index->ordered->nodes[0], kin__ordered_node_size(&old, false));
        *index->ordered = old;
        return;
    }
    begin(index->ordered);
    copy_leaves(index, &old);
    build_levels(index);
    kin__array_release(memory, &old.nodes[0], kin__ordered_node_size(&old, false));
    kin__array_release(memory, &old.nodes[1], kin__ordered_node_size(&old, true));
}

size_t kin__ordered_used(const kin__ordered *ordered)
{
    size_t size = sizeof *ordered;
    for (uint32_t is_inner = 0; is_inner < 2; is_inner++) {
        uint32_t used = ordered->node_count[is_inner];
        for (uint32_t number = ordered->free_node[is_inner]; number != NONE; used--)
            number = node_at(ordered, is_inner, number)->next;
        size += used * kin__ordered_node_size(ordered, is_inner);
    }
    return size;
}

// ---- validation

// A walk over a tree that checks it: the leaf that comes next, and the last entry.
typedef struct check {
    const kin__index *index;
    uint32_t leaf, count;
    const uint64_t *last;
} check;

// Checks that an entry is above the last one, or equal to it where that is a lower bound.
static bool follows(check *check, const uint64_t *entry, bool may_equal)
{
    uint32_t words = check->index->ordered->words;
    uint64_t slot = entry[words] & SLOT_MASK;
    bool is_valid = check->last == NULL || is_below(check->last, entry, slot + may_equal, words);
    check->last = entry;
    return is_valid;
}

static bool is_leaf_valid(check *check, uint32_t number)
{
    const kin__ordered *ordered = check->index->ordered;
    const node *leaf = node_at(ordered, 0, number);
    bool is_linked = leaf->next == NONE ? ordered->last == number : node_at(ordered, 0, leaf->next)->previous == number;
    if (number != check->leaf || !is_linked)
        return false;
    for (uint32_t i = 0; i < leaf->count; i++) {
        const uint64_t *entry = kin__ordered_entry(ordered, leaf, i);
        if (!follows(check, entry, i == 0) || leaf_of(*slot_of(check->index, entry[ordered->words])) != number)
            return false;
    }
    check->leaf = leaf->next;
    check->count += leaf->count;
    return true;
}

// As deep as the tree.
static bool is_node_valid(check *check, uint32_t level, uint32_t number, uint32_t parent)
{
    const kin__ordered *ordered = check->index->ordered;
    const node *at = node_at(ordered, level, number);
    uint32_t least = parent != NONE ? KIN__ORDERED_FEW : (level > 0 ? 2 : 0);
    if (at->parent != parent || at->count < least || at->count > KIN__ORDERED_MANY)
        return false;
    if (level == 0)
        return is_leaf_valid(check, number);
    for (uint32_t i = 0; i < at->count; i++) {
        uint64_t child = children_of(ordered, at)[i];
        uint32_t before = check->count;
        if (i > 0 && !follows(check, kin__ordered_entry(ordered, at, i), false))
            return false;
        if (!is_node_valid(check, level - 1, (uint32_t)child, number) || check->count - before != child >> 32)
            return false;
    }
    return true;
}

bool kin__ordered_is_valid(const kin__index *index, uint32_t count)
{
    const kin__ordered *ordered = index->ordered;
    check check = {.index = index, .leaf = ordered->first};
    return is_node_valid(&check, ordered->height, ordered->root, NONE) && check.count == ordered->count &&
           check.leaf == NONE && count >= ordered->count && most_leaves(count) <= ordered->nodes[0].capacity &&
           most_inner(count) <= ordered->nodes[1].capacity;
}
