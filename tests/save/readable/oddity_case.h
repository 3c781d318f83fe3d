// Oddity case: a world of package oddity, which is changed at random, also to values that no file can have.
#ifndef KIN_TESTS_SAVE_ODDITY_CASE_H
#define KIN_TESTS_SAVE_ODDITY_CASE_H

#include <oddity/oddity.h>
#include <oddity/oddity_save.h>

#include <check.h>

enum { MOST_PLANTED = 64 };

extern oddity_world *odd_world;
extern field_context *field;           // of the world
extern char message[512];              // the last error of any world
extern char planted[MOST_PLANTED][32]; // the fields that have values that no file can have
extern uint32_t planted_count;

// Makes a world whose errors go to `message`.
oddity_world *oddity_case_make(void);

// Makes the world again. One of `odd_chance` values is then one that no file can have; 0: none is.
void oddity_case_begin(uint64_t seed, uint32_t odd_chance);
void oddity_case_plant(uint32_t odd_chance);
void oddity_case_end(void);

// Returns a random number.
uint32_t odd_below(uint32_t limit);

// Change the world: an entity with some components, and a message.
void odd_change(void);
void odd_publish(void);

// Checks that the message names one of the fields.
void check_names_planted(void);

#endif
