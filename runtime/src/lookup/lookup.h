// lookup: the entities that one finds: indices, relations, groups, and groups in the order of trees
//
// Owns, for each index, the table from keys to entities; for each relation, the lists of the entities that name one
// target; and the caches of groups. Every change of a component updates indices and relations. Members of groups are
// not stored: they are computed from the bits of the chunks, and caches are checked by a stamp.
//
// Cycle: given_keys.c, grid.c, index.c, index_list.c, index_make.c and ordered.c. An index is changed by its kind.
#ifndef KIN_SRC_LOOKUP_H
#define KIN_SRC_LOOKUP_H

#include "notify/notify.h"

#include <kin/generated/index.h>
#include <kin/generated/iterator.h>
#include <kin/generated/relation.h>
#include <kin/generated/tree.h>
#include <kin/inventory.h>

// Tables: hash tables from words to values, with open addressing and linear probing.
//
//   entries   [ . | w v | w v | . | w v | . | . | . ]      value 0: free; the place of a word is its hash
//
// Several entries may have one word: the index compares keys. To erase an entry moves later ones up, so there are no
// tombstones, and erasing needs no memory.
//
// Invariants, checked by kin__table_is_valid():
//   1. the number of places is a power of two, and at least twice the number of entries
//   2. between an entry and the place of its word no place is free
//   3. `count` is the number of entries
//
// Cost: inserting, erasing and finding are constant on average; reserving may move all entries.

// Returns an empty table without memory. Reserve before the first lookup.
kin__table kin__table_begin(const uint64_t *factors);

// Reserves room for `least` entries; allocates even for 0. False, with nothing changed, when out of memory.
bool kin__table_reserve(kin__memory *memory, kin__table *table, uint32_t least);
void kin__table_release(kin__memory *memory, kin__table *table);

// Inserts an entry, for which room is reserved. `value` is not 0.
void kin__table_insert(kin__table *table, uint64_t word, uint64_t value);

// Erases the entry with this word and value, which exists.
void kin__table_erase(kin__table *table, uint64_t word, uint64_t value);

// Removes all entries.
void kin__table_clear(kin__table *table);

bool kin__table_is_valid(const kin__table *table);

// Keys: the fields of an entity's components that an index reads, as bytes (kin/generated/index.h).
//
//   key    [ leaf | leaf | leaf ]       a leaf: a field, or a field of a struct in it, that is not a struct itself
//   word   the key itself, if it has at most 8 bytes and no strings; else its hash
//
// The leaves are listed when the context is made, so that reading a key is a walk over a flat list. A change is checked
// before it is made; so the new values are passed beside those of the entity.
//
// A string of any length is a pointer in the key, valid as long as the value that it was read from. So no index keeps
// such a key: it compares with the components of the entity that has the word.
//
// Invariants:
//   1. the sizes of the leaves add up to the size of the key
//   2. a key that is in an index, or is looked up, has no string that is NULL
//
// Cost: reading and comparing are linear in the leaves, hashing in the bytes; only kin__key_copy allocates.

typedef enum kin__leaf_kind {
    KIN__LEAF_BYTES,
    KIN__LEAF_FLOAT,
    KIN__LEAF_DOUBLE,
    KIN__LEAF_TEXT,
    KIN__LEAF_STRING
} kin__leaf_kind;

typedef struct kin__leaf {
    kin_component_id component;
    uint8_t type;       // kin_type
    bool is_descending; // in an ordered index
    kin__leaf_kind kind;
    size_t offset; // in the component's value
    size_t size;   // in the key
} kin__leaf;

typedef struct kin__index kin__index;

typedef struct kin__item {
    kin_component_id id;
    const void *value; // NULL for a flag
} kin__item;

// Values that are about to replace those of an entity's components: one, whose `value` may be NULL for none, and
// others.
typedef struct kin__new_values {
    kin_component_id id;
    const void *value;
    const kin__item *items;
    uint32_t item_count;
} kin__new_values;

// Returns the number of leaves of a key; and writes them. If a function gives the keys, those of the key's type.
uint32_t kin__key_count_leaves(const kin_index_info *info);
void kin__key_list_leaves(const kin_index_info *info, kin__leaf *leaves);

// Returns the key of the entity in the slot with the new values, in `bytes`. It is none (is_none) if it has a NaN or a
// string that is NULL.
kin__key kin__key_read(const kin_context *context, uint32_t slot, const kin__index *index, kin__new_values new_values,
                       unsigned char *bytes);

// Writes the key that a function has given as `value`, a value of the key's type; and the value that makes a key.
void kin__key_of_value(const kin__index *index, const void *value, unsigned char *bytes);
void kin__key_to_value(const kin__index *index, const unsigned char *bytes, void *value);

// Returns the word of a key.
uint64_t kin__key_word(const kin_context *context, const kin__index *index, const unsigned char *bytes);

bool kin__keys_are_equal(const kin__index *index, const unsigned char *a, const unsigned char *b);

// Ordered keys: the words of a key of an ordered index. Comparing two keys word by word orders their entities. A leaf
// has as many bits as its type, the first leaf the highest ones: numbers are shifted to be unsigned, NaN is above all
// numbers, -0 is 0; entities count by their slots. A string has up to KIN__ORDERED_STRING bytes, its first ones and one
// that says whether there are more; NULL counts as the empty string. A descending leaf has all its bits inverted.
enum { KIN__ORDERED_STRING = 64 };

// Returns how many words the ordered keys of an index have; writes that of the entity in the slot with the new values;
// and the key that a look-up names, whose `parts` are the address of a value for each field of the key, of a
// `const char *` for a string.
uint32_t kin__key_count_words(const kin__index *index);
void kin__key_order(const kin_context *context, uint32_t slot, const kin__index *index, kin__new_values new_values,
                    uint64_t *words);
void kin__key_order_parts(const kin__index *index, const void *const *parts, uint64_t *words);

// Whether the components of the entity in the slot make the key.
bool kin__key_is_of_slot(const kin_context *context, uint32_t slot, const kin__index *index,
                         const unsigned char *bytes);

