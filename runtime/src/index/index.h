// Indices: entities by key. Each stands in an index while its components match, under the key that they make.
//
//   changes    asked before the first write, then followed before the first call       index.c
//   primary    word → entity; a longer key is kept by slot and compared                index.c
//   strings    word → entity or node, whose components are asked for the key           key_compare.c
//              a lone one keeps its first letters by slot: a short one is all there    index_text.c
//   multi      word → node: one key, its entities as a list through their slots        index_list.c
//
// Room is made when an entity gets the first component of the key, whatever else it would need to be in the index: so
// later changes, that make it match, and all removals need no memory. Of a multi index a node whose array was given
// out stays until it is asked for again, and has its room beside.
//
// Invariants, checked by kin__indices_are_valid():
//   1. an entity is in an index exactly while it matches, under the key that its components make; one with a string
//      that is NULL is not in it
//   2. `potential` entities have the first component of the key; there is room for so many
#ifndef KIN_SRC_INDEX_H
#define KIN_SRC_INDEX_H

#include "index/key.h"

enum { KIN__STRING_PREFIX = 16 };

// One key of a multi index. Entities are linked through their slots; slots and nodes are counted from 1 here.
typedef struct kin__key_node {
    uint64_t word;
    uint32_t first, count;
    uint32_t next_free;
    uint32_t listed;
    bool is_pinned; // its array was given out, and must stay
    bool is_stale; // the array is not what the list is now
    kin__array list;
    unsigned char *key; // with strings, of a node whose array was given out: a copy, for when nobody has the key
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
    bool has_strings;       // of any length, in the key
    unsigned char *keys[2]; // of a change: before and after
    uint32_t potential;
    size_t slot_size;  // bytes for each slot: a longer key, what is kept of a lone string, or a link
    kin__array blocks; // by chunk, NULL where nobody needed one
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
    uint64_t *rows; // of a change: before and after
} kin__indices;

typedef enum kin__step_kind { KIN__STEP_ADD, KIN__STEP_REPLACE, KIN__STEP_REMOVE } kin__step_kind;

// A change of one component that may be made. `entity` 0 is one that will be made for it and has nothing else.
typedef struct kin__step {
    kin__step_kind kind;
    kin_entity entity;
    kin_component_id id;
    const void *value; // NULL for a remove and for a flag
} kin__step;

// Makes all indices of the context, and has the components that they name watched. False without memory.
bool kin__indices_make(kin_context *context);
void kin__indices_release(kin_context *context);

// Whether the step can be made: KIN_OK, KIN_ERROR_DUPLICATE_KEY or KIN_ERROR_INVALID. Then tells why not; `verb` as in
// kin__attempt, `is_unique` for a call that names no entity.
kin_status kin__indices_check(const kin_context *context, const kin__step *step);
kin_status kin__indices_refuse(const kin_context *context, const kin__step *step, const char *verb, bool is_unique);

// Writes the reason why the step, which kin__indices_check has refused, cannot be made; returns the status of that.
enum { KIN__KEY_REASON_SIZE = 400 };
kin_status kin__indices_describe(const kin_context *context, const kin__step *step, char reason[KIN__KEY_REASON_SIZE]);

// Room for adds of the component to `count` entities, in the chunk of that slot. False without memory.
bool kin__indices_reserve(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count);

// Makes the indices those after the step, which was checked and is not yet written.
void kin__indices_follow(kin_context *context, const kin__step *step);

// The entity is dead: its keys are free. `lost` is what it had; its values still stand.
void kin__indices_remove_entity(kin_context *context, kin_entity entity, const uint64_t *lost);

// For clones: whether a field of the component is a primary index, which leaves it out; and the index of `indices`
// that has the source's key and so forbids one, NULL when none does.
bool kin__indices_are_primary(const kin_context *context, kin_component_id id);
const kin_index_info *kin__indices_forbid_clone(const kin_context *context, kin_entity source);

// Whether a new entity can get the components that are cloned one by one, in ascending id and with the source's values:
// KIN_OK, KIN_ERROR_DUPLICATE_KEY or KIN_ERROR_INVALID, and then `*at` is the component that cannot be added.
typedef bool kin__is_cloned(const kin_context *context, uint32_t id);
kin_status kin__indices_check_clone(const kin_context *context, kin_entity source, kin__is_cloned *is_cloned,
                                    kin_component_id *at);

// Gives back what indices have beyond the room that they must have.
void kin__indices_trim(kin_context *context);

// Bytes of the keys that there are, and of what there is once.
size_t kin__indices_used(const kin_context *context);

bool kin__indices_are_valid(const kin_context *context);

// ---- between the parts of indices

// The block behind this runs for each index that names a component, by number.
#define EACH_INDEX_OF(index, context, id)                                                                              \
    for (uint32_t at_ = (context)->core->indices->first[id]; at_ < (context)->core->indices->first[(id) + 1]; at_++)   \
        for (kin__index *index = &(context)->core->indices->indices[(context)->core->indices->numbers[at_]];           \
             index != NULL; index = NULL)

static inline kin__table *kin__index_table(const kin_context *context, const kin__index *index)
{
    return &context->tables[index->number];
}

// Whether the key has a field of the component.
bool kin__index_is_key(const kin__index *index, kin_component_id id);

// What is kept for a slot. There is a block for it.
void *kin__index_slot_data(const kin__index *index, uint32_t slot);

// Keeps the beginning of the string that is the key, filled up with zeros.
void kin__index_keep_string(const kin__index *index, uint32_t slot, const unsigned char *key);

bool kin__list_reserve(kin_context *context, kin__index *index, uint32_t least);
void kin__list_insert(kin_context *context, kin__index *index, uint32_t slot, const unsigned char *key);
void kin__list_erase(kin_context *context, kin__index *index, uint32_t slot);
bool kin__list_has(const kin_context *context, const kin__index *index, uint32_t slot, const unsigned char *key);
uint32_t kin__list_count(const kin__index *index); // of entities in it
void kin__list_trim(kin_context *context, kin__index *index);
size_t kin__list_used(const kin__index *index);
void kin__list_release(kin_context *context, kin__index *index);

#endif
