// Record case: a town world that lives by itself, is changed at random between its updates, and is recorded; and a
// second one, in which the recording is played.
#ifndef KIN_TESTS_SAVE_RECORD_CASE_H
#define KIN_TESTS_SAVE_RECORD_CASE_H

#include "runtime/support/town_random.h"
#include "save/buffer.h"

#include <town/town_save.h>

enum { RECORD_MOST = 2048 }; // frames of a recording

extern buffer recording;
extern uint64_t recorded_hashes[RECORD_MOST]; // after each frame
extern town_world *recorded, *played;         // NULL: not made
extern kin_player *player;

void record_begin(void);
void record_end(void);

// Makes the world that is recorded, of so many citizens.
void record_town(uint32_t citizens);

kin_status record_start(const kin_record_options *options);
void record_stop(void);

// Plays frames, with some operations before each, and remembers the hashes.
void record_frames(uint32_t count, uint32_t operations);

// Makes the world that plays, and a player; then destroys what was made before.
void play_begin(void);

// Plays up to so many frames, whose hashes must be those that were recorded from frame `first` on. Returns how many
// were played.
uint32_t play_frames(uint32_t first, uint32_t count);

// What `live` adds to ages of citizens from some frame on: a mistake, as it depends on no state.
extern int32_t record_static;

// Whether systems of the town change nothing but what the schema says.
extern bool record_is_quiet;

uint64_t record_hash(town_world *world);

// Plays one frame of the recorded world, after at most so many operations. Keeps the log.
void record_update(uint32_t operations);

// Forgets the recording and its hashes; the world goes on.
void record_forget(void);

// More cases of the suite: how recordings end, and what kin shows of them.
TCase *record_ends(void);
TCase *record_dump(void);

#endif
