/// Random numbers that do not depend on threads.
///
/// A system with `random: true` has a function such as `march_random`, which returns a generator for an entity. It
/// depends on the seed of the world, the system, the frame and the handle alone: not on the thread, the order of calls
/// or what other entities draw. Asking again in the same frame returns the same generator, with the same numbers. So
/// ask once, and keep the generator while you need numbers:
///
///     kin_random random = march_random(job, entity);
///     float angle = kin_random_float(&random) * 6.28F;
///     uint32_t target = kin_random_below(&random, count);
///
/// The numbers are the same on every machine. They are not secret: do not use them for keys or passwords.
///
/// The generator is PCG-XSH-RR 64/32 (M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
/// Algorithms for Random Number Generation", HMC-CS-2014-0905, 2014). Its state and its increment are the first two
/// numbers of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
#ifndef KIN_RANDOM_H
#define KIN_RANDOM_H

#include <kin/platform.h>

#include <stdint.h>

KIN_BEGIN_DECLARATIONS

/// A generator: a value that you may copy and keep. All zero is none: it returns 0 for ever.
typedef struct kin_random {
    uint64_t state;     ///< changes with each number
    uint64_t increment; ///< odd; chooses one of 2^63 sequences
} kin_random;

/// Returns the `number`-th number, from 1 on, of SplitMix64 with the seed. Cost: three multiplications.
static inline uint64_t kin_random_split(uint64_t seed, uint64_t number)
{
    uint64_t mixed = seed + number * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/// Returns a generator of your own. Equal seeds give equal numbers. Cost: four multiplications.
static inline kin_random kin_random_seeded(uint64_t seed)
{
    kin_random made;
    made.state = kin_random_split(seed, 1);
    made.increment = kin_random_split(seed, 2) | 1;
    return made;
}

/// Returns a number from 0 to UINT32_MAX, each equally likely. Cost: one multiplication.
static inline uint32_t kin_random_uint32(kin_random *random)
{
    uint64_t state = random->state;
    uint32_t shifted = (uint32_t)((state >> 18 ^ state) >> 27);
    uint32_t turn = (uint32_t)(state >> 59);
    random->state = state * UINT64_C(6364136223846793005) + random->increment;
    return shifted >> turn | shifted << ((32 - turn) & 31);
}

/// Returns a number from 0 to `count` - 1, each equally likely; 0 for a count of 0. Cost: seldom more than one draw (D.
/// Lemire, "Fast Random Integer Generation in an Interval", 2019).
static inline uint32_t kin_random_below(kin_random *random, uint32_t count)
{
    uint64_t product = (uint64_t)kin_random_uint32(random) * count;
    if ((uint32_t)product < count) {
        uint32_t uneven = (0 - count) % count; // the draws that would make some numbers likelier
        while ((uint32_t)product < uneven)
            product = (uint64_t)kin_random_uint32(random) * count;
    }
    return (uint32_t)(product >> 32);
}

/// Returns a number from `low` to `high`, both included, each equally likely; `low` if `high` is less. Cost: that of
/// kin_random_below.
static inline int32_t kin_random_between(kin_random *random, int32_t low, int32_t high)
{
    if (high <= low)
        return low;
    uint32_t count = (uint32_t)high - (uint32_t)low + 1; // 0: of all numbers
    uint32_t drawn = count == 0 ? kin_random_uint32(random) : kin_random_below(random, count);
    return (int32_t)((int64_t)low + drawn);
}

/// Returns one of the 2^24 multiples of 2^-24 from 0 to below 1, each equally likely. Cost: that of
/// kin_random_uint32.
static inline float kin_random_float(kin_random *random)
{
    return (float)(kin_random_uint32(random) >> 8) * (1.0F / 16777216.0F);
}

KIN_END_DECLARATIONS

#endif
