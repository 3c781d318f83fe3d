// Twice: a town world that is saved, played, restored and played again; both must write the same.
#ifndef KIN_TESTS_RUNTIME_TWICE_CASE_H
#define KIN_TESTS_RUNTIME_TWICE_CASE_H

#include "town_case.h"

#include <string.h>

extern people_context *people;
extern houses_context *houses;
extern kin_snapshot *saved_town; // destroyed at the end

void twice_begin(void);
void twice_end(void);

// Writes the calls of all systems, from now on.
void listen_to_all(void);

void save(void);
void restore(kin_restore_mode mode);

// Saves, calls `play`, restores, and calls it again: both calls must write the same, which is returned.
const char *play_twice(void (*play)(void));

people_entity named_citizen(int32_t years);

// Returns a living entity by its place.
people_entity citizen_of(uint32_t number);

// Updates with a delta of 0.1; and writes the tick before, and does it four times.
void update(void);
void update_four_times(void);

// Replaces, destroys and creates citizens, and updates twice.
void change_and_update(void);

// Writes the names that Undertaker's leave can read, of the first three that left.
void write_names(town_world *world);

// Makes another world, and `town`, `people` and `houses` are those of it; returns the one before. Ends it again.
town_world *twice_other(void);
void twice_back(town_world *former);

#define ck_assert_has(text, part) ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in '%s'", part, text)

#endif
