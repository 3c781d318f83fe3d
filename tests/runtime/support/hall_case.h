// Hall case: a context of package keyed, whose components are in indices by numbers, cells, teams and names.
#ifndef KIN_TESTS_RUNTIME_HALL_CASE_H
#define KIN_TESTS_RUNTIME_HALL_CASE_H

#include "support.h"

#include <keyed/keyed.h>

extern guard hall_memory;
extern error_log hall_errors;
extern hall_context *hall;

// Creates `hall` on the guard and the error log.
void hall_begin(void);

// Checks and destroys the context, and checks that all memory is free and that no error is left unchecked.
void hall_end(void);

// New entities with one component each; a piece also has its flag.
hall_entity hall_entity_with_number(uint32_t number);
hall_entity hall_piece_at(int32_t x, int32_t y);
hall_entity hall_entity_in_team(Side side);

#define ck_assert_entity(actual, expected) ck_assert_uint_eq((actual).id, (expected).id)

#endif
