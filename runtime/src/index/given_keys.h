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
#ifndef KIN_SRC_GIVEN_KEYS_H
#define KIN_SRC_GIVEN_KEYS_H

#include "index/index.h"

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

// Prepares an index whose leaves are listed. False when out of memory. Releases what there is.
bool kin__given_keys_make(kin_context *context, kin__index *index);
void kin__given_keys_release(kin_context *context, kin__index *index);

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

// Whether a step that changes the rows so can be made, like kin__indices_check. Sets `*other` to the entity with the
// key.
kin_status kin__given_keys_check(const kin_context *context, const kin__index *index, const kin__step *step,
                                 kin__step_rows rows, kin_entity *other);

// Writes the key that was refused.
void kin__given_keys_describe(const kin__index *index, char *text, size_t size);

// Writes a kept key.
void kin__kept_key_describe(const kin__index *index, const kin__kept_key *kept, char *text, size_t size);

// Reserves room for `count` keys in addition to those kept and to the most that one entity can have. False when out of
// memory.
bool kin__given_keys_reserve(kin_context *context, kin__index *index, uint32_t count);

// Follows a step, and the death of an entity that had the components of the row `lost`.
void kin__given_keys_update(kin_context *context, kin__index *index, const kin__step *step, kin__step_rows rows);
void kin__given_keys_remove_entity(kin_context *context, kin__index *index, uint32_t slot, const uint64_t *lost);

// Whether the entity in the slot has keys in the index.
bool kin__given_keys_have(const kin__index *index, uint32_t slot);

// Return the numbers of the first kept key of a slot, and of the one after it; KIN__NO_SLOT if there is none.
uint32_t kin__given_keys_first(const kin__index *index, uint32_t slot);
uint32_t kin__given_keys_next(const kin__index *index, uint32_t at);

// Forgets all kept keys; keeps the keys that are in `keys`, and puts them into the lists if the entity matches. Room is
// reserved.
void kin__given_keys_clear(kin_context *context, kin__index *index);
void kin__given_keys_insert(kin_context *context, kin__index *index, uint32_t slot);

// Plans the keys that were read, of an entity that the current call is about to spawn, and reserves room for all that
// are planned. False when out of memory. Find: whether a planned entity has a key that was read; records the key as
// refused. End: forgets all that are planned, when they are reserved or the call was refused.
bool kin__given_keys_plan(kin_context *context, kin__index *index);
bool kin__given_keys_find_planned(const kin_context *context, const kin__index *index);
void kin__given_keys_plan_end(kin_context *context, kin__index *index);

// Releases memory that holds no kept keys, and returns the bytes in use beside those of the lists.
void kin__given_keys_trim(kin_context *context, kin__index *index);
size_t kin__given_keys_used(const kin__index *index);

bool kin__given_keys_are_valid(const kin_context *context, const kin__index *index);

#endif
