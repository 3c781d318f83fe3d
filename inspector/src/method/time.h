// Time: what the methods of the noun `time` share.
#ifndef KIN_INSPECT_METHOD_TIME_H
#define KIN_INSPECT_METHOD_TIME_H

#include "site/until.h"
#include "host/host.h"

typedef struct kin__time_task {
    json_int_t updates, systems;
    double speed, delta;
    kin__until *until; // of time.until, until the host takes it
    // after the change
    kin__pace pace;
    kin__held held;
    kin_tick tick;
    uint64_t update_last;
    kin__until_state until_state;
    uint64_t until_frame;
    uint32_t until_took;
} kin__time_task;

// Makes the data of a task that has its host.
bool kin__time_parse(kin__task *task);

// Returns whether the viewer may change the time; else it is the mistake of the task.
bool kin__time_may_change(kin__task *task);

// Sets the pace with this viewer as the one that holds it.
void kin__time_set_held_pace(kin__task *task, kin__pace pace);

// Notes how the time is then. Returns true.
bool kin__time_finish(kin__task *task);

void kin__time_show(const kin__task *task, kin__json *json);

#define KIN__TIME_RESULT                                                                                               \
    "frame, paused, by: the viewer that paused, steps, speed, delta, time, update_nanoseconds, hold: the system "      \
    "before "                                                                                                          \
    "which updates are held, held: null or system, role, step and after, on_hold: whether the game draws meanwhile, "  \
    "until: null or state, frame and microseconds"

#endif
