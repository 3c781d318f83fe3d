// Hall case: a context of package keyed, whose components are in indices by numbers, cells, teams and names.
#ifndef KIN_TESTS_RUNTIME_HALL_CASE_H
#define KIN_TESTS_RUNTIME_HALL_CASE_H

#include "case.h"

#include <keyed/keyed.h>

extern hall_context *hall;

// Creates `hall` on the guard and the error log of the case. Checks and destroys it.
void hall_begin(void);
void hall_end(void);

// New entities with one component each; a piece also has its flag.
hall_entity hall_entity_with_number(uint32_t number);
hall_entity hall_piece_at(int32_t x, int32_t y);
hall_entity hall_entity_in_team(Side side);

#endif
