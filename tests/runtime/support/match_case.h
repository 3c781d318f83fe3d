// Match case: the game of chapter 20 of the rules, played on package match.
//
// Each event is written into the log of relay_case.h, followed by a space; entities by creation index:
//
//   fall(5 8)    the system of that name is executed with these
//   +13@1,2      fill creates a piece at that place
//   8@1,0        a piece's listener is notified of its position
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

// Creates the contexts, then the systems, then the entities of match_start. For a fixture, with match_end, which also
// checks.
void match_begin(void);
void match_end(void);

// Board 3 x 3, score 0 and the label with its listener; then initialize.
void match_start(void);

// Executes, then cleans up.
void match_frame(void);

// A frame with a click.
void match_click(int32_t x, int32_t y);

// The piece that was created as the nth entity, dead or alive, if it was created in that slot.
one_game_entity match_piece(uint64_t creation_index, uint64_t slot);

#endif