// Returns a copy of a key, followed by copies of its strings, in one block of `*size` bytes that the caller frees. NULL
// without memory.
unsigned char *kin__key_copy(kin__memory *memory, const kin__index *index, const unsigned char *bytes, size_t *size);

// Returns the hash of a key. The caller leaves out zeros at its end. `factors` are those of the context.
uint64_t kin__key_hash(const uint64_t *factors, const void *bytes, size_t size);

// Writes a key for a message, shortened to `size` bytes: `"bob"`, `(3, -1)`.
void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info,
                       kin__new_values new_values, char *text, size_t size);

// The same for a value of the key's type that a function has given.
void kin__key_describe_value(const kin_index_info *info, const void *value, char *text, size_t size);

// Indices: entities by key. An entity is in an index while it matches, under the key that its components make.
//
//   primary   word → entity                              index.c; a key longer than a word is kept by slot and compared
//   strings   word → entity or node                      key.c compares with the components of the entity; if
//                                                        the key is one string, a prefix of it is kept by slot
//   multi     word → node → slot → slot → …              index_list.c: a node for each key, its entities as a list
//   plain     a primary or multi index over one short field   the fast path of most changes
//   given     word → node → kept key → kept key → …      a function gives the keys, several for an entity
//
// A change is a step: kin__indices_check refuses it before the first write, kin__indices_update makes it before the
// first listener is called. A potential member is an entity that matches, or will after losing components: memory for
// it is reserved with the last addition that makes it one. So removals need none. A node whose array was returned to
// the caller is pinned: it stays until it is looked up again with no entities, and needs room in addition to that of
// the potential members.
//
// Invariants, checked by kin__indices_are_valid():
//   1. an entity is in an index exactly while it matches, under the key that its components make, unless a string of
//      the key is NULL, or a number that a file had is a NaN; under its kept keys if a function gives them
//   2. no other keys are in the index
//   3. `potential` counts the potential members, or their kept keys, and there is room for all of them
//   4. a key has at most one entity in a primary index; the table has at most one entry for each potential member and
//      for each pinned node
//
// Cost: a step reads and looks up one key for each index of the component; finding is a hash lookup; the array of a
// multi index is made again after a change of its key.

enum { KIN__STRING_PREFIX = 16 }; // bytes kept of a string that is the whole key

// One key of a multi index. Entities are linked through their slots; slots and nodes are counted from 1 here.
typedef struct kin__key_node {
    uint64_t word;
    uint32_t first, count;
    uint32_t next_free;
    uint32_t listed;
    bool is_pinned; // its array was returned to the caller, and must stay
    bool is_stale;  // the array differs from the list
    kin__array list;
    unsigned char *key; // with strings, of a pinned node: a copy, for the time when no entity has the key
    size_t key_size;
} kin__key_node;

typedef struct kin__link {
    uint32_t node, next, previous; // 0: none
} kin__link;

struct kin__index {
    const kin_index_info *info;
    const struct kin__index_kind *kind;
    uint32_t number;
    kin_matcher matcher; // normal
    kin__leaf *leaves;
    uint32_t leaf_count;
    size_t key_size;
    bool has_strings;       // the key has strings of any length
    bool is_plain;          //
    unsigned char *keys[2]; // of a step: before and after
    uint32_t potential;
    size_t slot_size;  // bytes for each slot: a key longer than a word, the prefix of a string, or a link
    kin__array blocks; // by chunk; NULL: no entity needs it
    uint32_t block_count;
    kin__array nodes, node_keys; // of a multi index
    uint32_t node_count, free_node, pinned_count;
    kin__array marks;              // a bit a slot, for sorting; all zero
    struct kin__given_keys *given; // NULL: fields make the key
    struct kin__ordered *ordered;  // NULL: not an ordered index
    struct kin__grid *grid;        // NULL: not a grid
    uint32_t marked;               // slots that a restore has marked in `marks`
    bool fills;                    // the restore that is under way has cleared the index
};

typedef struct kin__indices {
    kin__index *indices;
    uint32_t *first;   // by component: where its numbers begin
    uint32_t *numbers; // of the indices that name it
    size_t number_count;
    uint64_t *rows; // of a step: before and after
} kin__indices;

typedef enum kin__step_kind { KIN__STEP_ADD, KIN__STEP_REPLACE, KIN__STEP_REMOVE } kin__step_kind;

// A change of one component that is about to be made. `entity` 0 is a new entity without other components.
typedef struct kin__step {
    kin__step_kind kind;
    kin_entity entity;
    kin_component_id id;
    const void *value; // NULL for a remove and for a flag
} kin__step;

