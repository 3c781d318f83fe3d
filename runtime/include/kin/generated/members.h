/// Cached member arrays of declared groups, for generated code only. Changes with the interface version.
///
/// Each component counts its changes. An array is current while the sum of the counters of the components that its
/// group names is equal to the sum when the array was made. Components and members are in the struct of the generated
/// context, so the test costs no more than the sum.
#ifndef KIN_INTERNAL_MEMBERS_H
#define KIN_INTERNAL_MEMBERS_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__members {
    uint64_t listed_at;         // sum of the changes when the array was made; all ones: never made
    const kin_entity *entities; // NULL for an empty group
    kin_group *group;
    uint32_t count;
} kin__members;

// Returns the result of kin_group_entities. `changes` is the current sum, with each component counted once.
static inline const kin_entity *kin__members_entities(const kin__members *members, uint64_t changes, uint32_t *count)
{
    if (changes == members->listed_at) {
        *count = members->count;
        return members->entities;
    }
    uint32_t found; // a separate variable, so that the caller's can stay in a register
    const kin_entity *entities = kin_group_entities(members->group, &found);
    *count = found;
    return entities;
}

KIN_END_DECLARATIONS

#endif
