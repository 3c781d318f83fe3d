// Indices: entities by key. An entity is in an index while it matches, under the key that its components make.
//
//   primary   word → entity                              index.c; a key longer than a word is kept by slot and compared
//   strings   word → entity or node                      key_compare.c compares with the components of the entity;
//                                                        of a lone string a prefix is kept by slot
//   multi     word → node → slot → slot → …              index_list.c: a node for each key, its entities as a list
//
// A change is a step: kin__indices_check refuses it before the first write, kin__indices_follow makes it before the first
// listener is called. Memory is reserved when an entity gets the first component of the key. So later steps, which make
// it match, and all removals need none. A node whose array was returned to the caller is pinned: it stays until it is
// looked up again with no entities, and needs room in addition.
//
// Invariants, checked by kin__indices_are_valid():
//   1. an entity is in an index exactly while it matches, under the key that its components make, unless a string of the
//      key is NULL
//   2. no other keys are in the index
//   3. `potential` entities have the first component of the key, and there is room for all of them
//
// Cost: a step reads and looks up one key for each index of the component; finding is a hash lookup; the array of a multi
// index is made anew after a change of its key.
#ifndef KIN_SRC_INDEX_H
#define KIN_SRC_INDEX_H

#include "base/assertion.h"
#include "index/key.h"

enum { KIN__STRING_PREFIX = 16 }; // bytes kept of a lone string

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
    unsigned char *keys[2]; // of a step: before and after
    uint32_t potential;
    size_t slot_size;  // bytes for each slot: a key longer than a word, the prefix of a lone string, or a link
    kin__array blocks; // by chunk; NULL: no entity needs it
    uint32_t block_count;
    kin__array nodes, node_keys; // of a multi index
    uint32_t node_count, free_node, pinned_count;
    kin__array marks; // a bit a slot, for sorting; all zero
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

// Makes all indices of the context, and watches the components that they name. False without memory.
bool kin__indices_make(kin_context *context);
void kin__indices_release(kin_context *context);

// Whether the step can be made: KIN_OK, KIN_ERROR_DUPLICATE_KEY or KIN_ERROR_INVALID. The second function reports why
// not: `verb` as in kin__attempt, `is_unique` for a call that names no entity.
kin_status kin__indices_check(const kin_context *context, const kin__step *step);
kin_status kin__indices_refuse(const kin_context *context, const kin__step *step, const char *verb, bool is_unique);

// Writes the reason why kin__indices_check has refused the step, and returns its status.
enum { KIN__KEY_REASON_SIZE = 400 };
kin_status kin__indices_describe(const kin_context *context, const kin__step *step, char reason[KIN__KEY_REASON_SIZE]);

// Reserves room for adding the component to `count` entities in the slot's chunk. False without memory.
bool kin__indices_reserve(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count);

// Updates the indices for a step that was checked and is not yet written.
void kin__indices_follow(kin_context *context, const kin__step *step);

// Erases the keys of a dead entity. `lost` is the row that it had; its values are still in place.
void kin__indices_remove_entity(kin_context *context, kin_entity entity, const uint64_t *lost);

// Whether a field of the component is a primary index, so that a clone does not get it; and the custom primary index
// that has a key of the source and so forbids clones, NULL if none does.
bool kin__indices_are_primary(const kin_context *context, kin_component_id id);
const kin_index_info *kin__indices_forbid_clone(const kin_context *context, kin_entity source);

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

// Whether the key has a field of the component.
bool kin__index_is_key(const kin__index *index, kin_component_id id);

// The lists of a multi index. Reserve: room for `least` nodes; false without memory. Insert and erase: an entity under
// its key. Has: whether the entity is under the key. Count: the entities in all lists.
bool kin__list_reserve(kin_context *context, kin__index *index, uint32_t least);
void kin__list_insert(kin_context *context, kin__index *index, uint32_t slot, const unsigned char *key);
void kin__list_erase(kin_context *context, kin__index *index, uint32_t slot);
bool kin__list_has(const kin_context *context, const kin__index *index, uint32_t slot, const unsigned char *key);
uint32_t kin__list_count(const kin__index *index);
void kin__list_trim(kin_context *context, kin__index *index);
size_t kin__list_used(const kin__index *index);
void kin__list_release(kin_context *context, kin__index *index);

#endif