// A kind of index: how its indices keep keys, as one table of functions. What is the same for all kinds is in index.c
// and index_make.c: which indices a change concerns, potential members, and what a restore marks.
//
//   kin__hash_index    fields make the keys, in a hash table    index.c, index_make.c, index_list.c
//   kin__given_index   a function gives the keys                given_keys.c, index_list.c
//   kin__ordered_index fields make the keys, in order           ordered.c, ordered_tree.c
//   kin__grid_index    fields are a point, in a cell            grid.c, grid_walk.c
//
// Steps of a plain index, which is a hash index, do not ask the table (see below).
typedef struct kin__index_kind {
    // Makes and releases what the index keeps; its leaves are listed. False when out of memory: released by the caller.
    bool (*make)(kin_context *context, kin__index *index);
    void (*release)(kin_context *context, kin__index *index);

    // Whether the step can be made, as kin__indices_check. Sets `*other` to the entity that has the key. NULL: every
    // step can, and so can every spawn and clone.
    kin_status (*check)(const kin_context *context, const kin__index *index, const kin__step *step, kin_entity *other);

    // Reserve room for `count` more potential members in the chunk of the slot; and for a replace or a touch of a
    // component of the key, NULL if it needs none. False when out of memory.
    bool (*reserve)(kin_context *context, kin__index *index, uint32_t slot, uint32_t count);
    bool (*reserve_replacement)(kin_context *context, kin__index *index, uint32_t slot);

    // Follows a step that can change the key or the match, and counts potential members. It cannot fail.
    void (*update)(kin_context *context, kin__index *index, const kin__step *step);

    // Removes a potential member that has, or had, the components of the row; its values are still in place. Inserts an
    // entity that matches and is counted; NULL for a kind that a restore always fills.
    void (*remove)(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row);
    void (*insert)(kin_context *context, kin__index *index, kin_entity entity);

    // Follows values that were written in place; returns how many entities were moved. NULL for a kind whose keys are
    // const there.
    uint32_t (*refresh)(kin_context *context, kin__index *index);

    // For a restore (see below): reserve room for the snapshot, forget all entities, and insert and count all that
    // match. `saved` is where the snapshot has what `save` wrote, and is moved past it; NULL: it has nothing. `save`
    // returns its bytes and writes them unless `bytes` is NULL; NULL for a kind that entities determine.
    bool (*restore_reserve)(kin_context *context, kin__index *index, const uint32_t *holders,
                            const unsigned char **saved);
    void (*clear)(kin_context *context, kin__index *index);
    void (*fill)(kin_context *context, kin__index *index, const unsigned char **saved);
    size_t (*save)(const kin__index *index, unsigned char *bytes);

    // Returns the number of entries, and visits them (kin/inventory.h).
    uint32_t (*count)(const kin_context *context, const kin__index *index);
    void (*walk)(const kin_context *context, const kin__index *index, kin_index_visitor *visit, void *user);

    // Gives back memory that potential members do not need; returns the bytes in use beside those of every index; and
    // checks the invariants of the kind.
    void (*trim)(kin_context *context, kin__index *index);
    size_t (*used)(const kin_context *context, const kin__index *index);
    bool (*is_valid)(const kin_context *context, const kin__index *index);
} kin__index_kind;

extern const kin__index_kind kin__hash_index, kin__given_index, kin__ordered_index, kin__grid_index;

// Makes all indices of the context, and watches the components that they name. False when out of memory.
bool kin__indices_make(kin_context *context);
void kin__indices_release(kin_context *context);

// Whether the step can be made: KIN_OK, KIN_ERROR_DUPLICATE_KEY or KIN_ERROR_INVALID. The second function reports why
// not: `verb` as in kin__attempt, `is_unique` for a call that names no entity.
kin_status kin__indices_check(const kin_context *context, const kin__step *step);
kin_status kin__indices_report_error(const kin_context *context, const kin__step *step, const char *verb,
                                     bool is_unique);

// Writes the reason why kin__indices_check has refused the step, and returns its status.
enum { KIN__KEY_REASON_SIZE = 400 };
kin_status kin__indices_describe(const kin_context *context, const kin__step *step, char reason[KIN__KEY_REASON_SIZE]);

// Reserves room for adding the component to `count` entities in the slot's chunk, for each index that needs the
// component. False when out of memory.
bool kin__indices_reserve(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count);

// Reserves what a replace or a touch of the component can need: room for the keys that functions give. False when out
// of memory.
bool kin__indices_reserve_replacement(kin_context *context, uint32_t slot, kin_component_id id);

// Whether the component has indices, and a replace or a touch needs room in none of them.
bool kin__indices_replace_in_place(const kin_context *context, kin_component_id id);

// Updates the indices for a step that was checked and is not yet written.
void kin__indices_update(kin_context *context, const kin__step *step);

// Erases the keys of a dead entity. `lost` is the row that it had; its values are still in place.
void kin__indices_remove_entity(kin_context *context, kin_entity entity, const uint64_t *lost);

// Returns how many indices an entity with the components of the row is in, or would be after losing some.
uint32_t kin__indices_count_reached(const kin_context *context, const uint64_t *row);

// Whether a field of the component is a primary index, so that a clone does not get it; and the custom primary index
// that has a key of the source and so forbids clones, NULL if none does.
bool kin__indices_have_primary(const kin_context *context, kin_component_id id);
const kin_index_info *kin__indices_find_clone_conflict(const kin_context *context, kin_entity source);

// Whether a new entity can get the cloned components with the source's values, one by one in ascending order of id:
// KIN_OK; or KIN_ERROR_DUPLICATE_KEY or KIN_ERROR_INVALID with the component that cannot be added in `*at`.
typedef bool kin__is_cloned(const kin_context *context, uint32_t id);
kin_status kin__indices_check_clone(const kin_context *context, kin_entity source, kin__is_cloned *is_cloned,
                                    kin_component_id *at);

// Puts the entities of grids in order, so that look-ups change nothing. (grid.c)
void kin__grids_sort(kin_context *context);

// Gives back memory beyond what invariant 3 requires.
void kin__indices_trim(kin_context *context);

// Returns the bytes in use: of the keys, and the fixed part.
size_t kin__indices_used(const kin_context *context);

bool kin__indices_are_valid(const kin_context *context);

// ---- between the parts of indices

// Runs the following block for each index that names a component, in order of number.
#define EACH_INDEX_OF(index, context, id)                                                                              \
    for (uint32_t at_ = (context)->core->indices->first[id]; at_ < (context)->core->indices->first[(id) + 1]; at_++)   \
        for (kin__index *index = &(context)->core->indices->indices[(context)->core->indices->numbers[at_]];           \
             index != NULL; index = NULL)

static inline kin__table *kin__index_table(const kin_context *context, const kin__index *index)
{
    return &context->tables[index->number];
}

// Returns what is kept for a slot. Its chunk has a block.
static inline void *kin__index_slot_data(const kin__index *index, uint32_t slot)
{
    char *const *blocks = index->blocks.elements;
    KIN_ASSERT(slot / KIN__CHUNK_SLOTS < index->block_count && blocks[slot / KIN__CHUNK_SLOTS] != NULL);
    return blocks[slot / KIN__CHUNK_SLOTS] + slot % KIN__CHUNK_SLOTS * index->slot_size;
}

// Whether something is kept for the slots of a chunk.
static inline bool kin__index_has_block(const kin__index *index, uint32_t slot)
{
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    return number < index->block_count && ((void *const *)index->blocks.elements)[number] != NULL;
}

