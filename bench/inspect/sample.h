// Sample: times of updates, and their quantiles.
#ifndef KIN_BENCH_SAMPLE_H
#define KIN_BENCH_SAMPLE_H

#include <stdint.h>

enum { SAMPLES = 4096 };

typedef struct sample {
    double values[SAMPLES];
    uint32_t count;
} sample;

// Nanoseconds of a monotonic clock.
double sample_now(void);
// Keeps a value, if there is room.
void sample_add(sample *sample, double value);
// Returns the value that a part `q` of the sample does not exceed; sorts it. 0 for an empty one.
double sample_quantile(sample *sample, double q);

#endif
