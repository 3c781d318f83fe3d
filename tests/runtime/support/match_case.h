// Match case: the game of chapter 20 of the rules, played on package match.
//
// Each event is written into the log of relay_case.h, followed by a space. Entities are named by creation index:
//
//   fall(5 8)    system fall is executed with entities 5 and 8
//   +13@1,2      system fill creates piece 13 at 1,2
//   8@1,0        the listener of piece 8 is notified of its position
//   score=1      the label is notified of the score
//   !UNIQUE      an operation is refused
//
// Everything is in static storage: one test at a time.
#ifndef KIN_TESTS_RUNTIME_MATCH_CASE_H
#define KIN_TESTS_RUNTIME_MATCH_CASE_H

#include "relay_case.h"

#include <match/match.h>

extern one_match_contexts *match;
extern one_game_context *match_game;
extern one_input_context *match_input;
extern kin_systems *match_systems;

// The setup and teardown of a fixture. match_begin creates the contexts and the systems, then calls match_start.
// match_end checks the contexts and destroys everything, and checks that all memory is free.
void match_begin(void);
void match_end(void);

// Creates a board of 3 x 3, score 0 and the label with its listener, then initializes the systems.
void match_start(void);

// Executes the systems, then runs their cleanup.
void match_frame(void);

// Sets a click, then runs a frame.
void match_click(int32_t x, int32_t y);

// Returns the handle of the piece that was created in that slot with that creation index, dead or alive.
one_game_entity match_piece(uint64_t creation_index, uint64_t slot);

#endif
