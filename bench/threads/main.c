// Measures pieces on several threads against the same loop on one.
//
//   threads          all rows; fails if a result depends on the threads
//   threads ROW      the rows whose names begin so
//
// Plain loop and pieces alternate, each on a context of its own. The first turns warm up. The figure is the median of
// the ratios of the turns: a speed-up if the bar is a least one, else a ratio of times. Nothing is pinned.
#include "flight.h"
#include "idle.h"
#include "rally.h"
#include "turns.h"

#include <kin/pool.h>
#include <stdio.h>
#include <string.h>

typedef enum row_kind { ROW_ONE_THREAD, ROW_SPEED_UP, ROW_BUSY } row_kind;

typedef struct row {
    const char *id, *what;
    row_kind kind;
    flight_loop loop;
    uint32_t entities, threads;
    double bar;
} row;

static const row rows[] = {
    {"t.hand.one", "10,000 cheap, by hand, one thread", ROW_ONE_THREAD, FLIGHT_CHEAP, 10000, 1, 1.15},
    {"t.10k.mid", "10,000 middling", ROW_SPEED_UP, FLIGHT_MIDDLING, 10000, 2, 1.7},
    {"t.100k", "100,000 cheap", ROW_SPEED_UP, FLIGHT_CHEAP, 100000, 2, 1.5},
    {"t.100k.mid", "100,000 middling", ROW_SPEED_UP, FLIGHT_MIDDLING, 100000, 2, 1.75},
    {"t.1m", "1,000,000 cheap: memory", ROW_SPEED_UP, FLIGHT_CHEAP, 1000000, 2, 1.4},
    {"t.1m.mid", "1,000,000 middling", ROW_SPEED_UP, FLIGHT_MIDDLING, 1000000, 2, 1.7},
    {"t.costly10k", "10,000 costly", ROW_SPEED_UP, FLIGHT_COSTLY, 10000, 2, 1.9},
    {"t.costly100k", "100,000 costly", ROW_SPEED_UP, FLIGHT_COSTLY, 100000, 2, 1.9},
    {"t.costly1m", "1,000,000 costly", ROW_SPEED_UP, FLIGHT_COSTLY, 1000000, 2, 1.9},
    {"t.8.100k", "100,000 middling, 8 threads", ROW_SPEED_UP, FLIGHT_MIDDLING, 100000, 8, 5},
    {"t.8.costly", "100,000 costly, 8 threads", ROW_SPEED_UP, FLIGHT_COSTLY, 100000, 8, 7},
    {"t.busy", "10,000 middling, a busy core", ROW_BUSY, FLIGHT_MIDDLING, 10000, 2, 1.1},
};

static uint32_t bars, met;
static bool agree = true;

static void print_row(const row *row, const turns_result *result)
{
    double figure = row->kind == ROW_SPEED_UP ? 1 / result->ratio : result->ratio;
    bool is_met = row->kind == ROW_SPEED_UP ? figure > row->bar - 0.005 : figure < row->bar + 0.005;
    bars++;
    met += is_met;
    printf("%-13s %-33s %10.2f %10.2f %10.2f %10.2f %8.2f  %s %5.2f %s\n", row->id, row->what, result->plain.median,
           result->plain.least, result->pieces.median, result->pieces.least, figure,
           row->kind == ROW_SPEED_UP ? "at least" : "at most ", row->bar, is_met ? "met" : "missed");
    fflush(stdout);
}

static void measure(const row *row, uint32_t processors)
{
    turns_result result;
    kin_executor *pool = row->threads > 1 ? kin_pool_create(row->threads) : NULL;
    if (row->threads > processors || (row->threads > 1 && pool == NULL)) {
        printf("%-13s %-33s is not measured: needs %u processors\n", row->id, row->what, row->threads);
        kin_pool_destroy(pool);
        return;
    }
    busy_process busy = row->kind == ROW_BUSY ? busy_begin() : 0;
    result = turns_measure(row->loop, row->entities, pool);
    busy_end(busy);
    kin_pool_destroy(pool);
    print_row(row, &result);
    if (!result.agree)
        printf("%s: the values differ from those of the plain loop\n", row->id);
    agree = agree && result.agree;
}