// The rows of an entity before and after a step.
typedef struct kin__step_rows {
    const uint64_t *before, *after;
} kin__step_rows;

static inline bool kin__index_holds(const kin_context *context, const kin__index *index, const uint64_t *row)
{
    return kin__matcher_holds(&index->matcher, row, context->row_words);
}

// Whether an entity with these components counts as a potential member.
static inline bool kin__index_may_hold(const kin__index *index, const uint64_t *row)
{
    return kin__matcher_may_hold(&index->matcher, row);
}

// Whether the key has a field of the component, or the function that gives the keys reads it.
static inline bool kin__index_is_key(const kin__index *index, kin_component_id id)
{
    for (uint32_t i = 0; i < index->info->key_count; i++)
        if (index->info->key[i].component == id)
            return true;
    for (uint32_t i = 0; i < index->info->of_count; i++)
        if (index->info->of[i] == id)
            return true;
    return false;
}

// Returns the rows of the entity of a step, in memory of the indices.
kin__step_rows kin__index_step_rows(const kin_context *context, const kin__step *step);

// Writes the key of a refused step for its message, and the reason of KIN_ERROR_INVALID.
void kin__index_describe_key(const kin_context *context, uint32_t slot, const kin__index *index,
                             kin__new_values new_values, char *text, size_t size);
void kin__index_describe_invalid(const kin__index *index, const char *key, char *reason, size_t size);

// Writes the reason of KIN_ERROR_DUPLICATE_KEY: the entity that has the key, and whether `off` switches it off, so that
// look-ups leave it out.
void kin__index_describe_taken(const kin_context *context, const kin__index *index, kin_entity holder, const char *key,
                               char *reason, size_t size);

// Inserts a living entity with this row, and removes one, as a potential member and under its keys. Room is reserved.
// Insert is not for an index that a restore always fills. (index.c)
void kin__index_insert_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row);
void kin__index_remove_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row);

// What the table of the hash index has in index_make.c; those of given keys, and of other kinds, call some of them.
bool kin__hash_make(kin_context *context, kin__index *index);
void kin__hash_release(kin_context *context, kin__index *index);
bool kin__hash_reserve(kin_context *context, kin__index *index, uint32_t slot, uint32_t count);
bool kin__hash_restore_reserve(kin_context *context, kin__index *index, const uint32_t *holders,
                               const unsigned char **saved);
void kin__hash_clear(kin_context *context, kin__index *index);
void kin__hash_trim(kin_context *context, kin__index *index);
size_t kin__hash_used(const kin_context *context, const kin__index *index);

// Reserve what is kept for the slots of a chunk, and of all chunks that have the first component of the key; false when
// out of memory. Trim frees what is kept for chunks in which no entity has it. (index_make.c)
bool kin__index_reserve_block(kin_context *context, kin__index *index, uint32_t slot);
bool kin__index_reserve_blocks(kin_context *context, kin__index *index);
void kin__index_trim_blocks(kin_context *context, kin__index *index);

// Reserves what a restore marks. False when out of memory. (index_make.c)
bool kin__index_reserve_marks(kin_context *context, kin__index *index);

// Trims the table and the lists to the potential members. Whether table and lists are valid; visits the lists. The last
// two are in index.c.
void kin__hash_trim_table(kin_context *context, kin__index *index);
bool kin__hash_table_is_valid(const kin_context *context, const kin__index *index);
void kin__lists_walk(const kin_context *context, const kin__index *index, kin_index_visitor *visit, void *user);

// Inserts and counts all entities that match. (index_make.c)
void kin__index_fill(kin_context *context, kin__index *index, const unsigned char **saved);

// ---- lists: of a multi index, and of kept keys. `at` is a slot, or the number of a kept key, counted from 0

// Makes room for `least` nodes. Returns false when out of memory.
bool kin__list_reserve(kin_context *context, kin__index *index, uint32_t least);

// Inserts under a key, or under the word that is the whole key; erases; and returns whether the list of a key has the
// slot or kept key.
void kin__list_insert(kin_context *context, kin__index *index, uint32_t at, const unsigned char *key);
void kin__list_insert_word(kin_context *context, kin__index *index, uint32_t at, uint64_t word);
void kin__list_erase(kin_context *context, kin__index *index, uint32_t at);
bool kin__list_has(const kin_context *context, const kin__index *index, uint32_t at, const unsigned char *key);

// Returns the word of the key under which the slot or kept key is.
uint64_t kin__list_word(const kin__index *index, uint32_t at);

// Returns an entity under the key other than `except`; 0 if there is none.
kin_entity kin__list_find(const kin_context *context, const kin__index *index, const unsigned char *key,
                          kin_entity except);

// Returns the node of a key; NULL if there is none. It may have no entities.
const kin__key_node *kin__list_node(const kin_context *context, const kin__index *index, const unsigned char *key);

// Removes all entities. The arrays of pinned nodes stay.
void kin__list_clear(kin_context *context, kin__index *index);

// Sorts all lists by slot. (index_list.c)
void kin__lists_sort(const kin__index *index);

// Returns the length of the list that begins with the slot or kept key; 0 if none does. (index_list.c)
uint32_t kin__list_length_from(const kin__index *index, uint32_t at);

// Returns the total length of all lists.
uint32_t kin__list_count(const kin__index *index);
bool kin__list_is_valid(const kin_context *context, const kin__index *index);

// Returns the slot or kept key after `at` in its list; KIN__NO_SLOT if there is none.
uint32_t kin__list_next(const kin__index *index, uint32_t at);

void kin__list_trim(kin_context *context, kin__index *index);
size_t kin__list_used(const kin__index *index);
void kin__list_release(kin_context *context, kin__index *index);

