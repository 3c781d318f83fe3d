// Measure: taking turns, medians.

#include "measure.h"
#include "side.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WARMING_UP = 2, MOST_TURNS = 64, LEAST_APART = 10000000 };

typedef struct samples {
    double values[MOST_TURNS];
    uint32_t count;
} samples;

// The work of one side of a row, with its world: in this process, or in one of its own, which takes orders.
typedef struct player {
    const side_work *work;
    void *world;
    samples samples;
    pid_t process; // 0: this one
    int orders, results;
} player;

// The end of a pipe is the end of the other process.
static void send_all(int pipe, const void *data, size_t size)
{
    if (write(pipe, data, size) != (ssize_t)size)
        _exit(1);
}

static void receive_all(int pipe, void *data, size_t size)
{
    if (read(pipe, data, size) != (ssize_t)size)
        _exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double turn_here(const player *player, uint32_t passes)
{
    if (player->work->prepare != NULL)
        player->work->prepare(player->world);
    double start = now();
    for (uint32_t pass = 0; pass < passes; pass++)
        player->work->run(player->world);
    return (now() - start) / passes;
}

// An order is a number of passes; 0: end with the checksum.
static void take_orders(player player, uint32_t count)
{
    uint32_t passes;
    player.world = player.work->create(count);
    for (receive_all(player.orders, &passes, sizeof passes); passes > 0;
         receive_all(player.orders, &passes, sizeof passes)) {
        double time = turn_here(&player, passes);
        send_all(player.results, &time, sizeof time);
    }
    uint64_t checksum = player.work->checksum(player.world);
    send_all(player.results, &checksum, sizeof checksum);
    _exit(0);
}

static double turn(const player *player, uint32_t passes)
{
    double time;
    if (player->process == 0)
        return turn_here(player, passes);
    send_all(player->orders, &passes, sizeof passes);
    receive_all(player->results, &time, sizeof time);
    return time;
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

// In a process of its own a side has the memory that it would have in a game, not the remains of others.
static player begin_apart(const side_work *work, uint32_t count)
{
    int orders[2], results[2];
    if (pipe(orders) != 0 || pipe(results) != 0)
        abort();
    player player = {.work = work, .process = fork(), .orders = orders[0], .results = results[1]};
    if (player.process < 0)
        abort();
    if (player.process == 0)
        take_orders(player, count);
    close(orders[0]);
    close(results[1]);
    player.orders = orders[1];
    player.results = results[0];
    return player;
}

// Ends the work of a side and returns its checksum.
static uint64_t leave(const player *player)
{
    uint64_t checksum;
    uint32_t passes = 0;
    if (player->process == 0) {
        checksum = player->work->checksum(player->world);
        player->work->destroy(player->world);
        return checksum;
    }
    send_all(player->orders, &passes, sizeof passes);
    receive_all(player->results, &checksum, sizeof checksum);
    close(player->orders);
    close(player->results);
    waitpid(player->process, NULL, 0);
    return checksum;
}

static bool end(const row *row, const player *hand, const player *kin)
{
    uint64_t wanted = leave(hand), got = leave(kin);
    if (wanted != got)
        fprintf(stderr, "%s: the checksums differ: %" PRIu64 " by hand, %" PRIu64 " with kin\n", row->id, wanted, got);
    return wanted == got;
}

measured measure_row(const row *row, uint32_t count)
{
    player (*start)(const side_work *work, uint32_t count) = count < LEAST_APART ? begin : begin_apart;
    player hand = start(side_find_hand(row->hand), count), kin = start(side_find_kin(row->kin), count);
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
