// A player: a recording and a place in it. The world links it, to say when it ends; then nothing of the world is left.
//
// Invariants:
//   1. `in_call` while a function of the source, of the world's systems or of its listeners may be called: then the
//      player cannot be destroyed
//   2. `has_frame` while the block that was read last is a frame that was not played yet
#ifndef KIN_SRC_PLAY_PLAYER_H
#define KIN_SRC_PLAY_PLAYER_H

#include "play/recording.h"
#include "snapshot/snapshot.h"

#include <kin/generated/replay.h>

struct kin_player {
    kin__tracker tracker;     // first
    kin__recording recording; // its world is NULL once that has ended
    kin__memory memory;       // of the player
    uint64_t position;        // frames played
    uint64_t frame;           // how often the world has been updated, as the recording says
    bool in_call, has_frame;
    bool is_over; // at the end, or at a fault
    bool has_divergence;
    kin_divergence divergence;
    kin_snapshot *begun, *after; // the moments of the frame that was played last
};

// Whether the player can be used now, for what `verb` says; else reports that.
bool kin__player_may(kin_player *player, const char *verb);

// Reports the fault of the recording, if there is one, and forgets it; ends the call. Returns its status.
kin_status kin__player_end_call(kin_player *player, const char *verb);

// Reads up to the next frame, inside a call. False at the end, or with a fault.
bool kin__player_read_frame(kin_player *player);

// Plays the frame that was read, inside a call. False with a fault, or with what the world has reported.
bool kin__player_play_frame(kin_player *player);

// Reads the moment that comes next, and restores it, inside a call.
bool kin__player_restore_moment(kin_player *player);

#endif