// Given keys: the keys that a C function of the program gives the entities of an index, none to KIN_INDEX_KEYS each.
//
//   first_kept   slot → kept key → kept key → …                     the keys of an entity
//   blocks       [ node, next, previous | slot, next | key ] …      kept keys, numbered from 1; free ones are linked
//   lists        word → node → kept key → kept key → …              index_list.c: the keys of entities that match
//
// A key is kept from the change that made the entity a potential member, or that replaced or touched a component that
// the function reads, until the next such change. So what enters and leaves the lists is what the function gave then: a
// value that is edited in place has no effect before it is touched, and neither does a function that gives other keys
// for equal values. A primary index uses the same lists, with one entity in each.
//
// Invariants, checked by kin__given_keys_are_valid():
//   1. a potential member has its kept keys, all different; other slots have none
//   2. a kept key is in a list exactly while its entity matches
//   3. `potential` of the index counts the kept keys, and blocks, nodes and table have room for all of them
//
// Cost: a change of a component of `of` calls the function twice, once to check and once to write; each key is a hash
// lookup. Other changes use the kept keys.

// A key that is kept; its bytes follow. The link is that of the lists; its node is 0 while the entity does not match.
typedef struct kin__kept_key {
    kin__link link;
    uint32_t slot;
    uint32_t next; // kept key of the same entity, or free one; 0: none
} kin__kept_key;

typedef struct kin__given_keys {
    const void **arguments; // of the function
    unsigned char *copies;  // of arguments that have no single address
    size_t copies_size;
    unsigned char *values;        // what the function wrote
    unsigned char *keys;          // of kin__given_keys_read
    uint32_t count;               // of them
    const unsigned char *refused; // the key that another entity has; NULL: they are too many
    kin__array first_kept;        // uint32_t by slot; 0: none
    uint32_t kept_count;          // numbers in use, those of free ones included
    uint32_t free_kept;
    uint32_t planned;          // keys of the entities that a call is about to spawn
    kin__array planned_keys;   // they, in a primary index
    kin__table planned_places; // word → number of a planned key, counted from 1
} kin__given_keys;

// Calls the function for the entity in the slot with the new values, and sets `keys` and `count`. Equal keys count
// once.
// Returns whether they are at most KIN_INDEX_KEYS; otherwise there are no keys.
bool kin__given_keys_read(const kin_context *context, const kin__index *index, uint32_t slot,
                          kin__new_values new_values);

// Returns one of the keys that were read.
static inline const unsigned char *kin__given_key(const kin__index *index, uint32_t number)
{
    KIN_ASSERT(number < index->given->count);
    return index->given->keys + number * index->key_size;
}

// Returns an entity other than `entity` that has a key that was read, and records the key as refused; 0 if none has.
kin_entity kin__given_keys_find_other(const kin_context *context, const kin__index *index, kin_entity entity);

// Writes the key that was refused.
void kin__given_keys_describe(const kin__index *index, char *text, size_t size);

// Writes a kept key.
void kin__kept_key_describe(const kin__index *index, const kin__kept_key *kept, char *text, size_t size);

// Reserves room for `count` keys in addition to those kept and to the most that one entity can have. False when out of
// memory.
bool kin__given_keys_reserve(kin_context *context, kin__index *index, uint32_t count);

// Whether the entity in the slot has keys in the index.
bool kin__given_keys_have(const kin__index *index, uint32_t slot);

// Return the numbers of the first kept key of a slot, and of the one after it; KIN__NO_SLOT if there is none.
uint32_t kin__given_keys_first(const kin__index *index, uint32_t slot);
uint32_t kin__given_keys_next(const kin__index *index, uint32_t at);

// Plans the keys that were read, of an entity that the current call is about to spawn, and reserves room for all that
// are planned. False when out of memory. Find: whether a planned entity has a key that was read; records the key as
// refused. End: forgets all that are planned, when they are reserved or the call was refused.
bool kin__given_keys_plan(kin_context *context, kin__index *index);
bool kin__given_keys_find_planned(const kin_context *context, const kin__index *index);
void kin__given_keys_plan_end(kin_context *context, kin__index *index);

// Restoring indices: a restore of a snapshot writes handles, rows and values of slots without a step for each.
// The indices leave what differs before that, and enter it again after it:
//
//   reserve   room for all that will be; the columns of the snapshot exist
//   mark …    which slots will have another entity, row, or value that an index reads
//   leave     takes the marked slots out, by the keys that their entities have now
//             … the caller writes heads and columns …
//   enter     puts them in, by the keys that they have now
//
// An index of which more than an eighth differs is cleared and filled instead. Nodes whose arrays were returned to
// callers stay with their arrays until they are asked for again.
//
// The keys that a function has given are state: the function is not called again where a value was edited in place, and
// a restore calls nobody. So a snapshot has a copy of them, from which the index is filled.
//
// What is found does not depend on what was in an index before, nor does the order of kin_index_walk.
//
// Cost: leaving and entering are a step for every slot that differs; filling visits each entity of the index. An index
// whose keys a function gives is always filled.

// What a snapshot knows of indices. `holders` has for each component how many entities of the snapshot have it; `keys`
// is what kin__given_keys_save wrote; NULL: not known, so the functions are called again.
typedef struct kin__index_plan {
    const uint32_t *holders;
    const void *keys;
} kin__index_plan;

// Whether an index reads values of the component, or its rule names it: then differences of values must be marked.
bool kin__indices_name(const kin_context *context, uint32_t id);

// Reserves room for an index of the snapshot. Call it once all chunks and columns of the snapshot are there. False when
// out of memory; what is found stays the same.
bool kin__indices_restore_reserve(kin_context *context, const kin__index_plan *plan);

// Marks slots of a chunk, for which room was reserved: those that have the component before and after, and whose values
// of it will differ.
void kin__indices_restore_mark(kin_context *context, kin_component_id id, uint32_t chunk,
                               const uint64_t slots[KIN__CHUNK_WORDS]);

// Marks the slots of a chunk that will have another entity or row: its handles, alive bits and rows, each row_words
// long. All NULL: the chunk will have no entities.
void kin__indices_restore_mark_heads(kin_context *context, uint32_t chunk, const kin_entity *ids, const uint64_t *alive,
                                     const uint64_t *rows);

// Before and after heads and columns are written. Neither can fail.
void kin__indices_restore_leave(kin_context *context);
void kin__indices_restore_enter(kin_context *context, const kin__index_plan *plan);

