// Measure: taking turns, medians.

#include "measure.h"
#include "side.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARMING_UP = 2, MOST_TURNS = 64 };

typedef struct samples {
    double values[MOST_TURNS];
    uint32_t count;
} samples;

// The work of one side of a row, with its world.
typedef struct player {
    const side_work *work;
    void *world;
    samples samples;
} player;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double turn(const player *player, uint32_t passes)
{
    if (player->work->prepare != NULL)
        player->work->prepare(player->world);
    double start = now();
    for (uint32_t pass = 0; pass < passes; pass++)
        player->work->run(player->world);
    return (now() - start) / passes;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void append(samples *samples, double value)
{
    samples->values[samples->count++] = value;
}

static measure_side summary(samples *samples)
{
    qsort(samples->values, samples->count, sizeof(double), compare);
    return (measure_side){samples->values[samples->count / 2], samples->values[0]};
}

static player begin(const side_work *work, uint32_t count)
{
    return (player){.work = work, .world = work->create(count)};
}

static bool end(const row *row, player *hand, player *kin)
{
    uint64_t wanted = hand->work->checksum(hand->world), got = kin->work->checksum(kin->world);
    hand->work->destroy(hand->world);
    kin->work->destroy(kin->world);
    if (wanted != got)
        fprintf(stderr, "%s: the checksums differ: %" PRIu64 " by hand, %" PRIu64 " with kin\n", row->id, wanted, got);
    return wanted == got;
}

measured measure_row(const row *row, uint32_t count)
{
    player hand = begin(side_find_hand(row->hand), count), kin = begin(side_find_kin(row->kin), count);
    samples ratios = {.count = 0};
    double operations = row_operations(row, count);
    uint32_t turns = row_turns(count), passes = hand.work->prepare == NULL ? row_passes(row, count) : 1;
    for (uint32_t i = 0; i < WARMING_UP + turns; i++) {
        double hand_time = turn(&hand, passes) / operations, kin_time = turn(&kin, passes) / operations;
        if (i < WARMING_UP)
            continue;
        append(&hand.samples, hand_time);
        append(&kin.samples, kin_time);
        append(&ratios, kin_time / hand_time);
    }
    measured result = {.row = row, .count = count, .turns = turns, .ratio = summary(&ratios).median};
    result.hand = summary(&hand.samples);
    result.kin = summary(&kin.samples);
    result.agree = end(row, &hand, &kin);
    return result;
}

measure_side measure_work(const side_work *work, uint32_t count, uint32_t passes, uint32_t turns)
{
    player player = begin(work, count);
    for (uint32_t i = 0; i < WARMING_UP + turns; i++) {
        double time = turn(&player, work->prepare == NULL ? passes : 1);
        if (i >= WARMING_UP)
            append(&player.samples, time);
    }
    work->destroy(player.world);
    return summary(&player.samples);
}

double measure_figure(const measured *measured)
{
    return measured->row->measure == ROW_RATIO ? measured->ratio : measured->kin.median;
}

// Compares the figure as printed, rounded to two digits.
bool measure_is_met(const measured *measured)
{
    return measured->row->bar <= 0 || measure_figure(measured) < measured->row->bar + 0.005;
}
