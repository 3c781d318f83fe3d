// Indices: entities by key. An entity is in an index while it matches, under the key that its components make.
//
//   primary   word → entity                              index.c; a key longer than a word is kept by slot and compared
//   strings   word → entity or node                      key_compare.c compares with the components of the entity; if
//                                                        the key is one string, a prefix of it is kept by slot
//   multi     word → node → slot → slot → …              index_list.c: a node for each key, its entities as a list
//   plain     a primary or multi index over one short field   plain.h; the fast path of most changes
//   given     word → node → kept key → kept key → …      given_keys.h: a function gives the keys, several for an entity
//
// A change is a step: kin__indices_check refuses it before the first write, kin__indices_update makes it before the
// first listener is called. A potential member is an entity that matches, or will after losing components: memory for
// it is reserved with the last addition that makes it one. So removals need none. A node whose array was returned to
// the caller is pinned: it stays until it is looked up again with no entities, and needs room in addition to that of
// the potential members.
//
// Invariants, checked by kin__indices_are_valid():
//   1. an entity is in an index exactly while it matches, under the key that its components make, unless a string of
//      the key is NULL; under its kept keys if a function gives them
//   2. no other keys are in the index
//   3. `potential` counts the potential members, or their kept keys, and there is room for all of them
//   4. a key has at most one entity in a primary index; the table has at most one entry for each potential member and
//      for each pinned node
//
// Cost: a step reads and looks up one key for each index of the component; finding is a hash lookup; the array of a
// multi index is made again after a change of its key.
#ifndef KIN_SRC_INDEX_H
#define KIN_SRC_INDEX_H

#include "base/base.h"
#include "index/key.h"

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
    uint32_t number;
    kin_matcher matcher; // normal
    kin__leaf *leaves;
    uint32_t leaf_count;
    size_t key_size;
    bool has_strings;       // the key has strings of any length
    bool is_plain;          // see plain.h
    unsigned char *keys[2]; // of a step: before and after
    uint32_t potential;
    size_t slot_size;  // bytes for each slot: a key longer than a word, the prefix of a string, or a link
    kin__array blocks; // by chunk; NULL: no entity needs it
    uint32_t block_count;
    kin__array nodes, node_keys; // of a multi index
    uint32_t node_count, free_node, pinned_count;
    kin__array marks;              // a bit a slot, for sorting; all zero
    struct kin__given_keys *given; // NULL: fields make the key
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

// Writes the key of a refused step for its message, and the reason of KIN_ERROR_INVALID.
void kin__index_describe_key(const kin_context *context, uint32_t slot, const kin__index *index,
                             kin__new_values new_values, char *text, size_t size);
void kin__index_describe_invalid(const kin__index *index, const char *key, char *reason, size_t size);

// Inserts a living entity with this row, and removes one, as a potential member and under its keys. Room is reserved.
// Not for an index whose keys a function gives. (index.c)
void kin__index_insert_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row);
void kin__index_remove_entity(kin_context *context, kin__index *index, kin_entity entity, const uint64_t *row);

// Reserves what is kept for the slots of a chunk. False when out of memory. (index_make.c)
bool kin__index_reserve_block(kin_context *context, kin__index *index, uint32_t slot);

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

// Sorts all lists by slot. (list_sort.c)
void kin__lists_sort(const kin__index *index);

// Returns the length of the list that begins with the slot or kept key; 0 if none does. (list_sort.c)
uint32_t kin__list_length_from(const kin__index *index, uint32_t at);

// Returns the total length of all lists.
uint32_t kin__list_count(const kin__index *index);
bool kin__list_is_valid(const kin_context *context, const kin__index *index);

// Returns the slot or kept key after `at` in its list; KIN__NO_SLOT if there is none.
uint32_t kin__list_next(const kin__index *index, uint32_t at);

void kin__list_trim(kin_context *context, kin__index *index);
size_t kin__list_used(const kin__index *index);
void kin__list_release(kin_context *context, kin__index *index);

#endif
