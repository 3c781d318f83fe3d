// Snapshots case: the world of the town case with one citizen, and an inspector that is asked without sockets.
#ifndef KIN_TESTS_INSPECTOR_SNAPSHOTS_CASE_H
#define KIN_TESTS_INSPECTOR_SNAPSHOTS_CASE_H

#include "inspect_case.h"

#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

extern people_entity one; // the citizen

void snapshots_begin_with(kin_inspector_options options);
void snapshots_begin(void);
void snapshots_end(void);

void update_times(int count);
uint64_t frame_now(void);

// The age of the citizen, which is written in place.
int32_t years(void);
void set_years(int32_t value);

// Makes 2,000 citizens, and changes two components of each.
void fill_town(void);
void change_town(void);

#endif
