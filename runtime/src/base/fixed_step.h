// Pace: the time of a collection that runs in fixed steps, and ticks that stand in place of all clocks.
//
//   left        time that has come and is in no step yet; a hair below 0 where rounding gave a step too early
//   origin      the time of the node before the steps counted in `steps`: it is origin + steps * step
//   due         steps of the update under way that still have to run
//
// A step is due as soon as its time has come up to rounding, so that deltas which add up to a step give one.
#ifndef KIN_SRC_FIXED_STEP_H
#define KIN_SRC_FIXED_STEP_H

#include <kin/systems.h>

#include <float.h>
#include <math.h>

enum { KIN__MAX_PUSHED = 8 };

typedef struct kin__fixed_step {
    double step;
    uint32_t max_steps;
    double left, origin, dropped;
    uint64_t steps, frame;
    uint32_t due;
} kin__fixed_step;

// The ticks that were pushed, the last one in use; none: clocks go on.
typedef struct kin__pushed {
    kin_tick ticks[KIN__MAX_PUSHED];
    uint32_t count;
} kin__pushed;

// isfinite() is a macro that MinGW makes of more than doubles: with a warning for each use.
static inline bool kin__is_finite(double number)
{
    return fabs(number) <= DBL_MAX;
}

// Time goes by: whole steps become due, those beyond the most are dropped.
void kin__fixed_step_advance(kin__fixed_step *fixed_step, double delta);

// Takes a step that is due: its tick. False when none is.
bool kin__fixed_step_next(kin__fixed_step *fixed_step, kin_tick *tick);

// Goes on from another time, with nothing to make up for.
void kin__fixed_step_set(kin__fixed_step *fixed_step, double time);

#endif