// The keys that functions have given to the entities of all indices: the bytes of their copy, 0 if there are none; and
// the copy, which depends only on the keys. Two copies are equal if the keys are.
size_t kin__given_keys_saved_size(const kin_context *context);
void kin__given_keys_save(const kin_context *context, void *bytes);

// Plain indices: over one field of at most a word, which every entity with the component is in. Most indices are:
// numbers, enums and entities.
//
// The word of a key is read from the value at once, without rows, matchers or keys in memory. An entity that is
// replaced by the same word changes nothing.
//
// Invariants:
//   1. the rules of the index are its component alone, so an entity is in it exactly while it has the component
//   2. the key has one leaf of bytes, so that a NaN or a missing string cannot occur: a step is refused only for a
//      primary key that another entity has
//
// Cost: a table lookup for each new word, and for each old one of a primary index.

// Whether the index is plain. Its leaves are listed.
bool kin__index_find_plain(const kin__index *index);

// Inserts and counts the entities of 64 places that have a bit, which all have the component. Faster than one by one.
void kin__plain_insert_places(kin_context *context, kin__index *index, const kin_entity *ids, uint64_t places);

// Relations: fields that name an entity, the target. The holders of a target, the entities that name it, form a list.
// <kin/generated/relation.h> has their layout.
//
// The links are derived from the fields. A change is a step: kin__relations_check refuses it before the first
// write, or kin__relations_update applies it before the first listener is called. Memory is reserved when a holder is
// added, so that removing and destroying holders needs none.
//
// Invariants, checked by kin__relations_are_valid():
//   1. a holder is in the list of the entity that its field names, and in no other list; in none if the field is 0
//   2. the entity that a field names is alive
//   3. in a tree, no entity is below itself
//   4. `counts` of a block agree with its nodes
//   5. the chunk of an entity with the component has a block
//
// Cost: a step changes up to six links of each relation of the component. In a tree, a new target of an entity with
// holders is checked by a walk to the root. Memory: 20 bytes for each slot of a chunk with a block, and 4 more bytes a
// slot for all relations together.

// A context with relations counts this many extra subscribers of KIN_ENTITY_WILL_BE_DESTROYED, which makes each destroy
// look for holders. So contexts without relations need no additional test.
enum { KIN__RELATIONS_AS_SUBSCRIBERS = 1 };

typedef struct kin__relations {
    uint32_t *first;     // by component: the number of its first relation
    uint64_t simple;     // of the first 64 components: those whose changes write nothing but bits, a value and links
    uint64_t several;    // of the first 64 components: those with several relations
    bool can_refuse;     // a relation keeps its targets from being destroyed
    char *scratch;       // room for one value at each depth of nesting: see kin__relations_scratch
    size_t scratch_size; // of one
    uint64_t restores;   // of snapshots
} kin__relations;

// Makes all relations of the context, and marks their components (KIN__SIDE_EFFECT_RELATION). False when out of memory.
bool kin__relations_make(kin_context *context);
void kin__relations_release(kin_context *context);

// Returns KIN_OK if the step can be made, else KIN_ERROR_NOT_ALIVE or KIN_ERROR_CIRCLE.
kin_status kin__relations_check(const kin_context *context, const kin__step *step);

// Writes the reason why kin__relations_check refuses the step. False if it does not.
enum { KIN__RELATION_REASON_SIZE = 240 };
bool kin__relations_describe(const kin_context *context, const kin__step *step, char reason[KIN__RELATION_REASON_SIZE]);

// Reserve links for holders in the chunk of a slot; and for the targets that a value names. False when out of memory.
bool kin__relations_reserve(kin_context *context, uint32_t slot, kin_component_id id);
bool kin__relations_reserve_targets(kin_context *context, kin_component_id id, const void *value);

// Updates the lists for a step that is checked and reserved, but not yet written.
void kin__relations_update(kin_context *context, const kin__step *step);

// Removes a dead entity, which had the component, from the lists of its targets. Its value must still be in place.
void kin__relations_remove(kin_context *context, uint32_t slot, kin_component_id id);

// Moves a holder before another holder of the same target, or to the end of the list if `before` is 0. Slots are
// counted from 0.
void kin__relation_move(kin_context *context, kin__relation *relation, uint32_t slot, kin_entity before);

void kin__relations_trim(kin_context *context);
size_t kin__relations_used(const kin_context *context);
bool kin__relations_are_valid(const kin_context *context);

// ---- lists

static inline kin__relation *kin__relation_at(const kin_context *context, uint32_t number)
{
    KIN_ASSERT(number < context->info->relation_count);
    return &context->relations[number];
}

// Returns the slot of a node.
static inline uint32_t kin__relation_slot_of(uint32_t node)
{
    return node / (2 * KIN__CHUNK_SLOTS) * KIN__CHUNK_SLOTS + node % KIN__CHUNK_SLOTS;
}

// Returns the holder with a node; 0 for the node of a target, which ends its list, and for KIN__NO_NODE.
static inline kin_entity kin__relation_holder_of(const kin_context *context, uint32_t node)
{
    uint32_t chunk = node / (2 * KIN__CHUNK_SLOTS);
    uint32_t place = node % KIN__CHUNK_SLOTS;
    return kin__is_holder_node(node) ? context->chunks[chunk]->ids[place] : 0;
}

// Return the first and the last holder of the entity in a slot; 0 if it has none.
static inline kin_entity kin__relation_first_of(const kin_context *context, const kin__relation *relation,
                                                uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    return block == NULL
               ? 0
               : kin__relation_holder_of(context, block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].next);
}

static inline kin_entity kin__relation_last_of(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    return block == NULL
               ? 0
               : kin__relation_holder_of(context, block->nodes[KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS].previous);
}

// Return the next and the previous holder of the same target; 0 at the end of the list.
static inline kin_entity kin__relation_next_of(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return block == NULL ? 0 : kin__relation_holder_of(context, block->nodes[place].next);
}

static inline kin_entity kin__relation_previous_of(const kin_context *context, const kin__relation *relation,
                                                   uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return block == NULL ? 0 : kin__relation_holder_of(context, block->nodes[place].previous);
}

