// Scenes: what threads do at once, each with a result that must not depend on the threads.
#ifndef KIN_TESTS_THREADS_SCENES_H
#define KIN_TESTS_THREADS_SCENES_H

#include <stdbool.h>

// Plays a package in threads of their own (DET-03).
bool play_in_threads(void);

// Writes and compares snapshots in other threads; false if a file differs (SNP-12).
bool save_in_threads(void);

// Iterates pieces of groups on pools and hostile executors; false if the state differs at any tick (PAR-01, PAR-03).
bool share_pieces(void);

// Makes every refused call from several threads at once; false if one is not refused, or not counted (PAR-06).
bool refuse_in_threads(void);

// Writes snapshots while a pool moves what they were made of, and tries to save meanwhile; false if a file or the state
// differs, or a save is not refused (PAR-06, SNP-12).
bool save_while_shared(void);

// Asks everything that is allowed from several threads at once; false if an answer differs (PAR-07).
bool ask_in_threads(void);

// Threads record commands into buffers of their own; false if what is played depends on the threads (CMD-12).
bool record_in_threads(void);

// Several threads, each with a context of its own, use one pool; false if the state differs (PAR-14).
bool share_one_pool(void);

// Runs one of the races of races.c, which the thread sanitizer must report. False if there is none of that name.
bool plant_race(const char *name);

#endif
