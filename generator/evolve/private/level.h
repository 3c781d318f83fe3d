// The things of one level: the components, the fields of one component, and so on. Shared by find.c and match.c.
#ifndef KIN_GENERATOR_EVOLVE_LEVEL_H
#define KIN_GENERATOR_EVOLVE_LEVEL_H

#include "evolve/private/run.h"

typedef struct level {
    run *run;
    const place *place;
    thing_list *things;
    lock_list *before;
    dictionary names;               // current names of nodes that are not removed
    dictionary identities;          // of the things, to the things
    const lock_node *const *others; // of another reading in which nothing is lost; NULL: there is none
} level;

level level_begin(run *run, const place *place, thing_list *things, lock_list *before);

// Returns the thing for messages: "component 'Health'", "field 'Health.points'".
const char *level_words(const level *level, const thing *thing);

// Sets `before` of all things, by a reading of their words in which nothing is lost.
void level_find(level *level);

// Reports words that can be read in two ways, and those that would mean something else as soon as the lock is written.
// The things have their identities.
void level_check_words(const level *level);

#endif
