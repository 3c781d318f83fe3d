/// Members: the array of a declared group's members, at which generated code looks before it has the library make it
/// anew. Not for users; it changes with the interface.
///
/// Each component counts its changes. While the sum of those that a group names is what it was when the array was made,
/// the array is that of now. Components and members stand in the generated context's struct, so that asking costs what
/// the sum does.
#ifndef KIN_GENERATED_MEMBERS_H
#define KIN_GENERATED_MEMBERS_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__members {
    uint64_t listed_at;         // the sum of the changes when they were listed; all ones: never
    const kin_entity *entities; // NULL when there are none
    kin_group *group;
    uint32_t count;
} kin__members;

// What kin_group_entities returns. `changes` is the sum of now, each component once.
static inline const kin_entity *kin__members_entities(const kin__members *members, uint64_t changes, uint32_t *count)
{
    if (changes == members->listed_at) {
        *count = members->count;
        return members->entities;
    }
    uint32_t found; // the caller's own can stay in a register
    const kin_entity *entities = kin_group_entities(members->group, &found);
    *count = found;
    return entities;
}

KIN_END_DECLARATIONS

#endif
