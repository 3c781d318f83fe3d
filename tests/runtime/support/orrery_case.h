// A world of bodies for tests of systems over trees: each system notes what it visits.
#ifndef KIN_TESTS_RUNTIME_ORRERY_CASE_H
#define KIN_TESTS_RUNTIME_ORRERY_CASE_H

#include <orrery/orrery.h>

#include <stdbool.h>
#include <stdint.h>

enum { BODIES = 60, MOST = 2048 };

typedef struct visit {
    uint64_t entity, parent; // the parent: 0 unless its values were shown
    uint32_t depth;
} visit;

typedef struct visits {
    visit all[MOST];
    uint32_t count;
    uint32_t turns;
} visits;

extern orrery_world *orrery;
extern space_context *space;
extern space_entity bodies[BODIES];
extern visits propagated, refreshed, docked, shone, warned, levelled, tinted;

// What the next update does at its `acts_at`-th visit.
extern uint32_t acts_at;
extern void (*act)(space_entity entity);
extern bool has_acted;
extern bool skips; // the branches of entities in odd slots

void orrery_begin(void);
void orrery_begin_silent(void); // errors are not printed
void orrery_end(void);
void clear_visits(void);

space_entity center_of(space_entity entity);
space_entity host_of(space_entity entity);

#endif
