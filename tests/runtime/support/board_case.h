// Board case: a context of package board on a guard and an error log of its own, so that it can stand beside another
// case.
#ifndef KIN_TESTS_RUNTIME_BOARD_CASE_H
#define KIN_TESTS_RUNTIME_BOARD_CASE_H

#include "support.h"

#include <board/board.h>

extern board_context *board;
extern guard board_memory;
extern error_log board_errors;

// Creates `board` with the given options, except the allocator and the handler of errors. It is NULL if that fails.
void board_begin_with(const kin_context_options *options);

// Creates `board` with the default options.
void board_begin(void);

// Checks and destroys `board`, if there is one, and checks that all memory is free and that no error is left unchecked.
void board_end(void);

// Creates `count` entities in ascending slots. Returns the slot of the first.
uint32_t board_fill(board_context *board, uint32_t count, board_entity *entities);

// New entities with one component.
board_entity board_piece(board_context *context);
board_entity board_entity_at(float x, float y);

// The group of all pieces.
kin_group *board_pieces(void);

#endif
