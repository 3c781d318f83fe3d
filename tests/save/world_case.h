// World case: files of the town world of the twice case.
#ifndef KIN_TESTS_SAVE_WORLD_CASE_H
#define KIN_TESTS_SAVE_WORLD_CASE_H

#include "buffer.h"
#include "runtime/support/town_random.h"

#include <town/town_save.h>

extern buffer file, again;
extern kin_snapshot *file_snapshot; // what was read; destroyed at the end
extern char reported[512];          // the last error

void world_case_begin(void);
void world_case_end(void);

void write_to(buffer *to, const kin_snapshot *from);
kin_status read_file(void);

// Saves, writes, reads and writes again: both files must be equal, and have the hash of the snapshot.
void save_and_read(void);

// Restores what was read, and checks the contexts.
void restore_read(void);

void update_twice(void);

// Saves a world of which Watch has collected two entities, of which one is dead, and Patient has messages; writes it.
void write_busy(void);

// Makes all sums of the file those of its blocks.
void repair(void);

#endif
