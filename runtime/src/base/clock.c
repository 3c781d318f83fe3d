#define _POSIX_C_SOURCE 199309L // the monotonic clock
#include "base/base.h"

#include <time.h>

enum { SECOND = 1000000000 };

#if defined(_WIN32)
// Declared here because windows.h would define its macros too. Every program links kernel32.
__declspec(dllimport) int __stdcall QueryPerformanceCounter(int64_t *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(int64_t *counts_per_second);

uint64_t kin__clock_read(void)
{
    int64_t count = 0;
    int64_t each_second = 1;
    QueryPerformanceFrequency(&each_second);
    QueryPerformanceCounter(&count);
    return (uint64_t)(count / each_second * SECOND + count % each_second * SECOND / each_second);
}
#else
uint64_t kin__clock_read(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}
#endif

// Returns the next number of the sequence: SplitMix64 by Sebastiano Vigna, 2015, public domain. Each step is bijective.
static uint64_t next(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

static uint64_t mix(uint64_t seed, uint64_t word)
{
    seed ^= word;
    return next(&seed);
}

// The addresses are random where the system randomises the layout of processes. The address of the block is mixed in
// last, by a bijective step, so that two blocks at the same time cannot get the same seed.
uint64_t kin__seed_make(const void *block)
{
    KIN_ASSERT(block != NULL);
    uint64_t here = 0;
    uint64_t seed = mix(0, (uint64_t)time(NULL));
    seed = mix(seed, kin__clock_read());
    seed = mix(seed, (uint64_t)(uintptr_t)&here);
    seed = mix(seed, (uint64_t)(uintptr_t)&kin__seed_make);
    seed = mix(seed, (uint64_t)(uintptr_t)block);
    return seed != 0 ? seed : 1;
}

void kin__seed_spread(uint64_t seed, uint64_t *factors)
{
    KIN_ASSERT(seed != 0);
    factors[0] = next(&seed) | 1;
    factors[1] = next(&seed) | 1;
}

// The part of a step that rounding may leave missing.
static const double rounding = 1e-9;

// Doubles from 2^52 on have no fraction. This needs no call of the mathematical library.
static double whole_of(double number)
{
    return number < (double)((uint64_t)1 << 52) ? (double)(uint64_t)number : number;
}

void kin__fixed_step_advance(kin__fixed_step *fixed_step, double delta)
{
    double accumulated = fixed_step->accumulated + delta;
    double steps = accumulated / fixed_step->step + rounding;
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