// Returns the entity that a holder names: 0 if it names none or lacks the component.
kin_entity kin__relation_target(const kin_context *context, const kin__relation *relation, kin_entity holder);

static inline bool kin__relation_has_holders(const kin__relation *relation, uint32_t slot)
{
    const kin__relation_block *block = kin__relation_block_of(relation, slot);
    return block != NULL && block->counts[slot % KIN__CHUNK_SLOTS] > 0;
}

// Returns whether an entity names the one in a slot, in any relation.
static inline bool kin__has_holders(const kin_context *context, uint32_t slot)
{
    const kin__relation *end = context->relations + context->info->relation_count;
    for (const kin__relation *relation = context->relations; relation < end; relation++)
        if (kin__relation_has_holders(relation, slot))
            return true;
    return false;
}

// Returns the entity that a value of the component names.
static inline kin_entity kin__relation_named(const kin__relation *relation, const void *value)
{
    kin_entity target;
    memcpy(&target, (const char *)value + relation->offset, sizeof target);
    return target;
}

// Returns the entity that the living entity in a slot names; 0 if it names none or lacks the component.
static inline kin_entity kin__relation_target_of_slot(const kin_context *context, const kin__relation *relation,
                                                      uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    if (!relation->is_plain)
        return kin__relation_target(context, relation, chunk->ids[place]);
    const kin__column *column = kin__column_of(context, slot, relation->component);
    return kin__column_has(column, place)
               ? kin__relation_named(relation, kin__column_value(column, place, relation->size))
               : 0;
}

// Returns whether the ancestor is the entity itself, its target, the target of its target, and so on. Both must be
// alive.
static inline bool kin__relation_is_below(const kin_context *context, const kin__relation *relation, kin_entity entity,
                                          kin_entity ancestor)
{
    while (entity != ancestor) {
        entity = kin__relation_target_of_slot(context, relation, kin_entity_slot(entity));
        if (entity == 0)
            return false;
    }
    return true;
}

// Returns room for a value of any component with a relation, for the current change. Valid until the next change at the
// same depth of nesting.
static inline void *kin__relations_scratch(const kin_context *context)
{
    const kin__relations *relations = context->core->relations;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH);
    return relations->scratch + context->depth * relations->scratch_size;
}

// Restoring relations. The order of the holders of a target is state that no field has, so snapshots save the links of
// each chunk. The block of a chunk (kin__relation_block: nodes and counts) contains all of them. It has no padding, no
// addresses and no uninitialized bytes, so blocks are equal if their bytes are.
//
//   save      for each relation and chunk: the bytes of kin__relation_saved_block; nothing if it returns NULL
//   restore   kin__relations_restore_reserve for each chunk that has a saved block; may fail
//             kin__relations_restore_block for each relation and each chunk; cannot fail
//             kin__relations_restore_end once, so that orders of trees are rebuilt
//
// A block without holders and targets holds no information. It is still saved, as a chunk in which an entity has the
// component must have a block (invariant 5 of relations).

// Returns the block of a chunk; NULL if it has none. Relations are numbered from 0 to info->relation_count - 1.
const kin__relation_block *kin__relation_saved_block(const kin_context *context, uint32_t number, uint32_t chunk);

// Reserves a block, and marks for cascades. The chunk must exist. False when out of memory.
bool kin__relations_restore_reserve(kin_context *context, uint32_t number, uint32_t chunk);

// Restores a saved block; NULL: no entity of the chunk is in a list.
void kin__relations_restore_block(kin_context *context, uint32_t number, uint32_t chunk,
                                  const kin__relation_block *saved);

// Raises `moves` of each relation, so that everything derived from it is out of date.
void kin__relations_restore_end(kin_context *context);

// Groups: one for each matcher that was used, until the context ends.
//
//   core.groups    [ g0 | g1 | g2 | … ]       by number, in order of creation
//   core.buckets   hash → g → g → NULL        by matcher
//
// Members are not stored: the bits of the chunks say which entities match. The count and the array of members are
// cached with the stamp of their time.
//
// Invariants, checked by kin__groups_are_valid():
//   1. a group stands at its number in core.groups, and in the bucket of its hash
//   2. matchers are normalised; no two groups have equal ones
//   3. counted_at and listed_at are a stamp of the past or KIN__NEVER; while the stamp is equal, the cache is correct
//   4. the array in `list` has room for all entities that were returned last
//
// Cost: finding a group is a hash lookup; its stamp a sum over the components that it names; to count or list it a walk
// over the chunks that can have members. After few changes the array is corrected instead.

// Returns the group of a matcher, made if it is missing. It leaves out entities with the flag `off`, unless the matcher
// names it; NULL: none. NULL with the status and the reason of the refusal, which the caller reports.
kin_group *kin__group_find_or_make(kin_context *context, const kin_matcher *matcher, const kin_component_id *off,
                                   kin_status *status, const char **reason);

// Frees the groups from number `count` on. No listener was notified of them, and they have no subscribers.
void kin__groups_truncate(kin_context *context, uint32_t count);

// Returns the sum of the counters of all changes that can change the members. They only grow: if the sum is equal, the
// members are the same.
static inline uint64_t kin__group_stamp(const kin_group *group)
{
    const kin__component *components = group->context->components;
    uint64_t stamp = group->counts_alive ? kin__population_stamp(group->context) : 0;
    for (uint32_t i = 0; i < group->named_count; i++)
        stamp += components[group->named == NULL ? i : group->named[i]].changes;
    return stamp;
}

// Returns whether the group has no members now. Cost: stops at the first member; an empty group is walked once for each
// change of its components.
bool kin__group_is_empty(const kin_group *group);

// ---- picked members (pick.c)
//
// Members of a declared group by its number: those for which its questions hold, in the order of the index with the
// number `order` - 1; 0: by slot.

// Returns whether there are none. Cost: that of kin__group_is_empty; with questions, asks up to the first member.
bool kin__pick_is_empty(const kin_context *context, uint32_t group);

