// Mirror: a context and, beside it, the same entities and components in plain arrays.
//
// Random changes are made to both; then the results of a group are compared with a walk over the arrays.
// Components differ in the number of entities that have them, so that there are long and short runs: components whose
// id is a multiple of four are on nearly all entities, those with the id before on nearly none.
//
// The same seed makes the same changes.
#ifndef KIN_TESTS_RUNTIME_MIRROR_H
#define KIN_TESTS_RUNTIME_MIRROR_H

#include <kin/kin.h>

enum { MIRROR_SLOTS = 1600, MIRROR_COMPONENTS = 70, MIRROR_LIVING = 1500 };

typedef struct mirror {
    kin_context *context;
    uint64_t seed;
    uint64_t next_creation_index;
    uint32_t used;       // slots that were ever used
    uint32_t free_count; // of those, free again: a stack
    uint32_t free_slots[MIRROR_SLOTS];
    uint32_t living;
    kin_entity entities[MIRROR_SLOTS]; // by slot; 0: no entity
    bool has[MIRROR_SLOTS][MIRROR_COMPONENTS];
    const void *places[MIRROR_SLOTS][MIRROR_COMPONENTS]; // the address of the value when it was added
} mirror;

// Makes the mirror of an empty context.
void mirror_begin(mirror *mirror, kin_context *context, uint64_t seed);

// A number below `end`.
uint32_t mirror_random(mirror *mirror, uint32_t end);

// Makes one random change to both, and checks it.
void mirror_change(mirror *mirror);

// The group destroys its members, and the mirror removes them.
void mirror_destroy_members(mirror *mirror, kin_group *group);

// Whether the entity of a slot matches, computed by the definition of MAT-01.
bool mirror_matches(const mirror *mirror, const kin_matcher *matcher, uint32_t slot);

// Compares counts, arrays, membership, runs and blocks of a group of the matcher; returns the group's count.
uint32_t mirror_compare_group(const mirror *mirror, kin_group *group, const kin_matcher *matcher);

// Compares the components of each entity, and checks that no value has moved or changed.
void mirror_compare_values(const mirror *mirror);

#endif
