// Profile: how long the last calls of each role of one system took.
//
//   [ profile | times of role a: window | times of role b: window | … | room to sort one of them: window ]
//
// One block a system, made when measuring begins, so that measuring needs no memory.
#ifndef KIN_SRC_PROFILE_H
#define KIN_SRC_PROFILE_H

#include "base/memory.h"

#include <kin/profile.h>

typedef struct kin__times {
    uint64_t *ring; // NULL: the system has no such role
    uint32_t next, count;
    uint64_t last;
} kin__times;

typedef struct kin__profile {
    kin_clock clock;
    uint32_t window;
    size_t size; // of the block
    kin__times times[KIN_ROLE_COUNT];
    uint64_t *sorted;
} kin__profile;

// A bit a role.
typedef uint32_t kin__roles;

// NULL without memory.
kin__profile *kin__profile_create(kin__memory *memory, const kin_clock *clock, uint32_t window, kin__roles roles);
void kin__profile_destroy(kin__memory *memory, kin__profile *profile);

// A call begins, and ends. NULL: it is not measured.
static inline uint64_t kin__profile_begin(const kin__profile *profile)
{
    return profile == NULL ? 0 : profile->clock.now(profile->clock.user);
}

void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began);

static inline void kin__profile_end(kin__profile *profile, kin_role role, uint64_t began)
{
    if (profile != NULL)
        kin__profile_append(profile, role, began);
}

// What is remembered of a role that the system has.
kin_timing kin__profile_timing(const kin__profile *profile, kin_role role);

#endif
