#include "base/fixed_step.h"

#include "base/assertion.h"

// The part of a step that rounding may leave missing.
static const double rounding = 1e-9;

// Doubles from 2^52 on have no fraction. This needs no call of the mathematical library.
static double whole_of(double number)
{
    return number < (double)((uint64_t)1 << 52) ? (double)(uint64_t)number : number;
}

void kin__fixed_step_advance(kin__fixed_step *fixed_step, double delta)
{
    double accumulated = fixed_step->accumulated + delta, steps = accumulated / fixed_step->step + rounding;
    KIN_ASSERT(fixed_step->step > 0 && fixed_step->max_steps > 0);
    if (!kin__is_finite(steps))
        return;
    fixed_step->accumulated = accumulated;
    if (steps < 1)
        return;
    double whole = whole_of(steps);
    double remainder = accumulated - whole * fixed_step->step;
    // A sum of very many steps has no digits below one step: its remainder is rounding alone.
    fixed_step->accumulated = fabs(remainder) < fixed_step->step ? remainder : 0;
    if (whole > fixed_step->max_steps) {
        fixed_step->dropped += (whole - fixed_step->max_steps) * fixed_step->step;
        whole = fixed_step->max_steps;
    }
    fixed_step->due = (uint32_t)whole;
    KIN_ASSERT(fixed_step->due > 0 && fixed_step->due <= fixed_step->max_steps);
}

bool kin__fixed_step_next(kin__fixed_step *fixed_step, kin_tick *tick)
{
    KIN_ASSERT(fixed_step->due <= fixed_step->max_steps);
    if (fixed_step->due == 0)
        return false;
    fixed_step->due--;
    fixed_step->steps++;
    *tick = (kin_tick){fixed_step->step, fixed_step->origin + (double)fixed_step->steps * fixed_step->step,
                       fixed_step->frame++};
    return true;
}

void kin__fixed_step_set(kin__fixed_step *fixed_step, double time)
{
    KIN_ASSERT(kin__is_finite(time));
    fixed_step->origin = time;
    fixed_step->steps = 0;
    fixed_step->accumulated = 0;
    fixed_step->due = 0;
}
