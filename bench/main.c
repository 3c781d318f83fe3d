// Measures every row on both sides and prints medians, minima and the ratio; fails when a checksum differs.

#include "side.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum { ENTITIES = 10000, WARMING_UP = 2, TURNS = 101 };

typedef struct samples {
    double nanoseconds[TURNS];
    uint32_t count;
} samples;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double turn(const side_row *row, void *world)
{
    if (row->prepare != NULL)
        row->prepare(world);
    double start = now();
    for (uint32_t pass = 0; pass < row->passes; pass++)
        row->run(world);
    return (now() - start) / ((double)row->passes * ENTITIES * row->per_cent / 100);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(samples *samples)
{
    qsort(samples->nanoseconds, samples->count, sizeof(double), compare);
    return samples->nanoseconds[samples->count / 2];
}

// False when the two did not do the same work.
static bool measure(const side_row *hand, const side_row *kin)
{
    samples by_hand = {.count = 0}, by_kin = {.count = 0}, ratios = {.count = 0};
    void *hand_world = hand->create(ENTITIES), *kin_world = kin->create(ENTITIES);
    for (uint32_t i = 0; i < WARMING_UP + TURNS; i++) {
        double hand_time = turn(hand, hand_world), kin_time = turn(kin, kin_world);
        if (i < WARMING_UP)
            continue;
        by_hand.nanoseconds[by_hand.count++] = hand_time;
        by_kin.nanoseconds[by_kin.count++] = kin_time;
        ratios.nanoseconds[ratios.count++] = kin_time / hand_time;
    }
    uint64_t wanted = hand->checksum(hand_world), got = kin->checksum(kin_world);
    double hand_median = median(&by_hand), kin_median = median(&by_kin), ratio = median(&ratios);
    printf("%-7s %-27s %7.2f %7.2f %7.2f %7.2f %6.2f  ns/%s\n", hand->id, hand->what, hand_median,
           by_hand.nanoseconds[0], kin_median, by_kin.nanoseconds[0], ratio, hand->unit);
    hand->destroy(hand_world);
    kin->destroy(kin_world);
    if (wanted != got)
        fprintf(stderr, "%s: the checksums differ: %" PRIu64 " by hand, %" PRIu64 " with kin\n", hand->id, wanted, got);
    return wanted == got;
}

static const struct {
    const side_row *hand, *kin;
    uint32_t count;
} tables[] = {
    {hand_rows, kin_rows, SIDE_ROWS},
    {hand_index_rows, kin_index_rows, SIDE_INDEX_ROWS},
    {hand_react_rows, kin_react_rows, SIDE_REACT_ROWS},
    {hand_watch_rows, kin_watch_rows, SIDE_WATCH_ROWS},
    {kin_alone_rows, kin_one_rows, SIDE_ONE_ROWS},
};

int main(int argc, char **argv)
{
    bool agree = true;
    printf("%d entities, a context of 43 components; medians and minima of %d turns; compiled by %s\n\n", ENTITIES,
           TURNS, COMPILER);
    printf("%-7s %-27s %7s %7s %7s %7s %6s\n", "row", "work", "hand", "min", "kin", "min", "ratio");
    for (uint32_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (uint32_t k = 0; k < tables[i].count; k++)
            if (argc < 2 || strcmp(argv[1], tables[i].hand[k].id) == 0)
                agree = measure(&tables[i].hand[k], &tables[i].kin[k]) && agree;
    return agree ? 0 : 1;
}
