// Tumult case: a world of package tumult, whose systems act by entity and tick alone.
#ifndef KIN_TESTS_RUNTIME_TUMULT_CASE_H
#define KIN_TESTS_RUNTIME_TUMULT_CASE_H

#include <tumult/tumult.h>

// Creates a world whose parallel systems have pieces of so many places (KIN__GRAIN_ALL: one piece), on that executor.
// It notes changes of groups, messages and errors for tumult_hash.
tumult_tumult_world *tumult_begin(uint32_t grain, const kin_executor *executor);
void tumult_end(void);

// Updates the world once, and returns a hash of its state, its handles and all that happened so far.
uint64_t tumult_update(void);

// Counts what happened, to show that the games are not empty.
typedef struct tumult_counts {
    uint64_t recorded, dropped, refused, errors, messages, changes;
    uint32_t alive;
} tumult_counts;
tumult_counts tumult_count(void);

#endif
