#include "base/fixed_step.h"

// How much of a step may be missing where rounding is to blame.
static const double rounding = 1e-9;

// Where doubles still have digits behind the point; without a call of the mathematical library.
static double whole_of(double number)
{
    return number < (double)((uint64_t)1 << 52) ? (double)(uint64_t)number : number;
}

void kin__fixed_step_advance(kin__fixed_step *fixed_step, double delta)
{
    double left = fixed_step->left + delta, steps = left / fixed_step->step + rounding;
    if (!kin__is_finite(steps))
        return;
    fixed_step->left = left;
    if (steps < 1)
        return;
    double whole = whole_of(steps);
    double rest = left - whole * fixed_step->step;
    fixed_step->left = fabs(rest) < fixed_step->step ? rest : 0; // so many steps that their sum has no digits below one
    if (whole > fixed_step->max_steps) {
        fixed_step->dropped += (whole - fixed_step->max_steps) * fixed_step->step;
        whole = fixed_step->max_steps;
    }
    fixed_step->due = (uint32_t)whole;
}

bool kin__fixed_step_next(kin__fixed_step *fixed_step, kin_tick *tick)
{
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
    fixed_step->origin = time;
    fixed_step->steps = 0;
    fixed_step->left = 0;
    fixed_step->due = 0;
}
