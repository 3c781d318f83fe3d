#include "sample.h"

#include <stdlib.h>
#include <time.h>

double sample_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void sample_add(sample *sample, double value)
{
    if (sample->count < SAMPLES)
        sample->values[sample->count++] = value;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sample_quantile(sample *sample, double q)
{
    if (sample->count == 0)
        return 0;
    qsort(sample->values, sample->count, sizeof *sample->values, compare);
    uint32_t at = (uint32_t)(q * sample->count);
    return sample->values[at < sample->count ? at : sample->count - 1];
}
