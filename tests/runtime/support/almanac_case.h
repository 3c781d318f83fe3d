// Almanac case: a context of package almanac with entities in more than one chunk, and snapshots of it.
#ifndef KIN_TESTS_RUNTIME_ALMANAC_CASE_H
#define KIN_TESTS_RUNTIME_ALMANAC_CASE_H

#include "case.h"

#include <almanac/almanac.h>

enum { DAYS = 700 };

extern almanac_context *almanac;
extern almanac_entity days[DAYS]; // each has a spot
extern kin_snapshot *snapshots[4];

// Creates `almanac` and its entities, without a snapshot. Checks and destroys all.
void almanac_begin(void);
void almanac_end(void);

// Saves the context as the snapshot of a number, and checks both.
void almanac_save_as(int number);

#endif