// Writes the members and returns how many they are. There must be room for all entities that match the rules.
uint32_t kin__pick_members(const kin_context *context, uint32_t group, uint32_t order, kin_entity *entities,
                           uint32_t capacity);

// Sorts a copy of the entities, which are distinct, by the index; those that are not in it stay in their order, after
// the others. The copy is in `room`, which has the size that kin__pick_sort_size returns, for each entity.
size_t kin__pick_sort_size(const kin_context *context, uint32_t order);
const kin_entity *kin__pick_sort(const kin_context *context, uint32_t order, const kin_entity *entities, uint32_t count,
                                 void *room);

// Makes the arrays of the declared groups look outdated, so that generated code asks the library for them; and undoes
// that.
void kin__groups_toggle_lists(kin_context *context);

// Reports that a function whose purpose is `verb` was given NULL as the group.
kin_status kin__group_report_null(const char *verb);

// Frees all groups.
void kin__groups_release(kin_context *context);

bool kin__groups_are_valid(const kin_context *context);

// Returns the first chunk, from `number` on, that can have members; the number of chunks if none can.
uint32_t kin__group_find_chunk(const kin_group *group, uint32_t number);

// Returns the place at which an iteration over the chunks from `first` to before `end`, which is not 0, begins.
static inline uint64_t kin__piece_place(uint64_t first, uint64_t end)
{
    return end << KIN__PIECE_SHIFT | first << 32;
}

// Marks: the entities that changed after the last turn of a system with `only: changed`.
//
// Listeners mark the slot of each entity
//
//   that enters the group of the system
//   whose component in `reads` is replaced or touched; added or removed, if members may lack it
//   whose place in the tree changes
//
// Marks of entities that are not members are never read. When memory for a mark runs out, all entities count as
// changed.

typedef struct kin__marks {
    kin__memory *memory;
    kin__array words; // one bit for each slot
    bool has_all;     // all entities count as changed: before the first turn, and when out of memory
    kin_subscription *subscriptions;
    uint32_t subscription_count, capacity;
} kin__marks;

// Orders: the members of a group in the order of a tree, for one system.
//
//   nodes    [ n0 | n1 | n2 | … ]            kin__tree_node, in the order of the turn
//   values   [ n0.local | n0.world | … ]     the addresses of their places, one for each column of the system
//
// At the beginning of a turn, the order is rebuilt if the tree, the members or the chunks have changed. A value
// stays in its place while its entity is a member. An entity that left the group and entered it again during the
// turn may have its values elsewhere: a step after such changes looks the addresses up again. Boxed and shared
// values are reached through their place in the column, as a shared value has another address after each replace.
//
// With `only: changed`, `numbers` has, by slot, the number of each member's node, and `changed` a bit for each node
// that was marked after the last turn. With `order: breadth`, `states` has the state of each node in this turn.
//
// Invariants:
//   1. the `above` of a node comes before the node
//   2. with `order: depth`, the nodes below a node follow it directly; not those of the nodes above all branches, in
//      the order of a parallel system
//   3. `numbers` and `members` have room for the slots of `chunk_count` chunks, all that the context has in a turn
//
// Cost: a turn without changes is a sum over the counters of the group. Making the order visits each slot of the
// context. Memory: 16 bytes a member, and 8 for each column; with `only: changed` 4 more a slot; with `order: breadth`
// 17 more a member, and 8 a slot; for a parallel system 16 more a member, and 4 a slot.

typedef enum kin__node_state {
    KIN__NODE_LEFT_OUT, // not visited; nodes below it are visited only if they have changed
    KIN__NODE_VISITED,
    KIN__NODE_SKIPPED // nodes below it are not visited
} kin__node_state;

typedef struct kin__tree_order {
    const kin__tree_info *info;
    kin_group *group;
    kin__memory *memory;
    kin__array nodes;  // of kin__tree_node
    kin__array values; // of void *
    void **no_values;  // one NULL for each column
    uint32_t count;
    uint64_t stamp, moves; // of the group and the tree when the order was made; KIN__NEVER: not made yet
    uint64_t restores;     // `restores` of kin__relations when it was made: a restore invalidates the order
    uint32_t chunk_count;  // of the context when it was made
    kin__array members;    // bits by slot, while the order is made
    kin__array sorted;     // of kin__tree_node, used with `order: breadth` and for branches
    kin__array starts;     // of uint32_t, by depth, while nodes are sorted
    kin__array numbers;    // of uint32_t, by slot
    kin__array changed;    // bits by node
    kin__array states;     // of uint8_t, by node
    kin__marks marks;
    uint32_t above_count;                  // of a parallel system: the nodes above all branches
    uint32_t piece_count;                  // and its pieces: these nodes, if there are any, are the first one
    uint32_t piece_ends[KIN__MOST_PIECES]; // the number of the node after each
} kin__tree_order;

// Makes an empty order. NULL, not reported, when out of memory.
kin__tree_order *kin__tree_order_create(kin_group *group, const kin__tree_info *info, kin__memory *memory);
void kin__tree_order_destroy(kin__tree_order *order); // NULL is allowed

// Brings the order up to date and reserves room for a turn. False when out of memory: the order is then empty.
bool kin__tree_order_prepare(kin__tree_order *order);

// Begins a turn over a prepared order. The turn visits the members that are marked.
kin__tree_place kin__tree_order_begin(kin__tree_order *order);

// Begins a turn over one piece of a prepared order.
kin__tree_place kin__tree_order_begin_piece(kin__tree_order *order, uint32_t piece);

// Forgets all marks: the next turn visits every member.
void kin__tree_order_reset(kin__tree_order *order);

// The marks as bytes: their size, and a copy. After a restore of the context, they are reserved, which may fail, and
// then put back, which cannot fail. (order.c)
size_t kin__tree_order_saved_size(const kin__tree_order *order);
void kin__tree_order_save(const kin__tree_order *order, void *bytes);
bool kin__tree_order_restore_reserve(kin__tree_order *order, size_t size);
void kin__tree_order_restore(kin__tree_order *order, const void *bytes, size_t size);

#endif
