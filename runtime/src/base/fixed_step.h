// Fixed step: accumulates time and splits it into steps of equal length; also the ticks that replace the clocks.
//
//   accumulated   time that is in no step yet; slightly below 0 if rounding made a step due too early
//   origin        the time before the steps that `steps` counts: the time now is origin + steps * step
//   due           steps of the current update that have not run yet
//
// A step is due as soon as its time is complete up to rounding, so that deltas that add up to a step make one.
//
// Invariants:
//   1. step > 0, and at most max_steps are due
//   2. less than one step is accumulated once the due steps are taken out, up to rounding
#ifndef KIN_SRC_FIXED_STEP_H
#define KIN_SRC_FIXED_STEP_H

#include <kin/systems.h>

#include <float.h>
#include <math.h>

enum { KIN__MAX_PUSHED = 8 };

typedef struct kin__fixed_step {
    double step;
    uint32_t max_steps;
    double accumulated, origin, dropped;
    uint64_t steps, frame;
    uint32_t due;
} kin__fixed_step;

// The stack of pushed ticks; the last one is in use. Empty: the clocks are in use.
typedef struct kin__pushed {
    kin_tick ticks[KIN__MAX_PUSHED];
    uint32_t count;
} kin__pushed;

// Replaces isfinite(): MinGW's macro also handles other types, and warns at each use.
static inline bool kin__is_finite(double number)
{
    return fabs(number) <= DBL_MAX;
}

// Adds `delta` seconds. Complete steps become due; steps beyond max_steps are dropped.
void kin__fixed_step_advance(kin__fixed_step *fixed_step, double delta);

// Takes the next due step and writes its tick. False if none is due.
bool kin__fixed_step_next(kin__fixed_step *fixed_step, kin_tick *tick);

// Continues at another time, with nothing accumulated or due.
void kin__fixed_step_set(kin__fixed_step *fixed_step, double time);

#endif