// ---- parallel systems and commands

static void print_rally(const char *id, const char *what, const rally_result *result, bool is_speed_up, double bar)
{
    double figure = is_speed_up ? 1 / result->ratio : result->ratio;
    bool is_met = is_speed_up ? figure > bar - 0.005 : figure < bar + 0.005;
    bars++;
    met += is_met;
    printf("%-13s %-33s %10.2f %10s %10.2f %10s %8.2f  %s %5.2f %s\n", id, what, result->plain, "", result->other, "",
           figure, is_speed_up ? "at least" : "at most ", bar, is_met ? "met" : "missed");
    if (!result->agree)
        printf("%s: both sides left different values\n", id);
    agree = agree && result->agree;
    fflush(stdout);
}

static void measure_systems(void)
{
    kin_executor *pool = kin_pool_create(2);
    if (pool == NULL)
        return;
    rally_result one = rally_split(10000, NULL), small = rally_split(1000, pool), large = rally_split(10000, pool),
                 beside = rally_beside(pool);
    print_rally("t.one", "parallel system, 10,000, one thread", &one, false, 1.15);
    print_rally("t.small", "parallel system, 1,000, a pool", &small, false, 1.05);
    print_rally("t.small.10k", "parallel system, 10,000, a pool", &large, false, 1.05);
    print_rally("t.beside", "two systems side by side", &beside, true, 1.4);
    kin_pool_destroy(pool);
}

static void measure_commands(void)
{
    rally_result record = rally_commands(RALLY_REPLACE, RALLY_RECORD), play = rally_commands(RALLY_REPLACE, RALLY_PLAY),
                 flag = rally_commands(RALLY_FLAG, RALLY_BOTH), mix = rally_commands(RALLY_MIX, RALLY_BOTH);
    print_rally("c.record", "record 10,000 replaces", &record, false, 1);
    print_rally("c.play", "play them", &play, false, 0.8);
    print_rally("c.flag", "record and play a flag", &flag, false, 1.5);
    print_rally("c.mix", "record and play all kinds", &mix, false, 1.7);
}

// ---- jobs that do nothing

static void print_idle(const char *id, const char *what, double time, double bar)
{
    bool is_met = time < bar + 0.005;
    bars++;
    met += is_met;
    printf("%-13s %-33s %10s %10s %10.2f %10s %8s  at most  %5.2f %s\n", id, what, "", "", time, "", "", bar,
           is_met ? "met" : "missed");
}

static void measure_idle(void)
{
    kin_executor *pool = kin_pool_create(2);
    if (pool == NULL)
        return;
    print_idle("t.idle", "empty job, threads awake", idle_spinning(pool), 0.3);
    print_idle("t.idle.sleep", "empty job, threads asleep", idle_sleeping(pool), 10);
    kin_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    uint32_t processors = turns_processors();
    printf("\nThreads: microseconds, median and minimum; %u processors.\n\n", processors);
    printf("%-13s %-33s %10s %10s %10s %10s %8s\n", "row", "work", "plain", "min", "pieces", "min", "figure");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(rows[i].id, wanted, strlen(wanted)) == 0)
            measure(&rows[i], processors);
    if (strncmp("t.idle", wanted, strlen(wanted)) == 0 && processors > 1)
        measure_idle();
    if (strncmp("t.one", wanted, strlen(wanted)) == 0 && processors > 1)
        measure_systems();
    if (strncmp("c.", wanted, strlen(wanted)) == 0)
        measure_commands();
    printf("\n%u of %u bars of threads are met.\n", met, bars);
    return agree ? 0 : 1;
}
