// Plaza case: a context of package quarter, and the functions that give the keys of its indices.
#ifndef KIN_TESTS_RUNTIME_PLAZA_CASE_H
#define KIN_TESTS_RUNTIME_PLAZA_CASE_H

#include "case.h"

#include <quarter/quarter.h>

extern plaza_context *plaza;
extern uint32_t plaza_cell_calls; // of the function of index `near`

// Creates `plaza` on the guard and the error log of the case. Checks and destroys it.
void plaza_begin(void);
void plaza_end(void);

// New entities: with a spot; a house, none if a key is refused; with a tag.
plaza_entity plaza_entity_at(int32_t x, int32_t y);
plaza_entity plaza_house_at(int32_t x, int32_t y, int32_t width, int32_t height);
plaza_entity plaza_tagged(int32_t first, int32_t count);

// The key of a cell in index `near`, and the number of entities in the cell of a spot.
int32_t plaza_cell_at(int32_t x, int32_t y);
uint32_t plaza_count_near(int32_t x, int32_t y);

#endif
