// Past case: contexts of package past with a value of every kind, and their files.
#ifndef KIN_TESTS_SAVE_PAST_CASE_H
#define KIN_TESTS_SAVE_PAST_CASE_H

#include "past_make.h"

#include <past/past.h>

// A context with `count` entities, some of which were destroyed, and a snapshot of it; `count` of 0: an empty context.
extern past_context *past;
extern kin_snapshot *past_snapshot;

void past_case_begin(uint32_t count);
void past_case_end(void);

// Whether some entities wear badges, which no two contexts have equal bytes of.
extern bool past_case_has_badges;

// Makes a badge, which is dropped once.
struct badge past_case_badge(int number);

// Writes the snapshot, without options.
void past_case_write(buffer *file);

#endif
