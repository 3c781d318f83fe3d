#include "turns.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TURNS = 101, WARMING_UP = 2 };

// The loops of a turn take about a millisecond, or are one.
static const double turn_time = 1e6, time_of_row = 1.2e9;

double turns_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

uint32_t turns_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double turns_median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

static double time_plain(flight *flight, uint32_t passes)
{
    double start = turns_now();
    for (uint32_t i = 0; i < passes; i++)
        flight_plain(flight);
    return (turns_now() - start) / passes;
}

static double time_pieces(flight *flight, const kin_executor *executor, uint32_t passes)
{
    double start = turns_now();
    for (uint32_t i = 0; i < passes; i++)
        flight_pieces(flight, executor);
    return (turns_now() - start) / passes;
}

static turns_side side_of(double *times, uint32_t count)
{
    turns_side side = {turns_median(times, count) / 1e3, times[0] / 1e3};
    return side;
}

// Times turns until the time of a row has passed, at least nine.
static uint32_t take_turns(flight *plain, flight *pieces, const kin_executor *executor, double times[3][MOST_TURNS])
{
    double start = turns_now(), once = time_plain(plain, 1);
    time_pieces(pieces, executor, 1);
    uint32_t count = 0, passes = once < turn_time ? (uint32_t)(turn_time / once) + 1 : 1;
    for (uint32_t i = 0; count < MOST_TURNS && (count < 9 || turns_now() - start < time_of_row); i++) {
        times[0][count] = time_plain(plain, passes);
        times[1][count] = time_pieces(pieces, executor, passes);
        times[2][count] = times[1][count] / times[0][count];
        count += i >= WARMING_UP;
    }
    return count;
}

turns_result turns_measure(flight_loop loop, uint32_t entities, const kin_executor *executor)
{
    static double times[3][MOST_TURNS];
    flight *plain = flight_create(entities, loop), *pieces = flight_create(entities, loop);
    uint32_t count = take_turns(plain, pieces, executor, times);
    turns_result result = {.ratio = turns_median(times[2], count)};
    result.plain = side_of(times[0], count);
    result.pieces = side_of(times[1], count);
    result.agree = flight_hash(plain) == flight_hash(pieces);
    flight_destroy(plain);
    flight_destroy(pieces);
    return result;
}
