#include "base/pace.h"

// How much of a step may be missing where rounding is to blame.
static const double rounding = 1e-9;

// Where doubles still have digits behind the point; without a call of the mathematical library.
static double whole_of(double number)
{
    return number < (double)((uint64_t)1 << 52) ? (double)(uint64_t)number : number;
}

void kin__pace_advance(kin__pace *pace, double delta)
{
    double left = pace->left + delta, steps = left / pace->step + rounding;
    if (!kin__is_finite(steps))
        return;
    pace->left = left;
    if (steps < 1)
        return;
    double whole = whole_of(steps);
    double rest = left - whole * pace->step;
    pace->left = fabs(rest) < pace->step ? rest : 0; // so many steps that their sum has no digits below one
    if (whole > pace->max_steps) {
        pace->dropped += (whole - pace->max_steps) * pace->step;
        whole = pace->max_steps;
    }
    pace->due = (uint32_t)whole;
}

bool kin__pace_next(kin__pace *pace, kin_tick *tick)
{
    if (pace->due == 0)
        return false;
    pace->due--;
    pace->steps++;
    *tick = (kin_tick){pace->step, pace->origin + (double)pace->steps * pace->step, pace->frame++};
    return true;
}

void kin__pace_set(kin__pace *pace, double time)
{
    pace->origin = time;
    pace->steps = 0;
    pace->left = 0;
    pace->due = 0;
}
