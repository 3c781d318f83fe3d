// Mirror: a context and, beside it, the same entities and components kept in plain arrays by the simplest means.
//
// Random changes are made to both; then whatever a group answers is compared with what a walk over the arrays finds.
// Components differ in how many entities have them, so that there are long runs as well as ragged ones: those whose id
// is a multiple of four are nearly everywhere, those before them nearly nowhere.
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
    uint32_t used;       // slots that were ever given out
    uint32_t free_count; // of those, free again: a stack
    uint32_t free_slots[MIRROR_SLOTS];
    uint32_t living;
    kin_entity entities[MIRROR_SLOTS]; // by slot, 0 when there is none
    bool has[MIRROR_SLOTS][MIRROR_COMPONENTS];
    const void *places[MIRROR_SLOTS][MIRROR_COMPONENTS]; // where the value was when it was added
} mirror;

// The mirror of an empty context.
void mirror_begin(mirror *mirror, kin_context *context, uint64_t seed);

// A number below `end`.
uint32_t mirror_random(mirror *mirror, uint32_t end);

// One random change, made to both and checked.
void mirror_change(mirror *mirror);

// The group destroys its members, and the mirror forgets them.
void mirror_destroy_members(mirror *mirror, kin_group *group);

// Whether the entity of a slot matches, by the words of MAT-01 and nothing else.
bool mirror_matches(const mirror *mirror, const kin_matcher *matcher, uint32_t slot);

// Compares counts, arrays, membership, runs and blocks of a group that was made with the matcher; returns its count.
uint32_t mirror_compare_group(const mirror *mirror, kin_group *group, const kin_matcher *matcher);

// Compares what each entity has, and that no value has moved or changed.
void mirror_compare_values(const mirror *mirror);

#endif
